"""The legal actions as a list, one line per target: none is missing, and each number is one whole command."""

import random

from domain.chance import FreeChance
from domain.orders import Line, Option, by_number, chosen, listed, whole_commands
from domain.orders.reading import Found, filled
from domain.title import Title
from tests.orders import Position, positions

MOST_LINES = {"grand_trunk": 40, "ticket_to_ride": 100, "new_england": 140, "toy": 8}
"""Of positions with hundreds of actions."""


def looked_at(title: Title) -> list[Position]:
    return [at for number in range(2) for at in positions(title, number, every=17)]


def lines(at: Position) -> list[Line]:
    return listed(at.options, at.title.face.orders.listing, at.tongue.view, at.seat)


def test_each_action_is_in_one_line(title: Title):
    found = looked_at(title)
    assert found
    for at in found:
        shown, idle = lines(at), title.face.orders.listing.idle
        offered = [it for it in at.options if not idle(at.tongue.view, it.action)]
        assert sum(max(1, len(it.either)) + it.others + it.aside + len(it.extras) for it in shown) == len(offered)
        assert len(shown) <= MOST_LINES[title.id]


def test_the_numbers_go_from_1_to_the_last_whole_command(title: Title):
    for at in looked_at(title):
        shown = lines(at)
        assert [it.number for it in shown if it.number] == list(range(1, len(whole_commands(shown)) + 1))
        for line in shown:
            assert bool(line.number) != bool(line.either)
            assert line.number or line.open


def test_a_number_means_the_command_of_its_line(title: Title):
    for at in looked_at(title):
        whole = whole_commands(lines(at))
        amounts = any(it.amount is not None and not it.action.aside for it in whole)
        for number, option in enumerate(whole, 1):
            if option.amount is not None:
                said = by_number(f"{number} {option.amount.low}")
                assert said
                assert chosen(said, whole) == Found(option, option.amount.low, filled(option, option.amount.low))
            elif not amounts:
                said = by_number(str(number))
                assert said
                assert chosen(said, whole) == Found(option, None, option.command)
            assert _is_accepted(at, option)


def _is_accepted(at: Position, option: Option) -> bool:
    """`Refused` means that it is not accepted."""
    command = option.command if option.amount is None else filled(option, option.amount.low)
    return at.title.rules.decide(at.state, at.seat, command, FreeChance(random.Random(1))).after is not None


def test_the_line_for_several_actions_shows_the_one_with_the_largest_gain(title: Title):
    for at in looked_at(title):
        gains = title.face.orders.listing.gains
        for line in lines(at):
            own = dict(gains(at.tongue.view, line.option.action)).get(at.seat, 0)
            alike = [it for it in at.options if type(it.command) is type(line.option.command)]
            same = [it for it in alike if _ends(it) == _ends(line.option)]
            if line.number and line.others:
                assert own == max(dict(gains(at.tongue.view, it.action)).get(at.seat, 0) for it in same)


def _ends(option: Option) -> object:
    path = option.order.slots.path
    return None if path is None else (option.order.slots.single, path.ids[0], path.ids[-1])
