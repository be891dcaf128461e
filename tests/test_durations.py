"""The report of ``--by-folder`` on slow tests."""

from types import SimpleNamespace

from tests.durations import ByFolder


def test_the_report_lists_folders_with_their_slowest_files_first():
    summed = ByFolder()
    for node, when, seconds in (
        ("tests/http/test_a.py::test_1", "setup", 0.5),
        ("tests/http/test_a.py::test_1", "call", 0.25),
        ("tests/http/test_b.py::test_1[x::y]", "call", 1.5),
        ("tests/domain/toy/test_c.py::test_1", "call", 4),
    ):
        summed.pytest_runtest_logreport(SimpleNamespace(nodeid=node, when=when, duration=seconds))
    assert summed.lines() == [
        "     4.0       1 tests  tests/domain/toy  (c 4.0)",
        "     2.2       2 tests  tests/http  (b 1.5, a 0.8)",
    ]
