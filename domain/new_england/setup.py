"""NER 1.1 and 2: the table, and the opening position."""

from collections.abc import Mapping, Sequence

import msgspec

from domain.chance import Bag, Chance
from domain.decision import NO_SEAT
from domain.new_england import events as happened
from domain.new_england.board import MATERIAL, offered
from domain.new_england.decide import go_on
from domain.new_england.now import Now
from domain.new_england.state import LOANS, State
from domain.refusal import Refused
from domain.rules import Outcome


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host chooses nothing but the number of seats."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat chooses nothing."""


def check_table(options: Options, seats: int) -> None:
    """NER 1.1 The game is for 3, 4, 5 or 6 seats."""
    least, most = MATERIAL.seats
    if not least <= seats <= most:
        raise Refused("NER 1.1", "This game is for {least} to {most} seats.", least=least, most=most)


def check_choice(options: Options, choice: Choice, taken: Sequence[Choice]) -> None:
    """There is nothing to choose."""


def setup(options: Options, choices: Mapping[int, Choice], chance: Chance) -> Outcome:
    """NER 2.1 to 2.7, and the first turn as far as it goes by itself."""
    now = Now(State(), NO_SEAT, chance)
    seats = len(choices)
    now.happens(happened.GameSetUp(seats, MATERIAL.cash))
    drawn = chance.draw("NER 2.1 cup", Bag(now.state.cup), len(MATERIAL.opening_cubes))
    now.happens(happened.OpeningCubesDrawn(tuple(zip(MATERIAL.opening_cubes, drawn, strict=True))))
    now.happens(happened.OpeningRowLaid(MATERIAL.opening_links[: offered(seats)]))
    among = tuple(now.state.seats)
    first = chance.draw("NER 2.7 first player", among)[0]
    now.happens(happened.FirstPlayerDrawn(first, among))
    now.happens(happened.TurnBegan(1))
    now.happens(happened.StepBegan(LOANS))
    go_on(now)
    return Outcome(now.events, now.state)
