"""Security events: a log of their own, an inventory, and no entry that grants access or names a person."""

import json
import logging
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from config import logging as ours
from config.settings import Settings
from service.base import security
from service.base.clock import now
from service.database.store import Store
from service.operators import acts
from service.operators.acts import AT_THE_COMMAND_LINE
from service.people import accounts
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.conftest import Arrive, arrival
from tests.service.web.pages.test_operate import number
from tests.service.web.pages.test_second_factor import PAGE, Operator, clock, olga, strict

__all__ = ["clock", "olga", "strict"]

ROOT = Path(__file__).parents[4]


class SecurityLog:
    """The entries in the log of security events."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    @property
    def events(self) -> list[str]:
        return [line["event"] for line in self.lines]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[SecurityLog]:
    file = tmp_path / "security.log"
    ours.open_security_log(Settings(_env_file=None, data_dir=tmp_path, security_log=str(file)))  # type: ignore[call-arg]
    yield SecurityLog(file)
    ours.open_security_log(Settings(_env_file=None, data_dir=tmp_path))  # type: ignore[call-arg]


# ==== the inventory ===============================================================================
def test_the_inventory_in_the_docs_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `([a-z_.]+)` \| (info|warning) \|", (ROOT / "docs/host/security-log.md").read_text(), re.M)
    assert dict(rows) == dict(security.EVENTS)
    assert len(rows) == len(security.EVENTS)


def test_the_code_logs_every_listed_event_and_no_other() -> None:
    code = "".join(file.read_text() for file in (ROOT / "service").rglob("*.py") if file.name != "security.py")
    said = set(re.findall(r'(?:tell\(|_tell\(outcome, )"([a-z_.]+)"', code))
    assert said == {*security.EVENTS}


# ==== the log =====================================================================================
def test_sign_in_and_sign_out_are_logged_without_address_link_or_code(
    told: SecurityLog, guest: Browser, app: Flask, mailed: "Mailed"
) -> None:
    guest.post("/sign-in", {**csrf(guest), "email": "Dora.Long@example.org"})
    link = mailed()
    guest.post(link, {**csrf(guest), "name": "Dora", "zone": "UTC"})
    stranger = Browser(app)
    stranger.post(link, {**csrf(stranger), "code": "000000"})
    stranger.post("/sign-in", {"email": "x@example.org", "csrf": "forged"})
    guest.post("/sign-out", csrf(guest))
    assert told.events == ["sign_in.asked", "sign_in.done", "sign_in.refused", "refused", "sign_out"]
    asked, done, dead, form, out = told.lines
    assert done["person"] == out["person"] == guest_number(app)
    assert (dead["why"], dead["level"], form["why"]) == ("dead", "warning", "form")
    assert re.fullmatch("[0-9a-f]{16}", asked["mailbox"])
    assert len({line["client"] for line in told.lines}) == 1
    assert all(line["request"] and line["logger"] == "security" for line in told.lines)
    written = told.file.read_text()
    for secret in ("dora", "example.org", "127.0.0.1", link.rpartition("/")[2]):
        assert secret not in written.lower()


def test_wrong_codes_and_actions_of_operators_are_logged(
    told: SecurityLog, olga: Operator, arrive: Arrive, shelf: Store
) -> None:
    arrive("Ann").get("/operate")
    ann = number(shelf, "Ann")
    olga.set_up()
    browser = olga.sign_in()
    for code in [*["000000"] * 5, olga.code()]:
        browser.get("/operate").form(PAGE).submit(code=code)
    browser.post(f"/operate/people/{ann}", {**csrf(browser), "wish": "block", "why": "x"})
    olga.browser.get(f"/operate/people/{ann}").form(f"/{ann}").submit(why="Rude words")
    assert told.events == [
        "operator.deed", "operator.refused", "second_factor.set_up", *["second_factor.wrong"] * 5,
        "second_factor.pause", "operator.refused", "operator.deed",
    ]  # fmt: skip
    by, deed = number(shelf, "Olga"), told.lines[-1]
    assert (deed["what"], deed["by"], deed["person"]) == ("block", by, ann)
    assert not [it for it in (olga.secret, olga.setup, *olga.recovery, "Rude") if it in told.file.read_text()]


def test_a_log_file_that_cannot_be_opened_stops_no_request_and_loses_no_event(
    told: SecurityLog, arrive: Arrive, caplog: pytest.LogCaptureFixture
) -> None:
    """For example, the folder is gone, or a command of root's created the file."""
    arrive("Ann").get("/operate")
    told.file.rename(told.file.with_suffix(".1"))
    told.file.mkdir()
    arrive("Bob").get("/operate")
    assert "operator.refused" in caplog.text
    folder = Settings(_env_file=None, data_dir=told.file, security_log=str(told.file))  # type: ignore[call-arg]
    ours.open_security_log(folder)
    told.file.rmdir()
    arrive("Cleo").get("/operate")
    assert told.events == ["operator.refused"]


def test_an_action_that_failed_is_not_logged(told: SecurityLog, shelf: Store, arrive: Arrive) -> None:
    arrive("Ann")
    with pytest.raises(acts.NotDone):
        acts.unblock(shelf, AT_THE_COMMAND_LINE, number(shelf, "Ann"), "why", now())
    with suppress(RuntimeError), shelf.write() as conn:
        acts.enter(conn, AT_THE_COMMAND_LINE, "add", "", now())
        raise RuntimeError("the transaction breaks off")
    assert told.events == []


def test_the_log_names_keys_by_their_numbers(told: SecurityLog, arrive: Arrive, shelf: Store) -> None:
    ann = arrive("Ann")
    made = ann.get("/account").form("/account/tokens").submit(name="bot", scope="play")
    arrival(ann.client.application, shelf, "Ann")
    ann.post("/account/sessions", {**csrf(ann), "session": "others"})
    ann.get("/account").form("/account/tokens/revoke").submit()
    ann.get("/account/export")
    ann.post("/account/erase", {**csrf(ann), "email": "ann@example.org"})
    assert told.events == ["token.made", "session.ended", "token.revoked", "account.exported", "account.erased"]
    (token,) = re.findall(r"stk_[\w-]+", made.html)
    assert token not in told.file.read_text()


def test_an_unknown_token_is_refused_and_logged(told: SecurityLog, app: Flask) -> None:
    app.test_client().get("/api/v1/me", headers={"Authorization": "Bearer stk_wrong"})
    (line,) = told.lines
    assert (line["event"], line["why"]) == ("refused", "token")
    assert "stk_wrong" not in told.file.read_text()


def test_only_its_owner_reads_the_log_and_logging_survives_a_move_of_the_file(
    told: SecurityLog, tmp_path: Path
) -> None:
    security.tell("sign_out", person=1)
    assert stat.S_IMODE(told.file.stat().st_mode) == 0o600
    told.file.rename(tmp_path / "security.log.1")
    security.tell("sign_out", person=2)
    assert [line["person"] for line in told.lines] == [2]
    assert stat.S_IMODE(told.file.stat().st_mode) == 0o600


def test_without_a_file_production_writes_security_events_at_any_log_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, kept, level = logging.getLogger(), logging.getLogger().handlers[:], logging.getLogger().level
    at_home = Settings(_env_file=None, data_dir=tmp_path, log_level="ERROR")  # type: ignore[call-arg]
    try:
        ours.configure(at_home.model_copy(update={"profile": "production"}))
        security.tell("sign_in.done", person=7)
        ours.configure(at_home)
        security.tell("sign_in.done", person=8)
    finally:
        root.handlers[:] = kept
        root.setLevel(level)
        ours.structlog.reset_defaults()
    (line,) = capsys.readouterr().err.splitlines()
    assert (json.loads(line)["event"], json.loads(line)["person"]) == ("sign_in.done", 7)


# ==== helpers =====================================================================================
class Mailed:
    """The sign-in link that was mailed last."""

    def __init__(self, shelf: Store) -> None:
        self.shelf = shelf

    def __call__(self) -> str:
        wanted = (
            accounts.OUTBOX.select().where(accounts.OUTBOX.c.kind == "sign_in").order_by(accounts.OUTBOX.c.id.desc())
        )
        with self.shelf.read() as conn:
            row = conn.execute(wanted.limit(1)).one()
            address = accounts.link_address(self.shelf.settings, conn, row.payload)
        assert address is not None
        return address.removeprefix(self.shelf.settings.site)


@pytest.fixture
def mailed(shelf: Store) -> Mailed:
    return Mailed(shelf)


def csrf(browser: Browser) -> dict[str, str]:
    """Return the token of this browser's forms."""
    forms = browser.get("/sign-in").forms
    return {"csrf": forms[0].filled["csrf"]}


def guest_number(app: Flask) -> int:
    store = app.extensions["slowtrain"].store
    with store.read() as conn:
        return int(conn.execute(accounts.PERSONS.select().where(accounts.PERSONS.c.name == "Dora")).one().id)
