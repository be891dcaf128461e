"""Several threads may ask for a title at once: those of a worker or a server do so with their first work."""

import subprocess
import sys

import pytest

from domain import TITLES

ASKED_AT_ONCE = """
import sys, threading
from domain import TITLES

sys.setswitchinterval(1e-6)
gate, made = threading.Barrier(4), []

def ask():
    gate.wait()
    made.append(TITLES[sys.argv[1]].chain)

threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(made), len({id(it) for it in made}))
"""


@pytest.mark.parametrize("title", sorted(TITLES))
def test_threads_that_ask_at_once_share_one_title(title: str) -> None:
    """Two threads that make it side by side crash the process: msgspec shows one the half-written work of the other."""
    asked = subprocess.run([sys.executable, "-c", ASKED_AT_ONCE, title], capture_output=True, text=True)
    assert (asked.returncode, asked.stdout.split()) == (0, ["4", "1"]), asked.stderr
