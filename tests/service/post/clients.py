"""Mail programs' ways to write an answer: attribution, prefixes and HTML of each. Replies are made of these."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

LETTER = (
    "The Grand Trunk Journey - Northern mails                move 70, day 11",
    "You are Bert, Québec & Richmond. Your turn until Tuesday 24 Nov 2026.",
    "",
    'Answer with your orders, one a line, such as "move Ottawa".',
    "move Boston",
    "end turn",
    "",
    "[3] move Richmond with Port 1",
    "pass",
    "3",
)
"""A letter with bare orders, which no letter of ours has. It exposes a reader that cuts too little."""
ADDRESS = "g+7k2m4n6p8q3r5s7t9v2w4x6y8z@play.example"

ANSWERS: tuple[tuple[str, ...], ...] = (
    ("move watertown",),
    ("3",),
    ("claim duluth-omaha with 2 blue 1 locomotive", "keep-tickets toronto__miami"),
    ("claim-route denver__kansas_city.black red,red,locomotive",),
    ("bewege ottawa", "lade holz", "zug beenden"),
    ("take back",),
    ("move montréal", "end turn"),
    ("Hi there, here is what I want to do:", "move Québec", "passe"),
)

BARE, QUOTED, INDENTED = "bare", "quoted", "indented"


class Once(HeaderRegistry):
    """Parses a header once: those of all these mails are the same."""

    __call__ = lru_cache(HeaderRegistry.__call__)


POLICY = default.clone(header_factory=Once())


class Client(Struct, frozen=True):
    """A program, as ``clients.toml`` describes it."""

    name: str
    attribution: str
    plain: str = QUOTED
    page: str = ""
    prefix: str = "> "
    signature: str = ""
    flowed: bool = False
    inline: bool = False
    transfer: str = "quoted-printable"


_HERE = Path(__file__).parent
CLIENTS: tuple[Client, ...] = tuple(
    convert({**client, "attribution": client["attribution"].replace("ADDRESS", ADDRESS)}, Client)
    for client in tomllib.loads((_HERE / "clients.toml").read_text(encoding="utf-8"))["client"]
)


class Reply(Struct, frozen=True):
    """A person's answer, and the lines they wrote. It is made on demand: over a thousand take a while."""

    group: str
    name: str
    made: Callable[[], bytes]
    lines: tuple[str, ...]
    alone: tuple[str, ...] = ()

    @property
    def raw(self) -> bytes:
        return self.made()


def kept() -> Iterator[Reply]:
    """Yield the answers of ``replies.toml``."""
    for one in tomllib.loads((_HERE / "replies.toml").read_text(encoding="utf-8"))["reply"]:
        yield Reply(one["group"], one["name"], partial(_kept, one), tuple(one["lines"]), tuple(one.get("alone", ())))


def _kept(one: Mapping[str, Any]) -> bytes:
    if "raw" in one:
        return str(one["raw"]).lstrip().encode()
    return mail(one.get("text", "").splitlines(), one.get("page", ""))


def replies() -> Iterator[Reply]:
    """Yield every client with every answer, above, below and between its quotes; and the stored replies."""
    yield from kept()
    for client in CLIENTS:
        for number, answer in enumerate(ANSWERS):
            yield Reply("clients", f"{client.name} {number}", partial(above, client, answer), answer)
        answer = ANSWERS[4]
        if client.plain == QUOTED:
            yield Reply("placement", f"{client.name}, below", partial(below, client, answer), answer)
            yield Reply("placement", f"{client.name}, between", partial(between, client, answer), answer)
        if client.page:
            yield Reply("html only", client.name, partial(_only, _page, client, ANSWERS[6]), ANSWERS[6])
        if client.inline:
            yield Reply("html only", f"{client.name}, between", partial(_only, _page_between, client, answer), answer)
        yield Reply("empty", client.name, partial(above, client, ()), ())


def _only(page: Callable[[Client, Sequence[str]], str], client: Client, answer: Sequence[str]) -> bytes:
    return mail(page=page(client, answer))


def above(client: Client, answer: Sequence[str]) -> bytes:
    """Return an answer above the quote."""
    signature = ["", *client.signature.split("\n")] if client.signature else []
    text = [*answer, *signature, "", *_head(client), "", *_quote(client), ""]
    return mail(text, _page(client, answer), flowed=client.flowed, transfer=client.transfer)


def below(client: Client, answer: Sequence[str]) -> bytes:
    """Return an answer below the quote, in plain text."""
    return mail([*_head(client), *_quote(client), "", *answer, "", *client.signature.split("\n")], flowed=client.flowed)


def between(client: Client, answer: Sequence[str]) -> bytes:
    """Return the answer in plain text, with each of its lines below a line of the quote."""
    quote = _quote(client)
    text = [*_head(client)]
    for number, line in enumerate(quote):
        text += [line, *answer[number : number + 1]]
    return mail(text, flowed=client.flowed)


def _head(client: Client) -> list[str]:
    """Return the attribution, wrapped at 72 columns as Gmail wraps it."""
    lines = client.attribution.split("\n")
    if client.page == "gmail" and len(lines[0]) > 72:
        first, _, last = lines[0].rpartition(" ")
        return (
            [first, last]
            if first.endswith(">")
            else [lines[0].replace(">", "\n>", 1).split("\n")[0], ">" + lines[0].partition(">")[2]]
        )
    return lines


def _quote(client: Client) -> list[str]:
    prefix = {BARE: "", INDENTED: "    "}.get(client.plain, client.prefix)
    return [f"{prefix}{line}" for line in LETTER]


def _page(client: Client, answer: Sequence[str]) -> str:
    if not client.page:
        return ""
    text = "".join(f"<div>{escape(line)}</div>" for line in answer) or "<br>"
    quote = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in LETTER)
    return _filled(_template(client), text, client, quote)


def _page_between(client: Client, answer: Sequence[str]) -> str:
    """Return the answer in HTML, with each of its lines between two pieces of the quote, which the program splits."""
    page = _template(client)
    opening = page[page.rindex("<blockquote") : page.index("{quote}")]
    closing = "</div></blockquote>" if "<div>" in opening else "</blockquote>"
    pieces = [f"<div>{escape(line)}</div>" for line in LETTER if line]
    quote = pieces[0]
    for piece, line in zip(pieces[1:], answer, strict=False):
        quote += f"{closing}<div>{escape(line)}<br></div>{opening}{piece}"
    return _filled(_template(client), "<br>", client, quote)


def _template(client: Client) -> str:
    return (_HERE / f"pages/{client.page}.html").read_text(encoding="utf-8").rstrip()


def _filled(template: str, text: str, client: Client, quote: str) -> str:
    head = escape(client.attribution).replace("\n", "<br>")
    return template.replace("{text}", text).replace("{head}", head).replace("{quote}", quote)


def mail(
    text: Sequence[str] = (), page: str = "", *, flowed: bool = False, transfer: str = "quoted-printable"
) -> bytes:
    """Return a mail with a text, or a page, or both."""
    message = EmailMessage(POLICY)
    message["From"] = "Anna Player <anna@home.example>"
    message["To"] = ADDRESS
    message["Subject"] = "Re: Your turn: move Boston"
    message["Message-ID"] = "<1@home.example>"
    message["In-Reply-To"] = "<2@play.example>"
    if text or not page:
        message.set_content("\n".join(text) + "\n", cte=transfer, charset="utf-8")
        if flowed:
            message.set_param("format", "flowed")
        if page:
            message.add_alternative(page, subtype="html", cte=transfer)
    else:
        message.set_content(page, subtype="html", cte=transfer)
    return message.as_bytes()
