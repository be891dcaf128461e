"""What was worked out lately of a thing that never changes, such as a position, and is kept."""

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Lately(Generic[Made]):
    """``most``: how many are kept, those that were made last. A thing is known by what it is, not by being equal."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: dict[Hashable, tuple[Any, Made]] = {}

    def __len__(self) -> int:
        return len(self._all)

    def of(self, thing: Any, make: Callable[[], Made], *but: Hashable) -> Made:
        """What ``make`` makes of ``thing``; ``but``: on what else it depends."""
        key = id(thing), *but
        kept = self._all.get(key)
        if kept is None or kept[0] is not thing:
            kept = self._all[key] = thing, make()
            while len(self._all) > self._most:
                with suppress(KeyError, RuntimeError, StopIteration):  # another thread was first
                    del self._all[next(iter(self._all))]
        return kept[1]
