"""The face of a game as plain data: every offer, sentence and picture at each ply, for each reader.

`service.proof.digest` hashes it for ``slowtrain compare --face``. Structs lose the names of their fields, so that code
may move and rename them. Sentences stand in the words of every language.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.chain import Ply
from domain.chance import ChanceAsked
from domain.face import Picture
from domain.game import Game
from domain.messages import owner_of, redact
from domain.orders import Line, listed, write
from domain.play import foresee
from domain.refusal import Refused
from domain.title import Title
from domain.words import Language, Sentence, say
from service.words import languages, spoken


def face(before: Game, ply: Ply, after: Game) -> dict[str, Any]:
    """The face of a ply: item and reader ("picture for seat 2") -> its value."""
    title = after.title
    tongues = [spoken(title.face.words, code) for code in languages()]
    seen: dict[str, Any] = {}
    for seat in (None, *sorted(after.table.chairs)) if after.table is not None else (None,):
        reader = "a spectator" if seat is None else f"seat {seat}"
        for what, value in _for_a_reader(before, ply, after, seat, tongues):
            seen[f"{what} for {reader}"] = plain(value, tongues)
    return seen


def _for_a_reader(before: Game, ply: Ply, after: Game, seat: int | None, tongues: list[Language]) -> Iterator[Any]:
    title = after.title
    known = (redact(event, owner_of(event), seat) for event in ply.events)
    yield "story", title.face.narrate([event for event in known if event is not None])
    if after.status != "running":
        return
    view = title.rules.view(after.state, seat)
    yield (
        "position",
        [title.face.report(view), title.face.hand(view), title.face.standing(view), title.face.why_asked(view)],
    )
    yield "things", title.face.things(view)
    yield "places", [title.face.places.shown(view), [title.face.places.areas(view, small) for small in (False, True)]]
    yield "picture", [_drawn(title, view, tongue, *drawing) for tongue in tongues for drawing in DRAWINGS]
    if seat is not None:
        yield "offer", list(_offered(title, after, view, seat, tongues))
        if seat == ply.seat and before.status == "running":
            yield "foresight", _foreseen(before, ply)


DRAWINGS = ((False, False), (False, True), (True, True))
"""``small`` and ``alone`` of the board in a mail, on a page, and on a phone."""


def _drawn(title: Title, view: Any, tongue: Language, small: bool, alone: bool) -> Picture:
    return title.face.picture(view, "page", tongue, small, alone)


def _offered(title: Title, game: Game, view: Any, seat: int, tongues: list[Language]) -> Iterator[Any]:
    """The legal actions as things to point at and as lines; then the list of a letter."""
    actions = title.rules.actions(game.state, seat)
    orders, names = title.face.orders, title.face.orders.names(view)
    for action in actions:
        yield action, title.face.places.aim(view, action)
    options = orders.options(view, actions)
    for option in options:
        yield [write(option.order, names, tongue) for tongue in tongues]
    for line in listed(options, orders.listing, view, seat):
        yield _line(line), orders.listing.remark(view, line.option.action)
    yield [orders.listing.hints.get(kind) for kind in dict.fromkeys(type(it.command) for it in options)]


def _line(line: Line) -> Any:
    return [line.number, line.option.command, [it.command for it in line.either], line.open, line.others, line.aside]


def _foreseen(before: Game, ply: Ply) -> Any:
    """The forecast for the ply's command, where chance decides."""
    assert ply.seat is not None
    try:
        foresee(before, ply.seat, ply.command, ply.at)
    except ChanceAsked as asked:
        return before.title.face.ahead(before.title.rules.view(before.state, ply.seat), ply.command, str(asked))
    except Refused as refused:  # not a command of its seat: one of the house, for example
        return refused.rule
    return None


def plain(value: Any, tongues: list[Language]) -> Any:
    """Return ``value`` with each sentence in every language, and structs as the values of their fields."""
    if isinstance(value, Sentence):
        return [say(value, tongue, "Seat {}".format) for tongue in tongues]
    if isinstance(value, msgspec.Struct):
        kind = type(value).__struct_config__
        return [kind.tag, *(plain(getattr(value, name), tongues) for name in value.__struct_fields__)]
    if isinstance(value, Mapping):
        return {str(key): plain(each, tongues) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if isinstance(value, list | tuple):
        return [plain(each, tongues) for each in value]
    return value
