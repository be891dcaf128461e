"""Every legal action of every title has a line in every language, which is read as the same action.

A few games here; ``python -m tests.orders`` reads tens of thousands of lines.
"""

from domain.orders import Found, read, write
from domain.title import Title
from tests.orders import Position, lines, means, positions

GAMES, EVERY, MOST_LINES = 2, 23, 60


def looked_at(title: Title) -> list[Position]:
    return [at for number in range(GAMES) for at in positions(title, number, every=EVERY)]


def test_the_line_of_an_action_means_that_action(title: Title):
    """It holds in a letter, with the strictest rules, and among all other legal actions."""
    found = looked_at(title)
    assert found
    for at in found:
        for language in at.tongue.languages:
            for option, line in list(lines(at, language))[:: max(1, len(at.options) // MOST_LINES)]:
                assert means(at, option, line, in_letter=True) == "itself", line
                assert means(at, option, line.upper() + "  # so be it", in_letter=False) == "itself", line


def test_each_command_has_a_verb_and_lines_differ_by_language(title: Title):
    assert set(title.face.orders.kinds) == set(title.rules.commands) == set(title.face.orders.lines)
    for at in looked_at(title):
        assert all(it.order.line in title.face.orders.lines[type(it.command)] for it in at.options)
    _, *others = (language.texts for language in looked_at(title)[0].tongue.languages)
    for texts in others:
        assert all(verb.words.template in texts for verb in title.face.orders.verbs)


def test_actions_that_differ_only_in_interchangeable_things_are_listed_once(title: Title):
    """The unlisted ones are legal, too, and read as the listed one. No other action is missing."""
    alike = title.face.orders.alike
    for at in looked_at(title):
        actions = title.rules.actions(at.state, at.seat)
        listed = {option.same(alike) for option in at.options}
        assert len(listed) == len(at.options) <= len(actions)
        assert {it.same(alike) for it in at.options} == {
            title.face.orders.options(at.tongue.view, [action])[0].same(alike) for action in actions
        }
        if not alike:
            assert len(at.options) == len(actions)


def test_the_highest_amount_is_the_last_accepted(title: Title):
    for at in looked_at(title):
        for option in at.options:
            if option.amount is None:
                continue
            names, english = at.tongue.orders.names(at.tongue.view), at.tongue.languages[0]
            most = read(write(option.order, names, english, option.amount.high), at.options, at.tongue, in_letter=True)
            assert isinstance(most, Found)
            assert getattr(most.command, option.amount.field) == option.amount.high
            over = write(option.order, names, english, option.amount.high + option.amount.step)
            assert not isinstance(read(over, at.options, at.tongue, in_letter=True), Found)
