"""GTJ 9: step 5, loading."""

from collections.abc import Iterator
from typing import Literal

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITY_SET
from domain.grand_trunk.cards import CARRIES
from domain.grand_trunk.rules import train, travel
from domain.grand_trunk.rules.places import goods_at
from domain.grand_trunk.state import State
from domain.messages import Command, Event
from domain.refusal import Refused

Source = Literal["stock", "steel_space"]
CoupledFrom = Literal["hand", "discard_pile", "spur"]


def load_good(state: State, seat: int, command: commands.LoadGood, chance: Chance) -> list[Event]:
    """GTJ 9.1, 9.3 A cube is taken onto a railcar of the train that is empty and can carry it."""
    travel.in_step(state, travel.COUPLE_AND_LOAD)
    mine = state.seats[seat]
    railcar = mine.railcar(command.railcar)
    if railcar is None:
        raise Refused("GTJ 9.1", "{railcar} is not on your train.", railcar=command.railcar)
    train.is_empty(railcar)
    train.can_carry(railcar.card, command.good)
    source = source_of(state, mine.place, command.good)
    return [events.GoodLoaded(seat, railcar.card, command.good, mine.place, source, 1)]


def source_of(state: State, place: str, good: str) -> Source:
    """GTJ 9.1 Coal, iron and wood are loaded where the place supplies them, GTJ 9.2 steel from the city's own space."""
    if good == "steel":
        steel_lies_here(state, place)
        return "steel_space"
    is_supplied(state, place, good)
    return "stock"


def is_supplied(state: State, place: str, good: str) -> None:
    """GTJ 9.1 Coal, iron and wood are taken from the stock where the place supplies them."""
    if good not in goods_at(state, place).supply:
        raise Refused("GTJ 9.1", "{place} does not supply {good}.", place=place, good=good)


def steel_lies_here(state: State, place: str) -> None:
    """GTJ 9.2 Steel is loaded from the steel space of the city where the train stands."""
    if place not in CITY_SET or not state.steel[place]:
        raise Refused("GTJ 9.2", "No steel lies in {place}.", place=place)


def railcars_left_empty(state: State, seat: int) -> list[Event]:
    """GTJ 9.4 Railcars still empty when the turn ends go to the discard pile."""
    return [events.RailcarUncoupled(seat, card, "discard_pile") for card in train.empty_railcars(state.seats[seat])]


def candidates(state: State, seat: int) -> Iterator[Command]:
    if state.stage in travel.COUPLE_AND_LOAD:
        for card in train.empty_railcars(state.seats[seat]):
            for good in CARRIES[card]:
                yield commands.LoadGood(card, good)
