"""Reads hostile mail in a child process, which may be killed: so much time and so much memory a message.

The child stays for many messages, since starting one costs more than reading a thousand; it is another one after
every message that it did not survive. Between the two go frames: four bytes of length, then MessagePack.
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
"""Of reckoning, for one message; four times as many with all its waiting, also for others on a busy machine."""
MEMORY = 512 * 1024 * 1024
"""Bytes of address space of the child, its program included."""

NEEDED = "charset_normalizer", "dkim", "service.post.dns"
"""Only the child reads mail, so only the child loads these: before a message's time runs."""

_LENGTH = struct.Struct(">I")


def command(memory: int, seconds: float) -> list[str]:
    """How a child is started."""
    return [sys.executable, "-m", __name__, str(memory), str(seconds)]


class ReadingChild:
    """A child that reads. One message at a time; threads wait for each other. To be closed, or used in a ``with``."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds, self._memory = seconds, memory
        self.running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def read(self, question: Question) -> Incoming:
        """What ``examine`` says. What the child does not survive is unreadable: ``slow``, or ``broken``."""
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
            self._end()  # it died in its sleep, and not of this message
        if self.running is None:
            asked = command(self._memory, self._seconds)
            self.running = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self.running.stdout is not None
            if _frame(self.running.stdout) is None:  # it says when it is there: its start counts for no message
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
    """The next frame; None if there will be none."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = pipe.read(length)
    return body if len(body) == length else None


def main() -> None:
    """The child: reads questions, writes answers, until there are no more."""
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
    logging.disable()  # libraries complain of what mails hold; that is no news
    for name in NEEDED:
        import_module(name)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing that a library says may come between
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
    """Whatever runs then, also in a library, it ends this process. 0: never."""
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
