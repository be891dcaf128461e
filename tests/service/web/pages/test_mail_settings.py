"""The page of mail, links in mails, addresses, and the mail history."""

import re

import pytest
from sqlalchemy import select, update

from service.base import links
from service.base.clock import DAY, HOUR, now
from service.notices.kinds import SWITCHED
from service.notices.owing import OUTBOX
from service.people import accounts, addresses, mail_settings, recipients
from tests.service.web.pages.tables import start
from tests.workers.post import parse, text_of
from workers import claims, outbox
from workers.smtp import Bounced


@pytest.fixture
def ann_id(ann, shelf):
    with shelf.read() as conn:
        return conn.execute(select(accounts.PERSONS.c.id).where(accounts.PERSONS.c.name == "Ann")).scalar_one()


def chosen(shelf, person):
    with shelf.read() as conn:
        return mail_settings.of(conn, person)


def deliver(shelf, send=lambda settings, mail: "250 Kept", at=None):
    """Send the due mails, now or at a time, and return them."""
    sent = []

    def keep(settings, mail, ask):
        said = send(settings, mail)
        sent.append(parse(mail.source))
        return said

    outbox.send_due(shelf, send=keep, now=lambda: at or now())
    return sent


# ==== mail settings ===============================================================================
def test_a_person_stops_all_email_and_resumes_it(ann):
    stopped = ann.get("/account/mail").form("/account/mail").submit("Stop")
    assert "Email about your games has been off since" in stopped.text
    assert "Email about your games is on again." in stopped.form("/account/mail").submit("Turn").text


def test_the_settings_are_saved(ann, ann_id, shelf):
    form = ann.get("/account/mail").form("/account/mail/wishes")
    kept = form.submit("Save", quiet="1", digest="1", digest_at="07:00", kind=["turn", "over"])
    assert "Saved." in kept.text
    now_chosen = chosen(shelf, ann_id)
    assert (now_chosen.quiet, now_chosen.digest_at) == (True, 7 * 60)
    assert {kind for _, kind in now_chosen.off} == set(SWITCHED) - {"turn", "over"}
    again = ann.get("/account/mail").root
    assert "checked" in again.all("input", name="quiet")[0].attrs
    ann.get("/account/mail").form("/account/mail/wishes").submit("Save", quiet=None, digest=None, kind=list(SWITCHED))
    assert chosen(shelf, ann_id).off == frozenset()
    assert chosen(shelf, ann_id).digest_at is None


def test_a_person_chooses_the_look_of_letters(ann, ann_id, shelf):
    form = ann.get("/account/mail").form("/account/mail/wishes")
    form.submit("Save", no_pictures="1", short_receipts="1")
    now_chosen = chosen(shelf, ann_id)
    assert (now_chosen.pictures, now_chosen.short_receipts) == (False, True)
    page = ann.get("/account/mail")
    assert all("checked" in page.root.all("input", name=name)[0].attrs for name in ("no_pictures", "short_receipts"))
    page.form("/account/mail/wishes").submit("Save", no_pictures=None, short_receipts=None)
    now_chosen = chosen(shelf, ann_id)
    assert (now_chosen.pictures, now_chosen.short_receipts) == (True, False)


def test_a_game_is_muted_on_the_page_of_mail(ann, ann_id, bob, shelf):
    game_id = start(ann, bob).rpartition("/")[2]
    form = ann.get("/account/mail").form("/account/mail/wishes")
    form.submit("Save", game=None, kind=list(SWITCHED))
    assert chosen(shelf, ann_id).off == {(game_id, "")}


@pytest.mark.parametrize("entries", [{"kind": "weather"}, {"digest_at": "25:00"}, {"digest_at": "x"}])
def test_bad_settings_are_refused(ann, entries):
    assert ann.get("/account/mail").form("/account/mail/wishes").submit("Save", **entries).status == 400


def test_a_person_cannot_mute_another_persons_game(ann, ann_id, shelf):
    form = ann.get("/account/mail").form("/account/mail/wishes")
    form.submit("Save", shown="0123456789abcdef", kind=list(SWITCHED))
    assert chosen(shelf, ann_id).off == frozenset()


# ==== links in mails ==============================================================================
def test_a_mail_programs_one_click_mutes_the_game_of_the_mail(ann, ann_id, bob, app, settings, shelf):
    """RFC 8058: a POST without cookies, from anywhere."""
    game_id = start(ann, bob).rpartition("/")[2]
    address = links.unsubscribe_address(settings, ann_id, game_id, since=0).removeprefix(settings.site)
    assert app.test_client().get(address).status_code == 200
    assert chosen(shelf, ann_id).off == frozenset(), "opening the link changes nothing"
    program = app.test_client()
    answer = program.post(address, data={"List-Unsubscribe": "One-Click"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert chosen(shelf, ann_id).off == {(game_id, "")}
    assert chosen(shelf, ann_id).stopped_at is None


def test_the_page_behind_the_link_offers_to_stop_all(ann, ann_id, bob, guest, settings, shelf):
    game_id = start(ann, bob).rpartition("/")[2]
    address = links.unsubscribe_address(settings, ann_id, game_id, since=0).removeprefix(settings.site)
    asked = guest.get(address)
    assert asked.h1 == "Less email"
    assert asked.forms[0].submit("Stop all").h1 == "No more email"
    assert chosen(shelf, ann_id).stopped_at is not None


def test_a_made_up_link_stops_nothing(guest):
    assert guest.get("/unsubscribe/abc").status == 404


# ==== addresses ===================================================================================
def link_in(mail):
    return re.search(r"/address/\S+", text_of(mail))[0]


def test_a_new_address_counts_once_it_is_confirmed(app, ann, ann_id, guest, shelf):
    from tests.service.web.pages.browser import Browser

    elsewhere = Browser(app)
    with shelf.write() as conn:
        session = accounts.open_session(conn, ann_id, now())
    elsewhere.client.set_cookie("session", session)
    asked = ann.get("/account/mail").form("/account/address").submit("Change", email="Ann@New.Example")
    assert "A link is on its way" in asked.text
    (mail,) = deliver(shelf)
    assert mail["To"] == "ann@new.example"
    assert "ann@example.org" in ann.get("/account/mail").text, "not used yet"
    page = ann.get(link_in(mail))
    assert "ann@example.org" in ann.get("/account/mail").text, "opening the link changes nothing"
    assert page.forms[0].submit("Confirm").h1 == "Thank you"
    assert "ann@new.example" in ann.get("/account/mail").text
    assert elsewhere.get("/account").h1 == "Sign in"
    (told,) = deliver(shelf)
    assert told["To"] == "ann@example.org"
    assert "new.example" not in text_of(told)
    assert guest.get(link_in(mail)).status == 403, "it works once"


def test_links_that_were_sent_to_the_old_address_open_nothing_more(app, ann, ann_id, bob, guest, shelf, settings):
    from tests.service.web.pages.browser import Browser

    game = start(ann, bob)
    (letter,) = [mail for mail in deliver(shelf, at=now() + HOUR) if mail["To"] == "ann@example.org"]
    old_turn, old_stop = (re.search(rf"/{word}/\S+", text_of(letter))[0] for word in ("turn", "unsubscribe"))
    phone = Browser(app)
    assert "Your cards" in phone.get(old_turn).text
    guest.get("/sign-in").form("/sign-in").submit(email="ann@example.org")
    (sign_in,) = [mail for mail in deliver(shelf) if "/sign-in/" in text_of(mail)]
    old_sign_in = re.search(r"/sign-in/\S+", text_of(sign_in))[0]
    ann.get("/account/mail").form("/account/address").submit("Change", email="ann@third.example")
    (third,) = deliver(shelf)
    ann.get("/account/mail").form("/account/address").submit("Change", email="ann@new.example")
    (mail,) = deliver(shelf)
    ann.get(link_in(mail)).forms[0].submit("Confirm")

    assert "Your cards" not in phone.get(game).text, "nor does the cookie that the link has left"
    assert (guest.get(old_turn).status, guest.get(old_turn).h1) == (403, "This link is too old")
    assert ann.get(old_turn).address == game, "who is signed in needs no link"
    app.test_client().post(old_stop, data={"List-Unsubscribe": "One-Click"})
    assert chosen(shelf, ann_id).off == frozenset()
    assert guest.get(old_sign_in).status == 403
    assert guest.get(link_in(third)).status == 403

    with shelf.write() as conn:
        conn.execute(OUTBOX.update().where(OUTBOX.c.kind == "turn").values(state="pending"))
    recipients.mend(shelf, now())
    (letter,) = [mail for mail in deliver(shelf, at=now() + HOUR) if mail["To"] == "ann@new.example"]
    new_turn, new_stop = (re.search(rf"/{word}/\S+", text_of(letter))[0] for word in ("turn", "unsubscribe"))
    assert "Your cards" in Browser(app).get(new_turn).text
    app.test_client().post(new_stop, data={"List-Unsubscribe": "One-Click"})
    assert chosen(shelf, ann_id).off == {(game.rpartition("/")[2], "")}


def test_an_address_in_use_is_not_taken_over_and_not_revealed(ann, bob, guest, shelf):
    asked = ann.get("/account/mail").form("/account/address").submit("Change", email="bob@example.org")
    assert "A link is on its way" in asked.text
    (mail,) = deliver(shelf)
    assert guest.get(link_in(mail)).forms[0].submit("Confirm").h1 == "This address already has an account"
    assert "ann@example.org" in ann.get("/account/mail").text


@pytest.mark.parametrize("email", ["ann@example.org", "no address"])
def test_a_bad_new_address_is_refused(ann, email):
    assert ann.get("/account/mail").form("/account/address").submit("Change", email=email).status == 422


def test_an_old_session_does_not_change_the_address(ann, ann_id, shelf):
    with shelf.write() as conn:
        conn.execute(update(accounts.SESSIONS).values(created_at=now() - 2 * HOUR))
    page = ann.get("/account/mail").form("/account/address").submit("Change", email="x@new.example")
    assert page.status == 403
    assert "sign in again" in page.text
    assert deliver(shelf) == []


def test_a_failing_address_is_flagged_on_every_page_until_it_is_confirmed(ann, ann_id, bob, shelf):
    start(ann, bob)

    def refuse(settings, mail):
        if mail.recipient == "ann@example.org" and not asked:
            raise Bounced("550 5.1.1 No such mailbox <ann>", of_address=True)
        return "250 Kept"

    asked = []
    deliver(shelf, refuse, now() + HOUR)
    page = ann.get("/games")
    assert "Email to you bounces" in page.text
    assert "Email to you bounces" not in bob.get("/games").text
    page = ann.get("/account/mail")
    assert "550 5.1.1 No such mailbox <ann>" in page.text
    page.form("/account/address/check").submit("My address works")
    asked.append(True)
    (mail,) = deliver(shelf, refuse)
    assert ann.get(link_in(mail)).forms[0].submit("Confirm").h1 == "Thank you"
    assert "Email to you bounces" not in ann.get("/games").text
    assert [mail["To"] for mail in deliver(shelf, refuse, now() + HOUR)] == ["ann@example.org"], "the turn is told now"


# ==== the mail history ============================================================================
def test_the_history_shows_the_steps_of_an_email_and_their_reasons(ann, ann_id, shelf, settings):
    with shelf.write() as conn:
        accounts.ask_for_link(conn, settings, "ann@example.org", browser="b", next="/", lang="en", at=now())
    claimed = claims.claim(shelf, now())
    claims.put_back(shelf, claimed, claimed.rows, "failed", "KeyError", now())
    assert "failed on our side" in ann.get("/account/mail/sent").text
    later = now() + 8 * DAY
    while claimed := claims.claim(shelf, later):
        claims.put_back(shelf, claimed, claimed.rows, "deferred", "451 <Not> now", later)
        later += DAY
    page = ann.get("/account/mail/sent")
    assert re.search(r"given up .*: 451 <Not> now", page.text)
    assert "not delivered" in page.text
    assert not page.root.all("form", action="/account/mail/again"), "a sign-in link is asked for anew"


def test_a_repeated_email_is_a_new_one(ann, ann_id, bob, shelf):
    game = start(ann, bob)
    (first,) = [mail for mail in deliver(shelf, at=now() + HOUR) if mail["To"] == "ann@example.org"]
    page = ann.get("/account/mail/sent")
    assert "accepted by the mail server" in page.text
    assert "The email is on its way" in page.form("/account/mail/again").submit("Send").text
    (second,) = deliver(shelf)
    assert second["To"] == "ann@example.org"
    assert second["Message-ID"] != first["Message-ID"]
    assert second["References"] == first["References"]
    assert "repeated at your request" in ann.get(f"/account/mail/sent?game={game.rpartition('/')[2]}").text
    assert "repeated at your request" not in ann.get("/account/mail/sent?game=other").text


def test_a_person_cannot_repeat_another_persons_email(ann, bob, shelf):
    start(ann, bob)
    deliver(shelf, at=now() + HOUR)
    with shelf.read() as conn:
        of_ann = conn.execute(select(OUTBOX.c.id).order_by(OUTBOX.c.id)).scalars().first()
    form = bob.get("/account/mail/sent").form("/account/mail/again")
    assert bob.post(form.address, {**form.filled, "notice": str(of_ann)}).status == 404


def test_looking_at_a_table_holds_its_email(ann, bob, shelf):
    game = start(ann, bob)
    for each in (ann, bob):
        each.get(game)
    assert [mail["To"] for mail in deliver(shelf)] == []
    assert "held while you were at the table" in ann.get("/account/mail/sent").text
    assert len(deliver(shelf, at=now() + HOUR)) == 2, "both looked, and both have gone"


def test_the_link_to_an_address_expires_after_a_day(ann, ann_id, shelf, settings):
    with shelf.write() as conn:
        addresses.ask_to_change(conn, settings, ann_id, "new@example.org", lang="en", at=now() - 25 * HOUR)
    assert deliver(shelf) == []


def test_a_sign_in_by_email_shows_that_the_address_works(ann, ann_id, guest, shelf, settings):
    with shelf.write() as conn:
        conn.execute(update(accounts.PERSONS).values(mail_flagged_at=now(), mail_flag="550"))
        accounts.ask_for_link(conn, settings, "ann@example.org", browser="b", next="/", lang="en", at=now())
    (mail,) = deliver(shelf)
    with shelf.write() as conn:
        conn.execute(update(accounts.LINKS).values(browser_hash=accounts.hashed(guest_nonce(guest))))
    guest.get(re.search(r"/sign-in/\S+", text_of(mail))[0]).forms[0].submit("Sign in")
    assert chosen(shelf, ann_id).flagged_at is None


def guest_nonce(guest):
    guest.get("/sign-in")
    return guest.client.get_cookie("browser").value
