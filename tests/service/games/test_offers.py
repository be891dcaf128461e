"""Offers of tables: the demands on people who take a seat, for everybody and every channel; finding open tables."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import insert

from domain.pace import DAY, HOUR, MINUTE, Pace
from domain.refusal import Refused
from service.base import links
from service.database.store import Store
from service.database.work import Work
from service.games import finding, lobby, offers, opening, queries, rights
from service.games.finding import WantedTable
from service.games.offers import ANYBODY, Offer
from service.games.rights import ByPerson, Forbidden
from service.people.standing import RATINGS, RECORD
from tests.service.lanterns import NOON
from tests.workers.post import person


@pytest.fixture
def people(store: Store) -> list[int]:
    return [person(store, name) for name in ("Ann", "Bob", "Cleo")]


def opened(store: Store, host: int, offer: Offer = offers.ANYBODY, **more: Any) -> str:
    given: dict[str, Any] = {"title": "toy", "options": {}, "seats": 2, "name": "Rails", "public": True, "at": NOON}
    return opening.open_table(Work(store), ByPerson(host), settle_ms=0, offer=offer, **given | more).game_id


def sits(store: Store, game_id: str, who: int, invite: str = "") -> None:
    lobby.join(Work(store), ByPerson(who, invite=invite), game_id, choice={}, at=NOON)


def may_join(store: Store, game_id: str, who: int) -> bool:
    return "join" in rights.may(rights.see(Work(store), ByPerson(who), game_id), NOON)


def refused(store: Store, game_id: str, who: int) -> str:
    """Return the sentence of the refusal. The offered actions agree with it."""
    assert not may_join(store, game_id, who)
    with pytest.raises(Refused) as refusal:
        sits(store, game_id, who)
    it = refusal.value.sentence
    return it.template.format(**it.facts)


def lived(store: Store, who: int, places: Sequence[int | None], mu: int = 25) -> None:
    """Give a person finished games with these places (None: they left), and their ratings."""
    rows, ratings = [], []
    for number, place in enumerate(places):
        game_id = opened(store, who)
        rows.append(
            {"game_id": game_id, "seat": 1, "sitting": 0, "person_id": who, "bot": None, "title": "toy", "seats": 2,
             "ended_at": NOON + number, "place": place, "total": 0, "leaving": "" if place else "resigned",
             "played_by": "player" if place else "nobody", "times": [], "rated": True}
        )  # fmt: skip
        ratings.append(
            {"game_id": game_id, "seat": 1, "person_id": who, "title": "toy", "ended_at": NOON + number,
             "before_mu": 0, "before_sigma": 0, "mu": mu * 1_000_000 if number == len(places) - 1 else 0, "sigma": 1,
             "formula": 1}
        )  # fmt: skip
    with store.write() as conn:
        conn.execute(insert(RECORD), rows)
        conn.execute(insert(RATINGS), ratings)


def test_seats_for_invited_people_are_refused_to_others_only(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    table = opened(store, ann, by_invitation=True)
    assert "with the invitation" in refused(store, table, bob)
    sits(store, table, ann)
    sits(store, table, cleo, links.invitation(store.settings, table, 0))
    assert not may_join(store, table, bob)


@pytest.mark.parametrize(
    ("offer", "mu", "said"),
    [
        (Offer(rating_low=26), 25, "a rating of at least 26; yours is 25"),
        (Offer(rating_high=24), 25, "a rating of at most 24; yours is 25"),
        (Offer(rating_low=25, rating_high=25), 25, ""),
        (Offer(finished=80), 25, ""),
        (Offer(finished=81), 25, "81 percent of games played to the end; you have played 80 percent"),
    ],
)
def test_a_table_asks_for_rating_and_reliability(
    store: Store, people: list[int], offer: Offer, mu: int, said: str
) -> None:
    ann, bob, _cleo = people
    lived(store, bob, [1, 2, 2, None, 1], mu)
    table = opened(store, ann, offer)
    if said:
        assert said in refused(store, table, bob)
    else:
        assert may_join(store, table, bob)
        sits(store, table, bob)


def test_newcomers_are_admitted_unless_the_host_says_no(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    lived(store, bob, [None] * 4)
    assert may_join(store, opened(store, ann, Offer(rating_low=30, finished=95)), bob)
    assert "5 rated games of its title; you have 4" in refused(
        store, opened(store, ann, Offer(rating_low=0, newcomers=False)), bob
    )
    assert "5 games in your record; you have 0" in refused(
        store, opened(store, ann, Offer(finished=70, newcomers=False)), cleo
    )


@pytest.mark.parametrize(
    "offer",
    [Offer(rating_low=30, rating_high=20), Offer(rating_low=-1), Offer(rating_high=61), Offer(finished=101),
     Offer(lang="xx")],
)  # fmt: skip
def test_impossible_demands_open_no_table(store: Store, people: list[int], offer: Offer) -> None:
    with pytest.raises(Refused):
        opened(store, people[0], offer)


def test_a_table_from_before_offers_admits_anybody(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    table = opened(store, ann, Offer(lang="en", rating_low=60, newcomers=False))
    with store.write() as conn:
        conn.execute(offers.OFFERS.delete())
    assert may_join(store, table, bob)
    with store.read() as conn:
        assert [it.id for it in finding.open_tables(conn, bob, WantedTable(lang="de")).games] == [table]


# ==== another offer ===============================================================================
def change(store: Store, game_id: str, who: int, offer: Offer, *, by_invitation: bool = False) -> None:
    lobby.set_offer(Work(store), ByPerson(who), game_id, offer, by_invitation=by_invitation)


def test_a_host_changes_the_offer_while_a_seat_is_free(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    table = opened(store, ann, Offer(lang="de"), name="Rails", pace=Pace(DAY))
    change(store, table, ann, Offer(lang="en", rating_low=30, newcomers=False))
    assert "at least 5 rated games" in refused(store, table, bob)
    assert found(store, bob, lang="de") == []
    assert found(store, bob, lang="en", speed="day") == ["Rails"]
    change(store, table, ann, ANYBODY, by_invitation=True)
    assert "with the invitation" in refused(store, table, bob)
    assert found(store, bob) == []
    change(store, table, ann, ANYBODY)
    sits(store, table, bob)
    with pytest.raises(Forbidden):
        change(store, table, bob, ANYBODY)
    with pytest.raises(Refused, match="lower end first"):
        change(store, table, ann, Offer(rating_low=30, rating_high=20))
    sits(store, table, cleo)
    lobby.start(Work(store), ByPerson(ann), table, at=NOON)
    with pytest.raises(Refused, match="already started"):
        change(store, table, ann, ANYBODY)


def test_lists_show_what_open_tables_offer(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    offer = Offer(lang="de", rating_low=20, rating_high=40, finished=90)
    opened(store, ann, offer, pace=Pace(DAY), rated=True)
    with store.read() as conn:
        ((line,), _more) = queries.games(conn, bob, "open")
    assert (line.offer, line.turn, line.rated, line.by_invitation) == (offer, DAY, True, False)


def test_tables_of_an_older_release_are_found_by_their_pace(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    opened(store, ann, name="Slow", pace=Pace(3 * DAY))
    opened(store, ann, name="No clock")
    with store.write() as conn:
        conn.execute(offers.OFFERS.delete())
    assert found(store, bob, speed="days") == []
    assert offers.keep_missing(store) == 2
    assert offers.keep_missing(store) == 0
    assert found(store, bob, speed="days") == ["Slow"]
    assert found(store, bob, speed="none") == ["No clock"]


# ==== finding =====================================================================================
def found(store: Store, who: int | None, **wanted: Any) -> list[str]:
    with store.read() as conn:
        return [it.name for it in finding.open_tables(conn, who, WantedTable(**wanted)).games]


def test_each_filter_finds_what_it_names(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    opened(store, ann, Offer(lang="de", finished=80), name="German", pace=Pace(DAY), rated=True)
    opened(store, ann, Offer(lang="en"), name="English", seats=3, pace=Pace(10 * MINUTE))
    opened(store, ann, name="Any")
    opened(store, ann, name="Invited", by_invitation=True)
    opened(store, ann, name="Private", public=False)
    opened(store, bob, name="Bob's")
    assert set(found(store, bob, lang="de")) == {"Any", "German"}
    assert found(store, bob, seats=3) == ["English"]
    assert found(store, bob, speed="live") == ["English"]
    assert found(store, bob, speed="day") == ["German"]
    assert found(store, bob, speed="none") == ["Any"]
    assert found(store, bob, speed="days") == []
    assert found(store, bob, rated=True) == ["German"]
    assert set(found(store, bob, rated=False)) == {"English", "Any"}
    assert found(store, bob, finished=80) == ["German"]
    assert found(store, bob, title="none") == []
    assert set(found(store, None)) == {"German", "English", "Any", "Bob's"}


def test_a_changed_pace_changes_what_finds_the_table(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    table = opened(store, ann, name="Rails")
    lobby.set_pace(Work(store), ByPerson(ann), table, Pace(2 * DAY, reminders=(HOUR,)), at=NOON)
    assert found(store, bob, speed="days") == ["Rails"]
    assert found(store, bob, speed="none") == []
    lobby.set_pace(Work(store), ByPerson(ann), table, None, at=NOON)
    assert found(store, bob, speed="none") == ["Rails"]


def test_tables_that_need_the_fewest_players_come_first_then_the_newest(store: Store, people: list[int]) -> None:
    ann, bob, cleo = people
    opened(store, ann, name="old", at=NOON)
    opened(store, ann, name="new", at=NOON + 1)
    nearly = opened(store, ann, name="nearly full", at=NOON - 1)
    sits(store, nearly, cleo)
    full = opened(store, ann, name="full")
    sits(store, full, cleo)
    sits(store, full, ann)
    assert found(store, bob) == ["nearly full", "new", "old"]
    assert "nearly full" not in found(store, cleo)


def test_pages_and_counts_agree(store: Store, people: list[int]) -> None:
    ann, bob, _cleo = people
    for number in range(finding.PAGE + 3):
        opened(store, ann, Offer(lang="de" if number % 2 else "en"), name=f"{number}", at=NOON + number)
    with store.read() as conn:
        first, second = (finding.open_tables(conn, bob, page=page) for page in (1, 2))
        german = finding.open_tables(conn, bob, WantedTable(lang="de"))
        every = [it.name for it in (*first.games, *second.games)]
        assert every == [str(number) for number in reversed(range(finding.PAGE + 3))]
        assert (first.total, first.every) == (len(every), len(every))
        assert (german.total, german.every) == (len(german.games), len(every))
