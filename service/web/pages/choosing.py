"""Which of the legal actions a page shows: so many at most, and beyond that the ways to them.

The ways are links to the same page, and work without a script. ``?do=`` names a kind of action (its group), ``?at=``
what a command must name (a place, a card, a colour), as often as one likes and in any order: shown are the actions that
have all of them. Where nothing narrows them further, ``?from=`` goes on. Words are made for what is shown alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlencode

from flask import g, request

from domain.messages import Command
from domain.title import Action
from domain.words import Language
from service.web.pages import forms
from service.web.pages.web import number_in, this_page

MOST = 20
"""Actions that are shown at once."""
AT_MOST = 8
"""Things named by ``?at=`` that are looked at."""


class Way(NamedTuple):
    """A link that narrows the actions to ``number``, or, from what they are narrowed to, back."""

    name: str
    address: str
    number: int = 0


class Offered(NamedTuple):
    """What a page shows of the legal actions. ``groups``: forms; ``kinds`` and ``things``: what narrows them further.

    ``chosen``: what they are narrowed to, each with the address without it. ``first`` and ``last``: which of the
    ``number`` actions are shown, where there is more than one page of them, with the pages ``before`` and ``after``.
    """

    number: int
    groups: list[forms.Group]
    kinds: Sequence[Way] = ()
    things: Sequence[Way] = ()
    chosen: Sequence[Way] = ()
    first: int = 0
    last: int = 0
    before: str | None = None
    after: str | None = None


class Narrowing(NamedTuple):
    """What an address asks for."""

    do: str = ""
    at: tuple[str, ...] = ()
    since: int = 0

    @property
    def address(self) -> str:
        wished = [("do", self.do)] if self.do else []
        wished += [("at", it) for it in self.at]
        wished += [("from", str(self.since))] if self.since else []
        bare = _bare()
        query = ("&" if "?" in bare else "?") + urlencode(wished, quote_via=quote) if wished else ""
        return f"{bare}{query}#actions"


def _bare() -> str:
    """The address of this page with nothing narrowed; worked out once, there may be a hundred links."""
    if "bare_page" not in g:
        g.bare_page = this_page({"do": [], "at": [], "from": []})
    return cast(str, g.bare_page)


def offered(
    actions: Sequence[Action], language: Language, player: Callable[[int], str], chosen: Command | None = None
) -> Offered:
    """What is shown of ``actions``. ``chosen``: what was chosen before a refusal; it is among what is shown."""
    kept = next((action for action in actions if chosen is not None and action.means(chosen)), None)
    wish = _wish() if kept is None else _around(kept, actions)
    left, wish = _narrowed(actions, wish)

    def shown(some: Sequence[Action]) -> list[forms.Group]:
        return forms.action_groups(some, language, player, chosen)

    known = [Way(language.name(wish.do), wish._replace(do="", since=0).address)] if wish.do else []
    for it in wish.at:
        known.append(Way(language.name(it), wish._replace(at=_without(wish.at, it), since=0).address))
    if len(left) <= MOST:
        return Offered(len(left), shown(left), chosen=known)
    if len(kinds := Counter(action.group for action in left)) > 1:
        alone = [action for action in left if kinds[action.group] == 1 and not action.aside][:MOST]
        ways = [
            Way(language.name(kind), wish._replace(do=kind, since=0).address, count)
            for kind, count in kinds.items()
            if kind not in {action.group for action in alone}
        ]
        return Offered(len(left), shown(alone), kinds=ways, chosen=known)
    since = wish.since if wish.since < len(left) else 0
    until = min(since + MOST, len(left))
    return Offered(
        len(left),
        shown(left[since:until]),
        things=_things(left, wish, language),
        chosen=known,
        first=since + 1,
        last=until,
        before=wish._replace(since=max(0, since - MOST)).address if since else None,
        after=wish._replace(since=until).address if until < len(left) else None,
    )


def _wish() -> Narrowing:
    given = request.args
    at = tuple(dict.fromkeys(islice(given.getlist("at"), AT_MOST)))
    return Narrowing(given.get("do", ""), at, number_in(given.get("from")) or 0)


def _around(kept: Action, actions: Sequence[Action]) -> Narrowing:
    """Where ``kept`` is shown, if that is not where all are."""
    if len(actions) <= MOST:
        return Narrowing()
    place = [action for action in actions if action.group == kept.group].index(kept)
    return Narrowing(kept.group, (), place - place % MOST)


def _narrowed(actions: Sequence[Action], wish: Narrowing) -> tuple[Sequence[Action], Narrowing]:
    """The actions that have all that is wished, and the wish without what none of them has: it was of another time."""
    left, known = [action for action in actions if action.group == wish.do], list[str]()
    if not left:
        left, wish = list(actions), wish._replace(do="")
    for it in wish.at:
        if having := [action for action in left if it in named(action.command)]:
            left, known = having, [*known, it]
    return left, wish._replace(at=tuple(known))


def _things(left: Sequence[Action], wish: Narrowing, language: Language) -> list[Way]:
    """What some of the actions name and others do not, by the field in which it stands, and by name."""
    counts: Counter[str] = Counter()
    fields: dict[str, int] = {}
    for action in left:
        of_this = named(action.command)
        counts.update(of_this.keys())
        for it, field in of_this.items():
            fields[it] = min(field, fields.get(it, field))
    telling = [it for it, count in counts.items() if count < len(left) and language.name(it) != it]
    return [
        Way(language.name(it), wish._replace(at=(*wish.at, it), since=0).address, counts[it])
        for it in sorted(telling, key=lambda it: (fields[it], language.name(it)))
    ]


def named(command: Command) -> dict[str, int]:
    """The ids that a command names, and in which of its fields, by number, each stands first."""
    found: dict[str, int] = {}
    for number, field in enumerate(command.__struct_fields__):
        for it in _ids(getattr(command, field)):
            found.setdefault(it, number)
    return found


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _ids(each)


def _without(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(it for it in ids if it != gone)
