"""From wishes to games: kept seats, sitting down, free seats, closed tables, and the ends of wishes."""

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select, update

from domain.clock import SetPace
from domain.lifecycle import CancelGame, OpenTable, StartGame
from domain.pace import DAY, HOUR, MINUTE, PRESETS
from domain.refusal import Refused
from service.database.store import GAMES, PERSONS, Store
from service.database.tables import Absence, RatingRow, RecordRow, table_of
from service.database.work import Work
from service.games import finding, kept, lobby, offers, queries, rights, talk
from service.games.kept import KEPT, TABLES, WISHES
from service.games.rights import ByPerson, ByService, Forbidden, may
from service.keeping import personal
from service.people import acquaintances
from service.proof.audit import verify_game
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.wishes import gathering, wishes
from service.wishes.wishes import BadWish, WantedGame
from tests.service.lanterns import NOON, game, play_on, stored
from tests.service.proof.bundle import bundles
from tests.service.proof.bundle.javascript import JavaScript, loaded
from tests.service.wishes.conftest import LIVE, THREE, TWO, offered, sit, wish, wishes_of
from tests.workers.post import outbox, person


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


def states(store: Store, game_id: str) -> dict[int, str]:
    with store.read() as conn:
        rows = conn.execute(select(KEPT).where(KEPT.c.game_id == game_id))
        return {row.person_id: row.state for row in rows}


def tables(store: Store) -> list[str]:
    with store.read() as conn:
        return list(conn.scalars(select(TABLES.c.game_id).join(GAMES).order_by(GAMES.c.created_at, GAMES.c.id)))


def commands(store: Store, game_id: str) -> list[tuple[type, str]]:
    with store.read() as conn:
        return [(type(ply.command), ply.cause) for _, ply in store.plies(conn, game_id, store.titles["toy"], 0)]


def block(store: Store, who: int, other: int) -> None:
    with store.write() as conn:
        acquaintances.add(conn, who, "blocked", other, NOON)


# ==== the whole way ===============================================================================
def test_two_wishes_that_fit_become_a_game_when_both_have_sat_down(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    assert offered(store, bob) == table
    assert stored(store, table).seats == ()
    assert sorted(it.person_id for it in outbox(store, "seat_kept")) == [ann, bob]
    seats = {sit(store, ann, table, words="luck", salt="ab" * 32), sit(store, bob, table)}
    assert seats == {1, 2}
    assert game(store, table).status == "running"
    assert [it.games for it in wishes_of(store, ann)] == [(table,)]
    chairs = game(store, table).table.chairs  # type: ignore[union-attr]
    assert len([it for it in chairs.values() if it.brought]) == 1, "Ann brought words"


def test_the_service_opens_and_starts_the_table_which_both_verifiers_prove(
    store: Store, people: list[int], javascript: JavaScript
) -> None:
    table = playing(store, people[:2])
    told = [it for it in commands(store, table) if it[0] in (OpenTable, SetPace, StartGame)]
    assert told == [(OpenTable, "service"), (SetPace, "service"), (StartGame, "service")]
    play_on(store, table)
    report = verify_game(store, table)
    assert report.proved, report.said()
    with store.read() as conn:
        its = store.load(conn, table)
        raw = write(make.bundle(its, store.stored_plies(conn, table, 0, its.row.version), None))
    assert bundles.faults(javascript, raw) == (None, None)


def playing(store: Store, who: list[int], wanted: WantedGame = TWO, at: int = NOON) -> str:
    """Return the game to which the wishes of these people have led."""
    for each in who:
        wish(store, each, wanted, at)
    gathering.sweep(store, at)
    table = offered(store, who[0])
    for each in who:
        sit(store, each, table, at)
    assert game(store, table).status == "running"
    return table


def test_a_table_has_the_pace_number_and_language_that_all_want(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann, WantedGame(titles=("toy",), paces=("week", "none"), seats=(3, 2), lang="de"))
    wish(store, bob, WantedGame(titles=("toy",), paces=("day", "none"), seats=(2,), rated="yes"), NOON + 1)
    gathering.sweep(store, NOON + 2)
    row = stored(store, offered(store, ann)).row
    table = game(store, offered(store, ann)).table
    assert table is not None
    assert (row.seats, table.pace, row.rated, row.public, row.host_id) == (2, None, True, True, None)
    with store.read() as conn:
        assert queries.host_name(conn, queries.game_for(store, conn, ann, row.id)) is None
        assert offers.of(conn, row.id).lang == "de"
    assert row.name == "Laternen", "all players read this name"


@pytest.mark.parametrize(
    "changes",
    [
        {"titles": ("grand_trunk",)}, {"paces": ("week",)}, {"seats": (3,)}, {"rated": "yes"}, {"lang": "de"},
    ],
)  # fmt: skip
def test_wishes_that_differ_lead_to_no_table(store: Store, people: list[int], changes: dict[str, Any]) -> None:
    one = msgspec.structs.replace(TWO, rated="no", lang="en")
    wish(store, people[0], one)
    wish(store, people[1], msgspec.structs.replace(one, **changes))
    gathering.sweep(store, NOON)
    assert tables(store) == []
    assert wishes_of(store, people[0])[0].searches


def test_a_wish_rests_while_its_game_goes_on_and_waits_again_afterwards(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table = playing(store, [ann, bob])
    wish(store, cleo, at=NOON + MINUTE)
    gathering.sweep(store, NOON + MINUTE)
    assert tables(store) == [table]
    assert not wishes_of(store, ann)[0].searches
    play_on(store, table, since=NOON + HOUR)
    gathering.sweep(store, NOON + 2 * HOUR)
    assert len(tables(store)) == 2
    assert offered(store, cleo), "who has waited longest"


def test_a_wish_leads_to_as_many_games_as_it_says_one_after_another(store: Store, people: list[int]) -> None:
    ann, *others = people
    wish(store, ann, msgspec.structs.replace(TWO, at_once=2))
    for number, other in enumerate(others[:3]):
        wish(store, other, at=NOON + number)
    gathering.sweep(store, NOON + HOUR)
    first = offered(store, ann)
    assert len(tables(store)) == 2, "the two others play with each other"
    for who in (ann, others[0]):
        sit(store, who, first, NOON + HOUR)
    wish(store, others[3], at=NOON + HOUR)
    gathering.sweep(store, NOON + HOUR + 1)
    second = offered(store, ann)
    assert second
    for who in (ann, others[3]):
        sit(store, who, second, NOON + HOUR + 2)
    assert sorted(wishes_of(store, ann)[0].games) == sorted([first, second])
    assert not wishes_of(store, ann)[0].searches


def test_people_who_are_away_today_or_shut_out_get_no_seats(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    for who in (ann, bob, cleo):
        wish(store, who)
    with store.write() as conn:
        days = {"first_day": "2027-01-14", "last_day": "2027-01-16", "kind": "vacation"}
        conn.execute(insert(table_of(Absence)).values(person_id=ann, **days))
        conn.execute(update(PERSONS).where(PERSONS.c.id == bob).values(blocked_at=NOON))
    gathering.sweep(store, NOON)
    assert tables(store) == []
    gathering.sweep(store, NOON + 3 * DAY)
    assert offered(store, ann) == offered(store, cleo) != ""
    assert not offered(store, bob)


# ==== sitting down ================================================================================
def test_only_the_people_for_whom_the_seats_are_kept_can_sit_down_each_at_theirs(
    store: Store, people: list[int]
) -> None:
    ann, bob, cleo, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    with pytest.raises(Refused, match="kept for people who looked for a game"):
        sit(store, cleo, table)
    with store.read() as conn:
        mine = kept.of_person(conn, table, ann)
        assert mine is not None
        found = finding.open_tables(conn, cleo)
        assert (found.games, found.every) == ([], 0), "it is not listed among free seats"
    with pytest.raises(Refused, match="not kept for you"):
        sit(store, ann, table, seat=3 - mine.seat)
    assert sit(store, ann, table) == mine.seat
    with pytest.raises(Forbidden):
        lobby.start(Work(store), ByPerson(ann), table)
    with pytest.raises(Forbidden):
        lobby.cancel(Work(store), ByPerson(ann), table)


def test_whoever_sits_has_no_rights_of_a_host_before_the_start_and_all_have_them_later(
    store: Store, people: list[int]
) -> None:
    ann, bob, cleo, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    sit(store, ann, table)
    assert {"start", "cancel", "invite", "set_pace"}.isdisjoint(may(seen(store, table, ann), NOON))
    sit(store, bob, table)
    for who in (ann, bob):
        talk.switch(Work(store), ByPerson(who), table, on=False)
    with pytest.raises(Forbidden):
        talk.switch(Work(store), ByPerson(cleo), table, on=True)


def seen(store: Store, table: str, who: int) -> queries.Seen:
    return rights.see(Work(store), ByPerson(who), table)


def test_sitting_down_late_is_fine_until_the_seat_is_taken_away(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    sit(store, ann, table)
    sit(store, bob, table, NOON + kept.OFFER + MINUTE)
    gathering.sweep(store, NOON + kept.OFFER + 2 * MINUTE)
    assert game(store, table).status == "running"


# ==== seats that are not taken ====================================================================
@pytest.mark.parametrize(("wanted", "time"), [(TWO, 48 * HOUR), (LIVE, 2 * MINUTE)])
def test_a_seat_that_is_not_taken_in_time_goes_to_the_next_wish_that_fits(
    store: Store, people: list[int], wanted: WantedGame, time: int
) -> None:
    ann, bob, cleo, *_ = people
    for number, who in enumerate((ann, bob, cleo)):
        wish(store, who, wanted, NOON + number)
    at = NOON + 10
    gathering.sweep(store, at)
    table = offered(store, ann)
    assert (offered(store, bob), offered(store, cleo)) == (table, "")
    sit(store, ann, table, at)
    gathering.sweep(store, at + time - 1)
    assert offered(store, bob) == table
    gathering.sweep(store, at + time)
    assert (offered(store, bob), offered(store, cleo)) == ("", table)
    with pytest.raises(Refused):
        sit(store, bob, table, at + time)
    sit(store, cleo, table, at + time)
    assert game(store, table).status == "running"
    assert states(store, table) == {ann: "playing", bob: "missed", cleo: "playing"}


def test_if_nobody_fits_the_table_closes_and_those_who_sat_keep_their_place(store: Store, people: list[int]) -> None:
    ann, bob, cleo, dan, _ = people
    wish(store, ann, msgspec.structs.replace(TWO, seats=(2, 3)))
    wish(store, bob, at=NOON + 1)
    gathering.sweep(store, NOON + 10)
    table = offered(store, ann)
    sit(store, ann, table, NOON + 10)
    for number, who in enumerate((cleo, dan)):
        wish(store, who, THREE, NOON + HOUR + number)
    late = NOON + 10 + kept.OFFER
    gathering.sweep(store, late)
    assert game(store, table).status == "cancelled"
    assert commands(store, table)[-1] == (CancelGame, "service")
    assert [it.person_id for it in outbox(store, "cancelled")] == [ann]
    [mine], [his] = wishes_of(store, ann), wishes_of(store, bob)
    assert (mine.since, his.since) == (NOON, late)
    assert his.searches
    assert offered(store, ann) == offered(store, cleo) == offered(store, dan) != ""


def test_two_missed_offers_end_a_wish_with_a_letter(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    wish(store, ann)
    wish(store, bob)
    at = NOON
    for _ in range(2):
        gathering.sweep(store, at)
        table = offered(store, ann)
        sit(store, ann, table, at)
        at += kept.OFFER
        gathering.sweep(store, at)
    [ended] = wishes_of(store, bob)
    assert (ended.ended_at, ended.searches) == (at, False)
    assert [it.person_id for it in outbox(store, "wish_ended")] == [bob]
    wish(store, cleo, at=at)
    gathering.sweep(store, at)
    assert offered(store, ann) == offered(store, cleo) != ""
    assert len(wishes_of(store, ann)) == 1


def test_a_game_between_two_missed_offers_forgives_the_first(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    number = wish(store, bob)
    gathering.sweep(store, NOON)
    sit(store, ann, offered(store, ann))
    gathering.sweep(store, NOON + kept.OFFER)
    gathering.sweep(store, NOON + kept.OFFER + 1)
    assert missed(store, number) == 1
    table, at = offered(store, ann), NOON + kept.OFFER + 2
    for who in (ann, bob):
        sit(store, who, table, at)
    assert missed(store, number) == 0


def gathered(store: Store, people: Sequence[int], wanted: WantedGame = TWO) -> tuple[str, list[int]]:
    """Let people wish one after another, and bring them together. Return the first one's table, and all wishes."""
    numbers = [wish(store, who, wanted, NOON + at) for at, who in enumerate(people)]
    gathering.sweep(store, NOON + 5)
    return offered(store, people[0]), numbers


def missed(store: Store, number: int) -> int:
    with store.read() as conn:
        return int(conn.execute(select(WISHES.c.missed).where(WISHES.c.id == number)).scalar_one())


def test_standing_up_counts_as_a_missed_offer_and_the_seat_goes_on(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, _ = gathered(store, (ann, bob, cleo))
    sit(store, ann, table, NOON + 5)
    lobby.leave(Work(store), ByPerson(ann), table, at=NOON + 6)
    gathering.sweep(store, NOON + 7)
    assert offered(store, cleo) == table
    assert states(store, table) == {ann: "left", bob: "kept", cleo: "kept"}
    assert wishes_of(store, ann)[0].since == NOON + 6


def decline(store: Store, who: int, table: str, at: int) -> None:
    lobby.decline(Work(store), ByPerson(who), table, at=at)


def test_a_declined_seat_goes_to_the_next_wish_at_once_and_is_no_missed_offer(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, numbers = gathered(store, (ann, bob, cleo))
    sit(store, ann, table, NOON + 5)
    for at in (6, 7):  # pressed twice
        decline(store, bob, table, NOON + at)
    gathering.sweep(store, NOON + 8)
    assert (offered(store, bob), offered(store, cleo)) == ("", table)
    assert states(store, table) == {ann: "sat", bob: "declined", cleo: "kept"}
    assert missed(store, numbers[1]) == 0
    with pytest.raises(Refused, match="kept for people who looked for a game"):
        sit(store, bob, table, NOON + 9)
    sit(store, cleo, table, NOON + 9)
    assert game(store, table).status == "running"


def test_after_a_declined_seat_a_wish_rests_for_a_day_so_that_the_same_people_do_not_meet_again_at_once(
    store: Store, people: list[int]
) -> None:
    ann, bob, *_ = people
    table, _ = gathered(store, (ann, bob))
    decline(store, ann, table, NOON + 6)
    gathering.sweep(store, NOON + 7)
    assert game(store, table).status == "cancelled"
    gathering.sweep(store, NOON + 5 + DAY)
    [hers], [his] = wishes_of(store, ann, NOON + 5 + DAY), wishes_of(store, bob)
    assert (hers.rests, hers.searches, hers.ended_at, hers.since) == (True, False, None, NOON + 6 + DAY)
    assert (his.rests, his.searches, his.since) == (False, True, NOON + 1), "Bob keeps his place"
    gathering.sweep(store, NOON + 6 + DAY)
    assert offered(store, ann) == offered(store, bob) != ""
    assert not wishes_of(store, ann, NOON + 6 + DAY)[0].rests


def test_only_a_seat_that_is_kept_for_somebody_can_be_declined_by_them(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, _ = gathered(store, (ann, bob, cleo))
    assert "decline" in may(seen(store, table, ann), NOON)
    sit(store, ann, table, NOON + 5)
    for who in (ann, cleo):
        assert "decline" not in may(seen(store, table, who), NOON)
        with pytest.raises(Refused, match="not kept for you"):
            decline(store, who, table, NOON + 6)
    assert states(store, table) == {ann: "sat", bob: "kept"}
    assert wishes_of(store, cleo, NOON + 6)[0].searches


def test_of_three_two_who_miss_are_replaced_together_or_not_at_all(store: Store, people: list[int]) -> None:
    ann, bob, cleo, dan, eve = people
    table, _ = gathered(store, (ann, bob, cleo, dan), THREE)
    sit(store, ann, table, NOON + 5)
    late = NOON + 5 + kept.OFFER
    gathering.sweep(store, late)
    assert game(store, table).status == "cancelled", "Dan alone is not enough"
    assert offered(store, ann) == offered(store, dan) == offered(store, bob) != table, "Bob gets another chance"
    wish(store, eve, THREE, late)
    gathering.sweep(store, late + 1)
    assert not offered(store, eve)


def test_a_withdrawn_wish_frees_its_seat_but_who_sits_stays(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, numbers = gathered(store, (ann, bob, cleo))
    sit(store, ann, table, NOON + 5)
    with store.write() as conn:
        assert wishes.withdraw(conn, ann, numbers[0])
        assert wishes.withdraw(conn, bob, numbers[1])
        assert not wishes.withdraw(conn, bob, numbers[2]), "it is Cleo's"
    assert wishes_of(store, bob) == []
    with pytest.raises(Refused):
        sit(store, bob, table, NOON + 6)
    gathering.sweep(store, NOON + 6)
    sit(store, cleo, table, NOON + 7)
    assert {it.person_id for it in stored(store, table).seats} == {ann, cleo}
    assert game(store, table).status == "running"
    assert outbox(store, "wish_ended") == []


def test_an_operator_who_closes_the_table_sets_its_people_free(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    lobby.cancel(Work(store), ByService(), table, at=NOON)
    assert states(store, table) == {ann: "released", bob: "released"}
    gathering.sweep(store, NOON + 1)
    assert offered(store, ann) == offered(store, bob) != ""


# ==== people ======================================================================================
def test_people_of_whom_one_blocks_the_other_are_never_brought_together(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    block(store, bob, ann)
    for at, who in enumerate((ann, bob)):
        wish(store, who, at=NOON + at)
    gathering.sweep(store, NOON + 5)
    assert tables(store) == []
    wish(store, cleo, at=NOON + 6)
    gathering.sweep(store, NOON + 6)
    assert offered(store, ann) == offered(store, cleo) != ""


def test_somebody_who_is_blocked_while_a_seat_is_kept_makes_place_without_a_missed_offer(
    store: Store, people: list[int]
) -> None:
    ann, bob, cleo, *_ = people
    table, numbers = gathered(store, (ann, bob, cleo))
    sit(store, ann, table, NOON + 5)
    block(store, ann, bob)
    with pytest.raises(Refused) as refused:
        sit(store, bob, table, NOON + 6)
    assert "block" not in str(refused.value)
    gathering.sweep(store, NOON + 7)
    assert (offered(store, bob), offered(store, cleo)) == ("", table)
    assert states(store, table)[bob] == "released"
    assert missed(store, numbers[1]) == 0
    [his] = wishes_of(store, bob)
    assert his.since == NOON + 1


def test_ratings_and_reliability_count_once_they_are_known_and_the_range_widens(
    store: Store, people: list[int]
) -> None:
    ann, bob, cleo, *_ = people
    rate(store, ann, 30)
    rate(store, bob, 37)
    wanted = msgspec.structs.replace(TWO, spread=3)
    wish(store, ann, wanted)
    wish(store, bob, at=NOON + 1)
    gathering.sweep(store, NOON + DAY)
    assert tables(store) == []
    gathering.sweep(store, NOON + 2 * DAY)
    assert offered(store, ann) == offered(store, bob) != "", "9 points by now"
    assert cleo


def test_who_leaves_games_does_not_suit_those_who_ask_for_reliable_people(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    rate(store, bob, 25, leaves=3)
    wish(store, ann, msgspec.structs.replace(TWO, finished=80))
    wish(store, bob, at=NOON + 1)
    gathering.sweep(store, NOON + 2)
    assert tables(store) == []
    wish(store, cleo, at=NOON + 3)
    gathering.sweep(store, NOON + 4)
    assert offered(store, ann) == offered(store, cleo) != "", "a newcomer suits everybody"


def rate(store: Store, who: int, rating: int, leaves: int = 0) -> None:
    """Give a person a record of five rated games."""
    for number in range(5):
        game_id = f"r{who}x{number}"
        at = {"game_id": game_id, "seat": 1, "person_id": who, "title": "toy", "ended_at": NOON - DAY + number}
        numbers = {"before_mu": 0, "before_sigma": 0, "mu": rating * 1_000_000, "sigma": 1, "formula": 1}
        with store.write() as conn:
            copy_row(conn, game_id)
            conn.execute(insert(table_of(RatingRow)).values(at | numbers))
            place = None if number < leaves else 1
            conn.execute(
                insert(table_of(RecordRow)).values(at | {"sitting": 0, "seats": 2, "place": place, "times": []})
            )


def copy_row(conn: Any, game_id: str) -> None:
    row = {
        "id": game_id, "title": "toy", "name": "x", "seats": 2, "host_id": None, "public": True, "invite_hash": None,
        "invites": 0, "version": 1, "head": b"", "status": "over", "asked": [], "bot_at": None, "due_at": None,
        "paused": False, "created_at": NOON, "moved_at": NOON, "ended_at": NOON, "recorded_at": NOON,
    }  # fmt: skip
    conn.execute(insert(GAMES), row)


def test_whoever_is_erased_while_a_seat_is_kept_or_taken_makes_place(store: Store, people: list[int]) -> None:
    ann, bob, cleo, dan, _ = people
    table, _ = gathered(store, (ann, bob))
    sit(store, ann, table, NOON + 5)
    for at, who in enumerate((cleo, dan)):
        wish(store, who, msgspec.structs.replace(TWO, paces=("day", "week")[: 1 + at]), at=NOON + 6 + at)
    personal.erase(store, ann, NOON + 7)
    personal.erase(store, bob, NOON + 7)
    gathering.sweep(store, NOON + 8)
    assert game(store, table).status == "cancelled", "nobody is left there"
    gathering.sweep(store, NOON + 9)
    assert offered(store, cleo) == offered(store, dan) != table
    with store.read() as conn:
        assert set(conn.scalars(select(KEPT.c.person_id))) == {cleo, dan}
        assert set(conn.scalars(select(WISHES.c.person_id))) == {cleo, dan}


def test_the_seat_of_somebody_erased_goes_to_the_next(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, _ = gathered(store, (ann, bob, cleo))
    sit(store, ann, table, NOON + 5)
    personal.erase(store, bob, NOON + 6)
    gathering.sweep(store, NOON + 7)
    assert offered(store, cleo) == table


def test_a_wish_is_in_its_owners_export_and_tells_nobody_else(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    with zipfile.ZipFile(io.BytesIO(personal.export(store, ann, NOON))) as packed:
        told = json.loads(packed.read("person.json"))
    assert [it["paces"] for it in told["wish"]] == [["day"]]
    assert [(it["person_id"], it["state"]) for it in told["kept_seat"]] == [(ann, "kept")]


# ==== asking ======================================================================================
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("titles", ()), ("titles", ("chess",)), ("paces", ("fast",)), ("seats", ()), ("seats", (6,)), ("spread", 4),
        ("finished", 55), ("lang", "xx"), ("at_once", 0),
    ],
)  # fmt: skip
def test_impossible_wishes_are_refused(store: Store, people: list[int], field: str, value: Any) -> None:
    with pytest.raises(BadWish) as refused:
        wish(store, people[0], msgspec.structs.replace(TWO, **{field: value}))
    assert refused.value.field == field


def test_the_same_wish_twice_is_one_and_there_are_five_at_most(store: Store, people: list[int]) -> None:
    assert wish(store, people[0]) == wish(store, people[0])
    for pace in list(PRESETS)[:5]:
        with suppress(wishes.TooMany):
            wish(store, people[0], msgspec.structs.replace(TWO, paces=(pace,)))
    assert len(wishes_of(store, people[0])) == 5
    with pytest.raises(wishes.TooMany):
        wish(store, people[0], msgspec.structs.replace(TWO, paces=("none",)))


# ==== broken off and at once ======================================================================
class Killed(BaseException):
    """A process dies."""


def dies(*_: Any, **__: Any) -> Any:
    raise Killed


STEPS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "before the seats": lambda patch: patch.setattr(gathering, "_offer", dies),
    "before the letters": lambda patch: patch.setattr(gathering.owing, "owe", dies),
    "after the table": lambda patch: patch.setattr(gathering, "_tell", dies),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_sweep_that_is_killed_leaves_all_or_nothing_of_a_table(
    store: Store, people: list[int], step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    STEPS[step](monkeypatch)
    with pytest.raises(Killed):
        gathering.sweep(store, NOON)
    monkeypatch.undo()
    gathering.sweep(store, NOON)
    [table] = tables(store)
    assert states(store, table) == {ann: "kept", bob: "kept"}
    assert len(outbox(store, "seat_kept")) == 2


def test_killed_between_the_last_seat_and_the_start_the_sweep_starts_the_game(
    store: Store, people: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, *_ = people
    wish(store, ann)
    wish(store, bob)
    gathering.sweep(store, NOON)
    table = offered(store, ann)
    sit(store, ann, table)
    monkeypatch.setattr(lobby, "begin", dies)
    with pytest.raises(Killed):
        sit(store, bob, table)
    monkeypatch.undo()
    assert game(store, table).status == "open"
    gathering.sweep(store, NOON)
    gathering.sweep(store, NOON)
    assert game(store, table).status == "running"
    assert [kind for kind, _ in commands(store, table)].count(StartGame) == 1


@pytest.mark.parametrize("step", ["_given_away", "_offer", "_close", "_tell"])
def test_killed_while_a_seat_goes_to_somebody_else_it_goes_once(
    store: Store, people: list[int], step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cleo, *_ = people
    third = [] if step == "_close" else [cleo]
    table, _ = gathered(store, (ann, bob, *third))
    late = NOON + 5 + kept.OFFER
    sit(store, ann, table, NOON + 5)
    monkeypatch.setattr(gathering, step, dies)
    with pytest.raises(Killed):
        gathering.sweep(store, late)
    monkeypatch.undo()
    gathering.sweep(store, late)
    gathering.sweep(store, late)
    if third:
        assert states(store, table) == {ann: "sat", bob: "missed", cleo: "kept"}
        assert len(outbox(store, "seat_kept")) == 3
    else:
        assert game(store, table).status == "cancelled"
        assert offered(store, ann) == offered(store, bob) != table, "they are brought together again"
    with store.read() as conn:
        assert conn.execute(select(WISHES.c.missed).where(WISHES.c.person_id == bob)).scalar_one() == 1


def test_two_workers_at_once_open_one_table_for_each_group(store: Store, people: list[int]) -> None:
    many = [*people, *(person(store, f"P{number}") for number in range(7))]
    for at, who in enumerate(many):
        wish(store, who, THREE if at % 2 else TWO, NOON + at)
    run_at_once(store, lambda: gathering.sweep(store, NOON + 100), 4)
    gathering.sweep(store, NOON + 101)
    offers = [offered(store, who) for who in many]
    assert all(offers)
    assert {offers.count(it) for it in offers} == {2, 3}
    assert len(outbox(store, "seat_kept")) == len(many)


@pytest.mark.parametrize("declines", [False, True])
def test_a_search_that_is_overtaken_by_a_game_or_a_declined_seat_offers_nothing(
    store: Store, people: list[int], declines: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, *_ = people
    search = gathering.matching.match

    def slowly(*given: Any) -> Any:
        found = search(*given)
        monkeypatch.undo()
        if declines:
            gathering.sweep(store, NOON)
            decline(store, ann, offered(store, ann), NOON)
        else:
            playing(store, [ann, bob])
        return found

    wish(store, ann)
    wish(store, bob)
    monkeypatch.setattr(gathering.matching, "match", slowly)
    gathering.sweep(store, NOON)
    assert len(tables(store)) == 1, "one game at once is what they want"


def test_two_workers_at_once_give_a_seat_to_one_person(store: Store, people: list[int]) -> None:
    ann, bob, cleo, dan, _ = people
    for at, who in enumerate((ann, bob, cleo, dan)):
        wish(store, who, TWO if who != dan else THREE, NOON + at)
    gathering.sweep(store, NOON + 5)
    table, late = offered(store, ann), NOON + 5 + kept.OFFER
    sit(store, ann, table, NOON + 5)
    run_at_once(store, lambda: gathering.sweep(store, late), 4)
    assert states(store, table) == {ann: "sat", bob: "missed", cleo: "kept"}
    with store.read() as conn:
        assert conn.execute(select(WISHES.c.missed).where(WISHES.c.person_id == bob)).scalar_one() == 1


def test_sitting_down_at_the_last_moment_either_counts_or_is_refused(store: Store, people: list[int]) -> None:
    ann, bob, cleo, *_ = people
    table, _ = gathered(store, (ann, bob, cleo))
    late = NOON + 5 + kept.OFFER
    sit(store, ann, table, NOON + 5)
    sat: list[bool] = []

    def comes() -> None:
        try:
            sit(store, bob, table, late)
            sat.append(True)
        except Refused:
            sat.append(False)

    barrier = threading.Barrier(2)
    run_each([lambda: (barrier.wait(), comes()), lambda: (barrier.wait(), gathering.sweep(store, late))])
    expected = {ann: "playing", bob: "playing"} if sat == [True] else {ann: "sat", bob: "missed", cleo: "kept"}
    assert states(store, table) == expected
    taken = {it.person_id for it in stored(store, table).seats}
    assert taken == ({ann, bob} if sat == [True] else {ann})


def run_at_once(store: Store, does: Callable[[], Any], times: int) -> None:
    barrier = threading.Barrier(times)
    run_each([lambda: (barrier.wait(), does())] * times)


def run_each(deeds: list[Callable[[], Any]]) -> None:
    wrong: list[BaseException] = []

    def guarded(deed: Callable[[], Any]) -> None:
        try:
            deed()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=guarded, args=(deed,)) for deed in deeds]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


def test_old_wishes_and_seats_are_forgotten(store: Store, people: list[int]) -> None:
    ann, bob, *_ = people
    table = playing(store, [ann, bob])
    play_on(store, table)
    number = wish(store, ann, LIVE)
    with store.write() as conn:
        ended = conn.execute(select(GAMES.c.ended_at).where(GAMES.c.id == table)).scalar_one()
        conn.execute(update(WISHES).where(WISHES.c.id == number).values(ended_at=ended))
        kept.forget_old(conn, ended + kept.FORGOTTEN_AFTER - 1)
        assert conn.execute(select(KEPT)).all()
        kept.forget_old(conn, ended + kept.FORGOTTEN_AFTER)
        assert conn.execute(select(KEPT)).all() == []
    assert [it.id == number for it in wishes_of(store, ann)] == [False]
