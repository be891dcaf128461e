"""The layout: from a letter's content to the sent bytes, with text, HTML, picture and headers."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.headerregistry import Address
from email.utils import format_datetime, formataddr, parseaddr
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from config.settings import Settings
from service.games.talk_mail import TalkTold
from service.letters import columns, mime
from service.notices.replies import Issued
from service.people import bounces
from service.people.accounts import on_the_wire
from service.people.bounces import Returns
from service.post import hypertext

SENDER = "slowtrain"
"""The sender in a Feedback-ID."""
LARGEST = 90_000
"""Bytes of text and HTML together: one provider cuts off everything behind 102 kB."""
SHOWN = (90, 60, 40, 24, 12, 6, 0)
"""The numbers of lines of each list that the HTML of a large letter keeps: the largest that fits."""


class Mail(msgspec.Struct, frozen=True):
    """A mail ready to be sent. ``source``: its bytes, with CRLF.

    ``answers``: its reply addresses, which must be stored before it goes, with its ``lines``. ``returns``: its return
    address, which must be stored, too, and is the envelope's sender. ``answers_mail``: it answers a mail, so that
    nothing may answer it automatically. ``talk``: the lines of talk that it brings.
    """

    sender: str
    recipient: str
    source: bytes
    answers: tuple[Issued, ...] = ()
    lines: tuple[str, ...] = ()
    returns: Returns | None = None
    answers_mail: bool = False
    talk: tuple[TalkTold, ...] = ()


class Button(msgspec.Struct, frozen=True):
    label: str
    address: str


class OrderLine(msgspec.Struct, frozen=True):
    """An action as a player types it. ``number``: the number of a whole command, which a player may type instead.

    ``remark``: a hint about it. ``does``: the line that an answer with it contains; "" for none. ``now``: its one-tap
    link, only in HTML.
    """

    number: int | None
    text: str
    remark: str = ""
    does: str = ""
    now: Button | None = None


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A heading ("" for none) with its rows of cells, lines and orders. An empty section is left out.

    ``rows``: the first is the head, which the heading begins. ``picture``: below the heading, in HTML alone. ``links``:
    below the lines.
    ``listed``: each line is an item of a list. ``only``: the form that has it. Text has the whole position in words (so
    has HTML with `Letter.in_words`), HTML the facts that its picture lacks. ``more(count)``: the text for HTML if that
    many orders were left out.
    """

    heading: str
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()
    orders: tuple[OrderLine, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[Button, ...] = ()
    listed: bool = True
    picture: "LetterPicture | None" = None
    only: Literal["", "text", "html"] = ""
    more: Callable[[int], str] = str

    @property
    def is_empty(self) -> bool:
        return not (self.rows or self.lines or self.orders or self.picture)


class LetterTable(msgspec.Struct, frozen=True):
    """A table. The first column names the rows; the last row is a sum."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        return (self.head, *self.rows)


class LetterPicture(msgspec.Struct, frozen=True):
    png: bytes
    label: str


class GamePart(msgspec.Struct, frozen=True, kw_only=True):
    """One game's part of a mail about several. ``lines`` come before the picture, ``sections`` after it.

    ``answer``: the reply address of this game alone, with the label ``answer_label``.
    """

    heading: str
    lines: tuple[str, ...]
    picture: LetterPicture | None = None
    sections: tuple[Section, ...] = ()
    button: Button
    small: str
    answer: Issued | None = None
    answer_label: str = ""
    talk: tuple[TalkTold, ...] = ()


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a mail, in its order. ``above`` and ``name``: its title and its game;
    a letter about no single game names the service.

    ``how``: help for answers. ``kind``: of the notice. ``at``: the place in the game ("move 70, day 11"). ``thread``:
    the Message-IDs of the first and the latest earlier letter to its reader about the game. ``game_id``: the game of
    its thread and list; "" for none. ``offers``: one-tap links, only in HTML. ``reconstructed``: the link to the notes
    on reconstructed material. ``stop``: the link to stop mail. ``answer``: its reply address, if it has one.
    ``in_words``: its HTML has the sections of its text, since its reader wants no pictures. ``replies_to``: the
    Message-ID of the mail that it answers, "" if that has none; None if it answers no mail. ``talk``: the lines of talk
    that it brings.
    """

    lang: str
    subject: str
    above: str = "Slow Train"
    name: str = ""
    heading: str
    lead: tuple[str, ...]
    how: tuple[str, ...] = ()
    kind: str = ""
    at: str = ""
    thread: tuple[str, ...] = ()
    game_id: str = ""
    picture: LetterPicture | None = None
    table: LetterTable | None = None
    sections: Sequence[Section] = ()
    parts: tuple[GamePart, ...] = ()
    button: Button | None = None
    offers: tuple[Button, ...] = ()
    small: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()
    reconstructed: Button | None = None
    stop: Button | None = None
    answer: Issued | None = None
    in_words: bool = False
    replies_to: str | None = None
    talk: tuple[TalkTold, ...] = ()

    @property
    def answers(self) -> tuple[Issued, ...]:
        """All reply addresses of the letter and its parts."""
        every = (self.answer, *(part.answer for part in self.parts))
        return tuple(it for it in every if it)


def write(settings: Settings, letter: Letter, address: str, message_id: str, at: int) -> Mail:
    """Return the mail. The same letter, written for the same moment, has the same bytes."""
    display, sender = parseaddr(settings.mail_from)
    recipient = on_the_wire(address)
    local, _, domain = recipient.rpartition("@")
    headers = [
        mime.header("From", formataddr((display, sender))),
        mime.header("To", Address(username=local, domain=domain).addr_spec),  # RFC 6532: never encoded
        mime.words("Subject", one_line(letter.subject)),
        mime.header("Date", format_datetime(datetime.fromtimestamp(at // 1000, UTC))),
        mime.header("Message-ID", message_id),
        mime.header("Content-Language", letter.lang),  # RFC 3282
        # RFC 3834: machines should not answer
        mime.header("Auto-Submitted", "auto-generated" if letter.replies_to is None else "auto-replied"),
        mime.header("X-Auto-Response-Suppress", "All"),
    ]
    if letter.answer:
        headers.append(mime.header("Reply-To", letter.answer.address))
    if before := tuple(dict.fromkeys(it for it in (*letter.thread, letter.replies_to) if it)):
        # RFC 5322, 3.6.4: the letters of a game are one conversation; only sent mails are named.
        headers.append(mime.header("In-Reply-To", before[-1]))
        headers.append(mime.header("References", " ".join(before)))
    if letter.game_id:
        headers.append(mime.header("List-Id", f"<{letter.game_id}.games.{settings.mail_domain}>"))
    if letter.stop:
        headers.append(mime.header("List-Unsubscribe", f"<{letter.stop.address}>"))  # RFC 8058: one POST, no questions
        headers.append(mime.header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    if letter.stop and letter.kind:  # a large provider reports by it which kind of bulk mail is called spam
        headers.append(mime.header("Feedback-ID", f"{letter.kind}:{SENDER}"))
    picture_id = f"board.{message_id.strip('<>')}"
    plain = text(letter)
    page = _fitting(letter, picture_id, LARGEST - len(plain.encode()))
    source = mime.message(headers, _body(letter, message_id, picture_id, plain, page))
    lines = (*plain.splitlines(), *(line.text for line in hypertext.lines_of(page))) if letter.answers else ()
    returns = bounces.issue(settings, message_id, address)
    talk = (*letter.talk, *(told for part in letter.parts for told in part.talk))
    return Mail(sender, recipient, source, letter.answers, lines, returns, letter.replies_to is not None, talk)


def _fitting(letter: Letter, picture_id: str, most: int) -> str:
    """Return the HTML form. If it is longer than ``most`` bytes, leave out orders: the text has all of them."""
    page = html(letter, picture_id)
    for shown in SHOWN:
        if len(page.encode()) <= most:
            break
        page = html(letter, picture_id, shown)
    return page


def _body(letter: Letter, message_id: str, picture_id: str, plain: str, html: str) -> bytes:
    page = mime.text("html", html)
    pictures = {
        picture_id: letter.picture,
        **{f"{n}.{picture_id}": it.picture for n, it in enumerate(letter.parts, 1)},
        **{f"s{n}.{picture_id}": it.picture for n, it in enumerate(letter.sections, 1)},
    }
    inside = [mime.picture(picture.png, name) for name, picture in pictures.items() if picture]
    if inside:
        page = mime.together("related", [page, *inside], message_id)
    return mime.together("alternative", [mime.text("plain", plain), page], message_id)


def one_line(words: str) -> str:
    """Return ``words`` for a header: all control characters become spaces."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())[:200]


# ==== the two forms ===============================================================================
def text(letter: Letter) -> str:
    """Return the letter as plain text, in lines of at most 72 characters, except for addresses."""
    return _templates().get_template("letter.txt").render(letter=letter)


def html(letter: Letter, picture_id: str, shown: int | None = None) -> str:
    """Return the letter as HTML, with its styles in the elements, where mail programs look for them.

    ``shown``: the most orders of a list; None: all.
    """
    page = _templates().get_template("letter.html").render(letter=letter, picture_id=picture_id, shown=shown)
    return _inliner()(page)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["paragraph"] = columns.paragraph
    templates.filters["hanging"] = columns.hanging
    templates.filters["columns"] = columns.columns
    templates.filters["order"] = _order
    templates.filters["answer"] = _answer
    templates.globals["ends"] = columns.ends
    return templates


@cache
def _inliner() -> Callable[[str], str]:
    import css_inline  # 2 MB, which only a process that writes letters needs

    # The style element stays: elements cannot contain the rules for dark and narrow screens, and the rules for things
    # that occur a hundred times would double the length of a letter.
    return css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False).inline


def _order(order: OrderLine) -> str:
    """Return an order as text, in lines that are no orders if they are quoted."""
    mark = "*" if order.number is None else f"[{order.number}]"
    return columns.ends(f"{mark} {order.text}", order.remark, len(mark) + 1)


def _answer(issued: Issued, subject: str, line: str) -> str:
    """Return the address of an answer that contains a line (RFC 6068, whose section 5 has a "+" written as %2B)."""
    answer = one_line(f"Re: {subject}")
    body = f"&body={quote(line)}" if line else ""
    return f"mailto:{quote(issued.address, safe='@')}?subject={quote(answer)}{body}"
