"""The guides for hosts, followed to the letter in a fresh clone and environment.

    python -m tests.guide
    python -m tests.guide --production

It runs each block of docs/host/club.md in order, as it stands there, below a new home folder. Only the mail server of
the guide is replaced, by one on this machine. Blocks marked ``root``, ``systemd`` or ``cron`` set up a machine: they
are printed and left out. In place of systemd the check runs the unit's command. Then it signs in by the link in the
mail, as through the guide's proxy. It prints how many seconds each step took: some minutes in all, most of them to
install packages. Ports 8000 and 8025 must be free.

``--production`` runs the blocks of docs/host/production.md on an empty Debian with a systemd of its own
(`tests.machine`), as root. Only the certificate is made here instead of by certbot. Then it signs in through nginx.
Ports 25, 80, 443, 5432, 6379, 8000 and 8024 must be free. Not part of the tests.
"""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import requests
import urllib3

from tests.machine import EmptyMachine
from tests.workers.post import Sink, smtp_server, text_of, until

ROOT = Path(__file__).parents[1]
CLUB, PRODUCTION = ROOT / "docs/host/club.md", ROOT / "docs/host/production.md"
HERE, SECURE = "http://127.0.0.1:8000", "https://127.0.0.1"
NAME = "trains.example.org"
OPERATOR = "you@example.org"
STAYS = ".venv/bin/slowtrain up"
"""The only command of the guide that runs until it is stopped."""


class Step(NamedTuple):
    """A block of the guide. ``needs``: "", or the ``root``, ``systemd`` or ``cron`` without which it cannot run."""

    heading: str
    needs: str
    script: str


def steps(page: Path = CLUB) -> Iterator[Step]:
    """Yield the blocks of a guide, in order."""
    for chapter in re.split(r"^##+ ", page.read_text(), flags=re.MULTILINE)[1:]:
        for needs, script in re.findall(r"^```sh ?(\w*)\n(.*?)^```", chapter, re.DOTALL | re.MULTILINE):
            yield Step(chapter.splitlines()[0], needs, script)


class Machine:
    """A clone in a folder of its own, and a mail server at ``port``. Commands see no other environment."""

    def __init__(self, folder: Path, port: int) -> None:
        self.checkout, self.home, self.port = folder / "slowtrain", folder / "home", port
        self.home.mkdir()
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.checkout)], check=True)
        kept = {name: it for name, it in os.environ.items() if name in {"PATH", "LANG", "TMPDIR", "SSL_CERT_FILE"}}
        kept |= {name: it for name, it in os.environ.items() if name.startswith(("PIP_", "UV_"))}
        self.environment = kept | {"HOME": str(self.home)}

    def run(self, script: str) -> None:
        """Run a block and print its output; a lasting command is started, checked, and ended."""
        if script.strip() == STAYS:
            with self.up(*STAYS.split()):
                return
        command = ["bash", "-euo", "pipefail", "-c", self._here(script)]
        subprocess.run(command, cwd=self.checkout, env=self.environment, check=True)

    def _here(self, script: str) -> str:
        """Return the block with this check's mail server in place of the guide's."""
        for name, value in {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(self.port), "SMTP_TLS": "none"}.items():
            script = re.sub(rf"^(SLOWTRAIN_{name}=).*", rf"\g<1>{value}", script, flags=re.MULTILINE)
        return re.sub(r"^SLOWTRAIN_SMTP_(?:USER|PASSWORD)=.*\n", "", script, flags=re.MULTILINE)

    @contextmanager
    def up(self, *command: str) -> Iterator[None]:
        """Start the service by ``command`` and wait until it answers; end it as by Ctrl-C."""
        with subprocess.Popen(command, cwd=self.checkout, env=self.environment, start_new_session=True) as service:
            try:
                until(lambda: answers(HERE) or service.poll() is not None, what="the start of the service")
                assert service.poll() is None, "the service has ended by itself"
                yield
            finally:
                os.killpg(service.pid, signal.SIGINT)
                service.wait(30)

    def unit(self) -> list[str]:
        """Return the command of the unit in the guide."""
        (file,) = (self.home / ".config/systemd/user").glob("*.service")
        said = dict(re.findall(r"^(\w+)=(.*)$", file.read_text(), re.MULTILINE))
        assert said["WorkingDirectory"] == str(self.checkout)
        return said["ExecStart"].split()


def answers(site: str) -> bool:
    try:
        return requests.get(f"{site}/readyz", timeout=5, verify=False).ok
    except (requests.ConnectionError, requests.Timeout):
        return False


def sign_in(sink: Sink, site: str = HERE) -> None:
    """Sign `OPERATOR` in at the site's address on this machine, by the link in their mail.

    It uses plain HTTP, like a proxy that has removed TLS.
    """
    ahead = {"Host": NAME}
    if site == HERE:
        ahead |= {"X-Forwarded-Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    call = partial(requests.post, verify=False, timeout=30)
    asked = call(f"{site}/api/v1/sign-in", json={"email": OPERATOR}, headers=ahead)
    assert asked.status_code == 202, asked.text
    cookies = "; ".join(f"{name}={it}" for name, it in asked.cookies.items())
    (mail,) = until(lambda: sink.of(OPERATOR), what="the mail with the link")
    (token,) = set(re.findall(rf"https://{NAME}/sign-in/(\S+)", text_of(mail)))
    done = call(f"{site}/api/v1/sign-in/confirm", json={"token": token}, headers=ahead | {"Cookie": cookies})
    assert done.status_code == 200, done.text


@contextmanager
def timed(heading: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    click.secho(f"{heading}: {time.monotonic() - began:.0f} s\n", fg="green")


def follow_club(machine: Machine, sink: Sink, running: ExitStack) -> None:
    for step in steps():
        with timed(step.heading):
            if step.needs:
                click.secho(f"## {step.heading}: left out ({step.needs})\n{step.script}", fg="yellow")
                if step.needs == "systemd":
                    running.enter_context(machine.up(*machine.unit()))
                    sign_in(sink)
                    click.echo("Instead the command of the unit runs. Somebody has signed in.")
            else:
                click.secho(f"## {step.heading}\n{step.script}", bold=True)
                machine.run(step.script)


CERTIFICATE = f"""
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} \\
    -keyout /etc/ssl/{NAME}.key -out /etc/ssl/{NAME}.pem
nginx -t && systemctl reload nginx
"""
"""In place of certbot, at the paths of the shipped nginx.conf."""


def follow_production(machine: EmptyMachine, sink: Sink) -> None:
    machine.run("apt-get update -q && apt-get install -y -q openssl")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(machine.root / "opt/slowtrain")], check=True)
    lasting: list[str] = []
    for step in steps(PRODUCTION):
        with timed(step.heading):
            click.secho(f"## {step.heading}\n{step.script}", bold=True)
            if "operator add" in step.script:
                until(lambda: answers(SECURE), what="the answer of nginx")
                sign_in(sink, SECURE)
            machine.run("\n".join([*lasting, step.script]))
            lasting += re.findall(r"^(?:cd|set -a).*", step.script, re.MULTILINE)
            if "conf.d" in step.script:
                machine.run(CERTIFICATE)
    failed = machine.run("systemctl list-units 'slowtrain*' --failed --plain --no-legend --no-pager")
    assert not failed, failed


@click.command()
@click.option("--production", is_flag=True, help="Follow the guide for production, on an empty Debian with systemd.")
def main(production: bool) -> None:
    """Follow a guide, and say how long each step took."""
    with tempfile.TemporaryDirectory() as room, ExitStack() as running:
        sink = Sink()
        if production:
            urllib3.disable_warnings()  # the certificate is our own
            running.enter_context(smtp_server(sink, port=25))
            follow_production(running.enter_context(EmptyMachine.booted(Path(room))), sink)
        else:
            machine = Machine(Path(room), running.enter_context(smtp_server(sink)))
            follow_club(machine, sink, running)


if __name__ == "__main__":
    main()
