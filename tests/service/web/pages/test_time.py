"""Time on the pages: choosing a pace, the clocks at the table, an absent player's seat, a person's days off."""

import pytest
from freezegun import freeze_time

from domain.pace import DAY, HOUR, PRESETS, Pace
from service.base.clock import now
from tests.service.web.pages.in_words import options, section, status
from tests.service.web.pages.tables import game_id, open_table, start, to_choose
from workers import clocks


def table_of(shelf, address):
    with shelf.read() as conn:
        return shelf.load(conn, game_id(address)).game.table


def test_a_table_has_no_clock_unless_the_host_chooses_one(ann, bob, shelf):
    address = start(ann, bob)
    assert table_of(shelf, address).pace is None
    assert "Pace" not in ann.get(address).text


@pytest.mark.parametrize("name", PRESETS)
def test_a_pace_is_chosen_by_its_name(ann, shelf, name):
    address = open_table(ann, pace=name)
    assert table_of(shelf, address).pace == PRESETS[name]
    assert "When the time runs out" in ann.get(address).text


def test_a_pace_is_set_freely(ann, shelf):
    entries = {
        "pace": "free", "turn": "36", "turn_unit": "hours", "bank": "1", "bank_unit": "days", "gain": "2",
        "gain_unit": "hours", "cap": "2", "cap_unit": "days", "first": "90", "first_unit": "minutes", "second": "0",
        "hour": "20:30", "then": "safe", "waking": "true", "days_off": "7",
    }  # fmt: skip
    address = open_table(ann, **entries)
    pace = Pace(
        36 * HOUR,
        bank=DAY,
        gain=2 * HOUR,
        cap=2 * DAY,
        hour=20 * 60 + 30,
        days_off=(7,),
        waking=True,
        reminders=(90 * 60_000,),
        then="safe",
    )
    assert table_of(shelf, address).pace == pace
    assert "Deadlines fall at 20:30" in ann.get(address).text


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"turn": "x"}, "These settings are not valid"),
        ({"hour": "25:00"}, "These settings are not valid"),
        ({"turn": "0"}, "between one minute"),
        ({"then": "win"}, "These settings are not valid"),
    ],
)
def test_a_bad_pace_is_explained_and_the_form_keeps_it(ann, entries, said):
    form = ann.get("/games/new").form("/games/new?title=toy")
    page = form.submit("Open the table", pace="free", gain="7", **entries)
    assert page.status == 422
    assert said in page.text
    assert page.form("/games/new?title=toy").filled["gain"] == "7"
    assert page.form("/games/new?title=toy").filled["pace"] == "free"


def test_the_host_changes_the_pace_before_the_start(ann, bob, shelf):
    address = open_table(ann, pace="week")
    form = ann.get(address).form("/pace")
    assert form.filled["pace"] == "week"
    page = form.submit(pace="free", turn="36", turn_unit="hours", hour="20:30", days_off="7", second="0")
    assert "Saved." in page.text
    assert "Deadlines fall at 20:30" in bob.get(address).text
    kept = page.form("/pace").filled
    assert [kept[name] for name in ("pace", "turn", "turn_unit", "hour", "days_off")] == (
        ["free", "36", "hours", "20:30", "7"]
    )
    wrong = page.form("/pace").submit(turn="x", gain="7")
    assert (wrong.status, wrong.form("/pace").filled["gain"]) == (422, "7")
    page.form("/pace").submit(pace="none")
    assert table_of(shelf, address).pace is None
    assert not bob.get(address).has_form("/pace")
    bob.get(address).form("/join").submit("Take seat 2")
    ann.get(address).form("/start").submit()
    assert ann.post(f"{address}/pace", {"csrf": kept["csrf"], "pace": "week"}).status == 422
    assert table_of(shelf, address).pace is None


def test_the_table_shows_every_deadline_in_the_readers_zone(ann, bob):
    with freeze_time("2026-11-21T12:00:00Z"):
        address = start(ann, bob, pace="three_days")
        page = ann.get(address)
        assert page.text.count("until 24 Nov 2026, 13:00 CET (3 days left)") == 2
        assert "Pace: three days a turn" in page.tab("about").text
        assert "3 days left" in ann.get("/games").text
    with freeze_time("2026-11-27T12:01:00Z"):
        assert ann.get(address).text.count("time is up") >= 2


def test_a_new_deadline_changes_the_mark_of_the_page(ann, bob, shelf):
    address = start(ann, bob, pace="three_days")
    before = ann.get(address + "/version").response.headers["ETag"]
    today = page_today(bob)
    bob.get("/account/times").form("/account/times/off").submit(first=today, last=today)
    assert ann.get(address + "/version").response.headers["ETag"] != before


def page_today(browser):
    return browser.get("/account/times").root.all("input", name="first")[0].attrs["min"]


FREE = {
    "pace": "free", "turn": "1", "turn_unit": "days", "first": "0", "second": "0", "renew": "true",
}  # fmt: skip


def test_an_open_seat_is_offered_listed_and_taken(ann, bob, arrive, shelf, guest):
    cleo = arrive("Cleo")
    address = start(ann, bob, then="substitute", **FREE)
    choose(ann, address)
    clocks.call(shelf, now() + DAY)
    clocks.call(shelf, now() + 2 * DAY)
    assert "open to a substitute" in guest.get(address).text
    assert "Substitutes wanted" in cleo.get("/games").text
    assert not bob.get(address).has_form("/move")
    taken = cleo.get(address).press("Play this seat (2)")
    assert "You have a seat." in taken.text
    assert taken.has_form("/move")
    assert not bob.get(address).has_button("Take my seat back")


def choose(browser, address):
    """Choose any card."""
    browser.post(f"{address}/move", form_of(browser, address))


def form_of(browser, address):
    page = browser.get(address)
    form = page.form("/move")
    return {**form.filled, "command": to_choose(page)[0]}


def test_the_host_leaves_a_seat_to_a_bot_and_its_player_takes_it_back(ann, bob, shelf):
    address = start(ann, bob, then="substitute", **FREE)
    choose(ann, address)
    clocks.call(shelf, now() + DAY)
    clocks.call(shelf, now() + 2 * DAY)
    assert not bob.get(address).has_button("Leave the seat to a bot")
    page = ann.get(address).press("Leave the seat to a bot (2)")
    assert "a bot plays" in page.text
    assert "It is your turn." not in bob.get(address).text, "a bot plays it, until he takes his seat back"
    assert "Waiting for Bob." in bob.get(address).text
    assert "You have your seat back." in bob.get(address).form("/return").submit().text


def test_a_seat_is_left_to_a_bot_and_taken_back_in_words(ann, bob, shelf):
    address = start(ann, bob, then="substitute", **FREE)
    choose(ann, address)
    clocks.call(shelf, now() + DAY)
    clocks.call(shelf, now() + 2 * DAY)
    page = ann.get(f"{address}/text").press("Leave the seat to a bot (2)")
    assert page.address.startswith(f"{address}/text?")
    assert status(page) == "A bot plays this seat now."
    assert "a bot plays" in section(page, "The turn").text
    page = bob.get(f"{address}/text").press("Take my seat back")
    assert page.address.startswith(f"{address}/text?")
    assert status(page) == "You have your seat back."
    assert options(page)


def test_an_open_seat_is_taken_over_in_words(ann, bob, arrive, shelf):
    cleo = arrive("Cleo")
    address = start(ann, bob, then="substitute", **FREE)
    choose(ann, address)
    clocks.call(shelf, now() + DAY)
    clocks.call(shelf, now() + 2 * DAY)
    page = cleo.get(f"{address}/text")
    assert "The seat of Bob is open to a substitute" in section(page, "The turn").text
    page = page.press("Play this seat (2)")
    assert page.address.startswith(f"{address}/text?")
    assert status(page) == "You have a seat."
    assert options(page)
    assert not bob.get(f"{address}/text").has_button("Take my seat back")


def test_an_absent_player_is_back_in_words(ann, bob, shelf):
    address = start(ann, bob, then="bot", **FREE)
    with freeze_time() as time:
        for days in (2.5, 1):
            time.tick(days * 86400)
            clocks.call(shelf, now())
        page = bob.get(f"{address}/text")
        assert "Are you back?" in section(page, "The turn").text
        page = page.press("I am here")
        assert page.address.startswith(f"{address}/text?")
        assert status(page) == "Welcome back: the clock counts you as present again."
        assert options(page)


def test_a_paused_game_explains_the_pause_and_its_end(ann, bob, arrive, shelf, guest):
    address = start(ann, bob, then="bot", **FREE)
    watched = guest.get(address + "/version").response.headers["ETag"]
    with freeze_time() as time:
        time.tick(2.5 * 86400)
        clocks.call(shelf, now())
        time.tick(86400)
        clocks.call(shelf, now())
        said = (
            "The game is paused because nobody is there. "
            "The game goes on as soon as one of these players comes back: Ann and Bob."
        )
        for browser in (ann, bob, guest):
            assert said in browser.get(address).text
            assert "paused" in browser.get("/games").text
        assert guest.get(address + "/version").response.headers["ETag"] != watched
        assert ann.get(address).has_button("Take my seat back")
        assert "The game goes on as soon as you take your seat back." in ann.get(address).text
        assert "a bot plays" not in [it.text for it in ann.get(address).root.all("span")], "no bot plays now"
        assert not ann.get(address).has_form("/move")
        assert not guest.get(address).has_form("/return")
        page = bob.get(address)
        assert "Are you back?" in page.text
        assert page.has_form("/move"), "whose clock had run out at the same moment may just move"
        back = page.press("I am here")
        assert "Welcome back: the clock counts you as present again." in back.text
        assert "The game is paused" not in back.text
        assert "the bot waits until" in back.text
        assert "Your turn" in bob.get("/games").text
        assert "The game goes on." in guest.get(address).text


def test_a_paused_game_speaks_german(ann, bob, arrive, shelf):
    address = start(ann, bob, then="safe", **FREE)
    hans = arrive("Hans", "de")
    with freeze_time() as time:
        for _ in range(2):
            time.tick(2.5 * 86400)
            clocks.call(shelf, now())
        said = (
            "Die Partie pausiert, weil niemand da ist. Die Partie geht weiter, sobald jemand von ihnen "
            "zurückkommt: Ann und Bob."
        )
        assert said in hans.get(address).text
        assert "pausiert" in hans.get("/games").text
        assert "I am here" in ann.get(address).text


def test_a_person_sets_waking_hours_and_days_off(ann):
    page = ann.get("/account").follow("Waking hours and days off")
    assert "Saved." in page.form("/hours").submit(wakes="07:15", sleeps="23:00").text
    assert ann.get("/account/times").form("/hours").filled["wakes"] == "07:15"
    assert ann.get("/account/times").form("/hours").submit(wakes="22:00", sleeps="23:00").status == 422
    assert ann.get("/account/times").form("/hours").submit(wakes="x", sleeps="23:00").status == 422
    today = page_today(ann)
    page = ann.get("/account/times").form("/off").submit(first=today, last=today, kind="holiday")
    assert "Your days off are saved" in page.text
    assert "Holiday 14/15" in page.text
    assert "You have already taken some of these days off." in page.form("/off").submit(first=today, last=today).text
    page = ann.get("/account/times").press(f"I am back ({today})")
    assert "Your clocks run again on these days." in page.text
    assert ann.get("/account/times").form("/off").submit(first="2020-01-01", last="2020-01-01").status == 422


def test_german_pages_speak_german(arrive, bob):
    hans = arrive("Hans", "de")
    form = hans.get("/games/new").form("/games/new?title=toy")
    page = form.submit("Tisch eröffnen", pace="evenings")
    assert "Zeit für einen Zug: 15 Minuten." in page.text
    assert "Wachzeit" in hans.get("/account/times").text
