"""The bytes of a mail: every reader decodes the written text, and a header stays one header."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.letters import mime
from tests.workers.strict import read_strictly

FIXED = (
    mime.header("From", "Slow Train <trains@localhost>"),
    mime.header("To", "ann@example.org"),
    mime.header("Date", "Mon, 05 Jan 2026 12:00:00 +0000"),
    mime.header("Message-ID", "<1@localhost>"),
)


def written(subject: str, *parts: bytes) -> bytes:
    return mime.message((*FIXED, mime.words("Subject", subject)), mime.together("alternative", parts, "1"))


LINES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), include_characters="\t\n"))


@given(LINES, LINES)
def test_a_mail_decodes_to_the_written_text(one: str, other: str):
    mail = read_strictly(written("x", mime.text("plain", one), mime.text("html", other)))
    read = [part.get_content() for part in mail.iter_parts()]
    assert [each.replace("\r\n", "\n").removesuffix("\n") for each in read] == [
        one.removesuffix("\n"),
        other.removesuffix("\n"),
    ]


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" "), max_size=200))
def test_a_subject_decodes_to_the_written_text(subject: str):
    subject = " ".join(subject.split())
    assert read_strictly(written(subject, mime.text("plain", "")))["Subject"] == subject


@pytest.mark.parametrize("subject", ["=?utf-8?q?x?=", "Zug um Zug: Öl für Würzburg " * 7, "a" * 200, "Äß" * 99])
def test_a_strange_subject_decodes_to_the_written_text(subject: str):
    subject = subject.strip()
    raw = written(subject, mime.text("plain", ""))
    assert max(map(len, raw.split(b"\r\n"))) <= 220
    assert read_strictly(raw)["Subject"] == subject


def test_a_picture_arrives_complete():
    png = random.Random(1).randbytes(5000)
    page = mime.together("related", [mime.text("html", "<img src=cid:board@x>"), mime.picture(png, "board@x")], "1")
    mail = read_strictly(written("x", mime.text("plain", "x"), page))
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert (picture.get_content(), picture["Content-ID"]) == (png, "<board@x>")


@pytest.mark.parametrize("value", ["a\r\nBcc: b", "a\nb", "a\x00", "\t", "x" * 999])
def test_a_text_that_would_break_a_header_is_refused(value: str):
    with pytest.raises(mime.BadHeader):
        mime.header("List-Id", value)


def test_an_address_is_never_broken_or_encoded():
    address = "<https://trains.example/" + string.ascii_letters * 10 + ">"
    assert mime.header("List-Unsubscribe", address) == f"List-Unsubscribe: {address}\r\n".encode()
