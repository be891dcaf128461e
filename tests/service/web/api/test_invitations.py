"""Limits on invitations to strangers: few a day from all senders together, and none after a refusal."""

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from service.accounts.keys import SIGN_IN_PER_MAILBOX
from service.base import links
from service.base.clock import DAY, now
from service.keeping import personal
from service.notices import owing
from service.notices.owing import OUTBOX
from service.people import strangers
from service.people.strangers import INVITATIONS_A_DAY, MAILBOXES, hash_of, mailbox_of
from tests.service.web.api.test_edges import limited
from tests.service.web.api.world import Asker, World
from tests.service.web.pages.browser import Browser
from tests.workers.post import html_of, parse, text_of
from workers import housekeeping, outbox

__all__ = ["limited"]

DORA = "dora@example.org"


def invite(host: Asker, *emails: str) -> int:
    """Open a table and invite to it. Return the number of mails sent."""
    game_id = host.post("/games", {"title": "toy", "seats": 2}).json["id"]  # type: ignore[index]
    answer = host.post(f"/games/{game_id}/invitations", {"emails": [*emails]})
    assert answer.status_code == 200
    return int(answer.json["sent"])  # type: ignore[index]


def posted(world: World) -> list[bytes]:
    """Send the due mails and return them."""
    sources: list[bytes] = []

    def keep(_: object, mail: outbox.Mail, *more: object) -> str:
        sources.append(mail.source)
        return "250 Kept"

    outbox.send_due(world.store, send=keep)
    return sources


# ==== few a day ===================================================================================
def test_a_mailbox_gets_a_limited_number_of_invitations_a_day_from_all_hosts(world: World) -> None:
    with freeze_time("2027-03-01T23:00:00Z") as clock:
        hosts = [world.person(f"Host{number}") for number in range(INVITATIONS_A_DAY + 2)]
        assert [invite(host, DORA) for host in hosts] == [1] * INVITATIONS_A_DAY + [0, 0]
        assert invite(hosts[0], "emil@example.org", DORA, "fritz@example.org") == 2
        clock.tick(timedelta(hours=23, minutes=59))  # another date, but less than a day later
        assert invite(hosts[0], DORA) == 0
        clock.tick(timedelta(minutes=2))
        assert [invite(host, DORA) for host in hosts] == [1] * INVITATIONS_A_DAY + [0, 0]


def test_a_plus_tag_counts_as_the_same_mailbox(world: World, harriet: Asker) -> None:
    same = [f"dora+{number}@example.org" for number in range(4)]
    assert invite(harriet, *same) == 4
    assert invite(harriet, "DORA+x@Example.org", DORA) == 1
    assert mailbox_of("d.o.r.a+x@googlemail.com") == mailbox_of("dora@gmail.com")
    assert mailbox_of("d.ora@example.org") != mailbox_of(DORA)


def test_erasing_an_account_resets_no_count(both_worlds: World) -> None:
    """It holds on either database, also after old rows are deleted."""
    world = both_worlds
    for _ in range(INVITATIONS_A_DAY):
        host = world.person("Mallory")
        assert invite(host, DORA) == 1
        personal.erase(world.store, host.number or 0, now())
        world.numbers.pop("Mallory")
        housekeeping.forget_expired(world.store, now())
    assert invite(world.person("Mallory"), DORA) == 0
    assert personal.forget_address(world.store, DORA, now()) == 0, "they went with who had invited them"
    housekeeping.forget_expired(world.store, now() + 100 * DAY)
    assert invite(world.person("Mallory"), DORA) == 1


def test_the_page_suggests_the_link_and_hides_the_reason(world: World) -> None:
    texts = []
    for full in (True, False):
        host = world.person("Harriet")
        browser = Browser(world.app)
        browser.client = host.client
        email = f"{'full' if full else 'never'}@example.org"
        if full:
            assert [invite(host, email) for _ in range(INVITATIONS_A_DAY)] == [1] * INVITATIONS_A_DAY
        else:
            with world.store.write() as conn:
                strangers.want_invitations(conn, hash_of(email), False, now())
        game_id = host.post("/games", {"title": "toy", "seats": 2}).json["id"]  # type: ignore[index]
        page = browser.get(f"/games/{game_id}").form("/invite").submit(email=email)
        assert page.status == 422
        texts.append(page.root.all("p", role="alert")[0].text)  # type: ignore[union-attr]
    assert texts == ["We cannot send an invitation to this address right now. Send them the link yourself."] * 2


def test_simultaneous_hosts_are_all_counted(both_worlds: World) -> None:
    store, game_ids = both_worlds.store, []
    harriet = both_worlds.person("Harriet")
    for _ in range(12):
        game_ids.append(harriet.post("/games", {"title": "toy", "seats": 2}).json["id"])  # type: ignore[index]

    def one(game_id: str) -> bool:
        try:
            with store.write() as conn:
                return owing.invite(
                    conn, store.settings, game_id=game_id, number=0, address=DORA, by=1, lang="en", at=now()
                )
        except strangers.NotInvited:
            return False

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(one, game_ids)) == INVITATIONS_A_DAY


def test_links_to_sign_in_are_limited_for_a_mailbox(limited: World) -> None:
    """Ten an hour would be many in a day; and an address with a plus tag is the same mailbox."""
    taken = 0
    with freeze_time("2027-03-01T00:00:00Z") as clock:
        for number in range(200):
            email = f"dora+{number}@example.org"
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            taken += limited.anonymous().post("/sign-in", {"email": email}, headers=headers).status_code == 202
            clock.tick(timedelta(minutes=6))
    assert taken == SIGN_IN_PER_MAILBOX[-1].amount


# ==== never =======================================================================================
@pytest.fixture
def letter(world: World, harriet: Asker) -> bytes:
    """Return an invitation to Dora as it is sent."""
    assert invite(harriet, DORA) == 1
    (source,) = posted(world)
    return source


def path_in(world: World, source: bytes) -> str:
    (line,) = [line for line in source.split(b"\r\n") if line.lower().startswith(b"list-unsubscribe:")]
    address = line.decode("ascii").partition(": ")[2]
    assert address.startswith(f"<{world.settings.site}/never/")
    assert address.endswith(">")
    return address[1:-1].removeprefix(world.settings.site)


def test_an_invitation_holds_a_link_that_stops_all_others(world: World, letter: bytes) -> None:
    """RFC 8058: both headers, the address unfolded and unencoded, and POST acts at once."""
    path = path_in(world, letter)
    mail = parse(letter)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    head = letter.partition(b"\r\n\r\n")[0]
    assert b"=?" not in head
    assert max(map(len, head.split(b"\r\n"))) <= 998
    assert f"{world.settings.site}{path}" in text_of(mail)
    assert f'href="{world.settings.site}{path}"' in html_of(mail)
    program = world.app.test_client()
    assert program.get(path).status_code == 200
    assert invite(world.person("Hugo"), DORA) == 1, "looking changes nothing"
    answer = program.post(path, data={"List-Unsubscribe": "One-Click"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    for host in ("Harriet", "Hugo", "Horst"):
        assert invite(world.person(host), DORA, "Dora+again@example.org") == 0


def test_a_queued_invitation_is_not_sent_after_the_stop(world: World, letter: bytes, harriet: Asker) -> None:
    assert invite(harriet, DORA) == 1
    world.app.test_client().post(path_in(world, letter), data={"List-Unsubscribe": "One-Click"})
    assert posted(world) == []
    with world.store.read() as conn:
        assert conn.execute(select(OUTBOX.c.state).order_by(OUTBOX.c.id)).scalars().all() == ["sent", "superseded"]


def test_a_person_stops_invitations_and_allows_them_again(world: World, letter: bytes) -> None:
    page = Browser(world.app).get(path_in(world, letter))
    assert page.h1 == "Stop all invitations?"
    done = page.press("Stop all invitations")
    assert done.h1 == "No more invitations"
    assert invite(world.person("Hugo"), DORA) == 0
    assert done.press("Allow invitations again").h1 == "You can be invited again"
    assert invite(world.person("Hugo"), DORA) == 1
    assert "Alle Einladungen abbestellen?" in Browser(world.app, "de").get(path_in(world, letter)).text


def test_the_stop_belongs_to_the_mailbox_and_outlives_the_account(world: World, letter: bytes, harriet: Asker) -> None:
    dora = world.person("Dora")
    assert dora.get("/me/mail").json["invitations"] is True  # type: ignore[index]
    world.app.test_client().post(path_in(world, letter), data={"List-Unsubscribe": "One-Click"})
    assert dora.get("/me/mail").json["invitations"] is False  # type: ignore[index]
    personal.erase(world.store, dora.number or 0, now())
    assert invite(harriet, DORA) == 0


def test_a_person_stops_invitations_on_the_page_and_by_the_api(world: World, harriet: Asker) -> None:
    dora = world.person("Dora")
    browser = Browser(world.app)
    browser.client = dora.client
    said = browser.get("/account/mail").form("/account/mail/invitations").submit("Stop")
    assert "You will get no more invitations." in said.text
    assert "Invitations by email have been off since" in said.text
    assert invite(harriet, DORA) == 0
    assert "You can be invited again." in said.form("/account/mail/invitations").submit("Allow").text
    assert dora.patch("/me/mail", {"invitations": False}).json["invitations"] is False  # type: ignore[index]
    assert invite(harriet, DORA) == 0
    assert dora.patch("/me/mail", {"invitations": True}).json["invitations"] is True  # type: ignore[index]
    assert invite(harriet, DORA) == 1


def test_a_person_without_invitations_still_signs_in(world: World) -> None:
    with world.store.write() as conn:
        strangers.want_invitations(conn, hash_of(DORA), False, now())
    world.anonymous().post("/sign-in", {"email": DORA})
    (source,) = posted(world)
    assert "/sign-in/" in text_of(parse(source))


@pytest.mark.parametrize("token", ["abc", "a.b.c", "x" * 2000])
def test_a_made_up_link_stops_nothing(world: World, token: str) -> None:
    assert world.app.test_client().post(f"/never/{token}").status_code == 404
    with world.store.read() as conn:
        assert conn.execute(select(MAILBOXES)).all() == []


def test_links_for_something_else_stop_no_invitations(world: World) -> None:
    stop = links.unsubscribe_address(world.settings, 1, since=0).rpartition("/")[2]
    never = links.never_address(world.settings, hash_of(DORA)).rpartition("/")[2]
    assert world.app.test_client().post(f"/never/{stop}").status_code == 404
    assert world.app.test_client().post(f"/unsubscribe/{never}").status_code == 404


def test_the_stop_stores_no_address(world: World, letter: bytes) -> None:
    path = path_in(world, letter)
    world.app.test_client().post(path)
    with world.store.read() as conn:
        assert "dora" not in str(conn.execute(select(MAILBOXES)).all())
    assert "dora" not in path


def test_counts_expire_and_stops_do_not(world: World) -> None:
    with freeze_time("2027-03-01T12:00:00Z") as clock:
        invite(world.person("Harriet"), DORA, "emil@example.org")
        with world.store.write() as conn:
            strangers.want_invitations(conn, hash_of(DORA), False, now())
        clock.tick(timedelta(hours=25))
        with world.store.write() as conn:
            strangers.forget_invitations(conn, now())
            assert conn.execute(select(MAILBOXES.c.mailbox_hash)).scalars().all() == [hash_of(DORA)]


# ==== headers of all mails ========================================================================
def test_addresses_of_any_length_stand_unchanged_in_headers(world: World) -> None:
    from service.letters.letter import Button, Letter, write

    dice = random.Random(5)
    for length, recipient in itertools.product((1, 50, 60, 75, 200, 900), (DORA, "dörte@example.org")):
        token = "".join(dice.choices("abcdefghijklmnopqrstuvwxyzABCDEF0123456789-_.", k=length))
        address = f"https://trains.example/never/{token}"
        letter = Letter(lang="en", subject="x", above="x", name="", heading="x", lead=(), stop=Button("Stop", address))
        source = write(world.settings, letter, recipient, "<x@localhost>", 0).source
        assert f"\r\nList-Unsubscribe: <{address}>\r\n".encode() in source
