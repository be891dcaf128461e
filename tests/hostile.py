"""Thousands of hostile mails into a real store: does anything break, grow, dawdle or act?

    nice python -m tests.hostile                     # 100,000 mails, half an hour to an hour
    python -m tests.hostile --mails 2000 --seed 7    # other ones
    python -m tests.hostile --database postgresql+psycopg://…

A game of each title is begun by mail. Then mails come to the reply and return addresses of its letters, and to
addresses that do not exist. They are damaged answers, automatic notes, reports, and mails made to hurt parsers. Others
contain legal orders, but in places where no player writes them: in quotes, files, comments, automatic notes.

Each mail is stored and processed as usual, in a child process. Four in five skip the check of their author, so that
only their text counts. The same seed makes the same mails. Ends with 1 if a mail could not be processed, took more than
five seconds, or changed a game, or if a process grew.
"""

import argparse
import hashlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import psutil
from msgspec import Struct
from sqlalchemy import select

import domain
from config.settings import Settings
from domain.orders import write
from service.database.store import PLIES, Store, open_store
from service.games import numbered, queries
from service.letters.letter import Mail
from service.post import inbox
from service.post.child import ReadingChild
from service.post.incoming import Incoming, Question
from tests.by_mail import NAMES, GameByMail
from tests.service.post import clients, hostile, test_machines, test_reports
from tests.service.post.__main__ import damaged
from workers import incoming

SECONDS = 5.0
"""Processor seconds for a mail."""
GROWTH = 16.0
"""MB by which a process may have grown since a quarter of the mails."""
APART = 10_000
"""Milliseconds between two mails, so that no letter exceeds its limit of an hour."""
FORGET = 500
"""Mails after which processed ones are deleted, as in the nightly round."""
MB = 1_000_000


class Letter(Struct, frozen=True):
    """A letter that was sent. ``orders``: lines that would act if they came as an answer to it; maybe none."""

    answers: str
    returns: str
    orders: tuple[str, ...] = ()


# ==== games that could move =======================================================================
def begun(store: Store, titles: Sequence[str], moves: int, seed: int) -> list[Letter]:
    """Start a game of each title. Return all letters about it that can be answered; the last to each seat first."""
    letters: list[Letter] = []
    for title in titles:
        game = _Game(store, title, seed)
        game.begin()
        for _ in range(moves):
            game.answer(game.letter(NAMES[(seat := game.stored().game.asked[0]) - 1]), game.text_of(seat))
        current = {id(game.letter(name)): seat for seat, name in enumerate(NAMES, 1)}
        for letter in reversed(game.post.sent):
            if letter["Reply-To"]:
                seat = current.get(id(letter), 0)
                letters.append(Letter(letter["Reply-To"], game.returns[letter["Message-ID"]], game.orders(seat)))
    return letters


class _Game(GameByMail):
    def __init__(self, store: Store, title: str, seed: int) -> None:
        self.returns: dict[str, str] = {}
        super().__init__(store, title, "en", seed, take=lambda raw, to: self.post.take(raw, to))
        self.post.noticed = self._noticed

    def _noticed(self, mail: Mail, letter: EmailMessage) -> None:
        self.returns[letter["Message-ID"]] = mail.returns.address if mail.returns else ""

    def orders(self, seat: int) -> tuple[str, ...]:
        """Return lines that are legal now; none for a seat that is not asked."""
        stored = self.stored()
        if seat not in stored.game.asked:
            return ()
        seen = queries.seen_by(stored, next(it.person_id for it in stored.seats if it.seat == seat))
        names, language = seen.title.face.orders.names(queries.view(seen)), seen.language(self.lang)
        found = [it for it in numbered.options(seen) if it.amount is None]
        return tuple(write(it.order, names, language) for it in found[:10]) or ("pass",)


# ==== the mails ===================================================================================
Made = tuple[str, str, str | None, bytes]
"""The kind, the recipient, the sender of the envelope, the bytes."""


class Maker:
    """A maker of hostile mails, in the same order for the same seed."""

    def __init__(self, letters: Sequence[Letter], seed: int) -> None:
        self.dice = random.Random(seed)
        self.letters = letters
        self.waiting = [it for it in letters if it.orders]
        self.past = [it for it in letters if not it.orders] or list(letters)
        self.people = list(clients.replies())
        machines = [case.question().raw for case in (*test_machines.MACHINES, *test_reports.REPORTS)]
        hurting = [raw for _, raw, *_ in (*hostile.refused(), *hostile.read_all_the_same())]
        self.others = [raw for raw in (*machines, *hurting) if len(raw) < 20_000]
        self.large = [raw for raw in hurting if len(raw) >= 20_000]

    def mails(self) -> Iterator[Made]:
        while True:
            chance = self.dice.random()
            if chance < 0.01:
                yield self._to_anywhere("large", self.dice.choice(self.large))
            elif chance < 0.5:
                yield self._to_anywhere("damaged", damaged(self._any(), self._any(), self.dice)[:100_000])
            elif chance < 0.6:
                yield self._to_anywhere("as it is", self._any())
            else:
                yield self._elsewhere()

    def _any(self) -> bytes:
        return self.dice.choice(self.people).raw if self.dice.random() < 0.5 else self.dice.choice(self.others)

    def _to_anywhere(self, kind: str, raw: bytes) -> Made:
        """Address an old letter: even a remaining line that is an order can move nothing there."""
        letter = self.dice.choice(self.past)
        to = self.dice.choices((letter.answers, letter.returns, self._nobodys()), (8, 3, 1))[0]
        return kind, to, self._sender(), raw

    def _sender(self) -> str | None:
        return self.dice.choice(("", None, "ann@example.org", "x" * 300 + "@example.org", "<>", "MAILER-DAEMON"))

    def _nobodys(self) -> str:
        token = "".join(self.dice.choices("abcdefghijklmnopqrstuvwxyz234567", k=26))
        return self.dice.choice(
            (f"g+{token}@localhost", f"b+{token}@localhost", "", "g+@localhost", "\x00", "a" * 5000)
        )

    # ---- orders in places where no player writes ----
    def _elsewhere(self) -> Made:
        letter = self.dice.choice(self.waiting)
        orders = "\n".join(self.dice.sample(letter.orders, min(len(letter.orders), self.dice.randint(1, 3))))
        if self.dice.random() < 0.5:
            orders = self.dice.choice(
                (orders, orders.upper(), str(self.dice.randint(1, 9)), f"{orders}\nend turn\npass")
            )
        place = self.dice.choice(PLACES)
        to, raw = letter.answers, place(orders, self.dice)
        if raw is None:  # a good answer, to an address where none is read
            to, raw = self.dice.choice((letter.returns, self._nobodys())), _mail(orders)
        sender = "" if place is _of_nobody else "ann@example.org"
        if place is _of_nobody:
            raw = _mail(orders)
        return place.__name__.strip("_"), to, sender, _varied(raw, self.dice)


def _mail(text: str, page: str = "", **headers: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ann@example.org", "games@localhost", "Re: your turn"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    if page:
        mail.add_alternative(page, subtype="html")
    return mail.as_bytes()


def _varied(raw: bytes, dice: random.Random) -> bytes:
    """Return the same mail as other routes might deliver it: other id, line ends, hops, case of headers."""
    hops = b"".join(b"Received: by mx%d.example; x\n" % hop for hop in range(dice.randrange(5)))
    raw = hops + b"Message-ID: <%d@example.org>\n" % dice.getrandbits(60) + raw
    if dice.random() < 0.3:
        raw = raw.replace(b"Content-Type:", b"CONTENT-TYPE :", 1)
    return raw if dice.random() < 0.3 else raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


HEADS = (
    "On Sun, Nov 22, 2026 at 10:00 AM Slow Train <g@localhost> wrote:",
    "Am 22.11.2026 um 10:00 schrieb Slow Train <g@localhost>:",
    "Le dim. 22 nov. 2026 à 10:00, Slow Train <g@localhost> a écrit :",
    "-----Original Message-----\nFrom: Slow Train <g@localhost>\nSent: Sunday, 22 November 2026 10:00\nTo: Ann\n"
    "Subject: Your turn\n",
    "Von: Slow Train <g@localhost>\nGesendet: Sonntag, 22. November 2026 10:00\nAn: Ann\nBetreff: Du bist am Zug\n",
)


def _quoted(orders: str, dice: random.Random) -> bytes:
    mark = dice.choice(("> ", ">", ">> ", "> > "))
    return _mail(
        "Hello\n\n" + HEADS[dice.randrange(3)] + "\n" + "\n".join(mark + it for it in orders.split("\n")) + "\n"
    )


def _unquoted_below_a_header_block(orders: str, dice: random.Random) -> bytes:
    return _mail(f"Hello\n\n{dice.choice(HEADS[3:])}\n{orders}\n")


def _in_a_page(orders: str, dice: random.Random) -> bytes:
    lines = "".join(f"<div>{it}</div>" for it in orders.split("\n"))
    around = dice.choice((
        '<blockquote type="cite">{}</blockquote>', '<div class="gmail_quote">{}</div>', "<!-- {} -->",
        '<div style="display:none">{}</div>', "<style>{}</style>", "<script>{}</script>", "<title>{}</title>",
        '<hr><div id="divRplyFwdMsg"><b>From:</b> x</div><div>{}</div>', '<div class="moz-cite-prefix">x</div>'
        "<blockquote>{}</blockquote>", '<img alt="{}">',
        '<div class="yahoo_quoted">{}</div>', "<template>{}</template>", "<s>{}</s>",
        '<div style="text-decoration:line-through">{}</div>', '<div style="font-size:.1px">{}</div>',
        '<div style="color:#FFF;background:white">{}</div>', '<div style="position:absolute;left:-999px">{}</div>',
        f'<div style="x:{"y" * 2000};display:/**/none !important;display:block">{{}}</div>',
    ))  # fmt: skip
    text = orders if "alt=" in around else lines
    return _mail("Hello", f"<html><body><div>Hello</div>{around.replace('{}', text)}</body></html>")


def _in_a_file(orders: str, dice: random.Random) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"] = "ann@example.org", "games@localhost"
    mail.set_content("see the file\n")
    kind, name = dice.choice((("plain", "orders.txt"), ("html", "orders.html"), ("csv", "a.csv"), ("plain", "x")))
    mail.add_attachment(orders, subtype=kind, filename=name, disposition=dice.choice(("attachment", "inline")))
    return mail.as_bytes()


def _in_a_message(orders: str, dice: random.Random) -> bytes:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "bob@example.org", orders.split("\n", 1)[0]
    inner.set_content(orders)
    mail = EmailMessage()
    mail["From"], mail["To"] = "ann@example.org", "games@localhost"
    mail.set_content("fyi\n")
    mail.add_attachment(inner)
    return mail.as_bytes()


def _of_a_machine(orders: str, dice: random.Random) -> bytes:
    name, value = dice.choice((
        ("Auto-Submitted", "auto-replied (vacation)"), ("Precedence", "bulk"), ("List-Id", "<x.example>"),
        ("X-Autoreply", "yes"), ("X-Loop", "x"), ("Return-Path", "<>"), ("X-Auto-Reply-From", "x@example.org"),
    ))  # fmt: skip
    return name.encode() + b": " + value.encode() + b"\n" + _mail(orders)


def _of_a_robot(orders: str, dice: random.Random) -> bytes:
    robot = dice.choice((b"MAILER-DAEMON@mx.example", b"postmaster@mx.example", b"no-reply@example.org"))
    return _mail(orders).replace(b"ann@example.org", robot, 1)


def _of_nobody(orders: str, dice: random.Random) -> bytes:
    """The envelope's sender is empty."""
    return b""


def _to_elsewhere(orders: str, dice: random.Random) -> None:
    return None


def _in_a_header(orders: str, dice: random.Random) -> bytes:
    return (
        b"Subject: "
        + orders.replace("\n", "\n ").encode()
        + b"\nX-Orders: "
        + orders.split("\n")[0].encode()
        + (b"\n" + _mail("Hello"))
    )


def _around_the_parts(orders: str, dice: random.Random) -> bytes:
    around = b"\n" + orders.encode() + b"\n"
    return (
        b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n"
        + around
        + b"--b\n\nHello\n--b--\n"
        + around
    )


def _too_much(orders: str, dice: random.Random) -> bytes:
    raw = _mail(orders)
    which = dice.randrange(3)
    if which == 0:
        return b"X-A: b\n" * 201 + raw
    if which == 1:
        return hostile._nested(dice.randint(25, 60), orders.encode())
    return b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n" + (
        b"--b\n\n" + orders.encode() + b"\n"
    ) * dice.randint(101, 300)


def _below_the_end(orders: str, dice: random.Random) -> bytes:
    return _mail(f"Hello\n\n{dice.choice(('-- ', 'stop', 'Thanks', 'Sent from my iPhone'))}\n{orders}\n")


def _struck_out(orders: str, dice: random.Random) -> bytes:
    stroke = dice.choice("\u0335\u0336\u0337\u0338")
    return _mail("Hello\n\n" + "".join(it + stroke * it.isprintable() for it in orders) + "\n")


def _turned_around(orders: str, dice: random.Random) -> bytes:
    """Return reversed lines, without palindromes such as "7"."""
    lines = [it for it in orders.split("\n") if it != it[::-1]]
    return _mail("Hello\n\n" + "".join(f"\u202e{it}\u202c\n" for it in lines))


def _as_remarks(orders: str, dice: random.Random) -> bytes:
    return _mail("\n".join(f"# {it}" for it in orders.split("\n")))


def _in_one_form(orders: str, dice: random.Random) -> bytes:
    said = (orders, "<p>Hello there, this is all I have to say.</p>"), ("Hello", f"<p>Hello</p><p>{orders}</p>")
    return _mail(*dice.choice(said))


def _encrypted(orders: str, dice: random.Random) -> bytes:
    raw = _mail("x")
    return raw.replace(b"text/plain", b"application/pkcs7-mime", 1) + orders.encode()


PLACES: tuple[Callable[[str, random.Random], bytes | None], ...] = (
    _quoted, _unquoted_below_a_header_block, _in_a_page, _in_a_file, _in_a_message, _of_a_machine, _of_a_robot,
    _of_nobody, _to_elsewhere, _in_a_header, _around_the_parts, _too_much, _below_the_end, _as_remarks, _in_one_form,
    _encrypted, _struck_out, _turned_around,
)  # fmt: skip


# ==== the run =====================================================================================
class Run:
    """A run that takes mails in, processes them, and checks the store."""

    def __init__(
        self, store: Store, letters: Sequence[Letter], seed: int, child: ReadingChild, keep: Path | None = None
    ) -> None:
        self.store, self.child, self.keep = store, child, keep
        self.mails = Maker(letters, seed).mails()
        self.before = self.log()
        self.became: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.longest = (0.0, "")
        self.wrong: list[str] = []
        self.memory: list[tuple[float, float]] = []
        self.at = store.time()
        self.dice = random.Random(seed)

    def log(self) -> str:
        """Return a hash of the logs of all games."""
        with self.store.read() as conn:
            links = conn.execute(select(*PLIES.primary_key, PLIES.c.link).order_by(*PLIES.primary_key))
            return hashlib.sha256(repr([tuple(map(str, row)) for row in links]).encode()).hexdigest()

    def one(self) -> None:
        kind, to, sender, raw = next(self.mails)
        self.kinds[kind] += 1
        self.at += APART
        via: inbox.Via = "page" if kind == "an order" or self.dice.random() < 0.8 else "mail"
        began = self._spent()
        try:
            with self.store.write() as conn:
                number = inbox.keep(conn, self.store.settings, to, sender, raw, self.at, via=via)
        except (inbox.NobodysAddress, inbox.TooLarge, inbox.TooManyMails) as refused:
            self.became[type(refused).__name__] += 1
            return
        incoming.work_off(self.store, self._read, now=lambda: self.at)
        took = self._spent() - began
        self.longest = max(self.longest, (took, kind))
        row = self._row(number)
        self.became[row.what if row.state == "done" else row.state] += 1
        acted = row.what in ("done", "part") and self.log() != self.before  # requested days off do not count as an act
        if acted or row.state != "done" or row.what == "failed":
            self._is_wrong(f"{kind}: {row.state} {row.what} {row.detail}", raw)
        if took > SECONDS:
            self._is_wrong(f"{kind}: {took:.1f} s", raw)

    def _is_wrong(self, what: str, raw: bytes) -> None:
        self.wrong.append(what)
        print(what, flush=True)
        if self.keep is not None:
            (self.keep / f"{len(self.wrong)}.eml").write_bytes(raw)

    def _spent(self) -> float:
        """Return processor seconds of the worker and its child, without waiting on a busy machine."""
        child = self.child.running
        theirs = psutil.Process(child.pid).cpu_times() if child else None
        return time.process_time() + (theirs.user + theirs.system if theirs else 0.0)

    def _read(self, question: Question) -> Incoming:
        found = self.child.read(question)
        if found.why == "broken":  # the worker survives it and asks for plain text, but it is our error
            self._is_wrong("the reader broke", question.raw)
        return found

    def _row(self, number: int) -> Any:
        with self.store.read() as conn:
            return conn.execute(select(inbox.INCOMING).where(inbox.INCOMING.c.id == number)).one()

    def go(self, mails: int, seconds: float) -> int:
        """Process ``mails`` mails, or as many as come in ``seconds``. Return their number."""
        until = time.monotonic() + seconds
        for count in range(1, mails + 1):
            self.one()
            if count % FORGET == 0:
                self._look(count)
                if time.monotonic() > until:
                    return count
        return mails

    def _look(self, count: int) -> None:
        """Delete processed mails, check memory and games, and print the progress."""
        with self.store.write() as conn:
            inbox.forget_old(conn, self.at + 1, self.at + 1)
        child = self.child.running
        theirs = psutil.Process(child.pid).memory_info().rss / MB if child else 0.0
        self.memory.append((psutil.Process().memory_info().rss / MB, theirs))
        if self.log() != self.before:
            self.wrong.append(f"a game was changed by one of the {FORGET} mails before {count}")
            self.before = self.log()
        if count % 5000 == 0:
            ours, theirs = self.memory[-1]
            print(f"{count} mails; worker {ours:.0f} MB, child {theirs:.0f} MB; longest {self.longest}", flush=True)

    def ended(self) -> list[str]:
        """Return the errors; none if all is well."""
        if self.log() != self.before:
            self.wrong.append("a game was changed")
        for which, name in enumerate(("worker", "child")):
            had = [it[which] for it in self.memory]
            if len(had) >= 8 and max(had[-2:]) > max(had[: len(had) // 4]) + GROWTH:
                self.wrong.append(f"the {name} grew from {max(had[: len(had) // 4]):.0f} to {max(had[-2:]):.0f} MB")
        return self.wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0, help="no longer than this")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep mails of which something went wrong")
    parser.add_argument("--database", default="", help="address of an empty database  [default: SQLite, thrown away]")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ReadingChild() as child:
        settings = Settings(_env_file=None, data_dir=Path(folder))  # type: ignore[call-arg]
        store = open_store(given.database or settings.database, settings=settings)
        try:
            store.migrate()
            letters = begun(store, list(domain.TITLES), 4, given.seed)
            print(
                f"{len(letters)} letters, {sum(bool(it.orders) for it in letters)} of which wait for orders", flush=True
            )
            run = Run(store, letters, given.seed, child, given.keep)
            began = time.monotonic()
            mails = run.go(given.mails, 60 * given.minutes)
            wrong = run.ended()
            seconds = time.monotonic() - began
        finally:
            store.close()
    print(f"{mails} mails in {seconds:.0f} s, {mails / seconds:.0f} a second; longest {run.longest}")
    print(f"kinds: {dict(run.kinds)}\nbecame: {dict(run.became)}")
    print("\n".join(wrong[:50]) or "No game changed, no mail failed, nothing grew.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
