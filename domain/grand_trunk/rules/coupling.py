"""GTJ 8: steps 3 and 4, uncoupling and coupling."""

from collections.abc import Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.cards import CARRIES, GOODS
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import hand, loading, steps, train
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


def uncouple_railcar(now: Now, command: commands.UncoupleRailcar) -> None:
    """GTJ 8.1, 8.2 In step 3 an empty railcar may be taken off; it goes to the discard pile."""
    steps.must_be_in_step(now, steps.UNCOUPLE)
    must_be_unloaded(now, command.railcar)
    now.happens(events.RailcarUncoupled(now.seat, command.railcar, "discard_pile"))


def must_be_unloaded(now: Now, card: str) -> None:
    """GTJ 8.1 Only an empty railcar of the train is taken off."""
    railcar = train.must_be_on_train(now, card, "GTJ 8.1")
    if railcar.cubes:
        raise Refused("GTJ 8.1", "{railcar} is not empty.", railcar=card)


def couple_railcar(now: Now, command: commands.CoupleRailcar) -> None:
    """GTJ 8.3 In step 4 a railcar may be added from the hand, for no days."""
    steps.must_be_in_step(now, steps.COUPLE_AND_LOAD)
    hand.must_be_in_hand(now, command.card, "GTJ 8.3")
    hand.must_be_a_railcar(command.card, "GTJ 8.3")
    source = must_fit_with_a_cube(now, command.card, command.good)
    couple_and_load(now, command.card, command.good, "hand", source)


def must_fit_with_a_cube(now: Now, card: str, good: str) -> loading.Source:
    """GTJ 8.4 A railcar is coupled with its first cube, which must be there: 4.2, 4.3, 9.1 and 9.2 say where from."""
    if good not in GOODS:
        raise Refused("GTJ 8.4", "A railcar takes its first cube when you couple it, so name a good.")
    train.must_have_room(now.mine)
    train.must_fit(card, good)
    return loading.must_be_there(now, good)


def couple_and_load(now: Now, card: str, good: str, coupled_from: loading.CoupledFrom, source: loading.Source) -> None:
    """GTJ 8.4 Coupled and loaded in one; `must_fit_with_a_cube` has allowed it."""
    now.happens(
        events.RailcarCoupled(now.seat, card, coupled_from),
        events.GoodLoaded(now.seat, card, good, now.mine.place, source, 1),
    )


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the railcars to uncouple, then those to couple with each good that they carry."""
    if now.allows(steps.must_be_in_step, steps.UNCOUPLE):
        for card in train.empty_railcars(now.mine):
            sentence = Sentence("Uncouple {railcar}", {"railcar": card})
            yield Action(commands.UncoupleRailcar(card), "uncouple", sentence)
    if now.allows(steps.must_be_in_step, steps.COUPLE_AND_LOAD):
        for card in sorted(now.mine.hand):
            for good in CARRIES.get(card, ()):
                sentence = Sentence("Couple {card} with {good}", {"card": card, "good": good})
                yield Action(commands.CoupleRailcar(card, good), "couple", sentence)


CHAPTER = Chapter(
    {commands.UncoupleRailcar: uncouple_railcar, commands.CoupleRailcar: couple_railcar},
    candidates,
)
