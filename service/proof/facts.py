"""Checks of facts that hold in honest logs under any calendar: causes, people of a rewind, deadlines, time in hand.

Facts of the moment come from outside the rules (`domain.timekeeping`). A log holds them, but no calendars. This module
checks as much of them as possible, in a whole log and in the part that one reader sees. The second verifier does the
same (``bundle/verifier.js``). Rules are cited as in ``domain/HOUSE_RULES.md``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from domain.at_table import KEEPS_TO_THE_LEAST
from domain.clock import (
    BotPlaysOn,
    CallTime,
    Clock,
    ClockMoved,
    ClockPlaysOn,
    ClocksSetRight,
    ClockStarted,
    ClockStopped,
    FreeSeat,
    GamePaused,
    MissExcused,
    MoveClocks,
    PaceSet,
    ReturnToSeat,
    SeatOpened,
    SeatReturned,
    SeatTakenOver,
    SetPace,
    StandIn,
    StandInWaits,
    TakeOver,
    Time,
    TimeGivenBack,
    TimeRanOut,
)
from domain.lifecycle import (
    EVENTS,
    AgreeToRewind,
    CancelGame,
    CloseGame,
    GameCancelled,
    GameClosed,
    GameStarted,
    GiveUpSeat,
    OpenTable,
    OpenTable1,
    ProposeRewind,
    RefuseRewind,
    Resign,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    Rewound,
    SeatGivenUp,
    SeatRetired,
    SeatTaken,
    SeatTaken1,
    StartGame,
    Table,
    TableOpened,
    TableOpened1,
    TakeBack,
    TakenBack,
    TakeSeat,
    TakeSeat1,
    TimeOut,
    evolve_table,
)
from domain.messages import Command, Event, tag_of
from domain.pace import MINUTE, Pace, all_counts, latest, latest_deadline, wait
from domain.sealed import (
    CallWords,
    MoveWords,
    RevealWords,
    SealWords,
    SeatLost,
    WordsCalled,
    WordsRevealed,
    WordsSealed,
    WordsVoided,
)
from domain.seats import wait_for_words
from domain.timekeeping import LEAST, SETS_RIGHT, is_least_kept, people_of
from domain.words import Sentence
from service.proof.order import Disorder, ShownPly
from service.proof.verdicts import Deed, Remarks, WhatDeed

# ==== causes of commands ==========================================================================
MOVES: Final = frozenset({"player", "bot"})
"""The causes of a title's own commands."""
_BY_HAND, _BY_THE_SERVICE, _BY_THE_CLOCK = frozenset({"player"}), frozenset({"service"}), frozenset({"clock"})
_BY_EITHER = _BY_HAND | _BY_THE_SERVICE

GIVEN_BY: Mapping[type[Command], frozenset[str]] = {
    OpenTable1: _BY_EITHER, OpenTable: _BY_EITHER, SetPace: _BY_EITHER, TakeSeat1: _BY_HAND, TakeSeat: _BY_HAND,
    GiveUpSeat: _BY_HAND, SealWords: _BY_HAND, RevealWords: _BY_HAND, CallWords: _BY_THE_CLOCK,
    MoveWords: _BY_THE_SERVICE, StartGame: _BY_EITHER, CancelGame: _BY_EITHER, Resign: _BY_EITHER, TakeBack: _BY_HAND,
    ProposeRewind: _BY_HAND, AgreeToRewind: _BY_HAND, RefuseRewind: _BY_HAND, MoveClocks: _BY_THE_SERVICE,
    CallTime: _BY_THE_CLOCK, ReturnToSeat: _BY_HAND, TakeOver: _BY_HAND, StandIn: _BY_HAND, CloseGame: _BY_THE_SERVICE,
    FreeSeat: _BY_THE_SERVICE, TimeOut: frozenset(),
}  # fmt: skip
"""Command of the table -> the causes that can give it. All other commands are a title's, and given by `MOVES`."""
BY_VERSION_1: Mapping[type[Command], frozenset[str]] = {
    ReturnToSeat: frozenset({"player", "bot"}), TimeOut: frozenset({"player", "clock", "service"}),
}  # fmt: skip
"""The differing entries of version 1 of the rules."""


def causes_of(command: type[Command], rules: int) -> frozenset[str]:
    """The causes that can give a command of the table."""
    if rules == 1 and command in BY_VERSION_1:
        return BY_VERSION_1[command]
    return GIVEN_BY[command]


def _gives_no(what: Sentence | str, cause: str) -> Disorder:
    return Disorder(
        Sentence("a ply with the cause “{cause}” cannot contain {command}.", {"cause": cause, "command": what})
    )


BOTS_KEEP_THEIR_SEATS: Final = 3
"""The version of the rules since which no player moves for a bot's own seat: logs of release 0.2.0 have such moves."""


# ==== events of commands ==========================================================================
BROUGHT_BY: Mapping[type[Event], tuple[type[Command], ...]] = {
    TableOpened1: (OpenTable1,), TableOpened: (OpenTable,), SeatTaken1: (TakeSeat1,), SeatTaken: (TakeSeat,),
    SeatGivenUp: (GiveUpSeat,), GameStarted: (StartGame, RevealWords), GameCancelled: (CancelGame,),
    GameClosed: (CloseGame,), SeatRetired: (Resign, TimeOut, CallTime), TakenBack: (TakeBack,),
    RewindProposed: (ProposeRewind,), RewindAgreed: (AgreeToRewind,), RewindRefused: (RefuseRewind,),
    Rewound: (ProposeRewind, AgreeToRewind), PaceSet: (SetPace,), ClockMoved: (MoveClocks,),
    TimeGivenBack: (MoveClocks,), ClocksSetRight: (MoveClocks,), TimeRanOut: (CallTime,), MissExcused: (CallTime,),
    ClockPlaysOn: (CallTime,), BotPlaysOn: (CallTime, StandIn), SeatOpened: (CallTime, FreeSeat),
    SeatTakenOver: (TakeOver,), WordsCalled: (TakeSeat, SealWords, MoveWords), WordsSealed: (SealWords,),
    WordsRevealed: (RevealWords,), SeatLost: (CallWords,), WordsVoided: (CallWords, GiveUpSeat),
}  # fmt: skip
"""Event of the table -> the commands that can cause it, about the same seat. Any command can cause the others."""
OF_TABLE: Final = frozenset(EVENTS)
_ABOUT_ANY_SEAT: Final = frozenset({CallWords, MoveClocks})
"""Commands whose events are about many seats, or seats that the command does not name."""


def _must_be_brought(ply: "WholePly", event: Event) -> None:
    """Check that an event of the table fits its command and is about the command's seat."""
    kind, command = type(event), ply.command
    if kind is SeatReturned:
        fits = event.seat == ply.seat  # type: ignore[attr-defined]
    elif (commands := BROUGHT_BY.get(kind)) is None:
        return
    else:
        about = getattr(command, "seat", ply.seat)
        seat = about if type(command) in _ABOUT_ANY_SEAT else getattr(event, "seat", about)
        fits = type(command) in commands and seat == about
    if not fits:
        raise Disorder(Sentence("{event} does not follow from the command.", {"event": tag_of(kind)}))


# ==== plies =======================================================================================
class GivenPly(ShownPly, Protocol):
    """A ply's command and its circumstances."""

    @property
    def cause(self) -> str: ...


class WholePly(GivenPly, Protocol):
    """A ply with its events."""

    @property
    def events(self) -> Sequence[Event]: ...


class Then(NamedTuple):
    """The target of a rewind. ``early`` and ``late``: bounds of the time of its ply."""

    table: Table | None
    early: int
    late: int


class _Span(NamedTuple):
    """A range from ``least`` to ``most``, both included."""

    least: int
    most: int

    def has(self, value: int) -> bool:
        return self.least <= value <= self.most


class Facts:
    """Checks the facts of a log ply by ply. ``short``: plies with a wait or a moved deadline below its minimum, of
    versions of the rules whose honest logs may have that (before 3). ``deeds``: those of the service, and of players in
    a bot's place.
    """

    def __init__(self) -> None:
        self._last: int | None = None  # the time of the ply before, if its reader may see it
        self._at: int | None = None
        self._opened_by = ""
        self.short: list[int] = []
        self.deeds: list[Deed] = []

    def remarks(self, table: Table | None) -> Remarks:
        """The remarks of a verdict. ``table``: the one at the end."""
        return Remarks(tuple(self.short), tuple(self.deeds), table is not None and table.time is not None)

    # ==== the command =============================================================================
    def given(self, table: Table | None, ply: GivenPly) -> None:
        """Check the command. ``table``: the one before it. Raises `Disorder`."""
        self._last, self._at = self._at, ply.at
        command = ply.command
        if command is not None and type(command) in GIVEN_BY:
            self._of_table(table, ply, command)
        elif ply.cause not in MOVES:
            raise _gives_no(Sentence("a move"), ply.cause)
        elif table is not None:
            self._move(table, ply)

    def _of_table(self, table: Table | None, ply: GivenPly, command: Command) -> None:
        if isinstance(command, OpenTable1 | OpenTable):
            self._opened_by = ply.cause
        not_here = isinstance(command, SetPace) and ply.cause == "service" != self._opened_by  # ST 21
        if not_here or ply.cause not in causes_of(type(command), ply.rules):
            raise _gives_no(tag_of(type(command)), ply.cause)
        if table is None:
            return
        self._must_have_the_seat(table, ply)
        if isinstance(command, CallWords | MoveWords):
            _must_be_time_for_words(table, ply.at, command)
        elif isinstance(command, ProposeRewind):
            _must_ask_all(table, ply.seat, command)
        elif isinstance(command, MoveClocks) and table.time is not None:
            self._moved(table.time, ply, command)
        if (deed := _deed_of(command, ply.cause)) is not None:
            self.deeds.append(Deed(deed, ply.number))

    def _move(self, table: Table, ply: GivenPly) -> None:
        """Check a title's command, or one that the reader may not see. Nearly all pass the first test."""
        chair = table.chairs.get(ply.seat or 0)
        if table.time is None and chair is not None and chair.bot == (ply.cause == "bot"):
            return
        self._must_have_the_seat(table, ply)
        _must_be_somebody_there(table, ply)

    def _must_have_the_seat(self, table: Table, ply: GivenPly) -> None:
        """Check that a player's seat is no bot's own, and was taken back from a stand-in (ST 15, ST 16)."""
        if ply.cause != "player" or table.status != "running" or ply.seat is None:
            return
        time, chair = table.time, table.chairs.get(ply.seat)
        if time is not None and ply.seat in time.absent and not isinstance(ply.command, ReturnToSeat | Resign):
            raise Disorder(Sentence("a person moves for seat {seat} without taking it back first.", {"seat": ply.seat}))
        if chair is None or not chair.bot:
            return
        if ply.rules >= BOTS_KEEP_THEIR_SEATS:
            raise Disorder(
                Sentence("a person moves for seat {seat}, although that seat belongs to a bot.", {"seat": ply.seat})
            )
        self.deeds.append(Deed("moved a bot", ply.number))

    def _moved(self, time: Time, ply: GivenPly, command: MoveClocks) -> None:
        """Check that deadlines move no farther than some calendar asks, and keep to their minimum (ST 13)."""
        seats = [seat for seat, _ in command.clocks]
        if not seats or seats != sorted(set(seats)) or not set(seats) <= set(time.running):
            raise Disorder(Sentence("a clock is moved although it is not running."))
        clocks = [(time.running[seat], due) for seat, due in command.clocks]
        if command.why == "set_right":
            _must_come_back_fairly(time, ply, clocks, command.lost)
            return
        if command.why == "away":
            if not time.pace.absences or command.lost:
                raise Disorder(Sentence("a clock waits for an absent player, although absences do not count here."))
            far = [max(latest(time.pace, ply.at, max(0, it.due - it.since)), it.least) for it, _ in clocks]
        else:
            far = [max(latest(time.pace, it.due, command.lost), ply.at + MINUTE) for it, _ in clocks]
            if command.lost <= 0 or any(due < it.due for it, due in clocks):
                raise Disorder(Sentence("time is taken away, although lost time should be given back."))
        if any(due + it.ahead <= ply.at for it, due in clocks):
            raise Disorder(Sentence("a deadline is moved into the past."))
        if any(due > most for (_, due), most in zip(clocks, far, strict=True)):
            raise Disorder(Sentence("a deadline is moved further than any calendar allows."))
        if not is_least_kept(time, command):
            self._is_short(ply, Sentence("a moved deadline is earlier than allowed."))

    def _is_short(self, ply: GivenPly, what: Sentence) -> None:
        if ply.rules >= KEEPS_TO_THE_LEAST:
            raise Disorder(what)
        self.short.append(ply.number)

    # ==== the events ==============================================================================
    def happened(self, table: Table | None, ply: WholePly, past: Callable[[int], Then]) -> Table | None:
        """Check the events and return the table after. ``past``: the table after an earlier ply. Raises `Disorder`."""
        if not ply.at:
            self._at = None
        if isinstance(ply.command, MoveClocks):
            _must_move_as_asked(ply, ply.command)
        events = [it for it in ply.events if type(it) in OF_TABLE]  # those of the title are not about the table
        then = next((past(it.to) for it in events if isinstance(it, Rewound)), None)
        for event in events:
            _must_be_brought(ply, event)
            if table is not None:
                self._event(table, ply, event, then)
            table = evolve_table(table, event, ply.number, ply.at)
        return table

    def _event(self, table: Table, ply: WholePly, event: Event, then: Then | None) -> None:
        time = table.time
        match event:
            case WordsCalled():
                self._words(table, ply, event)
            case PaceSet() if table.status != "open":
                raise Disorder(Sentence("the pace changes although the game has begun."))
            case _ if time is None:
                return
            case ClockStarted():
                _must_be_a_persons(table, time, event.seat)
                bank, due = _started(time, ply, event, then)
                _must_be_in_hand(event.seat, event.bank, bank)
                _must_be_due(event.seat, event.due, due)
            case ClockStopped():
                _must_be_in_hand(event.seat, event.bank, _stopped(time, ply, event.seat, then))
            case StandInWaits() if event.until != ply.at + wait(time.pace):
                raise Disorder(
                    Sentence("the bot at seat {seat} does not wait as long as it has to.", {"seat": event.seat})
                )
            case ClocksSetRight():
                self._comes_back(ply, event)
            case TimeRanOut():
                clock = time.running.get(event.seat)
                if clock is None or event.due != clock.due or event.due > ply.at:
                    raise Disorder(Sentence("the time of seat {seat} has not run out.", {"seat": event.seat}))
            case SeatTakenOver() if event.seat not in time.vacant:
                raise Disorder(
                    Sentence(
                        "seat {seat} is taken over, although it is not open to a substitute.", {"seat": event.seat}
                    )
                )
            case GamePaused() if not table.older and set(event.seats) != people_of(table):
                raise Disorder(Sentence("the game is waiting for somebody other than its human players."))

    def _comes_back(self, ply: WholePly, event: ClocksSetRight) -> None:
        """Check that a log ahead of the clock stands still (ST 13)."""
        if event.ahead and self._last not in (None, ply.at):
            raise Disorder(
                Sentence(
                    "deadlines are shortened to correct a clock that ran fast, but moves were logged before the "
                    "correction."
                )
            )

    def _words(self, table: Table, ply: WholePly, event: WordsCalled) -> None:
        """Check that sealed words get a turn's time by some calendar, or more after a standstill (ST 20)."""
        if isinstance(ply.command, MoveWords):
            return
        least = wait_for_words(table)
        pace = table.pace or Pace(least)
        if event.due > latest_deadline(pace, ply.at, 0):
            raise Disorder(Sentence("players get more time to open their words than any calendar allows."))
        if event.due < ply.at + least:
            self._is_short(ply, Sentence("players get less time to open their words than for a turn."))


def _deed_of(command: Command | None, cause: str) -> WhatDeed | None:
    """The deed of an operator or of the service in a ply, if any."""
    match command:
        case FreeSeat():
            return "freed"
        case Resign() if cause == "service":
            return "resigned"
        case CloseGame():
            return "closed"
        case CancelGame() if cause == "service":
            return "cancelled"
        case MoveClocks(why="set_right"):
            return "set right"
        case MoveWords() | MoveClocks(why="outage"):
            return "gave time"
    return None


# ==== people ======================================================================================


def _must_ask_all(table: Table, seat: int | None, command: ProposeRewind) -> None:
    """Check that a proposal asks all players but bots and those away for good (ST 9)."""
    missing = people_of(table) - {*(table.time.absent if table.time else ()), *command.people, seat}
    if missing:
        raise Disorder(Sentence("seat {seat} is not asked to agree to the rewind.", {"seat": min(missing)}))


def _must_be_somebody_there(table: Table, ply: GivenPly) -> None:
    """Check that only people move in a paused game, and a bot only for itself or as a stand-in (ST 15)."""
    time = table.time
    if time is not None and time.paused and (ply.cause != "player" or ply.seat not in time.paused):
        raise Disorder(Sentence("a move in a paused game does not come from one of its human players."))
    if time is not None and ply.cause == "bot" and ply.at < time.waits.get(ply.seat or 0, 0):
        raise Disorder(Sentence("a stand-in bot moves before it has waited long enough."))
    chair = table.chairs.get(ply.seat or 0)
    stands_in = time is not None and ply.seat in time.bots
    if ply.cause == "bot" and chair is not None and not (table.older or chair.bot or stands_in):
        raise Disorder(Sentence("a bot moves for seat {seat}, although a person plays there.", {"seat": ply.seat}))


def _must_be_time_for_words(table: Table, at: int, command: CallWords | MoveWords) -> None:
    """Check that words are called only after their time, and that a standstill adds time (ST 20)."""
    due = table.sealed.due if table.sealed else None
    if due is None or (at < due if isinstance(command, CallWords) else command.due <= due):
        raise Disorder(Sentence("players get less time to open their words than they should."))


def _must_move_as_asked(ply: WholePly, command: MoveClocks) -> None:
    """Check that exactly the named deadlines move (ST 13)."""
    asked: list[Event] = [ClockMoved(seat, due) for seat, due in command.clocks]
    if command.why != "away":
        kind = TimeGivenBack if command.why == "outage" else ClocksSetRight
        asked = [kind(command.lost, command.clocks)]
    if [it for it in ply.events if isinstance(it, ClockMoved | TimeGivenBack | ClocksSetRight)] != asked:
        raise Disorder(Sentence("deadlines are not moved as the command says."))


def _must_come_back_fairly(time: Time, ply: GivenPly, clocks: Sequence[tuple[Clock, int]], ahead: int) -> None:
    """Check that clocks go back by at most the time given, and keep a quarter of a turn (ST 13)."""
    least = ply.at - ahead + time.pace.turn // 4
    fair = all(max(it.due - it.given, least) <= due < it.due for it, due in clocks)
    if ply.rules < SETS_RIGHT or ahead < 0 or not fair:
        raise Disorder(Sentence("a deadline is shortened by more than it was extended."))


def _must_be_a_persons(table: Table, time: Time, seat: int) -> None:
    """Check that a clock belongs to a person's seat in a game that is not over (ST 12)."""
    chair = table.chairs.get(seat)
    if chair is None or chair.left or chair.bot or seat in time.absent or time.paused:
        raise Disorder(Sentence("a clock starts for seat {seat}, although no person plays there now.", {"seat": seat}))


# ==== clocks ======================================================================================
def _must_be_in_hand(seat: int, bank: int, can_be: _Span) -> None:
    if not can_be.has(bank):
        raise Disorder(Sentence("the time in hand of seat {seat} is impossible.", {"seat": seat}))


def _must_be_due(seat: int, due: int, can_be: _Span) -> None:
    if not can_be.has(due):
        raise Disorder(Sentence("the clock of seat {seat} has an impossible deadline.", {"seat": seat}))


def _started(time: Time, ply: WholePly, event: ClockStarted, then: Then | None) -> tuple[_Span, _Span]:
    """The ranges of the time in hand and the deadline when a clock starts (ST 12; `domain.timekeeping` is exact)."""
    seat, pace, at = event.seat, time.pace, ply.at
    if then is not None:
        of_then = then.table.time if then.table else None
        if of_then is not None and (had := of_then.running.get(seat)) is not None:
            return _Span(had.bank, had.bank), _left_of_then(pace, at, had, then)
        return _fresh(pace, at, event.bank, _exactly(_bank_then(of_then, seat)))
    if _is(TakenBack, ply) and ply.seat == seat and seat in time.last and seat not in time.running:
        had = time.last[seat]
        return _exactly(had.bank), _exactly(max(had.due, at + LEAST))
    if any(isinstance(it, TimeRanOut) and it.seat == seat for it in ply.events):
        return _fresh(pace, at, event.bank, _exactly(0))
    if (running := time.running.get(seat)) is not None:
        return _fresh(pace, at, event.bank, _left(pace, at, running))
    return _fresh(pace, at, event.bank, _exactly(time.bank(seat)))


def _exactly(value: int) -> _Span:
    return _Span(value, value)


def _fresh(pace: Pace, at: int, bank: int, banks: _Span) -> tuple[_Span, _Span]:
    """The ranges of a fresh clock: a turn's time plus the time in hand, and more if the pace spares some hours."""
    return banks, _Span(at + pace.turn + bank, latest_deadline(pace, at, bank))


def _left(pace: Pace, at: int, running: Clock) -> _Span:
    """The range of the time in hand that is not used up."""
    most = max(0, min(running.bank, running.due_in_log - at))
    return _Span(most if all_counts(pace) else 0, most)


def _left_of_then(pace: Pace, at: int, had: Clock, then: Then) -> _Span:
    """The range of the deadline from the time left then: at least a quarter of a turn, and five minutes."""
    quarter = pace.turn // 4
    least = max(had.due_in_log - then.late, quarter) if all_counts(pace) else quarter
    most = max(had.due_in_log - then.early, quarter)
    return _Span(at + max(least, LEAST), max(latest(pace, at, most), at + LEAST))


def _stopped(time: Time, ply: WholePly, seat: int, then: Then | None) -> _Span:
    """The range of the time in hand when a clock stops (ST 12)."""
    pace, running = time.pace, time.running.get(seat)
    if then is not None:
        return _exactly(_bank_then(then.table.time if then.table else None, seat))
    if running is None:
        raise Disorder(Sentence("seat {seat} has no running clock that could stop.", {"seat": seat}))
    if not pace.cap:
        return _exactly(time.bank(seat))
    if _is(TakenBack, ply):
        return _exactly(running.bank)
    gain = pace.gain if ply.seat == seat and ply.cause != "clock" else 0
    left = _left(pace, ply.at, running)
    return _Span(min(pace.cap, left.least + gain), min(pace.cap, left.most + gain))


def _bank_then(then: Time | None, seat: int) -> int:
    if then is None:
        return 0
    return then.running[seat].bank if seat in then.running else then.bank(seat)


def _is(kind: type[Event], ply: WholePly) -> bool:
    return any(isinstance(it, kind) for it in ply.events)
