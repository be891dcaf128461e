"""The commands of the Grand Trunk Journey as people meet them: one record each, and the list of all records at the end.

A line that unloads a railcar names the good and the railcar. The place of the train and the days are optional, but
must be right if they are written.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.face import Ahead, CommandFace, ahead_of
from domain.grand_trunk import cards
from domain.grand_trunk import commands as c
from domain.grand_trunk.board import CONSTANTS, SLOTS
from domain.grand_trunk.face import places
from domain.grand_trunk.face.orders import (
    CARD,
    DAYS,
    EXTRA,
    FOREIGN_STEEL,
    FROM_SPUR,
    GOOD,
    IMPROVEMENT,
    OBJECTIVE,
    PLACE,
    RIGHT_OF_WAY,
    SLOWLY,
    TO_DISCARD,
)
from domain.grand_trunk.rules.contracts import draw_of
from domain.grand_trunk.view import GrandTrunkView, SeatView
from domain.messages import Command
from domain.orders import NUMBER, One, Order, Part, Path, Several, Told, Verb
from domain.places import Aim
from domain.rules import Action
from domain.words import Sentence

Pointed = tuple[tuple[str, ...], tuple[str, ...]]
"""The required places of a command, and its optional ones."""


# ==== what all of them share ======================================================================
def _face(
    command: type[Command],
    kind: str,
    verbs: tuple[Verb, ...],
    lines: tuple[Sentence, ...],
    tell: Callable[[SeatView, Any], Order],
    aim: Callable[[SeatView, Any], Pointed],
    **more: Any,
) -> CommandFace:
    """Return a record. Its line may also name the days that the command costs and the place of the train."""

    def with_days(view: GrandTrunkView, it: Command, action: Action) -> Order:
        own, order, days = _own(view), tell(_own(view), it), action.sentence.facts.get("days")
        beside = () if days is None else (One(DAYS, str(days)),)
        return replace(order, beside=(*order.beside, *beside), here=One(PLACE, own.place))

    def aimed(view: GrandTrunkView, it: Command) -> Aim:
        return Aim(kind, *aim(_own(view), it))

    return CommandFace(command, verbs, lines, with_days, kind, aimed, **{"remark": _costs, **more})


def _plain(
    command: type[Command],
    kind: str,
    verbs: tuple[Verb, ...],
    line: Sentence,
    fields: Mapping[str, str],
    aim: Callable[[SeatView, Any], Pointed] | None = None,
    order: tuple[str, ...] = (),
    **more: Any,
) -> CommandFace:
    """Return the record of a command whose line and places name its own fields. ``order``: the order of pointing."""

    def tell(own: SeatView, it: Command) -> Order:
        return Order(line, {field: One(thing, getattr(it, field)) for field, thing in fields.items()})

    return _face(command, kind, verbs, (line,), tell, aim or _fields(*(order or fields)), fields=fields, **more)


def _own(view: GrandTrunkView) -> SeatView:
    assert view.own is not None
    return view.own


def _fields(*names: str) -> Callable[[SeatView, Any], Pointed]:
    """Return a function that points at the things named by these fields of a command."""
    return lambda own, it: (tuple(getattr(it, name) for name in names), ())


def _with(*more: str) -> Callable[[SeatView, Any], Pointed]:
    """Return a function that points at the fields of a command, and at ``more``, the improvement in use."""
    return lambda own, it: ((*more, *(str(getattr(it, field)) for field in it.__struct_fields__)), ())


def _costs(view: GrandTrunkView, command: Command, action: Action) -> Sentence | None:
    """Return the days an action takes, and the points that a contract or an objective brings."""
    facts = action.sentence.facts
    if "days" in facts and "vp" in facts:
        return Sentence("{days:day|days}, {vp:point|points}", facts)
    if "days" in facts:
        return Sentence("{days:day|days}", facts)
    return Sentence("{vp:point|points}", facts) if "vp" in facts else None


_SLOT_OF = {draw_of(slot): slot for slot in SLOTS}


def _turned_up(view: GrandTrunkView, command: Command, at: str) -> list[Sentence]:
    """Say which contract chance turns up, since no preview goes beyond it. ``at``: the draw or the event."""
    return [Sentence("Contract {slot} is turned up.", {"slot": _SLOT_OF[at]})] if at in _SLOT_OF else []


def _then(said: Sentence | None = None, drawn: Callable[[SeatView, int, Any], int] = lambda own, hand, it: 0) -> Ahead:
    """Return a function that tells the contract turned up, the number of cards to draw, and ``said``."""

    def ahead(view: GrandTrunkView, command: Any, at: str) -> list[Sentence]:
        own, told = view.own, _turned_up(view, command, at)
        if own is not None and own.hand is not None and (count := drawn(own, len(own.hand), command)):
            told.append(Sentence("You draw up to {count:card|cards}.", {"count": count}))
        return [*told, *([said] if said else [])]

    return ahead


def _railcars_of(view: GrandTrunkView, told: Told) -> Told:
    """Add the railcars that carry a good, if the good is named without a railcar."""
    if told.of(CARD) or view.own is None:
        return told
    return told.beside(CARD, [it.card for it in view.own.railcars if it.good in told.of(GOOD)])


def _loaded(own: SeatView, railcar: str) -> dict[str, One]:
    """Return a railcar of the train, and the good on it."""
    good = next(str(it.good) for it in own.railcars if it.card == railcar)
    return {"good": One(GOOD, good), "railcar": One(CARD, railcar)}


# ==== the lines ===================================================================================
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


def _moved_to(own: SeatView, it: c.MoveTrain) -> Pointed:
    more = (*((it.right_of_way,) if it.right_of_way else ()), *((places.SLOWLY,) if it.decline_fast else ()))
    return (it.to, it.card), more


def _takes(view: GrandTrunkView, command: c.MoveTrain, action: Action) -> Sentence | None:
    """Return the days that a move takes, and the goods that the place takes."""
    facts = action.sentence.facts
    if goods := _taken(view, command.to, facts.get("days", 0)):
        return Sentence("{days:day|days}, takes {goods}", {**facts, "goods": goods})
    return _costs(view, command, action)


def _taken(view: GrandTrunkView, id: str, days: int) -> tuple[str, ...]:
    """GTJ 6.2, 6.6, 7.4, 13.5 Return the goods on the train that a place takes now, on demand or by contract."""
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


# ==== the records =================================================================================
UNLOAD, COUPLE, BUY = (
    Verb(Sentence("unload"), "GTJ 6.2"),
    Verb(Sentence("couple | add | attach"), "GTJ 8.3"),
    Verb(Sentence("buy | take"), "GTJ 12.8"),
)
"""Verbs that two commands share."""

COMMANDS = (
    _plain(
        c.ChooseFirstRailcar,
        "start",
        (Verb(Sentence("start | begin"), "GTJ 2.11"),),
        Sentence("start {card} with {good}"),
        {"card": CARD, "good": GOOD},
        ahead=_then(Sentence("You choose last. All first railcars are revealed, and the game begins.")),
    ),
    _face(
        c.MoveTrain,
        "move",
        (Verb(Sentence("move | go | travel | drive | ride"), "GTJ 5.3"),),
        (MOVE, MOVE_SLOWLY, MOVE_BY_RIGHT, MOVE_BY_RIGHT_SLOWLY),
        _move,
        _moved_to,
        fields={"to": PLACE, "card": CARD},
        remark=_takes,
        hint=Sentence(
            "After a move, write one order per line for each thing you do there: “deliver coal”, “couple Box Car with "
            "wood”, “load wood”. Finish with “end turn”."
        ),
    ),
    _face(
        c.DeliverGood,
        "deliver",
        (Verb(Sentence("deliver | drop … off"), "GTJ 6.2"), UNLOAD),
        (DELIVER, DELIVER_ABROAD),
        _deliver,
        lambda own, it: ((it.railcar,), ("foreign_steel_contract",) if it.foreign_steel else ()),
        fields={"railcar": CARD},
        follows=_railcars_of,
    ),
    _face(
        c.FulfilContract,
        "contract",
        (Verb(Sentence("contract | fulfil | fulfill | meet | meet contract | fulfil contract"), "GTJ 7.3"), UNLOAD),
        (FULFIL,),
        _fulfil,
        lambda own, it: ((f"contract.{it.slot}", it.railcar), ()),
        fields={"railcar": CARD, "slot": NUMBER},
        follows=_railcars_of,
    ),
    _face(
        c.DumpGood,
        "dump",
        (Verb(Sentence("dump"), "GTJ 6.9", whole=True),),
        (DUMP,),
        _dump,
        lambda own, it: ((it.railcar, places.STOCK), ()),
        fields={"railcar": CARD},
        follows=_railcars_of,
    ),
    _plain(
        c.UncoupleRailcar,
        "uncouple",
        (Verb(Sentence("uncouple | drop | detach"), "GTJ 8.1"),),
        Sentence("uncouple {railcar}"),
        {"railcar": CARD},
    ),
    _plain(c.CoupleRailcar, "couple", (COUPLE,), Sentence("couple {card} with {good}"), {"card": CARD, "good": GOOD}),
    _face(
        c.CoupleFromSpur,
        "couple",
        (COUPLE,),
        (FROM_THE_SPUR,),
        _from_spur,
        _with("parking_spur"),
        fields={"good": GOOD},
    ),
    _plain(
        c.LoadGood,
        "load",
        (Verb(Sentence("load"), "GTJ 9.1"),),
        Sentence("load {good} on {railcar}"),
        {"good": GOOD, "railcar": CARD},
        order=("railcar", "good"),
    ),
    _face(
        c.PlayHighCapacityRailcar,
        "double",
        (Verb(Sentence("double"), "GTJ 11.5"),),
        (DOUBLE,),
        _double,
        _fields("card", "railcar"),
        fields={"railcar": CARD, "card": CARD},
    ),
    _plain(
        c.PlayInfluenceDemand,
        "swap",
        (Verb(Sentence("swap | exchange"), "GTJ 11.6"),),
        Sentence("swap {first}, {second} with {card}"),
        {"first": PLACE, "second": PLACE, "card": CARD},
        order=("card", "first", "second"),
        open=("first", "second"),
    ),
    _face(
        c.PlayOverlandTransport,
        "haul",
        (Verb(Sentence("haul | transport"), "GTJ 11.7"),),
        (HAUL,),
        _haul,
        _fields("card", "origin", "target"),
        fields={"origin": PLACE, "target": PLACE, "card": CARD},
        open=("card",),
    ),
    _plain(
        c.PlayRailYard,
        "yard",
        (Verb(Sentence("yard | rail yard"), "GTJ 11.8"),),
        Sentence("yard {railcar_card} with {good} by {card}"),
        {"railcar_card": CARD, "good": GOOD, "card": CARD},
        order=("card", "railcar_card", "good"),
        open=("card",),
    ),
    _plain(
        c.IncreaseForce,
        "force",
        (Verb(Sentence("force | increase force"), "GTJ 12.2"),),
        Sentence("force with {card}"),
        {"card": CARD},
    ),
    _plain(
        c.IncreaseSpeed,
        "speed",
        (Verb(Sentence("speed | increase speed"), "GTJ 12.4"),),
        Sentence("speed with {card}"),
        {"card": CARD},
    ),
    _face(
        c.BuildTerminal,
        "build",
        (Verb(Sentence("build | build terminal"), "GTJ 12.5"),),
        (BUILD, BUILD_AND_DISCARD),
        _build,
        lambda own, it: ((it.city, it.card), (places.TO_DISCARD,) if it.new_card == "discard" else ()),
        fields={"city": PLACE, "card": CARD},
        open=("card",),
    ),
    _plain(
        c.AcquireImprovement,
        "acquire",
        (
            Verb(Sentence("acquire"), "GTJ 12.8"),
            BUY,
        ),
        Sentence("acquire {improvement} with {card}"),
        {"improvement": IMPROVEMENT, "card": CARD},
        open=("card",),
    ),
    _plain(
        c.AcquireObjective,
        "objective",
        (
            Verb(Sentence("objective | take objective"), "GTJ 16.2"),
            BUY,
        ),
        Sentence("objective {objective} with {card}"),
        {"objective": OBJECTIVE, "card": CARD},
        open=("card",),
    ),
    _face(
        c.StoreOnSpur,
        "store",
        (Verb(Sentence("store | park"), "GTJ 13.16"),),
        (STORE,),
        _store,
        _with("parking_spur"),
        fields={"card": CARD},
    ),
    _face(
        c.DiscardFromSpur,
        "clear",
        (Verb(Sentence("clear"), "GTJ 13.16", whole=True),),
        (CLEAR,),
        _clear,
        lambda own, it: (("parking_spur", str(own.spur)), ()),
    ),
    _plain(
        c.UseRailroadCrane,
        "crane",
        (Verb(Sentence("crane | railroad crane"), "GTJ 13.17"),),
        Sentence("crane {card} with {good}"),
        {"card": CARD, "good": GOOD},
        _with("railroad_crane"),
    ),
    _plain(
        c.UseRoundhouse,
        "roundhouse",
        (Verb(Sentence("roundhouse"), "GTJ 13.18"),),
        Sentence("roundhouse {card}"),
        {"card": CARD},
        _with("roundhouse"),
        ahead=_then(drawn=lambda own, hand, it: 1),
    ),
    _plain(
        c.UseSemaphoreSignaling,
        "semaphore",
        (Verb(Sentence("semaphore | semaphore signaling | signal"), "GTJ 13.19"),),
        Sentence("semaphore {card}"),
        {"card": CARD},
        _with("semaphore_signaling"),
    ),
    _face(
        c.UseHiRoofBoxcar,
        "roof",
        (Verb(Sentence("roof | hi-roof | hi-roof boxcar"), "GTJ 13.15"),),
        (ROOF,),
        _roof,
        _with("hi_roof_boxcar"),
        fields={"railcar": CARD},
    ),
    _plain(
        c.EndTurn,
        "end",
        (Verb(Sentence("end turn | end | finish | finish turn | done"), "GTJ 10.1"),),
        Sentence("end turn"),
        {},
        ahead=_then(Sentence("This ends your turn."), lambda own, hand, it: max(own.hand_limit - hand, 0)),
    ),
    _face(
        c.PerformMaintenance,
        "maintenance",
        (Verb(Sentence("maintenance | maintain | perform maintenance"), "GTJ 14.1"),),
        (MAINTAIN, MAINTAIN_WITHOUT),
        _maintain,
        lambda own, it: ((), it.discard),
        deed=Sentence("Do maintenance"),
        open=("cards",),
        ahead=_then(
            Sentence("This ends your turn."), lambda own, hand, it: max(own.hand_limit - hand + len(it.discard), 0)
        ),
    ),
    _plain(
        c.Pass,
        "pass",
        (Verb(Sentence("pass"), "GTJ 15.3", whole=True),),
        Sentence("pass"),
        {},
        ahead=_then(Sentence("You take no more turns in this game.")),
    ),
)
ahead = ahead_of(COMMANDS, _turned_up)
