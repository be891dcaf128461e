"""Oversized mail is refused before parsing; mail that only looks bad is read within the child's time."""

import subprocess
from collections.abc import Iterator

import pytest

from service.post import child
from service.post.child import ReadingChild
from service.post.incoming import Question, examine
from service.post.limits import TooMuch, check, normal

from . import hostile


@pytest.fixture(scope="module")
def reader() -> Iterator[ReadingChild]:
    with ReadingChild() as reader:
        yield reader


@pytest.mark.parametrize(
    ("raw", "why"), [case[1:] for case in hostile.refused()], ids=[case[0] for case in hostile.refused()]
)
def test_oversized_mail_is_refused_by_counting(raw: bytes, why: str) -> None:
    with pytest.raises(TooMuch, match=why):
        check(normal(raw))
    assert (examine(Question(raw)).kind, examine(Question(raw)).why) == ("unreadable", why)


HARMLESS = list(hostile.read_all_the_same())


@pytest.mark.parametrize(("raw", "lines"), [case[1:] for case in HARMLESS], ids=[case[0] for case in HARMLESS])
def test_mail_that_only_looks_bad_is_read_in_time(
    reader: ReadingChild, raw: bytes, lines: tuple[str, ...] | None
) -> None:
    incoming = reader.read(Question(raw))
    assert incoming.why not in ("slow", "memory", "broken")
    if lines is not None:
        assert tuple(line.text for line in incoming.lines) == lines


def test_a_hundred_parts_are_not_too_many() -> None:
    parts = b"--b\r\nContent-Type: text/plain\r\n\r\nmove ottawa\r\n" * 100 + b"--b--\r\n"
    raw = hostile.HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + parts
    assert len(examine(Question(raw)).lines) == 100


@pytest.mark.parametrize("kind", ["text/plain", "text/html", "multipart/mixed", "multipart/report", "message/rfc822"])
@pytest.mark.parametrize("parameter", ["charset*0*=", "charset*0*=us'", "charset*1*=x", "name*0*=", "boundary*0*="])
def test_an_empty_split_parameter_breaks_nothing(kind: str, parameter: str) -> None:
    head = hostile.HEAD + f"Content-Type: {kind}; {parameter}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
    for sender in (None, ""):
        assert examine(Question(head + b"bW92ZSBPdHRhd2E=\r\n", sender=sender)).kind in (
            "person",
            "report",
            "automatic",
        )


def test_an_encrypted_mail_is_unreadable() -> None:
    raw = hostile.HEAD + b"Content-Type: multipart/encrypted; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n"
    assert examine(Question(raw)).why == "encrypted"


def test_an_s_mime_mail_is_unreadable() -> None:
    raw = hostile.HEAD + b"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\n\r\nMIAG"
    assert examine(Question(raw)).why == "encrypted"


def test_a_message_that_takes_too_long_ends_the_child_and_the_next_is_read() -> None:
    with ReadingChild(seconds=0.000_001) as hasty:
        assert hasty.read(Question(hostile.PLAIN + b"move ottawa\n" * 80_000)).why == "slow"
        assert hasty.read(Question(hostile.PLAIN + b"move ottawa\n" * 80_000)).why == "slow"


def test_a_message_that_takes_too_much_memory_is_reported_and_the_next_is_read() -> None:
    need = _memory_of_a_child()
    with ReadingChild(memory=need) as narrow:
        assert narrow.read(Question(hostile.PLAIN + b"move ottawa")).lines
        assert narrow.read(Question(hostile.PLAIN + b">\n" * 120_000, ("x y z",) * 300_000)).why == "memory"
        assert narrow.read(Question(hostile.PLAIN + b"move ottawa")).lines


def _memory_of_a_child() -> int:
    """Return the bytes of address space that a child needs for a short mail, and a little more."""
    with ReadingChild() as reader:
        reader.read(Question(hostile.PLAIN + b"move ottawa"))
        running = reader.running
        assert running is not None
        with open(f"/proc/{running.pid}/statm") as file:
            return int(file.read().split()[0]) * 4096 + 24_000_000


def test_a_child_that_died_between_two_messages_is_replaced() -> None:
    with ReadingChild() as reader:
        reader.read(Question(hostile.PLAIN))
        first = reader.running
        assert first is not None
        first.kill()
        first.wait()
        assert [line.text for line in reader.read(Question(hostile.PLAIN + b"move ottawa")).lines] == ["move ottawa"]


def test_the_child_ends_with_its_parent() -> None:
    running = subprocess.Popen(
        child.command(child.MEMORY, child.SECONDS), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert running.stdin is not None
    running.stdin.close()
    assert running.wait() == 0


@pytest.mark.parametrize("where", ["the mail", "a part"])
def test_a_space_before_a_header_colon_makes_no_attachment_readable(where: str) -> None:
    top, part = (b"Content-Type ", b"Content-Type") if where == "the mail" else (b"Content-Type", b"Content-Type\t")
    raw = (
        hostile.HEAD + top + b": multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee below\r\n--b\r\n"
        b"Content-Disposition : attachment\r\n" + part + b": text/csv; name=a.csv\r\n\r\nmove ottawa\r\n--b--\r\n"
    )
    assert [line.text for line in examine(Question(raw)).lines] == ["see below"]


def test_base64_of_any_length_with_text_below_breaks_nothing() -> None:
    for length in range(4, 14):
        raw = hostile.HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"A" * length + b"\r\n-- \r\nlist\r\n"
        assert examine(Question(raw)).kind == "person"


@pytest.mark.parametrize("charset", ["idna", "undefined", "punycode"])
@pytest.mark.parametrize("kind", ["text/plain", "text/html", "text/calendar", "multipart/mixed", "message/rfc822"])
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_a_python_codec_that_is_no_charset_breaks_nothing(charset: str, kind: str, encoding: str) -> None:
    raw = (
        f"From: ann@example.org\nTo: b@example.net\nSubject: Re: x\nContent-Type: {kind}; charset={charset}\n"
        f"Content-Transfer-Encoding: {encoding}\n\n"
    ).encode()
    for said in (b"\xff\xfemove Ottawa\n", b"bW92ZSBPdHRhd2E=\n\xff-- \nbelow\n"):
        assert examine(Question(raw + said)).kind in ("person", "report", "unreadable")
