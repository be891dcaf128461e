"""Tables before the first move: opening, joining, bots, invitations, starting, closing."""

import re

import pytest
from sqlalchemy import select, update

from service.base.clock import DAY, now
from service.database.store import GAMES
from service.notices import owing
from service.people import strangers
from service.people.accounts import hashed
from tests.service.web.pages.tables import game_id, open_table, players, start
from workers import clocks

SUBSTITUTES = {
    "pace": "free", "turn": "1", "turn_unit": "days", "first": "0", "second": "0", "renew": "true",
    "then": "substitute",
}  # fmt: skip


def test_the_form_shows_the_options_of_the_title(ann):
    form = ann.get("/games/new").form("/games/new?title=toy")
    names = {it.attrs.get("name") for it in form.element.walk()}
    assert {"length", "lively", "colour", "seat2", "mail2", "seat3", "mail3", "public", "name"} <= names


def test_a_table_is_opened_with_options_and_the_host_sits_down(ann, shelf):
    address = open_table(ann, length="long", lively="true", colour="green", name="My <table>")
    page = ann.get(address)
    assert page.h1 == "My <table>"
    assert "a thousand rounds" in page.text
    assert "Colour: Green" in page.text
    with shelf.read() as conn:
        table = shelf.load(conn, game_id(address)).game.table
    assert bytes(table.options) == b'{"length":"long","lively":true}'


def test_lists_join_names_in_the_readers_language(ann, bob, arrive):
    start(ann, bob)
    assert "Ann and Bob" in ann.get("/games").text
    assert "Ann und Bob" in arrive("Cleo", "de").get("/games").text


def test_the_same_form_twice_opens_one_table(ann):
    form = ann.get("/games/new").form("/games/new?title=toy")
    one, two = form.submit(), form.submit()
    assert one.address == two.address
    assert ann.get("/games").html.count('class="title"') == 1


def test_a_table_full_of_bots_but_for_the_host_can_start_at_once(ann):
    address = open_table(ann, **players("random", "random"))
    page = ann.get(address)
    assert "You can start the game" in page.text
    assert "It is your turn." in page.form("/start").submit().text


@pytest.mark.parametrize(
    ("entries", "status"),
    [
        ({"name": ""}, 422),
        ({"seat3": "person", "mail3": ""}, 422),
        ({"seat3": "person", "mail3": "bob"}, 422),
        ({"seat3": "clever"}, 400),
        ({"seat2": "nobody"}, 400),
        ({"length": "endless"}, 422),
    ],
)
def test_a_refused_option_is_explained_and_stays_in_the_form(ann, entries, status):
    page = ann.get("/games/new").form("/games/new?title=toy").submit(**{"name": "Kept", "colour": "blue", **entries})
    assert page.status == status
    if status == 422:
        assert page.form("title=toy").filled["colour"] == "blue"
    assert ann.get("/games").html.count('class="title"') == 0


def invited(shelf):
    with shelf.read() as conn:
        return set(conn.scalars(select(owing.OUTBOX.c.address).where(owing.OUTBOX.c.kind == "invitation")))


def test_each_seat_gets_a_person_a_bot_or_anybody(ann, bob, shelf):
    wish = players("person", "sensible") | {"mail2": " Dora@Example.org "}
    page = ann.get("/games/new").form("/games/new?title=toy").submit("Open the table", **wish)
    assert "The invitation is on its way." in page.text
    assert "1 of 3 seats is free" in page.text
    assert invited(shelf) == {"dora@example.org"}
    with shelf.read() as conn:
        stored = shelf.load(conn, game_id(page.address.partition("?")[0]))
    assert [(it.seat, it.bot) for it in stored.seats] == [(1, None), (3, "sensible")]
    assert bob.get("/games/new").form("/games/new?title=toy").filled["seat3"] == "nobody"


def test_invitations_to_several_people_are_sent_together(ann, shelf):
    wish = players("person", "person") | {"mail2": "dora@example.org", "mail3": "emil@example.org"}
    page = ann.get("/games/new").form("/games/new?title=toy").submit("Open the table", **wish)
    assert "The invitations are on their way." in page.text
    assert invited(shelf) == {"dora@example.org", "emil@example.org"}


def test_the_host_learns_that_an_invitation_could_not_be_sent(ann, shelf):
    with shelf.write() as conn:
        strangers.want_invitations(conn, strangers.hash_of("dora@example.org"), False, now())
    wish = players("person") | {"mail2": "dora@example.org"}
    page = ann.get("/games/new").form("/games/new?title=toy").submit("Open the table", **wish)
    assert "One invitation could not be sent." in page.text
    assert page.root.all("pre"), "the link to pass on"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"mail2": ""}, "Please enter the email address of this person."),
        ({"mail2": "dora"}, "We cannot send email to this address."),
        ({"seat3": "person", "mail2": "dora@example.org", "mail3": "Dora@example.org"}, "this address twice"),
    ],
)
def test_a_problem_stands_at_its_seat_and_the_entries_are_kept(ann, shelf, entries, said):
    form = ann.get("/games/new").form("/games/new?title=toy")
    page = form.submit("Open the table", name="Kept", public="no", seat2="person", **entries)
    assert page.status == 422
    [field] = [it for it in page.root.walk() if it.attrs.get("aria-invalid")]
    [problem] = [it for it in page.root.walk() if it.attrs.get("id") == field.attrs["aria-describedby"]]
    assert said in problem.text
    filled = page.form("title=toy").filled
    assert {name: filled[name] for name in entries} == entries
    assert (filled["name"], filled["public"], filled["seat2"]) == ("Kept", "no", "person")
    assert invited(shelf) == set()


def test_an_address_of_the_form_fills_in_the_players(ann):
    filled = ann.get("/games/new?title=toy&seat2=sensible&seat3=random").form("title=toy").filled
    assert (filled["seat2"], filled["seat3"]) == ("sensible", "random")


def test_a_person_joins_leaves_and_joins_again(ann, bob):
    address = open_table(ann)
    seated = bob.get(address).form("/join").submit("Take seat 2", colour="red", words="seven geese")
    assert "You have a seat." in seated.text
    assert "seven geese" not in ann.get(address).html
    assert not seated.has_form("/join")
    assert "You have left your seat." in seated.form("/leave").submit().text
    assert "Bob" not in ann.get(address).text
    assert bob.get(address).has_form("/join")


def test_a_choice_that_is_taken_is_refused_with_its_rule(ann, bob):
    address = open_table(ann, colour="red")
    refused = bob.get(address).form("/join").submit("Take seat 2", colour="red")
    assert refused.status == 422
    assert "Red is taken." in refused.text
    (rule,) = refused.root.all("a", **{"class": "rule"})
    assert rule.attrs["href"].startswith(f"/rules/toy?game={game_id(address)}#TOY-")
    assert refused.form("/join").filled["colour"] == "red"


def test_a_seat_that_somebody_else_took_meanwhile_is_refused(ann, bob, arrive):
    address, cleo = open_table(ann, **players("anybody", "anybody")), arrive("Cleo")
    form = cleo.get(address).form("/join")
    bob.get(address).form("/join").submit("Take seat 2")
    refused = form.submit("Take seat 2")
    assert refused.status == 422
    assert "#ST-2" in refused.html
    assert refused.has_button("Take seat 3")


def test_bots_come_and_go(ann, bob):
    address = open_table(ann, **players("anybody", "anybody"))
    page = ann.get(address).press("Add a bot: random")
    page = page.press("Add a bot: sensible")
    assert "You can start the game" in page.text
    page = page.press("Remove")
    assert "1 of 3 seats is free" in page.text
    assert not bob.get(address).has_form("/bots")


@pytest.mark.parametrize("form", ["start", "cancel", "bots", "invite", "invite/renew", "pace"])
def test_only_the_host_runs_the_table(ann, bob, form):
    address = open_table(ann)
    token = bob.get(address).form("/join").filled["csrf"]
    assert bob.post(f"{address}/{form}", {"csrf": token, "bot": "random", "email": "x@example.org"}).status == 403


def test_a_table_that_is_not_full_does_not_start(ann):
    address = open_table(ann)
    token = ann.get(address).form("/leave").filled["csrf"]
    refused = ann.post(f"{address}/start", {"csrf": token})
    assert (refused.status, "#ST-4" in refused.html) == (422, True)


def test_start_pressed_twice_starts_once(ann, bob):
    address = open_table(ann)
    bob.get(address).form("/join").submit("Take seat 2")
    form = ann.get(address).form("/start")
    assert "It is your turn." in form.submit().text
    assert form.submit().status in (200, 422)


def test_a_host_closes_a_table(ann, bob):
    address = open_table(ann)
    assert "The table is closed." in ann.get(address).form("/cancel").submit().text
    page = bob.get(address)
    assert "closed before the game began" in page.text
    assert not page.has_form("/join")


# ==== tables that are not public ==================================================================
def test_a_private_table_is_found_by_its_invitation_only(ann, bob, guest):
    address = open_table(ann, public="no", name="Secret")
    for stranger in (bob, guest):
        assert (stranger.get(address).status, stranger.get(address).h1) == (404, "Not found")
        assert "Secret" not in stranger.get("/games").html
    invitation = ann.get(address).root.all("pre")[0].text
    path = "/join/" + invitation.rpartition("/")[2]
    assert invitation.endswith(path)
    assert guest.get(path).h1 == "Secret"
    assert "Sign in or join first" in guest.get(address).text
    page = bob.get(path)
    assert page.address == address
    page.form("/join").submit("Take seat 2")
    bob.client.delete_cookie("invite", path=address)
    assert bob.get(address).h1 == "Secret", "who sits there sees it without the invitation"


def joined_by(page):
    """Return the path of the invitation that a page shows."""
    return "/join/" + page.root.all("pre")[0].text.rpartition("/")[2]


def test_an_invited_guest_from_before_the_start_may_watch_afterwards(ann, bob, guest, arrive):
    address, late = open_table(ann, public="no"), arrive("Late")
    path = joined_by(ann.get(address))
    guest.get(path)
    bob.get(path).form("/join").submit("Take seat 2")
    ann.get(address).form("/start").submit()
    assert guest.get(address).status == 200
    assert not guest.get(address).has_form("/move")
    assert (late.get(path).status, late.get(address).status) == (404, 404)
    assert late.get(path).h1 == "This invitation no longer works"


def test_an_older_cookie_is_replaced_on_a_visit_before_the_start(ann, bob, guest, shelf):
    """Until 0.2 the cookie held the invitation, which followed from the game's secret."""
    address = open_table(ann, public="no")
    with shelf.write() as conn:
        conn.execute(update(GAMES).values(invite_hash=hashed("an-invitation-of-before")))
    bob.get(joined_by(ann.get(address))).form("/join").submit("Take seat 2")
    guest.client.set_cookie("invite", "an-invitation-of-before", path=address)
    assert guest.get(address).status == 200
    ann.get(address).form("/start").submit()
    assert guest.get(address).status == 200
    guest.client.set_cookie("invite", "an-invitation-of-before", path=address)
    assert guest.get(address).status == 404


def test_the_host_renews_the_link(ann, bob, guest):
    address = open_table(ann, public="no", **players("anybody", "anybody"))
    path = joined_by(ann.get(address))
    bob.get(path).form("/join").submit("Take seat 2")
    guest.get(path)
    assert not bob.get(address).has_form("/invite/renew"), "the host alone"
    renewed = ann.get(address).form("/invite/renew").submit()
    assert "the old one no longer works" in renewed.text
    assert joined_by(renewed) != path
    assert (guest.get(path).status, guest.get(address).status) == (404, 404)
    assert bob.get(address).status == 200
    assert guest.get(joined_by(renewed)).address == address
    assert not ann.get(open_table(ann, public="yes")).has_form("/invite/renew"), "who may see it needs no link"


def test_the_link_of_a_game_with_a_vacant_seat_is_renewed_too(ann, bob, guest, shelf):
    address = open_table(ann, public="no", **SUBSTITUTES)
    bob.get(joined_by(ann.get(address))).form("/join").submit("Take seat 2")
    assert ann.get(address).form("/start").submit().status == 200
    token = ann.get(address).form("/move").filled["csrf"]
    assert ann.post(f"{address}/invite/renew", {"csrf": token}).status == 422
    clocks.call(shelf, now() + 2 * DAY)
    clocks.call(shelf, now() + 4 * DAY)
    path = joined_by(bob.get(address))
    assert guest.get(path).status == 200
    assert not bob.get(address).has_form("/invite/renew")
    renewed = ann.get(address).form("/invite/renew").submit()
    assert (guest.get(path).status, guest.get(joined_by(renewed)).status) == (404, 200)


def test_a_stranger_cannot_tell_a_private_table_from_a_missing_one(ann, guest):
    address = open_table(ann, public="no")
    hidden, absent = guest.get(address), guest.get("/games/" + "0" * 26)
    assert hidden.status == absent.status == 404
    shown = [re.sub('name="csrf" value="[^"]*"', "", page.html) for page in (hidden, absent)]  # masked anew in each
    assert shown[0].replace(game_id(address), "") == shown[1].replace("0" * 26, "")


def test_an_invitation_goes_out_once_to_an_address(ann, shelf):
    address = open_table(ann, public="no")
    assert "on its way" in ann.get(address).form("/invite").submit(email="Dora@example.org").text
    assert "already" in ann.get(address).form("/invite").submit(email="dora@example.org").text
    with shelf.read() as conn:
        sent = conn.execute(select(owing.OUTBOX).where(owing.OUTBOX.c.kind == "invitation")).all()
    assert [it.address for it in sent] == ["dora@example.org"]


def test_a_bad_address_is_not_invited(ann):
    assert ann.get(open_table(ann)).form("/invite").submit(email="dora").status == 422


def test_lists_show_the_readers_turns_first(ann, bob):
    one, two = start(ann, bob, name="One"), start(ann, bob, name="Two")
    ann.get(two).forms[0].submit()
    listed = ann.get("/games")
    assert listed.text.index("One") < listed.text.index("Two")
    assert "Your turn" in listed.text
    assert one in listed.links


def test_every_link_leads_to_a_page(ann, bob):
    """From the front page on, every link inside the site leads to a page.

    Of each path but for its numbers, every value of every field is followed, and every set of fields: all combinations
    of the values would be a thousand pages.
    """
    start(ann, bob)
    open_table(ann)
    seen, waiting = set(), ["/"]
    met = set()
    while waiting:
        address = waiting.pop().partition("#")[0]
        path, _, query = address.partition("?")
        fields = query.split("&")
        kind = re.sub(r"\d+", "0", path)
        told = {(kind, *sorted(it.partition("=")[0] for it in fields)), *((kind, it) for it in fields)}
        if told <= met or address.startswith("/api/"):
            continue
        met |= told
        seen.add(address)
        page = ann.get(address)
        assert page.status in (200, 202), address  # 202: a page of a game that is still being drawn
        if page.root is not None:
            waiting += page.links
    assert {"/account", "/games", "/games/new", "/rules/toy", "/rules/house", "/legal", "/mailbox"} <= seen
