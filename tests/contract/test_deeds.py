"""An action with an open part names its deed: with the number that a player has chosen, or with a blank for it."""

from collections.abc import Iterator

from domain.orders import BLANK
from domain.rules import Action
from domain.title import Title
from domain.words import say
from service.words import languages, spoken
from tests.orders import positions


def with_a_number(title: Title) -> Iterator[Action]:
    for number in range(2):
        for at in positions(title, number, every=17):
            yield from (it.action for it in at.options if it.action.span is not None)


def test_a_deed_says_its_number_in_each_language(title: Title):
    found = 0
    for action in with_a_number(title):
        assert action.span is not None
        amount = action.span.low + action.span.step
        for lang in languages():
            language = spoken(title.face.words, lang)
            with_blank, whole = (title.face.deed(action, it) for it in (None, amount))
            assert with_blank
            assert whole
            assert say(with_blank, language, str).count(BLANK) == 1
            assert say(with_blank, language, str).replace(BLANK, str(amount)) == say(whole, language, str)
            found += 1
    assert found or title.id in ("grand_trunk", "ticket_to_ride"), "only these have no open numbers"
