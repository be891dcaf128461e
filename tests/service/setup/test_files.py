"""Settings files keep what they hold but for what changes; units get the paths of this machine."""

import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from config.settings import Settings
from service.setup import files
from service.setup.files import BadValue, changed, read, settings_of, shown, write_private

TEXT = """# Ours.
SLOWTRAIN_SMTP_HOST=old.example.org   # the old one
export SLOWTRAIN_PORT=8100

OTHER=1
SLOWTRAIN_SECRET_KEYS='["a key that is long enough to sign with"]'
"""


def test_other_lines_stay_as_they_are() -> None:
    assert changed(TEXT, {"smtp_host": "mail.example.org", "host": "0.0.0.0"}, without={"port"}) == (
        "# Ours.\nSLOWTRAIN_SMTP_HOST=mail.example.org\n\nOTHER=1\n"
        "SLOWTRAIN_SECRET_KEYS='[\"a key that is long enough to sign with\"]'\nSLOWTRAIN_HOST=0.0.0.0\n"
    )


@pytest.mark.parametrize(
    "value", ["plain", "two words", "a#b", "$HOME", "it's", '["one", "two"]', "Ann <a@b.org>", "ü", ""]
)
def test_our_reader_systemd_and_shells_read_the_same(tmp_path: Path, value: str) -> None:
    file = tmp_path / ".env"
    file.write_text(changed("", {"smtp_password": value}))
    assert read(file) == {"smtp_password": value}
    by_shell = subprocess.run(["sh", "-c", f'. {file}; printf %s "$SLOWTRAIN_SMTP_PASSWORD"'], capture_output=True)
    assert by_shell.stdout.decode() == value
    assert shlex.split(file.read_text()) == [f"SLOWTRAIN_SMTP_PASSWORD={value}"]


@pytest.mark.parametrize("value", ["it's $5", 'it\'s "so"', "a\\b", "two\nlines"])
def test_a_value_that_they_would_read_differently_is_refused(value: str) -> None:
    with pytest.raises(BadValue):
        changed("", {"smtp_password": value})


def test_the_environment_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_PORT", "9999")
    its = settings_of({"host": "0.0.0.0", "secret_keys": '["a key that is long enough to sign with"]', "odd": "x"})
    assert isinstance(its, Settings)
    assert (its.port, its.host) == (8000, "0.0.0.0")
    assert its.secret_keys == ("a key that is long enough to sign with",)
    with pytest.raises(ValueError, match="production"):
        settings_of({"profile": "production"})
    assert settings_of({"profile": "production"}, checked=False).profile == "production"


def test_no_secret_is_shown() -> None:
    assert shown("smtp_password", "secret-word") == "(secret)"
    assert shown("database_url", "postgresql://us:secret-word@db/x") == "postgresql://…@db/x"
    assert shown("database_url", "postgresql://us@/x") == "postgresql://us@/x"
    assert shown("database_url", "postgresql://us:sec/ret?word@db/x") == "postgresql://…"
    assert shown("database_url", "postgresql://db/x?password=secret@word") == "postgresql://…"
    assert shown("smtp_host", "") == "(nothing)"
    named_like_secrets = {
        name for name in Settings.model_fields if any(it in name for it in ("password", "key", "token"))
    }
    assert named_like_secrets <= files.SECRET


def test_a_file_is_private_from_its_first_byte(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "slowtrain.env"
    write_private(file, "one")
    write_private(file, "two")
    assert file.read_text() == "two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [it.name for it in file.parent.iterdir()] == [file.name]


def test_units_get_the_paths_of_this_machine(tmp_path: Path) -> None:
    home = list(files.units_of_a_home(tmp_path / "club", tmp_path))
    assert [it.file.name for it in home] == ["slowtrain-backup.service", "slowtrain-backup.timer", "slowtrain.service"]
    text = home[-1].text
    assert f"WorkingDirectory={tmp_path / 'club'}\n" in text
    assert "/opt/slowtrain" not in text
    production = {it.file: it.text for it in files.units_of_production(tmp_path)}
    shipped = [it for it in (files.DEPLOY / "systemd").rglob("*") if it.is_file()]
    assert len(production) == len(shipped)
    assert tmp_path / "systemd/journald@slowtrain.conf" in production
    assert tmp_path / "systemd/system/slowtrain-.service.d/common.conf" in production
    program = shlex.split(production[tmp_path / "systemd/system/slowtrain-web.service"].partition("ExecStart=")[2])[0]
    assert Path(program).exists()
