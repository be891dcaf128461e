"""Talk on pages: in the tab of a table and on a page of its own, without scripts."""

from sqlalchemy import select, update

from service.base.clock import DAY, now
from service.games import talk_reports
from service.operators import acts
from service.operators import talk as operating
from service.people.accounts import PERSONS
from tests.service.web.pages.tables import open_table, start


def say(browser, table, text, room="players"):
    return browser.get(f"{table}/talk/{room}").form(f"{table}/talk/{room}").submit(text=text)


def words(page):
    """The lines on a page."""
    return [" ".join(it.text.split()) for it in page.root.all("span", **{"class": "words"})]


def label(page):
    """The label of the tab, or of the link to the talk."""
    (link,) = [it for it in page.root.all("a") if it.attrs.get("id") == "tab-talk"]
    return link.text


def test_players_talk_on_the_page_and_in_the_tab(ann, bob):
    table = start(ann, bob)
    assert say(ann, table, "Hello Bob").status == 200
    assert label(bob.get(table)) == "Talk 1 unread"
    page = bob.get(f"{table}?show=talk")
    assert words(page) == ["Hello Bob"]
    page = page.form(f"{table}/talk/players").submit(text="Hello Ann")
    assert words(page) == ["Hello Bob", "Hello Ann"]
    assert label(bob.get(table)) == "Talk"
    assert words(ann.get(f"{table}/talk/players")) == ["Hello Bob", "Hello Ann"]


def test_talk_begins_before_the_game_and_the_text_table_leads_to_it(ann, bob):
    table = open_table(ann)
    page = ann.get(table)
    assert label(page) == "Talk of the players"
    table = start(ann, bob)
    say(ann, table, "Hello Bob")
    assert label(bob.get(f"{table}/text")) == "Talk of the players 1 unread"


def test_the_mark_of_a_page_has_that_of_the_talk_behind_a_sign(ann, bob, guest):
    table = start(ann, bob)

    def marks(browser):
        return browser.get(f"{table}/version").response.headers["ETag"].strip('"').partition("~")

    before = marks(ann)
    say(bob, table, "Hello")
    after = marks(ann)
    assert (before[0], before[2], after[2]) == (after[0], "0", "1.1")
    assert marks(guest)[1] == ""


def test_addresses_are_links_that_give_nothing_away_and_moves_lead_to_positions(ann, bob):
    table = start(ann, bob)
    page = say(ann, table, "@Bob: <b>see</b> https://example.org/x?a=1&b=2 and move 1")
    (line,) = page.root.all("span", **{"class": "words"})
    assert line.text == "@Bob : <b>see</b> https://example.org/x?a=1&b=2 and move 1"
    outside, inside = line.all("a")
    assert outside.attrs["href"] == "https://example.org/x?a=1&b=2"
    assert outside.attrs["rel"] == "nofollow noopener noreferrer ugc"
    assert inside.attrs["href"].endswith(f"{table}/at/1")
    assert [it.text for it in line.all("b")] == ["@Bob"]
    (line,) = bob.get(f"{table}/talk/players").root.all("span", **{"class": "words"})
    assert [it.text for it in line.all("strong")] == ["@Bob"]


def test_a_writer_deletes_a_line_on_the_page(ann, bob):
    table = start(ann, bob)
    page = say(ann, table, "Oh no")
    assert words(page.form(f"{table}/talk/players/1/delete").submit()) == []
    say(ann, table, "Fine")
    assert not [it for it in bob.get(f"{table}/talk/players").forms if "delete" in it.address]


def test_many_lines_have_pages(ann, bob, settings, shelf):
    table = start(ann, bob)
    with shelf.write() as conn:
        conn.execute(update(PERSONS).values(created_at=0))
    shelf.settings = settings.with_(rate_limits=False)
    for number in range(1, 53):
        say(ann, table, f"Line {number}.")
    page = bob.get(f"{table}/talk/players")
    assert words(page)[0] == "Line 3."
    assert words(page.follow("Earlier lines")) == ["Line 1.", "Line 2."]


def test_the_tab_shows_the_last_lines_and_few_long_ones(ann, bob, shelf):
    """The page of a table has a limit of bytes, whatever people write."""
    table = start(ann, bob)
    with shelf.write() as conn:
        conn.execute(update(PERSONS).values(created_at=0))
    for number in range(8):
        say(ann, table, f"{number} " + "x" * 990)
    page = bob.get(f"{table}?show=talk")
    assert [it[0] for it in words(page)] == list("4567")
    assert [it[0] for it in words(page.follow("All lines"))] == list("01234567")
    say(ann, table, "Short")
    assert len(words(bob.get(f"{table}?show=talk"))) == 5


def test_spectators_talk_where_players_do_not_hear_them_and_strangers_sign_in(ann, bob, arrive, guest):
    table, cleo = start(ann, bob), arrive("Cleo")
    say(cleo, table, "Who is winning?", room="spectators")
    assert ann.get(f"{table}/talk/spectators").status == 404
    assert cleo.get(f"{table}/talk/players").status == 404
    assert "sign-in" in guest.get(f"{table}/talk/spectators").address
    assert "Who is winning?" not in guest.get(f"{table}?show=talk").html
    assert "To talk with other spectators, sign in." in guest.get(f"{table}?show=talk").text


def test_a_refused_line_stays_in_the_box(ann, bob, shelf):
    table = start(ann, bob)
    with shelf.write() as conn:
        conn.execute(update(PERSONS).where(PERSONS.c.id == ann.number).values(silenced_until=now() + 10**8))
    page = say(ann, table, "Let me speak")
    assert page.status == 422
    assert "silenced you" in page.text
    assert page.root.all("textarea")[0].text == "Let me speak"


def test_the_host_switches_talk_off_and_on(ann, bob):
    table = start(ann, bob)
    say(ann, table, "Hello")
    page = ann.get(f"{table}/talk/players").form(f"{table}/talk").submit()
    assert "Talk is switched off at this table." in page.text
    assert words(bob.get(f"{table}?show=talk")) == []
    assert not bob.get(f"{table}/talk/players").has_form(f"{table}/talk")
    page.form(f"{table}/talk").submit()
    assert words(bob.get(f"{table}?show=talk")) == ["Hello"]


def test_muted_people_are_silent_for_one_reader(ann, bob, arrive, shelf):
    table = start(ann, bob)
    say(ann, table, "Hello")
    with shelf.read() as conn:
        profile = conn.execute(PERSONS.select().where(PERSONS.c.id == ann.number)).one().profile
    bob.get(f"/people/{profile}").form("/account/people/muted").submit()
    assert words(bob.get(f"{table}?show=talk")) == []
    assert "Ann" in bob.get("/account/people").text
    assert words(ann.get(f"{table}?show=talk")) == ["Hello"]


# ==== reports =====================================================================================
def test_operators_see_the_reported_lines_and_nothing_else(ann, bob, shelf):
    table = start(ann, bob)
    say(ann, table, "A rude line")
    say(ann, table, "Another line")
    page = bob.get(f"{table}/talk/players").follow("Report")
    report = page.form("/report")
    assert report.submit(line=[], why="Rude").status == 422
    assert "on its way to the operators" in report.submit(line=["1"], why="Rude").text
    who = acts.AT_THE_COMMAND_LINE
    with shelf.read() as conn:
        (found,) = operating.reports(conn, who, now())
    assert ([it.text for it in found.lines], found.why, found.reporter) == (["A rude line"], "Rude", "Bob")
    operating.remove_lines(shelf, who, found.id, "House rules", now())
    assert words(bob.get(f"{table}/talk/players")) == ["Another line"]
    operating.silence(shelf, who, ann.number, 24, "House rules", now())
    assert "silenced you" in say(ann, table, "Hello?").text
    operating.silence(shelf, who, ann.number, 0, "A mistake", now())
    assert say(ann, table, "Hello!").status == 200
    operating.settle(shelf, who, found.id, "Done", now())
    account = ann.get("/account").text
    assert "lines of talk were deleted" in account
    assert "silenced in the talk at tables" in account
    with shelf.write() as conn:
        talk_reports.forget_old(conn, shelf.settings, now() + 91 * DAY)
        assert conn.execute(select(talk_reports.REPORTED)).all() == []


# ==== notes =======================================================================================
def test_notes_are_private_and_may_be_about_a_position(ann, bob):
    table = start(ann, bob)
    page = ann.get(f"{table}/at/1").follow("Note")
    page = page.form(f"{table}/notes").submit(note="Bob hesitated")
    assert "After move 1" in page.text
    assert words(page) == ["Bob hesitated"]
    assert words(bob.get(f"{table}/notes")) == []
    assert ann.get(f"{table}/notes").form(f"{table}/notes").submit(note=" ").status == 422
    [delete] = [it for it in page.forms if it.address.endswith("/delete")]
    assert bob.post(delete.address, delete.filled).status in (403, 404)
    assert words(delete.submit()) == []
