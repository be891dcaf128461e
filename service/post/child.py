"""The child process that reads hostile mail. It may be killed: each message has a limit of time and of memory.

The child stays for many messages, since its start costs more than a thousand messages. After a message that kills it, a
new one starts. The two processes exchange frames: four bytes of length, then MessagePack.
"""

import contextlib
import logging
import resource
import signal
import struct
import subprocess
import sys
import threading
from importlib import import_module
from typing import IO, Self

import msgspec

from .incoming import Incoming, Question, examine

SECONDS = 5.0
"""CPU seconds for one message. With waiting, also for other processes on a busy machine, it may take four times as
long.
"""
MEMORY = 512 * 1024 * 1024
"""Bytes of the child's address space, with its program."""

NEEDED = "charset_normalizer", "dkim", "lxml.etree", "service.post.dns"
"""Only the child reads mail, so only the child loads these, before a message's time starts."""

_LENGTH = struct.Struct(">I")


def command(memory: int, seconds: float) -> list[str]:
    """Return the command that starts a child."""
    return [sys.executable, "-m", __name__, str(memory), str(seconds)]


class ReadingChild:
    """A child that reads, one message at a time; threads wait for each other. Close it, or use it in a ``with``."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds, self._memory = seconds, memory
        self.running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def read(self, question: Question) -> Incoming:
        """Return the result of ``examine``. A message that kills the child is unreadable: ``slow``, or ``broken``."""
        with self._lock:
            answer = self._asked(msgspec.msgpack.encode(question))
            if isinstance(answer, str):
                self._end()
                return Incoming("unreadable", answer)
            return answer

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._end()

    def _asked(self, question: bytes) -> Incoming | str:
        child = self._started()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(_LENGTH.pack(len(question)) + question)
            child.stdin.flush()
            answer = _frame(child.stdout)
        except BrokenPipeError:
            answer = None
        if answer is not None:
            return msgspec.msgpack.decode(answer, type=Incoming)
        return "slow" if child.wait() in (-signal.SIGPROF, -signal.SIGALRM) else "broken"

    def _started(self) -> subprocess.Popen[bytes]:
        if self.running is not None and self.running.poll() is not None:
            self._end()  # it died while idle, not of this message
        if self.running is None:
            asked = command(self._memory, self._seconds)
            self.running = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self.running.stdout is not None
            if _frame(self.running.stdout) is None:  # it reports its start, which counts for no message
                self._end()
                raise RuntimeError("The child that reads mail does not start.")
        return self.running

    def _end(self) -> None:
        child, self.running = self.running, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe and pipe.close()


def _frame(pipe: IO[bytes]) -> bytes | None:
    """Return the next frame, or None at the end."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = pipe.read(length)
    return body if len(body) == length else None


def main() -> None:
    """Run the child: read questions and write answers until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
    logging.disable()  # libraries log the content of hostile mails
    for name in NEEDED:
        import_module(name)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a library's output must not mix with the answers
    answer: bytes = b""
    while True:
        target.write(_LENGTH.pack(len(answer)) + answer)
        target.flush()
        question = _frame(source)
        if question is None:
            return
        _end_after(float(sys.argv[2]))
        answer = msgspec.msgpack.encode(_examined(question))
        _end_after(0)


def _end_after(seconds: float) -> None:
    """End this process after ``seconds``, even inside a library. 0: never."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 4 * seconds)


def _examined(question: bytes) -> Incoming:
    from .dns import key_of

    try:
        return examine(msgspec.msgpack.decode(question, type=Question), key_of)
    except MemoryError:
        return Incoming("unreadable", "memory")
    except RecursionError:
        return Incoming("unreadable", "broken")


if __name__ == "__main__":
    main()
