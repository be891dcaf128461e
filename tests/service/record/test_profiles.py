"""Profiles, and lists of people: who may see what, and that nobody learns who listed or blocked them."""

import io
import json
import re
import zipfile

import pytest
from sqlalchemy import select

from domain.pace import DAY, HOUR
from domain.refusal import Refused
from service.database.store import PERSONS, Store
from service.keeping import personal
from service.notices import owing
from service.people import acquaintances
from service.people.acquaintances import BLOCKS, LIKED
from service.people.strangers import NotInvited
from service.record import profiles, rows
from service.record.profiles import PARTS, NoSuchProfile, Profile
from tests import road
from tests.service.lanterns import NOON, open_table
from tests.service.record.lives import ANN, BOB, PLAIN, choose, finish, finished
from tests.workers.post import person, table


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """SQLite: the statements are alike on both databases."""
    return copy_on_sqlite


@pytest.fixture
def people(store: Store) -> list[int]:
    return [person(store, name) for name in ("Ann", "Bob", "Cleo")]


def address(store: Store, who: int) -> str:
    with store.read() as conn:
        return str(conn.execute(select(PERSONS.c.profile).where(PERSONS.c.id == who)).scalar_one())


def profile(store: Store, whose: int, reader: int | None) -> Profile:
    with store.read() as conn:
        return profiles.profile(conn, address(store, whose), reader)


# ==== profiles ====================================================================================
def test_addresses_are_random_and_can_be_renewed(store: Store, people: list[int]) -> None:
    found = {address(store, who) for who in people}
    assert len(found) == 3
    assert all(re.fullmatch("[0-9a-f]{22}", it) for it in found)
    old = address(store, people[0])
    with store.write() as conn:
        assert profiles.renew(conn, people[0]) != old
        with pytest.raises(NoSuchProfile):
            profiles.person_behind(conn, old)


def test_a_reader_sees_only_games_that_they_may_see_anyway(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    public = finished(store, ann, bob)
    private = finished(store, ann, cleo, public=False, at=NOON + 2 * DAY)
    for reader, games in ((None, [public]), (bob, [public]), (cleo, [private, public]), (ann, [private, public])):
        seen = profile(store, ann, reader)
        assert [it.game for it in seen.games or ()] == games, reader
        assert [it.games for it in seen.results or ()] == [len(games)]
        assert seen.reliability is not None
        assert seen.reliability.games == len(games)
        assert sum(it.turns for it in (seen.times or ())[:1]) > 0
        assert seen.own == (reader == ann)
    assert [(it.name, it.games) for it in profile(store, ann, bob).head_to_head or ()] == [("Bob", 1)]
    assert profile(store, ann, None).head_to_head == ()


def test_each_part_can_be_hidden_from_everybody_but_its_owner(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    finished(store, ann, bob)
    for part in PARTS:
        with store.write() as conn:
            profiles.hide(conn, ann, [part])
        others, own = profile(store, ann, bob), profile(store, ann, ann)
        assert [it for it in PARTS if getattr(others, it) is None] == [part]
        assert all(getattr(own, it) is not None for it in PARTS)


def test_a_running_game_changes_nothing_on_a_profile(store: Store, people: list[int]) -> None:
    """Times in a running game would tell who has answered in secret, and a profile shows nobody as online."""
    ann, bob, cleo = people
    finished(store, ann, bob)
    before = [profile(store, whose, reader) for whose in (ann, bob) for reader in (None, ann, bob, cleo)]
    running = table(store, ann, bob, pace=PLAIN)
    for seat in (ANN, BOB):
        choose(store, running, seat, NOON + 2 * HOUR)
    rows.make_due(store)
    assert [profile(store, whose, reader) for whose in (ann, bob) for reader in (None, ann, bob, cleo)] == before
    finish(store, running, NOON + 3 * HOUR)
    rows.make_due(store)
    assert profile(store, ann, None) != before[0], "it counts once it is over"


def test_an_avatar_follows_from_the_address_alone(store: Store, people: list[int]) -> None:
    here = [profiles.avatar(address(store, who)) for who in people]
    assert len(set(here)) == 3
    assert profiles.avatar(address(store, people[0])) == here[0]
    assert all("Ann" not in it for it in here)


# ==== lists =======================================================================================
def put(store: Store, who: int, kind: acquaintances.Kind, other: int) -> None:
    with store.write() as conn:
        acquaintances.add(conn, who, kind, other, NOON)


def names(store: Store, who: int, kind: acquaintances.Kind) -> list[str]:
    with store.read() as conn:
        return [it.name for it in acquaintances.listed(conn, who, kind)]


def test_a_person_is_on_one_list_at_most_and_never_on_their_own(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    put(store, ann, "liked", bob)
    put(store, ann, "liked", cleo)
    put(store, ann, "blocked", bob)
    put(store, ann, "blocked", ann)
    assert (names(store, ann, "liked"), names(store, ann, "blocked")) == (["Cleo"], ["Bob"])
    with store.write() as conn:
        acquaintances.remove(conn, ann, "blocked", bob)
    assert names(store, ann, "blocked") == []


def test_a_list_has_a_limit(store: Store, people: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquaintances, "MOST", 1)
    put(store, people[0], "liked", people[1])
    put(store, people[0], "liked", people[1])
    with pytest.raises(acquaintances.ListIsFull):
        put(store, people[0], "liked", people[2])


def refusal(store: Store, who: int, game_id: str) -> str:
    with pytest.raises(Refused) as refused:
        road.take_seat(store, game_id, 2, choice={}, at=NOON, person_id=who)
    return str(refused.value)


@pytest.mark.parametrize("blocker", [0, 1])
@pytest.mark.parametrize("hosts", [False, True])
def test_people_who_block_each_other_never_sit_down_together(
    store: Store, people: list[int], blocker: int, hosts: bool
) -> None:
    ann, bob, cleo = people
    put(store, people[blocker], "blocked", people[1 - blocker])
    game_id = open_table(store, host_id=ann if hosts else None)
    if not hosts:
        road.take_seat(store, game_id, 1, choice={}, at=NOON, person_id=ann)
    assert refusal(store, bob, game_id) == "ST 2: You cannot take a seat at this table."
    road.take_seat(store, game_id, 2, choice={}, at=NOON, person_id=cleo)


def test_no_invitation_comes_from_blocked_people(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    game_id = open_table(store, host_id=bob)
    put(store, ann, "blocked", bob)
    given = {"game_id": game_id, "number": 0, "lang": "en", "at": NOON}
    with store.write() as conn:
        with pytest.raises(NotInvited):
            owing.invite(conn, store.settings, address="ann@example.org", by=bob, **given)  # type: ignore[arg-type]
        assert owing.invite(conn, store.settings, address="ann@example.org", by=cleo, **given)  # type: ignore[arg-type]


# ==== what nobody learns ==========================================================================
def exported(store: Store, who: int) -> str:
    packed = zipfile.ZipFile(io.BytesIO(personal.export(store, who, NOON)))
    return packed.read("person.json").decode()


def test_an_export_holds_ones_own_lists_and_nothing_of_others(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    before = exported(store, bob)
    put(store, ann, "blocked", bob)
    assert exported(store, bob) == before
    with store.write() as conn:
        acquaintances.add(conn, ann, "liked", bob, NOON)
    assert exported(store, bob) == before
    assert [it["liked_id"] for it in json.loads(exported(store, ann))["liked"]] == [bob]


def test_a_listed_person_sees_nothing_of_it_on_a_profile(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    finished(store, ann, bob)
    before = profile(store, ann, bob), profile(store, bob, bob)
    put(store, ann, "blocked", bob)
    assert (profile(store, ann, bob), profile(store, bob, bob)) == before


def test_lists_are_gone_with_either_person(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    put(store, ann, "liked", bob)
    put(store, cleo, "blocked", bob)
    put(store, bob, "blocked", ann)
    personal.erase(store, bob, NOON + DAY)
    with store.read() as conn:
        assert not conn.execute(select(LIKED)).all()
        assert not conn.execute(select(BLOCKS)).all()
