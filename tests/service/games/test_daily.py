"""The daily limit of moves of one person in one game (ST 8), by every channel."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from sqlalchemy import insert, select

from domain.lifecycle import Resign, TakeBack
from domain.messages import Command
from domain.refusal import Refused
from service.base import links
from service.base.clock import DAY
from service.database.store import Store, table_of
from service.database.tables import Person
from service.database.work import Work
from service.games import daily, lobby, moves, opening
from service.games.play import Answer, submit
from service.games.rights import ByBot, ByLink, ByPerson
from service.games.turn import submission
from tests.service.lanterns import NOON, game, give
from tests.toy import Walk

MIDNIGHT = NOON // DAY * DAY + DAY


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "MOST", 20)


def person(store: Store, name: str) -> ByPerson:
    with store.write() as conn:
        row = {"email": f"{name}@example.org", "name": name, "lang": "en", "zone": "UTC", "created_at": NOON}
        return ByPerson(int(conn.execute(insert(table_of(Person)).values(row)).inserted_primary_key[0]))


def table(store: Store, host: ByPerson) -> str:
    given: dict[str, Any] = {"title": "toy", "options": {}, "seats": 2, "name": "A table", "public": True}
    return opening.open_table(Work(store), host, settle_ms=60_000, at=NOON, **given).game_id


@pytest.fixture
def people(store: Store) -> tuple[ByPerson, ByPerson]:
    return person(store, "ann"), person(store, "bob")


@pytest.fixture
def running(store: Store, people: tuple[ByPerson, ByPerson]) -> tuple[str, ByPerson, ByPerson]:
    """A game, the person who leads, and the other one."""
    game_id = table(store, people[0])
    for each in people:
        lobby.join(Work(store), each, game_id, choice={}, at=NOON)
    lobby.start(Work(store), people[0], game_id, at=NOON)
    for seat in (1, 2):
        give(store, game_id, seat, game(store, game_id).title.rules.safe(game(store, game_id).state, seat))
    state: Any = game(store, game_id).state
    return game_id, people[state.leader - 1], people[2 - state.leader]


def move(store: Store, who: Any, game_id: str, *commands: Command, at: int = NOON) -> Answer:
    return submit(Work(store), who, submission(game_id, commands, None, None, at))


def made(store: Store, game_id: str) -> dict[int, int]:
    with store.read() as conn:
        rows = conn.execute(select(daily.MADE).where(daily.MADE.c.game_id == game_id)).all()
    return {row.person_id: row.moves for row in rows}


def until_refused(*deeds: Callable[[], Any]) -> None:
    """Do these in turn until a move beyond the limit is refused."""

    def for_ever() -> None:
        for deed in cycle(deeds):
            deed()

    with pytest.raises(Refused, match="ST 8"):
        for_ever()


def wear_out(store: Store, who: ByPerson, game_id: str) -> None:
    """Walk and take the walk back until the limit is reached."""

    def back() -> Answer:
        return moves.take_back(Work(store), who, game_id, game(store, game_id).version, at=NOON)

    until_refused(lambda: move(store, who, game_id, Walk(1)), back)


def test_moves_and_take_backs_are_counted_to_the_last(store: Store, running: Any) -> None:
    game_id, leader, other = running
    before = made(store, game_id)
    wear_out(store, leader, game_id)
    assert made(store, game_id) == before | {leader.id: daily.MOST}
    version = game(store, game_id).version
    with pytest.raises(Refused, match="ST 8") as refused:
        move(store, leader, game_id, Walk(1))
    assert "go on in" in str(refused.value)
    assert game(store, game_id).version == version
    assert made(store, game_id)[other.id] == before[other.id]


def test_a_submission_is_counted_whole_or_refused_whole(store: Store, running: Any) -> None:
    """Commands of one submission count together."""
    game_id, leader, _ = running
    left = daily.MOST - made(store, game_id)[leader.id]
    version = game(store, game_id).version
    with pytest.raises(Refused, match="ST 8"):
        move(store, leader, game_id, *[Walk(1)] * daily.MOST)
    assert game(store, game_id).version == version
    assert left > 2
    assert move(store, leader, game_id, Walk(1)).plies == [version + 1]


def test_the_next_day_goes_on(store: Store, running: Any) -> None:
    game_id, leader, _ = running
    wear_out(store, leader, game_id)
    with pytest.raises(Refused, match="ST 8"):
        move(store, leader, game_id, Walk(1), at=MIDNIGHT - 1)
    move(store, leader, game_id, Walk(1), at=MIDNIGHT)
    assert made(store, game_id)[leader.id] == 1


def test_a_player_at_the_limit_can_still_leave(store: Store, running: Any) -> None:
    game_id, leader, _ = running
    wear_out(store, leader, game_id)
    moves.resign(Work(store), leader, game_id, at=NOON)
    assert game(store, game_id).status == "over"


def test_moves_by_a_mails_link_count_for_its_person(store: Store, running: Any) -> None:
    game_id, leader, _ = running
    seat = game(store, game_id).asked[0]
    link = links.TurnLink(game_id, seat, game(store, game_id).version, leader.id, NOON + DAY)
    wear_out(store, leader, game_id)
    with pytest.raises(Refused, match="ST 8"):
        move(store, ByLink(link), game_id, Walk(1))


def test_each_game_is_counted_by_itself(store: Store, running: Any, people: Any) -> None:
    game_id, leader, _ = running
    wear_out(store, leader, game_id)
    lobby.join(Work(store), leader, table(store, people[0]), choice={}, at=NOON)


def test_sitting_down_and_standing_up_is_counted(store: Store, people: Any) -> None:
    ann, bob = people
    game_id = table(store, ann)
    until_refused(
        lambda: lobby.join(Work(store), bob, game_id, choice={}, at=NOON),
        lambda: lobby.leave(Work(store), bob, game_id, at=NOON),
    )
    assert made(store, game_id)[bob.id] == daily.MOST
    lobby.join(Work(store), ann, game_id, choice={}, at=NOON)


def test_the_hosts_actions_at_the_table_are_counted(store: Store, people: Any) -> None:
    game_id = table(store, people[0])
    until_refused(
        lambda: lobby.seat_bot(Work(store), people[0], game_id, "random", seat=1, at=NOON),
        lambda: lobby.remove_bot(Work(store), people[0], game_id, 1, at=NOON),
    )
    lobby.cancel(Work(store), people[0], game_id, at=NOON)
    assert game(store, game_id).status == "cancelled"


def test_actions_of_bots_and_the_service_are_not_counted(store: Store, people: Any) -> None:
    ann, _bob = people
    game_id = table(store, ann)
    lobby.join(Work(store), ann, game_id, choice={}, at=NOON)
    lobby.seat_bot(Work(store), ann, game_id, "random", seat=2, at=NOON)
    lobby.start(Work(store), ann, game_id, at=NOON)
    now = game(store, game_id)
    before = made(store, game_id)
    submit(
        Work(store),
        ByBot(2, "random"),
        submission(game_id, [now.title.rules.safe(now.state, 2)], now.version_for(2), None, NOON),
    )
    give(store, game_id, 1, now.title.rules.safe(now.state, 1))
    assert made(store, game_id) == before


def test_a_setting_switches_it_off(store: Store, running: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id, leader, _ = running
    monkeypatch.setattr(store, "settings", store.settings.with_(rate_limits=False))
    before = made(store, game_id)
    for _ in range(daily.MOST):
        move(store, leader, game_id, Walk(1))
        moves.take_back(Work(store), leader, game_id, game(store, game_id).version, at=NOON)
    assert made(store, game_id) == before


def test_a_repeated_submission_is_answered_at_the_limit_too(store: Store, running: Any) -> None:
    game_id, leader, _ = running
    given = submission(game_id, [Walk(1)], None, "once", NOON)
    first = submit(Work(store), leader, given)
    submit(Work(store), leader, submission(game_id, [TakeBack(first.plies[0])], None, None, NOON))
    wear_out(store, leader, game_id)
    assert submit(Work(store), leader, given).replayed


def test_counts_are_forgotten_when_the_day_is_over(store: Store, running: Any) -> None:
    game_id, leader, other = running
    with store.write() as conn:
        daily.forget_old(conn, MIDNIGHT - 1)
    assert set(made(store, game_id)) == {leader.id, other.id}
    with store.write() as conn:
        daily.forget_old(conn, MIDNIGHT)
    assert made(store, game_id) == {}
    assert submit(Work(store), leader, submission(game_id, [Resign()], None, None, NOON)).refusal is None
