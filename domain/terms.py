"""Words of a game, explained: each in a sentence, with the number of its rule.

Pages mark such a word where it stands. Names in the log and in orders have nothing to do with them.
"""

import msgspec

from domain.words import Sentence


class Term(msgspec.Struct, frozen=True, eq=False):
    """A word of a game. ``id``: its anchor. ``forms``: the forms in which it stands in texts, separated by bars; the
    first one is its name. ``says``: its meaning. ``rule``: the number of its rule.
    """

    id: str
    forms: Sentence
    says: Sentence
    rule: str
