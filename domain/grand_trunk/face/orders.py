"""The names of the things of the Grand Trunk Journey in lines, the same for all commands.

A card is called by its city, one with a railcar by both ("Boston Gondola").
"""

from functools import cache

from domain.grand_trunk import cards
from domain.grand_trunk.board import PLACES
from domain.grand_trunk.view import GrandTrunkView
from domain.orders import Names, One
from domain.words import Sentence

PLACE, CARD, GOOD, IMPROVEMENT, OBJECTIVE = "place", "card", "good", "improvement", "objective"
EXTRA, DAYS = "extra", "days"

SLOWLY = One(EXTRA, "slowly", extra=True)
RIGHT_OF_WAY = One(EXTRA, "right_of_way", extra=True)
FOREIGN_STEEL = One(EXTRA, "foreign_steel", extra=True)
TO_DISCARD = One(EXTRA, "to_discard", extra=True)
FROM_SPUR = One(EXTRA, "spur", extra=True)

ALIKE = {f"{company}.port_2": f"{company}.port_1" for company in cards.COMPANIES}
"""The two port cards of a company look the same."""


def names(view: GrandTrunkView | None) -> Names:
    """Return the names that a seat uses; cards are its own company's."""
    return _names("" if view is None or view.own is None else view.own.company)


@cache
def _names(company: str) -> Names:
    own = cards.COMPANIES[company].cards if company else ()
    way = {"place": next((it.leads_to for it in own if it.action == "right_of_way"), "")}
    return Names(
        {
            PLACE: dict.fromkeys(PLACES, ()),
            CARD: {it.id: _card(it) for it in own},
            GOOD: dict.fromkeys(cards.GOODS, ()),
            IMPROVEMENT: dict.fromkeys(cards.IMPROVEMENTS, ()),
            OBJECTIVE: dict.fromkeys(cards.OBJECTIVES, ()),
            EXTRA: {
                SLOWLY.id: (Sentence("slowly | slow"),),
                RIGHT_OF_WAY.id: (Sentence("right of way {place}", way), Sentence("{place} right of way", way)),
                FOREIGN_STEEL.id: (Sentence("foreign steel | foreign steel contract"),),
                TO_DISCARD.id: (Sentence("discard | discard pile | without"),),
                FROM_SPUR.id: (Sentence("spur | parking spur"),),
            },
            DAYS: {DAYS: (Sentence("days | day"),)},
        },
        counted=frozenset({DAYS}),
    )


def _card(card: cards.Card) -> tuple[Sentence, ...]:
    """Return the name of a card in lines, if it is not a plain name."""
    if card.kind == "port":
        return (Sentence("Port {number}", {"number": int(card.id[-1])}),)
    if card.kind != "city":
        return ()
    if card.railcar:
        return (Sentence("{place} {railcar}", {"place": card.leads_to, "railcar": card.railcar}),)
    return (Sentence("{place}", {"place": card.leads_to}),)
