"""Submissions whose assumptions are outdated: another writer was faster, or somebody else has the seat now."""

import pytest
from sqlalchemy import insert, update

from domain.lifecycle import GiveUpSeat, RewindProposed, StartGame
from domain.refusal import Refused
from service.database.store import SEATS, Store
from service.database.tables import Person, table_of
from service.database.work import Work
from service.games.play import Stale, SubmissionReused
from service.games.rights import SeatChanged
from tests import road
from tests.service.lanterns import ANN, BOB, CLEO, NOON, give, lead, log, meanwhile, open_table, start, stored
from tests.toy import Stop, Walk, Whisper


def people(store: Store, *names: str) -> list[int]:
    rows = [
        {"email": f"{name}@example.org", "name": name, "created_at": NOON, "lang": "en", "zone": "UTC"}
        for name in names
    ]
    with store.write() as conn:
        return [conn.execute(insert(table_of(Person)).values(row)).inserted_primary_key[0] for row in rows]


def knowing(store: Store, game_id: str) -> Work:
    """Work that has loaded the present game."""
    work = Work(store)
    work.game(game_id)
    return work


def table_of_people(store: Store, *persons: int, running: bool = False) -> str:
    game_id = open_table(store, seats=len(persons))
    for seat, person in enumerate(persons, start=1):
        road.take_seat(store, game_id, seat, choice={}, at=NOON, person_id=person, words="abc")
    if running:
        give(store, game_id, None, StartGame())
    return game_id


# ==== the game is known already ===================================================================
def test_a_known_game_is_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    work, late, later = knowing(store, game_id), knowing(store, game_id), knowing(store, game_id)
    version = work.game(game_id).game.version
    monkeypatch.setattr(store, "load", lambda *_: pytest.fail("it was known"))
    answer = road.submit(store, game_id, leader, [Walk(1)], None, "one", NOON, work=work)
    monkeypatch.undo()
    assert answer.plies == [version + 1]
    assert stored(store, game_id).game.version == answer.plies[0]
    again = road.submit(store, game_id, leader, [Walk(1)], None, "one", NOON, work=late)
    assert (again.plies, again.replayed) == (answer.plies, True)
    with pytest.raises(SubmissionReused):
        road.submit(store, game_id, leader, [Walk(2)], None, "one", NOON, work=later)


def test_a_changed_game_is_read_again(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    work = knowing(store, game_id)
    for _ in range(2):
        version = work.game(game_id).game.version
        answer = road.submit(store, game_id, leader, [Walk(1)], version, None, NOON, work=work)
        assert answer.plies == [version + 1]


def test_the_slower_writer_is_decided_after_the_faster(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    work, late = knowing(store, game_id), knowing(store, game_id)
    known = work.game(game_id)
    shown = known.game.version_for(leader)
    give(store, game_id, BOB if leader == ANN else ANN, Whisper(1))  # it is quiet, so nobody's command is stale
    answer = road.submit(store, game_id, leader, [Walk(1)], shown, None, NOON, work=work)
    assert answer.plies == [known.game.version + 2]
    with pytest.raises(Stale) as stale:
        road.submit(store, game_id, leader, [Walk(1)], shown, None, NOON, work=late)
    assert stale.value.version == answer.version


def test_a_refusal_is_about_the_present_game(store: Store) -> None:
    game_id = start(store)
    leader = lead(store, game_id)
    work = knowing(store, game_id)
    give(store, game_id, leader, Stop())
    before = log(store, game_id)
    with pytest.raises(Refused) as refused:
        road.submit(store, game_id, leader, [GiveUpSeat()], None, None, NOON, work=work)
    assert refused.value.rule.startswith("ST")
    assert log(store, game_id) == before


# ==== changed seats ===============================================================================
def test_leaving_twice_does_not_unseat_the_next_player(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann stands up in two windows, and Cleo sits down between the two."""
    ann, bob, cleo = people(store, "Ann", "Bob", "Cleo")
    game_id = table_of_people(store, ann, bob)

    def swap() -> None:
        road.give_up_seat(store, game_id, ANN, at=NOON, holder=ann)
        road.take_seat(store, game_id, ANN, choice={}, at=NOON, person_id=cleo)

    meanwhile(store, monkeypatch, swap)
    with pytest.raises(SeatChanged):
        road.give_up_seat(store, game_id, ANN, at=NOON, holder=ann)
    assert [(it.seat, it.person_id) for it in stored(store, game_id).seats] == [(ANN, cleo), (BOB, bob)]


def test_removing_a_bot_twice_does_not_unseat_the_next_player(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    (cleo,) = people(store, "Cleo")
    game_id = open_table(store)
    road.take_seat(store, game_id, BOB, choice={}, at=NOON, bot="random")

    def swap() -> None:
        road.give_up_seat(store, game_id, BOB, at=NOON)
        road.take_seat(store, game_id, BOB, choice={}, at=NOON, person_id=cleo)

    meanwhile(store, monkeypatch, swap)
    with pytest.raises(SeatChanged):
        road.give_up_seat(store, game_id, BOB, at=NOON, holder="random")
    assert [it.person_id for it in stored(store, game_id).seats] == [cleo]


def test_the_former_player_cannot_move_for_a_substitute(store: Store) -> None:
    """The caller has loaded an outdated game, which is noticed all the same."""
    ann, bob = people(store, "Ann", "Bob")
    game_id = table_of_people(store, ann, bob)
    work = knowing(store, game_id)
    road.give_up_seat(store, game_id, ANN, at=NOON, holder=ann)
    road.take_seat(store, game_id, ANN, choice={}, at=NOON, bot="random")
    before = log(store, game_id)
    with pytest.raises(SeatChanged):
        road.submit(store, game_id, ANN, [GiveUpSeat()], None, None, NOON, work=work, holder=ann)
    assert log(store, game_id) == before


def test_a_rewind_asks_those_who_play_when_it_is_proposed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, cleo = people(store, "Ann", "Bob", "Cleo")
    game_id = table_of_people(store, ann, bob, cleo, running=True)
    lead(store, game_id)

    def a_bot_takes_over() -> None:
        with store.write() as conn:
            conn.execute(update(SEATS).where(SEATS.c.seat == CLEO).values(person_id=None, bot="random"))
        give(store, game_id, CLEO, Whisper(1))  # nobody goes without a ply

    meanwhile(store, monkeypatch, a_bot_takes_over)
    answer = road.propose_rewind(store, game_id, ANN, stored(store, game_id).game.version - 1, at=NOON)
    with store.read() as conn:
        [(_, ply)] = store.plies(conn, game_id, store.titles["toy"], answer.plies[0] - 1)
    assert isinstance(ply.events[0], RewindProposed)
    assert ply.events[0].people == (BOB,)
