"""GTJ 9: step 5, loading."""

from collections.abc import Iterator
from typing import Literal

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CITY_SET
from domain.grand_trunk.cards import CARRIES
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import steps, train
from domain.grand_trunk.rules.places import goods_at
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence

Source = Literal["stock", "steel_space"]
CoupledFrom = Literal["hand", "discard_pile", "spur"]


def load_good(now: Now, command: commands.LoadGood) -> None:
    """GTJ 9.1, 9.3 A cube is taken onto a railcar of the train that is empty and can carry it."""
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    railcar = train.must_be_on_train(now, command.railcar, "GTJ 9.1")
    train.must_be_empty(railcar)
    train.must_fit(railcar.card, command.good)
    source = must_be_there(now, command.good)
    now.happens(events.GoodLoaded(now.seat, railcar.card, command.good, now.mine.place, source, 1))


def must_be_there(now: Now, good: str) -> Source:
    """GTJ 9.1 Coal, iron and wood are loaded where the place supplies them, GTJ 9.2 steel from the city's own space."""
    if good == "steel":
        must_hold_steel(now)
        return "steel_space"
    must_be_supplied(now, good)
    return "stock"


def must_be_supplied(now: Now, good: str) -> None:
    """GTJ 9.1 Coal, iron and wood are taken from the stock where the place supplies them."""
    place = now.mine.place
    if good not in goods_at(now.state, place).supply:
        raise Refused("GTJ 9.1", "{place} does not supply {good}.", place=place, good=good)


def must_hold_steel(now: Now) -> None:
    """GTJ 9.2 Steel is loaded from the steel space of the city where the train stands."""
    place = now.mine.place
    if place not in CITY_SET or not now.state.steel[place]:
        raise Refused("GTJ 9.2", "There is no steel in {place}.", place=place)


def railcars_left_empty(now: Now) -> None:
    """GTJ 9.4 Railcars still empty when the turn ends go to the discard pile."""
    for card in train.empty_railcars(now.mine):
        now.happens(events.RailcarUncoupled(now.seat, card, "discard_pile"))


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return every good for every empty railcar."""
    if now.allows(steps.must_be_in_step, steps.COUPLE_AND_LOAD):
        for card in train.empty_railcars(now.mine):
            for good in CARRIES[card]:
                sentence = Sentence("Load {good} on {railcar}", {"railcar": card, "good": good})
                yield Action(commands.LoadGood(card, good), "load", sentence)


CHAPTER = Chapter({commands.LoadGood: load_good}, candidates)
