"""``slowtrain init``: at a terminal and from a file, the first time and again, with what works and what does not."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.cli import init as cli
from service.cli.main import main
from service.post import dns
from service.setup import answers, files, round_trip
from service.setup.round_trip import Letters
from tests.mailbox import PASSWORD, USER
from tests.service.setup.provider import JUDGE, Provider, provider

OPERATOR = "olga@example.net"
Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder, as a user without rights, without DNS, and without waiting long."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in [it for it in os.environ if it.startswith("SLOWTRAIN_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(dns, "server_of", lambda *_: None)
    monkeypatch.setattr(dns, "mail_exchanger", lambda _: None)
    monkeypatch.setattr(Letters, "WAIT", 1.0)
    monkeypatch.setattr(round_trip, "PAUSE", 0.01)
    monkeypatch.setattr(cli, "OF_ANSWER", 1.0)


@pytest.fixture
def there() -> Iterator[Provider]:
    with provider() as here:
        yield here


def from_file(given: dict[str, str], *more: str) -> Result:
    """Run the command with these answers in a file."""
    file = Path("answers.toml")
    file.write_text("".join(f"{name} = {value!r}\n" for name, value in ({"units": "no"} | given).items()))
    file.chmod(0o600)
    return CliRunner().invoke(main, ["init", "--answers", str(file), *more])


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, *lines: str, more: tuple[str, ...] = ()) -> Result:
    """Run the command and type these lines."""
    monkeypatch.setattr(cli, "_is_terminal", lambda: True)
    return CliRunner().invoke(main, ["init", *more], input="".join(f"{line}\n" for line in lines))


def operators() -> list[str]:
    """Return the addresses of the operators in the store of the folder."""
    done = CliRunner().invoke(main, ["operator", "list"])
    assert done.exit_code == 0, done.output
    return re.findall(r"\S+@\S+", done.output)


# ==== without a mail server =======================================================================
def test_friends_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    done = from_file({"reach": "network", "operator": OPERATOR})
    assert done.exit_code == 0, done.output
    assert Path(".env").read_text() == "SLOWTRAIN_HOST=0.0.0.0\n"
    assert stat.S_IMODE(Path(".env").stat().st_mode) == 0o600
    assert operators() == [OPERATOR]


def test_run_again_it_changes_nothing_and_keeps_what_it_did_not_write() -> None:
    mine = "# Mine.\nSLOWTRAIN_PORT=8100\nSLOWTRAIN_SECRET_KEYS='[\"a key that signs for long enough\"]'\n"
    Path(".env").write_text(
        "# Mine.\nSLOWTRAIN_PORT=8100\nSLOWTRAIN_SECRET_KEYS='[\"a key that signs for long enough\"]'\n"
    )
    given = {"reach": "internet", "address": "trains.invalid", "operator": OPERATOR}
    assert from_file(given, "--anyway").exit_code == 0
    before = Path(".env").read_text()
    assert before.startswith(mine)
    assert "SLOWTRAIN_BASE_URL=https://trains.invalid\nSLOWTRAIN_TRUSTED_PROXIES=1\n" in before
    again = from_file({"operator": OPERATOR}, "--anyway")
    assert Path(".env").read_text() == before
    assert "signs for" not in again.output
    assert operators() == [OPERATOR]
    back = from_file({"reach": "machine"})
    assert back.exit_code == 0, back.output
    assert "~ SLOWTRAIN_BASE_URL=(nothing)" in back.output
    assert files.settings_of(files.read(Path(".env"))).site == "http://127.0.0.1:8100"


def test_what_does_not_work_is_not_written() -> None:
    done = from_file({"data": "/proc/slowtrain"})
    assert done.exit_code == 1
    assert "may not write into /proc" in done.output
    assert "Nothing was written" in done.output
    assert not Path(".env").exists()


def test_showing_changes_nothing() -> None:
    done = from_file({"reach": "network", "units": "yes", "operator": OPERATOR}, "--show")
    assert done.exit_code == 0, done.output
    assert "+ SLOWTRAIN_HOST=0.0.0.0" in done.output
    assert "slowtrain-backup.timer" in done.output
    assert [it.name for it in Path().iterdir()] == ["answers.toml"]


def test_units_are_written_for_the_user(tmp_path: Path) -> None:
    done = from_file({"units": "yes"})
    assert done.exit_code == 0, done.output
    folder = tmp_path / "home/.config/systemd/user"
    assert {it.name for it in folder.iterdir()} == {
        "slowtrain.service",
        "slowtrain-backup.service",
        "slowtrain-backup.timer",
    }
    assert f"WorkingDirectory={tmp_path}\n" in (folder / "slowtrain.service").read_text()
    assert "systemctl --user enable --now" in " ".join(done.output.split())
    assert "stop it first: systemctl --user stop slowtrain" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("reach = 'moon'", "'moon' is none of machine, network, internet"),
        ("reech = 'network'", "did you mean reach?"),
        ("reach = ", "is no TOML"),
        (
            "reach = 'internet'\naddress = 'https://a.org/x'",
            "address: an address is written https://trains.example.org",
        ),
        ("reach = 'internet'", "address: an answer is needed"),
        ("mail = 'account'\naccount = 'club'", "account: 'club' is no email address"),
        ("profile = 'production'\naddress = 'https://a.invalid'\nmail = 'none'", "production profile needs"),
        ("mail = 'server'\nserver = 'm.invalid'\nport = 'smtp'", "port: 'smtp' is no number"),
    ],
)
def test_an_answer_that_does_not_fit_is_explained(text: str, words: str) -> None:
    Path("answers.toml").write_text(text)
    done = CliRunner().invoke(main, ["init", "--answers", "answers.toml", "--anyway"])
    assert done.exit_code == 1, done.output
    assert words in done.output
    assert not Path(".env").exists()


def test_a_password_in_a_file_that_others_may_read_is_refused() -> None:
    Path("answers.toml").write_text("password = 'secret-word'")
    Path("answers.toml").chmod(0o644)
    done = CliRunner().invoke(main, ["init", "--answers", "answers.toml"])
    assert done.exit_code == 1
    assert "chmod 600" in done.output


def test_without_a_terminal_it_says_how_to_answer() -> None:
    done = CliRunner().invoke(main, ["init"])
    assert done.exit_code == 2
    assert "--example" in done.output
    example = CliRunner().invoke(main, ["init", "--example"]).output
    assert re.findall(r'^# (\w+) = "', example, re.MULTILINE) == list(answers.QUESTIONS)


def test_a_terminal_is_asked_again_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["", "moon", "internet", "trains.invalid", "1", "/proc/slowtrain", "y", "new", "none", "", "no", "y"]
    done = at_a_terminal(monkeypatch, *lines)
    assert done.exit_code == 0, done.output
    assert "'moon' is none of" in done.output
    assert "the DNS does not know trains.invalid" in done.output
    lines = Path(".env").read_text().splitlines()
    assert lines[-1] == "SLOWTRAIN_DATA_DIR=new"


def test_a_folder_that_may_not_be_written_is_told_before_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    done = at_a_terminal(monkeypatch, "")
    assert done.exit_code == 1
    assert "may not write" in done.output
    assert "reach the site" not in done.output


def test_a_dialogue_that_is_stopped_has_written_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done = at_a_terminal(monkeypatch, "", "network")
    assert done.exit_code == 1
    assert "Stopped. Nothing was written." in done.output
    assert not Path(".env").exists()


def test_the_environment_that_wins_over_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_PORT", "8200")
    assert "the environment sets SLOWTRAIN_PORT" in from_file({}).output


def test_root_sets_it_up_for_the_owner_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(cli, "OF_PRODUCTION", tmp_path / "no/slowtrain.env")
    monkeypatch.setattr(cli, "_user", lambda *_: "nobody")
    monkeypatch.setattr(cli, "_as_user", lambda _, run: run())
    done = from_file({"units": "yes"}, "--show")
    assert done.exit_code == 0, done.output
    assert "+ /etc/systemd/system/slowtrain-backup.timer" in done.output
    for unit in files.units_of_a_machine(tmp_path, "trains"):
        if unit.file.suffix == ".service":
            assert "\nUser=trains\n" in unit.text
        assert "default.target" not in unit.text


# ==== an ordinary account =========================================================================
def test_an_account_is_tried_by_letters(there: Provider) -> None:
    done = from_file(there.answers)
    assert done.exit_code == 0, done.output
    its = files.settings_of(files.read(Path(".env")))
    assert (its.smtp_user, its.imap_user, its.smtp_password, its.imap_password) == (USER, USER, PASSWORD, PASSWORD)
    assert (its.mail_from, its.mail_domain) == (f"Slow Train <{USER}>", "example.org")
    assert its.reply_addresses == "club+{}@example.org"
    assert its.return_addresses
    assert its.fetches
    assert not there.box.mails, "test letters are deleted"
    assert PASSWORD not in done.output
    output = " ".join(done.output.split())
    assert "letters to club+{}@example.org arrive in this mailbox" in output
    assert "what is deleted there is gone" in output
    assert f"whether the provider removes forged headers of {JUDGE} is not known" in output
    assert its.authserv_id == ""


@pytest.mark.parametrize("fault", ["refuses_sender", "keeps_sender"])
def test_a_provider_that_sends_from_its_account_alone(there: Provider, fault: str) -> None:
    setattr(there, fault, fault == "refuses_sender")
    done = from_file(there.answers)
    assert done.exit_code == 0, done.output
    assert not files.settings_of(files.read(Path(".env"))).return_addresses
    there.refuses_sender, there.keeps_sender = False, True
    assert from_file({}).exit_code == 0
    assert files.settings_of(files.read(Path(".env"))).return_addresses, "it is tried anew each time"


def test_a_provider_that_keeps_copies(there: Provider) -> None:
    there.keeps_sent = True
    assert "copies stay in Sent" in from_file(there.answers).output


def test_a_provider_without_such_addresses(there: Provider) -> None:
    there.loses = True
    done = from_file(there.answers)
    assert done.exit_code == 1
    assert "does the provider support such addresses?" in " ".join(done.output.split())
    assert not Path(".env").exists()


@pytest.mark.parametrize("removes", [True, False])
def test_the_providers_name_is_believed_only_if_it_removes_forged_ones(
    there: Provider, monkeypatch: pytest.MonkeyPatch, removes: bool
) -> None:
    there.removes_forged = removes
    monkeypatch.setattr(dns, "mail_exchanger", lambda _: "127.0.0.1")
    monkeypatch.setattr(round_trip, "PORT", there.outside)
    done = from_file(there.answers)
    assert done.exit_code == 0, done.output
    assert files.settings_of(files.read(Path(".env"))).authserv_id == (JUDGE if removes else "")
    assert not there.box.mails


def test_the_operator_answers_a_letter(there: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(letters: Letters, address: str) -> Any:
        _, raw = there.sent[-1]
        if f"To: {OPERATOR}".encode() in raw:
            there.deliver(f"From: {OPERATOR}\r\nTo: {address}\r\nMessage-ID: <1@x>\r\n\r\nyes\r\n".encode(), OPERATOR)
        return letters.until_arrived(address)

    monkeypatch.setattr(cli, "_wait", wait)
    given = there.answers
    lines = ["", "machine", "", given["mail"], given["account"], given["server"], given["port"], given["encryption"],
             "", given["password"], given["inbox"], given["inbox_port"], "none", "", given["answers"],
             OPERATOR, "yes", "no", "y"]  # fmt: skip
    done = at_a_terminal(monkeypatch, *lines)
    assert done.exit_code == 0, done.output
    assert "the answer to the test letter arrived" in done.output
    assert PASSWORD not in done.output
    assert operators() == [OPERATOR]


def test_a_wrong_password_writes_nothing(there: Provider) -> None:
    done = from_file(there.answers | {"password": "secret-word"})
    assert done.exit_code == 1
    assert "rejects this user name and password" in done.output
    assert "secret-word" not in done.output
    assert not Path(".env").exists()


# ==== production ==================================================================================
def test_production_gets_a_key_once(there: Provider) -> None:
    given = there.answers | {"profile": "production", "address": "https://trains.invalid"}
    assert from_file(given, "--anyway").exit_code == 0
    before = files.read(Path(".env"))
    assert len(files.settings_of(before, checked=False).secret_keys[0]) >= 32
    assert from_file(given, "--anyway").exit_code == 0
    assert files.read(Path(".env")) == before


def test_root_writes_the_units_of_production(there: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(cli, "OF_PRODUCTION", tmp_path / "etc/slowtrain.env")
    monkeypatch.setattr(cli, "USER", "nobody-of-this-name")
    etc = files.units_of_production(tmp_path / "etc")
    monkeypatch.setattr(files, "units_of_production", lambda: etc)
    given = there.answers | {"profile": "production", "address": "https://trains.invalid", "units": "yes"}
    done = from_file(given, "--show", "--anyway")
    assert done.exit_code == 0, done.output
    assert "useradd --system nobody-of-this-name" in done.output
    assert f"+ {tmp_path}/etc/systemd/system/slowtrain.target" in done.output
    assert not (tmp_path / "etc").exists()
