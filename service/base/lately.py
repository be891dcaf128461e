"""A cache of values computed from immutable objects, such as positions."""

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Lately(Generic[Made]):
    """A cache for up to ``most`` values, the newest ones. Its keys are the objects themselves, by identity."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: dict[Hashable, tuple[Any, Made]] = {}

    def __len__(self) -> int:
        return len(self._all)

    def of(self, thing: Any, make: Callable[[], Made], *but: Hashable) -> Made:
        """Return the value that ``make`` computes from ``thing``. ``but``: its other inputs."""
        key = id(thing), *but
        kept = self._all.get(key)
        if kept is None or kept[0] is not thing:
            kept = self._all[key] = thing, make()
            while len(self._all) > self._most:
                with suppress(KeyError, RuntimeError, StopIteration):  # another thread was first
                    del self._all[next(iter(self._all))]
        return kept[1]
