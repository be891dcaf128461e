"""The memory of a process: how much of it the C library keeps that nobody needs any more."""

import contextlib
import ctypes

_M_MMAP_THRESHOLD, LARGE = -3, 256 * 1024
"""Bytes of the smallest piece of memory that goes back to the system as soon as it is free (malloc.h). By itself the C
library learns to keep larger ones, too: a process that draws for mails would keep 25 MB of pixels."""


def give_back_large_pieces() -> None:
    """Let large pieces of memory go back to the system at once, in this process and those forked from it."""
    with contextlib.suppress(AttributeError):  # another C library than glibc
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)
