"""The area of operators: access, content, actions, and the entries that the people concerned read."""

import re
from unittest import mock

import pytest
from freezegun import freeze_time
from sqlalchemy import event, insert, select, update

from domain.lifecycle import StartGame
from domain.pace import PRESETS
from service.base import hints, tally
from service.base.clock import DAY, HOUR, MINUTE, now
from service.database.store import Store
from service.notices import failing, figures, ledger, processes, watch, webhooks
from service.operators import acts, oversight, pictures, rules
from service.operators.acts import AT_THE_COMMAND_LINE
from service.people import accounts
from service.post.inbox import INCOMING
from service.web.pages.operators import overview
from tests import road
from tests.answers import came
from tests.service.lanterns import open_table
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.conftest import Arrive

ADDRESSES = (
    "/operate", "/operate/people", "/operate/people/1", "/operate/games", "/operate/mails", "/operate/webhooks",
    "/operate/entries", "/operate/arrivals", "/operate/games/0000000000000000", "/operate/mails/1",
)  # fmt: skip


def number(shelf: Store, name: str) -> int:
    with shelf.read() as conn:
        return int(conn.execute(select(accounts.PERSONS.c.id).where(accounts.PERSONS.c.name == name)).scalar_one())


@pytest.fixture
def olga(arrive: Arrive, shelf: Store) -> Browser:
    """Return an operator."""
    browser = arrive("Olga")
    acts.add(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
    return browser


# ==== access ======================================================================================
@pytest.mark.parametrize("address", ADDRESSES)
def test_other_people_find_no_such_page(
    olga: Browser, arrive: Arrive, guest: Browser, shelf: Store, address: str
) -> None:
    ann = arrive("Ann")
    for nobody in (ann, guest):
        assert nobody.get(address).status == nobody.get("/operate/nothing").status == 404
    for path in (
        f"/operate/people/{number(shelf, 'Olga')}",
        "/operate/mails/1",
        "/operate/calls/1",
        "/operate/arrivals/1",
    ):
        token = ann.get("/account").form("/account").filled["csrf"]
        assert ann.post(path, {"csrf": token, "wish": "block", "why": "x"}).status == 404
    with shelf.read() as conn:
        assert accounts.person(conn, number(shelf, "Olga")).blocked_at is None


def test_an_operator_signs_in_again_after_an_hour(olga: Browser, shelf: Store) -> None:
    assert olga.get("/operate").h1 == "Operator area"
    with shelf.write() as conn:
        conn.execute(update(accounts.SESSIONS).values(created_at=now() - accounts.USUAL.fresh))
    page = olga.get("/operate/people")
    assert (page.status, page.h1) == (403, "Sign in again")
    assert "/sign-in?next=/operate/people" in page.links


def test_a_former_operator_finds_no_such_page(olga: Browser, shelf: Store) -> None:
    assert "/operate" in olga.get("/account").links
    acts.remove(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
    assert olga.get("/operate").status == 404
    assert "/operate" not in olga.get("/account").links


def test_each_function_checks_its_caller_itself(arrive: Arrive, shelf: Store, olga: Browser) -> None:
    arrive("Ann")
    ann = number(shelf, "Ann")
    with pytest.raises(acts.NotAllowed):
        acts.block(shelf, acts.Who(ann, "x"), number(shelf, "Olga"), "why", now())
    with pytest.raises(acts.NotFresh):
        acts.block(shelf, acts.Who(number(shelf, "Olga"), "no session"), ann, "why", now())


# ==== people ======================================================================================
def test_a_blocked_person_loses_all_keys_and_reads_the_reason(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    ann = arrive("Ann")
    who = number(shelf, "Ann")
    with shelf.write() as conn:
        _, token = accounts.make_token(conn, who, "bot", ("read",), now())
        hook, _ = webhooks.make(conn, shelf.settings, who, "https://hooks.example/x", ["turn"], now())
    page = olga.get(f"/operate/people/{who}").press("Block", why="Rude words at three tables")
    assert "Done, and recorded" in page.text
    assert "Rude words at three tables" in page.text
    assert ann.get("/account").h1 == "Sign in"
    with shelf.read() as conn:
        assert accounts.by_token(conn, token, now()) is None
        assert not webhooks.of(conn, who)[0].enabled
    said = sign_in(guest_of(ann), shelf, "ann@example.org")
    assert (said.status, said.h1) == (403, "You are blocked")
    assert "Rude words at three tables" in said.text
    assert "Olga" in said.text
    olga.get(f"/operate/people/{who}").press("Unblock", why="She is sorry")
    assert sign_in(guest_of(ann), shelf, "ann@example.org").status == 200
    with shelf.read() as conn:
        assert webhooks.of(conn, who)[0].enabled
        assert hook == webhooks.of(conn, who)[0].id


def guest_of(browser: Browser) -> Browser:
    browser.client.delete_cookie("session")
    return browser


def sign_in(browser: Browser, shelf: Store, email: str):  # type: ignore[no-untyped-def]
    browser.get("/sign-in").form("/sign-in").submit(email=email)
    with shelf.read() as conn:
        newest = select(ledger.OUTBOX.c.payload).where(ledger.OUTBOX.c.address == email)
        payload = conn.execute(newest.order_by(ledger.OUTBOX.c.id.desc()).limit(1)).scalar_one()
        link = accounts.link_address(shelf.settings, conn, payload)
    assert link is not None
    page = browser.get("/" + link.split("/", 3)[3])
    return page.press("Sign in")


@pytest.mark.parametrize("why", ["", "   ", "x" * 301, "turned\u202eabout"])
def test_nothing_is_done_without_a_reason(olga: Browser, arrive: Arrive, shelf: Store, why: str) -> None:
    arrive("Ann")
    page = olga.get(f"/operate/people/{number(shelf, 'Ann')}").press("Block", why=why)
    assert page.status == 422
    with shelf.read() as conn:
        assert accounts.person(conn, number(shelf, "Ann")).blocked_at is None
        assert [it.what for it in acts.entries(conn, AT_THE_COMMAND_LINE, now())] == ["add"]


def test_operators_cannot_block_themselves(olga: Browser, shelf: Store) -> None:
    who = acts.Who(number(shelf, "Olga"), session_of(shelf, "Olga"), strict=False)
    with pytest.raises(acts.NotDone, match="yourself"):
        acts.block(shelf, who, number(shelf, "Olga"), "why", now())


def session_of(shelf: Store, name: str) -> str:
    with shelf.read() as conn:
        its = select(accounts.SESSIONS.c.token_hash).where(accounts.SESSIONS.c.person_id == number(shelf, name))
        return str(conn.execute(its).scalar_one())


def test_a_flagged_address_is_tried_again(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    ann = arrive("Ann")
    with shelf.write() as conn:
        conn.execute(
            update(accounts.PERSONS)
            .where(accounts.PERSONS.c.name == "Ann")
            .values(mail_flagged_at=now(), mail_flag="550 no such user")
        )
    assert "Ann" in olga.get("/operate/people?group=flagged").text
    page = olga.get(f"/operate/people/{number(shelf, 'Ann')}")
    assert "550 no such user" in page.text
    page.press("Try the address again", why="The server was wrong")
    assert "Ann" not in olga.get("/operate/people?group=flagged").text
    assert "The server was wrong" in ann.get("/account").text


def test_people_are_found_by_name_and_address(olga: Browser, arrive: Arrive) -> None:
    arrive("Ann Äpfelin")
    arrive("Bob")
    found = olga.get("/operate/people?text=ANN@")
    assert "Ann Äpfelin" in found.text
    assert "bob@" not in found.text
    assert "Ann Äpfelin" in olga.get("/operate/people?text=Äpf").text
    assert "None." in olga.get("/operate/people?text=%25").text


# ==== mails =======================================================================================
def owe(shelf: Store, person_id: int, **more: object) -> int:
    row = {
        "person_id": person_id, "game_id": "", "ply": 0, "kind": "turn", "key": f"{more}", "payload": {},
        "message_id": f"<{more}@x>", "state": "pending", "created_at": now(), "due_at": now() + DAY, "attempts": 0,
    }  # fmt: skip
    with shelf.write() as conn:
        made = conn.execute(ledger.OUTBOX.insert().values(**{**row, **more}))
        return int(made.inserted_primary_key[0])


def test_a_waiting_email_is_sent_at_once_and_its_recipient_reads_the_reason(
    olga: Browser, arrive: Arrive, shelf: Store
) -> None:
    ann = arrive("Ann")
    mail = owe(shelf, number(shelf, "Ann"), held="quiet")
    assert "ann@example.org" in olga.get("/operate/mails?state=held").text
    page = olga.get(f"/operate/mails/{mail}").press("Send it now", why="The bell is broken")
    assert "Done, and recorded" in page.text
    with shelf.read() as conn:
        row = conn.execute(select(ledger.OUTBOX).where(ledger.OUTBOX.c.id == mail)).one()
    assert (row.held, row.due_at <= now(), "asked_again" in row.payload) == (None, True, True)
    for where in ("/account", "/account/mail/sent"):
        assert "The bell is broken" in ann.get(where).text


def test_a_sent_email_is_sent_again(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    arrive("Ann")
    mail = owe(shelf, number(shelf, "Ann"), state="sent")
    olga.get(f"/operate/mails/{mail}").press("Send it again", why="She lost it")
    with shelf.read() as conn:
        row = conn.execute(select(ledger.OUTBOX).where(ledger.OUTBOX.c.id == mail)).one()
    assert (row.state, row.resent) == ("pending", 1)


def test_an_email_that_is_not_needed_is_not_sent_again(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    arrive("Ann")
    mail = owe(shelf, number(shelf, "Ann"), state="superseded")
    for deed in (acts.resend, acts.send_now):
        with pytest.raises(acts.NotDone):
            deed(shelf, AT_THE_COMMAND_LINE, mail, "why", now())
        with pytest.raises(acts.NotDone, match="no_mail"):
            deed(shelf, AT_THE_COMMAND_LINE, 10**6, "why", now())


def test_a_webhook_is_called_again(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    arrive("Ann")
    with shelf.write() as conn:
        ann, address = number(shelf, "Ann"), "https://hooks.example/k3y"
        hook, _ = webhooks.make(conn, shelf.settings, ann, address, ["turn"], now())
        call = webhooks.ping(conn, ann, hook, now())
        conn.execute(update(webhooks.CALLS).values(state="dead", detail="answered 500"))
    page = olga.get("/operate/webhooks")
    assert "hooks.example" in page.text
    assert "k3y" not in page.text
    page.press("Call again", why="It was down")
    with shelf.read() as conn:
        assert webhooks.call_of(conn, number(shelf, "Ann"), call or 0).state == "pending"


def test_a_failed_incoming_email_is_read_again_and_its_sender_reads_the_reason(
    olga: Browser, arrive: Arrive, shelf: Store
) -> None:
    ann = arrive("Ann")
    with shelf.write() as conn:
        failed = came(conn, now(), person_id=number(shelf, "Ann"), state="done", what="failed", detail="KeyError")
        came(conn, now(), state="done", what="unreadable", detail="too many parts")
    assert "/operate/arrivals?came=failed" in olga.get("/operate").links
    page = olga.get("/operate/arrivals")
    for said in ("failed on our side", "KeyError", "Ann", "could not be read", "too many parts", "client.example.org"):
        assert said in page.text
    assert "secret words" not in page.text
    page = olga.get("/operate/arrivals?came=failed")
    assert "too many parts" not in page.text
    assert page.press("Process it again", why=" ").status == 422
    assert "Done, and recorded" in page.press("Process it again", why="It is mended").text
    with shelf.read() as conn:
        assert conn.execute(select(INCOMING.c.state).where(INCOMING.c.id == failed)).scalar_one() == "pending"
    assert "It is mended" in ann.get("/account").text
    again = page.press("Process it again", why="It is mended")
    assert (again.status, "Only failed email can be processed again." in again.text) == (422, True)


# ==== the pages ===================================================================================
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_page_exists_in_both_languages(
    arrive: Arrive, shelf: Store, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "wake", lambda *_: None)
    olga = arrive("Olga", lang)
    acts.add(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
    mail = owe(shelf, number(shelf, "Olga"))
    acts.send_now(shelf, AT_THE_COMMAND_LINE, mail, "Because it is so", now())
    hers = f"/operate/people/{number(shelf, 'Olga')}"
    for address in (*ADDRESSES[:2], hers, *ADDRESSES[3:8], f"/operate/mails/{mail}"):
        assert olga.get(address).status == 200, address
    assert ("Übersicht" in olga.get("/operate").text) == (lang == "de")


@pytest.mark.parametrize(
    "address",
    [
        "/operate/people?before=x&group=none",
        "/operate/people/99999999999999999999",
        "/operate/games?before=1.&status=x",
        "/operate/games?before=99999999999999999999.x&trouble=x",
        "/operate/mails?person=%C2%B2&before=-1&game=%00",
        "/operate/mails/99999999999",
        "/operate/mails/2147483647",
        "/operate/webhooks?before=9999999999",
        "/operate/arrivals?before=9999999999&came=x",
        "/operate/entries?before=x",
        "/operate/people?text=" + "%25_'" * 80,
    ],
)
def test_nonsense_in_an_address_breaks_nothing(olga: Browser, address: str) -> None:
    assert olga.get(address).status in (200, 404)


def test_overdue_work_is_marked(olga: Browser, shelf: Store) -> None:
    assert "overdue" not in olga.get("/operate").text
    with shelf.write() as conn:
        conn.execute(
            webhooks.CALLS.insert().values(
                webhook_id=webhooks.make(conn, shelf.settings, number(shelf, "Olga"), "https://x.example", ["turn"], 0)[
                    0
                ],
                key="k",
                kind="turn",
                game_id="",
                ply=0,
                notice_key="",
                state="pending",
                created_at=0,
                due_at=now() - 3 * HOUR,
                attempts=0,
                detail="",
            )
        )
    page = olga.get("/operate")
    assert re.search(r"Webhook calls overdue 1 3 h", page.text), page.text


@pytest.mark.parametrize(
    ("lang", "says", "left"),
    [
        ("en", "the mailbox does not accept the user name and password.", "that could not be stored: 2."),
        ("de", "das Postfach nimmt Benutzername und Passwort nicht an.", "die nicht gespeichert werden konnten: 2."),
    ],
)
def test_a_mailbox_that_cannot_be_read_is_shown(arrive: Arrive, shelf: Store, lang: str, says: str, left: str) -> None:
    olga = arrive("Olga", lang)
    acts.add(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
    box = {"imap_host": "imap.example.org", "imap_user": "club", "imap_password": "secret"}
    shelf.settings = shelf.settings.with_(**box, reply_addresses="club+{}@example.org")
    row = {"mailbox": "club imap.example.org", "due_at": 0, "fails": 9, "trouble": "login", "left": 2}
    with shelf.write() as conn:
        conn.execute(failing.FETCHING.insert().values(**row, failing_since=now() - HOUR))
    page = olga.get("/operate")
    assert says in page.text
    assert left in page.text


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "The mail server has accepted no email since"),
        ("de", "Der Mailserver nimmt seit dem"),
    ],
)
def test_failing_email_is_shown_and_retried_with_a_reason(
    arrive: Arrive, shelf: Store, monkeypatch: pytest.MonkeyPatch, lang: str, says: str
) -> None:
    monkeypatch.setattr(hints, "wake", lambda *_: None)
    olga = arrive("Olga", lang)
    acts.add(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
    assert says not in olga.get("/operate").text
    owe(shelf, number(shelf, "Olga"))
    since = now() - 9 * MINUTE
    with shelf.write() as conn:
        failed = {"state": "pending", "failing_since": since, "failing_for": "away", "due_at": now() + HOUR}
        conn.execute(ledger.OUTBOX.update().values(**failed))
        for at in range(since, now() - MINUTE, MINUTE):
            failing.note(conn, "away", at)
    page = olga.get("/operate")
    assert says in page.text
    assert ("cannot be reached 1" in page.text) == (lang == "en")
    assert ("nicht erreichbar 1" in page.text) == (lang == "de")
    assert olga.get("/operate/mails?state=failing").status == 200
    button = "Retry all failed email now" if lang == "en" else "Alle jetzt erneut senden"
    refused = page.press(button, why="\n")
    assert refused.status == 422
    done = refused.press(button, why="The disk was full")
    assert "The disk was full" in done.text
    assert ("mails: 1" in done.text) == (lang == "en")
    with shelf.read() as conn:
        assert conn.execute(ledger.OUTBOX.select()).one().due_at <= now()


@freeze_time("2026-03-01T12:00:00Z")
def test_entries_come_in_pages(olga: Browser, shelf: Store) -> None:
    mail = owe(shelf, number(shelf, "Olga"))
    for count in range(acts.PAGE + 3):
        acts.send_now(shelf, AT_THE_COMMAND_LINE, mail, f"reason {count}", now())
    first = olga.get("/operate/entries")
    assert "reason 3" in [it.text for it in first.root.all("p")]
    assert "reason 2" not in [it.text for it in first.root.all("p")]
    earlier = next(link for link in first.links if "before=" in link)
    assert "reason 2" in olga.get(earlier).text


# ==== tables ======================================================================================
@pytest.fixture
def running(olga: Browser, arrive: Arrive, shelf: Store) -> str:
    """Return a running game of Ann and Bob, in which both must choose a card."""
    arrive("Ann"), arrive("Bob")
    game_id = road.open_game(
        shelf,
        title="toy",
        options={},
        seats=2,
        name="Slow evening",
        host_id=number(shelf, "Ann"),
        public=True,
        settle_ms=0,
        pace=PRESETS["day"],
    ).game_id
    for seat, name in enumerate(("Ann", "Bob"), 1):
        road.take_seat(shelf, game_id, seat, choice={}, person_id=number(shelf, name))
    road.submit(shelf, game_id, None, [StartGame()], None, None)
    return game_id


def test_a_table_is_closed_and_its_viewers_read_the_reason(olga: Browser, guest: Browser, running: str) -> None:
    page = olga.get(f"/operate/games/{running}").press(
        "Close the table permanently", why="A fault of ours", cause="fault"
    )
    assert "Done, and recorded" in page.text
    table = guest.get(f"/games/{running}")
    assert table.status == 200
    for said in ("An operator has closed this table. There is no winner.", "A fault of ours", "Olga"):
        assert said in table.text
    assert "because of a fault in the service" in guest.get(f"/games/{running}/log").text
    for where in ("/log", "/at/3", "/audit"):
        assert guest.get(f"/games/{running}{where}").status == 200
    again = olga.client.post(f"/operate/games/{running}", data={"wish": "close", "why": "x"})
    assert again.status_code == 403, "no form without its token"


def test_a_seat_is_freed_and_time_given_back(olga: Browser, guest: Browser, running: str) -> None:
    olga.get(f"/operate/games/{running}").press("Extend the clocks", why="Mail was slow", minutes="90")
    olga.get(f"/operate/games/{running}").press("Free this seat", why="Ann has moved away", seat="1")
    table = guest.get(f"/games/{running}")
    assert "open to a substitute" in table.text
    for said in ("90 min", "Mail was slow", "seat 1", "Ann has moved away"):
        assert said in table.tab("about").text
    refused = olga.get(f"/operate/games/{running}").press("Free this seat", why="Once more", seat="1")
    assert refused.status == 422
    assert "No person plays at this seat." in refused.text
    refused = olga.get(f"/operate/games/{running}").press("Extend the clocks", why="Once more", minutes="0")
    assert refused.status == 422


def without_csrf(body: bytes) -> bytes:
    """Return a page without the token of its forms, which is masked anew in each."""
    return re.sub(rb'name="csrf" value="[^"]*"', b"", body)


def test_the_view_of_operators_does_not_depend_on_hidden_things(
    olga: Browser, running: str, shelf: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page of the area replays a game, so none can know a card; a changed hand changes no byte of them."""
    pages = (
        f"/operate/games/{running}",
        "/operate/games",
        "/operate",
        "/operate/mails",
        f"/operate/people/{number(shelf, 'Ann')}",
        "/operate/entries",
    )

    def never(*_: object, **__: object) -> None:
        raise AssertionError("an operator's page has looked into a running game")

    with freeze_time("2030-01-01T12:00:00Z"), shelf.write() as conn:
        conn.execute(update(accounts.SESSIONS).values(created_at=now(), seen_at=now(), expires_at=now() + DAY))
    with freeze_time("2030-01-01T12:00:00Z"):
        before = [without_csrf(olga.client.get(page, headers=olga.headers).data) for page in pages]
        with shelf.read() as conn:
            state = shelf.load(conn, running).game.state
        shelf.folds.clear()
        for name in ("load", "plies", "position", "stored_plies"):
            monkeypatch.setattr(Store, name, never)
        assert [without_csrf(olga.client.get(page, headers=olga.headers).data) for page in pages] == before
    assert state is not None


# ==== figures over time ===========================================================================
def test_pictures_show_an_hour_a_day_and_a_month_with_their_tables(olga: Browser, shelf: Store) -> None:
    tally.taken()
    tally.count(tally.ERRORS, 1234)
    for _ in range(3):
        tally.took(tally.REQUESTS, 0.2)
    tally.reached("age_mail", 3 * HOUR)
    figures.write(shelf, now())
    for period, spans in (("hour", 60), ("day", 24), ("month", 31)):
        page = olga.get(f"/operate?over={period}")
        shown = {it.all("h3")[0].text: it for it in page.root.all("figure")}
        assert list(shown) == ["Moves", "Emails", "Errors", "Response times", "Delay of emails", "Oldest job due"]
        assert all(len(it.all("svg")) == 1 and len(it.all("tr")) == spans + 1 for it in shown.values())
        assert "1,234 in all" in shown["Errors"].text
        newest = [cell.text for cell in shown["Errors"].all("tr")[1].all("td")]
        assert newest == ["0", "1,234"]
        assert "highest: 250 ms" in shown["Response times"].text
        assert "highest: 3 h" in shown["Oldest job due"].text
        assert (
            page.root.all("a", **{"aria-current": "page"})[-1].text
            == {"hour": "Last hour", "day": "Last 24 hours", "month": "Last 30 days"}[period]
        )
    assert len(olga.get("/operate?over=never").root.all("tr")) == len(olga.get("/operate?over=hour").root.all("tr"))


def test_no_two_regions_of_the_overview_have_the_same_name(olga: Browser) -> None:
    root = olga.get("/operate").root
    ids = {it.attrs["id"]: it.text for name in ("h2", "h3", "summary") for it in root.all(name) if "id" in it.attrs}
    regions = [*root.all("section"), *root.all("div", role="region")]
    names = [it.attrs.get("aria-label") or ids[str(it.attrs["aria-labelledby"])] for it in regions]
    assert {"Emails", "As a table (Emails)"} <= {*names}
    assert len({*names}) == len(names)


def test_requests_and_failed_requests_are_counted(olga: Browser) -> None:
    tally.taken()
    olga.get("/account")
    olga.client.get("/healthz")
    sums, _ = tally.taken()
    assert sum(number for (what, _), number in sums.items() if what == tally.REQUESTS) == 1
    assert (tally.FAILED_REQUESTS, 0) not in sums


def test_the_overview_says_what_is_wrong_and_which_job_has_no_process(olga: Browser, shelf: Store) -> None:
    page = olga.get("/operate")
    assert "Processes are not running: “Website and API”" in page.text
    for role in (processes.WEB, "mail", "bots,clock", "webhooks", "checks", processes.MAILBOX):
        processes.report(shelf, processes.this_one(role, now()), now())
    watch.note(shelf, "mail.send_due", now())
    page = olga.get("/operate")
    assert "Nothing is wrong now." in page.text
    assert "idle at its last report" in page.text
    with shelf.write() as conn:
        conn.execute(processes.PROCESSES.update().where(processes.PROCESSES.c.role == "mail").values(seen_at=1))
    text = olga.get("/operate").text
    assert "Processes are not running: “Sending email”" in text
    assert "silent since" in text


def test_the_overview_leads_from_each_problem_to_its_details(
    olga: Browser, shelf: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch.shutil, "disk_usage", lambda _: mock.Mock(total=250 * 10**9, free=4 * 10**9))
    with shelf.write() as conn:
        conn.execute(insert(rules.ALARMS).values(what="disk", since=now() - HOUR, tried_at=0))
        came(conn, now() - HOUR, state="done", what="failed", attempts=5)
    page = olga.get("/operate")
    assert "Problems: 3" in page.text
    assert "The disk is nearly full: 4 GB free of 250 GB" in page.text
    assert "Began 60 min ago." in page.text
    for place in ("#processes", "#disk", "/operate/arrivals?came=failed"):
        assert f'href="{place}"' in page.html
    assert olga.get("/operate/arrivals?came=failed").status == 200
    assert overview.LEADS.keys() <= {it.key for it in rules.RULES}


def test_each_reason_has_a_button_that_retries_its_email_alone(olga: Browser, arrive: Arrive, shelf: Store) -> None:
    arrive("Ann")
    ann = number(shelf, "Ann")
    for reason in ("away", "mailbox"):
        owe(shelf, ann, key=reason, failing_for=reason, failing_since=now() - HOUR)
    page = olga.get("/operate")
    form = next(it for it in page.forms if it.filled.get("reason") == "mailbox")
    form.submit(why="They have emptied it")
    with shelf.read() as conn:
        failing_now = failing.failing(conn)
        (entry,) = (it for it in acts.entries(conn, AT_THE_COMMAND_LINE, now()) if it.what == "try_failed")
    assert list(failing_now) == ["away"]
    assert entry.detail == "1 mailbox"


def test_operators_choose_how_they_get_alarms(olga: Browser, shelf: Store) -> None:
    form = olga.get("/operate").form("/operate/alarms")
    assert form.filled["way"] == "none"
    page = form.submit(way="email")
    assert wish_of_olga(shelf) == ("email", "")
    for wrong, why in (
        ("http://chat.example/x", "must begin with https"),
        ("", "must begin with https"),
        ("https://chat.example:22/", "Only ports"),
    ):
        refused = page.form("/operate/alarms").submit(way="webhook", url=wrong)
        assert (refused.status, why in refused.text) == (422, True)
        assert refused.form("/operate/alarms").filled["url"] == wrong
    assert wish_of_olga(shelf) == ("email", "")
    page = page.form("/operate/alarms").submit(way="webhook", url="https://chat.example/key#x")
    assert wish_of_olga(shelf) == ("webhook", "https://chat.example/key")
    page.form("/operate/alarms").submit(way="none")
    assert wish_of_olga(shelf) == ("none", "")


def wish_of_olga(shelf: Store) -> tuple[str, str]:
    with shelf.read() as conn:
        (wish,) = acts.alarm_wishes(conn)
    return wish.way, wish.url


@pytest.mark.parametrize("about", ["person", "game"])
def test_operators_write_and_delete_notes(olga: Browser, arrive: Arrive, shelf: Store, about: str) -> None:
    arrive("Ann")
    where = f"/operate/people/{number(shelf, 'Ann')}"
    if about == "game":
        where = f"/operate/games/{open_table(shelf)}"
    page = olga.get(where).press("Save the note", text="Lost a phone\nand a ticket")
    assert "Saved." in page.text
    assert "Lost a phone and a ticket" in page.text
    assert "Olga" in page.text
    refused = page.press("Save the note", text="turned\u202eabout")
    assert refused.status == 422
    assert "A note has 1 to 2000 visible characters" in refused.text
    page = olga.get(where).press("Delete it for good")
    assert "Lost a phone" not in page.text


def test_the_overview_counts_no_whole_table(olga: Browser, shelf: Store) -> None:
    """Each statement on a table that grows goes by an index, or ends after some rows."""
    asked: list[tuple[str, object]] = []
    event.listen(shelf.engine, "before_cursor_execute", lambda *it: asked.append((it[2], it[3])))
    with shelf.read() as conn:
        oversight.overview(shelf, conn, AT_THE_COMMAND_LINE, now())
        pictures.pictures(conn, AT_THE_COMMAND_LINE, "month", now())
        rules.holding(shelf, conn, now())
        acts.entries(conn, AT_THE_COMMAND_LINE, now(), limit=10)
        plans = {
            sql: [row[3] for row in conn.connection.cursor().execute(f"EXPLAIN QUERY PLAN {sql}", given)]  # type: ignore[arg-type]
            for sql, given in asked
            if sql.lstrip().startswith("SELECT") and " LIMIT " not in sql
        }
    grows = "outbox|outbox_history|person|game|ply|mailing|incoming|reply|webhook_call|conversation|operator_entry"
    whole = {sql: plan for sql, plan in plans.items() for step in plan if re.match(rf"SCAN ({grows})\b", step)}
    assert len(plans) > 15
    assert whole == {}
