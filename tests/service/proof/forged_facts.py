"""Logs that a dishonest operator writes live, by kind: each is linked, follows from its secret, and was played by the
rules with false facts. `FORGERIES`: name -> the log. `HIDDEN_FROM_THE_SECOND`: those that the second verifier, which
has no rules, cannot find.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from domain import luck
from domain.clock import (
    CallTime,
    ClockStarted,
    ClockStopped,
    FreeSeat,
    MoveClocks,
    ReturnToSeat,
    StandIn,
    TakeOver,
)
from domain.lifecycle import (
    AgreeToRewind,
    CancelGame,
    CloseGame,
    GiveUpSeat,
    ProposeRewind,
    RefuseRewind,
    Resign,
    StartGame,
    TakeBack,
    TakeSeat,
    TimeOut,
)
from domain.messages import Command
from domain.pace import DAY, FAR, HOUR, MINUTE, Pace
from domain.sealed import CallWords, MoveWords, RevealWords
from tests.domain.table import raw
from tests.service.proof.live import NOON, PLAIN, WITH_DAYS, Lie, Live, also, of, without
from tests.toy import Choose, Stop, Walk

Forged = Callable[[], Live]
FORGERIES: dict[str, Forged] = {}
HIDDEN_FROM_THE_SECOND: set[str] = set()
NEVER = NOON + 1000 * DAY
HOURLY = replace(PLAIN, hour=20 * 60)
FIVE_DAYS = replace(PLAIN, days_off=(6, 7))
RENEWED = replace(PLAIN, renew=True)
EXCUSED = replace(PLAIN, excuse=True)
EARLIER = {"hourly": 9 * HOUR, "five days": 3 * DAY}
"""How much earlier is too early there: the pace spares up to that much."""
PACES = {"plain": PLAIN, "with days": WITH_DAYS, "hourly": HOURLY, "five days": FIVE_DAYS}


def forgery(name: str, made: Forged, *, hidden: bool = False) -> None:
    assert name not in FORGERIES
    FORGERIES[name] = made
    if hidden:
        HIDDEN_FROM_THE_SECOND.add(name)


# ==== ST 9: people asked about a rewind ===========================================================
def going_back(pace: Pace | None, seats: int, people: tuple[int, ...], bots: tuple[int, ...] = ()) -> Forged:
    def made() -> Live:
        live = Live(pace, seats, bots)
        live.choose_all()
        to = live.game.version - 1
        live.give(1, ProposeRewind(to, people, NEVER))
        for seat in people:
            live.give(seat, AgreeToRewind(to), live.cause_of(seat) if seat in live.people else "player")
        return live

    return made


for pace_name, each_pace in (("no pace", None), *PACES.items()):
    forgery(f"nobody is asked: {pace_name}", going_back(each_pace, 2, ()))
    forgery(f"one of two is asked: {pace_name}", going_back(each_pace, 3, (2,)))
forgery("the bot is not needed, the person is", going_back(PLAIN, 3, (), (3,)))
forgery("the bot is asked in the person's place", going_back(PLAIN, 3, (3,), (3,)))


def asked_again(kind: Callable[[Live, int], None]) -> Forged:
    """A seat that was open and is taken again is asked like any other."""

    def made() -> Live:
        live = Live()
        leader = live.choose_all()
        live.give(None, FreeSeat(leader), "service")
        live.at += HOUR
        kind(live, leader)
        live.give(3 - leader, ProposeRewind(live.table.floor, (), NEVER))
        return live

    return made


forgery("who is back is not asked", asked_again(lambda live, seat: live.give(seat, ReturnToSeat())))
forgery("the substitute is not asked", asked_again(lambda live, seat: live.give(None, TakeOver(seat))))


# ==== ST 12: clocks that start ====================================================================
def starting(pace: Pace, lie: Lie) -> Forged:
    """The clock of the seat that does not lead, when the next round begins."""

    def made() -> Live:
        live = Live(pace)
        live.at += HOUR
        leader = live.choose_all()
        live.at += MINUTE
        live.give(leader, Stop(), lie=lie)
        return live

    return made


def at_the_start(pace: Pace, lie: Lie) -> Forged:
    def made() -> Live:
        live = Live(pace, started=False)
        live.sit(1)
        live.sit(2)
        live.give(None, StartGame(), lie=lie)
        return live

    return made


for pace_name, each_pace in PACES.items():
    early, far = -EARLIER.get(pace_name, HOUR), 3 * FAR * DAY
    forgery(f"an answer without a clock: {pace_name}", starting(each_pace, without(ClockStarted)), hidden=True)
    forgery(
        f"one of two without a clock at the start: {pace_name}",
        at_the_start(each_pace, without(ClockStarted, 2)),
        hidden=True,
    )
    forgery(f"less than a turn: {pace_name}", starting(each_pace, of(ClockStarted, due=early)))
    forgery(f"less than a turn at the start: {pace_name}", at_the_start(each_pace, of(ClockStarted, 1, due=early)))
    forgery(f"due far beyond all calendars: {pace_name}", starting(each_pace, of(ClockStarted, due=far)))
    forgery(f"more in hand than there is: {pace_name}", starting(each_pace, of(ClockStarted, bank=HOUR, due=HOUR)))
    forgery(f"nothing in hand any more: {pace_name}", at_the_start(each_pace, of(ClockStarted, 2, bank=-4 * HOUR)))
forgery("a millisecond early", starting(PLAIN, of(ClockStarted, due=-1)))
forgery("a millisecond late", starting(PLAIN, of(ClockStarted, due=1)))
forgery("a millisecond early, with calendars", starting(WITH_DAYS, of(ClockStarted, due=-1)))
forgery("a week late by the hour", starting(HOURLY, of(ClockStarted, due=7 * DAY)))
forgery("a month late by five days a week", starting(FIVE_DAYS, of(ClockStarted, due=31 * DAY)))


def for_a_bot() -> Live:
    live = Live(PLAIN, 3, (3,), started=False)
    for seat in (1, 2, 3):
        live.sit(seat)
    live.give(None, StartGame(), lie=also(ClockStarted(3, live.at + DAY + 4 * HOUR, 4 * HOUR)))
    return live


forgery("a bot with a clock", for_a_bot)


# ==== ST 12: time in hand =========================================================================
def stopping(pace: Pace, lie: Lie, after: int = HOUR) -> Forged:
    def made() -> Live:
        live = Live(pace)
        live.at += after
        live.choose(1, lie=lie)
        return live

    return made


forgery("a gain twice", stopping(PLAIN, of(ClockStopped, 1, bank=HOUR)))
forgery("no gain", stopping(PLAIN, of(ClockStopped, 1, bank=-HOUR)))
forgery("a millisecond of the bank", stopping(PLAIN, of(ClockStopped, 1, bank=-1)))
forgery("a gain twice by the hour", stopping(replace(HOURLY, hour=None, days_off=()), of(ClockStopped, 1, bank=HOUR)))
forgery("a gain twice, with calendars", stopping(WITH_DAYS, of(ClockStopped, 1, bank=1)))
forgery("a gain twice by five days a week", stopping(FIVE_DAYS, of(ClockStopped, 1, bank=1)))
forgery("used up time is there again", stopping(PLAIN, of(ClockStopped, 1, bank=2 * HOUR), DAY + 2 * HOUR))
forgery(
    "used up time is there again, with calendars",
    stopping(WITH_DAYS, of(ClockStopped, 1, bank=2 * HOUR), DAY + 2 * HOUR),
)
forgery("a move gains nothing, with calendars", stopping(WITH_DAYS, of(ClockStopped, 1, bank=-5 * HOUR + 1)))


def renewed(lie: Lie) -> Forged:
    def made() -> Live:
        live = Live(RENEWED)
        leader = live.choose_all()
        live.at += HOUR
        live.give(leader, Walk(1), lie=lie)
        return live

    return made


forgery("a move renews less than a turn", renewed(of(ClockStarted, due=-1)))
forgery("a move renews more than a turn", renewed(of(ClockStarted, due=HOUR)))
forgery("a move that renews takes time in hand", renewed(of(ClockStarted, bank=-HOUR, due=-HOUR)))


def missed(pace: Pace, lie: Lie) -> Forged:
    def made() -> Live:
        live = Live(pace)
        leader = live.choose_all()
        live.at = live.table.clocks[leader] + HOUR
        live.give(None, CallTime(leader), "clock", lie)
        return live

    return made


forgery("an excuse leaves time in hand", missed(EXCUSED, of(ClockStarted, bank=HOUR, due=HOUR)))
forgery("an excuse is shorter than a turn", missed(EXCUSED, of(ClockStarted, due=-HOUR)))
forgery("an excuse is longer than a turn", missed(EXCUSED, of(ClockStarted, due=HOUR)))
forgery("who ran out of time has some in hand", missed(PLAIN, of(ClockStopped, bank=HOUR)))
forgery("a miss gains", missed(WITH_DAYS, of(ClockStopped, bank=HOUR)))


def taken_over(lie: Lie) -> Forged:
    def made() -> Live:
        live = Live()
        leader = live.choose_all()
        live.give(None, FreeSeat(leader), "service")
        live.at += HOUR
        live.give(None, TakeOver(leader), lie=lie)
        return live

    return made


forgery("a substitute has less than a turn", taken_over(of(ClockStarted, due=-1)))
forgery("a substitute has more than a turn", taken_over(of(ClockStarted, due=DAY)))
forgery("a substitute has what the other had", taken_over(of(ClockStarted, bank=HOUR, due=HOUR)))
forgery("a substitute has no clock", taken_over(without(ClockStarted)), hidden=True)


# ==== ST 12: after going back =====================================================================
def taken_back(lie: Lie, pace: Pace = PLAIN) -> Forged:
    """The leader has handed the turn on, and takes that back within the settle time."""

    def made() -> Live:
        live = Live(pace)
        leader = live.choose_all()
        live.at += HOUR
        ply = live.give(leader, Stop())
        live.choose(leader)
        live.at += MINUTE // 2
        live.give(leader, TakeBack(ply.number), lie=lie)
        return live

    return made


for pace_name, each_pace in PACES.items():
    forgery(f"taking back leaves another deadline: {pace_name}", taken_back(of(ClockStarted, due=1), each_pace))
    forgery(f"taking back leaves more in hand: {pace_name}", taken_back(of(ClockStarted, bank=1), each_pace))
    forgery(f"taking back takes time from the others: {pace_name}", taken_back(of(ClockStopped, bank=-1), each_pace))


def back(lie: Lie, pace: Pace = PLAIN, pause: int = HOUR) -> Forged:
    """Both go back to a position where both had a clock."""

    def made() -> Live:
        live = Live(pace)
        to = live.game.version
        live.at += pause
        leader = live.choose_all()
        live.at += HOUR
        live.give(leader, ProposeRewind(to, (3 - leader,), NEVER))
        live.give(3 - leader, AgreeToRewind(to), lie=lie)
        return live

    return made


for pace_name, each_pace in PACES.items():
    forgery(
        f"less than was left then: {pace_name}", back(of(ClockStarted, 1, due=-EARLIER.get(pace_name, DAY)), each_pace)
    )
    forgery(f"more in hand than then: {pace_name}", back(of(ClockStarted, 2, bank=1), each_pace))
    forgery(f"no clock after going back: {pace_name}", back(without(ClockStarted, 1), each_pace), hidden=True)
forgery("a millisecond less than was left then", back(of(ClockStarted, 1, due=-1)))
forgery("more than was left then", back(of(ClockStarted, 1, due=HOUR)))
forgery("far more than was left then", back(of(ClockStarted, 1, due=3 * FAR * DAY), WITH_DAYS))
forgery("less in hand than then", back(of(ClockStarted, 2, bank=-HOUR)))


# ==== ST 13: moved deadlines ======================================================================
def moving(
    pace: Pace, why: Any, by: int, lost: int = 0, seats: tuple[int, ...] = (1,), cause: str = "service"
) -> Forged:
    def made() -> Live:
        live = Live(pace)
        live.at += HOUR
        clocks = tuple((seat, live.time.running[seat].due + by) for seat in seats)
        live.give(None, MoveClocks(clocks, why, lost), "service", as_of=2)
        return live

    return made


forgery("away where absences do not count", moving(PLAIN, "away", 3 * DAY))
forgery("away where absences do not count, by the hour", moving(HOURLY, "away", 3 * DAY))
forgery("away, and due before a turn is over", moving(WITH_DAYS, "away", -1))
forgery("away, and due at once", moving(WITH_DAYS, "away", -DAY))
forgery("away for ever", moving(WITH_DAYS, "away", 3 * FAR * DAY))
forgery("away, with lost time", moving(WITH_DAYS, "away", DAY, HOUR))
forgery("less than was lost", moving(PLAIN, "outage", HOUR, 2 * HOUR, (1, 2)))
forgery("less than was lost, with calendars", moving(WITH_DAYS, "outage", 2 * HOUR - 1, 2 * HOUR, (1, 2)))
forgery("nothing of what was lost", moving(FIVE_DAYS, "outage", 0, 2 * HOUR, (1, 2)))
forgery("one of two gets what was lost", moving(PLAIN, "outage", HOUR, HOUR))
forgery("the other of two gets what was lost", moving(WITH_DAYS, "outage", HOUR, HOUR, (2,)))
forgery("more than was lost", moving(PLAIN, "outage", 2 * HOUR, HOUR, (1, 2)))
forgery("years for an hour that was lost", moving(WITH_DAYS, "outage", 3 * FAR * DAY, HOUR, (1, 2)))


# ==== ST 20: the wait for words ===================================================================
def words(seat: int) -> str:
    return luck.brought("", f"opened by {seat}")


def waiting(pace: Pace | None, wait: int, again: bool = False) -> Forged:
    """Sealed words are called for. ``again``: after a failed attempt."""

    def made() -> Live:
        live = Live(pace, sealed=True, started=False)
        long = 5 * DAY
        for seat in (1, 2):
            due = live.at + (long if again else wait)
            live.give(seat, _sits(seat, due), as_of=2)
        if again:
            live.give(1, RevealWords(words(1)))
            live.at += long
            live.give(None, CallWords(), "clock")
            live.give(2, _sits(2, live.at + wait), as_of=2)
        return live

    return made


def _sits(seat: int, due: int) -> Command:
    return TakeSeat(seat, raw("{}"), luck.brought("", words(seat)), False, due)


forgery("a day for words", waiting(None, DAY))
forgery("an hour for words", waiting(None, HOUR))
forgery("a millisecond less for words", waiting(None, 3 * DAY - 1))
forgery("less than a turn for words", waiting(PLAIN, DAY - 1))
forgery("an hour for words, with calendars", waiting(WITH_DAYS, HOUR))
forgery("years for words", waiting(None, 3 * FAR * DAY))
forgery("two turns for words, where all time counts", waiting(PLAIN, 2 * DAY))
forgery("an hour for words the second time", waiting(None, HOUR, again=True))


# ==== causes of commands ==========================================================================
def caused(prepare: Callable[[Live], tuple[int | None, Command]], cause: str, pace: Pace | None = PLAIN) -> Forged:
    def made() -> Live:
        live = Live(pace)
        seat, command = prepare(live)
        live.give(seat, command, cause)
        return live

    return made


def _led(command: Command) -> Callable[[Live], tuple[int, Command]]:
    return lambda live: (live.choose_all(), command)


def _chosen(live: Live) -> tuple[int, Command]:
    return 1, Choose(min(live.game.state.hands[1]))


def _walked(live: Live) -> tuple[int, Command]:
    leader = live.choose_all()
    return leader, TakeBack(live.give(leader, Walk(1)).number)


def _open(live: Live) -> int:
    leader = live.choose_all()
    live.give(None, FreeSeat(leader), "service")
    return leader


def _proposed(command: Callable[[int], Command]) -> Callable[[Live], tuple[int, Command]]:
    def prepare(live: Live) -> tuple[int, Command]:
        to = live.game.version
        live.choose_all()
        live.give(1, ProposeRewind(to, (2,), NEVER))
        return 2, command(to)

    return prepare


def _proposing(live: Live) -> tuple[int, Command]:
    live.choose_all()
    return 1, ProposeRewind(live.table.floor, (2,), NEVER)


def _late(live: Live) -> tuple[None, Command]:
    leader = live.choose_all()
    live.at = live.table.clocks[leader]
    return None, CallTime(leader)


def _lost(live: Live) -> tuple[None, Command]:
    return None, MoveClocks(
        tuple((seat, it.due + HOUR) for seat, it in sorted(live.time.running.items())), "outage", HOUR
    )


def _all_causes() -> Iterator[tuple[str, Callable[[Live], tuple[int | None, Command]], str]]:
    for cause in ("clock", "service"):
        yield "a move", _led(Stop()), cause
        yield "a hidden choice", _chosen, cause
    for cause in ("bot", "clock", "service"):
        yield "taking back", _walked, cause
        yield "a proposal", _proposing, cause
        yield "agreement", _proposed(AgreeToRewind), cause
        yield "a refusal", _proposed(lambda to: RefuseRewind()), cause
        yield "a return", lambda live: (_open(live), ReturnToSeat()), cause
        yield "a substitute", lambda live: (None, TakeOver(_open(live))), cause
        yield "a stand-in", lambda live: (None, StandIn(_open(live))), cause
    for cause in ("bot", "clock"):
        yield "resigning", lambda live: (1, Resign()), cause
    for cause in ("player", "bot", "service"):
        yield "calling time", _late, cause
    for cause in ("player", "bot", "clock"):
        yield "giving time back", _lost, cause
        yield "freeing a seat", lambda live: (None, FreeSeat(1)), cause
        yield "closing", lambda live: (None, CloseGame("other")), cause
    for cause in ("player", "bot", "clock", "service"):
        yield "timing out", lambda live: (1, TimeOut()), cause


for given, prepared, by in _all_causes():
    forgery(f"{given} by {by}", caused(prepared, by))
forgery("a move by service, without a pace", caused(_led(Stop()), "service", None))
forgery("taking back by bot, without a pace", caused(_walked, "bot", None))
forgery("a bot moves for a person", caused(_led(Stop()), "bot"))
forgery("a bot moves for a person, without a pace", caused(_led(Stop()), "bot", None))


def in_a_bots_place(prepare: Callable[[Live], Command], pace: Pace | None, cause: str = "player") -> Forged:
    """Two people and a bot with its own seat: somebody else acts in the bot's place."""

    def made() -> Live:
        live = Live(pace, 3, (3,))
        live.give(3, prepare(live), cause)
        return live

    return made


def _lowest(live: Live) -> Command:
    return Choose(min(live.game.state.hands[3]))


def _going_back(live: Live) -> Command:
    live.choose_all()
    return ProposeRewind(live.table.floor, (1, 2), NEVER)


for pace_name, each_pace in {"no pace": None, "plain": PLAIN}.items():
    forgery(f"a player moves for a bot: {pace_name}", in_a_bots_place(_lowest, each_pace))
    forgery(f"a player resigns for a bot: {pace_name}", in_a_bots_place(lambda _: Resign(), each_pace))
    forgery(
        f"a player asks in a bot's name to go back: {pace_name}",
        in_a_bots_place(_going_back, each_pace),
    )


def opened(given: str, cause: str) -> Forged:
    return lambda: Live(causes={given: cause})


for by in ("bot", "clock", "service"):
    forgery(f"a seat taken by {by}", opened("sit", by))
    forgery(f"the pace by {by}", opened("pace", by))
for by in ("bot", "clock"):  # the service starts rematches
    forgery(f"the start by {by}", opened("start", by))


def before_the_start(command: Command, cause: str, seat: int | None = None) -> Forged:
    def made() -> Live:
        live = Live(started=False)
        live.sit(1)
        live.give(seat, command, cause)
        return live

    return made


for by in ("bot", "clock"):
    forgery(f"cancelling by {by}", before_the_start(CancelGame(), by))
    forgery(f"giving a seat up by {by}", before_the_start(GiveUpSeat(), by, 1))


def in_words(command: Callable[[Live], tuple[int | None, Command]], cause: str) -> Forged:
    def made() -> Live:
        live = Live(None, sealed=True, started=False)
        for seat in (1, 2):
            live.give(seat, _sits(seat, live.at + 3 * DAY))
        seat_of, given = command(live)
        live.give(seat_of, given, cause)
        return live

    return made


def _over(live: Live) -> tuple[None, Command]:
    live.at += 3 * DAY
    return None, CallWords()


forgery("words called by player", in_words(_over, "player"))
forgery("words called by service", in_words(_over, "service"))
forgery("more time for words by player", in_words(lambda live: (None, MoveWords(live.at + 4 * DAY)), "player"))
forgery("words opened by bot", in_words(lambda live: (1, RevealWords(words(1))), "bot"))
forgery("words opened by service", in_words(lambda live: (1, RevealWords(words(1))), "service"))


# ==== ST 15: a paused game ========================================================================
def paused(seat: int, cause: str) -> Forged:
    """Two people and a bot: both people are absent, and the game moves all the same."""

    def made() -> Live:
        live = Live(replace(PLAIN, then="safe"), 3, (3,))
        for each in (1, 2):
            live.at = max(live.at, live.table.clocks.get(each, 0))
            if each in live.table.clocks:
                live.give(None, CallTime(each), "clock")
        while not live.time.paused:
            asked = [it for it in live.game.asked if it in live.people]
            if not asked:
                live.choose(3, "bot") if live.game.state.leader is None else live.give(3, Stop(), "bot")
                continue
            live.at = live.table.clocks[asked[0]]
            live.give(None, CallTime(asked[0]), "clock")
        live.choose(seat, cause) if seat in live.game.asked else live.give(seat, Choose(1), cause)
        return live

    return made


for by in ("clock", "service"):
    forgery(f"the game is paused, and a bot's seat moves by {by}", paused(3, by))
forgery("the game is paused, and a bot's seat moves by player", paused(3, "player"))
