"""From bytes to text without characters that a database refuses or a letter cannot show."""

import pytest

from service.post.charsets import decode


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        (b"move +2AA- ottawa", "utf-7", "move � ottawa"),
        (b"move \0ottawa", "utf-8", "move �ottawa"),
        (b"m\0o\0v\0e\0", "us-ascii", "m�o�v�e�"),
        (b"move \x1b[31mottawa", "iso-8859-1", "move �[31mottawa"),
        (b"\x1b$B0\\F0\x1b(B", "iso-2022-jp", "移動"),
        (b"move\tottawa\r\npass\n", "utf-8", "move\tottawa\r\npass\n"),
    ],
)
def test_control_characters_are_removed_from_text(data: bytes, declared: str, text: str) -> None:
    assert decode(data, declared) == text
