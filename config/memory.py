"""The memory of a process: how much freed memory the C library keeps."""

import contextlib
import ctypes

_M_MMAP_THRESHOLD, LARGE = -3, 256 * 1024
"""Bytes of the smallest block that returns to the system as soon as it is freed (malloc.h). By default, the C library
raises this threshold: a process that draws for mails would keep 25 MB of pixels.
"""


def give_back_large_pieces() -> None:
    """Return large blocks of freed memory to the system at once, in this process and its forks."""
    with contextlib.suppress(AttributeError):  # the C library is not glibc
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)
