"""The recipients of each kind of notice: the plies of a submission decide the recipients and the earliest time.

There is a function for each kind, named in `kinds`. If a seat must act twice in a row, it keeps its first notice. After
a rewind, the seats that must move are asked something new.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from domain.chain import Ply
from domain.clock import ClocksSetRight, FreeSeat, GamePaused, GameResumed, SeatOpened, SeatTakenOver, TimeRanOut
from domain.game import Game, advance, can_take_back
from domain.lifecycle import (
    CancelGame,
    CloseGame,
    RewindProposed,
    Rewound,
    SeatGivenUp,
    SeatRetired,
    SeatTaken,
    SeatTaken1,
    TakenBack,
)
from domain.messages import Event
from domain.sealed import SeatLost, WordsCalled


class Hearer(NamedTuple):
    """A person who gets a notice about a ply. ``seat``: None for the host as such, and for people who lost theirs.

    ``later``: milliseconds from now until it is due; ``key``: distinguishes notices of one ply and kind.
    """

    person_id: int
    seat: int | None
    ply: int
    later: int = 0
    key: str = ""


class Step:
    """A submission's effect on a game. ``were``, ``seats``: the rows of its seats before and after it.

    ``lost``: the people who lost their seat before the start; ``at``: now, in milliseconds.
    """

    def __init__(
        self,
        before: Game,
        after: Game,
        plies: Sequence[Ply],
        host_id: int | None,
        were: Sequence[Any],
        seats: Sequence[Any],
        lost: Sequence[int],
        at: int,
    ) -> None:
        self.before, self.after, self.plies, self.last = before, after, plies, plies[-1]
        self.host_id, self.were, self.seats, self.lost, self.at = host_id, were, seats, lost, at

    @cached_property
    def seated(self) -> list[Any]:
        """The seats with a present or former person."""
        return [it for it in self.seats if it.person_id is not None]

    @cached_property
    def persons(self) -> dict[int, int]:
        """The person at each seat. A player who has left is included only when the game is over."""
        persons = {it.seat: it.person_id for it in self.seated if it.left_at is None}
        if self.after.status == "over":
            for it in self.seated:
                if it.person_id not in persons.values():
                    persons[it.seat] = it.person_id
        return persons

    @cached_property
    def changed(self) -> bool:
        """Did the game begin, end or get cancelled?"""
        return self.before.status != self.after.status

    @cached_property
    def newly(self) -> set[int]:
        """The seats that are newly asked, without absent players, who get no notice."""
        asked = set(self.after.asked)
        called_for = any(isinstance(event, WordsCalled) for event in self.events)
        if not (self.rewound or called_for or self.changed):
            asked -= set(self.before.asked)
        time = self.after.table.time if self.after.table else None
        return asked - set(time.absent) if time else asked

    @property
    def events(self) -> Iterator[Event]:
        return (event for ply in self.plies for event in ply.events)

    @cached_property
    def proposal(self) -> "OfRewind | None":
        """The rewind proposal that stands now."""
        if self.rewound:
            return None
        firsts = ((ply.number, ply.events[0]) for ply in self.plies)
        return next((OfRewind(ply, frozenset(it.people)) for ply, it in firsts if isinstance(it, RewindProposed)), None)

    @cached_property
    def rewound(self) -> "OfRewind | None":
        """The ply of the rewind, and the last seat that agreed."""
        for ply in self.plies:
            if any(isinstance(event, Rewound) for event in ply.events):
                return OfRewind(ply.number, frozenset(() if ply.seat is None else (ply.seat,)))
        return None

    @cached_property
    def settle(self) -> int:
        """The milliseconds in which a turn can be taken back."""
        return self.after.table.settle if self.after.table else 0

    def at_seats(self, seats: Iterable[int], ply: int, later: int = 0) -> list[Hearer]:
        """Return the people at these seats."""
        return [Hearer(self.persons[seat], seat, ply, later) for seat in seats]

    def with_host(self, others: Mapping[int, int], at_the_table: Iterable[int], ply: int) -> list[Hearer]:
        """Return ``others`` (person to seat), and the host unless they sit at the table."""
        heard = [Hearer(who, seat, ply) for who, seat in others.items()]
        if self.host_id is None or self.host_id in at_the_table:
            return heard
        return [*heard, Hearer(self.host_id, None, ply)]


class OfRewind(NamedTuple):
    """A ply that proposes a rewind, with the seats that must agree; or one that rewinds, with the last that agreed."""

    ply: int
    seats: frozenset[int]


# ==== players who must move =======================================================================
def turn(step: Step) -> list[Hearer]:
    """Return each seat that is asked now and was not before."""
    return _asked(step) if step.after.status == "running" else []


def words(step: Step) -> list[Hearer]:
    """Return the people on whose sealed words the table waits, before the start."""
    return _asked(step) if step.after.status != "running" else []


def _asked(step: Step) -> list[Hearer]:
    newly = step.newly & step.persons.keys()
    if isinstance(step.last.events[0], TakenBack):
        newly -= {step.last.seat}  # the player who takes a turn back is at the table and knows
    if not newly:
        return []
    since = dict.fromkeys(newly, step.last.number) if len(step.plies) == 1 else _asked_since(step)
    return [Hearer(step.persons[seat], seat, since[seat], _later(step, seat)) for seat in sorted(newly)]


def _later(step: Step, seat: int) -> int:
    """Return the wait before the mail may leave: none, or until the ply that asks can no longer be taken back.

    The mail also waits for a seat that moved itself, and for one that a bot has just answered: they are probably still
    at the table, and if they move, they need no mail.
    """
    last = step.last
    can_go_back = last.seat is not None and bool(can_take_back(step.after, last.seat, step.at))
    at_the_table = last.seat == seat or last.cause == "bot"
    return step.settle + 1 if can_go_back or at_the_table else 0


def _asked_since(step: Step) -> dict[int, int]:
    """Return, for each seat, the ply that asked it; the last one if there are several."""
    since: dict[int, int] = {}
    game = step.before
    for ply in step.plies:
        following = step.after if ply is step.last else advance(game, ply)
        since |= {seat: ply.number for seat in following.asked if seat not in game.asked}
        game = following
    return since


def rewind(step: Step) -> list[Hearer]:
    """Return the people who must agree to a rewind."""
    if not (proposal := step.proposal):
        return []
    return step.at_seats(proposal.seats & step.persons.keys(), proposal.ply, step.settle + 1)


# ==== news for the table ==========================================================================
def started(step: Step) -> list[Hearer]:
    """Return all but the person who started the game. A seat that is asked at the start gets the turn's mail."""
    if not step.changed or step.after.status != "running":
        return []
    return step.at_seats(sorted(step.persons.keys() - step.newly - {step.last.seat}), step.last.number)


def over(step: Step) -> list[Hearer]:
    """Return all, also people who have left."""
    if not step.changed or step.after.status != "over":
        return []
    return step.at_seats(sorted(step.persons.keys() - step.newly), step.last.number)


def cancelled(step: Step) -> list[Hearer]:
    """Return all but the person who closed the table, with the host if an operator closed it."""
    if not step.changed or step.after.status != "cancelled":
        return []
    heard = step.at_seats(sorted(step.persons.keys() - step.newly - {step.last.seat}), step.last.number)
    sits = step.host_id in [it.person_id for it in step.seats]
    if step.host_id is not None and not sits and _closed_by_an_operator(step.last):
        heard.append(Hearer(step.host_id, None, step.last.number))
    return heard


def _closed_by_an_operator(ply: Ply) -> bool:
    """Did an operator close it, in mid-game or before? When hosts close a table, it is not the service that acts."""
    return isinstance(ply.command, CloseGame) or (isinstance(ply.command, CancelGame) and ply.cause == "service")


def rewound(step: Step) -> list[Hearer]:
    """Return all but the last seat that agreed and the seats that are asked now."""
    if not (back := step.rewound):
        return []
    return step.at_seats(sorted(step.persons.keys() - step.newly - back.seats), back.ply)


def timed_out(step: Step) -> list[Hearer]:
    """Return the people whose deadline passed."""
    persons = {it.seat: it.person_id for it in step.seated}
    late = [event.seat for event in _called(step) if isinstance(event, TimeRanOut) and event.seat in persons]
    return [Hearer(persons[seat], seat, step.last.number) for seat in late]


def sooner(step: Step) -> list[Hearer]:
    """Return the seats whose deadline became earlier, when the service's clock was corrected."""
    seats = [seat for event in step.last.events if isinstance(event, ClocksSetRight) for seat, _ in event.clocks]
    return step.at_seats([seat for seat in seats if seat in step.persons], step.last.number)


def seat_open(step: Step) -> list[Hearer]:
    """Return the other players and the host."""
    persons = {it.seat: it.person_id for it in step.seated}
    heard: list[Hearer] = []
    for event in _called(step):
        if isinstance(event, SeatOpened):
            others = {who: seat for seat, who in persons.items() if seat != event.seat}
            heard += step.with_host(others, persons.values(), step.last.number)
    return heard


def _called(step: Step) -> Sequence[Event]:
    """Return the events of a deadline, or of the host who enforced it."""
    called = step.last.cause == "clock" or isinstance(step.last.command, FreeSeat)
    return step.last.events if called else ()


def paused(step: Step) -> list[Hearer]:
    """Return all but the people whose deadline passed; another notice tells them."""
    return _of_pause(step, GamePaused)


def resumed(step: Step) -> list[Hearer]:
    """Return all but the player who came back and the seats that are asked now."""
    return _of_pause(step, GameResumed)


def _of_pause(step: Step, kind: type[Event]) -> list[Hearer]:
    """Return the people who hear of a pause or its end, if the plies' first such event is of this kind."""
    of_pauses = (
        (ply, event) for ply in step.plies for event in ply.events if isinstance(event, (GamePaused, GameResumed))
    )
    ply, event = next(of_pauses, (step.last, None))
    if not isinstance(event, kind) or step.after.status != "running":
        return []
    know = step.newly | (_late(ply) if kind is GamePaused else _came_back(ply))
    others = {who: seat for seat, who in step.persons.items() if seat not in know}
    return step.with_host(others, step.persons.values(), ply.number)


def _late(ply: Ply) -> set[int]:
    return {it.seat for it in ply.events if isinstance(it, TimeRanOut)}


def _came_back(ply: Ply) -> set[int]:
    came = {it.seat for it in ply.events if isinstance(it, SeatTakenOver)}
    return came if ply.seat is None else {*came, ply.seat}


def seat_lost(step: Step) -> list[Hearer]:
    """Return the people who lost a seat before the start; they no longer have one."""
    return [Hearer(person, None, step.last.number) for person in step.lost]


# ==== notices for the host ========================================================================
def full(step: Step) -> list[Hearer]:
    """Return the host, when another person, or a bot, has taken the last free seat.

    The host's own action is no news to them. If they are asked for sealed words, that notice tells them.
    """
    before, after = step.before.table, step.after.table
    if not _hosted(step) or before is None or before.full or after is None or not after.full:
        return []
    taken = {event.seat for event in step.events if isinstance(event, (SeatTaken1, SeatTaken))}
    sat_down = any(it.seat in taken and it.person_id not in (None, step.host_id) for it in step.seats)
    told = any(it.seat in step.after.asked and it.person_id == step.host_id for it in step.seats)
    return _host(step, step.last.number) if sat_down and not told else []


def left(step: Step) -> list[Hearer]:
    """Return the host, when others have left."""
    if not _hosted(step):
        return []
    for ply in step.plies:
        seats = {event.seat for event in ply.events if isinstance(event, LEAVINGS)}
        people = [it.person_id for it in step.were if it.seat in seats and it.person_id not in (None, step.host_id)]
        if people:
            return _host(step, ply.number, key_of(people))
    return []


LEAVINGS = (SeatGivenUp, SeatLost, SeatRetired)


def _hosted(step: Step) -> bool:
    return step.host_id is not None and step.after.status in ("open", "running")


def _host(step: Step, ply: int, key: str = "") -> list[Hearer]:
    """Return the host as such, whether they sit at the table or not."""
    assert step.host_id is not None
    return [Hearer(step.host_id, None, ply, 0, key)]


LONGEST_KEY = 64


def key_of(people: Sequence[int]) -> str:
    """Return the key of a notice about people: their numbers, as many as fit."""
    key = "."
    for person in people:
        if len(key) + len(f"{person}.") <= LONGEST_KEY:
            key += f"{person}."
    return key


def people_in(key: str) -> list[int]:
    """Return the people that a notice is about, by its key."""
    return [int(number) for number in key.split(".") if number]
