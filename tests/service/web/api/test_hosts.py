"""The names under which the site answers, forwarded names from proxies, and access to the mailbox of the machine."""

import http.client
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask import Flask
from sqlalchemy import insert
from structlog.contextvars import bind_contextvars, merge_contextvars
from werkzeug.test import Client, TestResponse

from config.settings import Settings
from service.base.clock import now
from service.base.links import mailbox_key
from service.web.pages.mailbox.mails import MAILBOX
from service.web.shared import limits
from tests.servers import free_port
from tests.service.web.api.world import API, World, make_world
from tests.workers.post import until
from tests.workers.processes import forked, run_slowtrain

PRODUCTION: dict[str, Any] = {
    "profile": "production",
    "base_url": "https://trains.example.org",
    "broker_url": "redis://localhost/0",
    "secret_keys": ("Jr8mR0n-tests-need-a-long-key-too-9Qx",),
    "smtp_host": "mail.example.org",
    "erased_list": "/srv/lists/erased",
}
LETTER = b"Subject: Sign in\r\n\r\nhttp://127.0.0.1:8000/sign-in/the-key-to-an-account\r\n"
LETTER_AT = "/mailbox/1"
LETTER_PAGES = ("/mailbox", LETTER_AT, f"{LETTER_AT}/source", "/mailbox/newest?to=victim@example.org&since=0")


def deliver(world: World, source: bytes = LETTER) -> str:
    """Put a sign-in link into the mailbox. Return the address of the letter."""
    with world.store.write() as conn:
        made = conn.execute(
            insert(MAILBOX).values(
                received_at=now(),
                sender="trains@localhost",
                recipient="victim@example.org",
                subject="Sign in",
                message_id="",
                source=source,
            )
        )
    return f"/mailbox/{made.inserted_primary_key[0]}"  # type: ignore[index]


def ask(app: Flask, path: str, host: str | None, method: str = "GET", **headers: str) -> TestResponse:
    """Request ``path`` of a host (None: without one), as a program on this machine."""

    def asked(environ: Any, start: Any) -> Any:
        environ |= {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": host}
        if host is None:
            del environ["HTTP_HOST"]
        return app.wsgi_app(environ, start)

    given = {name.replace("_", "-"): it for name, it in headers.items()}
    return Client(asked, use_cookies=False).open(path, method=method, headers=given)


# ==== another site's name that leads to this machine ==============================================
def test_a_foreign_name_that_leads_here_reads_no_letter(world: World) -> None:
    """DNS rebinding: a page of another site requests the mailbox under a name that now points at 127.0.0.1."""
    deliver(world)
    for path in LETTER_PAGES:
        answer = ask(world.app, path, "rebound.example:8000")
        assert answer.status_code == 421, path
        assert not any(word in answer.text for word in ("the-key", "victim"))


def test_a_foreign_name_cannot_take_over_an_account(world: World) -> None:
    """The whole attack: have a sign-in link mailed, read it in the mailbox, and take over the account."""
    asked = ask(world.app, f"{API}/sign-in", "rebound.example", "POST", Content_Type="application/json")
    assert asked.status_code == 421
    for path in (
        "/",
        "/games",
        "/sign-in",
        "/style.css",
        "/no/such/page",
        f"{API}/titles",
        f"{API}/openapi.json",
        f"{API}/no/such/address",
        "/static/live.js",
        "/healthz/",
    ):
        answer = ask(world.app, path, "rebound.example")
        assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (421, []), path
        assert "Location" not in answer.headers


def test_a_request_under_a_foreign_name_has_no_caller(world: World) -> None:
    alice = world.token("Alice")
    for method, path in (("GET", "/me"), ("PATCH", "/me"), ("DELETE", "/me/sessions/x"), ("OPTIONS", "/me")):
        answer = alice.ask(method, path, headers={"Host": "rebound.example"})
        assert answer.status_code == 421
        assert "Alice" not in answer.text


# ==== names of the site ===========================================================================
OURS = (
    "localhost",
    "localhost:8000",
    "LocalHost:1",
    "localhost.",
    "localhost.:8000",
    "127.0.0.1",
    "127.0.0.1:8000",
    "127.0.0.1:",
    "[::1]",
    "[::1]:8000",
    "[0:0:0:0:0:0:0:1]:8000",
)
NOT_OURS = (
    "rebound.example", "rebound.example:8000", "localhost.rebound.example", "rebound-localhost", "a.localhost",
    "127.0.0.1.rebound.example", "127.0.0.2", "127.1", "2130706433", "0x7f.1", "0.0.0.0", "0.0.0.0:8000", "[::]:8000",
    "[::ffff:127.0.0.1]", "::1", "[::1", "::1]", "[localhost]", "[127.0.0.1]", "[::1]x", "[::1%25lo]", "localhost..",
    ".localhost", ".", "", " ", "localhost:x", "localhost:99999", "localhost:-1", "localhost:80:80",
    "localhost:8000@rebound.example", "rebound.example@localhost", "@localhost", "localhost/", "localhost/x",
    "localhost?", "localhost#x", "local\thost", "localhost,rebound.example", "rebound.example, localhost",
    "localhost localhost", "loc%61lhost", "loc\xaalhost", "localhost\x00", "x" * 5000, "localhost:" + "0" * 5000,
)  # fmt: skip


def test_the_machine_answers_to_its_own_names_and_to_no_others(world: World) -> None:
    assert [host for host in OURS if ask(world.app, "/", host).status_code != 200] == []
    assert [host for host in NOT_OURS if ask(world.app, "/", host).status_code != 421] == []


def test_a_request_without_a_host_is_refused(world: World) -> None:
    assert ask(world.app, "/", None).status_code == 421
    assert ask(world.app, "/healthz", None).status_code == 200


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Any]:
    """``site(**settings)``: an application with such settings."""
    made: list[World] = []

    def make(**more: Any) -> Any:
        url = f"sqlite:///{tmp_path / 'site.db'}"
        given = {"database_url": url, "rate_limits": False} | more
        made.append(make_world(url, Settings(_env_file=None, data_dir=tmp_path, **given)))
        made[-1].app.world = made[-1]  # type: ignore[attr-defined]
        return made[-1].app

    yield make
    for each in made:
        each.store.close()


def test_production_answers_to_its_address_and_the_added_hosts(site: Any) -> None:
    app = site(**PRODUCTION, allowed_hosts=("WWW.example.org.", "züge.example", "192.0.2.7", "2001:db8::7"))
    for host in (
        "trains.example.org",
        "TRAINS.example.org:443",
        "trains.example.org.",
        "www.example.org",
        "192.0.2.7:80",
        "xn--zge-hoa.example",
        "[2001:DB8:0::7]:443",
    ):
        assert ask(app, "/", host).status_code == 200, host
    for host in ("localhost", "127.0.0.1", "[::1]", "example.org", "x.trains.example.org", "10.0.0.3", "192.0.2.77"):
        assert ask(app, "/", host).status_code == 421, host


def test_an_embedded_site_answers_where_it_listens_and_to_its_address(site: Any) -> None:
    app = site(host="192.0.2.7", base_url="http://trains.lan:8000")
    for host in ("192.0.2.7:8000", "trains.lan:8000", "localhost:8000"):
        assert ask(app, "/", host).status_code == 200, host
    assert ask(app, "/", "192.0.2.8:8000").status_code == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_wildcard_address_is_not_a_host_name(site: Any, host: str) -> None:
    app = site(host=host)
    for given in ("0.0.0.0:8000", "[::]:8000", "192.0.2.7:8000"):
        assert ask(app, "/", given).status_code == 421, given
    assert ask(app, "/", "localhost:8000").status_code == 200


def test_a_site_on_all_networks_answers_to_its_machines_addresses_and_to_no_name(
    site: Any, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ["192.168.1.7", "fd00::7"]
    monkeypatch.setattr("config.settings.own_addresses", lambda: tuple(own))
    assert ask(site(host="::"), "/", "[fd00::7]:8000").status_code == 200
    app = site(host="0.0.0.0")
    for given in ("192.168.1.7:8000", "localhost:8000"):
        assert ask(app, "/", given).status_code == 200, given
    for given in ("192.168.1.8:8000", "rebound.example:8000", "my-machine.local:8000"):
        assert ask(app, "/", given).status_code == 421, given
    own[0] = "192.168.1.8"
    assert ask(app, "/", "192.168.1.8:8000").status_code == 200, "the address may change while it runs"
    deliver(world)
    for path in LETTER_PAGES:
        assert ask(app, path, "192.168.1.8:8000").status_code == 404, "letters are for this machine alone"
    assert ask(site(), "/", "192.168.1.8:8000").status_code == 421, "by default, it listens on this machine only"


def test_a_health_check_needs_no_known_host(site: Any) -> None:
    app = site(**PRODUCTION, metrics_token="of figures")
    for host in ("10.0.0.3:8000", "rebound.example", "", None):
        for path in ("/healthz", "/readyz", "/healthz/work"):
            assert ask(app, path, host).status_code == 200, (host, path)
        assert ask(app, "/metrics", host, Authorization="Bearer of figures").status_code == 200
        assert ask(app, "/metrics", host).status_code == 404


def test_a_refused_request_learns_the_right_address(site: Any) -> None:
    app = site(**PRODUCTION)
    bind_contextvars(request="the one that this thread served before")
    with structlog.testing.capture_logs([merge_contextvars]) as lines:
        said = ask(app, "/games", "10.0.0.3:8000")
    assert "request" not in lines[0]
    assert said.mimetype == "text/plain"
    assert "https://trains.example.org" in said.text
    assert "SLOWTRAIN" not in said.text, "settings are the host's business"
    assert "SLOWTRAIN_ALLOWED_HOSTS" in lines[0]["event"]
    assert {"host": "10.0.0.3:8000", "log_level": "warning"}.items() <= lines[0].items()
    german = ask(app, "/games", "10.0.0.3", Accept_Language="de")
    assert "Das ist nicht die Adresse dieser Seite" in german.text
    problem = ask(app, f"{API}/titles", "10.0.0.3")
    assert problem.mimetype == "application/problem+json"
    assert problem.json["type"].endswith("#misdirected")
    assert "https://trains.example.org" in problem.json["detail"]


def test_a_host_at_home_learns_which_setting_allows_a_name(site: Any) -> None:
    said = ask(site(), "/games", "attic.lan:8000")
    assert said.status_code == 421
    assert "SLOWTRAIN_ALLOWED_HOSTS" in said.text
    assert "attic" not in said.text


# ==== forwarded hosts =============================================================================
def test_a_forwarded_host_counts_only_behind_a_trusted_proxy(site: Any) -> None:
    bare, proxied = site(), site(trusted_proxies=1)
    assert ask(bare, "/", "rebound.example", X_Forwarded_Host="localhost").status_code == 421
    assert ask(bare, "/", "localhost", X_Forwarded_Host="rebound.example").status_code == 200
    assert ask(proxied, "/", "backend:8000", X_Forwarded_Host="localhost").status_code == 200
    assert ask(proxied, "/", "localhost", X_Forwarded_Host="rebound.example").status_code == 421
    assert ask(proxied, "/", "localhost").status_code == 200


@pytest.mark.parametrize(
    ("proxies", "said"),
    [
        (
            1,
            {
                "localhost, rebound.example": 421,
                "rebound.example, localhost": 200,
                "rebound.example,": 421,
                '"localhost, rebound.example"': 421,
                "localhost rebound.example": 421,
                "[::1]:8000": 200,
                "[::1": 421,
                "LOCALHOST.:8000": 200,
                "": 200,
            },
        ),
        (
            2,
            {
                "localhost, rebound.example": 200,
                "rebound.example, localhost": 421,
                "a, b, localhost, proxy": 200,
                "rebound.example": 200,
            },
        ),
    ],
)
def test_of_several_forwarded_hosts_the_trusted_proxys_one_counts(
    site: Any, proxies: int, said: dict[str, int]
) -> None:
    """Each proxy adds the host it saw. If there are fewer than trusted proxies, only ``Host`` counts."""
    app = site(trusted_proxies=proxies)
    assert {it: ask(app, "/", "localhost", X_Forwarded_Host=it).status_code for it in said} == said


# ==== the mailbox belongs to this machine =========================================================
FORWARDED = {
    "Forwarded": "for=192.0.2.7", "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Host": "localhost",
    "X-Forwarded-Proto": "https", "X-Forwarded-Port": "443", "X-Forwarded-Server": "proxy", "X-Real-IP": "192.0.2.7",
    "Via": "1.1 proxy", "X-Forwarded-By": "proxy", "CF-Connecting-IP": "192.0.2.7", "True-Client-IP": "192.0.2.7",
}  # fmt: skip


def test_the_mailbox_is_never_shown_through_a_proxy(world: World) -> None:
    deliver(world)
    client = world.app.test_client()
    for header, theirs in FORWARDED.items():
        for value in (theirs, "127.0.0.1", ""):
            for path in LETTER_PAGES:
                assert client.get(path, headers={header: value}).status_code == 404, (header, value, path)
            assert "/mailbox" not in client.get("/", headers={header: value}).text
    assert "the-key" in client.get(LETTER_AT).text


def test_a_trusted_proxy_counts_even_without_its_headers(site: Any) -> None:
    assert ask(site(trusted_proxies=1), "/mailbox", "localhost").status_code == 404


def test_the_mailbox_is_not_shown_through_a_tunnel(site: Any) -> None:
    """``ssh -R`` connects from this machine, adds no header, and keeps the public name of the site."""
    app = site(base_url="https://trains.example.org", allowed_hosts=("www.example.org",))
    deliver(app.world)
    for host in ("trains.example.org", "TRAINS.example.org.:443", "www.example.org"):
        for path in LETTER_PAGES:
            assert ask(app, path, host).status_code == 404, (host, path)
        assert "/mailbox" not in ask(app, "/", host).text
    for host in OURS:
        assert ask(app, LETTER_AT, host).status_code == 404, "a program at the other end can name any host"


@pytest.mark.parametrize("proxies", [0, 1])
def test_the_key_opens_the_mailbox_of_a_site_that_is_reached_from_elsewhere(site: Any, proxies: int) -> None:
    app = site(base_url="https://trains.example.org", trusted_proxies=proxies)
    deliver(app.world)
    key = mailbox_key(app.world.settings)
    opened = ask(app, f"/mailbox?key={key}", "127.0.0.1:8000")
    assert opened.status_code == 200
    (cookie,) = [it for it in opened.headers.getlist("Set-Cookie") if it.startswith("mailbox=")]
    assert "HttpOnly" in cookie
    assert "the-key" in ask(app, LETTER_AT, "localhost:8000", Cookie=cookie.partition(";")[0]).text
    assert ask(app, LETTER_AT, "trains.example.org", Cookie=cookie.partition(";")[0]).status_code == 404
    for wrong in ("", "x", key[:-1], key + "x", "ä"):
        assert ask(app, f"/mailbox?key={wrong}", "127.0.0.1:8000").status_code == 404, wrong
    for header, theirs in FORWARDED.items():
        assert ask(app, f"/mailbox?key={key}", "localhost", **{header: theirs}).status_code == 404, header
    assert ask(site(), LETTER_AT, "localhost").status_code == 200, "nobody needs a key at home"


def test_a_letter_shows_the_address_of_its_link_on_other_devices(site: Any) -> None:
    app = site(host="0.0.0.0", base_url="http://192.168.1.7:8000")
    cookie = f"mailbox={mailbox_key(app.world.settings)}"
    letter = LETTER.replace(b"127.0.0.1", b"192.168.1.7")
    shown = ask(app, deliver(app.world, letter), "127.0.0.1:8000", Cookie=cookie).text
    assert "<code>http://192.168.1.7:8000/sign-in/the-key-to-an-account</code>" in shown
    assert "On another device" not in ask(app, deliver(app.world), "127.0.0.1:8000", Cookie=cookie).text


def test_without_a_mail_server_others_ask_their_host_for_the_link(site: Any) -> None:
    app = site(host="0.0.0.0")
    assert "Ask your host for the link" not in ask(app, "/sign-in/sent", "localhost").text
    others = Client(app, use_cookies=False).get("/sign-in/sent", environ_overrides={"REMOTE_ADDR": "192.168.1.9"})
    assert "Ask your host for the link" in others.text
    assert "spam folder" not in others.text


@pytest.mark.usefixtures("one_moment")
def test_a_caller_through_a_tunnel_is_counted(site: Any) -> None:
    app = site(base_url="https://trains.example.org", rate_limits=True)

    def sign_in(host: str) -> int:
        asked = app.world.anonymous().post("/sign-in", {"email": "e@example.org"}, headers={"Host": host})
        return int(asked.status_code)

    assert [sign_in("trains.example.org") for _ in range(4)] == [202, 202, 202, 429]
    assert sign_in("localhost") == 429, "a program at the other end can name any host"


@pytest.mark.usefixtures("one_moment")
def test_a_watcher_that_names_no_host_of_ours_is_counted(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Health answers under any name; a request for a foreign name never counts as one from this machine."""
    monkeypatch.setattr(limits, "PER_ADDRESS", "2 per minute")
    app = site(rate_limits=True)
    assert [ask(app, "/healthz", "rebound.example").status_code for _ in range(3)] == [200, 200, 429]
    assert [ask(app, "/healthz", "localhost").status_code for _ in range(3)] == [200] * 3


@pytest.mark.usefixtures("one_moment")
def test_a_caller_through_a_proxy_is_counted(tmp_path: Path) -> None:
    """Only a person at this machine is free of limits."""
    url = f"sqlite:///{tmp_path / 'counted.db'}"
    world = make_world(url, Settings(_env_file=None, data_dir=tmp_path))
    forwarded = {"X-Forwarded-For": "192.0.2.7"}
    asked = [world.anonymous().post("/sign-in", {"email": "e@example.org"}, headers=forwarded) for _ in range(4)]
    world.store.close()
    assert [it.status_code for it in asked] == [202, 202, 202, 429]


# ==== the same over the wire ======================================================================
class Wire:
    """The embedded server as a process, and requests with exactly the given headers."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, *headers: tuple[str, str]) -> tuple[int, str]:
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        conn.putrequest("GET", path, skip_host=True)
        for name, value in headers:
            conn.putheader(name, value)
        conn.endheaders()
        answer = conn.getresponse()
        said = answer.status, answer.read().decode()
        conn.close()
        return said


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    """Return a server with a letter in its mailbox."""
    settings = Settings(_env_file=None, data_dir=tmp_path, port=free_port())
    world = make_world(settings.database, settings)
    assert deliver(world) == LETTER_AT
    world.store.close()
    with forked(settings, run_slowtrain, "web"):
        wire = Wire(settings.port)
        until(lambda: _answers(wire), what="the server")
        yield wire


def _answers(wire: Wire) -> bool:
    with suppress(OSError):
        return wire.get("/healthz")[0] == 200
    return False


def test_the_embedded_server_passes_the_host_header_on(wire: Wire) -> None:
    assert "the-key" in wire.get(LETTER_AT, ("Host", "localhost:8000"))[1]
    for headers in (
        [("Host", "rebound.example")],
        [],
        [("Host", "")],
        [("Host", "localhost"), ("Host", "rebound.example")],
        [("Host", "rebound.example"), ("X-Forwarded-Host", "localhost")],
    ):
        status, said = wire.get(LETTER_AT, *headers)
        assert status in (400, 421), headers
        assert "the-key" not in said
    for name, value in FORWARDED.items():
        status, said = wire.get(LETTER_AT, ("Host", "localhost"), (name, value))
        assert status == 404, name
        assert "the-key" not in said
