"""Webhooks and secret addresses in the API; the feeds behind them are read by other people's libraries."""

from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest
from freezegun import freeze_time
from icalendar import Calendar

from domain.clock import MoveClocks
from domain.lifecycle import StartGame
from domain.pace import DAY, Pace
from service.base.clock import HOUR, now
from service.notices.kinds import SWITCHED
from service.notices.webhooks import WEBHOOKS_EACH
from service.people import feeds
from service.web.feeds import atom
from tests import road
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World


def feed(asker: Asker, which: str) -> str:
    """Return the path of a new secret address of ``asker``, as `Asker` expects it."""
    url = str(asker.ask("PUT", f"/me/feeds/{which}").json["url"])  # type: ignore[index]
    return "." + url.removeprefix("http://127.0.0.1:8000")


def parsed(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    read = feedparser.parse(answer.data)
    assert not read.bozo, read.get("bozo_exception")
    return read


# ==== webhooks ====================================================================================
def test_a_webhook_shows_its_secret_once(alice: Asker, bob: Asker) -> None:
    made = alice.post("/me/webhooks", {"url": "https://hooks.example/x#y"})
    assert made.status_code == 201
    assert made.json["secret"].startswith("whs_")  # type: ignore[index]
    (line,) = alice.get("/me/webhooks").json["webhooks"]  # type: ignore[index]
    assert (line["url"], line["kinds"], line["enabled"]) == ("https://hooks.example/x", list(SWITCHED), True)
    assert "secret" not in line
    assert bob.get("/me/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize("url", ["http://hooks.example/", "https://u:p@hooks.example/", "https://hooks.example:22/"])
def test_a_forbidden_address_is_refused_as_a_webhook(alice: Asker, url: str) -> None:
    answer = alice.post("/me/webhooks", {"url": url})
    assert (answer.status_code, kind(answer)) == (422, "shape")
    assert "url" in answer.json["errors"]["json"]  # type: ignore[index]


def test_only_its_owner_changes_and_removes_a_webhook(alice: Asker, bob: Asker) -> None:
    number = alice.post("/me/webhooks", {"url": "https://hooks.example/"}).json["id"]  # type: ignore[index]
    changed = alice.patch(f"/me/webhooks/{number}", {"kinds": ["over"], "enabled": False}).json
    assert (changed["kinds"], changed["enabled"]) == (["over"], False)  # type: ignore[index]
    assert bob.patch(f"/me/webhooks/{number}", {"enabled": True}).status_code == 404
    assert bob.delete(f"/me/webhooks/{number}").status_code == 404
    assert alice.patch(f"/me/webhooks/{number}", {"kinds": ["nothing"]}).status_code == 422
    assert alice.delete(f"/me/webhooks/{number}").status_code == 204
    assert alice.get("/me/webhooks").json == {"webhooks": []}


def test_the_number_of_webhooks_is_limited(alice: Asker) -> None:
    answers = [alice.post("/me/webhooks", {"url": "https://hooks.example/"}) for _ in range(WEBHOOKS_EACH + 1)]
    assert [it.status_code for it in answers] == [201] * WEBHOOKS_EACH + [409]
    assert kind(answers[-1]) == "too_many"


def test_a_trial_call_waits_for_the_workers(alice: Asker) -> None:
    number = alice.post("/me/webhooks", {"url": "https://hooks.example/"}).json["id"]  # type: ignore[index]
    call = alice.post(f"/me/webhooks/{number}/test").json["id"]  # type: ignore[index]
    assert alice.get(f"/me/webhook-calls/{call}").json == {"id": call, "state": "pending", "detail": ""}


# ==== secret addresses ============================================================================
@pytest.mark.parametrize("which", feeds.KINDS)
def test_a_new_address_ends_the_old_one(alice: Asker, world: World, which: str) -> None:
    reader = world.anonymous()
    first, second = feed(alice, which), feed(alice, which)
    assert [reader.get(it).status_code for it in (first, second)] == [404, 200]
    assert alice.delete(f"/me/feeds/{which}").status_code == 204
    assert reader.get(second).status_code == 404
    assert alice.get("/me/feeds").json == {"feeds": []}


def test_a_secret_address_opens_only_its_own_feed(alice: Asker, world: World, game_id: str) -> None:
    calendar, story = feed(alice, "calendar"), feed(alice, "story")
    for wrong in (calendar.replace("turns.ics", "games.atom"), story.replace("games.atom", "turns.ics")):
        assert world.anonymous().get(wrong).status_code == 404
    token = story.split("/")[4]
    stolen = Asker(world.app.test_client(), token=token)
    assert stolen.get(f"/games/{game_id}").status_code == 401


def test_only_hash_and_last_use_of_a_secret_address_are_kept(alice: Asker, world: World) -> None:
    path = feed(alice, "story")
    with world.store.read() as conn:
        row = feeds.of(conn, alice.number or 0)["story"]
    assert path.split("/")[4] not in str(row)
    assert row.used_at is None
    assert world.anonymous().get(path).status_code == 200
    assert alice.get("/me/feeds").json["feeds"][0]["used_at"] is not None  # type: ignore[index]


# ==== the story of a game =========================================================================
def test_a_feed_is_valid_and_lists_the_plies(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    with freeze_time("2026-03-01 12:00") as time:
        game_id = world.game(harriet, alice, bob)
        for player in (alice, bob):
            time.tick(60)
            player.choose(game_id)
    answer = world.anonymous().get(f"/games/{game_id}/log.atom")
    read = parsed(answer)
    log = world.anonymous().get(f"/games/{game_id}/log").json["log"]  # type: ignore[index]
    assert [it.content[0].value for it in read.entries] == [
        " ".join(it["sentences"]) for it in reversed(log) if it["sentences"]
    ]
    first = read.entries[0]
    assert (first.id, first.link) == (
        f"tag:localhost,2026:games/{game_id}/{log[-1]['ply']}",
        f"http://127.0.0.1:8000/games/{game_id}/at/{log[-1]['ply']}",
    )
    assert first.author == "Bob"
    assert first.published == first.updated == read.feed.updated == "2026-03-01T12:02:00.000Z"
    assert len({it.id for it in read.entries}) == len(read.entries)
    assert {it.rel: it.href for it in read.feed.links} == {
        "self": f"http://127.0.0.1:8000/api/v1/games/{game_id}/log.atom?lang=en",
        "alternate": f"http://127.0.0.1:8000/games/{game_id}",
    }
    assert "Laternen" in parsed(world.anonymous().get(f"/games/{game_id}/log.atom?lang=de")).feed.title


def test_an_unchanged_feed_is_not_sent_again(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.game(harriet, alice, bob)
    reader, path = world.anonymous(), f"/games/{game_id}/log.atom"
    etag = reader.get(path).headers["ETag"]
    again = reader.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    for player in (alice, bob):  # the first choice is sealed, so spectators get no news of it
        player.choose(game_id)
    assert reader.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_a_withdrawn_ply_appears_in_the_feed_as_a_new_entry(
    world: World, harriet: Asker, alice: Asker, bob: Asker
) -> None:
    with freeze_time("2026-03-01 12:00") as time:
        game_id = world.game(harriet, alice, bob)
        for player in (alice, bob):
            player.choose(game_id)
        leader = next(it for it in (alice, bob) if "move" in it.get(f"/games/{game_id}").json["may"])  # type: ignore[index]
        actions = leader.get(f"/games/{game_id}/actions").json["actions"]  # type: ignore[index]
        walk = next(it["command"] for it in actions if it["command"]["command"] == "Walk")
        plies = leader.move(game_id, {**walk, "steps": walk.get("steps") or 1}).json["plies"]  # type: ignore[index]
        time.tick(10)
        before = parsed(alice.get(f"/games/{game_id}/log.atom")).entries
        taken = leader.post(f"/games/{game_id}/take-back", {"down_to": plies[0]}, headers={"If-Match": "*"})
        assert taken.status_code == 201, taken.text
        after = parsed(alice.get(f"/games/{game_id}/log.atom")).entries
    tag = f"tag:localhost,2026:games/{game_id}/{plies[0]}"
    (was,), (now_,) = ([it for it in entries if it.id == tag] for entries in (before, after))
    assert now_.title == f"{was.title} (taken back)"
    assert (was.updated, now_.updated) == ("2026-03-01T12:00:00.000Z", "2026-03-01T12:00:10.000Z")


def test_players_follow_a_private_game_by_their_secret_address(
    world: World, alice: Asker, charlie: Asker, game_id: str
) -> None:
    reader = world.anonymous()
    alice.choose(game_id)
    mine, theirs = (feed(who, "story").replace("games.atom", f"games/{game_id}.atom") for who in (alice, charlie))
    assert reader.get(f"/games/{game_id}/log.atom").status_code == 404
    assert reader.get(theirs).status_code == 404
    read = parsed(reader.get(mine))
    assert read.entries
    assert [it.rel for it in read.feed.links] == ["alternate"], "the secret address is not in the feed"


def test_the_feed_of_a_person_holds_exactly_their_games(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    with freeze_time("2026-03-01 12:00") as time:
        first = world.game(harriet, alice, bob, public=False)
        time.tick(60)
        second = world.game(harriet, bob, charlie, public=False)
    told = parsed(world.anonymous().get(feed(bob, "story"))).entries
    assert told[0].link.split("/")[4] == second
    assert {it.link.split("/")[4] for it in told} == {first, second}
    only = parsed(world.anonymous().get(feed(alice, "story"))).entries
    assert {it.link.split("/")[4] for it in only} == {first}


def test_names_with_special_characters_break_no_feed(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    alice.patch("/me", {"name": "<b>&\"'</b>"})
    game_id = world.game(harriet, alice, bob)
    alice.choose(game_id)
    answer = world.anonymous().get(f"/games/{game_id}/log.atom")
    names = {it.text for it in ElementTree.fromstring(answer.data).iter(f"{{{atom.NAMESPACE}}}name")}
    assert "<b>&\"'</b>" in names


def test_secrets_of_a_seat_stand_only_in_its_own_feed(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id = world.game(harriet, alice, bob)
    mine, others = feed(alice, "story"), feed(bob, "story")
    alice.move(game_id, {"command": "Whisper", "number": 77})
    told = {
        name: world.anonymous().get(path).text
        for name, path in (("alice", mine), ("bob", others), ("onlooker", f"/games/{game_id}/log.atom"))
    }
    assert [name for name, text in told.items() if "whispers 77" in text] == ["alice"]


# ==== the calendar ================================================================================
def paced(world: World, *players: Asker, name: str = "A table") -> str:
    """Return a running game of these players with a day for each turn."""
    opened = road.open_game(
        world.store,
        title="toy",
        options={},
        seats=len(players),
        name=name,
        host_id=None,
        public=False,
        at=now(),
        settle_ms=60_000,
        pace=Pace(DAY),
    )
    for seat, player in enumerate(players, 1):
        road.take_seat(world.store, opened.game_id, seat, choice={}, at=now(), person_id=player.number, invitation=0)
    road.submit(world.store, opened.game_id, None, [StartGame()], None, None, now())
    return opened.game_id


def events(answer: Any) -> list[Any]:
    assert answer.status_code == 200
    assert answer.content_type == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n")), "RFC 5545, 3.1: lines are folded"
    return list(Calendar.from_ical(answer.data).walk("VEVENT"))


def test_a_turn_with_a_deadline_stands_in_the_calendar_until_it_is_taken(
    world: World, alice: Asker, bob: Asker, game_id: str
) -> None:
    path, reader = feed(alice, "calendar"), world.anonymous()
    assert events(reader.get(path)) == [], "nothing presses"
    with freeze_time("2026-03-01 12:00"):
        hurried = paced(world, alice, bob)
    (event,) = events(reader.get(path))
    when = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (when - timedelta(minutes=30), when)
    assert event["summary"] == "Move in Lanterns: A table"
    assert event["url"] == f"http://127.0.0.1:8000/games/{hurried}"
    assert event["transp"] == "TRANSPARENT"
    assert event.decoded("dtstamp") == event.decoded("last-modified") == when - timedelta(days=1)
    alice.choose(hurried)
    assert event["uid"] not in [it["uid"] for it in events(reader.get(path))]


def test_a_moved_deadline_moves_its_event(world: World, alice: Asker, bob: Asker) -> None:
    path, reader = feed(alice, "calendar"), world.anonymous()
    game_id = paced(world, alice, bob)
    before = reader.get(path)
    assert reader.get(path, headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
    with world.store.read() as conn:
        due = world.store.load(conn, game_id).row.due_at
    later = MoveClocks(((1, due + HOUR),), "away")
    road.submit(world.store, game_id, None, [later], None, None, now(), "service")
    after = reader.get(path, headers={"If-None-Match": before.headers["ETag"]})
    (was,), (is_now,) = events(before), events(after)
    assert is_now["uid"] == was["uid"]
    assert is_now.decoded("dtend") - was.decoded("dtend") == timedelta(hours=1)
    assert is_now["sequence"] > was["sequence"]


def test_each_turn_is_an_event_of_its_own(world: World, alice: Asker, bob: Asker) -> None:
    game_id = paced(world, alice, bob)
    path = feed(alice, "calendar")
    uids = {str(events(world.anonymous().get(path))[0]["uid"])}
    for _ in range(12):
        for player in (alice, bob):
            for action in player.get(f"/games/{game_id}/actions").json["actions"][:1]:  # type: ignore[index]
                player.move(game_id, action["command"])
        uids |= {str(it["uid"]) for it in events(world.anonymous().get(path))}
    assert len(uids) > 1


def test_long_names_are_folded_and_special_characters_escaped(world: World, alice: Asker, bob: Asker) -> None:
    name = "Zug; um, Zug \\ über " + "ö" * 50
    paced(world, alice, bob, name=name)
    alice.patch("/me", {"lang": "de"})
    (event,) = events(world.anonymous().get(feed(alice, "calendar")))
    assert event["summary"] == f"Ziehen in Laternen: {name}"
