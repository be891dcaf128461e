"""The guides for hosts, followed to the letter in fresh environments.

    python -m tests.guide home
    python -m tests.guide mailbox
    python -m tests.guide rented
    python -m tests.guide production

It runs each block of a page in docs/host, in order and as it stands there, and gives ``slowtrain init`` the answers of
the page's table, at a terminal. It prints how many seconds each step took: some minutes in all, most of them to install
packages.

``home`` and ``mailbox`` run in a fresh clone, below a new home folder; blocks that set up a machine are left out. Then
a friend signs in from the network, and visitors knock through a tunnel with and without forwarding headers; or letters
leave through an email account, and answers arrive in its mailbox. ``rented`` and ``production`` run as root on an empty
Debian with a systemd of its own (`tests.machine`), where the certificate is made here instead of by certbot. Then
somebody signs in through nginx. The provider of the account is on this machine. Ports 25, 80, 443, 5432, 6379, 8000,
8024 and 8025 must be free. Not part of the tests.
"""

import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as policy
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import requests
import urllib3

from config.hosts import own_addresses
from service.post.message import parse
from tests.machine import EmptyMachine
from tests.mailbox import PASSWORD, USER
from tests.service.setup.provider import Provider, provider
from tests.workers.post import Sink, smtp_server, text_of, until

ROOT = Path(__file__).parents[1]
HERE, SECURE = "http://127.0.0.1:8000", "https://127.0.0.1"
NAME = "trains.example.org"
OPERATOR, FRIEND = "you@example.org", "friend@example.net"
STAYS = ".venv/bin/slowtrain up"
"""The only command of the guides that runs until it is stopped."""
INIT = ".venv/bin/slowtrain init"
AHEAD = {"X-Forwarded-Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
"""What a proxy that has removed TLS says of a request."""


class Step(NamedTuple):
    """A block of a guide. ``needs``: "", or the word behind "sh" that says where it runs. ``answers``: of the tables
    below it, each question with its answer.
    """

    heading: str
    needs: str
    script: str
    answers: tuple[tuple[str, str], ...] = ()


def steps(page: str) -> Iterator[Step]:
    """Yield the blocks of a guide, in order. Of several tables behind the same block, all answers count."""
    text = (ROOT / f"docs/host/{page}.md").read_text()
    parts = re.split(r"(?=^```sh)", text, flags=re.MULTILINE)
    heading = ""
    for part in parts:
        if block := re.match(r"```sh ?(\w*)\n(.*?)^```", part, re.DOTALL | re.MULTILINE):
            yield Step(heading, block[1], block[2], tuple(answers_in(part)))
        heading = (re.findall(r"^##+ (.*)", part, re.MULTILINE) or [heading])[-1]


def answers_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the questions in tables with the heading "it asks", each with what the reader types."""
    for table in re.findall(r"^\| it asks \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE):
        for question, answer in re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE):
            yield question, typed(answer)


def typed(answer: str) -> str:
    """Return what the reader types for an answer of the table."""
    if answer.startswith("the app password"):
        return PASSWORD
    return found[1] if not answer.startswith("Enter") and (found := re.search(r"`(.+?)`", answer)) else ""


NEW = {"start_new_session": True}
"""So that a question for a password comes to the terminal of this check."""


# ==== a terminal ==================================================================================
def at_a_terminal(command: Sequence[str], answers: Sequence[tuple[str, str]], **where: object) -> str:
    """Run a command at a terminal of its own and answer its questions; one that has no answer gets its default.

    Answers to the same question are given in their order. Return all output.
    """
    left, ours, theirs = list(answers), *pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, **NEW, **where)  # type: ignore[call-overload]
    os.close(theirs)
    said, answered = "", 0
    while True:
        if not select.select([ours], [], [], 0.2)[0]:
            if process.poll() is not None:
                break
            asked = said[answered:].rpartition("\n")[2]
            if asked.endswith(": "):
                os.write(ours, f"{_answer(asked, left)}\n".encode())
                answered = len(said)
            continue
        try:
            read = os.read(ours, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            break
        print(read, end="")
        said += read
    os.close(ours)
    assert process.wait() == 0, f"{command} failed"
    return said


def _answer(asked: str, left: list[tuple[str, str]]) -> str:
    for number, (question, answer) in enumerate(left):
        if asked.strip().startswith(question.rstrip("?…")):
            del left[number]
            return answer
    return ""


# ==== a clone =====================================================================================
class Machine:
    """A clone in a folder of its own. Commands see no other environment."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.home = folder / "slowtrain", folder / "home"
        self.home.mkdir()
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.checkout)], check=True)
        kept = {name: it for name, it in os.environ.items() if name in {"PATH", "LANG", "TMPDIR", "SSL_CERT_FILE"}}
        kept |= {name: it for name, it in os.environ.items() if name.startswith(("PIP_", "UV_"))}
        self.environment = kept | {"HOME": str(self.home)}

    def run(self, script: str) -> None:
        """Run a block and print its output."""
        command = ["bash", "-euo", "pipefail", "-c", script]
        subprocess.run(command, cwd=self.checkout, env=self.environment, check=True)

    def init(self, answers: Sequence[tuple[str, str]]) -> str:
        """Run ``slowtrain init`` with these answers."""
        return at_a_terminal(INIT.split(), answers, cwd=self.checkout, env=self.environment)

    @contextmanager
    def up(self) -> Iterator[str]:
        """Start the service, and yield what it says once it answers; end it as by Ctrl-C."""
        log = self.home / "up.log"
        with (
            log.open("w") as out,
            subprocess.Popen(
                STAYS.split(), cwd=self.checkout, env=self.environment, start_new_session=True, stdout=out, stderr=out
            ) as service,
        ):
            try:
                until(lambda: "is running" in log.read_text() or service.poll() is not None, what="the start")
                assert service.poll() is None, log.read_text()
                time.sleep(1)  # it goes on to say where else it is
                print(log.read_text(), end="")
                yield log.read_text()
            finally:
                os.killpg(service.pid, signal.SIGINT)
                service.wait(30)


def answers(site: str) -> bool:
    try:
        return requests.get(f"{site}/readyz", timeout=5, verify=False).ok
    except (requests.ConnectionError, requests.Timeout):
        return False


def sign_in(site: str, address: str, link: Callable[[], str | None], headers: Mapping[str, str]) -> None:
    """Sign somebody in at the site, by the link that ``link`` finds once it has come."""
    call = partial(requests.post, verify=False, timeout=30)
    asked = call(f"{site}/api/v1/sign-in", json={"email": address}, headers=headers)
    assert asked.status_code == 202, asked.text
    cookies = "; ".join(f"{name}={it}" for name, it in asked.cookies.items())
    token = until(link, 60, "the mail with the link")
    done = call(f"{site}/api/v1/sign-in/confirm", json={"token": token}, headers={**headers, "Cookie": cookies})
    assert done.status_code == 200, done.text


def in_mail(mails: Callable[[], Sequence[bytes]]) -> Callable[[], str | None]:
    """Return a search for the newest link that signs somebody in."""

    def search() -> str | None:
        found = [re.findall(r"/sign-in/([\w-]+)", _text(raw)) for raw in mails()]
        return next((it[0] for it in reversed(found) if it), None)

    return search


def _text(raw: bytes) -> str:
    mail = message_from_bytes(raw, policy=policy)
    assert isinstance(mail, EmailMessage)
    return text_of(mail)


@contextmanager
def timed(heading: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    click.secho(f"{heading}: {time.monotonic() - began:.0f} s\n", fg="green")


def follow(machine: Machine, page: str, given: Sequence[tuple[str, str]] = ()) -> Iterator[Step]:
    """Run the blocks of a page. Yield each that starts the service or needs one that runs. ``given``: answers that
    come before those of the page.
    """
    for step in steps(page):
        if step.needs:
            click.secho(f"## {step.heading}: left out ({step.needs})\n{step.script}", fg="yellow")
            continue
        with timed(step.heading):
            click.secho(f"## {step.heading}\n{step.script}", bold=True)
            if step.script.strip() == INIT:
                machine.init([*given, *step.answers])
            elif step.script.strip() == STAYS or " fetch" in step.script:
                yield step
            else:
                machine.run(step.script)


# ==== friends at home =============================================================================
def at_home(room: Path) -> None:
    machine = Machine(room)
    of_tunnel: tuple[tuple[str, str], ...] = ()
    for step in follow(machine, "home"):
        of_tunnel = step.answers
        with machine.up() as said:
            network = re.findall(r"On your network: (\S+)", said)
            assert network, "it prints no address of the network"
            assert len(network) >= len(own_addresses()) - 1
            link = in_local_mailbox()
            sign_in(HERE, OPERATOR, link, {})
            sign_in(network[0], FRIEND, link, {})
            assert requests.get(f"{network[0]}/mailbox", timeout=9).status_code in {403, 404}, "others see the mailbox"
            foreign = requests.get(HERE, headers={"Host": "rebound.example"}, timeout=9)
            assert foreign.status_code == 421, foreign.status_code
            click.echo("The host and a friend on the network have signed in; the friend cannot open the mailbox.")
    for proxies in ("1", "0"):
        with timed(f"A tunnel, {proxies} proxies"):
            named = [
                *of_tunnel[:1],
                ("The address at which they reach it", f"https://{NAME}"),
                ("How many proxies", proxies),
            ]
            machine.init(named)
            with machine.up() as said:
                through_a_tunnel(said, AHEAD | {"Host": NAME} if proxies == "1" else {"Host": NAME})


def in_local_mailbox() -> Callable[[], str | None]:
    """Return a search for the newest link that signs somebody in and has not been found before."""
    seen = set[str]()

    def search() -> str | None:
        page = requests.get(f"{HERE}/mailbox", timeout=9).text
        for letter in re.findall(r'href="(/mailbox/[^"]+)"', page):
            text = requests.get(HERE + letter.replace("&amp;", "&"), timeout=9).text
            for token in re.findall(r"/sign-in/([\w-]+)", text):
                if token not in seen:
                    seen.add(token)
                    return token
        return None

    return search


def through_a_tunnel(said: str, ahead: Mapping[str, str]) -> None:
    """Knock at the site as visitors of a tunnel do: no mailbox, and limits count."""
    for path in ("/mailbox", "/mailbox/1"):
        got = requests.get(HERE + path, headers=ahead, timeout=9)
        assert got.status_code in {403, 404}, f"{path} is open: {got.status_code}"
    claimed = requests.get(f"{HERE}/mailbox", headers={**ahead, "Host": "localhost:8000"}, timeout=9)
    assert claimed.status_code in {403, 404}, "a visitor who claims to be at home sees the mailbox"
    asked = [
        requests.post(f"{HERE}/api/v1/sign-in", json={"email": f"{it}@example.net"}, headers=ahead, timeout=9)
        for it in range(60)
    ]
    assert asked[0].status_code == 202, asked[0].text
    assert any(it.status_code == 429 for it in asked), "nobody is stopped from asking too often"
    (own,) = re.findall(r"Your mailbox, for this machine alone: (\S+)", said)
    assert requests.get(own, timeout=9).ok, "the mailbox does not open with its key"
    click.echo("No mailbox through the tunnel, and its visitors are counted.")


# ==== a mail provider's mailbox ===================================================================
def servers(there: Provider) -> list[tuple[str, str]]:
    """Return the answers that name the provider of this check, in the order in which they are asked."""
    return [
        ("The email address of this account", USER), ("The mail server (SMTP)", "127.0.0.1"),
        ("Its port", str(there.port)), ("How is the connection encrypted", "none"),
        ("The server of the mailbox (IMAP)", "127.0.0.1"), ("Its port", str(there.box.port)),
        ("How is this connection encrypted", "none"),
    ]  # fmt: skip


def answering(there: Provider) -> Callable[[], None]:
    """Return a program that answers the operator's test letter, once it has come."""
    seen = set[str]()

    def look() -> None:
        for to, raw in [*there.sent]:
            message = parse(raw)
            reply_to = message.first("reply-to")
            if to == OPERATOR and "test letter" in message.first("subject") and reply_to and reply_to not in seen:
                seen.add(reply_to)
                head = f"From: {OPERATOR}\r\nTo: {reply_to}\r\nMessage-ID: <{len(seen)}@example.org>\r\n"
                there.deliver(f"{head}Subject: Re: test\r\n\r\nyes\r\n".encode(), OPERATOR)

    return look


@contextmanager
def repeated(look: Callable[[], None]) -> Iterator[None]:
    """Call it again and again in the meantime."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(0.2):
            look()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def through_a_mailbox(room: Path) -> None:
    machine = Machine(room)
    with provider() as there, repeated(answering(there)):
        for step in steps("home"):
            if not step.needs and "pip install" in step.script:
                with timed(step.heading):
                    machine.run(step.script)
        there.box.put(b"From: zoe@example.org\r\nTo: club@example.org\r\nSubject: Friday\r\n\r\nShall we meet?\r\n")
        for step in follow(machine, "mailbox", servers(there)):
            with machine.up():
                sign_in(HERE, OPERATOR, in_mail(lambda: [raw for to, raw in there.sent if to == OPERATOR]), {})
                machine.run(step.script)
            click.echo("Somebody has signed in by a letter of the account.")
        assert len(there.box.mails) == 1, "the owner's own mail is touched, or test letters stay"


# ==== empty machines ==============================================================================
CERTIFICATE = """
mkdir -p $(dirname {key})
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN={name} -addext subjectAltName=DNS:{name} \\
    -keyout {key} -out {pem}
cat {pem} >> /etc/ssl/certs/ca-certificates.crt
"""
"""In place of certbot."""
CLONE = """
chown -R trains: /srv/origin.git
cd /home/trains
runuser -u trains -- git clone -q /srv/origin.git slowtrain
"""
PLAYED = """
cd /home/trains/slowtrain
runuser -u trains -- .venv/bin/slowtrain demo --title ticket_to_ride --seats 2 --no-wait
"""
"""A copy without games would prove nothing."""
NEWER = """
cd /home/trains
runuser -u trains -- git clone -q /srv/origin.git newer
cd newer
runuser -u trains -- git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m newer
runuser -u trains -- git push -q
"""
"""A newer release appears."""
LIVE = f"/etc/letsencrypt/live/{NAME}"


def on_a_rented_machine(room: Path) -> None:
    with provider() as there, repeated(answering(there)), EmptyMachine.booted(room) as machine:
        machine.run("apt-get update -q && apt-get install -y -q openssl")
        with (machine.root / "etc/hosts").open("a") as hosts:
            hosts.write(f"127.0.0.1 {NAME}\n")
        subprocess.run(["git", "clone", "-q", "--bare", str(ROOT), str(machine.root / "srv/origin.git")], check=True)
        in_origin = ["git", "-C", str(machine.root / "srv/origin.git")]
        subprocess.run([*in_origin, "branch", "-f", "main", "HEAD"], check=True)
        subprocess.run([*in_origin, "symbolic-ref", "HEAD", "refs/heads/main"], check=True)
        of_mail = [it for step in steps("mailbox") for it in step.answers]
        for step in steps("rented"):
            with timed(step.heading):
                click.secho(f"## {step.heading} ({step.needs})\n{step.script}", bold=True)
                if step.needs == "certbot":
                    machine.run(CERTIFICATE.format(key=f"{LIVE}/privkey.pem", pem=f"{LIVE}/fullchain.pem", name=NAME))
                elif INIT in step.script:
                    at_a_terminal(machine.command(step.script), [*servers(there), *step.answers, *of_mail])
                elif step.needs == "root":
                    if "ls /home/trains/slowtrain/copies" in step.script:
                        machine.run(PLAYED)
                    machine.run(step.script)
                if "useradd" in step.script:
                    machine.run(CLONE)
                if "systemctl restart nginx" in step.script:
                    until(lambda: answers(SECURE), 60, "the answer of nginx")
                    sign_in(
                        SECURE,
                        OPERATOR,
                        in_mail(lambda: [raw for to, raw in there.sent if to == OPERATOR]),
                        {"Host": NAME},
                    )
                    click.echo("The operator has signed in through nginx.")
                if "tee /home/trains/before" in step.script:
                    machine.run(NEWER)
        failed = machine.run("systemctl list-units 'slowtrain*' --failed --plain --no-legend --no-pager")
        assert not failed, failed


def in_production(room: Path) -> None:
    sink = Sink()
    with smtp_server(sink, port=25), EmptyMachine.booted(room) as machine:
        machine.run("apt-get update -q && apt-get install -y -q openssl")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(machine.root / "opt/slowtrain")], check=True)
        lasting: list[str] = []
        for step in steps("production"):
            with timed(step.heading):
                click.secho(f"## {step.heading}\n{step.script}", bold=True)
                if "operator add" in step.script:
                    until(lambda: answers(SECURE), what="the answer of nginx")
                    sign_in(
                        SECURE, OPERATOR, in_mail(lambda: [it.as_bytes() for it in sink.of(OPERATOR)]), {"Host": NAME}
                    )
                machine.run("\n".join([*lasting, step.script]))
                lasting += re.findall(r"^(?:cd|set -a).*", step.script, re.MULTILINE)
                if "conf.d" in step.script:
                    certificate = CERTIFICATE.format(key=f"/etc/ssl/{NAME}.key", pem=f"/etc/ssl/{NAME}.pem", name=NAME)
                    machine.run(f"{certificate}\nnginx -t && systemctl reload nginx")
        failed = machine.run("systemctl list-units 'slowtrain*' --failed --plain --no-legend --no-pager")
        assert not failed, failed


GUIDES: Mapping[str, Callable[[Path], None]] = {
    "home": at_home,
    "mailbox": through_a_mailbox,
    "rented": on_a_rented_machine,
    "production": in_production,
}


@click.command()
@click.argument("guide", type=click.Choice([*GUIDES]))
def main(guide: str) -> None:
    """Follow a guide, and say how long each step took."""
    urllib3.disable_warnings()  # certificates of our own
    with tempfile.TemporaryDirectory() as room, timed(f"The guide {guide}"):
        GUIDES[guide](Path(room))


if __name__ == "__main__":
    main()
