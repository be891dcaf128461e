"""Events that their command cannot cause: both verifiers refuse them in running games, without rules.

An operator writes a ply that the rules would decide differently, and makes all links anew. In a finished game the
program decides every ply again. Here it has no secret, and the second verifier never has rules.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain import luck
from domain.clock import CallTime, FreeSeat, MoveClocks, ReturnToSeat, StandIn, TakeOver
from domain.lifecycle import TakeBack
from domain.messages import Command, tag_of
from domain.pace import DAY, HOUR, MINUTE, Pace
from domain.sealed import CallWords, MoveWords
from service.proof import facts
from service.proof.audit import Evidence, verify
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.bundles import edited, hashed_anew, lines_of
from tests.service.proof.bundle.javascript import JavaScript, loaded
from tests.service.proof.live import ID, NOON, PLAIN, SECRET, WITH_DAYS, Live
from tests.toy import TITLE, Stop, Walk

Shown = dict[str, Any]
Edit = Callable[[Shown], Shown]
Forged = Callable[[], tuple[Live, Edit]]
"""A game whose last ply is honest, and the ply to write in its place."""


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


# ==== lies about the last ply =====================================================================
def command(**facts: Any) -> Edit:
    return lambda shown: {**shown, "command": {**shown["command"], **facts}}


def event(place: int, **facts: Any) -> Edit:
    def edit(shown: Shown) -> Shown:
        events = [*shown["events"]]
        events[place] = {**events[place], **facts}
        return {**shown, "events": events}

    return edit


def also(tag: str, **facts: Any) -> Edit:
    return lambda shown: {**shown, "events": [*shown["events"], {"event": tag, **facts}]}


def only(told: Shown) -> Edit:
    return lambda shown: {**shown, "events": [told]}


def both(*edits: Edit) -> Edit:
    def edit(shown: Shown) -> Shown:
        for each in edits:
            shown = each(shown)
        return shown

    return edit


def cause(by: str) -> Edit:
    return lambda shown: {**shown, "cause": by}


def at(more: int) -> Edit:
    return lambda shown: {**shown, "at": shown["at"] + more}


# ==== games =======================================================================================
def given(why: str, lie: Callable[[list[list[int]]], Edit], pace: Pace = PLAIN) -> Forged:
    """Both clocks get an hour."""

    def made() -> tuple[Live, Edit]:
        live = Live(pace)
        live.at += HOUR
        clocks = tuple((seat, it.due + HOUR) for seat, it in sorted(live.time.running.items()))
        if why == "outage":
            live.give(None, MoveClocks(clocks, "outage", HOUR), "service")
        else:
            live.give(None, MoveClocks(clocks, "away"), "service")
        return live, lie([list(each) for each in clocks])

    return made


def less(by: int) -> Callable[[list[list[int]]], Edit]:
    return lambda clocks: event(0, clocks=[[seat, due - by] for seat, due in clocks])


def asked(clocks: list[list[int]], lost: int) -> Edit:
    return both(command(clocks=clocks, lost=lost), event(0, clocks=clocks, lost=lost))


def of_the_leader(edit: Callable[[int, Live], Edit]) -> Forged:
    """The leader walks, which everybody sees."""

    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN)
        leader = live.choose_all()
        live.at += MINUTE
        live.give(leader, Walk(1))
        return live, edit(leader, live)

    return made


def stands_in(edit: Callable[[int, Live], Edit]) -> Forged:
    """A stand-in leads, and walks when its wait is over."""

    def made() -> tuple[Live, Edit]:
        for missing in (1, 2):
            live = Live(PLAIN)
            live.give(None, FreeSeat(missing), "service")
            live.give(None, StandIn(missing))
            live.choose(missing, "bot")
            live.choose(3 - missing)
            if live.game.state.leader == missing:
                break
        live.at = live.time.waits[missing]
        live.give(missing, Walk(1), "bot")
        return live, edit(missing, live)

    return made


def freed(edit: Edit) -> Forged:
    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN, 3)
        live.give(None, FreeSeat(2), "service")
        return live, edit

    return made


def taken_over(edit: Edit) -> Forged:
    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN, 3)
        live.give(None, FreeSeat(2), "service")
        live.give(None, TakeOver(2))
        return live, edit

    return made


def in_words(last: Command, by: str, edit: Callable[[Live], Edit]) -> Forged:
    """Sealed words are awaited, and the last ply is about their time."""

    def made() -> tuple[Live, Edit]:
        live = Live(None, sealed=True, started=False)
        for seat in (1, 2):
            due = live.at + 3 * DAY if seat == 2 else None
            live.sit(seat, luck.brought("", f"{seat:064x}"), due)
        live.at += 3 * DAY + HOUR
        live.give(None, last, by)
        return live, edit(live)

    return made


def called(edit: Callable[[int, Live], Edit]) -> Forged:
    """The clock of seat 1 is called, and its seat opens."""

    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN, 3)
        live.at = live.table.clocks[1]
        live.give(None, CallTime(1), "clock")
        return live, edit(1, live)

    return made


def returned(edit: Edit) -> Forged:
    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN, 3)
        live.give(None, FreeSeat(2), "service")
        live.give(2, ReturnToSeat())
        return live, edit

    return made


def set_right(lie: Callable[[list[list[int]]], Edit], *, more: bool = False) -> Forged:
    """Both clocks got an hour and give it back. ``more``: they got another one, which stays."""

    def made() -> tuple[Live, Edit]:
        live = Live(PLAIN)
        for hours in (1, 2) if more else (1,):
            live.at += HOUR
            clocks = tuple((seat, NOON + DAY + 4 * HOUR + hours * HOUR) for seat in (1, 2))
            live.give(None, MoveClocks(clocks, "outage", HOUR), "service")
        back = tuple((seat, due - HOUR) for seat, due in clocks)
        live.give(None, MoveClocks(back, "set_right"), "service")
        return live, lie([list(each) for each in back])

    return made


def back_by(more: int) -> Callable[[list[list[int]]], Edit]:
    def lie(clocks: list[list[int]]) -> Edit:
        moved = [[seat, due - more] for seat, due in clocks]
        return both(command(clocks=moved), event(0, clocks=moved))

    return lie


def in_an_earlier_turn() -> tuple[Live, Edit]:
    """The hour was given to clocks that no longer run."""
    live, _ = set_right(lambda _: at(0))()
    leader = live.choose_all()
    live.give(leader, Stop())
    clocks = tuple((seat, it.due + HOUR) for seat, it in sorted(live.time.running.items()))
    live.give(None, MoveClocks(clocks, "outage", HOUR), "service")
    taken = [[seat, due - 2 * HOUR] for seat, due in clocks]
    lie = {"command": "MoveClocks", "clocks": taken, "why": "set_right", "lost": 0}
    told = {"event": "ClocksSetRight", "ahead": 0, "clocks": taken}
    return live, lambda shown: {**shown, "command": lie, "events": [told]}


def a_second_time() -> tuple[Live, Edit]:
    """The given hour comes back a second time, in place of another standstill."""
    live, _ = set_right(lambda _: at(0))()
    clocks = tuple((seat, it.due + HOUR) for seat, it in sorted(live.time.running.items()))
    live.give(None, MoveClocks(clocks, "outage", HOUR), "service")
    taken = [[seat, due - 2 * HOUR] for seat, due in clocks]
    lie = {"command": "MoveClocks", "clocks": taken, "why": "set_right"}
    told = {"event": "ClocksSetRight", "ahead": 0, "clocks": taken}
    return live, lambda shown: {**shown, "command": lie, "events": [told]}


FORGERIES: dict[str, Forged] = {
    "a millisecond more comes back than was given": set_right(back_by(1)),
    "two hours come back of one": set_right(back_by(HOUR)),
    "of two hours three come back": set_right(back_by(2 * HOUR), more=True),
    "what was given comes back twice": a_second_time,
    "what was given in an earlier turn comes back": in_an_earlier_turn,
    "less is given than was asked for": given("outage", less(HOUR)),
    "a standstill takes time": given(
        "outage", lambda clocks: asked([[seat, due - 2 * HOUR] for seat, due in clocks], -HOUR)
    ),
    "a standstill of no time": given("outage", lambda clocks: asked([[seat, due - HOUR] for seat, due in clocks], 0)),
    "a clock is given time twice": given("outage", lambda clocks: asked([clocks[0], *clocks], HOUR)),
    "a standstill for no clock": given("outage", lambda _: asked([], HOUR)),
    "another standstill than was asked for": given("outage", lambda _: event(0, lost=2 * HOUR)),
    "a standstill becomes an absence": given(
        "outage",
        lambda clocks: only({"event": "ClockMoved", "seat": 1, "due": clocks[0][1]}),
    ),
    "an absence for another seat than was asked for": given("away", lambda _: event(0, seat=2), WITH_DAYS),
    "an absence is forgotten": given(
        "away", lambda clocks: only({"event": "ClockMoved", "seat": 1, "due": clocks[0][1]}), WITH_DAYS
    ),
    "a deadline is moved in a move": of_the_leader(
        lambda seat, live: also("ClockMoved", seat=3 - seat, due=live.at + 1)
    ),
    "time is given back in a move": of_the_leader(
        lambda seat, live: also("TimeGivenBack", lost=HOUR, clocks=[[seat, live.at + 9 * DAY]])
    ),
    "a bot plays on after a move": of_the_leader(lambda seat, _: also("BotPlaysOn", seat=3 - seat)),
    "a seat opens after a move": of_the_leader(lambda seat, _: also("SeatOpened", seat=3 - seat)),
    "a seat is taken over after a move": of_the_leader(lambda seat, _: also("SeatTakenOver", seat=3 - seat)),
    "a seat leaves after a move": of_the_leader(lambda seat, _: also("SeatRetired", seat=3 - seat, why="timed_out")),
    "a move is withdrawn by a move": of_the_leader(
        lambda seat, live: also("TakenBack", seat=seat, plies=[live.game.version - 1])
    ),
    "somebody else comes back with a move": of_the_leader(lambda seat, _: also("SeatReturned", seat=3 - seat)),
    "the clock answers for somebody after a move": of_the_leader(lambda seat, _: also("ClockPlaysOn", seat=3 - seat)),
    "a miss is excused without one": of_the_leader(lambda seat, _: also("MissExcused", seat=seat)),
    "the pace is lifted after a move": of_the_leader(lambda *_: also("PaceSet", pace=None)),
    "the pace is lifted by its command": of_the_leader(
        lambda *_: lambda shown: {
            **shown, "seat": None, "command": {"command": "SetPace", "pace": None},
            "events": [{"event": "PaceSet", "pace": None}], "draws": [],
        }
    ),
    "a player moves for the bot that stands in": stands_in(lambda *_: cause("player")),
    "a bot that stands in does not wait": stands_in(lambda _, live: at(live.plies[-2].at - live.plies[-1].at)),
    "another seat than the freed one opens": freed(event(0, seat=3)),
    "a freed seat is played by a bot": freed(event(0, event="BotPlaysOn")),
    "a seat that was not open is taken over": taken_over(both(command(seat=3), event(0, seat=3))),
    "somebody else returns": returned(event(0, seat=3)),
    "another seat is called than was asked for": called(lambda *_: command(seat=2)),
    "the seat of another opens when time is over": called(lambda *_: event(1, seat=2)),
    "words are called too early": in_words(CallWords(), "clock", lambda _: at(-2 * HOUR)),
    "the time for words is taken": in_words(
        MoveWords(NOON + 5 * DAY), "service",
        lambda live: both(command(due=live.at - 2 * HOUR), event(0, due=live.at - 2 * HOUR)),
    ),
    "a seat is lost when time for words is given": in_words(
        MoveWords(NOON + 5 * DAY), "service", lambda _: also("SeatLost", seat=1)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_both_refuse_what_no_command_brings(javascript: JavaScript, name: str) -> None:
    live, lie = FORGERIES[name]()
    last = live.game.version
    for ended in (False, True):
        lines = lines_of((live.closed() if ended else live).file())
        assert bundles.faults(javascript, hashed_anew(lines)) == (None, None), "the game is honest"
        ours, theirs = bundles.faults(javascript, hashed_anew(edited(lines, last, lie)))
        assert (ours and ours.ply, theirs and theirs.ply) == (last, last), (ended, str(ours), str(theirs))


def test_both_verifiers_have_one_table_of_what_commands_bring(javascript: JavaScript) -> None:
    theirs = json.loads(javascript.value("JSON.stringify(BROUGHT_BY)"))
    ours = {tag_of(kind): {tag_of(each) for each in commands} for kind, commands in facts.BROUGHT_BY.items()}
    assert {tag: set(commands.split()) for tag, commands in theirs.items()} == ours


# ==== ST 7 ========================================================================================
def test_the_twenty_first_take_back_is_refused() -> None:
    """Even if version 2 decided the first ones: the count stands in the table."""
    live = Live(None, rules=2)
    leader = live.choose_all()
    for number in range(21):
        if number == 5:
            live.rules = 3
        live.give(leader, Walk(1))
        if number < 20:
            live.give(leader, TakeBack(live.game.version))
    live.give(leader, TakeBack(live.game.version), as_of=2)
    report, _ = verify(Evidence(ID, TITLE, live.log(), SECRET))
    assert report.faults[0].ply == live.game.version
    assert "ST 7" in str(report.faults[0])
