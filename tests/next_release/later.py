"""``python -m tests.next_release.later``."""

from tests.next_release import AFTER, main

main(AFTER)
