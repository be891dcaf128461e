"""Whether systemd reads the units, too.

pytest tests/service/cli/test_deploy.py --systemd    # where systemd is installed
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--systemd", action="store_true", default=False, help="have systemd read the units, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--systemd", default=False):
        return
    left = [item for item in items if "systemd_reads" in item.name]
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=left)
