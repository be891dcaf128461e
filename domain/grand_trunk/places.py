"""What one points at in the Grand Trunk Journey: places, open contracts, cards, goods, improvements, objectives.

A card is the same place wherever its owner has it: in hand, on the train, on the spur or in the discard pile. What a
command has only if it is asked for (Right of Way, to go slowly, foreign steel, the new card to the discard pile) is
pointed at beside the rest; so is each card that maintenance discards. What is dumped goes to the stock.
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.grand_trunk import cards
from domain.grand_trunk import commands as c
from domain.grand_trunk.board import PLACES as CITIES_AND_PORTS
from domain.grand_trunk.orders import ALIKE
from domain.grand_trunk.picture import BASE, REGULAR, SMALL, tag_at
from domain.grand_trunk.view import GrandTrunkView, SeatView
from domain.messages import Command
from domain.places import Aim, Area, NamedPlace, Places, box
from domain.rules import Action
from domain.words import Sentence

SLOWLY, TO_DISCARD, STOCK = "slowly", "discard_pile", "stock"


# ==== what there is ===============================================================================
def shown(view: GrandTrunkView) -> tuple[NamedPlace, ...]:
    """Places and contracts; improvements and objectives on display; then what the one who looks has."""
    contracts = (
        NamedPlace(
            f"contract.{it.slot}",
            Sentence("contract {slot}: {good} for {city}", {"slot": it.slot, "good": it.good, "city": it.city}),
            on_board=True,
        )
        for it in view.contracts
        if it.city is not None
    )
    own = () if view.own is None else _own(view, view.own)
    beside = dict.fromkeys((*view.improvements, *view.objectives, *own))
    places = (NamedPlace(it, on_board=True) for it in CITIES_AND_PORTS)
    return (*places, *contracts, *map(NamedPlace, beside))


def _own(view: GrandTrunkView, own: SeatView) -> tuple[str, ...]:
    """The train, the hand, railcars in the discard pile and on the spur, improvements, the stock, and what is added."""
    train = [it.card for it in own.railcars] + ([own.spur] if own.spur else [])
    first = cards.PLAIN_RAILCARS[own.company] if view.stage == "choosing" else ()
    discarded = (it for it in own.discard if cards.CARDS[it].railcar)
    more = (STOCK, *cards.GOODS, SLOWLY, TO_DISCARD)
    return (*train, *(own.hand or ()), *first, *discarded, *own.improvements, *more)


# ==== what means an action ========================================================================
def aim(view: GrandTrunkView, action: Action) -> Aim:
    """What one points at to mean a legal action."""
    command = action.command
    kind, told = _AIMS[type(command)]
    if isinstance(told, tuple):
        return Aim(kind, tuple(getattr(command, field) for field in told))
    assert view.own is not None
    places, more = told(view.own, command)
    return Aim(kind, places, more)


Told = tuple[tuple[str, ...], tuple[str, ...]]


def _move(own: SeatView, it: c.MoveTrain) -> Told:
    more = (*((it.right_of_way,) if it.right_of_way else ()), *((SLOWLY,) if it.decline_fast else ()))
    return (it.to, it.card), more


def _deliver(own: SeatView, it: c.DeliverGood) -> Told:
    return (it.railcar,), ("foreign_steel_contract",) if it.foreign_steel else ()


def _build(own: SeatView, it: c.BuildTerminal) -> Told:
    return (it.city, it.card), (TO_DISCARD,) if it.new_card == "discard" else ()


def _with(*more: str) -> Callable[[SeatView, Any], Told]:
    """The improvement that is used stands beside the fields of the command."""

    def told(own: SeatView, it: Command) -> Told:
        return (*more, *(str(getattr(it, field)) for field in it.__struct_fields__)), ()

    return told


def _clear(own: SeatView, it: c.DiscardFromSpur) -> Told:
    return ("parking_spur", str(own.spur)), ()


_AIMS: Mapping[type[Command], tuple[str, tuple[str, ...] | Callable[[SeatView, Any], Told]]] = {
    c.ChooseFirstRailcar: ("start", ("card", "good")),
    c.MoveTrain: ("move", _move),
    c.DeliverGood: ("deliver", _deliver),
    c.FulfilContract: ("contract", lambda own, it: ((f"contract.{it.slot}", it.railcar), ())),
    c.DumpGood: ("dump", lambda own, it: ((it.railcar, STOCK), ())),
    c.UncoupleRailcar: ("uncouple", ("railcar",)),
    c.CoupleRailcar: ("couple", ("card", "good")),
    c.CoupleFromSpur: ("couple", _with("parking_spur")),
    c.LoadGood: ("load", ("railcar", "good")),
    c.PlayHighCapacityRailcar: ("double", ("card", "railcar")),
    c.PlayInfluenceDemand: ("swap", ("card", "first", "second")),
    c.PlayOverlandTransport: ("haul", ("card", "origin", "target")),
    c.PlayRailYard: ("yard", ("card", "railcar_card", "good")),
    c.IncreaseForce: ("force", ("card",)),
    c.IncreaseSpeed: ("speed", ("card",)),
    c.BuildTerminal: ("build", _build),
    c.AcquireImprovement: ("acquire", ("improvement", "card")),
    c.AcquireObjective: ("objective", ("objective", "card")),
    c.StoreOnSpur: ("store", _with("parking_spur")),
    c.DiscardFromSpur: ("clear", _clear),
    c.UseRailroadCrane: ("crane", _with("railroad_crane")),
    c.UseRoundhouse: ("roundhouse", _with("roundhouse")),
    c.UseSemaphoreSignaling: ("semaphore", _with("semaphore_signaling")),
    c.UseHiRoofBoxcar: ("roof", _with("hi_roof_boxcar")),
    c.EndTurn: ("end", ()),
    c.PerformMaintenance: ("maintenance", lambda own, it: ((), it.discard)),
    c.Pass: ("pass", ()),
}
"""The kind of each command, and its places: the fields that name them, or a function."""


# ==== where they are ==============================================================================
def areas(view: GrandTrunkView, small: bool) -> Mapping[str, Area]:
    """Where places and contracts are in a drawing; all else lies beside it."""
    size = SMALL if small else REGULAR
    found = {place: Area((BASE.places[place],), size.place * 1.2) for place in CITIES_AND_PORTS}
    for contract in view.contracts:
        if contract.city is not None:
            found[f"contract.{contract.slot}"] = box(*tag_at(contract, size))
    return found


PLACES = Places(tuple(dict.fromkeys(kind for kind, _ in _AIMS.values())), shown, areas, aim, ALIKE)
