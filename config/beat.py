"""The beat: Celery's scheduler, which starts the sweeps.

It ignores the wall clock and skips a tick if its queue is full.
"""

import logging
import time
from typing import Any

from celery.beat import ScheduleEntry, Scheduler

log = logging.getLogger(__name__)

FULL = 100
"""The number of messages at which a queue is full. The waiting ticks will find the work of the skipped ones."""
FIRST_TICK = 60.0
"""The number of seconds until the first tick of a rare sweep, since a beat may never run for an hour."""
WARN_EVERY = 60.0
"""Seconds between two log lines about the same problem."""


class Ticks(Scheduler):
    """A scheduler on the monotonic clock, with a limit for each queue.

    Celery's own scheduler follows the wall clock: set back by an hour, it starts nothing for an hour. Without a limit,
    only expiry would bound a queue that has no worker, and the expiry is set by the beat's clock, not by the worker's.
    It also logs a page for each tick that the broker refuses.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self._due: dict[str, float] = {}
        self._said: dict[str, float] = {}
        self._line: Any = None
        super().__init__(*arguments, **more)

    def tick(self, *_: Any, **__: Any) -> float:
        """Send the ticks that are due. Return the seconds until the next one."""
        for name, entry in self.schedule.items():
            now, pause = time.monotonic(), entry.schedule.seconds
            if self._due.setdefault(name, now + min(pause, FIRST_TICK)) <= now:
                self._due[name] = now + pause
                self.apply_entry(entry)
        return max(0.0, min(self._due.values(), default=FIRST_TICK) - time.monotonic())

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send a tick, unless its queue is full. Never fail: the next tick finds the same work."""
        queue = entry.task.partition(".")[0]
        try:
            to = self._line or self._connected()
            waiting = to.channel.queue_declare(queue=queue, durable=True, auto_delete=False).message_count
            if waiting >= FULL:
                self._say(queue, f"{waiting} messages wait in the queue {queue}: no more ticks before there are less")
            else:
                self.apply_async(entry, producer=to, advance=False)
        except Exception as error:  # kombu raises different errors for each broker
            self._line = None
            self._say("broker", f"the broker takes no ticks: {type(error).__name__}: {error}"[:300])

    def _connected(self) -> Any:
        """Return a producer after one try. Celery's own code would retry for long and hold up all ticks."""
        line = self.app.connection_for_write()
        line.ensure_connection(max_retries=0)
        self._line = self.Producer(line, auto_declare=False)
        return self._line

    def _say(self, about: str, line: str) -> None:
        now = time.monotonic()
        if now - self._said.get(about, float("-inf")) >= WARN_EVERY:
            self._said[about] = now
            log.warning("%s", line)
