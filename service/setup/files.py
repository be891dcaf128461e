"""The files of an installation: its settings, kept as they are but for what changes, and the units of systemd."""

import json
import os
import secrets
import shlex
import sys
from collections.abc import Collection, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from msgspec import Struct

import config
from config.files import FILE
from config.review import without_password
from config.settings import AsGiven, Settings

PREFIX = "SLOWTRAIN_"
SECRET = frozenset({"secret_keys", "smtp_password", "imap_password", "metrics_token", "alarm_smtp", "alarm_webhook"})
"""Settings that are never shown."""
WITH_PASSWORDS = frozenset({"database_url", "broker_url", "rate_limit_url"})
"""Settings that are shown, without the passwords in them."""


class BadValue(ValueError):
    """A value that systemd, shells and our own reader would not all read alike. Its text says why."""


# ==== settings ====================================================================================
def read(file: Path) -> dict[str, str]:
    """Return the settings in a file: name in lower case, without prefix -> text."""
    if not file.exists():
        return {}
    values = dotenv_values(file, interpolate=False)
    return {name.removeprefix(PREFIX).lower(): it or "" for name, it in values.items() if name.startswith(PREFIX)}


def settings_of(values: Mapping[str, str], *, checked: bool = True) -> Settings:
    """Return the settings that these texts mean, and defaults for the rest; the environment does not matter.

    Raise ``ValueError`` if they are wrong; ``checked``: whether the service could start with them matters, too.
    """
    usual = {name: it.get_default(call_default_factory=True) for name, it in Settings.model_fields.items()}
    given = {name: _meant(name, text) for name, text in values.items() if name in usual}
    return (Settings if checked else AsGiven)(_env_file=None, **(usual | given))  # type: ignore[call-arg]


def _meant(name: str, text: str) -> Any:
    is_list = isinstance(Settings.model_fields[name].default, tuple)
    return json.loads(text) if is_list else text


def changed(text: str, values: Mapping[str, str], without: Collection[str] = ()) -> str:
    """Return the text of a settings file with these values, and without some. All other lines stay as they are.

    Raise `BadValue`.
    """
    left, lines = dict(values), []
    for line in text.splitlines():
        name = _named(line)
        if name in values:
            if name in left:
                lines.append(_line(name, left.pop(name)))
        elif name not in without:
            lines.append(line)
    lines += [_line(name, value) for name, value in left.items()]
    return "".join(f"{line}\n" for line in lines)


def _named(line: str) -> str:
    """Return the setting of a line, or ""."""
    name, is_set, _ = line.strip().removeprefix("export ").partition("=")
    return name.strip().removeprefix(PREFIX).lower() if is_set and name.startswith(PREFIX) else ""


def _line(name: str, value: str) -> str:
    variable = PREFIX + name.upper()
    line = f"{variable}={_quoted(value)}"
    if dotenv_values(stream=StringIO(line), interpolate=False) != {variable: value}:
        raise BadValue(f"the value of {variable} has signs that a settings file cannot hold; choose another")
    return line


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:/@%={}")


def _quoted(value: str) -> str:
    """Quote a value so that systemd, shells and our reader mean the same by it."""
    if set(value) <= _PLAIN:
        return value
    if "'" not in value and "\\" not in value and value.isprintable():
        return f"'{value}'"
    if set(value) & set('$`\\"') or not value.isprintable():
        raise BadValue("a value has quotation marks or backslashes that a settings file cannot hold; choose another")
    return f'"{value}"'


def shown(name: str, value: str) -> str:
    """Return a value as it may be shown."""
    if not value:
        return "(nothing)"
    if name in SECRET:
        return "(secret)"
    if name in WITH_PASSWORDS:
        return without_password(value)
    return value


def nearest(path: Path) -> Path:
    """Return the path, or else the nearest folder above it that exists, as far as this account may look."""
    return next(it for it in (path, *path.absolute().parents) if os.path.exists(it))


def write_private(file: Path, text: str, mode: int = FILE) -> None:
    """Write a file whole: a reader finds the old text or the new, and with ``mode`` from its first byte."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "w") as out:
        out.write(text)
    if os.geteuid() == 0:
        its = (file if file.exists() else file.parent).stat()
        os.chown(fresh, its.st_uid, its.st_gid)
    fresh.replace(file)


# ==== units =======================================================================================
DEPLOY = Path(config.__file__).with_name("deploy")
ROOT = DEPLOY.parents[1]
SHIPPED_AT = "/opt/slowtrain"
"""The folder in the shipped units."""


class Unit(Struct, frozen=True):
    """A file of systemd, and its text for this machine."""

    file: Path
    text: str

    @property
    def is_there(self) -> bool:
        return self.file.exists() and self.file.read_text() == self.text


def units_of_a_home(folder: Path, home: Path) -> Iterator[Unit]:
    """Yield the units of the embedded service for the user with this home. ``folder``: where its settings are."""
    for file in _of_embedded():
        yield Unit(home / ".config/systemd/user" / file.name, _here(file.read_text(), folder))


def units_of_a_machine(folder: Path, user: str, etc: Path = Path("/etc")) -> Iterator[Unit]:
    """Yield the same units for the machine, which runs them as this user."""
    for file in _of_embedded():
        text = _here(file.read_text(), folder).replace("[Service]\n", f"[Service]\nUser={user}\n")
        yield Unit(etc / "systemd/system" / file.name, text.replace("=default.target", "=multi-user.target"))


def _of_embedded() -> list[Path]:
    return sorted((DEPLOY / "home").glob("slowtrain*"))


def units_of_production(etc: Path = Path("/etc")) -> Iterator[Unit]:
    """Yield the units of all processes of production."""
    shipped = DEPLOY / "systemd"
    for file in sorted(it for it in shipped.rglob("*") if it.is_file()):
        below = "systemd" if file.name.startswith("journald") else "systemd/system"
        yield Unit(etc / below / file.relative_to(shipped), _here(file.read_text(), ROOT))


def _here(text: str, folder: Path) -> str:
    programs = Path(sys.executable).parent
    text = text.replace(f"{SHIPPED_AT}/.venv/bin", shlex.quote(str(programs)))
    return text.replace(SHIPPED_AT, str(folder))
