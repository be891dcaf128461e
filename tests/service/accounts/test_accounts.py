"""The actions of a person on their own account, without pages and API."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from config.settings import Settings
from service.accounts import keys, mail, person
from service.accounts.request import AccountRequest, Limit, SignInTooOld
from service.base.clock import DAY, now
from service.database.store import Store
from service.notices.owing import OUTBOX
from service.people import accounts
from service.people.accounts import Asker
from tests import toy


class TooOften(Exception):
    """The error of these limits."""


class Edge:
    """Limits and a log that remember their calls; an action named in ``reached`` is above its limit."""

    def __init__(self, *reached: str) -> None:
        self.reached, self.spent, self.events = reached, list[str](), list[str]()

    def spend(self, what: str, who: str, items: Limit) -> None:
        self.spent.append(what)
        if what in self.reached:
            raise TooOften

    def spend_by_address(self, what: str, items: Limit) -> None:
        self.spend(what, "192.0.2.1", items)

    def tell(self, event: str, /, **facts: Any) -> None:
        self.events.append(event)


@pytest.fixture
def store(tmp_path: Path, store_in: Callable[..., Store]) -> Store:
    return store_in(Settings(_env_file=None, data_dir=tmp_path), {"toy": toy.TITLE})  # type: ignore[call-arg]


@pytest.fixture
def ann(store: Store) -> Asker:
    """Return Ann, who has just signed in."""
    with store.write() as conn:
        number, _ = accounts.person_at(conn, "ann@example.org", "en", now())
        session = accounts.open_session(conn, number, now())
        asker = accounts.by_session(conn, session, now())
    assert asker is not None
    return asker


def asked(store: Store, edge: Edge, later: int = 0) -> AccountRequest:
    return AccountRequest(store, store.settings, now() + later, "en", edge, edge)


def letters(store: Store) -> int:
    with store.read() as conn:
        return conn.execute(select(func.count()).select_from(OUTBOX)).scalar_one()


def test_a_sign_in_above_its_limit_owes_no_letter(store: Store) -> None:
    for limit in ("sign-in", "sign-in to"):
        with pytest.raises(TooOften):
            keys.ask_for_link(asked(store, Edge(limit)), "dora@example.org", "/", "browser")
    assert letters(store) == 0
    edge = Edge()
    keys.ask_for_link(asked(store, edge), "dora@example.org", "/", "browser")
    assert (letters(store), edge.spent, edge.events) == (1, ["sign-in", "sign-in to"], ["sign_in.asked"])


def test_tokens_and_a_new_address_need_a_sign_in_of_today(store: Store, ann: Asker) -> None:
    edge = Edge()
    with pytest.raises(SignInTooOld):
        keys.make_token(asked(store, edge, DAY), ann, "bot", ["read"])
    with pytest.raises(SignInTooOld):
        mail.ask_to_change(asked(store, edge, DAY), ann, "new@example.org")
    assert (letters(store), edge.spent, edge.events) == (0, [], [])
    keys.make_token(asked(store, edge), ann, "bot", ["read"])
    mail.ask_to_change(asked(store, edge), ann, "new@example.org")
    assert (letters(store), edge.events) == (1, ["token.made", "address.asked"])


def test_a_session_ends_once(store: Store, ann: Asker) -> None:
    edge = Edge()
    handle = accounts.handle(ann.session or "")
    assert keys.end_session(asked(store, edge), ann, handle)
    assert not keys.end_session(asked(store, edge), ann, handle)
    assert edge.events == ["session.ended"]


def test_only_the_address_of_the_account_erases_it(store: Store, ann: Asker) -> None:
    edge = Edge()
    for typed in ("", "bob@example.org", "no address"):
        assert not person.erase(asked(store, edge), ann, typed)
    assert edge.events == []
    assert person.erase(asked(store, edge), ann, " Ann@Example.org ")
    assert edge.events == ["account.erased"]


def test_an_unknown_webhook_is_not_called(store: Store, ann: Asker) -> None:
    edge = Edge()
    assert mail.try_webhook(asked(store, edge), ann, 7) is None
    assert edge.spent == ["trial calls of"]
