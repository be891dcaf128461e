"""Debian's mail servers for the length of a test, with the shipped configuration.

apt installs each into a file system that lies over that of the machine and ends with it: nothing is left. It needs
Linux, root, and access to Debian's packages.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as policy
from pathlib import Path
from smtplib import SMTP
from typing import Any

import psutil

from tests.servers import free_port
from tests.workers.post import until

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "config/deploy"
DOMAIN = "trains.example.org"
"""The domain in the shipped files."""
SLOWTRAIN = Path(sys.executable).with_name("slowtrain")
USER = 64999
"""The user of Slow Train if the mail server starts it."""
WORLD = "127.0.0.2"
"""The address from which other mail servers of the world connect."""

NO_KEYS: Mapping[str, str] = {}

OVERLAY = """
set -e
mount -t tmpfs none {folder}
mkdir {folder}/upper {folder}/work {folder}/root
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/upper,workdir={folder}/work {folder}/root
mount --rbind /dev {folder}/root/dev
mount -t proc proc {folder}/root/proc
mkdir -p {folder}/root{shared}
mount --bind {shared} {folder}/root{shared}
printf '#!/bin/sh\\nexit 101\\n' > {folder}/root/usr/sbin/policy-rc.d
chmod 755 {folder}/root/usr/sbin/policy-rc.d
exec chroot {folder}/root sh -ec {inside}
"""
INSTALL = """
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
echo '127.0.0.1 {domain}' >> /etc/hosts
rm -f /var/lib/man-db/auto-update
apt-get install -qq -y -o Dpkg::Options::=--force-unsafe-io --no-install-recommends {packages} >/tmp/apt 2>&1 ||
    {{ cat /tmp/apt; exit 1; }}
[ -e /etc/ssl/private/ssl-cert-snakeoil.key ] || make-ssl-cert generate-default-snakeoil
"""
OPENDKIM = """
cp {deploy}/postfix/opendkim.conf /etc
opendkim-genkey -D /etc/dkimkeys -s letters -d {domain}
chown opendkim /etc/dkimkeys/letters.private
printf '%s\n' {records} > /etc/dkimkeys/records
echo TestDNSData file:/etc/dkimkeys/records >> /etc/opendkim.conf
opendkim -p inet:{milter}@127.0.0.1
"""
POSTFIX = """
cp {deploy}/postfix/*.cf /etc/postfix
cp /usr/share/postfix/master.cf.dist /etc/postfix/master.cf
postconf -MX smtp/inet
postconf -Me '{port}/inet={port} inet n - y - - smtpd'
postconf -e relayhost='[127.0.0.1]:{world}' relay_transport=lmtp:inet:127.0.0.1:{listens} mynetworks=127.0.0.1/32 \\
    smtpd_milters=inet:127.0.0.1:{milter} non_smtpd_milters=inet:127.0.0.1:{milter} \\
    maillog_file=/dev/stdout inet_interfaces=127.0.0.1 inet_protocols=ipv4 smtpd_peername_lookup=no \\
    queue_run_delay=1s minimal_backoff_time=1s maximal_backoff_time=2s transport_retry_time=1s
{pipe}
exec postfix start-fg
"""
PROVIDER = """
useradd -m -s /bin/sh club
: > /etc/postfix/main.cf
cp /usr/share/postfix/master.cf.dist /etc/postfix/master.cf
postconf -MX smtp/inet
postconf -Me '{port}/inet={port} inet n - y - - smtpd'
postconf -e compatibility_level=3.6 myhostname=provider.example mydestination=provider.example recipient_delimiter=+ \\
    home_mailbox=Maildir/ relayhost='[127.0.0.1]:{world}' mynetworks=127.0.0.1/32 maillog_file=/dev/stdout \\
    inet_interfaces=127.0.0.1 inet_protocols=ipv4 smtpd_peername_lookup=no
printf '%s' {users} > /etc/dovecot/users
cat > /etc/dovecot/dovecot.conf <<'END'
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
log_path = /dev/stderr
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = passwd-file
  args = scheme=plain /etc/dovecot/users
}}
userdb {{
  driver = passwd
}}
END
dovecot
exec postfix start-fg
"""
PIPE = """
useradd -r -u {user} -d {folder} slowtrain
chmod o+x /root
"""
BY_PIPE = """
postconf -Me {line}
postconf -e relay_transport=slowtrain slowtrain_destination_recipient_limit=1 relay_recipient_maps={known} \\
    smtpd_recipient_restrictions=permit_mynetworks,reject_unauth_destination
"""
BY_MDA = """
sed -i -e 's| filter who-is-there$||' -e '/^filter/d' -e '/"answers"/d' /etc/smtpd.conf
printf '%s\\n' {lines} > /tmp/lines
sed -i '/^action "people"/{{
r /tmp/lines
}}' /etc/smtpd.conf
"""
OPENSMTPD = """
sed -e 's|/opt/slowtrain/.venv/bin/slowtrain|{slowtrain}|' -e 's|8024|{listens}|' \\
    -e 's|^listen on lo port 25|listen on 127.0.0.1 port {port}|' \\
    -e 's|^listen on eth0 port 25|listen on 127.0.0.1 port {edge}|' \\
    -e 's|relay helo|relay host "smtp://127.0.0.1:{world}" helo|' {deploy}/opensmtpd/smtpd.conf > /etc/smtpd.conf
chmod o+x /root
{pipe}
exec smtpd -d
"""


class World:
    """All other mail servers of the world, which accept everything. ``mails``: the arrived mails, in order;
    ``recipients``: their recipients.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content, policy=policy)
        self.recipients += envelope.rcpt_tos
        self.mails.append(mail)
        return "250 2.0.0 Kept"

    def of(self, recipient: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == recipient]


class Mta:
    """A running mail server. ``port``: for mail of this machine; ``edge``: for mail of the world."""

    def __init__(self, port: int, edge: int, folder: Path, process: subprocess.Popen[bytes], log: Path) -> None:
        self.port, self.edge = port, edge
        self._folder, self._process, self._log = folder, process, log

    def log(self) -> str:
        """Return its whole log."""
        return self._log.read_text(errors="replace")

    def inside(self, *command: str) -> str:
        """Run a command inside and return its output."""
        (first,) = psutil.Process(self._process.pid).children()
        there = ["nsenter", f"--target={first.pid}", "--mount", "--pid", "chroot", f"{self._folder}/root"]
        return subprocess.run([*there, *command], check=True, capture_output=True, text=True).stdout

    def waiting(self) -> list[str]:
        """Return the recipients of waiting mail."""
        if self.port != self.edge:
            return [line.split("|")[6] for line in self.inside("smtpctl", "show", "queue").splitlines()]
        queue = [json.loads(line) for line in self.inside("postqueue", "-j").splitlines()]
        return [to["address"] for it in queue for to in it["recipients"]]

    def try_again(self) -> None:
        """Deliver waiting mail now, before its time."""
        if self.port != self.edge:
            self.inside("smtpctl", "schedule", "all")

    def from_the_world(self) -> SMTP:
        """Begin a conversation as other mail servers do."""
        return SMTP("127.0.0.1", self.edge, "mx.example.net", source_address=(WORLD, 0), timeout=60)


@contextmanager
def postfix(listens: int, world: int, *, keys: Mapping[str, str] = NO_KEYS, pipe: Path | None = None) -> Iterator[Mta]:
    """Run Postfix as in ``config/deploy/postfix``: for `DOMAIN` by LMTP to port ``listens``, all else to ``world``.

    ``keys``: the DNS answers about the world's keys, by name. ``pipe``: the folder of a service that gets its mail by
    ``slowtrain receive`` instead, as in docs/host/mail.md; it belongs to `USER`, and settings are in its ``.env``.
    """
    port, milter = free_port(), free_port()
    inside = INSTALL.format(domain=DOMAIN, packages="postfix opendkim opendkim-tools ca-certificates")
    records = shlex.join([f"{name.rstrip('.')} {record}" for name, record in keys.items()]) or "''"
    inside += OPENDKIM.format(deploy=DEPLOY, domain=DOMAIN, records=records, milter=milter)
    inside += POSTFIX.format(deploy=DEPLOY, port=port, listens=listens, world=world, milter=milter, pipe=_pipe(pipe))
    with _running(inside, port, port, pipe) as mta:
        yield mta


def _pipe(folder: Path | None) -> str:
    """Return the setup for a pipe, as in docs/host/mail.md; nothing without a pipe."""
    if folder is None:
        return ""
    said = (ROOT / "docs/host/mail.md").read_text()
    (line,) = re.findall(r"^slowtrain unix .*", said, re.MULTILINE)
    (known,) = re.findall(r"`relay_recipient_maps = (.*?)`", said)
    line = line.replace("/opt/slowtrain/.venv/bin/slowtrain", str(SLOWTRAIN)).replace("/var/lib/slowtrain", str(folder))
    return PIPE.format(user=USER, folder=folder) + BY_PIPE.format(
        line=shlex.quote(f"slowtrain/unix={line}"), known=shlex.quote(known)
    )


def _mda(folder: Path | None) -> str:
    """Return the same for OpenSMTPD."""
    if folder is None:
        return ""
    lines = re.findall(r'^(?:action|match) .*"answers".*', (ROOT / "docs/host/mail.md").read_text(), re.MULTILINE)
    given = [line.replace("/opt/slowtrain/.venv/bin/slowtrain", str(SLOWTRAIN)) for line in lines]
    return PIPE.format(user=USER, folder=folder) + BY_MDA.format(lines=shlex.join(given))


@contextmanager
def opensmtpd(
    listens: int, world: int, *, keys: Mapping[str, str] = NO_KEYS, pipe: Path | None = None
) -> Iterator[Mta]:
    """Run OpenSMTPD as in ``config/deploy/opensmtpd``, otherwise like `postfix`. It asks for nobody's keys."""
    port, edge = free_port(), free_port()
    inside = INSTALL.format(domain=DOMAIN, packages="opensmtpd ca-certificates")
    inside += OPENSMTPD.format(
        deploy=DEPLOY, port=port, edge=edge, listens=listens, world=world, slowtrain=SLOWTRAIN, pipe=_mda(pipe)
    )
    with _running(inside, port, edge, pipe) as mta:
        yield mta


@contextmanager
def dovecot(world: int, *, password: str) -> Iterator[tuple[Mta, int]]:
    """Run a provider of mailboxes, ``provider.example``, with one for ``club``: Postfix delivers, Dovecot opens it.

    All other mail goes to ``world``. Yield the mail server, and the port for IMAP.
    """
    port, imap = free_port(), free_port()
    users = shlex.quote(f"club:{password}::::::\n")
    inside = INSTALL.format(domain="provider.example", packages="postfix dovecot-imapd ca-certificates")
    inside += PROVIDER.format(port=port, world=world, imap=imap, users=users)
    with _running(inside, port, port, None) as mta:
        yield mta, imap


@contextmanager
def _running(inside: str, port: int, edge: int, share: Path | None) -> Iterator[Mta]:
    with tempfile.TemporaryDirectory() as kept:
        folder, log = Path(kept) / "over", Path(kept) / "log"
        folder.mkdir()
        shared = share or Path(kept) / "shared"
        shared.mkdir(exist_ok=True)
        script = OVERLAY.format(folder=folder, shared=shared, inside=shlex.quote(inside))
        with log.open("wb") as out:
            # It ends with us, however we end.
            alone = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c"]
            process = subprocess.Popen(
                [*alone, script],
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            mta = Mta(port, edge, folder, process, log)
            until(lambda: process.poll() is not None or _greets(edge), what="starting the mail server")
            if process.poll() is not None:
                raise RuntimeError(f"The mail server did not start:\n{mta.log()}")
            yield mta
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _greets(port: int) -> bool:
    try:
        with SMTP("127.0.0.1", port, timeout=10):
            return True
    except OSError:
        return False


SERVERS = {"postfix": postfix, "opensmtpd": opensmtpd}
