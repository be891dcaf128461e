"""The games themselves: rules, state and words, knowing nothing of time, chance, stores, mail or the web.

`TITLES` is the only list of titles there is.
"""

from domain.title import Title

TITLES: dict[str, Title] = {}
