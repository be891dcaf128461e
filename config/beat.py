"""The beat: ticks by the time that has passed, whatever a clock says, and none where so many wait that nobody works."""

import logging
import time
from typing import Any

from celery.beat import ScheduleEntry, Scheduler

log = logging.getLogger(__name__)

FULL = 100
"""So many messages in a queue are enough: what ticks are for is found by the ticks that wait."""
FIRST_TICK = 60.0
"""Seconds after which even a rare tick is given for the first time: no beat need live for an hour."""
WARN_EVERY = 60.0
"""Seconds between two lines of the log about the same trouble."""


class Ticks(Scheduler):
    """Celery's own goes by the clock: when that is set back by an hour, nothing is due for an hour. It has no limit,
    so what bounds a queue that nobody works at would be messages with an hour of expiry, which is the beat's hour
    and no worker's. And it writes a page about every tick that the broker does not take.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self._due: dict[str, float] = {}
        self._said: dict[str, float] = {}
        self._line: Any = None
        super().__init__(*arguments, **more)

    def tick(self, *_: Any, **__: Any) -> float:
        """Give the ticks that are due; the seconds until the next one is."""
        for name, entry in self.schedule.items():
            now, pause = time.monotonic(), entry.schedule.seconds
            if self._due.setdefault(name, now + min(pause, FIRST_TICK)) <= now:
                self._due[name] = now + pause
                self.apply_entry(entry)
        return max(0.0, min(self._due.values(), default=FIRST_TICK) - time.monotonic())

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Give a tick, unless its queue is full. It never fails: the next tick does what this one would have done."""
        queue = entry.task.partition(".")[0]
        try:
            to = self._line or self._connected()
            waiting = to.channel.queue_declare(queue=queue, durable=True, auto_delete=False).message_count
            if waiting >= FULL:
                self._say(queue, f"{waiting} messages wait in the queue {queue}: no more ticks before there are less")
            else:
                self.apply_async(entry, producer=to, advance=False)
        except Exception as error:  # whatever a broker may throw at us
            self._line = None
            self._say("broker", f"the broker takes no ticks: {type(error).__name__}: {error}"[:300])

    def _connected(self) -> Any:
        """A producer; one try. Celery's own tries again and again, and gives no ticks to anybody meanwhile."""
        line = self.app.connection_for_write()
        line.ensure_connection(max_retries=0)
        self._line = self.Producer(line, auto_declare=False)
        return self._line

    def _say(self, about: str, line: str) -> None:
        now = time.monotonic()
        if now - self._said.get(about, float("-inf")) >= WARN_EVERY:
            self._said[about] = now
            log.warning("%s", line)
