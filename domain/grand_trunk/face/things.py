"""Things beside the board of the Grand Trunk Journey: the hand with goods, days and effects, the train, the display.

Each card states its use in a sentence, with the number of its rule.
"""

from collections.abc import Iterator, Mapping

from domain.drawing import Ink
from domain.grand_trunk import board, cards
from domain.grand_trunk.face.picture import INKS, LETTERS, cube_of, locomotive, port, wagon_of
from domain.grand_trunk.rules.travel import days_by
from domain.grand_trunk.state import BEFORE_MOVE
from domain.grand_trunk.view import ContractView, GrandTrunkView, PlaceView, RailcarView, SeatView
from domain.report import Cell
from domain.things import Seated, Shelf, Sketch, Thing, Things, Use
from domain.words import Sentence

INK: Ink = INKS["page"]


def things(view: GrandTrunkView) -> Things:
    """GTJ 18: return the things that the viewer may see, and no others."""
    seats, shelves = (tuple(_seated(view, it) for it in view.seats), tuple(it for it in _shelves(view) if it.things))
    return Things(seats, shelves, _said(view), COMPARED)


def _said(view: GrandTrunkView) -> tuple[Sentence, ...]:
    """GTJ 15.1"""
    ends = view.end_begun and view.stage != "over"
    return (Sentence("The end has begun: a player is on day 36 or later."),) if ends else ()


def _shelves(view: GrandTrunkView) -> Iterator[Shelf]:
    own = view.own
    if own is not None and not own.left:
        yield Shelf(Sentence("Your hand"), "own", _hand(view, own))
        yield Shelf(Sentence("Your train"), "own", tuple(_train(own)))
        yield Shelf(Sentence("Railcars in your discard pile, for Rail Yard"), "own", tuple(_for_rail_yard(own)))
        yield Shelf(Sentence("Your deck and discard pile"), "aside", tuple(_piles(own)), listed=True)
    yield Shelf(
        Sentence("Contracts"),
        "display",
        tuple(_contract(it, _state(it)) for it in view.contracts if it.city),
        (_CONTRACT,),
        drawn=True,
    )
    yield Shelf(Sentence("Improvements on display"), "display", tuple(map(_improvement, view.improvements)))
    yield Shelf(Sentence("Objectives on display"), "display", tuple(map(_objective, view.objectives)))
    yield Shelf(Sentence("Places"), "aside", tuple(_place(view, it) for it in view.places), _PLACES, listed=True)


# ==== what things are for =========================================================================
USES: Mapping[str, tuple[Sentence, str]] = {
    "high_capacity_railcar": (
        Sentence("While loading: put a second coal, iron or wood on a railcar that already holds one."), "GTJ 11.5",
    ),
    "influence_demand": (Sentence("Two cities, or two ports, swap their goods tokens."), "GTJ 11.6"),
    "overland_transport": (Sentence("One steel moves along one link to a city that has room for it."), "GTJ 11.7"),
    "rail_yard": (
        Sentence("After the move: couple a railcar from your discard pile, with its first cube."), "GTJ 11.8",
    ),
    "right_of_way": (Sentence("A move takes 1 day less, but always at least 1."), "GTJ 11.9"),
    "increase_force": (
        Sentence(
            "1 day: increase your Force by one step and pull one more railcar. Force II, III and IV need 1, 2 and 3 "
            "delivered steel.",
        ),
        "GTJ 12.2",
    ),
    "increase_speed": (
        Sentence(
            "1 day: from now on each of your moves takes a day less. You need 3 delivered coal, and you score 1 point.",
        ),
        "GTJ 12.4",
    ),
    "build_terminal": (
        Sentence("1 day: build a terminal in a city without one, wherever your train is. 2 points."), "GTJ 12.5",
    ),
    "acquire_improvement": (Sentence("2 days: take an improvement on display."), "GTJ 12.8"),
    "acquire_objective": (
        Sentence(
            "1 day: take an objective on display if you meet its conditions. Any Development card can do this.",
        ), "GTJ 16.2",
    ),
    "stock": (
        Sentence(
            "Here you can dump a cube that the place does not demand. This costs 1 point, and the cube does not count "
            "as delivered.",
        ),
        "GTJ 6.9",
    ),
    "any_port": (Sentence("The card leads to any port."), "GTJ 5.4"),
    "any": (Sentence(
        "The card leads to any port or any city with a terminal, but the move takes one day longer."), "GTJ 5.8"),
}  # fmt: skip
"""The use of a card, or of an option of it, and its rule."""
_RULES = {
    "coal_exporter": "GTJ 13.4", "early_delivery": "GTJ 13.5", "late_delivery": "GTJ 13.6",
    "rail_equipment_factory": "GTJ 13.7", "speculator": "GTJ 13.8", "warehouse": "GTJ 13.9",
    "wood_exporter": "GTJ 13.10", "coal_mine": "GTJ 13.11", "forest_exploitation": "GTJ 13.12",
    "iron_ore_mine": "GTJ 13.13", "foreign_steel_contract": "GTJ 13.14", "hi_roof_boxcar": "GTJ 13.15",
    "parking_spur": "GTJ 13.16", "railroad_crane": "GTJ 13.17", "roundhouse": "GTJ 13.18",
    "semaphore_signaling": "GTJ 13.19", "carrier_of_the_year": "GTJ 16.5", "coal_depot": "GTJ 16.6",
    "common_carrier": "GTJ 16.7", "freight_station": "GTJ 16.8", "heavy_cargo_train": "GTJ 16.9",
    "iron_ore_depot": "GTJ 16.10", "national_railway_certificate": "GTJ 16.11", "specialized_carrier": "GTJ 16.12",
    "steel_warehouse": "GTJ 16.13", "wood_depot": "GTJ 16.14",
}  # fmt: skip
"""The rules of improvements and objectives, whose effects have names of their own."""


def _effect(id: str) -> tuple[Use, ...]:
    return (Use(f"{id}.effect", _RULES[id]),)


def _uses(*ids: str) -> tuple[Use, ...]:
    return tuple(Use(*USES[it], it) for it in ids)


# ==== the hand ====================================================================================
def _hand(view: GrandTrunkView, own: SeatView) -> tuple[Thing, ...]:
    if view.stage == "choosing":
        chosen = () if own.choice is None else (own.choice,)
        return tuple(_card(it, None) for it, _ in chosen) or tuple(
            _card(it, None) for it in cards.PLAIN_RAILCARS[own.company]
        )
    return tuple(_card(it, _days(view, own, it)) for it in own.hand or ())


def _card(card: str, mark: Sentence | None) -> Thing:
    name, sketches, shows, uses = _face(card)
    return Thing(name, card, sketches, mark, shows=shows, uses=uses)


def _face(id: str) -> tuple[str | Sentence, tuple[Sketch, ...], str, tuple[Use, ...]]:
    """GTJ 1.8: return name, drawings, mark and uses of a card, by where it leads and what else it shows."""
    card = cards.CARDS[id]
    leads = (Use(*USES[str(card.leads_to)]),) if card.leads_to in USES else ()
    if card.kind == "railcar":
        return id, (_wagon(str(card.railcar)),), "", (_carries(str(card.railcar)),)
    name: str | Sentence = Sentence("Port") if card.kind == "port" else str(card.leads_to)
    if card.kind == "junction":
        name = id
    if card.railcar:
        return name, (_spot(card.kind), _wagon(card.railcar)), card.railcar, (_carries(card.railcar), *leads)
    uses = _uses(*options_of(card), *(("acquire_objective",) if card.development else ()))
    return name, (_spot(card.kind),), card.action or card.development or "", (*uses, *leads)


def options_of(card: cards.Card) -> tuple[str, ...]:
    """Return the options of playing a card: an action, or one kind of development."""
    return (card.action,) if card.action else tuple(cards.VARIANTS.get(str(card.development), ()))


def _carries(type: str) -> Use:
    goods = cards.RAILCAR_TYPES[type].goods
    return Use(
        Sentence(
            "This railcar carries {goods}. You couple the railcar after the move, together with a good.",
            {"goods": goods},
        ),
        "GTJ 8.3",
    )


def _days(view: GrandTrunkView, own: SeatView, id: str) -> Sentence | None:
    """GTJ 5.8: return the days of a move by this card now, to the nearest place it leads to."""
    card = cards.CARDS[id]
    if card.leads_to is None or not own.place or view.stage not in BEFORE_MOVE:
        return None
    open_cities = tuple(it.id for it in view.places if it.terminal)
    reach = {"any_port": board.PORTS, "any": (*board.PORTS, *open_cities)}.get(card.leads_to, (card.leads_to,))
    days = [days_by(id, own.place, to, fast=own.fast) for to in reach if to != own.place]
    if not days:
        return Sentence("here")
    return _days_of(min(days)) if len(reach) == 1 else Sentence("from {days:day|days}", {"days": min(days)})


def _days_of(number: int) -> Sentence:
    return Sentence("{days:day|days}", {"days": number})


# ==== the train and the piles =====================================================================
def _train(own: SeatView) -> Iterator[Thing]:
    if not own.place:
        return
    force = cards.FORCE_LEVELS[own.force]
    room = Sentence("Your train can pull at most {number:railcar|railcars}.", {"number": force.railcars})
    more = _uses(*(("increase_force",) if own.force < max(cards.FORCE_LEVELS) else ()))
    faster = () if own.fast else _uses("increase_speed")
    yield _ahead_of_it(own, Use(room, "GTJ 4.2"), *more, *faster)
    for railcar in own.railcars:
        yield _coupled(railcar, _carries(railcar.type))
    if any(it.good for it in own.railcars):
        yield Thing("stock", "stock", (_crate(),), uses=_uses("stock"))
    yield from _on_spur(own, *_effect("parking_spur"))
    for improvement in own.improvements:
        yield Thing(improvement, improvement, uses=_effect(improvement))


def _on_spur(seat: SeatView, *uses: Use) -> Iterator[Thing]:
    """GTJ 13.16"""
    if seat.spur:
        wagon, said = _wagon(str(cards.CARDS[seat.spur].railcar)), (Sentence("on the Parking Spur"),)
        yield Thing(seat.spur, seat.spur, (wagon,), None, said, uses=uses)


def _ahead_of_it(seat: SeatView, *uses: Use) -> Thing:
    """Return the locomotive of a train, with force and speed."""
    said = Sentence("{speed}, in {place}", {"speed": _speed(seat), "place": seat.place})
    return Thing(f"force_{seat.force}", sketches=(_engine(seat.company),), said=(said,), uses=uses)


def _coupled(railcar: RailcarView, *uses: Use) -> Thing:
    """Return a railcar of a train with its load."""
    load = _counted(railcar.good, railcar.cubes) if railcar.good else Sentence("empty")
    return Thing(railcar.card, railcar.card, (_loaded(railcar),), said=(load,), uses=uses)


def _for_rail_yard(own: SeatView) -> Iterator[Thing]:
    """GTJ 11.8"""
    if any(cards.CARDS[it].action == "rail_yard" for it in own.hand or ()):
        yield from (_card(it, None) for it in own.discard if cards.CARDS[it].railcar)


def _piles(own: SeatView) -> Iterator[Thing]:
    """GTJ 18.2, 18.3: return each pile with its cards; nobody knows the order of the deck."""
    piles = (
        (Sentence("On top of your deck"), own.top, "GTJ 12.6"),
        (Sentence("Still in your deck, in an order nobody knows"), own.deck or (), "GTJ 10.1"),
        (Sentence("Discard pile"), own.discard, "GTJ 10.2"),
        (Sentence("Set aside until the city has a terminal"), own.set_aside, "GTJ 2.14"),
    )
    for name, pile, rule in piles:
        if pile:
            yield Thing(name, said=(Sentence("{cards}", {"cards": pile}),), uses=(Use(_PILES[rule], rule),))


_PILES = {
    "GTJ 12.6": Sentence(
        "When you build a terminal, you may put the new card here. You will draw this card first, and everybody knows "
        "it."
    ),
    "GTJ 10.1": Sentence("At the end of your turn you refill your hand."),
    "GTJ 10.2": Sentence("When you must draw and your deck is empty, these cards are reshuffled into a new deck."),
    "GTJ 2.14": Sentence("When a city gets a terminal, every player's card of that city comes into play."),
}


# ==== on display ==================================================================================
def _improvement(id: str) -> Thing:
    days = _days_of(cards.IMPROVEMENTS[id].cost_days)
    return Thing(id, id, mark=days, uses=_effect(id))


def _objective(id: str) -> Thing:
    days = _days_of(cards.DEVELOPMENT_OPTIONS["acquire_objective"].days)
    return Thing(id, id, mark=days, uses=_effect(id))


def _contract(it: ContractView, said: Sentence) -> Thing:
    name, points = (
        Sentence("{good} for {city}", {"good": it.good, "city": it.city}),
        Sentence("{vp:point|points}", {"vp": it.vp}),
    )
    return Thing(name, f"contract.{it.slot}", (_cube(str(it.good)),), points, (said,))


def _state(it: ContractView) -> Sentence:
    """GTJ 7.3"""
    return _window(it) if it.met_by is None else Sentence("fulfilled by {met_seat}", {"met_seat": it.met_by})


def _window(it: ContractView) -> Sentence:
    """GTJ 7.1"""
    facts = {"first": it.first_day, "last": it.last_day}
    if it.first_day == it.last_day:
        return Sentence("day {first}", facts)
    return Sentence("days {first} to {last}", facts)


_CONTRACT = Use(Sentence("Unload a cube of this good there while your marker is on one of these days."), "GTJ 7.3")


def _place(view: GrandTrunkView, it: PlaceView) -> Thing:
    """GTJ 1.4 to 1.7: return the goods that a place demands and supplies, and the pieces there."""
    said = [Sentence("demands {demand}, supplies {supply}", {"demand": it.demand, "supply": it.supply})]
    if it.steel:
        said.append(Sentence("steel there: {steel}", {"steel": it.steel}))
    if it.first_delivery:
        said.append(Sentence("first delivery: {vp:point|points}", {"vp": it.first_delivery_vp}))
    here = tuple(seat.seat for seat in view.seats if seat.place == it.id and not seat.left)
    if here:
        said.append(Sentence("trains there: {here_seat}", {"here_seat": here}))
    kind = Sentence("port") if it.port else Sentence("terminal") if it.terminal else Sentence("no terminal")
    return Thing(it.id, it.id, (_spot("port" if it.port else "city"),), kind, tuple(said))


_PLACES = (
    Use(Sentence("Trains can go to ports and to cities with a terminal. Any player may build a terminal."), "GTJ 5.4"),
    Use(Sentence("A place takes the goods that it demands. Ports take steel: 3 points each."), "GTJ 6.2"),
    Use(Sentence("Delivered iron turns into 2 steel."), "GTJ 6.6"),
    Use(Sentence("The first delivery in a city scores that city's points."), "GTJ 6.3"),
)


# ==== seats =======================================================================================
COMPARED = (
    Sentence("points"), Sentence("day"), Sentence("place"), Sentence("force"), Sentence("speed"),
    *(Sentence("{good} delivered", {"good": good}) for good in cards.GOODS), Sentence("wood track"),
    Sentence("contracts fulfilled"), Sentence("improvements"), Sentence("objectives"), Sentence("cards in hand"),
    Sentence("deck"),
)  # fmt: skip


def _compared(seat: SeatView) -> tuple[Cell, ...]:
    """GTJ 18.2: return the public facts of a company, in the order of `COMPARED`."""
    delivered = (seat.delivered[good] for good in cards.GOODS)
    owned = (len(each) for each in (seat.contracts, seat.improvements, seat.objectives))
    where = (seat.vp, seat.day, seat.place or None, seat.force, _speed(seat))
    return *where, *delivered, seat.wood, *owned, seat.hand_size, seat.deck_size


def _speed(seat: SeatView) -> str:
    return "fast" if seat.fast else "slow"


def _seated(view: GrandTrunkView, seat: SeatView) -> Seated:
    delivered = tuple(_counted(good, seat.delivered[good]) for good in cards.GOODS if seat.delivered[good])
    facts = {
        "vp": seat.vp, "day": seat.day, "place": seat.place, "company": seat.company, "hand": seat.hand_size,
        "deck": seat.deck_size, "force": f"force_{seat.force}", "speed": _speed(seat),
        "wood": seat.wood, "goods": delivered,
        "improvements": seat.improvements, "contracts": len(seat.contracts),
        "discard": len(seat.discard),
    }  # fmt: skip
    if seat.left:
        said = [Sentence("{company}: {vp:point|points}", facts)]
    elif seat.finished or view.stage == "over" or not seat.place:
        said = [Sentence("{company}: {vp:point|points}, day {day}", facts)]
    else:
        said = [Sentence("{company}: {vp:point|points}, day {day}, in {place}", facts)]
    said.append(Sentence("{force}, {speed}, wood track {wood}", facts))
    if delivered:
        said.append(Sentence("delivered: {goods}", facts))
    if seat.contracts:
        said.append(Sentence("{contracts:contract|contracts} fulfilled", facts))
    if seat.improvements:
        said.append(Sentence("{improvements}", facts))
    if not seat.left and view.stage not in ("choosing", "over"):
        said.append(Sentence("cards: {hand} in hand, {deck} in the deck, {discard} discarded", facts))
    return Seated(
        seat.seat,
        cards.COMPANIES[seat.company].colour,
        LETTERS[seat.company],
        tuple(said),
        _number(seat.vp),
        facts=_compared(seat),
        shelves=tuple(it for it in _open(view, seat) if it.things),
    )


def _open(view: GrandTrunkView, seat: SeatView) -> Iterator[Shelf]:
    """GTJ 18.2: lay out everything of a company that all may see."""
    if seat.place and not seat.left:
        yield Shelf(Sentence("Train"), "aside", (_ahead_of_it(seat), *map(_coupled, seat.railcars), *_on_spur(seat)))
    goods = tuple(Thing(it, "", (_cube(it),), _number(seat.delivered[it])) for it in cards.GOODS if seat.delivered[it])
    yield Shelf(Sentence("Delivered"), "aside", goods)
    met = (it for it in view.contracts if it.met_by == seat.seat)
    yield Shelf(Sentence("Contracts fulfilled"), "aside", tuple(_contract(it, _window(it)) for it in met))
    yield Shelf(
        Sentence("Improvements"), "aside", tuple(Thing(it, uses=_effect(it)) for it in seat.improvements), listed=True
    )
    yield Shelf(
        Sentence("Objectives"), "aside", tuple(Thing(it, uses=_effect(it)) for it in seat.objectives), listed=True
    )
    points = tuple(Thing(it, mark=_number(vp)) for it, vp in seat.points.items() if vp)
    yield Shelf(Sentence("Points"), "aside", points)
    piles = ((Sentence("On top of the deck"), seat.top), (Sentence("Discard pile"), seat.discard))
    lying = tuple(Thing(name, said=(Sentence("{cards}", {"cards": pile}),)) for name, pile in piles if pile)
    yield Shelf(Sentence("Cards"), "aside", lying, listed=True)


def _number(number: int) -> Sentence:
    return Sentence("{number}", {"number": number})


def _counted(good: str, number: int) -> Sentence:
    return Sentence("{number} {good}", {"number": number, "good": good})


# ==== drawings ====================================================================================
def _engine(company: str) -> Sketch:
    return Sketch(44, 34, locomotive(company, 40, 2, INK))


def _loaded(railcar: RailcarView) -> Sketch:
    return Sketch(44, 34, f'<g transform="scale(1.7)">{wagon_of(railcar.good, railcar.cubes, INK)}</g>')


def _wagon(type: str) -> Sketch:
    """Draw an empty railcar, with the goods that it can carry above it."""
    goods = cards.RAILCAR_TYPES[type].goods
    step = 11
    left = 22 - step * (len(goods) - 1) / 2
    above = "".join(cube_of(good, left + step * number, 8, 4.6, INK) for number, good in enumerate(goods))
    return Sketch(44, 34, f'{above}<g transform="scale(1.7)">{wagon_of(None, 0, INK)}</g>')


def _cube(good: str) -> Sketch:
    return Sketch(22, 22, cube_of(good, 11, 11, 8, INK))


def _crate() -> Sketch:
    """Draw an open box, and the way into it."""
    lines = '<path d="M4 17v12h26V17M17 4v15m-6-6l6 6l6-6"'
    return Sketch(34, 34, f'{lines} fill="none" stroke="{INK["rail"]}" stroke-width="2.6"/>')


def _spot(kind: str) -> Sketch:
    """Draw a city, a port or the junction as on the board."""
    if kind == "port":
        return Sketch(26, 26, port(13, 13, 9.5, INK))
    ring = f'<circle cx="13" cy="13" r="7.5" fill="{INK["paper"]}" stroke="{INK["rail"]}" stroke-width="2.6"/>'
    if kind == "city":
        return Sketch(26, 26, ring)
    return Sketch(26, 26, f'<path d="M3 3l20 20M23 3L3 23" stroke="{INK["rail"]}" stroke-width="3"/>{ring}')
