"""GTJ 6: step 2, unloading. Delivering on demand and dumping; contracts are chapter 7."""

from collections.abc import Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS, LAST_WOOD_SPACE
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import contracts, improvements, steps, train
from domain.grand_trunk.rules.places import demanded, first_delivery
from domain.grand_trunk.state import Railcar, Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


# ==== delivering ==================================================================================
def deliver_good(now: Now, command: commands.DeliverGood) -> None:
    """GTJ 6.2 A cube of a good that the place demands goes to the seat's delivered goods."""
    steps.must_be_in_step(now, steps.UNLOAD)
    railcar, good = train.must_be_loaded(now, command.railcar)
    must_be_demanded(now, good)
    if good == "iron":
        must_have_room_for_steel(now)
    if command.foreign_steel:
        improvements.must_allow_foreign_steel(now, good)
        improvements.pay_for_foreign_steel(now)
    deliver(now, railcar.card, good)
    if command.foreign_steel:
        improvements.foreign_steel_pays(now)
    else:
        first_delivery(now)


def must_be_demanded(now: Now, good: str) -> None:
    """GTJ 6.2 The place demands the good."""
    if good not in demanded(now.state, now.mine, now.mine.place):
        raise Refused("GTJ 6.2", "{place} does not demand {good}.", place=now.mine.place, good=good)


def must_have_room_for_steel(now: Now) -> None:
    """GTJ 6.6 No iron can be delivered where the steel space is full. Only cities demand iron (GTJ 1.7, 13.10)."""
    city = now.mine.place
    if (steel := now.state.steel[city]) >= CONSTANTS.steel_limit_per_city:
        raise Refused(
            "GTJ 6.6", "There is {steel} steel in {city}, so no iron can be delivered there.", city=city, steel=steel
        )


def deliver(now: Now, card: str, good: str) -> None:
    """GTJ 6.4, 6.8 Steel scores; coal has no effect at once."""
    mine = now.mine
    vp = CONSTANTS.vp_per_steel_delivered if good == "steel" else 0
    steel = steel_made(now.state, mine.place) if good == "iron" else 0
    wood_steps = wood_steps_made(mine) if good == "wood" else 0
    now.happens(events.GoodDelivered(now.seat, card, good, mine.place, vp, steel, wood_steps))


def wood_steps_made(mine: Seat) -> int:
    """GTJ 6.5 Each wood moves the marker a space up, as far as the last one."""
    return int(mine.wood < LAST_WOOD_SPACE)


def steel_made(state: State, city: str) -> int:
    """GTJ 6.6 Each iron puts 2 steel into the city, as far as there is room."""
    return min(CONSTANTS.steel_per_iron_delivered, CONSTANTS.steel_limit_per_city - state.steel[city])


# ==== dumping =====================================================================================
def dump_good(now: Now, command: commands.DumpGood) -> None:
    """GTJ 6.9, 6.10 A cube of a good that the place does not demand goes to the stock and costs a VP."""
    steps.must_be_in_step(now, steps.UNLOAD)
    railcar, good = train.must_be_loaded(now, command.railcar)
    must_be_unwanted(now, good)
    now.happens(events.GoodDumped(now.seat, railcar.card, good, now.mine.place, -CONSTANTS.vp_penalty_unwanted_good))


def must_be_unwanted(now: Now, good: str) -> None:
    """GTJ 6.9 What the place demands is not dumped there."""
    place = now.mine.place
    if good in demanded(now.state, now.mine, place):
        raise Refused("GTJ 6.9", "{place} demands {good}, so you cannot dump it there.", place=place, good=good)


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return delivering, fulfilling contracts and dumping, railcar by railcar."""
    if not now.allows(steps.must_be_in_step, steps.UNLOAD):
        return
    slots = [slot for slot in now.state.contracts if now.allows(contracts.must_be_face_up, slot)]
    for railcar in now.mine.railcars:
        if railcar.cubes:
            yield from _deliver(now, railcar)
            yield from (contracts.listed(now, railcar, slot) for slot in slots)
            yield _dump(railcar)


def _deliver(now: Now, railcar: Railcar) -> Iterator[Action]:
    facts = {"good": railcar.good, "railcar": railcar.card, "place": now.mine.place}
    sentence = Sentence("Deliver {good} from {railcar} in {place}", facts)
    yield Action(commands.DeliverGood(railcar.card), "unload", sentence)
    sentence = Sentence(
        "Deliver {good} from {railcar} in {place}, with Foreign Steel Contract: {days:day|days}",
        {**facts, "days": improvements.FOREIGN_STEEL.use_days},
    )
    yield Action(commands.DeliverGood(railcar.card, foreign_steel=True), "unload", sentence)


def _dump(railcar: Railcar) -> Action:
    facts = {"good": railcar.good, "railcar": railcar.card}
    return Action(commands.DumpGood(railcar.card), "unload", Sentence("Dump {good} from {railcar}", facts))


CHAPTER = Chapter(
    {
        commands.DeliverGood: deliver_good,
        commands.FulfilContract: contracts.fulfil_contract,
        commands.DumpGood: dump_good,
    },
    candidates,
)
