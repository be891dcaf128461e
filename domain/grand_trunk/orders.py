"""The commands of the Grand Trunk Journey as lines: what each names, and by which verbs it is asked for.

A card is called by its city, one with a railcar by both ("Boston Gondola"). The good of a railcar that is unloaded
stands in the line, the railcar too; the place of the train and the days may be written, and must then be right.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from domain.grand_trunk import cards
from domain.grand_trunk import commands as c
from domain.grand_trunk.board import CONSTANTS, PLACES
from domain.grand_trunk.view import GrandTrunkView, SeatView
from domain.messages import Command
from domain.orders import NUMBER, Listing, Names, One, Order, Orders, Part, Path, Several, Told, Verb
from domain.rules import Action
from domain.words import Sentence

VERBS: Mapping[Verb, tuple[type[Command], ...]] = {
    Verb(Sentence("start | begin"), "GTJ 2.11"): (c.ChooseFirstRailcar,),
    Verb(Sentence("move | go | travel | drive | ride"), "GTJ 5.3"): (c.MoveTrain,),
    Verb(Sentence("deliver | drop … off"), "GTJ 6.2"): (c.DeliverGood,),
    Verb(Sentence("contract | fulfil | fulfill | meet | meet contract | fulfil contract"), "GTJ 7.3"): (
        c.FulfilContract,
    ),
    Verb(Sentence("unload"), "GTJ 6.2"): (c.DeliverGood, c.FulfilContract),
    Verb(Sentence("dump"), "GTJ 6.9", whole=True): (c.DumpGood,),
    Verb(Sentence("uncouple | drop | detach"), "GTJ 8.1"): (c.UncoupleRailcar,),
    Verb(Sentence("couple | add | attach"), "GTJ 8.3"): (c.CoupleRailcar, c.CoupleFromSpur),
    Verb(Sentence("load"), "GTJ 9.1"): (c.LoadGood,),
    Verb(Sentence("double"), "GTJ 11.5"): (c.PlayHighCapacityRailcar,),
    Verb(Sentence("swap | exchange"), "GTJ 11.6"): (c.PlayInfluenceDemand,),
    Verb(Sentence("haul | transport"), "GTJ 11.7"): (c.PlayOverlandTransport,),
    Verb(Sentence("yard | rail yard"), "GTJ 11.8"): (c.PlayRailYard,),
    Verb(Sentence("force | increase force"), "GTJ 12.2"): (c.IncreaseForce,),
    Verb(Sentence("speed | increase speed"), "GTJ 12.4"): (c.IncreaseSpeed,),
    Verb(Sentence("build | build terminal"), "GTJ 12.5"): (c.BuildTerminal,),
    Verb(Sentence("acquire"), "GTJ 12.8"): (c.AcquireImprovement,),
    Verb(Sentence("objective | take objective"), "GTJ 16.2"): (c.AcquireObjective,),
    Verb(Sentence("buy | take"), "GTJ 12.8"): (c.AcquireImprovement, c.AcquireObjective),
    Verb(Sentence("store | park"), "GTJ 13.16"): (c.StoreOnSpur,),
    Verb(Sentence("clear"), "GTJ 13.16", whole=True): (c.DiscardFromSpur,),
    Verb(Sentence("crane | railroad crane"), "GTJ 13.17"): (c.UseRailroadCrane,),
    Verb(Sentence("roundhouse"), "GTJ 13.18"): (c.UseRoundhouse,),
    Verb(Sentence("semaphore | semaphore signaling | signal"), "GTJ 13.19"): (c.UseSemaphoreSignaling,),
    Verb(Sentence("roof | hi-roof | hi-roof boxcar"), "GTJ 13.15"): (c.UseHiRoofBoxcar,),
    Verb(Sentence("end turn | end | finish | finish turn | done"), "GTJ 10.1"): (c.EndTurn,),
    Verb(Sentence("maintenance | maintain | perform maintenance"), "GTJ 14.1"): (c.PerformMaintenance,),
    Verb(Sentence("pass"), "GTJ 15.3", whole=True): (c.Pass,),
}

# ==== what things are called ======================================================================
PLACE, CARD, GOOD, IMPROVEMENT, OBJECTIVE = "place", "card", "good", "improvement", "objective"
EXTRA, DAYS = "extra", "days"

SLOWLY = One(EXTRA, "slowly", extra=True)
RIGHT_OF_WAY = One(EXTRA, "right_of_way", extra=True)
FOREIGN_STEEL = One(EXTRA, "foreign_steel", extra=True)
TO_DISCARD = One(EXTRA, "to_discard", extra=True)
FROM_SPUR = One(EXTRA, "spur", extra=True)

ALIKE = {f"{company}.port_2": f"{company}.port_1" for company in cards.COMPANIES}
"""The two port cards of a company show the same."""


def names(view: GrandTrunkView | None) -> Names:
    """What a seat calls things: cards are its own company's."""
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
    """How lines call a card that has not just a name."""
    if card.kind == "port":
        return (Sentence("Port {number}", {"number": int(card.id[-1])}),)
    if card.kind != "city":
        return ()
    if card.railcar:
        return (Sentence("{place} {railcar}", {"place": card.leads_to, "railcar": card.railcar}),)
    return (Sentence("{place}", {"place": card.leads_to}),)


# ==== what a line names ===========================================================================
def tell(view: GrandTrunkView, action: Action) -> Order:
    """The line of a legal action. The days it costs and the place of the train may stand beside."""
    own, command = view.own, action.command
    assert own is not None
    plain = _PLAIN.get(type(command))
    order = _plain(*plain, command) if plain else _TOLD[type(command)](own, command)
    days = action.sentence.facts.get("days")
    beside = () if days is None else (One(DAYS, str(days)),)
    return replace(order, beside=(*order.beside, *beside), here=One(PLACE, own.place))


def _plain(line: Sentence, fields: Mapping[str, str], command: Command) -> Order:
    return Order(line, {field: One(kind, getattr(command, field)) for field, kind in fields.items()})


def _loaded(own: SeatView, railcar: str) -> dict[str, One]:
    """A railcar of its train, and the good on it."""
    good = next(str(it.good) for it in own.railcars if it.card == railcar)
    return {"good": One(GOOD, good), "railcar": One(CARD, railcar)}


MOVE, MOVE_SLOWLY, MOVE_BY_RIGHT, MOVE_BY_RIGHT_SLOWLY = (
    Sentence("move {place} with {card}"),
    Sentence("move {place} with {card} {slowly}"),
    Sentence("move {place} with {card} and {right_of_way}"),
    Sentence("move {place} with {card} and {right_of_way} {slowly}"),
)
DELIVER, DELIVER_ABROAD = (
    Sentence("deliver {good} from {railcar}"),
    Sentence("deliver {good} from {railcar} {foreign_steel}"),
)
FULFIL = Sentence("contract {slot} from {railcar}")
DUMP = Sentence("dump {good} from {railcar}")
DOUBLE = Sentence("double {railcar} with {card}")
HAUL = Sentence("haul {way:to} with {card}")
BUILD, BUILD_AND_DISCARD = Sentence("build {city} with {card}"), Sentence("build {city} with {card} {to_discard}")
ROOF = Sentence("roof {railcar}")
STORE = Sentence("store {card}")
FROM_THE_SPUR = Sentence("couple {spur} with {good}")
CLEAR = Sentence("clear {spur}")
MAINTAIN, MAINTAIN_WITHOUT = Sentence("maintenance"), Sentence("maintenance {to_discard} {cards}")


def _move(own: SeatView, it: c.MoveTrain) -> Order:
    parts: dict[str, Part] = {"place": One(PLACE, it.to), "card": One(CARD, it.card)}
    if it.right_of_way is None:
        if it.decline_fast:
            return Order(MOVE_SLOWLY, {**parts, "slowly": SLOWLY})
        return Order(MOVE, parts)
    parts["right_of_way"] = RIGHT_OF_WAY
    if it.decline_fast:
        return Order(MOVE_BY_RIGHT_SLOWLY, {**parts, "slowly": SLOWLY})
    return Order(MOVE_BY_RIGHT, parts)


def _deliver(own: SeatView, it: c.DeliverGood) -> Order:
    parts: dict[str, Part] = {**_loaded(own, it.railcar)}
    if it.foreign_steel:
        return Order(DELIVER_ABROAD, {**parts, "foreign_steel": FOREIGN_STEEL})
    return Order(DELIVER, parts)


def _fulfil(own: SeatView, it: c.FulfilContract) -> Order:
    loaded = _loaded(own, it.railcar)
    parts = {"slot": One(NUMBER, str(it.slot)), "railcar": loaded["railcar"]}
    return Order(FULFIL, parts, (One(GOOD, loaded["good"].id),))


def _dump(own: SeatView, it: c.DumpGood) -> Order:
    return Order(DUMP, _loaded(own, it.railcar))


def _double(own: SeatView, it: c.PlayHighCapacityRailcar) -> Order:
    loaded = _loaded(own, it.railcar)
    parts = {"railcar": loaded["railcar"], "card": One(CARD, it.card)}
    return Order(DOUBLE, parts, (loaded["good"],))


def _haul(own: SeatView, it: c.PlayOverlandTransport) -> Order:
    parts: dict[str, Part] = {"way": Path(PLACE, (it.origin, it.target)), "card": One(CARD, it.card)}
    return Order(HAUL, parts, (One(GOOD, "steel"),))


def _build(own: SeatView, it: c.BuildTerminal) -> Order:
    parts = {"city": One(PLACE, it.city), "card": One(CARD, it.card)}
    if it.new_card == "discard":
        return Order(BUILD_AND_DISCARD, {**parts, "to_discard": TO_DISCARD})
    return Order(BUILD, parts)


def _roof(own: SeatView, it: c.UseHiRoofBoxcar) -> Order:
    return Order(ROOF, {"railcar": One(CARD, it.railcar)}, (One(GOOD, "steel"),))


def _store(own: SeatView, it: c.StoreOnSpur) -> Order:
    return Order(STORE, {"card": One(CARD, it.card)}, (One(EXTRA, "spur"),))


def _from_spur(own: SeatView, it: c.CoupleFromSpur) -> Order:
    parts = {"spur": FROM_SPUR, "good": One(GOOD, it.good)}
    return Order(FROM_THE_SPUR, parts, (One(CARD, str(own.spur)),))


def _clear(own: SeatView, it: c.DiscardFromSpur) -> Order:
    return Order(CLEAR, {"spur": One(EXTRA, "spur")}, (One(CARD, str(own.spur)),))


def _maintain(own: SeatView, it: c.PerformMaintenance) -> Order:
    if not it.discard:
        return Order(MAINTAIN)
    parts: dict[str, Part] = {"to_discard": TO_DISCARD, "cards": Several(CARD, cards.in_order(it.discard))}
    return Order(MAINTAIN_WITHOUT, parts)


_PLAIN: Mapping[type[Command], tuple[Sentence, Mapping[str, str]]] = {
    c.ChooseFirstRailcar: (Sentence("start {card} with {good}"), {"card": CARD, "good": GOOD}),
    c.UncoupleRailcar: (Sentence("uncouple {railcar}"), {"railcar": CARD}),
    c.CoupleRailcar: (Sentence("couple {card} with {good}"), {"card": CARD, "good": GOOD}),
    c.LoadGood: (Sentence("load {good} on {railcar}"), {"good": GOOD, "railcar": CARD}),
    c.PlayInfluenceDemand:
        (Sentence("swap {first}, {second} with {card}"), {"first": PLACE, "second": PLACE, "card": CARD}),
    c.PlayRailYard:
        (Sentence("yard {railcar_card} with {good} by {card}"), {"railcar_card": CARD, "good": GOOD, "card": CARD}),
    c.IncreaseForce: (Sentence("force with {card}"), {"card": CARD}),
    c.IncreaseSpeed: (Sentence("speed with {card}"), {"card": CARD}),
    c.AcquireImprovement:
        (Sentence("acquire {improvement} with {card}"), {"improvement": IMPROVEMENT, "card": CARD}),
    c.AcquireObjective: (Sentence("objective {objective} with {card}"), {"objective": OBJECTIVE, "card": CARD}),
    c.UseRailroadCrane: (Sentence("crane {card} with {good}"), {"card": CARD, "good": GOOD}),
    c.UseRoundhouse: (Sentence("roundhouse {card}"), {"card": CARD}),
    c.UseSemaphoreSignaling: (Sentence("semaphore {card}"), {"card": CARD}),
    c.EndTurn: (Sentence("end turn"), {}),
    c.Pass: (Sentence("pass"), {}),
}  # fmt: skip
"""Those that name their own fields: the line, and the kind of each field."""

_TOLD: Mapping[type[Command], Callable[[SeatView, Any], Order]] = {
    c.MoveTrain: _move,
    c.DeliverGood: _deliver,
    c.FulfilContract: _fulfil,
    c.DumpGood: _dump,
    c.PlayHighCapacityRailcar: _double,
    c.PlayOverlandTransport: _haul,
    c.BuildTerminal: _build,
    c.UseHiRoofBoxcar: _roof,
    c.StoreOnSpur: _store,
    c.CoupleFromSpur: _from_spur,
    c.DiscardFromSpur: _clear,
    c.PerformMaintenance: _maintain,
}
"""Those that name more, or less."""

LINES: Mapping[type[Command], tuple[Sentence, ...]] = {
    **{kind: (line,) for kind, (line, _) in _PLAIN.items()},
    c.MoveTrain: (MOVE, MOVE_SLOWLY, MOVE_BY_RIGHT, MOVE_BY_RIGHT_SLOWLY),
    c.DeliverGood: (DELIVER, DELIVER_ABROAD),
    c.FulfilContract: (FULFIL,),
    c.DumpGood: (DUMP,),
    c.PlayHighCapacityRailcar: (DOUBLE,),
    c.PlayOverlandTransport: (HAUL,),
    c.BuildTerminal: (BUILD, BUILD_AND_DISCARD),
    c.UseHiRoofBoxcar: (ROOF,),
    c.StoreOnSpur: (STORE,),
    c.CoupleFromSpur: (FROM_THE_SPUR,),
    c.DiscardFromSpur: (CLEAR,),
    c.PerformMaintenance: (MAINTAIN, MAINTAIN_WITHOUT),
}


# ==== why a line is not legal =====================================================================
def wish(view: GrandTrunkView, kind: type[Command], told: Told) -> Command | None:
    """The command of a class that names what was told; a good stands for the railcar that carries it."""
    if kind in (c.DeliverGood, c.FulfilContract, c.DumpGood) and not told.of(CARD) and view.own is not None:
        told = told.beside(CARD, [it.card for it in view.own.railcars if it.good in told.of(GOOD)])
    return told.named(kind, _FIELDS.get(kind, {}))


_FIELDS: Mapping[type[Command], Mapping[str, str]] = {
    **{kind: fields for kind, (_, fields) in _PLAIN.items()},
    c.MoveTrain: {"to": PLACE, "card": CARD},
    c.DeliverGood: {"railcar": CARD},
    c.FulfilContract: {"railcar": CARD, "slot": NUMBER},
    c.DumpGood: {"railcar": CARD},
    c.PlayHighCapacityRailcar: {"railcar": CARD, "card": CARD},
    c.PlayOverlandTransport: {"origin": PLACE, "target": PLACE, "card": CARD},
    c.BuildTerminal: {"city": PLACE, "card": CARD},
    c.UseHiRoofBoxcar: {"railcar": CARD},
    c.StoreOnSpur: {"card": CARD},
    c.CoupleFromSpur: {"good": GOOD},
}


# ==== as a list ===================================================================================
def remark(view: GrandTrunkView, action: Action) -> Sentence | None:
    """The days an action takes, the goods a place takes, and the points that a contract or an objective brings."""
    facts = action.sentence.facts
    if isinstance(action.command, c.MoveTrain) and (goods := _taken(view, action.command.to, facts.get("days", 0))):
        return Sentence("{days:day|days}, takes {goods}", {**facts, "goods": goods})
    if "days" in facts and "vp" in facts:
        return Sentence("{days:day|days}, {vp:point|points}", facts)
    if "days" in facts:
        return Sentence("{days:day|days}", facts)
    return Sentence("{vp:point|points}", facts) if "vp" in facts else None


def _taken(view: GrandTrunkView, id: str, days: int) -> tuple[str, ...]:
    """GTJ 6.2, 6.6, 7.4, 13.5 The goods on the train that a place takes as things are, on demand or by contract."""
    own = view.own
    assert own is not None
    place = next(it for it in view.places if it.id == id)
    wanted = {*place.demand} if isinstance(place.demand, tuple) else {place.demand}
    if place.port:
        wanted |= {str(cards.IMPROVEMENTS[it].ports_demand) for it in own.improvements}
    if place.steel >= CONSTANTS.steel_limit_per_city:
        wanted -= {"iron"}
    owned = [cards.IMPROVEMENTS[it] for it in own.improvements]
    before, after = sum(it.days_before for it in owned), sum(it.days_after for it in owned)
    for it in view.contracts:
        if it.city == id and it.met_by is None and it.first_day - before <= own.day + days <= it.last_day + after:
            wanted.add(str(it.good))
    return tuple(good for good in cards.GOODS if good in wanted and any(it.good == good for it in own.railcars))


LISTING = Listing(
    open={
        c.PlayInfluenceDemand: ("first", "second"),
        c.PlayOverlandTransport: ("card",),
        c.PlayRailYard: ("card",),
        c.BuildTerminal: ("card",),
        c.AcquireImprovement: ("card",),
        c.AcquireObjective: ("card",),
        c.PerformMaintenance: ("cards",),
    },
    remark=remark,
    hints={
        c.MoveTrain: Sentence(
            "After a move, write one order per line for each thing you do there: “deliver coal”, “couple Box Car with "
            "wood”, “load wood”. Finish with “end turn”."
        )
    },
)

ORDERS = Orders(VERBS, tell, names, LINES, ALIKE, wish, LISTING)
