"""The things to point at in the Grand Trunk Journey: places, open contracts, cards, goods, improvements, objectives.

A card is the same place wherever its owner has it: in hand, on the train, on the spur or in the discard pile. A player
also points at each option of a command (Right of Way, to go slowly, foreign steel, the new card to the discard pile),
and at each card that maintenance discards. Dumped goods go to the stock.
"""

from collections.abc import Mapping

from domain.grand_trunk import cards
from domain.grand_trunk.board import PLACES as CITIES_AND_PORTS
from domain.grand_trunk.face.picture import BASE, REGULAR, SMALL, tag_at
from domain.grand_trunk.view import GrandTrunkView, SeatView
from domain.places import Area, NamedPlace, box
from domain.words import Sentence

SLOWLY, TO_DISCARD, STOCK = "slowly", "discard_pile", "stock"


# ==== what there is ===============================================================================
def shown(view: GrandTrunkView) -> tuple[NamedPlace, ...]:
    """Return places and contracts; improvements and objectives on display; then the viewer's own things."""
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
    """Return the train, the hand, railcars in the discard pile and on the spur, improvements, the stock and options."""
    train = [it.card for it in own.railcars] + ([own.spur] if own.spur else [])
    first = cards.PLAIN_RAILCARS[own.company] if view.stage == "choosing" else ()
    discarded = (it for it in own.discard if cards.CARDS[it].railcar)
    more = (STOCK, *cards.GOODS, SLOWLY, TO_DISCARD)
    return (*train, *(own.hand or ()), *first, *discarded, *own.improvements, *more)


# ==== where they are ==============================================================================
def areas(view: GrandTrunkView, small: bool) -> Mapping[str, Area]:
    """Return the areas of places and contracts in a drawing; everything else lies beside it."""
    size = SMALL if small else REGULAR
    found = {place: Area((BASE.places[place],), size.place * 1.2) for place in CITIES_AND_PORTS}
    for contract in view.contracts:
        if contract.city is not None:
            found[f"contract.{contract.slot}"] = box(*tag_at(contract, size))
    return found
