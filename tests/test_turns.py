"""The check of all roads sees an answer that has changed."""

import json
from pathlib import Path

import pytest

from tests import turns


@pytest.mark.long
def test_a_changed_answer_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, now = tmp_path / "before", tmp_path / "now"
    asked = ["--positions", "1", "--title", "new_england"]
    assert turns.main([str(before), *asked]) == 0
    lines = before.read_text().splitlines()
    roads = {json.loads(line)["road"] for line in lines}
    assert {"API, lines made", "text box, collected", "mail, carried out", "one-tap link", "command line"} <= roads
    before.write_text("\n".join([*lines[:5], lines[5].replace("answer", "told", 1), *lines[6:]]) + "\n")
    assert turns.main([str(now), *asked, "--against", str(before)]) == 1
    assert now.read_text().splitlines() == lines, "the same code answers the same"
    assert "1 differ." in capsys.readouterr().out
