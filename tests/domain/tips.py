"""Finding the tip of a position."""

from domain import tips
from domain.words import say
from tests.spec import Situation

NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")


def tip(situation: Situation, seat: int) -> str:
    """Return the tip of a seat in English, with its rule."""
    title = situation.title
    assert seat in title.rules.asked(situation.state), "only a seat that must move has a tip"
    found = tips.first(title.face.tips, title.rules.view(situation.state, seat))
    assert found is not None, "no tip fits"
    return f"{say(found.sentence, title.face.words.english, lambda it: NAMES[it - 1])} {found.rule}"
