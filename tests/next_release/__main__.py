"""``python -m tests.next_release``."""

from tests.next_release import main

main()
