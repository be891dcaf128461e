"""Deadlines that move back when a fast clock of the service is set right (ST 13): both verifiers accept possible ones
and find impossible ones, in finished and running games.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from domain.chain import first_link
from domain.clock import MoveClocks
from domain.lifecycle import CloseGame
from domain.pace import DAY, HOUR, Calendar, Pace
from service.proof.bundle.prove import prove_file
from service.proof.verdicts import say
from tests.domain.table import ANN, BOB, SECRET, TableForTwo
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.bundles import Lines, edited, hashed_anew, lines_of
from tests.service.proof.bundle.javascript import JavaScript
from tests.toy import TITLE, Choose

Edit = Callable[[dict[str, Any]], dict[str, Any]]
JUMP = 9 * DAY
PACE = Pace(DAY, bank=2 * HOUR, gain=HOUR, cap=4 * HOUR, absences=False, excuse=False)


@cache
def played(*, ended: bool, ahead: bool = True) -> tuple[TableForTwo, int]:
    """A game in which time for a jump of the clock was given and taken back, and the ply of the latter."""
    table = TableForTwo(pace=PACE, calendars={ANN: Calendar(), BOB: Calendar()}, older=False)
    due, present = table.game.table.clocks[ANN], table.at
    table.at += JUMP
    table.give(None, MoveClocks(((ANN, due + JUMP), (BOB, due + JUMP)), "outage", JUMP), "service")
    lead = table.at - present - HOUR
    if not ahead:
        table.at, lead = table.at + HOUR, 0
    quarter = table.at - lead + DAY // 4
    back = max(due, quarter)
    table.give(None, MoveClocks(((ANN, back), (BOB, back + HOUR)), "set_right", lead), "service")
    number = table.game.version
    table.give(ANN, Choose(table.hand(ANN)[0]))
    table.give(BOB, Choose(table.hand(BOB)[0]))
    if ended:
        table.give(None, CloseGame("wish"), "service")
    return table, number


def file_of(*, ended: bool, ahead: bool = True) -> tuple[bytes, int]:
    table, number = played(ended=ended, ahead=ahead)
    link, log = first_link("a-game"), []
    for ply in table.plies:
        log.append(TITLE.chain.store(ply, link, "a-game", SECRET))
        link = log[-1].link
    return bundles.bundle_of(TITLE, "a-game", SECRET, log, None if ended else BOB), number


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("ahead", [True, False])
def test_both_verifiers_take_deadlines_that_came_back(javascript: JavaScript, ended: bool, ahead: bool):
    raw, number = file_of(ended=ended, ahead=ahead)
    proof, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (proof.fault, theirs["fault"]) == (None, None)
    assert proof.proved == ended
    notes = " ".join(say(note) for note in proof.verdict.notes)
    assert f"At 1 ply ({number}), deadlines were moved earlier because the service's clock was corrected." in notes
    assert f"At ply {number}, deadlines were moved earlier" in javascript.verdict(theirs)


def told(**facts: Any) -> Edit:
    """Change facts in the command and, if it has them, in the event."""

    def edit(shown: dict[str, Any]) -> dict[str, Any]:
        command, (event, *others) = shown["command"], shown["events"]
        lead = facts.get("lost", event["ahead"])
        clocks = [[seat, due] for seat, due in (facts.get("clocks", lambda each: each)(event["clocks"]))]
        command = {**command, "clocks": clocks, "lost": lead}
        return {**shown, "command": command, "events": [{**event, "clocks": clocks, "ahead": lead}, *others]}

    return edit


def by(seat: int, change: int) -> Callable[[list[list[int]]], list[list[int]]]:
    return lambda clocks: [[each, due + change * (each == seat)] for each, due in clocks]


FORGERIES: dict[str, Edit] = {
    "farther than was given": told(clocks=by(ANN, -HOUR)),
    "by a millisecond more than was given": told(clocks=by(ANN, -1)),
    "not at all": told(clocks=by(ANN, JUMP)),
    "later than before": told(clocks=by(BOB, JUMP)),
    "below a quarter of a turn, by a clock that is right": told(lost=HOUR),
    "by a clock that is later than the log": told(lost=-HOUR),
    "one seat twice": told(clocks=lambda clocks: [clocks[0], clocks[0], clocks[1]]),
    "of a seat that there is not": told(clocks=lambda clocks: [*clocks, [3, clocks[0][1]]]),
    "of nobody": told(clocks=lambda clocks: []),
    "in other words than were asked for": lambda shown: {**shown, "command": {**shown["command"], "lost": 7}},
    "as a standstill": lambda shown: {**shown, "command": {**shown["command"], "why": "outage"}},
    "as an absence": lambda shown: {**shown, "command": {**shown["command"], "why": "away"}},
    "by a player": lambda shown: {**shown, "cause": "player"},
    "by a bot": lambda shown: {**shown, "cause": "bot"},
    "where the log goes on": lambda shown: {**shown, "at": shown["at"] + 1},
}


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("ended", [True, False])
def test_both_verifiers_find_deadlines_that_come_back_otherwise(javascript: JavaScript, forgery: str, ended: bool):
    raw, number = file_of(ended=ended)
    forged = hashed_anew(edited(lines_of(raw), number, FORGERIES[forgery]))
    ours, theirs = bundles.faults(javascript, forged)
    assert (ours and ours.ply, theirs and theirs.ply) == (number, number), (str(ours), str(theirs))


@pytest.mark.parametrize("ended", [True, False])
def test_by_older_rules_none_comes_back(javascript: JavaScript, ended: bool):
    raw, number = file_of(ended=ended)
    lines: Lines = lines_of(raw)
    for each in range(1, len(lines) - 1):
        lines = edited(lines, each, lambda shown: {**shown, "rules": 2})
    lines[0]["rules"] = 2
    ours, theirs = bundles.faults(javascript, hashed_anew(lines))
    assert (ours and ours.ply, theirs and theirs.ply) == (number, number), (str(ours), str(theirs))


def test_the_time_in_hand_is_computed_even_if_the_log_is_ahead(javascript: JavaScript):
    """The forger claims that the time was used up: the deadline lies before the time of the log."""
    raw, number = file_of(ended=True)
    for ply in (number + 1, number + 2):

        def used_up(shown: dict[str, Any]) -> dict[str, Any]:
            events = [{**it, "bank": PACE.gain} if it["event"] == "ClockStopped" else it for it in shown["events"]]
            return {**shown, "events": events}

        ours, theirs = bundles.faults(javascript, hashed_anew(edited(lines_of(raw), ply, used_up)))
        assert (ours and ours.ply, theirs and theirs.ply) == (ply, ply), (str(ours), str(theirs))
