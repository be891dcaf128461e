"""Facts of the moment in a log: impossible deadlines, people and causes are found (`service.proof.facts`)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chain import StoredPly
from domain.clock import FreeSeat, MoveClocks
from domain.lifecycle import CloseGame, TakeBack
from domain.messages import tag_of
from domain.pace import DAY, HOUR, Calendar, Pace, after, deadline, latest, latest_deadline
from domain.play import HOUSE_RULES
from domain.refusal import Refused
from service.proof import facts
from service.proof.audit import Evidence, verify
from service.proof.bundle.prove import prove_file
from service.proof.verdicts import say
from tests.service.proof import honest
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript, loaded
from tests.service.proof.forged_facts import FORGERIES, HIDDEN_FROM_THE_SECOND
from tests.service.proof.live import ID, PLAIN, SECRET, WITH_DAYS, Live
from tests.toy import TITLE, Walk


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


# ==== forged ======================================================================================
@pytest.mark.parametrize("name", FORGERIES)
def test_both_programs_refuse_facts_that_no_honest_service_writes(javascript: JavaScript, name: str) -> None:
    raw = FORGERIES[name]().closed().file()
    ours, theirs = bundles.faults(javascript, raw)
    assert ours is not None, "the program believes it"
    assert (theirs is None) == (name in HIDDEN_FROM_THE_SECOND)
    assert theirs is None or ours.ply == theirs.ply
    assert not prove_file(raw, bundles.ALL).proved


@pytest.mark.parametrize("name", [name for name in FORGERIES if name not in HIDDEN_FROM_THE_SECOND])
def test_it_is_refused_in_a_running_game_too(javascript: JavaScript, name: str) -> None:
    """Every reader's proof finds it: no hidden choice is in the way here."""
    live = FORGERIES[name]()
    if live.game.status not in ("open", "running"):
        return
    for seat in (None, 1, 2):
        ours, theirs = bundles.faults(javascript, live.file(seat))
        unseen = live.plies[-1].hidden and seat != live.plies[-1].seat
        assert unseen or None not in (ours, theirs), (seat, str(ours), str(theirs))


def test_the_service_writes_none_of_it_in_the_store_either() -> None:
    """Games of a store are proved by the same facts."""
    live = FORGERIES["nobody is asked: plain"]()
    report, _ = verify(Evidence(ID, TITLE, _log(live), SECRET))
    assert "seat 2 is not asked to agree to the rewind" in str(report.faults[0])


def _log(live: Live) -> list[StoredPly]:
    return live.log()


def test_a_verdict_tells_a_refusal_of_the_rules_in_words() -> None:
    """A seat takes back once more than it may; older rules would let it."""
    live = Live()
    leader = live.choose_all()
    for _ in range(21):
        ply = live.give(leader, Walk(1))
        live.give(leader, TakeBack(ply.number), as_of=2)
    fault = prove_file(live.closed().file(), bundles.ALL).fault
    assert fault is not None
    at = live.game.version - 1
    assert say(fault.said).startswith(
        f"Ply {at}: the rules refuse its command: ST 7: You have taken back 20 times. You can do so again once "
    )
    assert say(fault.said, "de").startswith(f"Zug {at}: die Regeln lehnen seinen Befehl ab: ST 7: Du hast ")
    assert "20" in say(fault.said, "de")


def test_version_3_refuses_deadlines_that_move_too_little() -> None:
    live = Live(WITH_DAYS)
    live.at += HOUR
    due = {seat: it.due for seat, it in live.time.running.items()}
    for wrong in (
        MoveClocks(((1, due[1] - 1),), "away"),
        MoveClocks(((1, due[1] + HOUR),), "outage", HOUR),
        MoveClocks(((1, due[1] + HOUR), (2, due[2] + HOUR - 1)), "outage", HOUR),
    ):
        with pytest.raises(Refused, match="ST 13"):
            live.give(None, wrong, "service")


# ==== honest ======================================================================================
@pytest.mark.parametrize("number", range(24))
def test_honest_games_are_proved_by_both(javascript: JavaScript, number: int) -> None:
    assert honest.alarms(javascript, honest.Honest(number).play()) == []


def test_honest_games_hold_what_can_happen() -> None:
    seen = {tag_of(type(it)) for number in range(24) for ply in honest.Honest(number).play().plies for it in ply.events}
    assert {
        "ClockMoved", "TimeGivenBack", "TimeRanOut", "MissExcused", "BotPlaysOn", "SeatOpened", "SeatReturned",
        "SeatTakenOver", "TakenBack", "Rewound", "StandInWaits", "SeatRetired", "GamePaused", "GameResumed",
        "ClocksSetRight", "WordsCalled", "WordsSealed", "WordsRevealed", "WordsVoided", "SeatLost", "SeatGivenUp",
        "TableOpened", "TableOpened.2",
    } <= seen  # fmt: skip


@pytest.mark.parametrize("number", range(40))
def test_no_calendar_gives_a_later_deadline(number: int) -> None:
    dice = honest.random.Random(number)
    pace, calendar = honest.pace(dice), honest.calendar(dice)
    if dice.random() < 0.3:
        calendar = replace(calendar, away=((1, 999_999),))
    at, bank = honest.NOON + dice.randrange(DAY), dice.randrange(pace.cap + 1)
    assert at + pace.turn + bank <= deadline(pace, calendar, at, bank) <= latest_deadline(pace, at, bank)
    assert at + bank <= after(pace, calendar, at, bank) <= latest(pace, at, bank)


# ==== named =======================================================================================
def below_the_least() -> Live:
    """A log with deadlines as release 0.2.0 moved them when waking hours changed in mid-turn."""
    live = Live(WITH_DAYS, rules=2)
    live.at += HOUR
    live.give(None, MoveClocks(((1, live.time.running[1].due - HOUR),), "away"), "service")
    return live.closed()


def test_plies_of_older_rules_below_the_least_are_named(javascript: JavaScript) -> None:
    raw = below_the_least().file()
    proof, theirs = prove_file(raw, bundles.ALL), javascript.verify(raw)
    assert (proof.fault, proof.proved, theirs["fault"]) == (None, True, None)
    (ply,) = proof.remarks.short
    assert list(theirs["short"]) == [ply]
    assert any(f"versions 1 and 2 of the rules ({ply}), a deadline is earlier" in say(it) for it in proof.verdict.notes)
    assert f"earlier than version 3 allows ({ply})" in javascript.verdict(theirs)
    assert f"({ply})" in javascript.verdict(theirs, "de")


def test_the_verdict_names_what_the_service_did_and_what_no_log_shows(javascript: JavaScript) -> None:
    live = Live(PLAIN, 3)
    live.give(None, FreeSeat(2), "service")
    clocks = tuple((seat, it.due + HOUR) for seat, it in sorted(live.time.running.items()))
    live.give(None, MoveClocks(clocks, "outage", HOUR), "service")
    live.give(None, CloseGame("conduct"), "service")
    raw = live.file()
    first = live.game.version - 2
    ours = [say(it) for it in prove_file(raw, bundles.ALL).verdict.notes]
    theirs = javascript.verdict(javascript.verify(raw))
    assert f"At 1 ply ({first}), an operator freed a seat." in ours
    assert any(it.startswith(f"At 1 ply ({first + 1}), an operator gave back time") for it in ours)
    assert f"At 1 ply ({first + 2}), an operator closed the game." in ours
    assert any("whose calendar set a deadline" in it for it in ours)
    for said in (
        f"freed a seat at ply {first}.",
        f"At ply {first + 1}, an operator gave back time",
        f"closed the game at ply {first + 2}.",
        "does not check whom the game waited for",
    ):
        assert said in theirs


# ==== one table ===================================================================================
def test_both_verifiers_have_one_table_of_causes(javascript: JavaScript) -> None:
    assert set(facts.GIVEN_BY) == set(HOUSE_RULES)

    def plain(table: Any) -> dict[str, set[str]]:
        return {tag_of(kind): set(causes) for kind, causes in table.items()}

    for name, table in (("GIVEN_BY", facts.GIVEN_BY), ("BY_VERSION_1", facts.BY_VERSION_1)):
        theirs = json.loads(javascript.value(f"JSON.stringify({name})"))
        assert {tag: set(causes.split()) for tag, causes in theirs.items()} == plain(table)


def test_a_pace_in_which_all_counts_has_one_deadline() -> None:
    pace, far_away = Pace(DAY, absences=False), Calendar("Asia/Kolkata", 600, 660, ((1, 999_999),))
    assert latest_deadline(pace, honest.NOON, 0) == deadline(pace, far_away, honest.NOON, 0) == honest.NOON + DAY
