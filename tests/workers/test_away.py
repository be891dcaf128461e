"""Games with absent people and real workers: stand-ins wait, and no game goes on without any person."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from freezegun import freeze_time
from msgspec.structs import replace
from sqlalchemy import select

from domain.lifecycle import Resign
from domain.pace import DAY, HOUR, MINUTE, Pace
from domain.refusal import Refused
from service.database.store import Store, Stored
from service.games import queries
from service.games.clocks import CLOCKS
from service.keeping import personal
from service.letters import by_kind
from service.notices import watch, webhooks
from service.notices.webhooks import CALLS
from service.proof.audit import verify_game
from service.web.feeds import atom, turn_calendar
from tests import road, toy
from tests.service.lanterns import ANN, BOB, NOON, game, give, log, stored
from tests.toy import Choose, Stop
from tests.workers.post import outbox, parse, person, table, text_of
from workers import bots, clocks
from workers import outbox as sending

BOT = Pace(DAY, excuse=False, then="bot")
WAIT = DAY // 10


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob", "de", "Europe/Berlin")


@contextmanager
def it_is(at: int) -> Iterator[None]:
    """Set the time, here and in the database."""
    frozen = freeze_time(datetime.fromtimestamp(at / 1000, UTC))
    with frozen, patch.object(Store, "now", lambda self: at), patch.object(Stored, "now", lambda self: at):
        yield


def sweep(store: Store, at: int) -> None:
    """Run the workers' sweeps, without mail."""
    with it_is(at):
        clocks.call(store, at)
        bots.play_due(store)


def choose(store: Store, game_id: str, seat: int, at: int = NOON, **more: Any) -> None:
    give(store, game_id, seat, Choose(min(game(store, game_id).state.hands[seat])), at=at, **more)


def kinds(store: Store, game_id: str) -> list[str]:
    """Return the events of the last ply."""
    title = game(store, game_id).title
    last = log(store, game_id)[-1]
    return [type(event).__name__ for event in title.chain.decode(last.open, last.sealed).events]


def texts(store: Store, kind: str, at: int) -> dict[int, str]:
    """Return the mails of a kind, by person, each in one line."""
    with store.read() as conn:
        return {
            row.person_id: " ".join(text_of(parse(by_kind.mail(store, conn, row, at).source)).split())
            for row in outbox(store, kind)
        }


def away(store: Store, *people: int, **more: Any) -> str:
    """Return a game that pauses at `PAUSED`, after a day without anybody."""
    game_id = table(store, *people, pace=BOT, length="long", **more)
    sweep(store, PAUSED)
    return game_id


PAUSED = NOON + DAY


# ==== the pause ===================================================================================
def test_a_game_is_not_played_out_while_both_its_people_are_away(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=BOT, length="long")
    sweep(store, NOON + DAY)
    sweep(store, NOON + DAY + 2000)
    version = game(store, game_id).version
    assert version < 10, "it was played on without anybody there"
    for days in range(2, 40):
        sweep(store, NOON + days * DAY)
    assert game(store, game_id).version == version
    assert game(store, game_id).status == "running"
    assert not outbox(store, "over")


def test_nothing_is_due_in_a_paused_game_and_all_concerned_hear_of_it(store: Store, people: tuple[int, int]) -> None:
    host = person(store, "Hugo")
    game_id = away(store, *people, host_id=host)
    row = stored(store, game_id).row
    assert (row.paused, row.bot_at, row.due_at) == (True, None, None)
    with store.read() as conn:
        assert not conn.execute(select(CLOCKS)).all()
    assert [(it.person_id, it.seat) for it in outbox(store, "timed_out")] == [(people[0], ANN)]
    assert [(it.person_id, it.seat) for it in outbox(store, "paused")] == [(people[1], BOB), (host, None)]
    (ann,) = texts(store, "timed_out", PAUSED).values()
    assert "YOUR TIME RAN OUT Nobody is at the table any more, so clocks and bots have stopped." in ann
    assert "Take the seat back: http" in ann
    told = texts(store, "paused", PAUSED)
    assert "DIE PARTIE WARTET AUF IHRE SPIELER Es ist niemand mehr am Tisch" in told[people[1]]
    assert "because you are the host of this game" in told[host]
    assert verify_game(store, game_id).faults == ()


def test_the_first_player_back_resumes_the_game_and_the_others_hear_of_it(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = away(store, *people)
    at = PAUSED + 9 * DAY
    road.return_to_seat(store, game_id, ANN, at=at)
    assert kinds(store, game_id) == ["SeatReturned", "GameResumed", "ClockStarted", "ClockStarted"]
    row = stored(store, game_id).row
    assert (row.paused, row.bot_at, row.due_at) == (False, None, at + DAY)
    assert [(it.person_id, it.seat) for it in outbox(store, "resumed")] == [(people[1], BOB)]
    (bob,) = texts(store, "resumed", at).values()
    assert "DIE PARTIE GEHT WEITER Ann ist wieder da. Du bist Bob. Du bist am Zug: " in bob
    assert "Du hast Zeit bis" in bob
    assert "DEINE MÖGLICHKEITEN" in bob
    with store.read() as conn:
        seen = queries.game_for(store, conn, people[1], game_id)
        (line,) = turn_calendar.turns(store, conn, people[1], "de")
        assert line.due == at + DAY
        assert "Ann ist wieder da." in atom.of_game(store, conn, seen, "de").decode()
    assert verify_game(store, game_id).faults == ()


def test_a_player_late_at_the_same_moment_can_move_and_the_stand_in_waits(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = away(store, *people)
    at = PAUSED + DAY
    choose(store, game_id, BOB, at)
    assert kinds(store, game_id)[-2:] == ["GameResumed", "StandInWaits"]
    assert stored(store, game_id).row.bot_at == at + WAIT
    (ann,) = texts(store, "resumed", at).values()
    assert "THE GAME GOES ON Bob is back. A bot plays on for you until you return." in ann


def test_outdated_mails_about_pauses_are_not_sent(store: Store, people: tuple[int, int]) -> None:
    host = person(store, "Hugo")
    game_id = away(store, *people, host_id=host)
    road.return_to_seat(store, game_id, ANN, at=PAUSED + HOUR)
    sweep(store, PAUSED + HOUR + DAY)
    sweep(store, PAUSED + HOUR + DAY)
    assert stored(store, game_id).row.paused
    at = PAUSED + HOUR + DAY + HOUR
    sending.send_due(store, send=lambda *_: "250 OK", now=lambda: at)
    assert {it.state for it in outbox(store, "resumed")} == {"superseded"}
    assert [it.state for it in outbox(store, "paused") if it.person_id == host] == ["superseded", "sent"]
    road.return_to_seat(store, game_id, ANN, at=at)
    sending.send_due(store, send=lambda *_: "250 OK", now=lambda: at)
    assert [it.state for it in outbox(store, "resumed") if it.person_id == host] == ["superseded", "sent"]


def test_a_webhook_is_told_of_a_pause_and_of_its_end(store: Store, people: tuple[int, int]) -> None:
    with store.write() as conn:
        webhooks.make(conn, store.settings, people[1], "https://hooks.example.org/x", ("paused", "resumed"), NOON)
    game_id = away(store, *people)
    road.return_to_seat(store, game_id, ANN, at=PAUSED + HOUR)
    with store.read() as conn:
        assert [row.kind for row in conn.execute(select(CALLS).order_by(CALLS.c.id))] == ["paused", "resumed"]


def test_a_substitute_lets_a_paused_game_go_on(store: Store, people: tuple[int, int]) -> None:
    pace = replace(BOT, then="substitute")
    game_id = table(store, *people, pace=pace, length="long")
    sweep(store, PAUSED)
    assert stored(store, game_id).row.paused
    with pytest.raises(Refused, match="ST 16"):
        road.stand_in(store, game_id, ANN, at=PAUSED)
    cleo = person(store, "Cleo")
    road.take_over(store, game_id, ANN, person_id=cleo, at=PAUSED + HOUR)
    row = stored(store, game_id).row
    assert (row.paused, row.due_at) == (False, PAUSED + HOUR + DAY)
    assert [it.person_id for it in outbox(store, "resumed")] == [people[1]]
    assert verify_game(store, game_id).faults == ()


def test_an_outage_gives_a_paused_game_nothing_and_lets_it_wait(store: Store, people: tuple[int, int]) -> None:
    with it_is(NOON):
        clocks.sweep(store, NOON)
    game_id = away(store, *people)
    version = game(store, game_id).version
    with it_is(PAUSED + 3 * DAY):
        clocks.sweep(store, PAUSED + 3 * DAY)
    assert game(store, game_id).version == version
    road.return_to_seat(store, game_id, ANN, at=PAUSED + 3 * DAY)
    assert stored(store, game_id).row.due_at == PAUSED + 4 * DAY


def test_players_who_lost_time_in_an_outage_count_as_present(store: Store, people: tuple[int, int]) -> None:
    """Time runs out for both during an outage: it is returned before anybody is called, and nothing pauses."""
    clocks.sweep(store, NOON)
    game_id = table(store, *people, pace=BOT)
    clocks.sweep(store, NOON + 2 * DAY)
    assert not stored(store, game_id).row.paused
    assert stored(store, game_id).row.due_at == NOON + 3 * DAY


def test_a_game_whose_last_present_person_is_erased_waits_for_the_absent_one(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = table(store, *people, "sensible", pace=BOT, length="long")
    choose(store, game_id, BOB)
    sweep(store, PAUSED)
    assert not stored(store, game_id).row.paused
    personal.erase(store, people[1], PAUSED + HOUR)
    assert stored(store, game_id).row.paused
    version = game(store, game_id).version
    sweep(store, PAUSED + 9 * DAY)
    assert game(store, game_id).version == version
    road.return_to_seat(store, game_id, ANN, at=PAUSED + 9 * DAY)
    with it_is(PAUSED + 9 * DAY):
        bots.play_due(store)
    assert ANN in game(store, game_id).asked


def test_bots_play_on_when_all_people_have_resigned(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, "sensible", pace=BOT)
    sweep(store, PAUSED)
    assert stored(store, game_id).row.paused
    for seat in (ANN, BOB):
        road.submit(store, game_id, seat, [Resign()], None, None, PAUSED)
    assert game(store, game_id).status == "over"
    assert not stored(store, game_id).row.paused


def test_a_bot_can_keep_the_open_seat_of_an_erased_person(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=replace(BOT, then="substitute"), length="long")
    choose(store, game_id, BOB)
    sweep(store, PAUSED)
    personal.erase(store, people[0], PAUSED + HOUR)
    road.stand_in(store, game_id, ANN, at=PAUSED + HOUR)
    sweep(store, PAUSED + HOUR)
    assert BOB in game(store, game_id).asked, "the bot has played"


# ==== waiting stand-ins ===========================================================================
def test_a_stand_in_moves_when_its_time_has_come_and_is_found_by_the_sweep(
    store: Store, people: tuple[int, int]
) -> None:
    game_id = table(store, *people, pace=BOT, length="long")
    choose(store, game_id, BOB)
    sweep(store, PAUSED)
    at = PAUSED
    for _ in range(8):
        while BOB in game(store, game_id).asked:
            if game(store, game_id).state.leader == BOB:
                give(store, game_id, BOB, Stop(), at=at)
            else:
                choose(store, game_id, BOB, at)
        version = game(store, game_id).version
        due = stored(store, game_id).row.bot_at
        assert due == at + WAIT
        sweep(store, due - 1)
        assert game(store, game_id).version == version, "it lets Ann come back"
        sweep(store, due)
        assert game(store, game_id).version > version
        at = due
        assert stored(store, game_id).row.bot_at in (None, at + WAIT), "not two turns at once"
        sweep(store, at + WAIT)
        at += WAIT
    assert game(store, game_id).status == "running"
    assert verify_game(store, game_id).faults == ()


def test_a_stand_in_that_waits_is_not_overdue_work(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=BOT, length="long")
    choose(store, game_id, ANN)
    sweep(store, PAUSED)
    due = stored(store, game_id).row.bot_at
    if due is None:  # Bob's bot has moved
        seat = game(store, game_id).asked[0]
        give(store, game_id, seat, Stop(), at=PAUSED)
        choose(store, game_id, seat, PAUSED)
        due = stored(store, game_id).row.bot_at
    assert due is not None
    with store.read() as conn:
        assert watch.due(conn, store.settings, due - 1)["bots"] == (0, 0)
        assert watch.due(conn, store.settings, due + MINUTE)["bots"] == (1, MINUTE)


def test_the_sweep_of_bots_leaves_games_alone_whose_time_has_not_come(
    store: Store, people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, playing = away(store, *people), table(store, "random", "random")
    choose(store, waiting, BOB, PAUSED)
    looked: list[str] = []
    monkeypatch.setattr(bots, "play_game", lambda store, game_id: looked.append(game_id) or 0)
    with it_is(PAUSED + WAIT - 1):
        bots.play_due(store)
    assert looked == [playing]


def test_a_running_table_of_older_rules_waits_from_its_next_miss(store: Store, people: tuple[int, int]) -> None:
    """Ann has missed a turn by the old rules; when Bob misses his by the new ones, the game pauses."""
    newer = store.titles["toy"]
    store.titles = {"toy": toy.ruled(version=1, older={})}
    game_id = table(store, *people, pace=BOT, length="long")
    choose(store, game_id, BOB)
    clocks.call(store, PAUSED)
    store.titles = {"toy": newer}
    with it_is(PAUSED):
        bots.play_due(store)
    assert BOB in game(store, game_id).asked
    while not stored(store, game_id).row.paused:
        due = stored(store, game_id).row.due_at or stored(store, game_id).row.bot_at
        sweep(store, due)
    version = game(store, game_id).version
    sweep(store, PAUSED + 40 * DAY)
    assert game(store, game_id).version == version
    assert [it.person_id for it in outbox(store, "paused")] == [people[0]]
    report = verify_game(store, game_id)
    assert report.faults == ()
    assert report.replayed == 0
