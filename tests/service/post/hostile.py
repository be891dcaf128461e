"""Mails that attack their reader."""

from collections.abc import Iterator

HEAD = b"From: a@home.example\r\nTo: g@play.example\r\nSubject: x\r\n"
PLAIN = HEAD + b"\r\n"


def _nested(depth: int, inner: bytes = b"move ottawa") -> bytes:
    opened = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (number, number) for number in range(depth)
    )
    return HEAD + opened + b"Content-Type: text/plain\r\n\r\n" + inner


def _page(html: bytes) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + html


def refused() -> Iterator[tuple[str, bytes, str]]:
    """Yield mails that counting refuses: name, bytes, reason."""
    yield "a megabyte and more", PLAIN + b"x" * 1_000_000, "large"
    yield "201 headers", HEAD + b"X-A: 1\r\n" * 198 + b"\r\nmove ottawa", "headers"
    yield "multiparts 1,000 deep", _nested(1000), "deep"
    yield "multiparts 21 deep", _nested(21), "deep"
    yield "messages in messages", HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 1000 + b"\r\nx", "deep"
    many = b"--b\r\n\r\nx\r\n" * 5_000 + b"--b--"
    yield "5,000 parts", HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + many, "parts"
    yield "a content type of 20 kB", HEAD + b"Content-Type: text/plain; x=" + b'"' * 20_000 + b"\r\n\r\nx", "header"
    folded = b"Content-Type: text/plain;" + b"\r\n a=b;" * 5_000
    yield "a content type of many lines", HEAD + folded + b"\r\n\r\nx", "header"


def read_all_the_same() -> Iterator[tuple[str, bytes, tuple[str, ...] | None]]:
    """Yield mails that are read: name, bytes, and the lines, or None if any lines will do."""
    move = ("move ottawa",)
    yield "an open quote in To", b'To: "\r\nFrom: a@home.example\r\n\r\nmove ottawa', move
    yield "a parameter without a value", HEAD + b"Content-Type: text/plain; name*\r\n\r\nmove ottawa", None
    yield "Exchange's Message-ID", HEAD + b"Message-ID: <[x]@[y].OUTLOOK.COM>\r\n\r\nmove ottawa", move
    yield "20,000 brackets in From", b"From:" + b"(" * 20_000 + b"\r\n\r\nmove ottawa", move
    yield "9,000 brackets in From", b"From:" + b"(" * 9_000 + b"\r\n\r\nmove ottawa", move
    to = b",\r\n ".join(b"p%d@home.example" % number for number in range(5_000))
    yield "5,000 recipients", b"To: " + to + b"\r\nFrom: a@home.example\r\n\r\nmove ottawa", move
    yield "2,000 encoded words", b"Subject: " + b"=?utf-8?q?a?=\r\n " * 2_000 + b"\r\n\r\nmove ottawa", move
    for charset in (b"zlib", b"idna", b"undefined", b"unicode_escape", b"rot13", b"base64", b"\xff", b"x" * 5_000):
        head = HEAD + b"Content-Type: text/plain; charset=" + charset + b"\r\n\r\n"
        yield f"charset {charset[:20]!r}", head + b"move ottawa", move
    yield "multiparts 20 deep", _nested(20), move
    yield (
        "a boundary never closed",
        HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nmove ottawa",
        move,
    )
    yield "no boundary", HEAD + b"Content-Type: multipart/mixed\r\n\r\nmove ottawa", None
    yield "base64 without an end", HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nbW92ZSBvdHRhd2E", move
    yield "no base64 at all", HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n!!!", None
    yield "a transfer encoding with a dash", HEAD + b"Content-Transfer-Encoding: 8-bit\r\n\r\nmove ottawa", move
    yield "an unknown transfer encoding", HEAD + b"Content-Transfer-Encoding: x-uue\r\n\r\nmove ottawa", None
    yield "nothing", b"", ()
    yield "headers alone", HEAD, ()
    yield "no headers", b"\r\n\r\nmove ottawa", None
    yield "NUL", PLAIN + b"mo\0ve ottawa\0", move
    yield (
        "lines that end in CR CR LF",
        PLAIN.replace(b"\r\n", b"\r\r\n") + b"move ottawa\r\r\nend turn",
        (*move, "end turn"),
    )
    yield "lines that end in CR", PLAIN + b"move ottawa\rend turn\r", (*move, "end turn")
    yield "half a million lines", PLAIN + b"\n" * 500_000 + b"move ottawa", None
    yield "lines of brackets", PLAIN + b"> " * 120_000 + b"\r\nx\r\nmove ottawa", None
    yield "one line of 900 kB", PLAIN + b"a" * 900_000, None
    yield "attributions without end", PLAIN + b"On 1.1.2026 10:00 x@y.example wrote\r\n" * 7_000, None
    yield "attributions", PLAIN + b"On 1.1.2026 10:00 x@y.example wrote:\r\n" * 7_000, None
    yield "almost a header block", PLAIN + b"From: x\r\nTo: y\r\n" * 15_000, None
    yield "dashes", PLAIN + (b"-" * 490 + b"x\r\n") * 500, None
    yield "rules around blanks", PLAIN + (b"--x" + b" " * 240 + b"x\r\n") * 500, None
    yield "names below greetings", PLAIN + b"move\r\n" + (b"cheers " + b"a" * 50 + b"?\r\n") * 4_000, None
    yield "names below thanks", PLAIN + b"move\r\n" + (b"thanks, " + b"a-" * 25 + b"!\r\n") * 4_000, None
    flowed = HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n"
    yield "a paragraph of 80,000 lines", flowed + b"x \r\n" * 80_000, None
    for name, html in (
        ("comments", b"<!--" * 20_000),
        ("half tags", b"<a" * 20_000),
        ("divisions", b"<div>" * 30_000 + b"move ottawa"),
        ("letters in divisions", b"<div>x" * 30_000),
        ("quotes", b"<blockquote>" * 10_000 + b"move ottawa"),
        ("tables", b"<table>" * 20_000),
        ("attributes", b"<p " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">"),
        ("gmail's quotes", b'<div class="gmail_quote">' * 8_000 + b"move ottawa"),
        ("breaks", b"<br>" * 60_000),
        ("entities", b"&amp;" * 50_000),
        ("an XML declaration", b'<?xml version="1.0" encoding="utf-16"?><p>move ottawa'),
        ("entities of its own", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><p>&b;&b;'),
        ("a long style", b'<p style="' + b"display:" * 20_000 + b'">x'),
        ("nothing", b""),
        ("blanks", b"   "),
    ):
        yield f"HTML: {name}", _page(html), None
