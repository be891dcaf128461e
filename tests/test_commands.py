"""The commands of the docs exist: ``slowtrain`` with its options, modules of tests, paths for pytest."""

import importlib.util
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from service.cli.main import main as slowtrain
from service.setup.answers import QUESTIONS
from tests import guide
from tests.test_docs import PAGES, ROOT

BLOCK = re.compile(r"^ *```sh[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:\.venv/bin/)?(?:slowtrain|(?:nice )?python -m|pytest) [^`]+)`")
ENDS = {"&&", "||", "|", ";", "&"}


def commands(page: Path) -> Iterator[list[str]]:
    """Return the commands of a page's shell blocks and of its running text, split into words."""
    text = page.read_text()
    lines = [line for block in BLOCK.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    for line in [*lines, *(" ".join(it.split()) for it in INLINE.findall(text))]:
        words: list[str] = []
        for word in [*split(line), ";"]:
            if word in ENDS:
                yield from [words] if words else []
                words = []
            else:
                words.append(word)


def split(line: str) -> list[str]:
    """Split a line into words as a shell would; a sentence's apostrophe is a letter."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>")
        lexer.wordchars += "…=~^$*+[]{},:@%!"
        return list(lexer)
    except ValueError:
        return line.split()


def of_slowtrain(words: list[str]) -> list[str] | None:
    """Return the words after ``slowtrain``; None if another program is started."""
    at = next((at for at, word in enumerate(words) if word.rpartition("/")[2] == "slowtrain"), None)
    starts = at is not None and all("=" in word or word in {"nice", "find", "xargs"} for word in words[:at])
    return words[at + 1 :] if starts and at is not None else None


def unknown(words: list[str]) -> list[str]:
    """Return the subcommands and options among the words that ``slowtrain`` does not know."""
    command: click.Command = slowtrain
    path, missing = ["slowtrain"], []
    for word in words:
        if word.startswith("-"):
            known = {name for it in command.params for name in (*it.opts, *it.secondary_opts)} | {"--help", "--version"}
            missing += [f"{' '.join(path)} {word}"] if word.partition("=")[0] not in known else []
        elif isinstance(command, click.Group):
            sub = command.get_command(click.Context(command), word)
            if sub is None:
                return [*missing, " ".join([*path, word])]
            command, path = sub, [*path, word]
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda it: str(it.relative_to(ROOT)))
def test_every_command_of_a_page_exists(page: Path) -> None:
    missing = []
    for words in commands(page):
        if (given := of_slowtrain(words)) is not None:
            missing += unknown(given)
        if "-m" in words and (module := words[words.index("-m") + 1]).startswith("tests"):
            missing += [module] if importlib.util.find_spec(module) is None else []
        if words[0].endswith("pytest"):
            missing += [it for it in words if it.startswith("tests/") and not (ROOT / it).exists()]
    assert missing == []


def test_commands_are_found_in_blocks_and_in_the_text() -> None:
    found = [words for page in PAGES for words in commands(page)]
    assert sum(of_slowtrain(words) is not None for words in found) > 60
    assert sum("-m" in words for words in found) > 30


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("slowtrain verify --all", []),
        ("slowtrain vrify --all", ["slowtrain vrify"]),
        ("slowtrain verify --al", ["slowtrain verify --al"]),
        ("slowtrain operate close GAME --cause fault", []),
        ("slowtrain operate shut GAME", ["slowtrain operate shut"]),
    ],
)
def test_a_command_that_does_not_exist_is_found(line: str, missing: list[str]) -> None:
    assert unknown(split(line)[1:]) == missing


OF_GUIDES = {
    "home": ({"", "root"}, 4),
    "mailbox": ({""}, 2),
    "rented": ({"root", "certbot", "home"}, 10),
    "production": ({"root"}, 6),
}
"""For each guide the places where its blocks run, and the least number of them."""


@pytest.mark.parametrize("page", OF_GUIDES)
def test_the_steps_of_a_guide_can_be_followed(page: str) -> None:
    """The shell can read them; ``python -m tests.guide`` runs them."""
    steps = list(guide.steps(page))
    kinds, least = OF_GUIDES[page]
    assert {step.needs for step in steps} == kinds
    assert len(steps) >= least
    for step in steps:
        subprocess.run(["bash", "-n"], input=step.script, text=True, check=True)


@pytest.mark.parametrize("page", ["home", "mailbox", "rented"])
def test_a_guide_names_the_questions_as_they_are_asked(page: str) -> None:
    asked = {it.words for it in QUESTIONS.values()}
    named = [question for step in guide.steps(page) for question, _ in step.answers]
    assert len(named) > 5
    others = {it for it in named if not any(words.startswith(it.rstrip("?")) for words in asked)}
    assert others <= {"Write this?", "all questions about mail"}
