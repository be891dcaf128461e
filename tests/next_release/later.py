"""``python -m tests.next_release.later``."""

from tests.next_release import after_next

after_next()
