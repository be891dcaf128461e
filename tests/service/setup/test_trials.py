"""What settings name is tried: each trial says what works, what does not, and what nobody can tell from here."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from config.review import Finding
from config.settings import AsGiven
from service.base.tls import tls_context
from service.setup import trials
from tests.mailbox import PASSWORD, USER, mailbox
from tests.servers import PostgreSQL, Redis, free_port
from tests.service.setup.provider import provider

NAME = "trains.example.org"


def found(trial: trials.Trial, **settings: Any) -> list[tuple[str, str]]:
    return [(it.grade, it.words) for it in trials.tried(AsGiven(_env_file=None, **settings), trial)]


# ==== the address =================================================================================
@pytest.fixture
def leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the name lead to this machine, whose address on its network it is."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **named: real(host if host != NAME else "127.0.0.1", *more, **named)
    )
    monkeypatch.setattr(trials, "own_addresses", lambda: ("127.0.0.1",))


@contextmanager
def https(folder: Path, monkeypatch: pytest.MonkeyPatch, *, days: int, name: str = NAME) -> Iterator[int]:
    """Run a TLS server whose certificate this machine trusts. Yield its port."""
    file = folder / "site.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
         str(days), "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", file, "-out",
         f"{file}.crt"],
        check=True, capture_output=True,
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", f"{file}.crt")
    tls_context.cache_clear()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(f"{file}.crt", file)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            line, _ = listener.accept()
            with line, suppress(OSError), context.wrap_socket(line, server_side=True) as safe:
                safe.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()
    tls_context.cache_clear()


def test_a_site_without_a_name_needs_no_dns() -> None:
    assert found(trials.address) == []
    assert found(trials.address, base_url="http://localhost:8000") == []


def test_a_name_that_nobody_knows_yet_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    ((grade, words),) = found(trials.address, base_url=f"https://{NAME}")
    assert grade == "look"
    assert f"does not know {NAME}" in words


@pytest.mark.usefixtures("leads_here")
def test_a_name_that_leads_here_where_nothing_answers_yet() -> None:
    first, second = found(trials.address, base_url=f"https://{NAME}:{free_port()}")
    assert first[0] == "well"
    assert "which is this machine" in first[1]
    assert second[0] == "unchecked"
    assert "nothing answers" in second[1]


@pytest.mark.usefixtures("leads_here")
def test_a_name_that_leads_elsewhere_is_not_known_to_lead_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "own_addresses", lambda: ("192.0.2.1",))
    first, _ = found(trials.address, base_url=f"http://{NAME}:{free_port()}")
    assert first[0] == "unchecked"
    assert "your router" in first[1]


@pytest.mark.usefixtures("leads_here")
@pytest.mark.parametrize(("days", "grade", "words"), [(90, "well", "is valid until"), (3, "look", "renewed by itself")])
def test_a_certificate_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, grade: str, words: str
) -> None:
    with https(tmp_path, monkeypatch, days=days) as port:
        _, certificate, outside = found(trials.address, base_url=f"https://{NAME}:{port}")
    assert certificate[0] == grade
    assert words in certificate[1]
    assert outside[0] == "unchecked", "whether others reach it is never called well"


@pytest.mark.usefixtures("leads_here")
def test_a_certificate_of_another_name_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with https(tmp_path, monkeypatch, days=90, name="other.example.org") as port:
        _, certificate = found(trials.address, base_url=f"https://{NAME}:{port}")
    assert certificate[0] == "wrong"
    assert "Hostname mismatch" in certificate[1]


# ==== data ========================================================================================
def test_a_folder_for_data_must_be_writable_and_have_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((grade, _),) = found(trials.data, data_dir=tmp_path / "new" / "var")
    assert grade == "well"
    assert not (tmp_path / "new").exists(), "a trial makes nothing"
    monkeypatch.setattr(trials, "LEAST_FREE", 10**18)
    ((grade, words),) = found(trials.data, data_dir=tmp_path)
    assert grade == "look"
    assert "MB free" in words
    ((grade, words),) = found(trials.data, data_dir=Path("/proc/slowtrain"))
    assert (grade, words) == ("wrong", "this account may not write into /proc")


def test_postgresql_answers_or_says_why_not(postgresql: PostgreSQL) -> None:
    ((grade, words),) = found(trials.database, profile="production", database_url=postgresql.new_database())
    assert (grade, words.split()[0]) == ("well", "PostgreSQL")
    nowhere = f"postgresql+psycopg://slowtrain:secret-word@127.0.0.1:{free_port()}/slowtrain"
    ((grade, words),) = found(trials.database, profile="production", database_url=nowhere)
    assert grade == "wrong"
    assert "secret-word" not in words
    assert "refused" in words
    assert found(trials.database) == [], "SQLite needs no server"


def test_redis_answers_or_does_not(redis_server: Redis) -> None:
    nowhere = f"redis://:secret-word@127.0.0.1:{free_port()}/0"
    first, second = found(trials.broker, broker_url=redis_server.url, rate_limit_url=nowhere)
    assert first == ("well", "Redis answers")
    assert second[0] == "wrong"
    assert "secret-word" not in second[1]


# ==== mail ========================================================================================
def test_a_mail_server_lets_us_in_or_not() -> None:
    with provider() as there:
        account = {"smtp_host": "127.0.0.1", "smtp_port": there.port, "smtp_user": USER}
        assert found(trials.mail_server, **account, smtp_password=PASSWORD) == [
            ("well", f"127.0.0.1:{there.port} answers, and accepts our password")
        ]
        ((grade, words),) = found(trials.mail_server, **account, smtp_password="secret-word")
        assert grade == "wrong"
        assert "rejects this user name and password" in words
        assert "secret-word" not in words
        ((grade, words),) = found(trials.mail_server, **account, smtp_password=PASSWORD, smtp_tls="starttls")
        assert grade == "wrong"
        assert "does not offer" in words
    ((grade, words),) = found(trials.mail_server, smtp_host="127.0.0.1", smtp_port=free_port())
    assert grade == "wrong"
    assert "refused" in words.lower()
    assert found(trials.mail_server) == []


def test_a_mailbox_lets_us_in_or_not() -> None:
    with mailbox() as box:
        assert found(trials.mailbox, **box.settings) == [("well", "127.0.0.1 lets us into the folder INBOX")]
        box.used = 999
        assert found(trials.mailbox, **box.settings)[0][0] == "look"
        wrong = box.settings | {"imap_password": "secret-word"}
        assert list(trials.tried(AsGiven(_env_file=None, **wrong), trials.mailbox)) == [
            Finding("wrong", "SLOWTRAIN_IMAP_PASSWORD", "the mailbox does not accept the user name and password")
        ]
        assert found(trials.mailbox, **(box.settings | {"imap_folder": "Answers"}))[0][0] == "wrong"
        for encryption in ("starttls", "tls"):
            ((grade, words),) = found(trials.mailbox, **(box.settings | {"imap_tls": encryption}))
            assert grade == "wrong"
            assert f"127.0.0.1:{box.port}" in words
            assert "encrypted" in words
    ((grade, words),) = found(trials.mailbox, **(box.settings | {"imap_port": free_port()}))
    assert grade == "wrong"
    assert "refused" in words.lower()
    assert "encrypted" not in words
