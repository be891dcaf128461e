"""No title tells a seat another's secrets: two worlds behind one view look, sound and answer the same, byte for byte.

`imagine` sees the view and not the state, so if everything a seat receives can be got from any world behind its view,
nothing in it can come from what the view does not show.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from domain.chance import ChanceAsked, FreeChance, NoChance
from domain.game import Game
from domain.messages import Command, owner_of, redact
from domain.refusal import Refused
from domain.title import State, Title
from tests.contract.games import Forger, RandomGame

EVERY = 23
"""Each so many plies the worlds are compared."""


def positions(title: Title, number: int, sensible: bool) -> Iterator[Game]:
    """Positions of one random game; with ``sensible`` one seat plays to win, which leads to richer ones."""
    dice = random.Random(number)

    def choose(game: Game, seat: int, actions: Sequence) -> Command:
        bot = title.bots["sensible" if seat == 1 else "random"]
        return bot(title.view(game.state, seat), dice)[0]

    game, together = RandomGame(title, number, mischief=not sensible, choose=choose if sensible else None), 0
    for step in game.steps():
        if step.after.status not in ("running", "over"):
            continue
        together += len(step.after.asked) > 1  # several seats answering at once: the first few of these as well
        if step.ply.number % EVERY == 0 or step.after.status == "over" or (len(step.after.asked) > 1 and together < 12):
            yield step.after


def received(title: Title, state: State, seat: int | None, made_up: Sequence[Command]) -> list[Any]:
    """Everything ``seat`` gets to know of ``state``, as bytes."""
    view = title.view(state, seat)
    got: list[Any] = [msgspec.json.encode(view), title.asked(state), title.result(state)]
    for lang in ("en", "de"):
        picture = title.picture(view, "light", lang)
        said = [*title.hand(view), *title.standing(view), picture.label]
        got += [picture.ground, picture.pieces, [title.words.say(each, lang, "seat {}".format) for each in said]]
    if seat is None:
        return got
    listed = title.actions(state, seat)
    got.append([(msgspec.json.encode(each.command), each.sentence, each.group, each.span) for each in listed])
    got += [answer(title, state, seat, each) for each in [*made_up, *(action.command for action in listed)]]
    if seat in title.asked(state):
        got.append(msgspec.json.encode(title.safe(state, seat)))
    return got


def answer(title: Title, state: State, seat: int, command: Command) -> Any:
    """What ``seat`` would be told: a refusal, what a preview shows, or that chance is asked."""
    try:
        events = title.decide(state, seat, command, NoChance()).events
    except Refused as refusal:
        return refusal.rule, refusal.sentence
    except ChanceAsked:
        return "not to be foreseen"
    if any(event.BARRIER for event in events):
        return "not to be foreseen"
    seen = [part for event in events if (part := redact(event, owner_of(event), seat)) is not None]
    return msgspec.json.encode(seen), title.narrate(seen)


@pytest.mark.parametrize(
    ("number", "sensible"), [(0, False), (3, False), (7, False), (12, False), (1, True), (2, True)]
)
def test_two_worlds_behind_one_view(title: Title, number: int, sensible: bool):
    dice, differ = random.Random(number), 0
    forger = Forger(title, dice)
    for game in positions(title, number, sensible):
        for seat in (None, *range(1, game.table.seats + 1)):
            view = title.view(game.state, seat)
            worlds = [title.imagine(view, FreeChance(random.Random(each))) for each in (number, number + 1000)]
            differ += worlds[0] != worlds[1]
            for world in worlds:
                assert title.view(world, seat) == view, "an imagined world must look like the view it was imagined from"
            actions = title.actions(game.state, seat) if seat else []
            forger.learn(actions)
            made_up = list(forger.forge(actions, 15)) if seat else []
            real, first, second = (received(title, state, seat, made_up) for state in (game.state, *worlds))
            assert first == second
            assert real == first
    assert differ, "the worlds never differed: this test has shown nothing"


@pytest.mark.parametrize("number", range(2))
def test_what_others_are_told_of_a_ply_does_not_depend_on_what_is_sealed(title: Title, number: int):
    """Narrated and written down, a redacted event holds nothing of its own fields."""
    for step in RandomGame(title, number).steps():
        for viewer in (None, *range(1, step.after.table.seats + 1)):
            seen = [part for event in step.ply.events if (part := redact(event, owner_of(event), viewer)) is not None]
            for lang in ("en", "de"):
                assert all(title.words.say(each, lang, "seat {}".format) for each in title.narrate(seen))


def test_sealed_events_name_their_seat(title: Title):
    """The framework finds the one who may see an event by its field ``seat``."""
    from domain.messages import own_fields

    for kind in title.events:
        if kind.HIDDEN or own_fields(kind):
            assert "seat" in kind.__struct_fields__, kind
    for kind in title.commands:
        assert "seat" not in kind.__struct_fields__, f"{kind}: the seat comes with the submission"
