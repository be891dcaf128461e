"""Running a title's own tests on its mutants, each in a forked process, until the first failure.

Code that runs at the import of a module (tables, constants, classes) is changed at the import. A process that has not
imported the title yet is forked, imports it with the change and collects the tests. Most mutants are bodies of
functions, for which the tests are collected once: each forked process puts the changed code into the function and runs
them. Values that test modules computed at their import then still come from the unchanged rules, so each test must
compute its own.
"""

import gc
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType

os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

import hypothesis
import pytest

from tests.mutants.operators import DOMAIN, Mutant

for common in ("domain.play", "domain.drawing", "domain.house_words", "tests.contract.games", "tests.spec"):
    import_module(common)
hypothesis.settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("mutants")

TESTS = Path(__file__).parents[1] / "domain"
OPTIONS = [
    "--noconftest", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:terminal", "-s",
    "--rootdir", str(TESTS.parents[1]),
]  # fmt: skip
NOT_ASKED = {"test_bots.py"}
"""A bot's strength needs many games to measure, and says nothing of one rule."""
LAST = {"test_words.py", "test_picture.py", "test_narrate.py"}
SECONDS = 60
"""The most seconds of a processor for a process."""
MEMORY = 4 << 30
"""The most bytes, for mutants that collect without end."""


# ==== which tests =================================================================================
def files_of(title: str, pattern: str) -> list[Path]:
    """Return the title's test files of such a name, those of words and pictures last."""
    files = [file for file in sorted((TESTS / title).glob(pattern)) if file.name not in NOT_ASKED]
    return sorted(files, key=lambda file: file.name in LAST)


def nearest_first(mutant: Mutant, files: Iterable[Path]) -> list[Path]:
    """Return the file named like the module first, then those that RULES.md names for the function, then the others."""
    rows = (DOMAIN / mutant.title / "RULES.md").read_text().splitlines()
    held = [row for row in rows if f"`{mutant.file}:{mutant.place.where}`" in row]
    named = {name for row in held for name in re.findall(r"`(test_\w+\.py):", row)}
    own = f"test_{Path(mutant.file).name}"
    return sorted(files, key=lambda file: (file.name != own, file.name not in named))


# ==== one process =================================================================================
Work = Callable[[int], int]
"""The work of a forked process: it may write into a pipe, and returns an exit code of pytest."""


class Forked:
    """A process that does ``work`` silently."""

    def __init__(self, work: Work) -> None:
        self.pipe, theirs = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            code: int = pytest.ExitCode.INTERNAL_ERROR
            try:
                nothing = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nothing, 1)
                os.dup2(nothing, 2)
                resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                code = work(theirs)
            finally:
                os._exit(code)
        os.close(theirs)

    def written(self) -> str:
        """Return all that it has written into the pipe. Waits for its end."""
        with os.fdopen(self.pipe) as pipe:
            return pipe.read()


class Failures:
    """A plugin of pytest that writes the first failure into ``pipe``."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tell(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._tell(report)

    def _tell(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed:
            self.end(report.nodeid)

    def end(self, failure: str) -> None:
        os.write(self.pipe, failure.encode())
        os._exit(pytest.ExitCode.TESTS_FAILED)


class Impatient(Failures):
    """A plugin that fails a test which takes much longer than on the unchanged rules."""

    def __init__(self, pipe: int, usual: Mapping[str, float]) -> None:
        super().__init__(pipe)
        self.usual = usual

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.signal(signal.SIGPROF, lambda *_: self.end(f"{nodeid}, which does not end"))
        signal.setitimer(signal.ITIMER_PROF, 1 + 4 * self.usual[nodeid])


class Timed(Failures):
    """A plugin that writes the duration of each test, in seconds of a processor."""

    def pytest_runtest_logstart(self) -> None:
        self.began = time.process_time()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        os.write(self.pipe, f"{time.process_time() - self.began:.3f} {nodeid}\n".encode())


class FailsAsItIs(Exception):
    """The tests fail without any change."""


def as_it_is(files: Sequence[Path]) -> dict[str, float]:
    """Return the duration of each test on the unchanged title, in seconds of a processor. Raises `FailsAsItIs`."""
    forked = Forked(lambda pipe: pytest.main([*OPTIONS, *map(str, files)], [Timed(pipe)]))
    *lines, last = forked.written().split("\n")
    _, status = os.waitpid(forked.pid, 0)
    if status or last:
        raise FailsAsItIs(last)
    return {nodeid: float(seconds) for seconds, _, nodeid in (line.partition(" ") for line in lines)}


# ==== many ========================================================================================
@dataclass(frozen=True)
class Tester:
    """Tries mutants of one title with the tests of ``files``, ``processes`` at a time.

    ``usual``: the duration of each test on the unchanged title. ``tell(mutant, killer)`` is called at the end of each:
    ``killer`` is the failed test, or another cause; empty if all passed.
    """

    files: Sequence[Path]
    usual: Mapping[str, float]
    processes: int
    tell: Callable[[Mutant, str], None]

    def try_all(self, mutants: Iterable[Mutant]) -> None:
        """Try mutants changed at the import first: when the tests have been collected here, the title is imported."""
        at_import, bodies = [], []
        for mutant in mutants:
            (bodies if mutant.place.function else at_import).append(mutant)
        self.each(at_import, self._imported)
        if bodies and (code := pytest.main([*OPTIONS, *map(str, self.files)], [Collected(self, bodies)])):
            raise RuntimeError(f"pytest gave up ({code})")

    def _imported(self, mutant: Mutant) -> Work:
        def work(pipe: int) -> int:
            sys.meta_path.insert(0, Changed(mutant))
            files = nearest_first(mutant, self.files)
            return pytest.main([*OPTIONS, *map(str, files)], [Impatient(pipe, self.usual)])

        return work

    def each(self, mutants: Iterable[Mutant], work_on: Callable[[Mutant], Work]) -> None:
        """Work on each of them in a process of its own."""
        waiting = iter(mutants)
        running: dict[int, tuple[Mutant, Forked]] = {}

        def start_next() -> None:
            if (mutant := next(waiting, None)) is not None:
                forked = Forked(work_on(mutant))
                running[forked.pid] = mutant, forked

        for _ in range(self.processes):
            start_next()
        while running:
            pid, status = os.wait()
            mutant, forked = running.pop(pid)
            self.tell(mutant, forked.written() or _otherwise(os.waitstatus_to_exitcode(status)))
            start_next()


def _otherwise(code: int) -> str:
    """Return the end of a process in which no test failed."""
    if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"pytest found nothing to run ({code})")
    return "" if code == pytest.ExitCode.OK else f"exit code {code}"


class Changed(SourceFileLoader):
    """Finds and loads one module, from changed code."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.changed = mutant.code()

    def get_code(self, fullname: str) -> CodeType:
        return self.changed

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None


class Collected:
    """A plugin of pytest that runs the collected tests on each mutant, in a process of its own."""

    def __init__(self, tester: Tester, mutants: Sequence[Mutant]) -> None:
        self.tester, self.mutants = tester, mutants

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise RuntimeError("not all tests can be collected")
        gc.freeze()

        def work_on(mutant: Mutant) -> Work:
            def work(pipe: int) -> int:
                put_in(mutant)
                session.config.pluginmanager.register(Impatient(pipe, self.tester.usual))
                near = nearest_first(mutant, self.tester.files)
                items = sorted(session.items, key=lambda item: near.index(item.path))
                for item, following in zip(items, [*items[1:], None], strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                return pytest.ExitCode.OK

            return work

        self.tester.each(self.mutants, work_on)
        return True


# ==== a function with another body ================================================================
def put_in(mutant: Mutant) -> None:
    """Put the changed code into the function, and forget all cached results."""
    found: object = sys.modules[mutant.module]
    code = mutant.code()
    for name in mutant.place.function:
        found = vars(found)[name]
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name)
    _plain(found).__code__ = code
    for name, module in list(sys.modules.items()):
        if name.startswith(f"domain.{mutant.title}"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _plain(found: object) -> FunctionType:
    """Return the function itself, out of a property or a cache."""
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, cached_property):
        found = found.func
    found = getattr(found, "__wrapped__", found)
    assert isinstance(found, FunctionType), found
    return found
