"""The mails and their making: headers, both forms, both languages, and no facts that their reader may not see."""

import html
import os
import random
import re
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
import pytest
from sqlalchemy import func, select, update

from domain import TITLES
from domain.chance import FreeChance
from domain.lifecycle import CancelGame, StartGame
from domain.pace import DAY, Pace
from service.base import links
from service.database.store import Store
from service.database.tables import MailSwitch, table_of
from service.games import numbered, opening, queries, taps
from service.letters import by_kind, compose, letter
from service.letters.letter import Mail
from service.notices import owing
from service.notices.owing import OUTBOX
from service.people import accounts
from service.words import spoken
from service.words.texts import WORDS
from tests import road, toy
from tests.sentences import texts_of
from tests.service.lanterns import ANN, BOB, NOON, game, give, lead, open_table, play_on, stored
from tests.toy import Choose, Stop, Walk
from tests.workers.post import PEOPLE, html_of, outbox, parse, person, sit_down, table, text_of
from workers import clocks

HOUR = 3_600_000


def mail_of(store: Store, row: Any, at: int = NOON) -> EmailMessage:
    with store.read() as conn:
        return parse(by_kind.mail(store, conn, row, at).source)


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A mail's text does not depend on the database: one kind is enough here."""
    return copy_on_sqlite


@pytest.fixture
def turn(store: Store) -> EmailMessage:
    """Return Ann's mail at the start of the second round, in a game against Bob."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    leader = lead(store, game_id)
    give(store, game_id, leader, Walk(2), Stop())
    return mail_of(store, outbox(store, "turn")[-1])


# ==== headers =====================================================================================
def test_a_turn_mail_has_the_headers_of_automatic_mail(store: Store, turn: EmailMessage) -> None:
    row = outbox(store, "turn")[-1]
    assert turn["Message-ID"] == row.message_id
    assert turn["References"] is None, "no letter of this game was sent before"
    assert turn["Feedback-ID"] == "turn:slowtrain"
    assert turn["List-Id"] == f"<{row.game_id}.games.localhost>"
    assert turn["Auto-Submitted"] == "auto-generated"
    assert turn["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert turn["Subject"] == "Your turn: A table (Lanterns)"
    assert turn["From"] == "Slow Train <trains@localhost>"
    assert turn["Date"].datetime.timestamp() * 1000 == NOON


def sent(store: Store, row: Any, told_by: str | None = None) -> str:
    """Mark a row as part of a sent letter. Return its Message-ID."""
    message_id = told_by or row.message_id
    with store.write() as conn:
        told = update(OUTBOX).where(OUTBOX.c.id == row.id)
        conn.execute(told.values(state="sent", told_by=message_id, sent_at=NOON + row.id))
    return message_id


def test_the_sent_letters_of_a_game_are_one_thread(store: Store) -> None:
    """RFC 5322, 3.6.4: only sent letters are named."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    lead(store, game_id)
    first = sent(store, outbox(store, "turn", ANN)[0])
    sent(store, outbox(store, "turn", BOB)[0])
    play_on(store, game_id)
    later, *_ = (row for row in outbox(store, "turn", ANN) if row.state == "pending")
    mail = mail_of(store, later)
    assert mail["In-Reply-To"] == mail["References"] == first
    second = sent(store, later)
    over = mail_of(store, outbox(store, "over", ANN)[0])
    assert over["In-Reply-To"] == second
    assert over["References"] == f"{first} {second}"
    assert over["List-Id"] == mail["List-Id"]
    assert over["Message-ID"] not in (first, second)


def test_a_letter_about_several_games_is_no_part_of_their_threads(store: Store) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    one, _ = table(store, ann, bob), table(store, ann, bob)
    for row in outbox(store, "turn", ANN):
        sent(store, row, "<together.1@localhost>")
    play_on(store, one)
    over = next(row for row in outbox(store, "over", ANN) if row.game_id == one)
    assert mail_of(store, over)["References"] is None


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (6 * HOUR, "6 hours left"),
        (3 * DAY, "3 days left"),
        (40 * 60_000, "40 minutes left"),
        (0, "Your time is running out"),
    ],
)
def test_the_subject_says_what_the_letter_is(store: Store, left: int, said: str) -> None:
    table(store, person(store, "Ann"), person(store, "Bob"), pace=Pace(4 * DAY, excuse=False, then="bot"))
    due = game(store, outbox(store)[0].game_id).table.clocks[ANN]
    row = outbox(store, "turn", ANN)[0]
    reminder = [owing.Reminder(row.game_id, ANN, row.person_id, row.ply, due, left)]
    with store.write() as conn:
        owing.remind(conn, store.settings, reminder, due - left)
    mail = mail_of(store, outbox(store, "reminder", ANN)[0], due - left)
    assert mail["Subject"] == f"{said}: A table (Lanterns)"
    assert "YOUR OPTIONS" in text_of(mail)


def test_a_host_without_a_seat_is_told_why_they_get_the_mail(store: Store) -> None:
    host, hard = person(store, "Hugo"), Pace(DAY, excuse=False, then="substitute")
    table(store, person(store, "Ann"), person(store, "Bob"), host_id=host, pace=hard)
    clocks.call(store, NOON + DAY)
    told = {row.person_id: text_of(mail_of(store, row)) for row in outbox(store, "seat_open")}
    assert "because you are the host of this game" in told.pop(host)
    assert told
    assert all("because you have a seat in this game" in text for text in told.values())


def test_the_same_row_makes_the_same_mail(store: Store) -> None:
    table(store, person(store, "Ann"), person(store, "Bob"))
    row = outbox(store)[0]
    with store.read() as conn:
        assert by_kind.mail(store, conn, row, NOON) == by_kind.mail(store, conn, row, NOON)


def test_one_post_from_a_digest_stops_all_mail_and_a_get_does_not(store: Store) -> None:
    from service.web.app import create_app

    person(store, "Bob")
    address = links.unsubscribe_address(store.settings, person(store, "Ann"), since=0)
    client = create_app(store.settings.with_(rate_limits=False), store).test_client()
    path = address.removeprefix(store.settings.site)
    assert client.get(path).status_code == 200
    assert _stopped(store) == [None, None]
    answer = client.post(path, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert sum(since is not None for since in _stopped(store)) == 1
    assert client.post(path + "x").status_code == 404


@pytest.mark.parametrize("form", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_provider_stops_the_mail_of_a_game_with_one_post(store: Store, turn: EmailMessage, form: str) -> None:
    """RFC 8058, 3.1: the address as it stands in the mail, one POST in either form, no cookie, no redirect."""
    from service.web.app import create_app

    address = str(turn["List-Unsubscribe"]).strip("<>")
    client = create_app(store.settings.with_(rate_limits=False), store).test_client(use_cookies=False)
    path, post = address.removeprefix(store.settings.site), {"List-Unsubscribe": "One-Click"}
    assert client.post(path, data=post, content_type=form).status_code == 200
    with store.read() as conn:
        assert conn.scalar(select(func.count()).select_from(table_of(MailSwitch))) == 1


def _stopped(store: Store) -> list[int | None]:
    with store.read() as conn:
        return list(conn.scalars(PEOPLE.select().with_only_columns(PEOPLE.c.mail_stopped_at)))


@pytest.mark.parametrize(
    "evil", ["x\r\nBcc: all@example.org", "x\nSubject: y", "a\x00b", "<b>bold</b>", "=?utf-8?q?x?="]
)
def test_names_cannot_become_headers_or_markup(store: Store, evil: str) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    with store.write() as conn:
        conn.execute(update(PEOPLE).where(PEOPLE.c.id == bob).values(name=evil))
    table(store, ann, bob, name=evil)
    mail = mail_of(store, outbox(store, "turn", ANN)[0])
    assert set(mail.keys()) == {
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "Feedback-ID",
        "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type", "Reply-To",
        "Content-Language",
    }  # fmt: skip
    assert mail["Subject"].splitlines() == [mail["Subject"]]
    assert mail["To"] == "ann@example.org"
    assert evil.split()[0] not in mail["From"]
    assert "<b>bold" not in html_of(mail)


# ==== what it says ================================================================================
def test_a_turn_mail_is_enough_to_decide(turn: EmailMessage) -> None:
    said = text_of(turn)
    for heading in ("IT IS YOUR TURN", "SINCE YOUR LAST TURN", "WALKERS", "YOUR HAND", "YOUR OPTIONS"):
        assert heading in said
    assert re.search(r"You are (Ann|Bob)\. It is your turn: ", said)
    assert re.search(r"(Ann|Bob) walks 2\.", said)
    assert re.search(r"Your cards: \d( and|,) ", said)
    assert re.search(r"\[1\] choose \d", said)
    assert "Fri, 15 Jan 2027, 08:00 (UTC)" in said


def test_text_and_html_say_the_same_but_for_the_position(turn: EmailMessage) -> None:
    """HTML shows the position in its picture, with the standing in a few words."""
    bare = re.sub(r"<style.*?</style>|<title.*?</title>|<[^>]+>", " ", html_of(turn), flags=re.S)
    page = " ".join(html.unescape(bare).split())
    told, _, rest = text_of(turn).partition("WALKERS")
    for line in (told + rest.partition("\n\n")[2]).splitlines():
        plain = " ".join(line.removeprefix("* ").split())
        if plain and "http" not in plain and plain != "--" and not plain.isupper():
            assert plain.rstrip(":").split(" - ")[0] in page, plain
    assert "steps." in page


def test_a_letter_says_how_to_answer_where_it_can_be_answered(store: Store) -> None:
    table(store, person(store, "Ann", "de"), person(store, "Bob"))
    german, english = (" ".join(text_of(mail_of(store, row)).split()) for row in outbox(store, "turn"))
    assert re.search("Answer with your orders, one per line, such as “choose [0-9]” or “whisper [0-9]+”", english)
    assert "Antworte mit deinen Befehlen" in german
    store.settings = store.settings.with_(replies=False)
    for row in outbox(store, "turn"):
        mail = mail_of(store, row)
        assert mail["Reply-To"] is None
        assert "nswer" not in text_of(mail)
        assert "ntworte" not in text_of(mail)
        assert "mailto:" not in html_of(mail)
        assert re.search(r"\[1\]", text_of(mail))


def test_each_numbered_line_is_a_link_that_holds_it(store: Store) -> None:
    """RFC 6068: the link opens an answer that is ready to be sent."""
    table(store, person(store, "Ann"), person(store, "Bob"))
    mail = mail_of(store, outbox(store, "turn", ANN)[0])
    found = [urlsplit(html.unescape(address)) for address in re.findall(r'href="(mailto:[^"]+)"', html_of(mail))]
    numbered = re.findall(r"^\[\d+\] (.+?)(?:  .*)?$", text_of(mail), re.M)
    assert numbered
    assert [parse_qs(it.query)["body"] for it in found] == [[line.replace("…", "1")] for line in numbered]
    assert {unquote(it.path) for it in found} == {mail["Reply-To"]}
    assert {parse_qs(it.query)["subject"][0] for it in found} == {"Re: Lanterns"}


def test_the_board_is_inside_the_mail_and_nothing_is_fetched(turn: EmailMessage) -> None:
    page = html_of(turn)
    (picture,) = (part for part in turn.walk() if part.get_content_type() == "image/png")
    assert picture.get_content().startswith(b"\x89PNG")
    assert picture["Content-Disposition"].startswith("inline")
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in page
    assert 'alt="The path with its lanterns."' in page
    assert [part.get_content_type() for part in turn.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    assert not re.findall(r'src="(?!cid:)|url\(|@import|<script|<link', page)


def test_lines_fit_and_everything_is_seven_bit(store: Store) -> None:
    table(store, person(store, "Ann", "de"), person(store, "Bob"))
    with store.read() as conn:
        source = by_kind.mail(store, conn, outbox(store)[0], NOON).source
    assert source.isascii()
    assert max(map(len, source.split(b"\r\n"))) <= 998
    assert b"\n" not in source.replace(b"\r\n", b"")


def test_the_links_are_ours_and_open_their_targets(store: Store, turn: EmailMessage) -> None:
    row = outbox(store, "turn")[-1]
    found = set(re.findall(r'href="([^"]+)"', html_of(turn)))
    found = {address for address in found if not address.startswith("mailto:")}
    assert all(address.startswith(store.settings.site + "/") for address in found)
    taps = {address for address in found if "/do/" in address}
    assert found - taps <= {word for word in text_of(turn).split() if word.startswith("http")}
    (link,) = (address for address in found if "/turn/" in address)
    opened = links.open_turn(store.settings, link.rsplit("/", 1)[1], NOON)
    shown = game(store, row.game_id).version_for(row.seat)
    assert (opened.game_id, opened.seat, opened.version, opened.person_id) == (
        row.game_id,
        row.seat,
        shown,
        row.person_id,
    )


def test_each_whole_command_can_be_done_by_one_tap(store: Store, turn: EmailMessage) -> None:
    """Only in HTML. A line that takes an amount, or leaves a choice open, is no whole command."""
    row = outbox(store, "turn")[-1]
    with store.read() as conn:
        seen = queries.game_for(store, conn, row.person_id, row.game_id)
    whole = [it.command for it in numbered.options(seen) if it.amount is None]
    found = re.findall(r'<b>\[(\d+)\]</b>.*?href="[^"]+/do/([^"]+)"', html_of(turn))
    assert len(found) == len(whole) > 1
    for (_number, token), command in zip(found, whole, strict=True):
        link = links.open_one_tap(store.settings, token, NOON)
        assert (link.game_id, link.seat, link.version) == (row.game_id, row.seat, seen.version)
        assert taps.command_in(seen.title, link.command) == command
    assert "/do/" not in text_of(turn)


def test_the_mail_carries_the_fingerprint_of_the_log(store: Store, turn: EmailMessage) -> None:
    head = stored(store, outbox(store)[0].game_id).head
    assert f"fingerprint {head.hex()[:12]}" in " ".join(text_of(turn).split())


def test_times_are_in_the_readers_zone_and_language(store: Store) -> None:
    table(store, person(store, "Ann", "de", "Europe/Berlin"), person(store, "Bob", "en", "America/New_York"))
    assert "Fr., 15. Jan. 2027, 09:00 (Berlin)" in " ".join(text_of(mail_of(store, outbox(store)[0])).split())
    assert "Fri, 15 Jan 2027, 03:00 (New York)" in " ".join(text_of(mail_of(store, outbox(store)[1])).split())


def test_a_long_story_is_cut(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"), length="long")
    monkeypatch.setattr(compose, "PLIES_TOLD", 2)
    leader = lead(store, game_id)
    other = BOB if leader == ANN else ANN
    for _ in range(3):
        give(store, game_id, leader, Walk(1))
    give(store, game_id, leader, Stop())
    mail = text_of(mail_of(store, outbox(store, "turn", other)[-1]))
    assert "earlier moves: see the game's log." in " ".join(mail.split())


def test_the_mail_of_the_end_has_the_result_by_category_and_the_secret(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    over = play_on(store, game_id)
    assert over.result
    mail = mail_of(store, outbox(store, "over", BOB)[0])
    said = text_of(mail)
    for line in over.result.standings:
        assert re.search(rf"Total .*\b{line.total}\b", said)
    assert stored(store, game_id).secret.hex() in said
    assert f"{store.settings.site}/games/{game_id}/audit" in said
    assert f'href="{store.settings.site}/games/{game_id}/review"' in html_of(mail)
    assert "Steps" in said


def test_no_mail_of_a_running_game_holds_its_secret(store: Store, turn: EmailMessage) -> None:
    secret = stored(store, outbox(store)[0].game_id).secret
    assert secret.hex() not in turn.as_string()
    assert secret.hex() not in text_of(turn)


def test_a_sign_in_mail_holds_the_link_and_nothing_to_stop(store: Store) -> None:
    with store.write() as conn:
        accounts.ask_for_link(conn, store.settings, "new@example.org", browser="b", next="/", lang="de", at=NOON)
    mail = mail_of(store, outbox(store)[0])
    (link,) = re.findall(r"\S+/sign-in/\S+", text_of(mail))
    with store.read() as conn:
        assert accounts.link_state(conn, link.rsplit("/", 1)[1], "b", NOON) == "button"
    assert mail["Subject"] == "Bei Slow Train anmelden"
    assert mail["List-Unsubscribe"] is None
    assert mail["References"] is None


@pytest.mark.parametrize(
    ("known", "browsers", "said"),
    [
        (None, "America/New_York", "03:10 (New York)"),
        (None, "", "08:10 (UTC)"),
        (None, "Moon/Base", "08:10 (UTC)"),
        ("Europe/Berlin", "America/New_York", "09:10 (Berlin)"),
        ("", "America/New_York", "03:10 (New York)"),
        ("", "", "08:10 (UTC)"),
    ],
)
def test_a_sign_in_mail_uses_the_best_known_time_zone(
    store: Store, known: str | None, browsers: str, said: str
) -> None:
    """The account's, if one was chosen; else that of the browser that asked; UTC if neither is known."""
    with store.write() as conn:
        if known is not None:
            number, _ = accounts.person_at(conn, "new@example.org", "en", NOON)
            accounts.introduce(conn, number, zone=known)
        accounts.ask_for_link(
            conn, store.settings, "new@example.org", browser="b", next="/", lang="en", at=NOON, zone=browsers
        )
    assert f"15 Jan 2027, {said}" in " ".join(text_of(mail_of(store, outbox(store)[0])).split())


def test_no_mail_uses_utc_by_default() -> None:
    texts, german = texts_of("service/letters"), spoken(WORDS, "de").texts
    assert len(texts) > 100
    assert [text for text in texts if "UTC" in text + german.get(text, "")] == []


def test_an_invitation_names_who_invites_and_links_to_the_table(store: Store) -> None:
    ann = person(store, "Ann")
    opened = road.open_game(
        store, title="toy", options={}, seats=3, name="Friends", host_id=ann, public=False, at=NOON, settle_ms=0
    )
    sit_down(store, opened.game_id, ann)
    with store.write() as conn:
        owing.invite(
            conn,
            store.settings,
            game_id=opened.game_id,
            number=0,
            address="new@example.org",
            by=ann,
            lang="en",
            at=NOON,
        )
    said = text_of(mail_of(store, outbox(store)[0]))
    assert "Ann invites you to a table for 3." in said
    assert "2 of 3 seats are free." in said
    assert f"/join/{opened.invite_token}" in said
    road.renew_invitation(store, opened.game_id)
    said = text_of(mail_of(store, outbox(store)[0]))
    assert opened.invite_token not in said, "a mail that was not sent yet has the link of now"
    assert f"/join/{links.invitation(store.settings, opened.game_id, 1)}" in said


def test_the_board_is_drawn_once_for_a_mail(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    face = msgspec.structs.replace(
        toy.TITLE.face,
        picture=lambda *given: drawn.append(given) or toy.TITLE.face.picture(*given),  # type: ignore[func-returns-value]
    )
    counted = msgspec.structs.replace(toy.TITLE, face=face)
    monkeypatch.setattr(store, "titles", {"toy": counted})
    lead(store, table(store, person(store, "Ann"), person(store, "Bob")))
    mail_of(store, outbox(store, "turn")[-1])
    assert len(drawn) == 1


def test_a_closed_table_and_a_start_are_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    only_bob = toy.ruled(asked=lambda state: (BOB,))
    closed = open_table(store, 2)
    sit_down(store, closed, person(store, "Ann"))
    give(store, closed, None, CancelGame())
    assert "THE GAME WAS CALLED OFF" in text_of(mail_of(store, outbox(store, "cancelled")[0]))
    monkeypatch.setattr(store, "titles", {"toy": only_bob})
    table(store, person(store, "Cleo"), person(store, "Dora"))
    said = text_of(mail_of(store, outbox(store, "started")[0]))
    assert "THE GAME HAS STARTED" in said
    assert "Waiting for: Dora" in said


# ==== as their readers see them ===================================================================
@pytest.mark.parametrize("name", ["turn_en", "turn_de", "over_en", "over_de"])
def test_a_mail_has_its_recorded_text(store: Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The text of whole mails, stored in ``tests/mails`` to be read. Rewrite it with ``SLOWTRAIN_KEEP_MAILS=1``."""
    kind, lang = name.split("_")
    secrets_ = (bytes([number]) * 32 for number in range(99))
    monkeypatch.setattr(opening.secrets, "token_bytes", lambda _: next(secrets_))
    store.settings = store.settings.with_(secret_keys=("a key for tests only",), base_url="https://trains.example")
    zone = {"en": "Europe/London", "de": "Europe/Berlin"}[lang]
    game_id = table(store, person(store, "Ann", lang, zone), person(store, "Bob"), game_id="0123456789abcdef")
    if kind == "turn":
        give(store, game_id, BOB, Choose(game(store, game_id).state.hands[BOB][0]))
    else:
        play_on(store, game_id, seed=3)
    said = text_of(mail_of(store, outbox(store, kind, ANN)[-1]))
    file = Path(__file__).parents[2] / "mails" / f"{name}.txt"
    if "SLOWTRAIN_KEEP_MAILS" in os.environ:
        file.write_text(said)
    assert said == file.read_text()


# ==== nothing but one's own =======================================================================
@pytest.mark.parametrize("title", ["toy", *TITLES])
def test_a_mail_is_the_same_in_every_world_with_its_readers_view(store: Store, title: str) -> None:
    """Facts hidden from a seat change not one byte of its mail (except the chain's fingerprint)."""
    players = [person(store, name) for name in ("Ann", "Bob", "Cleo", "Dan")][: store.titles[title].seating.seats[0]]
    worlds = [_mails_of_imagined_worlds(store, title, players, seed) for seed in range(6)]
    assert all(len(mails) == 1 for mails, _ in worlds)
    assert any(other for _, other in worlds), "nothing was ever hidden: the test shows nothing"


def _mails_of_imagined_worlds(store: Store, title: str, players: list[int], seed: int) -> tuple[set[Mail], bool]:
    """Return Ann's mails from the true state and from imagined ones, and whether an imagined one differed."""
    game_id = open_table(store, len(players), title=title, options={}, settle_ms=0)
    sit_down(store, game_id, *players)
    give(store, game_id, None, StartGame())
    play_on(store, game_id, plies=random.Random(seed).randrange(7, 25), seed=seed)
    row = [row for row in outbox(store, "turn", ANN) if row.game_id == game_id][-1]
    here = stored(store, game_id)
    box, mails, other = here.game.title, set(), False
    for world in range(3):
        state = box.rules.imagine(box.rules.view(here.game.state, ANN), FreeChance(random.Random(world)))
        other |= state != here.game.state
        store.folds.clear()
        store.folds.keep(msgspec.structs.replace(here.game, state=state), here.head)
        with store.read() as conn:
            mails.add(by_kind.mail(store, conn, row, NOON + HOUR))
            assert store.load(conn, game_id).game.state is state  # the mail was made from this world
    store.folds.clear()
    with store.read() as conn:
        mails.add(by_kind.mail(store, conn, row, NOON + HOUR))
    return mails, other


def test_a_header_is_one_line_of_letters() -> None:
    assert letter.one_line("a\r\n b\x00\tc") == "a b c"
    assert len(letter.one_line("x" * 999)) == 200


def test_no_word_of_another_players_hand_or_address(store: Store) -> None:
    """Cards are numbers in this title: the story may name only Ann's own and those shown to all."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    mail = mail_of(store, outbox(store, "turn", ANN)[0])
    said = text_of(mail)
    hands = game(store, game_id).state.hands
    assert " ".join(said.split()).count("Bob draws a card.") == len(hands[BOB])
    assert "Bob draws the" not in " ".join(said.split())
    assert "bob@example.org" not in mail.as_string()
