"""Operators at tables: they close them, free seats and return time, through the same use case as all, with an entry."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from config.settings import Settings
from domain.clock import SeatOpened, TimeGivenBack
from domain.lifecycle import CancelGame, GameClosed
from domain.pace import DAY, HOUR, Pace
from domain.refusal import Refused
from service.base.names import BadName
from service.cli import main
from service.database.store import SEATS, NoSuchGame, Store, open_store
from service.database.tables import MailSwitch, table_of
from service.database.work import Work
from service.games import saying, talk_reports
from service.games.rights import ByPerson
from service.games.saying import NotSaid
from service.letters import by_kind
from service.operators import acts
from service.operators.acts import AT_THE_COMMAND_LINE
from service.people.accounts import PERSONS
from service.proof.audit import verify_game
from service.proof.bundle.format import write
from service.proof.bundle.keep import keep
from service.proof.bundle.make import bundle
from tests import road
from tests.service.lanterns import ANN, BOB, NOON, game, lead, log, open_table, start, stored
from tests.service.operators.test_operators import Slowtrain, entries
from tests.workers.post import outbox, parse, person, sit_down, table, text_of
from workers import outbox as sending

PACE = Pace(DAY, excuse=False, then="remind")


@pytest.fixture
def slowtrain(store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Slowtrain:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", database_url)
    return lambda *arguments: CliRunner().invoke(main.main, arguments, prog_name="slowtrain")


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob", "de", "Europe/Berlin")


def last(store: Store, game_id: str) -> list[object]:
    ply = log(store, game_id)[-1]
    return list(game(store, game_id).title.chain.decode(ply.open, ply.sealed).events)


# ==== closing =====================================================================================
def test_a_closed_game_is_proved_here_and_elsewhere(
    store: Store, people: tuple[int, int], slowtrain: Slowtrain, tmp_path: Path
) -> None:
    game_id = table(store, *people, pace=PACE)
    lead(store, game_id)
    assert slowtrain("operate", "close", game_id, "--cause", "fault", "--why", "A card was lost").output == "Done.\n"
    assert last(store, game_id)[0] == GameClosed("fault")
    row = stored(store, game_id).row
    assert (row.status, row.asked, row.due_at, row.bot_at) == ("cancelled", [], None, None)
    assert row.ended_at is not None
    assert verify_game(store, game_id).proved
    elsewhere = open_store(f"sqlite:///{tmp_path / 'e.db'}", settings=Settings(_env_file=None, data_dir=tmp_path))
    elsewhere.migrate()
    keep(elsewhere, write(bundle(stored(store, game_id), log(store, game_id), None)), name="From afar")
    assert verify_game(elsewhere, game_id).proved
    elsewhere.close()
    with store.read() as conn:
        (entry,) = acts.about_game(conn, game_id)
    assert (entry.what, entry.why, entry.by_command) == ("close", "A card was lost", True)


def test_everybody_at_a_closed_table_hears_of_it_with_the_reason(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    acts.close(store, AT_THE_COMMAND_LINE, game_id, "wish", "You asked at evil.example", NOON)
    said = {}
    with store.read() as conn:
        for row in outbox(store, "cancelled"):
            said[row.person_id] = " ".join(text_of(parse(by_kind.mail(store, conn, row, NOON).source)).split())
    assert said.keys() == set(people)
    assert "An operator of this site closed the table" in said[people[0]]
    assert "You asked at evil. example" in said[people[0]]
    assert "Der Grund: You asked" in said[people[1]]


def test_a_host_who_does_not_play_hears_of_the_closing_too(store: Store, people: tuple[int, int]) -> None:
    host = person(store, "Harriet")
    game_id = table(store, *people, host_id=host)
    acts.close(store, AT_THE_COMMAND_LINE, game_id, "fault", "A card was lost", NOON)
    assert sorted(row.person_id for row in outbox(store, "cancelled")) == sorted((*people, host))
    sent = []
    sending.send_due(store, send=lambda _, mail, __: sent.append(mail.recipient) or "ok", now=lambda: NOON + DAY)
    assert len(sent) == 3


def test_a_host_without_a_seat_hears_that_a_table_was_closed_before_it_began(
    store: Store, people: tuple[int, int]
) -> None:
    host = person(store, "Harriet")
    game_id = open_table(store, host_id=host)
    sit_down(store, game_id, people[0])
    acts.close(store, AT_THE_COMMAND_LINE, game_id, "wish", "You asked for it", NOON)
    rows = outbox(store, "cancelled")
    assert sorted(row.person_id for row in rows) == sorted((people[0], host))
    with store.read() as conn:
        (row,) = (row for row in rows if row.person_id == host)
        assert by_kind.why_not(store, conn, row, NOON) is None
        said = " ".join(text_of(parse(by_kind.mail(store, conn, row, NOON).source)).split())
    assert "An operator of this site closed the table" in said
    assert "You asked for it" in said

    own = open_table(store, host_id=host)
    road.submit(store, own, None, [CancelGame()], None, None)
    assert len(outbox(store, "cancelled")) == 2, "who closes it knows"


def test_an_open_table_is_called_off(store: Store, people: tuple[int, int], slowtrain: Slowtrain) -> None:
    game_id = open_table(store, host_id=people[0])
    assert slowtrain("operate", "close", game_id, "--why", "Spam").exit_code == 0
    assert game(store, game_id).status == "cancelled"
    assert not game(store, game_id).begun


def test_a_failed_closing_leaves_no_entry(store: Store, slowtrain: Slowtrain) -> None:
    game_id = start(store)
    acts.close(store, AT_THE_COMMAND_LINE, game_id, "other", "once", NOON)
    done = slowtrain("operate", "close", game_id, "--why", "twice")
    assert done.exit_code == 1
    assert "An operator can only close a running game. (ST 17)" in done.output
    assert "no such game" in slowtrain("operate", "close", "0" * 16, "--why", "x").output
    assert [why for _, _, why in entries(store)] == ["once"]


def test_nobody_else_closes_a_table(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    nobody = acts.Who(people[0], "a session")
    with pytest.raises(acts.NotAllowed):
        acts.close(store, nobody, game_id, "other", "why", NOON)
    with pytest.raises(acts.NotAllowed):
        acts.free_seat(store, nobody, game_id, ANN, "why", NOON)
    with pytest.raises(acts.NotAllowed):
        acts.give_time(store, nobody, game_id, 5, "why", NOON)
    with pytest.raises(BadName):
        acts.close(store, AT_THE_COMMAND_LINE, game_id, "other", " ", NOON)
    assert game(store, game_id).status == "running"
    assert entries(store) == []


# ==== seats =======================================================================================
def test_a_freed_seat_opens_to_a_substitute_and_the_others_hear(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=PACE)
    acts.free_seat(store, AT_THE_COMMAND_LINE, game_id, ANN, "Gone for good", NOON)
    assert isinstance(last(store, game_id)[0], SeatOpened)
    assert [row.person_id for row in outbox(store, "seat_open")] == [people[1]]
    with store.read() as conn:
        assert conn.execute(SEATS.select().where(SEATS.c.seat == ANN)).one().vacant_since is not None
        assert [it.why for it in acts.about_person(conn, people[0])] == ["Gone for good"]
    assert verify_game(store, game_id).proved


def test_without_a_clock_the_seat_leaves_the_game(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    acts.free_seat(store, AT_THE_COMMAND_LINE, game_id, ANN, "Gone", NOON)
    playing = game(store, game_id).table
    assert playing is not None
    assert playing.playing == (BOB,)


def test_a_seat_of_an_open_table_is_free_again(store: Store, people: tuple[int, int]) -> None:
    game_id = open_table(store)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=people[0])
    acts.free_seat(store, AT_THE_COMMAND_LINE, game_id, ANN, "Never answers", NOON)
    assert stored(store, game_id).seats == ()
    with pytest.raises(Refused):
        acts.free_seat(store, AT_THE_COMMAND_LINE, game_id, ANN, "Again", NOON)
    assert len(entries(store)) == 1


# ==== time ========================================================================================
def test_time_is_returned_to_every_clock(store: Store, people: tuple[int, int], slowtrain: Slowtrain) -> None:
    game_id = table(store, *people, pace=PACE)
    due = stored(store, game_id).row.due_at
    assert slowtrain("operate", "give-time", game_id, "90", "--why", "Mail stood still").exit_code == 0
    (given, *_) = last(store, game_id)
    assert isinstance(given, TimeGivenBack)
    assert given.lost == 90 * HOUR // 60
    assert stored(store, game_id).row.due_at == due + given.lost
    assert verify_game(store, game_id).proved


def test_without_a_running_clock_no_time_is_returned(store: Store, slowtrain: Slowtrain) -> None:
    game_id = start(store)
    assert "no clock" in slowtrain("operate", "give-time", game_id, "5", "--why", "x").output
    assert slowtrain("operate", "give-time", game_id, "0", "--why", "x").exit_code == 2
    with pytest.raises(acts.NotDone, match="minutes"):
        acts.give_time(store, AT_THE_COMMAND_LINE, game_id, acts.LONGEST_GIVEN + 1, "x", NOON)
    with pytest.raises(NoSuchGame):
        acts.give_time(store, AT_THE_COMMAND_LINE, "0" * 16, 5, "x", NOON)
    assert entries(store) == []


# ==== talk ========================================================================================
def test_talk_is_looked_after_by_commands(store: Store, people: tuple[int, int], slowtrain: Slowtrain) -> None:
    ann, bob = people
    game_id = table(store, ann, bob)

    def say(text: str) -> int:
        return saying.say(Work(store), ByPerson(ann), game_id, text, store.now())

    line, _other = say("A rude line"), say("Another line")
    assert slowtrain("operate", "reports").output == "None found.\n"
    talk_reports.report(Work(store), ByPerson(bob), game_id, "players", [line], "He is rude", NOON)
    said = slowtrain("operate", "reports", "--waiting").output
    assert "Bob: He is rude" in said
    assert "> Ann, ann@example.org: A rude line" in said
    assert "Another line" not in said
    assert slowtrain("operate", "remove-lines", "1", "--why", "House rules").output == "Done.\n"
    assert "deleted already" in slowtrain("operate", "remove-lines", "1", "--why", "House rules").output
    assert "no such report" in slowtrain("operate", "settle", "2", "--why", "Done").output
    assert slowtrain("operate", "silence", "ann@example.org", "9000", "--why", "Rude").exit_code == 2
    assert slowtrain("operate", "silence", "ann@example.org", "24", "--why", "Rude").output == "Done.\n"
    with pytest.raises(NotSaid, match="silenced"):
        say("Let me speak")
    assert slowtrain("operate", "silence", "ann@example.org", "0", "--why", "Sorry").output == "Done.\n"
    assert say("Thanks") == 3
    assert slowtrain("operate", "settle", "1", "--why", "Done").output == "Done.\n"
    assert slowtrain("operate", "reports", "--waiting").output == "None found.\n"
    assert "settled" in slowtrain("operate", "reports").output
    assert [(what, why) for what, _person, why in entries(store)] == [
        ("settle", "Done"), ("unsilence", "Sorry"), ("silence", "Rude"), ("remove_lines", "House rules"),
    ]  # fmt: skip


# ==== asking again ================================================================================
def send(store: Store, at: int) -> list[str]:
    sent: list[str] = []
    sending.send_due(store, send=lambda _, mail, __: sent.append(mail.recipient) or "250 OK", now=lambda: at)
    return sent


def test_a_player_is_asked_again_at_most_once_a_day(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    with pytest.raises(acts.NotDone, match="no_request"):
        acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, 1, "She asked for it", NOON)
    at = NOON + HOUR
    send(store, at)
    acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, 1, "She asked for it", at)
    assert send(store, at) == ["ann@example.org"]
    with pytest.raises(acts.NotDone, match="asked_lately"):
        acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, 1, "Once more", at + DAY - 1)
    acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, 1, "Once more", at + DAY + 1)
    assert send(store, at + DAY + 1) == ["ann@example.org"]
    assert entries(store)[0] == ("ask_again", "Ann", "Once more")


def test_nobody_is_asked_again_whose_turn_it_is_not(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    send(store, NOON + HOUR)
    lead(store, game_id)
    (waiting,) = {1, 2} - set(game(store, game_id).asked)
    for seat in (waiting, 9):
        with pytest.raises(acts.NotDone, match="not_asked"):
            acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, seat, "why", NOON + HOUR)


def test_switches_and_quiet_hours_hold_for_a_player_who_is_asked_again(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people)
    at = NOON + HOUR
    send(store, at)
    with store.write() as conn:
        conn.execute(PERSONS.update().where(PERSONS.c.id == people[0]).values(quiet=True, wakes_at=60, sleeps_at=120))
        conn.execute(table_of(MailSwitch).insert().values(person_id=people[1], game_id=game_id, kind="turn"))
    for seat in (1, 2):
        acts.ask_again(store, AT_THE_COMMAND_LINE, game_id, seat, "why", at)
    assert send(store, at) == []
    assert [(row.state, row.held) for row in outbox(store, "turn")] == [("pending", "quiet"), ("superseded", None)]
