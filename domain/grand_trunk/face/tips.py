"""The tips of the Grand Trunk Journey, the most important first. The day chooses among the general ones."""

from collections.abc import Iterator
from pathlib import Path

from domain.grand_trunk.board import CONSTANTS, END_SPACE, WOOD_VALUES
from domain.grand_trunk.cards import FORCE_LEVELS
from domain.grand_trunk.view import ContractView, GrandTrunkView, PlaceView, SeatView
from domain.tips import Tip, usual
from domain.words import Sentence

USUAL = usual(Path(__file__).parents[1] / "data")
NEAR_THE_END = 30
"""Day of a seat from which the end is near."""
FAST_NEEDS = 3
"""Coal for a fast train (GTJ 12.4)."""
NAMED = 4
"""Places that a tip names at most."""


def _starting(view: GrandTrunkView) -> SeatView | None:
    """Return the viewer's seat at the start of its turn."""
    return view.own if view.stage == "start" else None


def _working(view: GrandTrunkView) -> SeatView | None:
    """Return the viewer's seat after its move."""
    return view.own if view.stage in ("unload", "uncouple", "load") else None


def _usable(view: GrandTrunkView, own: SeatView) -> Iterator[PlaceView]:
    """Yield the places that a train can go to, without its own (GTJ 5.4, 5.5)."""
    return (it for it in view.places if (it.port or it.terminal) and it.id != own.place)


def _takes(place: PlaceView, good: str) -> bool:
    """GTJ 6.2, 6.6"""
    full = good == "iron" and place.steel >= CONSTANTS.steel_limit_per_city
    return good in place.demand and not full


def _carried(own: SeatView) -> tuple[str, ...]:
    return tuple(dict.fromkeys(it.good for it in own.railcars if it.good))


# ==== the start ===================================================================================
def _first_railcar(view: GrandTrunkView) -> Sentence | None:
    if view.stage != "choosing":
        return None
    return Sentence(
        "You deliver a good where it is demanded. All choose in secret, and you can change your choice until the last "
        "has chosen."
    )


def _two_options(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or own.day:
        return None
    return Sentence(
        "You have two options: move the train, with all that follows, or do maintenance, which exchanges cards for a "
        "day."
    )


# ==== the end =====================================================================================
def _end_begun(view: GrandTrunkView) -> Sentence | None:
    if _starting(view) is None or not view.end_begun:
        return None
    return Sentence(
        "The end has begun, so you may pass. Each day that you are behind the leading marker is then worth a point."
    )


def _end_is_near(view: GrandTrunkView) -> Sentence | None:
    leader = max(view.seats, key=lambda it: it.day)
    if _starting(view) is None or leader.day < NEAR_THE_END:
        return None
    return Sentence(
        "The end begins when somebody ends a turn on day {end} or later. {seat} is on day {day}.",
        {"end": END_SPACE, "seat": leader.seat, "day": leader.day},
    )


# ==== before the move =============================================================================
def _after_an_action(view: GrandTrunkView) -> Sentence | None:
    if view.stage != "before":
        return None
    return Sentence("You have used an action before your move. Now you must still move in this turn.")


def _force(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    level = FORCE_LEVELS.get(own.force + 1) if own is not None else None
    if own is None or level is None or own.delivered["steel"] < level.steel_required:
        return None
    return Sentence(
        "Your delivered steel is enough for {force}. A Development card that increases Force lets you pull one more "
        "railcar.",
        {"force": f"force_{level.force}"},
    )


def _speed(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or own.fast or own.delivered["coal"] < FAST_NEEDS:
        return None
    return Sentence(
        "Your delivered coal is enough for a fast train. A Development card that increases Speed saves a day on your "
        "moves."
    )


def _contract(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None:
        return None
    carried, usable = _carried(own), {it.id for it in _usable(view, own)}
    open_ones = (it for it in view.contracts if it.met_by is None and it.good in carried and it.city in usable)
    it = next((it for it in open_ones if own.day < it.last_day), None)
    if it is None:
        return None
    return Sentence(
        "You carry {good}. If you unload it in {city} {window}, it meets a contract for {vp:point|points}.",
        {"good": it.good, "city": it.city, "window": _window(it), "vp": it.vp},
    )


def _window(it: ContractView) -> Sentence:
    if it.first_day == it.last_day:
        return Sentence("on day {first}", {"first": it.first_day})
    return Sentence("on days {first} to {last}", {"first": it.first_day, "last": it.last_day})


def _again(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    others = [it for it in view.seats if it is not own and not it.finished and not it.left]
    following = min(others, key=lambda it: it.day, default=None)
    if own is None or following is None or following.day - own.day < 2 or own.day % 4 > 1:
        return None
    return Sentence(
        "You are last on the time track, so you play again until you catch up with {seat} on day {day}.",
        {"seat": following.seat, "day": following.day},
    )


def _first_delivery(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or own.day % 4 not in (1, 2):
        return None
    for it in _usable(view, own):
        if it.first_delivery and any(_takes(it, good) for good in _carried(own)):
            return Sentence(
                "The first delivery in {city} scores {vp:point|points} more. A good on your train is demanded there.",
                {"city": it.id, "vp": it.first_delivery_vp},
            )
    return None


def _improvements(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or not own.improvements or own.day % 4 != 3:
        return None
    return Sentence(
        "At the end, your space on the wood track is the value of each of your improvements: now {vp:point|points}.",
        {"vp": WOOD_VALUES[own.wood]},
    )


def _usual(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or not 8 <= own.day < 20 or own.day % 4 != 2:
        return None
    seats = len(view.seats)
    return Sentence(
        "The most points win. Bots have about {turns} turns in a game, and win with about {points:point|points}.",
        {"turns": USUAL.of("turns", seats), "points": USUAL.of("winner", seats)},
    )


def _one_use(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None or own.day % 4 != 3:
        return None
    return Sentence("Each card serves only once: it leads to a place, becomes a railcar, or is played for its action.")


def _demanded(view: GrandTrunkView) -> Sentence | None:
    own = _starting(view)
    if own is None:
        return None
    for good in _carried(own):
        places = tuple(it.id for it in _usable(view, own) if _takes(it, good))
        if places:
            facts = {"good": good, "places": places[:NAMED]}
            return Sentence("You carry {good}. You can deliver it in {places}.", facts)
    return None


def _maintenance(view: GrandTrunkView) -> Sentence | None:
    if _starting(view) is None:
        return None
    return Sentence("Maintenance takes a day: you discard as many cards as you like and draw new ones.")


# ==== after the move ==============================================================================
def _unload_first(view: GrandTrunkView) -> Sentence | None:
    own = view.own if view.stage == "unload" else None
    if own is None or not any(_takes(view.place[own.place], good) for good in _carried(own)):
        return None
    return Sentence("Unload first: once you have uncoupled, coupled or loaded, you can unload nothing more.")


def _left_empty(view: GrandTrunkView) -> Sentence | None:
    own = _working(view)
    if own is None or all(it.good for it in own.railcars):
        return None
    return Sentence("A railcar that is still empty at the end of your turn goes to your discard pile.")


def _room(view: GrandTrunkView) -> Sentence | None:
    own = _working(view)
    if own is None or len(own.railcars) >= FORCE_LEVELS[own.force].railcars:
        return None
    return Sentence(
        "Your train can pull one more railcar. You couple a railcar from your hand together with a good from {place}.",
        {"place": own.place},
    )


def _draw(view: GrandTrunkView) -> Sentence | None:
    own = _working(view)
    if own is None:
        return None
    return Sentence("When you end your turn, you draw until you have {limit} cards.", {"limit": own.hand_limit})


TIPS = (
    Tip("GTJ 2.12", _first_railcar),
    Tip("GTJ 3.5", _two_options),
    Tip("GTJ 15.3", _end_begun),
    Tip("GTJ 15.1", _end_is_near),
    Tip("GTJ 5.10", _after_an_action),
    Tip("GTJ 12.2", _force),
    Tip("GTJ 12.4", _speed),
    Tip("GTJ 7.4", _contract),
    Tip("GTJ 3.4", _again),
    Tip("GTJ 6.3", _first_delivery),
    Tip("GTJ 15.7", _improvements),
    Tip("GTJ 15.8", _usual),
    Tip("GTJ 5.2", _one_use),
    Tip("GTJ 6.2", _demanded),
    Tip("GTJ 14.1", _maintenance),
    Tip("GTJ 5.1", _unload_first),
    Tip("GTJ 9.4", _left_empty),
    Tip("GTJ 8.4", _room),
    Tip("GTJ 10.1", _draw),
)
