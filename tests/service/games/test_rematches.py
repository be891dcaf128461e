"""Rematches: one table for the players of a finished game, one letter to each of the others, and its end."""

import threading
from typing import Any

import pytest

from domain import luck
from domain.lifecycle import StartGame, TakeSeat
from domain.pace import HOUR, Pace
from domain.refusal import Refused
from service.base import links
from service.database.store import NoSuchGame, Store
from service.database.work import Work
from service.games import lobby, offers, queries, rematches
from service.games.offers import Offer
from service.games.rematches import LASTS, RematchTable
from service.games.rights import ByPerson, Forbidden, may
from service.people import acquaintances
from service.proof.audit import verify_game
from tests import road
from tests.service.games.test_play import writers_at_a_barrier
from tests.service.lanterns import NOON, game, log, open_table, play_on, stored
from tests.workers.post import outbox, person, table

AFTER = NOON + HOUR


@pytest.fixture
def people(store: Store) -> list[int]:
    return [person(store, name, lang) for name, lang in (("Ann", "en"), ("Bob", "de"), ("Cleo", "en"))]


@pytest.fixture
def over(store: Store, people: list[int]) -> str:
    """Return the id of a finished game of three people."""
    return finished(store, *people)


def finished(store: Store, *who: int | str, **more: Any) -> str:
    game_id = table(store, *who, **more)
    play_on(store, game_id)
    return game_id


def ask(store: Store, who: int, game_id: str, at: int = AFTER) -> RematchTable:
    return rematches.ask(Work(store), ByPerson(who), game_id, at=at)


def join(store: Store, who: int, asked: RematchTable) -> int:
    return lobby.join(Work(store), ByPerson(who, invite=asked.invite), asked.game_id, choice={}, at=AFTER)[1]


def offered(store: Store, who: int | None, game_id: str) -> Any:
    with store.read() as conn:
        seen = queries.game_for(store, conn, who, game_id)
    return rematches.offer(Work(store), seen)


# ==== the table ===================================================================================
def test_a_rematch_has_the_same_people_options_pace_and_bots_and_all_move_on_by_one_seat(
    store: Store, people: list[int]
) -> None:
    ann, bob, _ = people
    over = finished(
        store, ann, "random", bob, public=False, pace=Pace(HOUR), options={"lively": False}, name="Monday trains"
    )
    asked = ask(store, ann, over)
    now, before = stored(store, asked.game_id), stored(store, over)
    assert now.game.table is not None
    assert before.game.table is not None
    assert now.game.table.options == before.game.table.options
    assert now.game.table.pace == Pace(HOUR)
    assert (now.row.public, now.row.name, now.row.host_id) == (False, "Monday trains (2)", ann)
    assert join(store, bob, asked) == 1
    assert {it.seat: it.person_id or it.bot for it in stored(store, asked.game_id).seats} == {
        1: bob, 2: ann, 3: "random"
    }  # fmt: skip
    assert game(store, asked.game_id).status == "running", "it starts by itself"
    assert verify_game(store, asked.game_id).proved, "the verifiers know that the service may do this"


def test_a_rematch_keeps_the_offer_of_the_table_before(store: Store, people: list[int]) -> None:
    offer = Offer(lang="de", rating_low=20, newcomers=False)
    asked = ask(store, people[0], finished(store, *people, offer=offer, rated=True))
    with store.read() as conn:
        assert offers.of(conn, asked.game_id) == offer
    assert stored(store, asked.game_id).row.rated
    assert join(store, people[1], asked) == 3, "invited people need not meet its demands"


def test_pressed_by_all_at_once_it_is_one_table(store: Store, people: list[int], over: str) -> None:
    asked = writers_at_a_barrier(store, lambda at: ask(store, people[at % 3], over), 9)
    assert len({it.game_id for it in asked}) == 1
    [one] = {it.game_id for it in asked}
    assert {it.person_id: it.seat for it in stored(store, one).seats} == dict(zip(people, (2, 3, 1), strict=True))
    host = stored(store, one).row.host_id
    assert len(outbox(store, "invitation")) == 2
    assert host in people
    made = [type(ply.command) for _, ply in plies(store, one)]
    assert (made.count(TakeSeat), made.count(StartGame)) == (3, 1)


def plies(store: Store, game_id: str) -> Any:
    with store.read() as conn:
        return store.plies(conn, game_id, store.titles["toy"], 0)


def test_two_threads_that_ask_through_stores_of_their_own_find_one_table(store: Store, over: str, people: Any) -> None:
    """Each of them has found no table when it begins to write."""
    found: list[str] = []
    barrier = threading.Barrier(2)

    def asks(who: int) -> None:
        barrier.wait()
        found.append(ask(store, who, over).game_id)

    threads = [threading.Thread(target=asks, args=(who,)) for who in people[:2]]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 2
    assert len(set(found)) == 1


def sealed_game(store: Store, people: list[int], *, public: bool = True) -> str:
    sealed = open_table(store, host_id=people[0], sealed=True, public=public)
    for seat, who in enumerate(people[:2], 1):
        seal = luck.brought("", f"{seat:02x}" * 32)
        road.take_seat(store, sealed, seat, choice={}, at=NOON, person_id=who, seal=seal)
    for seat, who in enumerate(people[:2], 1):
        lobby.open_words(Work(store), ByPerson(who), sealed, f"{seat:02x}" * 32, at=NOON)
    play_on(store, sealed)
    return sealed


def test_at_a_table_with_sealed_words_even_the_caller_has_to_sit_down(store: Store, people: list[int]) -> None:
    asked = ask(store, people[0], sealed_game(store, people))
    assert asked.seat is None
    table = stored(store, asked.game_id).game.table
    assert table is not None
    assert table.sealed is not None
    assert table.chairs == {}


def test_a_full_table_that_has_not_started_starts_when_somebody_asks_again(
    store: Store, people: list[int], over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a process that died between two steps."""
    monkeypatch.setattr(lobby, "begin", lambda *_, **__: False)
    (asked,) = {ask(store, who, over).game_id for who in people}
    assert game(store, asked).status == "open"
    monkeypatch.undo()
    ask(store, people[1], over)
    assert game(store, asked).status == "running"


def test_asking_again_changes_nothing(store: Store, people: list[int], over: str) -> None:
    first = ask(store, people[0], over)
    before = log(store, first.game_id)
    assert ask(store, people[0], over) == first
    assert log(store, first.game_id) == before
    assert len(outbox(store, "invitation")) == 2


def test_a_host_who_asks_again_seats_the_bots_that_are_missing(
    store: Store, people: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a process that died between two steps."""
    over = finished(store, people[0], "random")
    monkeypatch.setattr(rematches, "_seat_bots", lambda *_: None)
    first = ask(store, people[0], over)
    monkeypatch.undo()
    assert ask(store, people[0], over).game_id == first.game_id
    assert sorted(it.bot or "" for it in stored(store, first.game_id).seats) == ["", "random"]


def test_after_a_closed_rematch_players_can_ask_for_another(store: Store, people: list[int], over: str) -> None:
    first = ask(store, people[0], over)
    lobby.cancel(Work(store), ByPerson(people[0]), first.game_id, at=AFTER)
    second = ask(store, people[1], over)
    assert second.game_id != first.game_id
    assert stored(store, second.game_id).row.host_id == people[1]


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("Trains", "Trains (2)"), ("Trains (2)", "Trains (3)"), ("Trains (99)", "Trains (100)"), ("(2)", "(2) (2)"),
        ("x" * 80, "x" * 76 + " (2)"),
    ],
)  # fmt: skip
def test_names_are_numbered(name: str, after: str) -> None:
    assert rematches.next_name(name) == after


# ==== who may =====================================================================================
def test_only_players_of_a_finished_game_can_ask(store: Store, people: list[int], over: str) -> None:
    with pytest.raises(Forbidden):
        ask(store, person(store, "Dan"), over)
    running = table(store, *people)
    with pytest.raises(Refused, match="when the game is over"):
        ask(store, people[0], running)
    with pytest.raises(Forbidden):
        rematches.ask(Work(store), ByPerson(people[0], ("read", "play")), over, at=AFTER)
    private = finished(store, *people, public=False)
    with pytest.raises(NoSuchGame):
        ask(store, person(store, "Eve"), private)


def test_strangers_see_a_public_rematch_and_take_no_seat_without_its_invitation(
    store: Store, people: list[int], over: str
) -> None:
    asked, dan = ask(store, people[0], over), person(store, "Dan")
    with store.read() as conn:
        seen = queries.game_for(store, conn, dan, asked.game_id)
        assert "join" not in may(seen, AFTER)
        assert asked.game_id not in [it.id for it in queries.games(conn, dan, "open")[0]]
        assert "join" in may(queries.game_for(store, conn, dan, asked.game_id, invite=asked.invite), AFTER)
    with pytest.raises(Refused, match="Only people with the invitation"):
        lobby.join(Work(store), ByPerson(dan), asked.game_id, choice={}, at=AFTER)
    assert join(store, dan, asked) == 1, "the host may hand the invitation on"


def test_a_renewed_invitation_admits_nobody_by_the_old_one(store: Store, people: list[int], over: str) -> None:
    asked, dan = ask(store, people[0], over), person(store, "Dan")
    road.renew_invitation(store, asked.game_id)
    with pytest.raises(Refused, match="Only people with the invitation"):
        join(store, dan, asked)
    assert ask(store, people[1], over).seat == 3


def test_blocks_hold_and_no_answer_tells_who_blocked(store: Store, people: list[int], over: str) -> None:
    ann, bob, cleo = people
    private = finished(store, *people, public=False)
    with store.write() as conn:
        acquaintances.add(conn, bob, "blocked", ann, NOON)
    asked = ask(store, ann, over)
    assert [it.address for it in outbox(store, "invitation")] == ["cleo@example.org"]
    assert ask(store, ann, over).game_id == asked.game_id
    with pytest.raises(Refused, match="You cannot take a seat at this table"):
        ask(store, bob, over)
    ask(store, ann, private)
    assert offered(store, bob, private) is None
    assert offered(store, cleo, private).invite
    assert offered(store, bob, over).invite == "", "a public table can be watched, no more"


def test_blocked_people_get_no_invitation_to_a_table_with_sealed_words(store: Store, people: list[int]) -> None:
    ann, bob, _ = people
    over = sealed_game(store, people, public=False)
    with store.write() as conn:
        acquaintances.add(conn, ann, "blocked", bob, NOON)
    ask(store, ann, over)
    with pytest.raises(Refused, match="You cannot take a seat at this table"):
        ask(store, bob, over)


def test_the_daily_limit_of_invitations_holds(store: Store, people: list[int]) -> None:
    for _ in range(6):
        ask(store, people[0], finished(store, *people[:2]))
    assert len(outbox(store, "invitation")) == 5


# ==== the way there ===============================================================================
def test_a_finished_game_leads_to_its_rematch(store: Store, people: list[int], over: str) -> None:
    ann, bob, _ = people
    assert offered(store, ann, over) == rematches.RematchOffer()
    assert offered(store, None, over) is None
    asked = ask(store, ann, over)
    assert offered(store, ann, over).sits
    invite = offered(store, bob, over).invite
    assert links.open_invitation(store.settings, invite).game_id == asked.game_id
    assert (offered(store, None, over).table.id, offered(store, None, over).invite) == (asked.game_id, "")
    assert offered(store, ann, asked.game_id) is None, "it is not over"


def test_the_letter_is_in_its_readers_language(store: Store, people: list[int], over: str) -> None:
    ask(store, people[0], over)
    assert {it.address: it.payload["lang"] for it in outbox(store, "invitation")} == {
        "bob@example.org": "de", "cleo@example.org": "en"
    }  # fmt: skip


# ==== the end =====================================================================================
def test_a_rematch_that_does_not_begin_is_closed_after_two_weeks(store: Store, people: list[int], over: str) -> None:
    ann, bob, cleo = people
    other = finished(store, *people)
    waits, begins = ask(store, ann, over), ask(store, ann, other)
    for who in (bob, cleo):
        ask(store, who, other)
    assert rematches.close_old(store, AFTER + LASTS - 1) == 0
    assert rematches.close_old(store, AFTER + LASTS) == 1
    assert game(store, waits.game_id).status == "cancelled"
    assert game(store, begins.game_id).status == "running"
    assert [it.person_id for it in outbox(store, "cancelled")] == [ann]
    assert offered(store, bob, over) == rematches.RematchOffer()
    assert verify_game(store, waits.game_id).proved, "the verifiers know that the service may do this"
