"""The address of a database: one server, or one with standbys."""

import socket
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from service.database.engines import PATIENCE, address_of, make_engine
from service.database.postgresql import Connected
from service.database.store import Away, open_store
from service.keeping.copies import _run
from tests.servers import free_port

SEVERAL = "postgresql://u:word@/db?host=one:5001&host=two:5002&host=three:5003"


class Asked(Exception):
    """Raised instead of a connection."""


def asked_of(url: str) -> dict[str, Any]:
    """Return the arguments with which the driver is asked to connect."""
    asked: dict[str, Any] = {}

    def refuse(**given: Any) -> None:
        asked.update(given)
        raise Asked

    with patch.object(Connected, "connect", refuse), pytest.raises(Asked):
        make_engine(address_of(url)).connect()
    return asked


def test_of_several_hosts_the_writable_one_is_requested() -> None:
    asked = asked_of(SEVERAL)
    assert (asked["host"], asked["port"]) == ("one,two,three", "5001,5002,5003")
    assert (asked["target_session_attrs"], asked["user"], asked["dbname"]) == ("read-write", "u", "db")
    assert asked_of("postgresql://u@one,two/db")["target_session_attrs"] == "read-write"
    assert "target_session_attrs" not in asked_of("postgresql://u@one/db")


def test_a_silent_machine_is_given_up_unless_the_address_says_otherwise() -> None:
    asked = asked_of(SEVERAL + "&connect_timeout=9&target_session_attrs=primary")
    assert {name: asked[name] for name in PATIENCE} == PATIENCE | {"connect_timeout": "9"}
    assert asked["target_session_attrs"] == "primary"
    assert "lock_timeout" in asked["options"]


def test_a_database_whose_hosts_all_fail_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hosts = f"host=127.0.0.1:{silent.getsockname()[1]}&host=127.0.0.1:{free_port()}&connect_timeout=2"
        with closing(open_store(f"postgresql://u@/db?{hosts}")) as store, pytest.raises(Away), store.read():
            pass


def test_the_copy_tools_get_all_hosts(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with closing(open_store(SEVERAL)) as store:
        _run(store, ["sh", "-c", f'echo "$1" "$PGPASSWORD" > {said}', "sh"])
    words = said.read_text()
    assert "host=one,two,three" in words
    assert "port=5001,5002,5003" in words
    assert "target_session_attrs=read-write" in words
    assert words.split()[-1] == "word"
    assert "password=" not in words
