"""The answered letter is known line by line: text that repeats several of its lines is a quote."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.post.incoming import Question, examine

LETTER = (
    "The Grand Trunk Journey",
    "",
    "PLACES            wants  gives      first                          away",
    "Niagara           coal   iron wood         terminal                 you",
    "You may move your train to any city that is next to yours, and load there.",
    "[3] move Richmond with Port 1",
    "[4] move Ottawa",
    "end turn",
    "pass",
)
HEAD = b"From: Anna <anna@home.example>\r\n\r\n"


def written(text: str) -> list[str]:
    """Return the lines read from an answer to that letter, none of whose quotes has a prefix."""
    return [line.text for line in examine(Question(HEAD + text.encode(), LETTER)).lines]


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("move Ottawa\n" + "\n".join(LETTER), ["move Ottawa"]),
        ("\n".join(LETTER) + "\nmove Ottawa", ["move Ottawa"]),
        ("end turn\npass\n", []),  # two lines of the letter, in its order
        ("pass\nend turn\n", ["pass", "end turn"]),  # not in its order
        ("end turn\n", ["end turn"]),  # a line copied alone is an order
        ("[3] move Richmond with Port 1\n", ["[3] move Richmond with Port 1"]),
        ("3\n4\n", ["3", "4"]),  # numbers of the letter's lines, not its lines
        ("move Ottawa\nend turn\n", ["move Ottawa", "end turn"]),  # the letter's line has a number
        ("PLACES wants gives first away\nmove Ottawa\nNiagara coal iron wood terminal you", None),
        ("places WANTS gives first away\nniagara coal iron wood terminal you\npass", ["pass"]),
        ("You may move your train to any city that is\nnext to yours, and load there.\n3", ["3"]),
        ("You may move your train to any\ncity that is next to yours, and\nload there.\n" + LETTER[5], []),
    ],
)
def test_lines_of_the_letter_are_quotes(answer: str, lines: list[str] | None) -> None:
    found = written(answer)
    if lines is None:
        assert "move Ottawa" in found
    else:
        assert found == lines


def test_lines_of_the_letter_are_cut_with_their_reason() -> None:
    contents = examine(Question(HEAD + "\n".join(LETTER).encode(), LETTER)).contents
    assert contents is not None
    assert {line.cut for line in contents.lines if line.text} == {"our letter"}


@settings(deadline=None)
@given(st.binary(max_size=3000), st.lists(st.text(max_size=60), max_size=10))
def test_any_bytes_get_a_result(raw: bytes, letter: list[str]) -> None:
    assert examine(Question(raw, tuple(letter))).kind in ("person", "automatic", "report", "unreadable")


@settings(deadline=None)
@given(st.text(max_size=2000))
def test_each_line_of_any_text_is_read_or_cut(text: str) -> None:
    raw = HEAD.replace(b"\r\n\r\n", b"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n") + text.encode()
    incoming = examine(Question(raw, LETTER))
    assert incoming.contents is not None
    assert [line.text for line in incoming.contents.lines if line.text and not line.cut] == [
        line.text for line in incoming.lines
    ]
