"""A long list of actions is narrowed, by links; nothing is lost on the way, and no page shows it whole."""

import json
from urllib.parse import urlsplit

import msgspec
import pytest

from domain import TITLES
from domain.game import advance, fold
from domain.title import Action
from domain.words import Sentence
from service.web.pages import choosing, forms
from service.words import spoken
from tests.bench.measure import played
from tests.toy import TITLE, Choose


@pytest.fixture(scope="module", params=TITLES.values(), ids=lambda title: title.id)
def long_list(request):
    """A title, and the legal actions where there are most of them in a game."""
    title, most = request.param, []
    game = fold("bench", title, ())
    for ply in played(title, title.seats[-1], 0):
        game = advance(game, ply)
        for seat in game.asked:
            most = max(most, title.actions(game.state, seat), key=len)
    assert len(most) > 5 * choosing.MOST
    return title, most


@pytest.fixture
def at(only_app):
    """``at(address, title, actions)``: what the page at the address shows."""

    def look(address, title, actions, **facts):
        with only_app.test_request_context(address):
            return choosing.offered(actions, spoken(title.words, "en"), str, **facts)

    return look


def commands(found):
    return [it.command for group in found.groups for it in (*group.single, *group.many)]


def shown(found):
    assert len(commands(found)) <= choosing.MOST
    return set(commands(found))


def text(action):
    return forms.command_text(action.command)


def test_every_action_is_reached_by_links(at, long_list):
    title, actions = long_list
    reached, ahead, seen = set(), ["/games/x"], set()
    while ahead:
        address = ahead.pop()
        seen.add(address)
        found = at(address, title, actions)
        reached |= shown(found)
        links = [way.address for way in found.kinds] + [found.after]
        ahead += [it for it in links if it and it not in seen]
    assert reached == {text(action) for action in actions}


def test_a_link_leads_to_as_many_as_it_says(at, long_list):
    title, actions = long_list
    first = at("/games/x", title, actions)
    assert first.number == len(actions)
    assert first.kinds
    for kind in first.kinds:
        narrowed = at(kind.address, title, actions)
        assert narrowed.number == kind.number
        assert [way.name for way in narrowed.chosen] == [kind.name]
        assert at(narrowed.chosen[0].address, title, actions) == first
        for thing in narrowed.things:
            further = at(thing.address, title, actions)
            assert (further.number, len(further.chosen)) == (thing.number, 2)
            assert thing.number < kind.number


def test_things_are_chosen_in_any_order_and_each_is_taken_away_again(at, long_list):
    title, actions = long_list
    ids = next(list(named) for action in actions if len(named := choosing.named(action.command)) > 1)[:2]
    one, other = (at(f"/games/x?at={a}&at={b}", title, actions) for a, b in (ids, ids[::-1]))
    assert one.number == other.number == sum(set(ids) <= choosing.named(it.command).keys() for it in actions)
    assert sorted(way.name for way in one.chosen) == sorted(way.name for way in other.chosen)
    for way, left in zip(one.chosen, ids[::-1], strict=True):
        assert urlsplit(way.address).query == f"at={left}"


@pytest.mark.parametrize("query", ["do=nothing", "at=nowhere", "from=100000", "from=x", "do=&at=", "at=<b>&do=%00"])
def test_what_there_is_not_narrows_nothing(at, long_list, query):
    title, actions = long_list
    assert at(f"/games/x?{query}", title, actions) == at("/games/x", title, actions)


def test_what_was_chosen_before_a_refusal_is_shown(at, long_list):
    title, actions = long_list
    for action in (actions[0], actions[len(actions) // 2], actions[-1]):
        found = at("/games/x", title, actions, chosen=action.command)
        (kept,) = [it for group in found.groups for it in (*group.single, *group.many) if it.chosen]
        assert msgspec.convert(json.loads(kept.command), type(action.command)) == action.command
        assert text(action) in shown(found)


def test_words_are_made_for_what_is_shown_alone(at, long_list, monkeypatch):
    title, actions = long_list
    said = []
    monkeypatch.setattr(forms, "say", lambda sentence, *_: said.append(sentence) or "")
    for address in ("/games/x", f"/games/x?do={actions[-1].group}"):
        found = at(address, title, actions)
        assert len(said) == len(commands(found)) <= choosing.MOST
        said.clear()


def test_a_short_list_is_shown_whole(at):
    few = [Action(Choose(card), "choose", Sentence("Do it")) for card in range(choosing.MOST)]
    found = at("/games/x", TITLE, few)
    assert len(shown(found)) == choosing.MOST
    assert [*found.kinds, *found.things, *found.chosen] == []
    assert found.before is found.after is None


def test_what_nothing_narrows_is_shown_in_parts(at):
    many = [Action(Choose(card), "choose", Sentence("Do it")) for card in range(50)]
    first = at("/games/x", TITLE, many)
    middle = at(first.after, TITLE, many)
    last = at(middle.after, TITLE, many)
    assert [(it.first, it.last) for it in (first, middle, last)] == [(1, 20), (21, 40), (41, 50)]
    assert first.before is last.after is None
    assert at(last.before, TITLE, many) == middle
    assert first.things == []


def test_the_links_of_a_sandbox_keep_whose_eyes_it_is_seen_with(at):
    many = [Action(Choose(card), f"group {card % 2}", Sentence("Do it")) for card in range(50)]
    found = at("/sandboxes/x?seat=2", TITLE, many)
    assert [way.address for way in found.kinds] == [f"/sandboxes/x?seat=2&do=group%20{it}#actions" for it in (0, 1)]
