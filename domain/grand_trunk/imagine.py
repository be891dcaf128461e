"""A full state behind a view: hidden things are filled in at random, consistently (GTJ 18)."""

from domain.chance import Chance
from domain.grand_trunk.cards import CARRIES, PLAIN_RAILCARS
from domain.grand_trunk.state import Contract, Railcar, Seat, State
from domain.grand_trunk.view import GrandTrunkView, SeatView


def imagine(view: GrandTrunkView, chance: Chance) -> State:
    """Return a state of which ``view`` is the view. It knows no more than the view, so its user cannot either."""
    return State(
        scenario=view.scenario,
        level=view.level,
        with_objectives=view.with_objectives,
        seats={seat.seat: _seat(view, seat, chance) for seat in view.seats},
        tokens={place.id: place.token for place in view.places if place.token is not None},
        steel={place.id: place.steel for place in view.places if not place.port},
        first_deliveries={place.id: place.first_delivery for place in view.places if place.first_delivery is not None},
        terminals=frozenset(place.id for place in view.places if place.terminal),
        contracts={each.slot: Contract(each.token, each.met_by) for each in view.contracts if each.token is not None},
        improvements=view.improvements,
        objectives=view.objectives,
        order=view.order,
        stage=view.stage,
        active=view.active,
        used=view.used,
        end_begun=view.end_begun,
        winners=view.result.winners if view.result else (),
        ranking=tuple(standing.seat for standing in view.result.standings) if view.result else (),
    )


def _seat(view: GrandTrunkView, seat: SeatView, chance: Chance) -> Seat:
    return Seat(
        company=seat.company,
        points=seat.points,
        day=seat.day,
        wood=seat.wood,
        place=seat.place,
        location=seat.location,
        force=seat.force,
        fast=seat.fast,
        railcars=tuple(Railcar(railcar.card, railcar.good, railcar.cubes) for railcar in seat.railcars),
        hand=_hand(seat, chance),
        top=seat.top,
        discard=frozenset(seat.discard),
        delivered=seat.delivered,
        improvements=seat.improvements,
        objectives=seat.objectives,
        spur=seat.spur,
        choice=_choice(view, seat, chance),
        finished=seat.finished,
        left=seat.left,
    )


def _hand(seat: SeatView, chance: Chance) -> frozenset[str]:
    """GTJ 18.2, 18.3: hand and deck together are known; which cards are in which is not."""
    if seat.hand is not None:
        return frozenset(seat.hand)
    return frozenset(chance.draw(f"imagined hand of seat {seat.seat}", frozenset(seat.hidden), seat.hand_size))


def _choice(view: GrandTrunkView, seat: SeatView, chance: Chance) -> tuple[str, str] | None:
    """GTJ 18.6: the view shows whether a seat has chosen, but not its choice."""
    if seat.choice is not None or not seat.chosen:
        return seat.choice
    supply = view.place[seat.place].supply
    legal = [(card, good) for card in PLAIN_RAILCARS[seat.company] for good in CARRIES[card] if good in supply]
    [choice] = chance.draw(f"imagined choice of seat {seat.seat}", legal)
    return choice
