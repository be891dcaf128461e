"""Proofs find each changed byte, each bent rule and each invented draw."""

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from domain import game as domain_game
from domain.chain import Ply, SealedPart, StoredPly, fingerprint, first_link
from domain.chance import NamedChance
from domain.lifecycle import TakeBack
from domain.title import Title
from service.cli.verify import prove_all
from service.database.store import NoSuchGame, Store
from service.proof.audit import Evidence, Report, game_ids, verify, verify_all, verify_game
from service.proof.verdicts import WRONG
from tests import toy
from tests.service.lanterns import ANN, NOON, game, give, lead, log, open_table, play_on, start, stored
from tests.toy import Stop, Walk, Whisper


@pytest.fixture
def finished(store: Store) -> tuple[Store, str]:
    """A finished game with sealed answers, hidden orders, draws and withdrawn plies."""
    game_id = start(store, seats=3, people=True)
    give(store, game_id, ANN, Whisper(42))
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, TakeBack(game(store, game_id).version))
    play_on(store, game_id)
    return store, game_id


def evidence(store: Store, game_id: str, title: Title = toy.TITLE) -> Evidence:
    return Evidence(game_id, title, log(store, game_id), stored(store, game_id).secret)


def the_fault(report: Report) -> tuple[int | None, str]:
    assert report.verdict.kind == "wrong"
    return report.faults[0].ply, str(report.faults[0])


# ==== honest logs =================================================================================
def test_a_finished_game_is_proved(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    report = verify_game(store, game_id)
    assert report.proved, report.faults
    plies = log(store, game_id)
    assert (report.links, report.decided, report.replayed) == (len(plies), len(plies), 0)
    assert report.parts == sum(len(ply.sealed) for ply in plies) > 10
    assert report.draws > 10
    assert report.status == "over"
    assert report.head == plies[-1].fingerprint


def test_a_running_an_open_and_a_cancelled_game_are_proved(store: Store) -> None:
    running, waiting = start(store), open_table(store)
    assert verify_game(store, running).proved
    assert verify_game(store, waiting).proved
    assert [report.game_id for report in verify_all(store, game_ids(store))] == game_ids(store)


def test_a_quick_proof_looks_at_chain_and_replay_only(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    report = verify_game(store, game_id, quick=True)
    assert (report.faults, report.verdict.kind, report.proved) == ((), "replayed", False)
    assert (report.links, report.decided, report.draws) == (report.replayed, 0, 0) == (len(log(store, game_id)), 0, 0)
    assert report.status == "over"
    honest = evidence(store, game_id)
    walk = first_with(honest, lambda ply: isinstance(ply.command, Walk))
    bent = forged(honest, walk.number, lambda ply: replace(ply, events=(replace(ply.events[0], steps=3),)))
    assert verify(bent, quick=True)[0].faults == ()  # a quick proof does not ask the rules
    nobody = forged(honest, walk.number, lambda ply: replace(ply, events=(replace(ply.events[0], seat=9),)))
    report, _ = verify(nobody, quick=True)
    assert the_fault(report)[0] == walk.number
    assert "cannot be applied" in the_fault(report)[1]
    plies = [*honest.plies[:7], replace(honest.plies[7], open=honest.plies[7].open + b" "), *honest.plies[8:]]
    assert the_fault(verify(replace(honest, plies=plies), quick=True)[0])[0] == 8


def test_an_unknown_game_cannot_be_proved(store: Store) -> None:
    with pytest.raises(NoSuchGame):
        verify_game(store, "nothing")


def test_fingerprints_from_mails_are_found_in_the_chain(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    plies = log(store, game_id)
    given = [plies[3].fingerprint, plies[-1].fingerprint.upper(), plies[7].link.hex()]
    assert list(verify_game(store, game_id, given).found.values()) == [4, len(plies), 8]
    report = verify_game(store, game_id, ["0123456789ab"])
    assert the_fault(report)[0] is None
    assert "No ply has the fingerprint 0123456789ab" in the_fault(report)[1]
    assert "is not a fingerprint" in the_fault(verify_game(store, game_id, ["0123"]))[1]
    assert "is not a fingerprint" in the_fault(verify_game(store, game_id, ["hello, world!"]))[1]


# ==== changed logs ================================================================================
def test_a_byte_changed_anywhere_is_found_and_its_ply_named(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    honest = evidence(store, game_id)
    dice = random.Random(5)
    for at, ply in enumerate(honest.plies):
        for changed in changed_bytes(ply, dice):
            plies = [*honest.plies[:at], changed, *honest.plies[at + 1 :]]
            report, _ = verify(replace(honest, plies=plies))
            assert the_fault(report)[0] == ply.number


def changed_bytes(ply: StoredPly, dice: random.Random) -> Sequence[StoredPly]:
    """The ply with one bit changed: in its open part, in its link, in each sealed part, and in a sealed part's seat."""
    one_bit = [replace(ply, open=flipped(ply.open, dice)), replace(ply, link=flipped(ply.link, dice))]
    for part in ply.sealed:
        for other in (replace(part, body=flipped(part.body, dice)), replace(part, seat=part.seat + 1)):
            sealed = tuple(other if each == part else each for each in ply.sealed)
            one_bit.append(replace(ply, sealed=sealed))
        one_bit.append(replace(ply, sealed=tuple(each for each in ply.sealed if each != part)))
    one_bit.append(replace(ply, sealed=(*ply.sealed, SealedPart(len(ply.sealed), 1, b'{"seat":1}'))))
    return one_bit


def flipped(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def test_a_missing_ply_is_named(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    honest = evidence(store, game_id)
    for at in (0, 4, len(honest.plies) - 2):
        report, _ = verify(replace(honest, plies=[*honest.plies[:at], *honest.plies[at + 1 :]]))
        assert the_fault(report)[0] == at + 1
        assert "missing" in the_fault(report)[1]
    assert "empty" in the_fault(verify(replace(honest, plies=[]))[0])[1]


def test_another_secret_is_found_at_the_first_ply(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    report, _ = verify(replace(evidence(store, game_id), secret=bytes(32)))
    assert the_fault(report)[0] == 1
    assert "secret" in the_fault(report)[1]


def test_a_log_under_another_games_name_is_found(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    report, _ = verify(replace(evidence(store, game_id), game_id="another"))
    assert the_fault(report)[0] == 1


# ==== an operator who forges a whole chain ========================================================
def forged(honest: Evidence, number: int, change: Any) -> Evidence:
    """The log with ply ``number`` changed and every link after it made to fit, as only the operator could."""
    title, link, plies = honest.title, first_link(honest.game_id), []
    for it in honest.plies:
        ply = title.chain.decode(it.open, it.sealed)
        made = title.chain.store(change(ply) if ply.number == number else ply, link, honest.game_id, honest.secret)
        plies.append(made)
        link = made.link
    return replace(honest, plies=plies)


def first_with(honest: Evidence, wanted: Any) -> Ply:
    plies = (honest.title.chain.decode(it.open, it.sealed) for it in honest.plies)
    return next(ply for ply in plies if wanted(ply))


def test_an_event_the_rules_do_not_make_is_found(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    walk = first_with(honest, lambda ply: isinstance(ply.command, Walk))
    bent = forged(honest, walk.number, lambda ply: replace(ply, events=(replace(ply.events[0], steps=3),)))
    report, _ = verify(bent)
    assert the_fault(report)[0] == walk.number
    assert "steps=3" in the_fault(report)[1]


def test_a_command_the_rules_refuse_is_found(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    walk = first_with(honest, lambda ply: isinstance(ply.command, Walk))
    report, _ = verify(forged(honest, walk.number, lambda ply: replace(ply, command=Walk(7))))
    assert the_fault(report)[0] == walk.number
    assert "TOY 3" in the_fault(report)[1]


def test_an_event_left_out_and_one_too_many_are_found(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    shown = first_with(honest, lambda ply: len(ply.events) > 2 and ply.number > 6)
    for change in (lambda ply: replace(ply, events=ply.events[:-1]), lambda ply: replace(ply, events=ply.events * 2)):
        assert the_fault(verify(forged(honest, shown.number, change))[0])[0] == shown.number


def test_a_draw_that_does_not_follow_from_the_secret_is_found(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    drawing = first_with(honest, lambda ply: ply.draws and ply.number > 6)

    def luckier(ply: Ply) -> Ply:
        lucky = tuple(replace(draw, picks=(8 - draw.picks[0],)) for draw in ply.draws)
        return replace(ply, draws=lucky)

    report, _ = verify(forged(honest, drawing.number, luckier))
    if all(draw.picks == (4,) for draw in drawing.draws):
        pytest.fail("choose another seed: these draws are their own mirror")
    assert the_fault(report)[0] == drawing.number
    assert "does not follow from the game's secret" in the_fault(report)[1]


def test_a_forged_chain_does_not_fit_the_fingerprints_in_players_mails(finished: tuple[Store, str]) -> None:
    """A forger of times and links can make a consistent chain. The fingerprints in mailboxes expose it."""
    honest = evidence(*finished)
    middle = len(honest.plies) // 2
    later = forged(honest, middle, lambda ply: replace(ply, at=ply.at + 1))
    assert verify(later)[0].proved
    mailed = honest.plies[-1].fingerprint
    assert verify(honest, [mailed])[0].proved
    assert not verify(later, [mailed])[0].proved


# ==== rules versions ==============================================================================
def test_plies_of_older_rules_are_replayed_and_their_draws_made_again(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    newer = replace(honest, title=toy.ruled(version=toy.TITLE.rules.version + 1, older={}))
    report, _ = verify(newer)
    assert (report.faults, report.verdict.kind, report.proved) == ((), "replayed", False)
    assert (report.decided, report.replayed) == (0, len(honest.plies))
    drawing = first_with(honest, lambda ply: ply.draws)

    def made_up(ply: Ply) -> Ply:
        return replace(ply, draws=(replace(ply.draws[0], picks=((ply.draws[0].picks[0] + 1) % 9,)), *ply.draws[1:]))

    report, _ = verify(forged(newer, drawing.number, made_up))
    assert the_fault(report)[0] == drawing.number


def test_a_running_game_goes_on_under_newer_rules_and_each_ply_names_its_own(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = start(store)
    old = game(store, game_id).version

    def stricter(state: Any, seat: int, command: Any, chance: NamedChance) -> Any:
        if isinstance(command, Walk) and command.steps > 1:
            raise toy.Refused("TOY 3", "{steps} steps are left.", steps=1)
        return toy.decide(state, seat, command, chance)

    monkeypatch.setitem(store.titles, "toy", toy.ruled(version=toy.TITLE.rules.version + 1, decide=stricter, older={}))
    leader = lead(store, game_id)
    with pytest.raises(toy.Refused):
        give(store, game_id, leader, Walk(2))
    give(store, game_id, leader, Walk(1), Stop())
    report = verify_game(store, game_id)
    assert (report.faults, report.proved) == ((), False)
    assert (report.replayed, report.decided) == (old, game(store, game_id).version - old)


def test_older_rules_that_the_title_still_knows_decide_their_own_plies(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(2), Stop())

    def stricter(state: Any, seat: int, command: Any, chance: NamedChance) -> Any:
        if isinstance(command, Walk) and command.steps > 1:
            raise toy.Refused("TOY 3", "{steps} steps are left.", steps=1)
        return toy.decide(state, seat, command, chance)

    then = toy.TITLE.rules.version
    newer = toy.ruled(version=then + 1, decide=stricter, older={then: {"decide": toy.decide}})
    monkeypatch.setitem(store.titles, "toy", newer)
    report = verify_game(store, game_id)
    assert report.proved
    assert (report.replayed, report.decided) == (0, game(store, game_id).version)
    monkeypatch.setitem(store.titles, "toy", replace(newer, rules=replace(newer.rules, older={then: {}})))
    assert "the rules refuse its command: TOY 3" in the_fault(verify_game(store, game_id))[1]


@pytest.mark.parametrize("rules", [0, -1, 1])
def test_a_last_ply_of_rules_that_nobody_decides_by_is_no_way_to_win(finished: tuple[Store, str], rules: int) -> None:
    """A forger with the secret rewrites the last ply and hashes it anew: versions begin at 1 and never fall."""
    honest = evidence(*finished)
    last = honest.plies[-1].number

    def won(ply: Ply) -> Ply:
        return replace(ply, rules=rules, events=(toy.Walked(1, 50), *ply.events))

    report, _ = verify(forged(honest, last, won))
    assert the_fault(report)[0] == last
    assert f"version {str(rules).replace(chr(45), chr(8722))} of the rules" in the_fault(report)[1]


def test_rules_this_program_does_not_know_are_told_of(finished: tuple[Store, str]) -> None:
    honest = evidence(*finished)
    newer = forged(honest, 3, lambda ply: replace(ply, rules=9))
    assert the_fault(verify(newer)[0]) == (
        3,
        "Ply 3: it was decided under version 9 of the rules; this program knows versions up to 3.",
    )


# ==== in the store ================================================================================
@dataclass
class Burglar:
    """Somebody who can write to the database past all triggers."""

    store: Store

    def do(self, statement: str, **values: Any) -> None:
        with self.store.write() as conn:
            if self.store.on_sqlite:
                for trigger in conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars():
                    conn.exec_driver_sql(f"DROP TRIGGER {trigger}")
            else:
                for table in ("ply", "sealed_part"):
                    conn.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            conn.execute(text(statement), values)


@pytest.mark.parametrize(
    ("statement", "ply", "words"),
    [
        ("UPDATE ply SET body = :bytes WHERE ply = 9", 9, "link"),
        ("UPDATE ply SET link = :bytes WHERE ply = 11", 11, "link"),
        ("UPDATE sealed_part SET body = :bytes WHERE ply = 5 AND part = 1", 5, "sealed part"),
        ("DELETE FROM sealed_part WHERE ply = 5 AND part = 0", 5, "sealed part 0 is missing"),
        ("UPDATE game SET version = version + 1", None, "plies are missing"),
        ("UPDATE game SET head = :bytes", -1, "last ply"),
        ("UPDATE game SET status = 'running'", None, "how far"),
        ("UPDATE seat_result SET total = total + 1 WHERE seat = 2", None, "result"),
        ("DELETE FROM seat_result", None, "result"),
        ("UPDATE game_secret SET secret = :bytes", 1, "secret"),
    ],
)
def test_a_burglars_changes_to_the_database_are_found(
    finished: tuple[Store, str], statement: str, ply: int | None, words: str
) -> None:
    store, game_id = finished
    last = game(store, game_id).version
    Burglar(store).do(
        statement
        + (" AND" if " WHERE" in statement else " WHERE")
        + (" game_id = :game" if "UPDATE game SET" not in statement else " id = :game"),
        game=game_id,
        **({"bytes": b"x" * 32} if ":bytes" in statement else {}),
    )
    where, said = the_fault(verify_game(store, game_id))
    assert where == (last if ply == -1 else ply)
    assert words in said


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("statement", "ply"),
    [
        ("UPDATE ply SET body = CAST(body AS TEXT) WHERE ply = 9", 9),
        ("UPDATE ply SET body = CAST(x'ff00' AS TEXT) WHERE ply = 9", None),
        ("UPDATE ply SET link = 'text' WHERE ply = 9", 9),
        ("UPDATE sealed_part SET body = 'text' WHERE ply = 5 AND part = 0", 5),
        ("UPDATE game_secret SET secret = 'text' WHERE true", None),
        ("UPDATE game SET head = 'text' WHERE true", -1),
        ("UPDATE game SET asked = 'no list' WHERE true", None),
        ("UPDATE game SET version = 'seven' WHERE true", None),
    ],
)
def test_a_value_of_the_wrong_type_is_a_fault_of_that_game_alone(
    finished: tuple[Store, str], statement: str, ply: int | None
) -> None:
    """SQLite accepts any value in any column."""
    store, game_id = finished
    other, last = start(store), game(store, game_id).version
    column = "id" if "UPDATE game SET" in statement else "game_id"
    Burglar(store).do(f"{statement} AND {column} = :game", game=game_id)
    reports = {report.game_id: report for report in verify_all(store, [game_id, other], processes=1)}
    assert the_fault(reports[game_id])[0] == (last if ply == -1 else ply)
    assert reports[other].proved
    assert prove_all(store, 1) == WRONG


def test_the_last_plies_cut_off_with_a_fitting_row_are_betrayed_by_a_mail(finished: tuple[Store, str]) -> None:
    store, game_id = finished
    plies = log(store, game_id)
    cut = replace(evidence(store, game_id), plies=plies[:-3])
    assert verify(cut)[0].proved  # a shorter log is a log
    assert not verify(cut, [fingerprint(plies[-1].link)])[0].proved


def test_an_audit_does_not_use_what_the_service_remembers(
    finished: tuple[Store, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, game_id = finished
    assert store.folds.nearest(game_id, toy.TITLE, 10**6)[1].version > 0
    monkeypatch.setattr(store, "load", lambda *args: pytest.fail("an audit reads the log itself"))
    assert verify_game(store, game_id).proved


def test_times_are_told_to_the_rules_as_they_were(store: Store) -> None:
    """A take-back in the settle time is proved years later."""
    game_id = start(store, people=True)
    leader = lead(store, game_id)
    give(store, game_id, leader, Stop(), at=NOON)
    give(store, game_id, leader, TakeBack(game(store, game_id).version), at=NOON + 1)
    assert domain_game.can_take_back(game(store, game_id), leader, NOON + 10**12) == ()
    assert verify_game(store, game_id).proved


def test_sqlite_itself_is_new_enough() -> None:
    assert sqlite3.sqlite_version_info >= (3, 35)  # RETURNING
