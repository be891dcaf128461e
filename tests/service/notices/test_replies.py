"""Reply addresses: one for each letter and version, stored as hashes, with the letter's lines."""

from pathlib import Path

import pytest
from sqlalchemy import select

from config.settings import Settings
from service.database.store import Store
from service.letters.letter import Mail
from service.notices import replies
from service.notices.replies import REPLIES, Issued
from tests.service.lanterns import NOON, game
from tests.workers.post import parse, person, table, text_of
from workers import outbox as mails

LETTER = "<turn.0123456789abcdef.4.who@localhost>"


def sent_by(store: Store) -> list[Mail]:
    """Return the mails that are sent now."""
    sent: list[Mail] = []

    def send(_settings: Settings, mail: Mail, _ask: object) -> str:
        sent.append(mail)
        return "250 OK"

    mails.send_due(store, send=send, now=lambda: NOON + 1)
    return sent


def issued(store: Store, version: int = 4, message_id: str = LETTER) -> Issued:
    made = replies.issue(store.settings, message_id, "turn", person_id=1, game_id="g", seat=2, version=version)
    assert made is not None
    return made


def test_an_address_finds_its_letter_in_any_spelling_and_only_its_hash_is_stored(store: Store) -> None:
    person(store, "Ann")
    made, lines = issued(store), ("Your turn", "", "[1] move Ottawa", "Your turn")
    with store.write() as conn:
        replies.keep(conn, [made], lines, NOON)
    token = replies.token_of(store.settings, made.address.upper())
    assert token == made.token
    with store.read() as conn:
        found = replies.find(conn, token.upper(), NOON)
        (row,) = conn.execute(select(REPLIES)).all()
    assert found is not None
    assert (found.person_id, found.game_id, found.seat, found.version, found.kind) == (1, "g", 2, 4, "turn")
    assert found.lines == ("Your turn", "", "[1] move Ottawa")
    assert not [value for value in row if made.token in str(value)]


def test_a_resent_letter_keeps_its_address_and_another_version_gets_another(
    store: Store,
) -> None:
    person(store, "Ann")
    with store.write() as conn:
        replies.keep(conn, [issued(store)], ["Now"], NOON)
        replies.keep(conn, [issued(store)], ["Jetzt"], NOON + 1)
    assert issued(store) == issued(store)
    assert len({issued(store).token, issued(store, 5).token, issued(store, 4, "<other@localhost>").token}) == 3
    with store.read() as conn:
        assert len(conn.execute(select(REPLIES)).all()) == 1
        found = replies.find(conn, issued(store).token, NOON)
    assert found is not None
    assert found.lines == ("Jetzt",)


def test_a_letter_can_be_answered_for_a_year(store: Store) -> None:
    person(store, "Ann")
    with store.write() as conn:
        replies.keep(conn, [issued(store)], [], NOON)
        assert replies.find(conn, issued(store).token, NOON + replies.LASTS - 1)
        assert replies.find(conn, issued(store).token, NOON + replies.LASTS) is None
        assert replies.find(conn, issued(store, 5).token, NOON) is None
        replies.forget_old(conn, NOON + replies.LASTS, 0)
        assert conn.execute(select(REPLIES)).all() == []


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("g+aaaaaaaaaaaaaaaaaaaaaaaaaa@trains.example", True),
        ("G.AAAAAAAAAAAAAAAAAAAAAAAAAA@Trains.Example", True),
        ("g+aaaaaaaaaaaaaaaaaaaaaaaaaa@other.example", False),
        ("b+aaaaaaaaaaaaaaaaaaaaaaaaaa@trains.example", False),
        ("g+aaaaaaaaaaaaaaaaaaaaaaaaa@trains.example", False),
        ("g+aaaaaaaaaaaaaaaaaaaaaaaaa1@trains.example", False),
        ("ann@trains.example", False),
        ("", False),
    ],
)
def test_an_address_of_ours_is_told_from_others(tmp_path: Path, address: str, good: bool) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, reply_domain="trains.example")
    assert (replies.token_of(settings, address) == 26 * "a") == good


def test_letters_name_their_reply_address_and_it_is_stored_before_they_go(store: Store) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    sent, other = (parse(each.source) for each in sent_by(store))
    assert sent["Reply-To"] != other["Reply-To"]
    token = replies.token_of(store.settings, sent["Reply-To"])
    assert token is not None
    with store.read() as conn:
        found = replies.find(conn, token, NOON)
    assert found is not None
    assert (found.message_id, found.person_id) == (sent["Message-ID"], found.seat)
    assert found.version == game(store, game_id).version_for(found.seat)
    assert set(text_of(sent).splitlines()) <= set(found.lines)


def test_without_reading_of_mail_no_letter_can_be_answered(store: Store) -> None:
    store.settings = store.settings.with_(replies=False)
    table(store, person(store, "Ann"), person(store, "Bob"))
    sent = sent_by(store)
    assert sent
    assert not [mail for mail in sent if parse(mail.source)["Reply-To"]]
    with store.read() as conn:
        assert conn.execute(select(REPLIES)).all() == []


@pytest.mark.parametrize(
    ("given", "on"),
    [
        ({}, True),
        ({"smtp_host": "mail.example.org"}, False),
        ({"smtp_host": "mail.example.org", "replies": True}, True),
        ({"replies": False}, False),
    ],
)
def test_letters_can_be_answered_at_home_and_elsewhere_where_it_is_switched_on(
    tmp_path: Path, given: dict[str, object], on: bool
) -> None:
    assert Settings(_env_file=None, data_dir=tmp_path, **given).answerable is on  # type: ignore[arg-type]
