"""GTJ 8: steps 3 and 4, uncoupling and coupling."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARRIES, GOODS
from domain.grand_trunk.rules import loading, train, travel
from domain.grand_trunk.state import Seat, State
from domain.messages import Command, Event
from domain.refusal import Refused


def uncouple_railcar(state: State, seat: int, command: commands.UncoupleRailcar, chance: Chance) -> list[Event]:
    """GTJ 8.1, 8.2 In step 3 an empty railcar may be taken off; it goes to the discard pile."""
    travel.in_step(state, travel.UNCOUPLE)
    railcar = state.seats[seat].railcar(command.railcar)
    if railcar is None:
        raise Refused("GTJ 8.1", "{railcar} is not on your train.", railcar=command.railcar)
    if railcar.cubes:
        raise Refused("GTJ 8.1", "{railcar} is not empty.", railcar=railcar.card)
    return [events.RailcarUncoupled(seat, railcar.card, "discard_pile")]


def couple_railcar(state: State, seat: int, command: commands.CoupleRailcar, chance: Chance) -> list[Event]:
    """GTJ 8.3 In step 4 a railcar may be added from the hand, for no days."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    if command.card not in mine.hand:
        raise Refused("GTJ 8.3", "{card} is not in your hand.", card=command.card)
    if command.card not in CARRIES:
        raise Refused("GTJ 8.3", "{card} is no railcar.", card=command.card)
    source = fits_with_cube(state, mine, command.card, command.good)
    return coupled_and_loaded(state, seat, command.card, command.good, "hand", source)


def fits_with_cube(state: State, mine: Seat, card: str, good: str) -> loading.Source:
    """GTJ 8.4 A railcar is coupled with its first cube, which must be there: 4.2, 4.3, 9.1 and 9.2 say where from."""
    if good not in GOODS:
        raise Refused("GTJ 8.4", "A railcar is coupled with its first cube: name a good.")
    train.has_room(mine)
    train.can_carry(card, good)
    return loading.source_of(state, mine.place, good)


def coupled_and_loaded(
    state: State, seat: int, card: str, good: str, coupled_from: loading.CoupledFrom, source: loading.Source
) -> list[Event]:
    """GTJ 8.4 Coupled and loaded in one; `fits_with_cube` has allowed it."""
    place = state.seats[seat].place
    return [
        events.RailcarCoupled(seat, card, coupled_from),
        events.GoodLoaded(seat, card, good, place, source, 1),
    ]


def candidates(state: State, seat: int) -> Iterator[Command]:
    mine = state.seats[seat]
    if state.stage in travel.UNCOUPLE:
        for card in train.empty_railcars(mine):
            yield commands.UncoupleRailcar(card)
    if state.stage in travel.COUPLE_AND_LOAD:
        for card in sorted(mine.hand):
            for good in CARRIES.get(card, ()):
                yield commands.CoupleRailcar(card, good)
