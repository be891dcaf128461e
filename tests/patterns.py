"""A search for every pattern over text from outside, and for texts whose matching time may grow faster than their
length.

The patterns are found in the modules themselves and in calls. The texts are made from a pattern's own parts: the lead
of a repeat, endless matches of the repeat, and no end for it. Work is the processor time of one thread, the least of
several runs, and only its growth over three doublings counts: eight times if linear, sixty-four times if quadratic.
"""

import ast
import functools
import importlib
import operator
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from re import _compiler, _parser  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
TOPS = ("config", "domain", "service", "workers")
OURS = {
    "service/proof/bundle/page.py",  # its own scripts and words, when the page is made
    "service/web/pages/frame/style.py",  # our own sheets
    "service/web/pages/rules/catalogue.py",  # our own documents
    "service/words/rulebooks.py",  # our own documents
    "service/cli/compare.py",  # text typed by an operator
    "service/keeping/copies.py",  # the list of a copy, as PostgreSQL writes it
    "service/database/statements.py",  # our own statements
    "domain/notation.py",  # names of our own classes
    "domain/new_england/face/picture.py",  # our own map
}
"""Modules whose patterns never meet a stranger's text. Migrations are named by their folder."""

SHORT = {"service.web.shared.field_errors._TEMPLATES": 500}
"""Patterns that are used only on texts of at most this number of characters."""

LENGTHS = (8, 12, 16, 20, 24, 32, 64, 128, 256, 512, 1024, 2048)
"""Lengths of texts, tried while the work is less than ``ENOUGH``. Some patterns are exponential."""
ENOUGH = 0.02
MOST = 3.0
"""The limit for the growth of work, relative to that of the length."""
TOO_LITTLE = 0.001
"""Seconds for the longest text: quadratic work takes more."""


class Used(NamedTuple):
    """A pattern, its place, and the method that uses it; "finditer" if unknown."""

    where: str
    pattern: re.Pattern[Any]
    method: str = "finditer"


# ==== search ======================================================================================
def _files() -> Iterator[Path]:
    for top in TOPS:
        for file in sorted((ROOT / top).rglob("*.py")):
            path = str(file.relative_to(ROOT))
            if path not in OURS and "migrations" not in file.parts:
                yield file


def _in_modules(methods: dict[tuple[str, str], set[str]]) -> Iterator[Used]:
    for file in _files():
        if file.name == "__main__.py":
            continue
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for known, value in vars(importlib.import_module(name)).items():
            for field, pattern in _patterns_in(known, value):
                asked = methods[str(file), field]
                yield Used(f"{name}.{known}", pattern, next(iter(asked)) if asked in AT_START else "finditer")


AT_START = ({"match"}, {"fullmatch"})


def _patterns_in(name: str, value: object, depth: int = 3) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns in a value of this name, each with its own name: that of its field in a named tuple."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, dict) and depth:
        yield from (each for one in value.values() for each in _patterns_in(name, one, depth - 1))
    elif isinstance(value, list | tuple | set | frozenset) and depth:
        fields = getattr(value, "_fields", [name] * len(value))
        pairs = zip(fields, value, strict=True)
        yield from (each for field, one in pairs for each in _patterns_in(field, one, depth - 1))


def _in_calls() -> tuple[dict[tuple[str, str], set[str]], list[Used]]:
    """Return the methods called on each name of a file, and the patterns written in calls of ``re``."""
    methods: dict[tuple[str, str], set[str]] = defaultdict(set)
    written: list[Used] = []
    for file in _files():
        text = file.read_text()
        if "match(" not in text and not _CALLS_OF_RE.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            of, method = node.func.value, node.func.attr
            name = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
            methods[str(file), name].add(method)
            if name == "re" and method != "compile" and node.args and isinstance(node.args[0], ast.Constant):
                pattern = re.compile(node.args[0].value, _flags([*node.args[1:], *(it.value for it in node.keywords)]))
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                written.append(Used(where, pattern, method if {method} in AT_START else "finditer"))
    return methods, written


_CALLS_OF_RE = re.compile(r"\bre\.\w+\(")


def _flags(arguments: Iterable[ast.AST]) -> int:
    """Return the flags of ``re`` in the arguments of a call."""
    named = (it.attr for each in arguments for it in ast.walk(each) if isinstance(it, ast.Attribute))
    return functools.reduce(operator.or_, (getattr(re, it, 0) for it in named if it.isupper()), 0)


def found() -> list[Used]:
    """Return all patterns of the program except those that never meet a stranger's text."""
    methods, written = _in_calls()
    once = {(it.pattern.pattern, it.pattern.flags, it.method): it for it in (*written, *_in_modules(methods))}
    return list(once.values())


# ==== hostile texts ===============================================================================
def _is_in(letter: str, items: Iterable[tuple[Any, Any]]) -> bool:
    return _compiler.compile(_parser.SubPattern(_parser.State(), [(op.IN, list(items))])).match(letter) is not None


LETTERS = " a1-.\t\n_A:>/@é(\"'<=x,;!0"


def _sample(tree: Iterable[tuple[Any, Any]]) -> str:
    """Return a text that the pattern may match: each repeat once."""
    return "".join(_sample_of(kind, value) for kind, value in tree)


def _sample_of(kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind in (op.NOT_LITERAL, op.ANY):
        return next(each for each in "x " if kind is op.ANY or ord(each) != value)
    if kind is op.IN:
        named = (chr(it[0] if isinstance(it, tuple) else it) for what, it in value if what in (op.LITERAL, op.RANGE))
        return next((each for each in (*LETTERS, *named) if _is_in(each, value)), "")
    if kind is op.BRANCH:
        return _sample(value[1][0])
    if kind is op.SUBPATTERN:
        return _sample(value[3])
    if kind is op.ATOMIC_GROUP:
        return _sample(value)
    if kind in REPEATS:
        return _sample(value[2]) * max(1, min(value[0], 40))
    return ""


REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def _leads(tree: Iterable[tuple[Any, Any]], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the lead of each repeat, and a match of the repeat."""
    for kind, value in tree:
        if kind in REPEATS:
            yield before, _sample(value[2])
            yield from _leads(value[2], before)
        elif kind is op.BRANCH:
            for one in value[1]:
                yield from _leads(one, before)
                yield before + _sample(one), ""
        elif kind is op.SUBPATTERN:
            yield from _leads(value[3], before)
        elif kind is op.ATOMIC_GROUP:
            yield from _leads(value, before)
        before += _sample_of(kind, value)
    yield before, ""


def hostile(pattern: re.Pattern[Any]) -> list[tuple[str, str]]:
    """Return pairs of a text's start, and its endless continuation."""
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    tree = _parser.parse(text, pattern.flags & ~re.DEBUG)
    leads = set(_leads(tree))
    plain = {("", each) for each in " -a1_.>:(\n"}
    pumped = {(before, after) for before, body in leads for after in {body, " ", "-", f"{body} "} if after}
    again = {("", before) for before, _ in leads if before} | {("", before[:-1]) for before, _ in leads if before[:-1]}
    return sorted(plain | pumped | again)


def _work(ask: Callable[[Any], object], text: Any, runs: int) -> float:
    least = float("inf")
    for _ in range(runs):
        began = time.thread_time()
        ask(text)
        least = min(least, time.thread_time() - began)
    return least


def grows_too_fast(used: Used, before: str, pump: str) -> bool:
    """Does the work for such a text grow faster than its length?"""

    def text(length: int) -> Any:
        made = (before + pump * (length // len(pump) + 1))[:length] + "\0a"
        return made.encode("latin-1", "replace") if isinstance(used.pattern.pattern, bytes) else made

    def ask(text: Any) -> object:
        found = getattr(used.pattern, used.method)(text)
        return sum(1 for _ in found) if used.method == "finditer" else found

    lengths = [min(length, SHORT.get(used.where, length)) for length in LENGTHS]
    place = next((at for at, length in enumerate(lengths) if _work(ask, text(length), 1) > ENOUGH), len(lengths) - 1)
    long, short = lengths[place], lengths[max(0, place - 3)]
    return all(
        (spent := _work(ask, text(long), runs)) > TOO_LITTLE
        and spent > MOST * long / short * _work(ask, text(short), runs)
        for runs in (1, 3, 9)
    )
