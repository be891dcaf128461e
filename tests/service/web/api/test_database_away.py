"""While the database is away every address says so in its own form, with a time to retry, and claims nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from sqlalchemy import event
from werkzeug.routing import AnyConverter, BaseConverter, IntegerConverter

from config.settings import Settings
from service.database.store import Away, Store, open_store
from service.web.shared import context
from service.web.shared.context import Site
from tests import toy
from tests.servers import PostgreSQL, free_port
from tests.service.web.api.world import Asker, World, make_world

WATCHED = ("/readyz", "/healthz/work", "/healthz", "/metrics")
"""They report the state of the database themselves."""


@pytest.fixture(params=["sqlite", "postgresql"])
def gone(request: pytest.FixtureRequest, tmp_path: Path, settings: Settings) -> Iterator[Store]:
    """Return a store with an unreachable database: a file that cannot be opened, a port without a listener."""
    (tmp_path / "a folder").mkdir()
    url = (
        f"sqlite:///{tmp_path / 'a folder'}"
        if request.param == "sqlite"
        else (f"postgresql://nobody@127.0.0.1:{free_port()}/nothing")
    )
    store = open_store(url, titles={"toy": toy.TITLE}, settings=settings)
    yield store
    store.close()


def lose(world: World, gone: Store) -> None:
    """Make the database of ``world`` unreachable."""
    world.store.close()
    world.use(gone)


def addresses(world: World) -> list[tuple[str, str]]:
    """Return a request for every address with parameters, with made-up values."""
    found = []
    with world.app.test_request_context():
        adapter = world.app.create_url_adapter(None) or world.app.url_map.bind("localhost")
        for rule in world.app.url_map.iter_rules():
            made = {name: made_up(it) for name, it in rule._converters.items()}
            given = {**(rule.defaults or {}), **made}
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                found.append((method, adapter.build(rule.endpoint, given, method=method)))
    return found


def made_up(converter: BaseConverter) -> Any:
    """Return a value that fits a part of an address."""
    if isinstance(converter, AnyConverter):
        return min(converter.items)
    return 1 if isinstance(converter, IntegerConverter) else "0123456789abcdef"


def test_no_address_breaks_without_its_database(world: World, gone: Store) -> None:
    alice = world.person("Alice")
    lose(world, gone)
    asked = addresses(world)
    assert len(asked) > 100
    away = 0
    for method, path in asked:
        body: dict[str, Any] = {"json": {}} if path.startswith("/api/") else {"data": {}}
        answer = alice.ask(method, f".{path}", **(body if method != "GET" else {}))
        assert answer.status_code != 500, (method, path)
        if answer.status_code != 503 or path in WATCHED:
            continue
        away += 1
        assert answer.headers["Retry-After"] == "5", path
        assert answer.mimetype == ("application/problem+json" if path.startswith("/api/") else "text/html"), path
        assert "Traceback" not in answer.text
        assert "nothing was changed" not in answer.text.lower()
    assert away > 50


@pytest.mark.parametrize(
    ("lang", "title"),
    [
        ("de-AT,en;q=0.5", "Der Dienst erreicht seine Datenbank nicht"),
        ("fr", "The service cannot reach its database"),
    ],
)
def test_it_is_said_in_the_language_of_the_request(world: World, gone: Store, lang: str, title: str) -> None:
    alice = world.person("Alice")
    lose(world, gone)
    answer = alice.get("/games", headers={"Accept-Language": lang})
    assert (answer.status_code, answer.json["title"]) == (503, title)  # type: ignore[index]


def test_it_is_one_line_in_the_log(world: World, gone: Store, capsys: pytest.CaptureFixture[str]) -> None:
    alice = world.person("Alice")
    lose(world, gone)
    capsys.readouterr()
    assert alice.get("/games").status_code == 503
    said = capsys.readouterr()
    (line,) = [line for line in (said.out + said.err).splitlines() if "database is away" in line]
    assert "Traceback" not in said.out + said.err
    assert len(line) < 400


def test_an_answer_stands_if_noting_the_visit_fails(world: World, gone: Store) -> None:
    """The time of the last visit is written after the answer; if that fails, the answer stands."""
    alice = world.person("Alice")
    game_id = world.table(alice, alice, seats=2)
    with world.app.test_request_context(f"/games/{game_id}", headers={"Cookie": _cookie(alice)}):
        who = context.asker()
        assert who is not None
        world.app.extensions["slowtrain"] = Site(world.settings, gone)
        context.note_use(msgspec.structs.replace(who, stale=True))
        context.note_look(who, 200)


def _cookie(asker: Asker) -> str:
    session = asker.client.get_cookie("session")
    assert session is not None
    return f"session={session.value}"


# ==== lost during a request =======================================================================
@pytest.fixture
def on_postgresql(postgresql: PostgreSQL, settings: Settings) -> Iterator[World]:
    made = make_world(postgresql.new_database(), settings)
    yield made
    made.store.close()


def test_a_connection_lost_at_commit_never_says_that_nothing_was_changed(on_postgresql: World) -> None:
    world = on_postgresql
    alice, bob = world.person("Alice"), world.person("Bob")
    game_id = world.table(alice, alice, seats=2)
    address = world.store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    left = [1]

    def cut(conn: Any) -> None:
        if not left:
            return
        left.pop()
        with psycopg.connect(address, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 60000)", [conn.connection.dbapi_connection.info.backend_pid])

    event.listen(world.store._writers, "commit", cut)
    answer = bob.post(f"/games/{game_id}/join", {}, headers={"Idempotency-Key": "once"})
    assert (answer.status_code, answer.json["type"].rpartition("#")[2]) == (503, "away")  # type: ignore[index]
    assert "may have arrived anyway" in answer.json["detail"]  # type: ignore[index]
    again = bob.post(f"/games/{game_id}/join", {}, headers={"Idempotency-Key": "once"})
    assert again.status_code in (200, 201), again.text


def test_when_the_database_is_back_the_next_request_is_served(on_postgresql: World) -> None:
    world = on_postgresql
    alice = world.person("Alice")
    assert alice.get("/games").status_code == 200
    address = world.store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    answers = [alice.get("/games").status_code for _ in range(12)]
    assert set(answers) <= {200, 503}
    assert answers[-1] == 200


def test_the_store_says_away_for_whatever_the_driver_says(gone: Store) -> None:
    for opened in (gone.read, gone.read_autocommit, gone.write, gone.append_only):
        with pytest.raises(Away), opened() as conn:
            gone.load(conn, "0123456789abcdef")
