"""The output of a process on standard error: its form, and what it says after a fatal signal."""

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

ENDED = """
import os, signal
from config import logging
from config.settings import Settings

def where_it_was():
    os.kill(os.getpid(), signal.SIGSEGV)

logging.configure(Settings(_env_file=None))
where_it_was()
"""


def test_a_fatal_signal_dumps_all_stacks() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == -signal.SIGSEGV
    assert "in where_it_was" in ended.stderr


WARNED = """
import logging
from config.logging import configure
from config.settings import Settings

configure(Settings(_env_file=None))
logging.getLogger("trains").warning("The boiler is cold")
"""


def test_a_log_file_has_no_colours() -> None:
    ended = subprocess.run([sys.executable, "-c", WARNED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "The boiler is cold" in ended.stderr
    assert "\x1b" not in ended.stderr
