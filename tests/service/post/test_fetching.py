"""Answers from an ordinary mailbox: kept, then deleted there, each acting once; all other mail is left alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from config.settings import Settings
from service.cli.main import main
from service.database.store import Store
from service.notices import failing, watch
from service.post import imap, inbox
from service.post.fetching import LEASE, PAUSES, Fetched, Fetcher
from service.post.inbox import INCOMING
from service.post.limits import LARGEST
from tests.listening import letter, returning
from tests.mailbox import PASSWORD, Mailbox, mailbox
from tests.servers import free_port
from workers import alarm

AT = 1_800_000_000_000


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as box:
        yield box


@pytest.fixture
def home(box: Mailbox, tmp_path: Path, store_in: Callable[..., Store]) -> Store:
    return store_in(Settings(_env_file=None, data_dir=tmp_path, **box.settings))


@pytest.fixture
def fetcher(home: Store) -> Iterator[Fetcher]:
    fetcher = Fetcher(home)
    yield fetcher
    fetcher.hang_up()


def mail(to: str, words: str = "look", **headers: str) -> bytes:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"From: ann@example.org\r\nTo: {to}\r\n{more}Subject: Re: Your turn\r\n\r\n{words}\r\n".encode()


def kept(store: Store) -> list[Any]:
    with store.read() as conn:
        return list(conn.execute(select(INCOMING).order_by(INCOMING.c.id)))


def test_an_answer_is_kept_and_then_deleted_there(home: Store, box: Mailbox, fetcher: Fetcher) -> None:
    address = letter(home)
    assert address.startswith("club+g.")
    assert address.endswith("@example.org")
    raw = mail(f"Slow Train <{address}>", Return_Path="<ann@example.org>")
    box.put(raw)
    assert fetcher.round(AT) == Fetched(kept=1)
    assert not box.mails
    (row,) = kept(home)
    assert (row.raw, row.sender, row.via) == (raw, "ann@example.org", "mail")
    box.put(mail(returning(home), "a report"))
    assert fetcher.round(AT) == Fetched(kept=1)
    assert fetcher.round(AT) == Fetched()
    assert len(kept(home)) == 2


def test_the_connection_is_kept_and_made_again_if_it_is_cut(home: Store, box: Mailbox, fetcher: Fetcher) -> None:
    for number in range(3):
        box.put(mail(letter(home)))
        assert fetcher.round(AT + number) == Fetched(kept=1)
        assert fetcher.round(AT + number) == Fetched()
    assert box.asked.count("LOGIN") == 1
    box.cuts = "NOOP"
    box.put(mail(letter(home)))
    assert fetcher.round(AT + 9) == Fetched(kept=1)
    assert box.asked.count("LOGIN") == 2
    box.asked.clear()
    assert fetcher.round(AT + 9) == Fetched()
    assert box.asked == ["NOOP"], "nothing else is asked if nothing is new"


def test_a_server_that_deletes_only_all_at_once_deletes_nothing_of_the_owners(
    home: Store, box: Mailbox, fetcher: Fetcher
) -> None:
    box.lacks |= {"UIDPLUS", "QUOTA"}
    ours = box.put(mail(letter(home)))
    assert fetcher.round(AT) == Fetched(kept=1)
    assert box.flags(ours) == {r"\Deleted"}
    assert len(kept(home)) == 1


def test_a_full_mailbox_is_told(home: Store, box: Mailbox, fetcher: Fetcher) -> None:
    box.used = 990
    box.put(mail(letter(home)))
    assert fetcher.round(AT) == Fetched(kept=1, trouble="full")
    assert fetcher.round(AT) == Fetched(trouble="full"), "and it is still looked at"
    box.used = 10
    box.put(mail(letter(home)))
    assert fetcher.round(AT) == Fetched(kept=1)


@pytest.mark.parametrize("command", ["LOGIN", "SELECT", "SEARCH", "FETCH", "STORE", "EXPUNGE"])
def test_a_line_that_is_cut_loses_nothing(home: Store, box: Mailbox, fetcher: Fetcher, command: str) -> None:
    box.put(mail(letter(home)))
    box.cuts = command
    assert fetcher.round(AT) == Fetched(trouble="away")
    assert fetcher.round(AT + PAUSES[0]) is not None
    assert not box.mails
    assert len(kept(home)) == 1


def test_the_owners_own_mail_is_left_alone(home: Store, box: Mailbox, fetcher: Fetcher) -> None:
    token = letter(home).removeprefix("club+")
    others = [
        box.put(mail("club@example.org")),
        box.put(mail("club+shop@example.org")),
        box.put(mail(f"other.club+{token}")),
        box.put(mail(f"club+{token}.example.net")),
        box.put(mail("club+g.short@example.org")),
        box.put(mail("ann@example.org", f"To: club+{token}")),
        box.put(mail("club@example.org", Subject=f"club+{token}")),
    ]
    deleted = box.put(mail("club@example.org"), r"(\Deleted)")
    assert all(box.flags(it) == set() for it in others)
    box.put(mail(f"club+{token}"))
    assert fetcher.round(AT) == Fetched(kept=1)
    assert list(box.mails) == [*others, deleted], "nor does deleting ours delete what the owner has only marked"
    assert all(box.flags(it) == set() for it in others), "nothing is marked as read"


@pytest.mark.parametrize("header", ["Cc", "Delivered_To", "X_Original_To", "Envelope_To"])
def test_our_address_may_stand_in_other_headers(home: Store, box: Mailbox, fetcher: Fetcher, header: str) -> None:
    box.put(mail("somebody@example.net", **{header: letter(home).upper()}))
    assert fetcher.round(AT) == Fetched(kept=1)


def test_mail_that_cannot_be_kept_stays_flagged(home: Store, box: Mailbox, fetcher: Fetcher) -> None:
    unknown = box.put(mail(f"club+g.{'a' * 26}@example.org"))
    large = box.put(mail(letter(home), "x" * LARGEST))
    assert fetcher.round(AT) == Fetched(left=2)
    assert box.flags(unknown) == box.flags(large) == {r"\Flagged"}
    box.put(mail(letter(home)))
    assert fetcher.round(AT) == Fetched(kept=1, left=2)
    with home.read() as conn:
        assert failing.mailbox(conn, home.settings) == failing.MailboxState("", 0, 2)
    assert kept(home)[0].id
    assert len(kept(home)) == 1


def test_too_many_mails_for_one_letter_wait(
    home: Store, box: Mailbox, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 1)
    busy, other = letter(home), letter(home)
    for number in range(2):
        box.put(mail(busy, f"look {number}"))
    box.put(mail(other))
    assert fetcher.round(AT) == Fetched(kept=2, postponed=1)
    (waiting,) = box.mails
    assert box.flags(waiting) == set()
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 2)
    assert fetcher.round(AT) == Fetched(kept=1)


@pytest.mark.parametrize("step", ["content", "delete", "left"])
def test_a_fetcher_that_dies_between_two_steps_loses_and_doubles_nothing(
    home: Store, box: Mailbox, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    box.put(mail(letter(home)))
    with monkeypatch.context() as patch:
        patch.setattr(imap.Mailbox, step, dies)
        with pytest.raises(KeyboardInterrupt):
            fetcher.round(AT)
    assert len(kept(home)) == (step != "content")
    assert Fetcher(home).round(AT + LEASE - 1) is None, "its lease lasts"
    later = Fetcher(home)
    assert later.round(AT + LEASE) is not None
    later.hang_up()
    assert not box.mails
    assert len(kept(home)) == 1


def test_two_that_fetch_at_once_keep_each_answer_once(
    home: Store, box: Mailbox, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.put(mail(letter(home)))
    other, real = Fetcher(home), imap.Mailbox.content

    def overtaken(there: imap.Mailbox, uid: int) -> bytes | None:
        monkeypatch.setattr(imap.Mailbox, "content", real)
        raw = real(there, uid)
        assert other.round(AT + LEASE) == Fetched(kept=1), "the lease of the first is over"
        other.hang_up()
        return raw

    monkeypatch.setattr(imap.Mailbox, "content", overtaken)
    assert fetcher.round(AT) is not None
    assert len(kept(home)) == 1
    assert not box.mails


def test_a_mailbox_that_does_not_answer_is_tried_ever_more_rarely(
    home: Store, box: Mailbox, tmp_path: Path, store_in: Callable[..., Store]
) -> None:
    home.close()
    away = store_in(Settings(_env_file=None, data_dir=tmp_path, **box.settings | {"imap_port": free_port()}))
    fetcher, at = Fetcher(away), AT
    for pause in (*PAUSES, PAUSES[-1]):
        assert fetcher.round(at) == Fetched(trouble="away")
        assert fetcher.round(at + pause - 1) is None
        at += pause
    found = watch.troubles(away, at)
    assert found.mailbox == failing.MailboxState("away", AT, 0)
    told: list[str] = []
    for minute in range(3):
        alarm.look(away, at + minute * 60_000, lambda _, words, __: told.append(words))
    assert told[0].startswith("Answers by email cannot be fetched. It began at ")
    assert "the mailbox cannot be reached" in told[0]


def test_a_wrong_password_is_told(home: Store) -> None:
    for wrong, trouble in (
        ({"imap_password": "wrong"}, "login"),
        ({"imap_password": "Straßenbahn"}, "login"),
        ({"imap_folder": "Nowhere"}, "folder"),
    ):
        fetcher = Fetcher(home)
        fetcher.settings = home.settings.with_(**wrong)
        assert fetcher.round(AT, at_once=True) == Fetched(trouble=trouble)


def test_the_command_says_what_it_did(
    home: Store, box: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {f"SLOWTRAIN_{name.upper()}": str(value) for name, value in box.settings.items()}
    environment = {"SLOWTRAIN_DATA_DIR": str(tmp_path), **given}

    def fetched(**more: str) -> Any:
        return CliRunner().invoke(main, ["fetch"], env=environment | more)

    box.put(mail(letter(home)))
    box.put(mail(f"club+g.{'a' * 26}@example.org"))
    done = fetched()
    assert (done.exit_code, done.output) == (
        0,
        "Kept and deleted there: 1.\nFlagged and left there, since they could not be kept: 1.\n",
    )
    refused = fetched(SLOWTRAIN_IMAP_PASSWORD="wrong")
    assert refused.exit_code == 1
    assert "does not accept the user name and password" in refused.output
    assert PASSWORD not in refused.output
    assert "see SLOWTRAIN_IMAP_HOST" in fetched(SLOWTRAIN_IMAP_HOST="").output
