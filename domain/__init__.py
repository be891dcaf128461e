"""The games themselves: rules, state and words. Nothing here knows of time, chance, stores, mail or the web.

`TITLES` is the only list of titles there is.
"""

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from domain.title import Title


class Titles(MutableMapping[str, Title]):
    """Titles by id. Each is imported at its first use, so a process that draws no board loads none."""

    def __init__(self, *ids: str) -> None:
        self._titles: dict[str, Title | None] = dict.fromkeys(ids)

    def __getitem__(self, id: str) -> Title:
        title = self._titles[id]
        if title is None:
            title = self._titles[id] = import_module(f"domain.{id}").TITLE
        return title

    def __setitem__(self, id: str, title: Title) -> None:
        self._titles[id] = title

    def __delitem__(self, id: str) -> None:
        del self._titles[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles)

    def __len__(self) -> int:
        return len(self._titles)

    def __contains__(self, id: object) -> bool:
        return id in self._titles


TITLES = Titles("grand_trunk", "ticket_to_ride", "new_england")
