"""Mutants: one small change each to a module of a title, made on its syntax tree.

It leaves alone annotations, decorators, bases and keywords of classes, strings, assertions (they are for the type
checker) and the words of a refusal or a sentence, which other tests check.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import CodeType
from typing import Any

DOMAIN = Path(__file__).parents[2] / "domain"
MODULES = (
    "rules/*.py", "decide.py", "course.py", "setup.py", "evolve.py", "state.py", "board.py", "cards.py",
    "trails.py",
)  # fmt: skip
"""The places of rules, legal lists and scoring in the folder of a title."""
SEATS = {"seat", "buyer", "owner", "bidder", "builder", "active", "on_turn", "actor"}
"""Variables and attributes that hold the number of a seat."""
WORDS = {"Refused", "Sentence"}
"""Their words are left alone."""
TYPES = {"Callable", "TypeVar"}
"""Their arguments are, too: they are for the type checker."""
SHORT = 90
"""The most characters of the expression in which a change is shown."""


# ==== places ======================================================================================
@dataclass(frozen=True)
class Place:
    """A node of a syntax tree: ``parents`` from the module down; ``field`` and ``index`` are its place in the last."""

    node: ast.AST
    parents: tuple[ast.AST, ...]
    field: str
    index: int | None

    @property
    def parent(self) -> ast.AST:
        return self.parents[-1]

    @property
    def where(self) -> str:
        """The enclosing function or class."""
        scopes = [each.name for each in self.parents if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        return ".".join(scopes) or "module"

    @property
    def function(self) -> tuple[str, ...]:
        """The names that lead to the outermost function around it; empty for code that runs at the import."""
        names: list[str] = []
        for parent, child in pairwise((*self.parents, self.node)):
            if isinstance(parent, ast.ClassDef):
                names.append(parent.name)
            elif isinstance(parent, ast.FunctionDef):
                return (*names, parent.name) if child in parent.body else ()
        return ()

    @contextmanager
    def holding(self, replacement: ast.AST) -> Iterator[None]:
        """Put ``replacement`` into the tree here for a while."""
        self._put(replacement)
        try:
            yield
        finally:
            self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node

    def whole(self) -> ast.AST:
        """The largest expression or statement around it that is still short."""
        whole = self.node
        for parent in reversed(self.parents):
            if hasattr(parent, "body") or hasattr(parent, "cases") or len(ast.unparse(parent)) > SHORT:
                break
            whole = parent
        return whole


def places(node: ast.AST, parents: tuple[ast.AST, ...] = ()) -> Iterator[Place]:
    """Yield every place below ``node`` where something may be changed."""
    for field, value in ast.iter_fields(node):
        if field in _LEFT_ALONE.get(type(node), ()) or _speaks(node):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.Assert | ast.JoinedStr | ast.arg):
                yield Place(child, (*parents, node), field, index)
                yield from places(child, (*parents, node))


_LEFT_ALONE: dict[type[ast.AST], tuple[str, ...]] = {
    ast.FunctionDef: ("decorator_list", "returns"),
    ast.ClassDef: ("bases", "keywords", "decorator_list"),
    ast.AnnAssign: ("annotation", "target"),
}


def _speaks(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name in WORDS | TYPES
    return False


# ==== operators ===================================================================================
@dataclass(frozen=True)
class Change:
    """A replacement of a node; ``told``: before and after in words, if the tree would not show it."""

    replacement: ast.AST
    told: tuple[str, str] | None = None


Operator = Callable[[Place], Iterator[Change]]
OPERATORS: list[Operator] = []


def operator(function: Operator) -> Operator:
    OPERATORS.append(function)
    return function


def like(node: Any, **fields: Any) -> Any:
    """Return ``node`` with other fields."""
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def without(items: Sequence[Any], index: int) -> list[Any]:
    return [*items[:index], *items[index + 1 :]]


_OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OTHER_SIGN: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


@operator
def comparison(place: Place) -> Iterator[Change]:
    """Turn ``<`` into ``<=``, ``==`` into ``!=``, ``in`` into ``not in``."""
    if isinstance(node := place.node, ast.Compare):
        for index, comparing in enumerate(node.ops):
            other = _OTHER_COMPARISON[type(comparing)]()
            yield Change(like(node, ops=[*node.ops[:index], other, *node.ops[index + 1 :]]))


@operator
def constant(place: Place) -> Iterator[Change]:
    """Make a number one more or one less, and ``True`` ``False``."""
    if isinstance(node := place.node, ast.Constant):
        if isinstance(node.value, bool):
            yield Change(ast.Constant(not node.value))
        elif isinstance(node.value, int):
            yield Change(ast.Constant(node.value + 1))
            if node.value > 0:
                yield Change(ast.Constant(node.value - 1))


@operator
def condition(place: Place) -> Iterator[Change]:
    """Turn ``and`` into ``or``, drop one of its conditions or ``not``, or negate a plain condition."""
    node = place.node
    if isinstance(node, ast.BoolOp):
        yield Change(like(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
        for index in range(len(node.values)):
            rest = without(node.values, index)
            yield Change(rest[0] if len(rest) == 1 else like(node, values=rest))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Change(node.operand)
    elif place.field == "test" and isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
        yield Change(ast.UnaryOp(ast.Not(), node))


@operator
def arithmetic(place: Place) -> Iterator[Change]:
    """Turn ``+`` into ``-``, or drop a minus."""
    node = place.node
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OTHER_SIGN:
        yield Change(like(node, op=_OTHER_SIGN[type(node.op)]()))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Change(node.operand)


@operator
def bound(place: Place) -> Iterator[Change]:
    """Turn ``min`` into ``max``, or drop one of its two bounds; turn ``any`` into ``all``."""
    node = place.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OTHER_NAME:
        yield Change(like(node, func=ast.Name(_OTHER_NAME[node.func.id], ast.Load())))
        if len(node.args) > 1:
            for index in range(len(node.args)):
                rest = without(node.args, index)
                yield Change(rest[0] if len(rest) == 1 else like(node, args=rest))


@operator
def missing_element(place: Place) -> Iterator[Change]:
    """Drop one element of a list, set, table or row of arguments, a condition of a comprehension, or a case of a
    ``match``.
    """
    node = place.node
    match node:
        case ast.List(elts=items) | ast.Set(elts=items):
            name = "elts"
        case ast.Tuple(elts=items) if not isinstance(place.parent, ast.Assign | ast.Return | ast.Subscript | ast.For):
            name = "elts"
        case ast.Call(keywords=items) if not _speaks(node):
            name = "keywords"
        case ast.comprehension(ifs=items):
            name = "ifs"
        case ast.Match(cases=items) if len(items) > 1:
            name = "cases"
        case ast.Dict():
            for index, key in enumerate(node.keys):
                told = ast.unparse(key or node.values[index])
                rest = like(node, keys=without(node.keys, index), values=without(node.values, index))
                yield Change(rest, (told, "nothing"))
            return
        case _:
            return
    for index, item in enumerate(items):
        told = ast.unparse(item.pattern) if isinstance(item, ast.match_case) else ast.unparse(item)
        yield Change(like(node, **{name: without(items, index)}), (told, "nothing"))


@operator
def missing_statement(place: Place) -> Iterator[Change]:
    """Drop a statement: a guard, a branch, an addition, an event; turn ``continue`` into ``break``."""
    match place.node:
        case ast.Expr(value=ast.Constant()):
            return  # a docstring
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield Change(ast.Pass())
        case ast.If(orelse=[]) | ast.For() | ast.While():
            yield Change(ast.Pass())
        case ast.Return(value=None) | ast.Break() | ast.Raise() if place.field == "body" and place.index:
            yield Change(ast.Pass())
        case ast.Assign(targets=[ast.Name(id=name)]) if _is_bound_before(place, name):
            yield Change(ast.Pass())
        case ast.Continue():
            yield Change(ast.Break())
            if place.index:
                yield Change(ast.Pass())


def _is_bound_before(place: Place, name: str) -> bool:
    """Has the function given ``name`` a value on an earlier line?"""
    functions = [each for each in place.parents if isinstance(each, ast.FunctionDef)]
    if not functions:
        return False
    earlier = [each for each in ast.walk(functions[-1]) if getattr(each, "lineno", 1 << 30) < place.node.lineno]
    return any(
        (isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store))
        or (isinstance(each, ast.arg) and each.arg == name)
        for each in earlier
    )


@operator
def returned_early(place: Place) -> Iterator[Change]:
    """End a loop after its first round."""
    if isinstance(node := place.node, ast.For) and not isinstance(node.body[-1], ast.Return | ast.Break | ast.Raise):
        yield Change(like(node, body=[*node.body, ast.Break()]), (_short(node), "only once"))


@operator
def another_seat(place: Place) -> Iterator[Change]:
    """Let the next seat be affected instead."""
    name = getattr(place.node, "id", None) or getattr(place.node, "attr", None)
    argument = isinstance(place.parent, ast.Call) and place.field == "args"
    if name in SEATS and (argument or isinstance(place.parent, ast.Subscript)) and _is_read(place.node):
        modulo = ast.BinOp(place.node, ast.Mod(), ast.Constant(2))
        yield Change(ast.BinOp(modulo, ast.Add(), ast.Constant(1)))


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


# ==== mutants =====================================================================================
@dataclass(frozen=True, eq=False)
class Mutant:
    """``file``: in the title's folder. ``where``: the function. ``before``, ``after``: the changed code.

    ``again``: how many mutants of the same look stand before it in that function.
    """

    title: str
    file: str
    where: str
    before: str
    after: str
    again: int
    tree: ast.Module
    place: Place
    replacement: ast.AST

    @property
    def key(self) -> str:
        """Its name in `equivalents`, whatever its line."""
        count = f" #{self.again + 1}" if self.again else ""
        return f"{self.file} {self.where}: {self.before} -> {self.after}{count}"

    @property
    def line(self) -> int:
        return next(each.lineno for each in (self.place.node, *reversed(self.place.parents)) if hasattr(each, "lineno"))

    @property
    def module(self) -> str:
        return f"domain.{self.title}.{self.file.removesuffix('.py').replace('/', '.')}"

    @property
    def path(self) -> Path:
        return DOMAIN / self.title / self.file

    def code(self) -> CodeType:
        """The whole module with the change, ready to run."""
        with self.place.holding(self.replacement):
            return compile(ast.fix_missing_locations(self.tree), self.path, "exec")


@cache
def mutants(title: str) -> list[Mutant]:
    """Return all mutants of a title, in the order of its files."""
    folder = DOMAIN / title
    files = [file for pattern in MODULES for file in sorted(folder.glob(pattern))]
    return [each for file in files for each in mutants_of(file.read_text(), title, str(file.relative_to(folder)))]


def mutants_of(source: str, title: str = "", file: str = "") -> Iterator[Mutant]:
    """Return all mutants of one module."""
    tree = ast.parse(source)
    seen: Counter[tuple[str, str, str]] = Counter()
    for place in places(tree):
        for change in (each for operator in OPERATORS for each in operator(place)):
            before, after = change.told or _look(place, change.replacement)
            look = place.where, before, after
            yield Mutant(title, file, *look, seen[look], tree, place, change.replacement)
            seen[look] += 1


def _look(place: Place, replacement: ast.AST) -> tuple[str, str]:
    if isinstance(place.node, ast.stmt):
        return _short(place.node), _short(replacement)
    whole = place.whole()
    before = _short(whole)
    with place.holding(replacement):
        return before, _short(replacement if whole is place.node else whole)


def _short(node: ast.AST) -> str:
    """Return its first line."""
    return ast.unparse(node).partition("\n")[0]
