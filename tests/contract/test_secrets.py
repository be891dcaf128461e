"""No title tells a seat another's secrets: two worlds behind one view give the same answers, byte for byte.

`imagine` sees the view and not the state. So if every answer to a seat follows from any world behind its view, it
depends on nothing that the view hides.
"""

import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec
import pytest

from domain import TITLES, tips
from domain.chance import ChanceAsked, FreeChance, NoChance
from domain.game import Game
from domain.messages import Command, owner_of, redact, tag_of
from domain.refusal import Refused
from domain.rules import State
from domain.title import Title
from domain.words import say
from service.proof.face import DRAWINGS
from service.words import spoken
from tests.contract.games import Forger, RandomGame

EVERY = 23
"""Plies between two positions at which the worlds are compared."""


def positions(title: Title, number: int, sensible: bool) -> Iterator[Game]:
    """Yield positions of one random game; with ``sensible`` one seat plays to win, which leads to richer ones."""
    dice = random.Random(number)

    def choose(game: Game, seat: int, actions: Sequence) -> Command:
        bot = title.bots["sensible" if seat == 1 else "random"]
        return bot(title.rules.view(game.state, seat), dice)[0]

    game, together = RandomGame(title, number, mischief=not sensible, choose=choose if sensible else None), 0
    for step in game.steps():
        if step.after.status not in ("running", "over"):
            continue
        together += len(step.after.asked) > 1  # and the first few positions in which several seats answer at once
        if step.ply.number % EVERY == 0 or step.after.status == "over" or (len(step.after.asked) > 1 and together < 12):
            yield step.after


def received(title: Title, state: State, seat: int | None, made_up: Sequence[Command]) -> list[Any]:
    """Return everything that ``seat`` learns of ``state``, as bytes."""
    view = title.rules.view(state, seat)
    got: list[Any] = [msgspec.json.encode(view), title.rules.asked(state), title.rules.result(state)]
    for lang in ("en", "de"):
        language = spoken(title.face.words, lang)
        pictures = [title.face.picture(view, "light", language, *drawing) for drawing in DRAWINGS]
        tip = tips.first(title.face.tips, view) if seat in title.rules.asked(state) else None
        said = [*title.face.hand(view), *title.face.standing(view), title.face.why_asked(view), pictures[0].label]
        said += [tip.sentence] if tip else []
        said += [title.face.asks(view)] if seat in title.rules.asked(state) else []
        got += [(it.ground, it.pieces) for it in pictures]
        got.append([say(each, language, "seat {}".format) for each in said if each is not None])
    got += [title.face.things(view), title.face.report(view), title.face.places.shown(view)]
    got += [title.face.places.areas(view, small) for small in (True, False)]
    if seat is None:
        return got
    listed = title.rules.actions(state, seat)
    got.append([(msgspec.json.encode(each.command), each.sentence, each.group, each.span) for each in listed])
    got.append([title.face.places.aim(view, each) for each in listed])
    got += [answer(title, state, seat, each) for each in [*made_up, *(action.command for action in listed)]]
    if seat in title.rules.asked(state):
        got.append(msgspec.json.encode(title.rules.safe(state, seat)))
    return got


def answer(title: Title, state: State, seat: int, command: Command) -> Any:
    """Return the answer to ``seat``: a refusal, a preview, or the reason why there is none."""
    try:
        events = title.rules.decide(state, seat, command, NoChance()).events
    except Refused as refusal:
        return refusal.rule, refusal.sentence
    except ChanceAsked as asked:
        return ahead(title, state, seat, command, str(asked))
    if barrier := next((event for event in events if event.BARRIER), None):
        return ahead(title, state, seat, command, tag_of(type(barrier)))
    seen = [part for event in events if (part := redact(event, owner_of(event), seat)) is not None]
    return msgspec.json.encode(seen), title.face.narrate(seen)


def ahead(title: Title, state: State, seat: int, command: Command, at: str) -> Any:
    """Return the text about an unforeseeable result; the place where a preview ends may depend on hidden facts."""
    return title.face.ahead(title.rules.view(state, seat), command, at)


class NotedChance(FreeChance):
    """A chance that allows any outcome, and notes each draw."""

    asked = False

    def draw(self, *given: Any, **more: Any) -> list[Any]:
        self.asked = True
        return super().draw(*given, **more)


def shown_and_withdrawn(title: Title, state: State, seat: int, command: Command) -> Any:
    """Return the preview of a command that ``seat`` can take back; None for a final or refused one."""
    chance = NotedChance(random.Random(1))
    try:
        events = title.rules.decide(state, seat, command, chance).events
    except Refused:
        return None
    if chance.asked or any(event.BARRIER for event in events):
        return None
    return [part for event in events if (part := redact(event, owner_of(event), seat)) is not None]


def compare_worlds(title: Title, state: State, seat: int | None, number: int, forger: Forger) -> bool:
    """Check that everything for ``seat`` is the same in two worlds. Return True if the worlds differ."""
    view = title.rules.view(state, seat)
    worlds = [title.rules.imagine(view, FreeChance(random.Random(each))) for each in (number, number + 1000)]
    for world in worlds:
        assert title.rules.view(world, seat) == view, "an imagined world must look like the view it was imagined from"
    actions = title.rules.actions(state, seat) if seat else []
    forger.learn(actions)
    made_up = list(forger.forge(actions, 15)) if seat else []
    real, first, second = (received(title, each, seat, made_up) for each in (state, *worlds))
    assert first == second
    assert real == first
    for command in (action.command for action in actions):
        one, other = (shown_and_withdrawn(title, world, seat, command) for world in worlds)
        assert one is None or other is None or one == other, f"what {command} shows can be looked at and taken back"
    return worlds[0] != worlds[1]


@pytest.mark.long("3", "7")
@pytest.mark.parametrize(
    ("number", "sensible"), [(0, False), (3, False), (7, False), (12, False), (1, True), (2, True)]
)
def test_two_worlds_behind_one_view_give_the_same_answers(title: Title, number: int, sensible: bool):
    forger = Forger(title, random.Random(number))
    differ = [
        compare_worlds(title, game.state, seat, number, forger)
        for game in positions(title, number, sensible)
        for seat in (None, *range(1, game.table.seats + 1))
    ]
    assert any(differ), "the worlds never differed: this test has shown nothing"


def telling(title: Title) -> Sequence[State]:
    """Return positions from a title's own tests in which a command's effect depends on hidden facts."""
    name = f"tests.domain.{title.id}.positions"
    return getattr(import_module(name), "TELLING", ()) if find_spec(name) else ()


@pytest.mark.parametrize(
    ("box", "state"), [pytest.param(it, state, id=it.id) for it in TITLES.values() for state in telling(it)]
)
def test_two_worlds_behind_one_view_give_the_same_answers_in_rare_positions(box: Title, state: State):
    forger = Forger(box, random.Random(1))
    (seat,) = box.rules.asked(state)
    differ = [compare_worlds(box, state, seat, number, forger) for number in range(25)]
    assert any(differ), "the worlds never differed: this test has shown nothing"


@pytest.mark.parametrize("number", range(2))
def test_the_story_for_others_does_not_depend_on_sealed_fields(title: Title, number: int):
    """Narrated and encoded, a redacted event holds none of its sealed fields."""
    for step in RandomGame(title, number).steps():
        for viewer in (None, *range(1, step.after.table.seats + 1)):
            seen = [part for event in step.ply.events if (part := redact(event, owner_of(event), viewer)) is not None]
            for lang in ("en", "de"):
                assert all(
                    say(each, spoken(title.face.words, lang), "seat {}".format) for each in title.face.narrate(seen)
                )


def test_sealed_events_name_their_seat(title: Title):
    """The framework finds the seat that may see an event by its field ``seat``."""
    from domain.messages import own_fields

    for kind in title.rules.events:
        if kind.HIDDEN or own_fields(kind):
            assert "seat" in kind.__struct_fields__, kind
    for kind in title.rules.commands:
        assert "seat" not in kind.__struct_fields__, f"{kind}: the seat comes with the submission"
