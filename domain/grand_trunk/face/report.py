"""A position of the Grand Trunk Journey in words: places, contracts, trains, cards on display, links."""

from collections.abc import Iterator

from domain.grand_trunk.board import LINKS_BETWEEN, NEIGHBOURS, PLACE_ORDER
from domain.grand_trunk.cards import CARDS, DEVELOPMENT_OPTIONS, GOODS, IMPROVEMENTS
from domain.grand_trunk.face.things import USES, options_of
from domain.grand_trunk.view import ContractView, GrandTrunkView, PlaceView, RailcarView, SeatView
from domain.report import Cell, Description, Grid, Passage, of_seat
from domain.words import Sentence


def report(view: GrandTrunkView) -> Description:
    """Return the whole open position."""
    own = view.own
    day = min((seat.day for seat in view.seats if not seat.left), default=0)
    return Description(
        Sentence("day {day}", {"day": own.day if own else day}),
        None if own is None else Sentence("{seat}, {company}", {"seat": own.seat, "company": own.company}),
        tuple(_parts(view)),
    )


def _parts(view: GrandTrunkView) -> Iterator[Grid | Passage]:
    yield _places(view)
    yield _contracts(view)
    yield _trains(view)
    yield _seats(view)
    if any(_has_won_something(seat) for seat in view.seats):
        yield Passage(Sentence("Acquired so far"), tuple(_possessions(view)))
    if view.improvements or view.objectives:
        yield Passage(Sentence("On display"), tuple(_display(view)))
    if powers := tuple(_powers(view)):
        yield Passage(Sentence("Powers of your cards"), powers)
    if view.own is not None and view.own.discard:
        yield Passage(Sentence("Your discard pile"), (Sentence("{cards}.", {"cards": view.own.discard}),))
    links = tuple(_links())
    yield Passage(Sentence("Links, each once"), links, drawn=len(links))


# ==== the board ===================================================================================
def _places(view: GrandTrunkView) -> Grid:
    """Return the places, the nearest to the reader's train first (in links)."""
    here = view.own.place if view.own else None
    away = LINKS_BETWEEN[here] if here else dict.fromkeys(LINKS_BETWEEN, 0)
    places = sorted(view.places, key=lambda place: (away[place.id], PLACE_ORDER[place.id]))
    head = (Sentence("demands"), Sentence("supplies"), Sentence("there"), Sentence("away"))
    return Grid(Sentence("Places"), head, tuple(_place(view, place, away[place.id]) for place in places), len(head))


def _place(view: GrandTrunkView, place: PlaceView, away: int) -> tuple[Cell, ...]:
    there: list[Sentence | str] = []
    if place.port:
        there.append("port")
    if place.terminal:
        there.append(Sentence("terminal"))
    if place.steel:
        there.append(Sentence("{steel} steel", {"steel": place.steel}))
    if place.first_delivery:
        there.append(Sentence("first +{vp}", {"vp": place.first_delivery_vp}))
    there += [of_seat(seat.seat) for seat in view.seats if seat.place == place.id and not seat.left]
    return place.id, place.demand, place.supply, tuple(there), away


def _links() -> Iterator[Sentence]:
    for place, others in NEIGHBOURS.items():
        after = tuple(
            sorted((it for it in others if PLACE_ORDER[it] > PLACE_ORDER[place]), key=PLACE_ORDER.__getitem__)
        )
        if after:
            yield Sentence("{place}: {places}.", {"place": place, "places": after})


# ==== contracts ===================================================================================
def _contracts(view: GrandTrunkView) -> Grid:
    head = (Sentence("what"), Sentence("days"), Sentence("points"), Sentence("state"))
    return Grid(Sentence("Contracts"), head, tuple(_contract(it) for it in view.contracts), drawn=len(head))


def _contract(it: ContractView) -> tuple[Cell, ...]:
    if it.token is None:
        state = Sentence("face down until day {day}", {"day": it.dark_space})
    elif it.met_by is not None:
        state = Sentence("fulfilled by {seat}", {"seat": it.met_by})
    else:
        state = Sentence("not fulfilled")
    facts = {"first": it.first_day, "last": it.last_day}
    window = it.first_day if it.first_day == it.last_day else Sentence("{first}-{last}", facts)
    return Sentence("No. {number}", {"number": it.slot}), it.token, window, it.vp, state


# ==== seats =======================================================================================
def _in_order(view: GrandTrunkView) -> list[SeatView]:
    """GTJ 3.1 Return the seats in turn order: from the back of the time track, in a stack the lower marker first."""
    known = {seat: at for at, seat in enumerate(view.order)}
    return sorted(view.seats, key=lambda it: (it.left, it.day, known.get(it.seat, 0)))


def _trains(view: GrandTrunkView) -> Grid:
    head = (Sentence("place"), Sentence("train"), Sentence("by card"))
    rows = tuple(
        (of_seat(it.seat), it.place, tuple(map(_railcar, it.railcars)), it.location) for it in view.seats if not it.left
    )
    return Grid(Sentence("Trains"), head, rows, drawn=2)


def _railcar(it: RailcarView) -> Sentence:
    facts = {"railcar": it.type, "number": it.cubes, "good": it.good}
    if it.good is None:
        return Sentence("{railcar} (empty)", facts)
    return Sentence("{railcar} ({number} {good})", facts)


def _seats(view: GrandTrunkView) -> Grid:
    head: tuple[Cell, ...] = (
        Sentence("points"), Sentence("day"), Sentence("force"), *GOODS, Sentence("wood track"), Sentence("hand"),
        Sentence("deck"),
    )  # fmt: skip
    rows = tuple(_seat(it) for it in _in_order(view) if not it.left)
    return Grid(Sentence("Turn order"), head, rows, drawn=len(head) - 2)


def _seat(it: SeatView) -> tuple[Cell, ...]:
    force: Cell = Sentence("{force}, fast", {"force": it.force}) if it.fast else it.force
    delivered = (it.delivered[good] for good in GOODS)
    return of_seat(it.seat), it.vp, it.day, force, *delivered, it.wood, it.hand_size, it.deck_size


def _has_won_something(seat: SeatView) -> bool:
    return bool(seat.contracts or seat.improvements or seat.objectives or seat.spur or seat.top)


def _possessions(view: GrandTrunkView) -> Iterator[Sentence]:
    for it in view.seats:
        things: list[Sentence | str] = [Sentence("contract {slot}", {"slot": slot}) for slot in it.contracts]
        things += [*it.improvements, *it.objectives]
        if it.spur:
            things.append(Sentence("{card} on the spur", {"card": it.spur}))
        things += [Sentence("{card} on top of the deck", {"card": card}) for card in it.top]
        if things:
            yield Sentence("{seat}: {things}.", {"seat": it.seat, "things": tuple(things)})


# ==== cards on display ============================================================================
def _powers(view: GrandTrunkView) -> Iterator[Sentence]:
    """Return the powers of the cards in the reader's hand, other than leading to a place."""
    hand = [CARDS[it] for it in (view.own.hand or ())] if view.own else []
    for it in dict.fromkeys(option for card in hand for option in options_of(card)):
        yield Sentence("{card}: {effect}", {"card": it, "effect": USES[it][0]})


def _display(view: GrandTrunkView) -> Iterator[Sentence]:
    """Return each displayed card with cost and effect, and the effects of improvements already acquired."""
    for it in view.improvements:
        facts = {"card": it, "days": IMPROVEMENTS[it].cost_days, "effect": f"{it}.effect"}
        yield Sentence("{card}, {days:day|days}: {effect}", facts)
    for it in view.objectives:
        days = DEVELOPMENT_OPTIONS["acquire_objective"].days
        yield Sentence("{card}, {days:day|days}: {effect}", {"card": it, "days": days, "effect": f"{it}.effect"})
    for each in dict.fromkeys(each for seat in view.seats for each in seat.improvements):
        yield Sentence("{card} (taken): {effect}", {"card": each, "effect": f"{each}.effect"})
