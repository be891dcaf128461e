"""Durations of tests by folder: ``pytest --by-folder``, also in several processes.

A folder's time is that of its tests and fixtures, added up over all processes.
"""

from collections import Counter
from pathlib import PurePosixPath
from typing import Any

import pytest

SLOWEST = 3
"""Files of a folder that are named."""


class ByFolder:
    """A plugin that adds up the durations of tests, and prints them at the end."""

    def __init__(self) -> None:
        self.seconds: Counter[PurePosixPath] = Counter()
        self.tests: Counter[PurePosixPath] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = PurePosixPath(report.nodeid.partition("::")[0])
        self.seconds[file] += report.duration  # type: ignore[assignment]  # a Counter counts fractions as well
        self.tests[file] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("seconds by folder")
        for line in self.lines():
            terminalreporter.write_line(line)

    def lines(self) -> list[str]:
        folders: Counter[PurePosixPath] = Counter()
        for file, seconds in self.seconds.items():
            folders[file.parent] += seconds
        return [
            f"{seconds:8.1f}  {sum(self.tests[it] for it in self.seconds if it.parent == folder):6} tests  "
            f"{folder}  ({', '.join(self._slowest(folder))})"
            for folder, seconds in folders.most_common()
        ]

    def _slowest(self, folder: PurePosixPath) -> list[str]:
        files = Counter({file: seconds for file, seconds in self.seconds.items() if file.parent == folder})
        return [f"{file.stem.removeprefix('test_')} {seconds:.1f}" for file, seconds in files.most_common(SLOWEST)]
