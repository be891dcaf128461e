"""Everything that can be wrong with a game is said in German, too, with the same facts."""

import ast
import inspect
import re

import pytest

from service.proof import audit, checks, faults, order
from service.proof.faults import GERMAN, said, told
from service.proof.verdicts import Fault


def sentences() -> list[str]:
    """Those of the proof of a stored game, as the code has them; “7” stands for each fact."""
    found = []
    for module in (audit, order, checks):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Fault", "_Wrong", "Disorder"):
                found += [node.args[0]]
            elif isinstance(node, ast.FunctionDef) and node.name == "_difference":
                found += [it.value for it in ast.walk(node) if isinstance(it, ast.Return)]
    texts = [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in it.values)
        if isinstance(it, ast.JoinedStr) else it.value
        for it in found if isinstance(it, ast.JoinedStr | ast.Constant)
    ]  # fmt: skip
    return [text for text in texts if " " in text and "7 were changed" not in text]


def test_there_are_many() -> None:
    assert len(sentences()) >= 36
    assert len(faults._german()) == len(GERMAN)


@pytest.mark.parametrize("what", sentences())
def test_each_has_its_german(what: str) -> None:
    german = said(what, "de")
    assert german != what
    assert german.count("7") == what.count("7")
    assert said(what, "en") == what


@pytest.mark.parametrize("english", GERMAN)
def test_both_have_the_same_blanks_and_each_is_found_by_itself(english: str) -> None:
    blanks = re.findall(r"\{(\w+)\}", english)
    assert sorted(blanks) == sorted(re.findall(r"\{(\w+)\}", GERMAN[english]))
    facts = {blank: f"<{blank}>" for blank in blanks}
    assert said(english.format(**facts), "de") == GERMAN[english].format(**facts)


def test_what_is_within_another_is_said_too_and_what_nobody_knows_stays() -> None:
    inner = "by the code of release 0.1.0: decided again it gives other bytes than the log has."
    assert "noch einmal entschieden" in said(inner, "de")
    assert said("Something of long ago.", "de") == "Something of long ago."
    assert told(Fault("The log is empty."), "de") == "Das Protokoll ist leer."
    assert told(Fault("it calls itself ply {3}.", 4), "de") == "Zug 4: er nennt sich selbst Zug {3}."
    assert told(Fault("it calls itself ply 3.", 4), "en") == "Ply 4: it calls itself ply 3."
