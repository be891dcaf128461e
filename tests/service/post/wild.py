"""A second corpus of people's answers, made from ``wild.toml``: known habits of mail programs.

It was written before the reader had seen any of it. ``python -m tests.service.post.wild`` tells how well it is read:
exact: all lines that begin like an order, and no others; wrong: one of them was not the writer's.
"""

import argparse
import base64
import quopri
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from service.cli.read_mail import told
from service.post.incoming import Question, examine

ADDRESS = "g+abcdefghijklmnopqrstuvwx23@play.example"
LETTER = (
    "The Grand Trunk Journey - Northern mails                move 70, day 11",
    "You are Bert, Québec & Richmond. Your turn: all stand on day 11, your",
    "marker on top. Until Tuesday 24 Nov 2026, 18:00 (Berlin).",
    'Answer with your orders, one a line, such as "move Ottawa with Ottawa"',
    "",
    "SINCE YOUR LAST TURN",
    "* Cleo: Burlington to Albany, 1 day.",
    "move Boston with Boston Gondola",
    "claim Duluth-Omaha with 2 blue",
    "",
    "YOU CAN                                                            days",
    "[1] move Boston with Boston Gondola                                   4",
    "[2] move Burlington with Burlington                                   3",
    "pass",
    "7",
    "end turn",
    "Zum Tisch und ziehen:",
)
"""With bare orders, which no letter of ours has. It exposes a reader that cuts too little."""
ANSWERS = (
    ("move watertown",),
    ("3",),
    ("claim duluth-omaha with 2 blue 1 locomotive",),
    ("claim-route denver__kansas_city.black red,red,locomotive",),
    ("bewege ottawa", "lade holz", "zug beenden"),
    ("take back",),
    ("move montréal", "end turn"),
    ("keep-tickets toronto__miami",),
)
KNOWN = tomllib.loads((Path(__file__).parent / "wild.toml").read_text(encoding="utf-8"))


class Answer(Struct, frozen=True):
    """A mail, and its lines that begin like an order."""

    group: str
    name: str
    raw: bytes
    lines: tuple[str, ...]


def at(text: str) -> str:
    """Fill in the letter's address."""
    return text.replace("X", ADDRESS, 1) if "X" in text else text


# ==== how a mail is written down ==================================================================
HEAD = (
    f"From: Ann <ann@home.example>\r\nTo: Slow Train <{ADDRESS}>\r\nSubject: Re: Your turn\r\n"
    "Message-ID: <77@home.example>\r\nIn-Reply-To: <turn.1@play.example>\r\nMIME-Version: 1.0\r\n"
)


def part(kind: str, body: bytes, encoding: str, charset: str = "utf-8", more: str = "") -> bytes:
    """Return a part with its headers. ``encoding``: 8bit, base64 or quoted-printable."""
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    head = f"Content-Type: {kind}; charset={charset}{more}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def mail(
    plain: str | None = None, page: str | None = None, *, encoding: str = "quoted-printable", more: str = ""
) -> bytes:
    """Return a mail with a text, a page, or both. ``more``: parameters of the text's content type."""
    parts = [part("text/plain", plain.encode(), encoding, more=more)] if plain is not None else []
    parts += [part("text/html", page.encode(), encoding)] if page is not None else []
    if len(parts) == 1:
        return HEAD.encode() + parts[0]
    return HEAD.encode() + multipart("alternative", *parts)


def multipart(kind: str, *parts: bytes, more: str = "") -> bytes:
    """Join parts."""
    mark = f"=_{kind}_{len(parts)}"
    body = b"".join(b"\r\n--" + mark.encode() + b"\r\n" + each for each in parts)
    return (
        f'Content-Type: multipart/{kind}; boundary="{mark}"{more}\r\n\r\n'.encode()
        + body
        + f"\r\n--{mark}--\r\n".encode()
    )


def quote(prefix: str) -> str:
    return "\n".join(f"{prefix}{line}".rstrip() if prefix in ("> ", ">") else prefix + line for line in LETTER)


def divs(lines: Sequence[str]) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in lines)


def paragraphs(lines: Sequence[str]) -> str:
    return "".join(f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>' for line in lines)


def wrapped(line: str, width: int = 74) -> str:
    """Wrap an attribution as Gmail does: before the address."""
    first, mark, last = line.partition(" <")
    return f"{first}\n<{last}" if mark and len(line) > width else line


# ==== answers by program ==========================================================================
def gmail() -> Iterator[Answer]:
    for number, template in enumerate(KNOWN["gmail"]):
        head = at(template)
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        plain = f"{said}\n\n{wrapped(head)}\n\n{quote('> ')}\n"
        letter = "<br>".join(escape(line) for line in LETTER)
        page = (
            f'<div dir="ltr">{"<br>".join(map(escape, answer))}</div><br><div class="gmail_quote '
            f'gmail_quote_container">'
            f'<div dir="ltr" class="gmail_attr">{escape(head)}<br></div><blockquote class="gmail_quote" '
            'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'
            f"{letter}</blockquote></div>"
        )
        mobile = (
            f'<div dir="auto">{divs(answer)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
            f'{escape(head)}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 '
            f'.8ex">{letter}</blockquote></div>'
        )
        stripped = f"<div>{divs(answer)}</div><div>{escape(head)}<br></div><blockquote>{letter}</blockquote>"
        yield Answer("gmail", f"both: {template}", mail(plain, page), answer)
        yield Answer("gmail", f"mobile: {template}", mail(plain, mobile, encoding="base64"), answer)
        yield Answer("gmail", f"plain: {template}", mail(plain), answer)
        yield Answer("gmail", f"page alone: {template}", mail(None, stripped), answer)
        yield Answer("gmail below", template, mail(f"{wrapped(head)}\n\n{quote('> ')}\n\n{said}\n\nAnn\n"), answer)
        tight = f"{said}\n{wrapped(head)}\n{quote('> ')}\n"
        yield Answer("gmail", f"tight: {template}", mail(tight), answer)


def apple() -> Iterator[Answer]:
    for number, template in enumerate(KNOWN["apple"]):
        head = at(template)
        answer = ANSWERS[number % len(ANSWERS)]
        phone = KNOWN["phones"][number % 23]
        said = "\n".join(answer)
        marked = "\n".join(f"> {line}".rstrip() for line in (head, "", "\ufeff" + LETTER[0], *LETTER[1:]))
        page = (
            '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
            f'{"<br>".join(map(escape, answer))}<br><br><div dir="ltr">{escape(phone)}</div><div dir="ltr"><br>'
            f'<blockquote type="cite">{escape(head)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
            f"\ufeff{divs(LETTER)}</div></blockquote></body></html>"
        )
        yield Answer("apple", f"iOS: {template}", mail(f"{said}\n\n{phone}\n\n{marked}\n", page), answer)
        yield Answer("apple", f"iOS plain: {template}", mail(f"{said}\n\n{phone}\n\n{marked}\n"), answer)
        yield Answer("apple", f"iOS page: {template}", mail(None, page), answer)
        mac = f"{said}\n\n> {head}\n> \n{quote('> ')}\n"
        yield Answer("apple", f"Mac flowed: {template}", mail(mac, more="; format=flowed; delsp=yes"), answer)
        below = f"{head}\n\n{quote('> ')}\n\n{said}\n\n{phone}\n"
        yield Answer("apple below", template, mail(below), answer)
        between = page.replace("</div></blockquote>", "</div></blockquote>", 1)
        first, _, rest = between.partition("<div>SINCE")
        mine = "<br>".join(map(escape, answer))
        opened = '<blockquote type="cite"><div dir="ltr"><div>SINCE'
        inline = f"{first}</div></blockquote><div>{mine}</div><br>{opened}{rest}".replace(f"{mine}<br><br>", "", 1)
        yield Answer("apple between", template, mail(None, inline), answer)


def quoting() -> Iterator[Answer]:
    for number, (name, prefix, template) in enumerate(KNOWN["quoting"]):
        head, answer = at(template), ANSWERS[number % len(ANSWERS)]
        other = ANSWERS[(number + 3) % len(ANSWERS)]
        said = "\n".join(answer)
        yield Answer("quoting", f"{name}, above", mail(f"{said}\n\n{head}\n{quote(prefix)}\n"), answer)
        yield Answer(
            "quoting", f"{name}, signed", mail(f"{said}\n\n{head}\n{quote(prefix)}\n\n-- \nAnn\npass\n"), answer
        )
        yield Answer("quoting", f"{name}, below", mail(f"{head}\n{quote(prefix)}\n\n{said}\n"), answer)
        lines = quote(prefix).split("\n")
        mixed = "\n".join((head, *lines[:4], "", *answer, "", *lines[4:9], "", *other, "", *lines[9:]))
        yield Answer("quoting", f"{name}, between", mail(mixed), (*answer, *other))
        flowed = mail(f"{said}\n\n{head}\n{quote(prefix)}\n", more="; format=flowed")
        yield Answer("quoting", f"{name}, flowed", flowed, answer)
        bare = mail(f"{said}\n\n{head}\n{quote(prefix)}\n", encoding="8bit").replace(b"\r\n", b"\n")
        yield Answer("quoting", f"{name}, LF", bare, answer)


WHEN = {
    "from": f"Slow Train <{ADDRESS}>",
    "sent": "22.11.2026 10:00",
    "to": "Ann <ann@home.example>",
    "subject": "Your turn",
}


def blocks() -> Iterator[Answer]:
    """Yield answers of Outlook and similar programs: a block of headers above an unmarked quote."""
    for number, (name, *labels, line) in enumerate(KNOWN["blocks"]):
        answer = ANSWERS[number % len(ANSWERS)]
        said, letter = "\n".join(answer), "\n".join(LETTER)
        for colon in (":", "：") if labels[0][0] > "一" else (":",):
            pairs = list(zip(labels, WHEN.values(), strict=True))
            block = "\n".join(f"{label}{colon} {value}" for label, value in pairs)
            html = "<br>".join(f"<b>{escape(label)}{colon}</b> {escape(value)}" for label, value in pairs)
            below = paragraphs(LETTER)
            desktop = (
                '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><div class="WordSection1">'
                f'{paragraphs(answer)}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div '
                f'style="border:none;border-top:solid '
                f'#E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p '
                f'class="MsoNormal">{html}</p></div>{below}</div></body></html>'
            )
            naked = f"<html><body>{paragraphs(answer)}<p>{html}</p>{below}</body></html>"
            web = (
                f'<html><body>{divs(answer)}<div id="appendonsend"></div><hr style="display:inline-block;width:98%">'
                f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{html}</font><div>&nbsp;</div></div>'
                f"<div>{divs(LETTER)}</div></body></html>"
            )
            mobile = (
                f'<html><body><div dir="auto">{divs(answer)}</div><div id="ms-outlook-mobile-signature"><div></div>'
                'Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><hr '
                'style="display:inline-block;width:98%">'
                f'<div id="divRplyFwdMsg" dir="ltr">{html}</div>{divs(LETTER)}</body></html>'
            )
            group = "blocks"
            plain = f"{said}\n\n{line}\n{block}\n\n{letter}\n" if line else f"{said}\n\n{block}\n\n{letter}\n"
            yield Answer(group, f"{name}, desktop", mail(plain, desktop), answer)
            yield Answer(group, f"{name}, plain", mail(plain), answer)
            yield Answer(group, f"{name}, page", mail(None, desktop), answer)
            yield Answer(group, f"{name}, naked page", mail(None, naked), answer)
            yield Answer(group, f"{name}, web", mail(f"{said}\n\n{'_' * 32}\n{block}\n\n{letter}\n", web), answer)
            yield Answer(
                group,
                f"{name}, mobile",
                mail(
                    f"{said}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{'_' * 32}\n{block}\n\n{letter}\n", mobile
                ),
                answer,
            )
            marked = f"{said}\n\n" + "\n".join(f"> {each}" for each in (*block.split("\n"), "", *LETTER)) + "\n"
            yield Answer(group, f"{name}, marked", mail(marked), answer)
            swapped = "\n".join(f"{label}{colon} {value}" for label, value in (pairs[0], pairs[2], pairs[3], pairs[1]))
            yield Answer(group, f"{name}, other order", mail(f"{said}\n\n{swapped}\n\n{letter}\n"), answer)
            starred = "\n".join(f"*{label}{colon}* {value}" for label, value in pairs)
            yield Answer(group, f"{name}, starred", mail(f"{said}\n\n{starred}\n\n{letter}\n"), answer)


def special() -> Iterator[Answer]:
    """Yield answers of programs with formats of their own."""
    letter = "\n".join(LETTER)
    known = {
        "divs": divs(LETTER),
        "paragraphs": paragraphs(LETTER),
        "marked": "".join(f"<p>&gt; {escape(it)}</p>" for it in LETTER),
        "quoted": quote("> "),
        "tight": quote(">"),
        "indented": "\n".join(f" {it}" for it in LETTER),
        "letter": letter,
        "escaped": escape(letter),
    }
    for form in KNOWN["form"]:
        name, plain, html = form["name"], form.get("plain"), form.get("page")
        for answer in ANSWERS:
            text = None if plain is None else _filled(plain, known | {"text": "\n".join(answer)})
            for style, inner in (("divs", divs(answer)), ("breaks", "<br>".join(map(escape, answer)))):
                made = None if html is None else _filled(html, known | {"text": inner})
                if text is not None and made is not None:
                    yield Answer("special", f"{name}, both, {style}", mail(text, made), answer)
                if made is not None:
                    yield Answer("special", f"{name}, page, {style}", mail(None, made), answer)
            if text is not None:
                yield Answer("special", f"{name}, plain", mail(text), answer)
                yield Answer("special", f"{name}, flowed", mail(text, more="; format=flowed"), answer)


def _filled(form: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        form = form.replace(f"{{{name}}}", value)
    return form.replace("X", ADDRESS)


# ==== what stands around an answer ================================================================
GMAIL = f"On Sun, Nov 22, 2026 at 10:00 AM Slow Train <{ADDRESS}> wrote:"
FOOTERS = (
    "This email and any attachments are confidential and intended solely for the addressee.\nIf you have received this "
    "email in error please notify the sender and delete it.",
    "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind,\nlöschen Sie "
    "sie bitte.",
    "Virus-free. www.avast.com",
    "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    "Please consider the environment before printing this email.",
    "_______________________________________________\nPlayers mailing list\nPlayers@lists.example\n"
    "https://lists.example/listinfo/players",
    '--\nYou received this message because you are subscribed to the Google Groups "Players" group.\nTo '
    "unsubscribe from "
    "this group and stop receiving emails from it, send an email to players+unsubscribe@googlegroups.com.",
    "________________________________\nSociété X - 12 rue de la Gare - 75001 Paris",
    "***********************\nmove fast, ACME Corp\n***********************",
)
SIGNATURES = (
    "-- \nAnn Player\nmove house with ACME Removals\n+49 30 123456",
    "--\nAnn\nTel. 030 1234567",
    "Best,\nAnn",
    "Thanks!\nAnn",
    "Viele Grüße\nAnn",
    "Cheers, A.",
    "LG Ann",
    "Regards,\n\nAnn Player | ACME | Park Street 5",
    "Cordialement,\nAnn",
    "Mit freundlichen Grüßen\nAnn Spieler\n\nMusterweg 3\n10115 Berlin",
    "Saludos\nAnn",
    "/Ann",
    "– Ann",
    "- Ann",
    "xx",
    "Take care,\nAnn",
    "Keep well!\nAnn",
    "See you\n\nAnn",
    "Passe gut auf dich auf\nAnn",
    "Pass auf dich auf!",
    "Look forward to your move\nAnn",
    "Leave it with me",
    "Go easy on me :-)",
    "Gute Reise!",
    "Bis bald, Ann",
)


def around() -> Iterator[Answer]:
    tail = f"\n\n{GMAIL}\n\n{quote('> ')}\n"
    for number, phone in enumerate(KNOWN["phones"]):
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        yield Answer("phones", f"{phone}", mail(f"{said}\n\n{phone}{tail}"), answer)
        yield Answer("phones", f"{phone}, alone", mail(f"{said}\n\n{phone}\n"), answer)
        yield Answer("phones", f"{phone}, page", mail(None, f"{divs(answer)}<br><div>{escape(phone)}</div>"), answer)
    for number, signature in enumerate(SIGNATURES):
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        yield Answer("signatures", signature, mail(f"{said}\n\n{signature}{tail}"), answer)
        yield Answer("signatures", f"{signature}, alone", mail(f"{said}\n\n{signature}\n"), answer)
        yield Answer(
            "signatures", f"{signature}, flowed", mail(f"{said}\n\n{signature}{tail}", more="; format=flowed"), answer
        )
        page = f"{divs(answer)}<br>{divs(signature.split(chr(10)))}"
        yield Answer("signatures", f"{signature}, both", mail(f"{said}\n\n{signature}\n", page), answer)
    for footer in FOOTERS:
        for answer in ANSWERS:
            said = "\n".join(answer)
            yield Answer("footers", footer[:30], mail(f"{said}\n\n{footer}\n"), answer)
            yield Answer("footers", f"{footer[:30]}, quote", mail(f"{said}{tail}\n{footer}\n"), answer)
            both = HEAD.encode() + multipart(
                "mixed",
                part("text/plain", said.encode(), "8bit"),
                part("text/plain", footer.encode(), "7bit", "us-ascii"),
            )
            yield Answer("footers", f"{footer[:30]}, as a part", both, answer)
    banners = (
        "CAUTION: This email originated from outside of the organization. Do not click links or open "
        "attachments unless you\n"
        "recognize the sender and know the content is safe.",
        "[EXTERNAL EMAIL]",
        "*** EXTERNAL ***",
        "You don't often get email from ann@home.example. Learn why this is important",
        "ACHTUNG: Diese E-Mail stammt von einem externen Absender.",
        "[External Sender]",
    )
    for number, banner in enumerate(banners):
        for answer in ANSWERS[number % 2 :: 2]:
            said = "\n".join(answer)
            yield Answer("banners", banner[:30], mail(f"{banner}\n\n{said}{tail}"), answer)
            yield Answer(
                "banners",
                f"{banner[:30]}, page",
                mail(None, f"<table><tr><td>{banner}</td></tr></table>{divs(answer)}"),
                answer,
            )
    for number, hello in enumerate(
        ("Hi,", "Hallo zusammen,", "Hey Slow Train!", "Moin", "Dear all", "Bonjour", "Here we go:", "ok", "My turn:")
    ):
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        yield Answer(
            "talk", hello, mail(f"{hello}\n\n{said}\n\nGreat game so far, I did not see that coming.\n{tail}"), answer
        )
        yield Answer("talk", f"{hello} tight", mail(f"{hello}\n{said}\nthanks\n{tail}"), answer)
    for said, lines in (
        ("", ()),
        ("Thanks!", ()),
        ("I will move tomorrow.", ()),
        ("Sorry, I am away until Monday, back on the 30th.", ()),
        ("On Friday I will be away. See you.", ()),
        ("From what I see Ann is ahead.\nmove watertown", ("move watertown",)),
        ("On my list: Boston, Ottawa.\nmove ottawa", ("move ottawa",)),
        ("Wrote that yesterday:\nend turn", ("end turn",)),
        ("Subject to change:\nmove ottawa", ("move ottawa",)),
        ("To be honest: no idea\n4", ("4",)),
        ("Date: tomorrow? Sent: never\ntake back", ("take back",)),
    ):
        yield Answer("talk", said[:30], mail(f"{said}{tail}"), lines)
        yield Answer("talk", f"{said[:30]}, alone", mail(f"{said}\n"), lines)


# ==== how it is encoded ===========================================================================
def encodings() -> Iterator[Answer]:
    answer = ANSWERS[6]
    said = "\n".join(answer)
    both = (
        "utf-8",
        "iso-8859-1",
        "windows-1252",
        "iso-8859-15",
        "utf-16",
        "gb18030",
        "iso-2022-jp-2",
        "macintosh",
        "cp850",
    )
    for charset in both:
        try:
            body = said.encode(charset)
        except UnicodeEncodeError:
            continue
        for encoding in ("base64", "quoted-printable"):
            yield Answer(
                "charsets", f"{charset} {encoding}", HEAD.encode() + part("text/plain", body, encoding, charset), answer
            )
    plain = b"move ottawa\nend turn\n"
    for charset in (
        "koi8-r",
        "iso-2022-jp",
        "gb2312",
        "big5",
        "euc-kr",
        "ks_c_5601-1987",
        "unknown-8bit",
        "x-unknown",
        "default",
        "utf8",
        '"utf-8"',
        "us-ascii",
        "iso-8859-8-i",
        "windows-874",
        "utf-7",
        "ansi_x3.4-1968",
        "utf-8mb4",
        "cp-850",
        "unicode-1-1-utf-7",
    ):
        yield Answer(
            "charsets", charset, HEAD.encode() + part("text/plain", plain, "8bit", charset), ("move ottawa", "end turn")
        )
    mislabelled = HEAD.encode() + part(
        "text/plain", "“move montréal”\r\n– Ann\r\n".encode("cp1252"), "8bit", "iso-8859-1"
    )
    yield Answer("charsets", "cp1252 as latin-1", mislabelled, ("“move montréal”",))
    yield Answer(
        "charsets", "utf-8 as ascii", HEAD.encode() + part("text/plain", said.encode(), "8bit", "us-ascii"), answer
    )
    yield Answer(
        "charsets", "latin-1 as utf-8", HEAD.encode() + part("text/plain", said.encode("latin-1"), "8bit"), answer
    )
    bare = HEAD.encode() + b"\r\n" + said.encode().replace(b"\n", b"\r\n")
    yield Answer("charsets", "no content type", bare, answer)
    decomposed = HEAD.encode() + part("text/plain", "move montre\u0301al\nend turn".encode(), "8bit")
    yield Answer("charsets", "decomposed", decomposed, answer)
    for name, text in (
        ("soft hyphens", "move\u00a0montréal\nend\u00a0turn"),
        ("zero width", "\u200bmove montréal\u200b\nend turn\ufeff"),
        ("marks of direction", "\u202amove montréal\u202c\n\u200eend turn"),
        ("trailing blanks", "move montréal   \n end turn\t"),
    ):
        yield Answer("charsets", name, HEAD.encode() + part("text/plain", text.encode(), "base64"), answer)
    long = "claim-route denver__kansas_city.black red,red,locomotive"
    for width in range(10, len(long), 5):
        body = (long[:width] + "=\r\n" + long[width:] + "\r\n").encode()
        raw = HEAD.encode() + b"Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + body
        yield Answer("encodings", f"soft break {width}", raw, (long,))
    for word in (2, 3, 4):
        words = long.split(" ") if word == 2 else ["claim", "duluth-omaha", "with", "2", "blue", "1", "locomotive"]
        line = " ".join(words)
        cut = min(word, len(words) - 1)
        flowed = " ".join(words[:cut]) + " \n" + " ".join(words[cut:]) + "\nend turn\n"
        yield Answer("encodings", f"flowed {word}", mail(flowed, more="; format=flowed"), (line, "end turn"))
        delsp = " ".join(words[:cut]) + "  \n" + " ".join(words[cut:]) + "\nend turn\n"
        yield Answer("encodings", f"delsp {word}", mail(delsp, more="; format=flowed; delsp=yes"), (line, "end turn"))
        html = f"<div>{line}</div><div>end turn</div>"
        broken = " ".join(words[:cut]) + "\n" + " ".join(words[cut:]) + "\nend turn\n"
        yield Answer("encodings", f"wrapped plain {word}", mail(broken, html), (line, "end turn"))
        source = f"<html>\n<body>\n<p>{words[0]}\n {' '.join(words[1:])}</p>\n<p>end turn</p></body></html>"
        yield Answer("encodings", f"wrapped source {word}", mail(None, source), (line, "end turn"))
    text, crlf = "move ottawa\nend turn\n", b"move ottawa\r\r\nend turn\r\r\n"
    two = ("move ottawa", "end turn")
    yield Answer("encodings", "CR CR LF", HEAD.encode() + b"\r\n" + crlf, two)
    yield Answer("encodings", "bare CR", HEAD.encode() + b"\r\n" + b"move ottawa\rend turn\r", two)
    yield Answer(
        "encodings",
        "base64 one line",
        HEAD.encode() + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(text.encode()).rstrip(b"="),
        two,
    )
    yield Answer(
        "encodings",
        "base64 and a footer",
        HEAD.encode()
        + b"Content-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(text.encode())
        + b"\r\n-- \r\nfooter of a list\r\n",
        two,
    )
    yield Answer("encodings", "8-bit", HEAD.encode() + b"Content-Transfer-Encoding: 8-bit\r\n\r\n" + text.encode(), two)
    yield Answer("encodings", "type text", HEAD.encode() + b"Content-Type: text\r\n\r\n" + text.encode(), two)
    yield Answer(
        "encodings",
        "blank before the colon",
        HEAD.replace("Subject:", "Subject :").encode() + b"Content-Type : text/plain\r\n\r\n" + text.encode(),
        two,
    )
    yield Answer("encodings", "few headers", b"From: a@home.example\r\n\r\n" + text.encode(), two)
    yield Answer(
        "encodings",
        "mailbox line",
        b"From a@home.example Sun Nov 22 10:00:00 2026\n" + HEAD.encode() + b"\r\n" + text.encode(),
        two,
    )
    yield Answer(
        "encodings",
        "uppercase type",
        HEAD.encode() + b"CONTENT-TYPE: TEXT/PLAIN; CHARSET=UTF-8\r\n\r\n" + text.encode(),
        two,
    )
    for style in (
        "<pre>{}</pre>",
        "<p>{}</p>",
        "<span>{}</span>",
        '<font face="x">{}</font>',
        "<ul><li>{}</li></ul>",
        "<b><i>{}</i></b>",
        "<table><tr><td>{}</td></tr></table>",
        "<center>{}</center>",
        "<!-- x -->{}<!-- y -->",
        "<h1>{}</h1>",
        "<code>{}</code>",
    ):
        page = (
            "".join(style.format(line) for line in two)
            if not style.startswith(("<span", "<font", "<b>", "<!--", "<code"))
            else "<br>".join(style.format(line) for line in two)
        )
        yield Answer("pages", style, mail(None, page), two)
        yield Answer("pages", f"{style} both", mail(text, page), two)
    for name, page in (
        ("entities", "move&nbsp;ottawa<br>end&#32;turn"),
        ("style", "<style>pass</style>move ottawa<br>end turn"),
        ("hidden", '<div style="display:none">pass</div>move ottawa<br>end turn'),
        ("preheader", '<div style="max-height:0;overflow:hidden;mso-hide:all">pass</div>move ottawa<br>end turn'),
        ("struck out", "<s>pass</s><div>move ottawa</div><del>draw</del><div>end turn</div><strike>look</strike>"),
        (
            "Outlook's bar",
            "<div>move ottawa</div><div>end turn</div><div style='border:none;border-left:solid blue 1.5pt;"
            "padding:0cm 0cm 0cm 4.0pt'><p class=MsoNormal>pass</p></div>",
        ),
        ("script", "<script>pass</script><div>move ottawa</div><div>end turn</div>"),
        ("title", "<head><title>pass</title></head>move ottawa<p>end turn"),
        ("split word", "<div>mo<b>ve</b> ott<i>awa</i></div><div>end turn</div>"),
        ("upper case", "<DIV>move ottawa<BR>end turn</DIV>"),
        ("not closed", "<div><p>move ottawa<p>end turn"),
        ("comment", "move ottawa<!-- <br>pass<br> --><br>end turn"),
        ("a picture", 'move ottawa<br>end turn<br><img src="cid:1" alt="pass">'),
        ("font size 0", '<span style="font-size:0">pass</span><div>move ottawa</div>end turn'),
        ("a link", 'move <a href="http://maps.example/">ottawa</a><br>end turn'),
        ("a drawn line", "move ottawa<br>end turn<hr>Ann"),
        (
            "office",
            "<!--[if gte mso 9]><xml>pass</xml><![endif]--><p class=MsoNormal>move ottawa<o:p></o:p></p><p "
            "class=MsoNormal>end turn</p>",
        ),
    ):
        yield Answer("pages", name, mail(None, page), two)


def structures() -> Iterator[Answer]:
    two = ("move ottawa", "end turn")
    text = part("text/plain", b"move ottawa\nend turn\n", "7bit", "us-ascii")
    page = part("text/html", b"<div>move ottawa</div><div>end turn</div>", "7bit", "us-ascii")
    decoy = part("text/plain", b"pass\n3\n", "base64", more='; name="orders.txt"')
    attached = b'Content-Disposition: attachment; filename="orders.txt"\r\n' + part("text/plain", b"pass\n3\n", "7bit")
    inline = b"Content-Disposition: inline; filename=orders.txt\r\n" + part("text/plain", b"pass\n", "7bit")
    picture = b"Content-ID: <1>\r\n" + part("image/png", b"\x89PNG", "base64")
    original = b"Content-Type: message/rfc822\r\n\r\nFrom: x@play.example\r\nSubject: y\r\n\r\npass\r\n3\r\n"
    signed = part(
        "application/pgp-signature",
        b"-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n",
        "7bit",
        more='; name="signature.asc"',
    )
    smime = b'Content-Disposition: attachment; filename="smime.p7s"\r\n' + part(
        "application/pkcs7-signature", b"MII", "base64", more='; name="smime.p7s"'
    )
    card = part("text/vcard", b"BEGIN:VCARD\nEND:VCARD\n", "7bit", more='; name="ann.vcf"')
    invitation = part(
        "text/calendar", b"BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR\n", "7bit", more="; method=REQUEST"
    )
    alternative = multipart("alternative", text, page)
    shapes = {
        "attachment": multipart("mixed", text, attached),
        "named text": multipart("mixed", text, decoy),
        "inline file": multipart("mixed", text, inline),
        "attachment first": multipart("mixed", attached, text),
        "picture": multipart("related", page, picture),
        "alternative in mixed": multipart("mixed", alternative, attached),
        "related in alternative": multipart("alternative", text, multipart("related", page, picture)),
        "original attached": multipart("mixed", text, original),
        "digest": multipart("mixed", text, multipart("digest", original)),
        "PGP": multipart("signed", text, signed, more="; micalg=pgp-sha256; protocol=application/pgp-signature"),
        "S/MIME": multipart("signed", alternative, smime),
        "a card": multipart("mixed", text, card),
        "calendar": multipart("mixed", text, invitation),
        "Apple splits": multipart(
            "mixed", part("text/plain", b"move ottawa\n", "7bit"), picture, part("text/plain", b"end turn\n", "7bit")
        ),
        "page, picture, page": multipart(
            "mixed",
            part("text/html", b"<div>move ottawa</div>", "7bit"),
            picture,
            part("text/html", b"<div>end turn</div>", "7bit"),
        ),
        "preamble": multipart("mixed", text).replace(b"\r\n\r\n", b"\r\n\r\npass\r\n", 1),
        "epilogue": multipart("mixed", text) + b"pass\r\n3\r\n",
        "AMP": multipart("alternative", text, part("text/x-amp-html", b"<div>pass</div>", "7bit"), page),
        "enriched": multipart("alternative", text, part("text/enriched", b"<bold>pass</bold>", "7bit")),
        "empty text": multipart("alternative", part("text/plain", b"\n", "7bit"), page),
        "empty page": multipart("alternative", text, part("text/html", b"<div><br></div>", "7bit")),
        "no end": multipart("mixed", text).rpartition(b"--")[0].rpartition(b"--")[0],
        "TNEF": multipart("mixed", text, part("application/ms-tnef", b"x", "base64", more='; name="winmail.dat"')),
        "PGP inline": part(
            "text/plain",
            b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nmove ottawa\nend turn\n\n- -- \nAnn\n"
            b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n",
            "7bit",
        ),
    }
    for name, shape in shapes.items():
        yield Answer("structures", name, HEAD.encode() + shape, two)
        yield Answer("structures", f"{name}, LF", (HEAD.encode() + shape).replace(b"\r\n", b"\n"), two)


# ==== rarer ways ==================================================================================
def below_pages() -> Iterator[Answer]:
    """Yield answers below and between the quotes of a page."""
    known = {"divs": divs(LETTER), "first": divs(LETTER[:6]), "second": divs(LETTER[6:]), "head": escape(GMAIL)}
    for form in KNOWN["below"]:
        for answer in ANSWERS:
            page = _filled(form["page"], known | {"text": divs(answer)})
            yield Answer("below pages", form["name"], mail(None, page), answer)


def rare_heads() -> Iterator[Answer]:
    """Yield rare forms of attributions and blocks."""
    heads = (
        f"On Sun, Nov 22, 2026 at 10:00\u202fAM Slow Train <\n{ADDRESS}> wrote:",
        f'On Sun, 22 Nov 2026 at 10:00, "Slow Train" <{ADDRESS}>\nwrote:',
        f"On Sun, Nov 22, 2026 at 10:00 AM\nSlow Train\n<{ADDRESS}> wrote:",
        "On Nov 22, 2026, at 10:00 AM, Slow Train wrote:",
        f"Slow Train <{ADDRESS}> wrote on Sun, 22 Nov 2026 10:00:00 +0100:",
        f"On 11/22/26, Slow Train <{ADDRESS}> wrote:",
        "On 2026-11-22, Slow Train wrote:",
        f"Slow Train <{ADDRESS}> wrote (on 22 Nov 2026 10:00):",
        f"* Slow Train <{ADDRESS}> [2026-11-22 10:00]:",
        f"+++ Slow Train [22/11/26 10:00 +0100]:\n<{ADDRESS}> wrote:",
        "Quoting Slow Train (2026-11-22 10:00:00)",
        f"Sun, 22 Nov 2026 10:00:00 +0100 Slow Train <{ADDRESS}> wrote:",
        f"In article <abc@play.example>, Slow Train <{ADDRESS}> wrote:",
        f"Am Sonntag, 22. November 2026 schrieb Slow Train <{ADDRESS}> :",
        "Am 22.11.2026 schrieb Slow Train:",
        f"Le 22/11/2026 à 10:00, « Slow Train » <{ADDRESS}> a écrit :",
        f"Slow Train <{ADDRESS}> hat am 22. November 2026 um 10:00 geschrieben:",
        f"{ADDRESS} schrieb am 22.11.2026 10:00:",
        f"El 22/11/2026 10:00, {ADDRESS} escribió:",
        f"Citando Slow Train <{ADDRESS}>:",
        f"Il 22.11.2026 10:00 Slow Train <{ADDRESS}> ha scritto:",
        f"Den 22-11-2026 kl. 10:00 skrev {ADDRESS}:",
    )
    for number, head in enumerate(heads):
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        yield Answer("rare heads", head[:40], mail(f"{said}\n\n{head}\n{quote('> ')}\n"), answer)
        yield Answer("rare heads", f"{head[:40]}, below", mail(f"{head}\n{quote('> ')}\n\n{said}\n"), answer)
        deep = "\n".join(f"> {line}" for line in ("thanks", "", *head.split("\n"), *quote("> ").split("\n")))
        yield Answer("rare heads", f"{head[:40]}, twice", mail(f"{said}\n\n{GMAIL}\n\n{deep}\n"), answer)
    letter = "\n".join(LETTER)
    for number, (name, *labels, _) in enumerate(KNOWN["blocks"]):
        answer = ANSWERS[number % len(ANSWERS)]
        said = "\n".join(answer)
        pairs = [f"{label}: {value}" for label, value in zip(labels, WHEN.values(), strict=True)]
        apart = "\n\n".join(pairs)
        more = "\n".join((*pairs[:3], "Cc: bob@home.example", pairs[3], "Importance: High", "Attachments: a.png"))
        folded = "\n".join((*pairs[:2], f"{labels[2]}: ann@home.example;", " bob@home.example", pairs[3]))
        mailto = "\n".join((f"{labels[0]}: Slow Train [mailto:{ADDRESS}]", *pairs[1:]))
        indented = "\n".join(f"  {pair}" for pair in pairs)
        for kind, block in (
            ("more", more),
            ("folded", folded),
            ("mailto", mailto),
            ("indented", indented),
            ("apart", apart),
        ):
            yield Answer("rare blocks", f"{name}, {kind}", mail(f"{said}\n\n{block}\n\n{letter}\n"), answer)
        rows = "".join(
            f"<tr><td><b>{pair.partition(':')[0]}:</b></td><td>{escape(pair.partition(':')[2])}</td></tr>"
            for pair in pairs
        )
        page = f"{divs(answer)}<hr><table>{rows}</table>{divs(LETTER)}"
        yield Answer("rare blocks", f"{name}, table", mail(None, page), answer)
        lines = "".join(
            f"<div><b>{pair.partition(':')[0]}:</b>{escape(pair.partition(':')[2])}</div>" for pair in pairs
        )
        yield Answer(
            "rare blocks", f"{name}, divs", mail(None, f"{divs(answer)}<div>{lines}</div>{divs(LETTER)}"), answer
        )


def answers() -> Iterator[Answer]:
    """Yield all answers."""
    every = (gmail, apple, quoting, blocks, special, around, encodings, structures, below_pages, rare_heads)
    for made in every:
        yield from made()


# ==== figures =====================================================================================
def lines_of(raw: bytes) -> tuple[str, ...]:
    return tuple(told(examine(Question(raw)))["lines"])


def main() -> None:
    """Print how well the corpus is read."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.post.wild", description=__doc__)
    parser.add_argument("--failing", type=int, default=0, metavar="N", help="show so many that are not exact")
    parser.add_argument("--group", default="", help="this group alone")
    given = parser.parse_args()
    figures: dict[str, Counter[str]] = defaultdict(Counter)
    times: list[float] = []
    for it in answers():
        if given.group not in ("", it.group):
            continue
        began = time.perf_counter()
        read = lines_of(it.raw)
        times.append(time.perf_counter() - began)
        exact, wrong = read == it.lines, bool(set(read) - set(it.lines))
        for name in (it.group, "all"):
            figures[name].update(mails=1, exact=exact, wrong=wrong)
        if not exact and given.failing > 0:
            given.failing -= 1
            print(f"{it.group} | {it.name!r}\n    wanted {it.lines}\n    read   {read}")
    for name, found in figures.items():
        print(f"{name:<16}{found['mails']:>6}{found['exact'] / found['mails']:>9.1%}{found['wrong']:>6} wrong")
    times.sort()
    print(f"median {times[len(times) // 2] * 1000:.1f} ms, longest {times[-1] * 1000:.0f} ms")


if __name__ == "__main__":
    main()
