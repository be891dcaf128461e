"""The club guide, followed to the letter in a fresh clone and environment.

    python -m tests.guide

It runs each block of docs/host/club.md in order, as it stands there, below a new home folder. Only the mail server of
the guide is replaced, by one on this machine. Blocks marked ``root``, ``systemd`` or ``cron`` set up a machine: they
are printed and left out. In place of systemd the check runs the unit's command; then somebody signs in by the mail that
came, as through the guide's proxy. It says how many seconds each step took: some minutes in all, most of them to
install packages. Ports 8000 and 8025 must be free. Not part of the tests.
"""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import requests

from tests.workers.post import Sink, smtp_server, text_of, until

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/host/club.md"
HERE = "http://127.0.0.1:8000"
NAME = "trains.example.org"
OPERATOR = "you@example.org"
STAYS = ".venv/bin/slowtrain up"
"""The one command of the guide that runs until somebody ends it."""


class Step(NamedTuple):
    """A block of the guide. ``needs``: "", or ``root``, ``systemd`` or ``cron``, without which it cannot be run."""

    heading: str
    needs: str
    script: str


def steps() -> Iterator[Step]:
    """The blocks of the guide, in their order."""
    for chapter in re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]:
        for needs, script in re.findall(r"^```sh ?(\w*)\n(.*?)^```", chapter, re.DOTALL | re.MULTILINE):
            yield Step(chapter.splitlines()[0], needs, script)


class Machine:
    """A clone in a folder of its own, and a mail server at ``port``. Commands find no environment but their own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.checkout, self.home, self.port = folder / "slowtrain", folder / "home", port
        self.home.mkdir()
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.checkout)], check=True)
        kept = {name: it for name, it in os.environ.items() if name in {"PATH", "LANG", "TMPDIR", "SSL_CERT_FILE"}}
        kept |= {name: it for name, it in os.environ.items() if name.startswith(("PIP_", "UV_"))}
        self.environment = kept | {"HOME": str(self.home)}

    def run(self, script: str) -> None:
        """Run a block, and say what it prints; a command that stays is started, seen, and ended."""
        if script.strip() == STAYS:
            with self.up(*STAYS.split()):
                return
        command = ["bash", "-euo", "pipefail", "-c", self._here(script)]
        subprocess.run(command, cwd=self.checkout, env=self.environment, check=True)

    def _here(self, script: str) -> str:
        """The block with the mail server of this check in place of the guide's."""
        for name, value in {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(self.port), "SMTP_TLS": "none"}.items():
            script = re.sub(rf"^(SLOWTRAIN_{name}=).*", rf"\g<1>{value}", script, flags=re.MULTILINE)
        return re.sub(r"^SLOWTRAIN_SMTP_(?:USER|PASSWORD)=.*\n", "", script, flags=re.MULTILINE)

    @contextmanager
    def up(self, *command: str) -> Iterator[None]:
        """The service, started by ``command`` until it answers; at the end it is ended as by Ctrl-C."""
        with subprocess.Popen(command, cwd=self.checkout, env=self.environment, start_new_session=True) as service:
            try:
                until(lambda: self._answers() or service.poll() is not None, what="the start of the service")
                assert service.poll() is None, "the service has ended by itself"
                yield
            finally:
                os.killpg(service.pid, signal.SIGINT)
                service.wait(30)

    @staticmethod
    def _answers() -> bool:
        try:
            return requests.get(f"{HERE}/readyz", timeout=5).ok
        except requests.ConnectionError:
            return False

    def unit(self) -> list[str]:
        """The command of the unit that the guide has written."""
        (file,) = (self.home / ".config/systemd/user").glob("*.service")
        said = dict(re.findall(r"^(\w+)=(.*)$", file.read_text(), re.MULTILINE))
        assert said["WorkingDirectory"] == str(self.checkout)
        return said["ExecStart"].split()


def sign_in(sink: Sink) -> None:
    """Sign `OPERATOR` in, by the link in their mail, as a proxy with TLS passes the requests on."""
    ahead = {"Host": NAME, "X-Forwarded-Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    asked = requests.post(f"{HERE}/api/v1/sign-in", json={"email": OPERATOR}, headers=ahead, timeout=30)
    assert asked.status_code == 202, asked.text
    cookies = "; ".join(f"{name}={it}" for name, it in asked.cookies.items())
    (mail,) = until(lambda: sink.of(OPERATOR), what="the mail with the link")
    (token,) = set(re.findall(rf"https://{NAME}/sign-in/(\S+)", text_of(mail)))
    given = {"headers": ahead | {"Cookie": cookies}, "timeout": 30}
    done = requests.post(f"{HERE}/api/v1/sign-in/confirm", json={"token": token}, **given)  # type: ignore[arg-type]
    assert done.status_code == 200, done.text


def main() -> None:
    """Follow the guide, and say how long each step took."""
    with tempfile.TemporaryDirectory() as room, ExitStack() as running:
        sink = Sink()
        machine = Machine(Path(room), running.enter_context(smtp_server(sink)))
        for step in steps():
            began = time.monotonic()
            if step.needs:
                click.secho(f"## {step.heading}: left out ({step.needs})\n{step.script}", fg="yellow")
                if step.needs == "systemd":
                    running.enter_context(machine.up(*machine.unit()))
                    sign_in(sink)
                    click.echo("Instead the command of the unit runs. Somebody has signed in.")
            else:
                click.secho(f"## {step.heading}\n{step.script}", bold=True)
                machine.run(step.script)
            click.secho(f"{step.heading}: {time.monotonic() - began:.0f} s\n", fg="green")


if __name__ == "__main__":
    main()
