"""The option to test a proxy, too.

pytest tests/workers/test_slow_clients.py --nginx # Debian: apt install nginx-light
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nginx", action="store_true", default=False, help="try the site behind nginx, too")
