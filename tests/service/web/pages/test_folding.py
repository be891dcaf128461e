"""Forms of long turns: unusual actions, and long groups among many, open at a tap."""

from msgspec.structs import replace

from domain.rules import Action
from domain.words import Sentence
from service.web.pages.parts.forms import MANY_GROUPS, action_groups, choice_of
from tests.toy import TITLE, Choose


def actions(groups, each, *, aside=False):
    return [
        Action(Choose(10 * group + number), f"group {group}", Sentence("Make this move"), None, aside)
        for group in range(groups)
        for number in range(each)
    ]


def grouped(listed, chosen=None):
    language = TITLE.face.words.english
    return action_groups([(it, choice_of(it, language, str, chosen)) for it in listed], language)


def folded(listed, chosen=None):
    return [group.folded for group in grouped(listed, chosen)]


def test_few_groups_are_open():
    assert folded(actions(MANY_GROUPS, 3)) == [False] * MANY_GROUPS


def test_of_many_groups_only_single_actions_are_open():
    assert folded(actions(MANY_GROUPS + 1, 3)) == [True] * (MANY_GROUPS + 1)
    assert folded(actions(MANY_GROUPS + 1, 1)) == [False] * (MANY_GROUPS + 1)


def test_unusual_actions_are_folded_below_their_group_or_come_last():
    listed = [*actions(2, 2, aside=True), *actions(1, 2)]
    first, last = grouped(listed)
    assert (first.name, first.folded, len(first.choices), len(first.more)) == ("group 0", False, 2, 2)
    assert (last.name, last.folded, len(last.choices), last.more) == ("group 1", True, 2, ())


def test_the_group_of_the_chosen_action_is_open():
    listed = actions(1, 2, aside=True)
    assert folded(listed, replace(listed[1].command)) == [False]
