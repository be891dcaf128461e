"""A long list of actions is narrowed by links; no action is lost on the way, and no page shows the whole list."""

import json
from functools import cache
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec
import pytest

from domain import TITLES
from domain.game import advance, fold
from domain.rules import Action
from domain.words import Sentence
from service.web.pages.parts import choosing, forms
from service.words import spoken
from tests.bench.measure import played
from tests.orders import positions
from tests.toy import TITLE, Choose, State

VIEW = TITLE.rules.view(State((1, 2), 3, {1: (1, 2), 2: (3, 4)}, walked={1: 0, 2: 0}), 1)


@pytest.fixture(scope="module", params=TITLES.values(), ids=lambda title: title.id)
def long_list(request):
    """Return a title, a view, and the legal actions at a position with most of them."""
    title, most, view = request.param, [], None
    game = fold("bench", title, ())
    for ply in played(title, title.seating.seats[-1], 0):
        game = advance(game, ply)
        for seat in game.asked:
            legal = title.rules.actions(game.state, seat)
            if len(legal) > len(most):
                most, view = legal, title.rules.view(game.state, seat)
    assert len(most) > 5 * choosing.MOST
    return title, view, [it.action for it in title.face.orders.options(view, most)]


@pytest.fixture
def at(only_app):
    """``at(address, title, view, actions)``: the actions shown by the page at the address."""

    def look(address, title, view, actions, **facts):
        with only_app.test_request_context(address):
            return choosing.offered(title, view, actions, spoken(title.face.words, "en"), str, seat=1, **facts)

    return look


def choices(found):
    return [it for group in found.groups for it in group.choices]


def commands(found):
    """Return all commands that the page can send, as text, with every way of ticking."""
    assert len(choices(found)) <= choosing.MOST
    return {it.command for it in choices(found) if not it.boxes}


def text(action):
    return forms.command_text(action.command)


def links(found):
    return [it.address for ways in (found.kinds, found.things) for it in ways] + [
        it for it in (found.whole, found.after) if it
    ]


@cache
def _sets(title):
    """Return the commands of a title that differ in ticks."""
    return {"grand_trunk": {"PerformMaintenance"}, "ticket_to_ride": {"KeepTickets"}}.get(title, set())


def test_every_action_is_reached_by_links(at, long_list):
    title, view, actions = long_list
    reached, ahead, seen = set(), ["/games/x"], set()
    while ahead:
        address = ahead.pop()
        seen.add(address)
        found = at(address, title, view, actions)
        reached |= commands(found)
        further = [way.address for way in found.kinds] + [it for it in (found.whole, found.after) if it]
        further += [way.address for it in choices(found) for way in it.ways]
        ahead += [it for it in further if it not in seen]
    assert reached >= {text(it) for it in actions if type(it.command).__name__ not in _sets(title.id)}


def test_a_link_leads_to_the_promised_number_of_actions(at, long_list):
    title, view, actions = long_list
    first = at("/games/x", title, view, actions)
    assert first.number == len(actions)
    assert first.kinds
    for kind in first.kinds:
        narrowed = at(kind.address, title, view, actions)
        assert narrowed.number == kind.number
        assert [way.name for way in narrowed.chosen] == [kind.name]
        assert at(narrowed.chosen[0].address, title, view, actions) == first
        for thing in narrowed.things[::7]:
            further = at(thing.address, title, view, actions)
            assert (further.number, len(further.chosen)) == (thing.number, 2)
            assert thing.number < kind.number


def test_places_can_be_chosen_and_removed_in_any_order(at, long_list):
    title, view, actions = long_list
    a, b = next(aim.places for it in actions if len((aim := title.face.places.aim(view, it)).places) > 1)[:2]
    one, other = (at(f"/games/x?at={x}&at={y}", title, view, actions) for x, y in ((a, b), (b, a)))
    assert (one.number, commands(one)) == (other.number, commands(other))
    assert sorted(way.name for way in one.chosen) == sorted(way.name for way in other.chosen)
    for id_, left in ((a, b), (b, a)):
        assert urlsplit(one.spots[id_].address).query == f"at={left}"
        assert one.spots[id_].chosen


def test_a_highlighted_place_leads_to_the_promised_number_of_actions(at, long_list):
    title, view, actions = long_list
    first = at("/games/x", title, view, actions)
    places = {it.id for it in title.face.places.shown(view)}
    for spot in list(first.spots.values())[::9]:
        found = at(spot.address, title, view, actions)
        assert found.number == spot.number > 0
        assert found.spots[spot.id].chosen
        assert set(found.spots) <= places
        assert urlsplit(found.spots[spot.id].address).query == ""


@pytest.mark.parametrize("query", ["do=nothing", "at=nowhere", "from=100000", "from=x", "do=&at=", "at=<b>&do=%00"])
def test_an_unknown_place_narrows_nothing(at, long_list, query):
    title, view, actions = long_list
    assert at(f"/games/x?{query}", title, view, actions) == at("/games/x", title, view, actions)


def test_a_place_of_other_seats_narrows_nothing(at, long_list):
    title, view, actions = long_list
    own = {id_ for it in actions for id_ in title.face.places.aim(view, it).all}
    shown = {it.id for it in title.face.places.shown(view)}
    foreign = [id_ for id_ in title.face.words.names if id_ not in own and id_ not in shown][::25]
    bare = at("/games/x", title, view, actions)
    for id_ in foreign:
        assert at(f"/games/x?at={quote(id_)}", title, view, actions) == bare


def test_a_refused_choice_is_shown_again(at, long_list):
    title, view, actions = long_list
    for action in (actions[0], actions[len(actions) // 2], actions[-1]):
        found = at("/games/x", title, view, actions, chosen=action.command)
        (kept,) = [it for it in choices(found) if it.chosen]
        sent = json.loads(kept.command)
        if kept.boxes:
            sent[kept.boxes.field] = [id_ for id_, _, ticked in kept.boxes.boxes if ticked]
        got = msgspec.convert(sent, type(action.command))
        assert got == action.command or sorted(sent[kept.boxes.field]) == sorted(
            getattr(action.command, kept.boxes.field)
        )


def test_texts_are_made_only_for_shown_actions(at, long_list, monkeypatch):
    title, view, actions = long_list
    said = []
    monkeypatch.setattr(forms, "say", lambda sentence, *_: said.append(sentence) or "")
    for address in ("/games/x", f"/games/x?do={title.face.places.aim(view, actions[-1]).kind}"):
        found = at(address, title, view, actions)
        assert len(said) == len(choices(found)) <= choosing.MOST
        said.clear()


def test_a_short_list_is_shown_whole(at):
    few = [Action(Choose(card), "choose", Sentence("Make this move")) for card in range(choosing.MOST)]
    found = at("/games/x", TITLE, VIEW, few)
    assert len(commands(found)) == choosing.MOST
    assert [*found.kinds, *found.things, *found.chosen] == []
    assert found.before is found.after is found.meant is None


def test_a_long_list_is_shown_in_parts(at):
    many = [Action(Choose(card), "choose", Sentence("Make this move")) for card in range(40)]
    first = at("/games/x?from=0", TITLE, VIEW, many)
    middle = at(first.after, TITLE, VIEW, many)
    last = at(middle.after, TITLE, VIEW, many)
    assert [(it.first, it.last) for it in (first, middle, last)] == [(1, 16), (17, 32), (33, 40)]
    assert first.before is last.after is None
    assert at(last.before, TITLE, VIEW, many) == middle


def test_a_long_list_is_shown_as_places_or_as_lines_but_not_as_both(at, long_list):
    title, view, actions = long_list
    kind = max(at("/games/x", title, view, actions).kinds, key=lambda it: it.number)
    places = at(kind.address, title, view, actions)
    assert (places.things != [], places.groups, places.after) == (True, [], None)
    lines = at(places.whole, title, view, actions)
    assert (lines.things, lines.whole, lines.first, lines.last) == ((), None, 1, choosing.MOST)


def test_no_way_is_both_a_chip_and_a_form(at, long_list):
    title, view, actions = long_list
    found = at("/games/x", title, view, actions)
    kinds = {json.loads(it.command)["command"] for it in choices(found)}
    behind = {json.loads(it.command)["command"] for way in found.kinds for it in choices(at(way.address, *long_list))}
    assert found.kinds
    assert not kinds & behind


def test_a_low_window_shows_half_as_many_lines(only_app):
    few = [Action(Choose(card), "choose", Sentence("Make this move")) for card in range(choosing.MOST)]
    with only_app.test_request_context("/games/x?from=0", headers={"Cookie": "low=1"}):
        found = choosing.offered(TITLE, VIEW, few, spoken(TITLE.face.words, "en"), str, seat=1)
    assert (found.first, found.last) == (1, choosing.MOST_IN_LOW)


def test_chips_are_fewer_than_the_lines_that_they_part(only_app, long_list):
    title, view, actions = long_list
    tongue, parted = spoken(title.face.words, "en"), set()
    for aim in {title.face.places.aim(view, it) for it in actions[:: max(1, len(actions) // 40)]}:
        for at in aim.places:
            address = f"/games/x?do={aim.kind}&at={quote(at)}"
            with only_app.test_request_context(address, headers={"Cookie": "low=1"}):
                found = choosing.offered(title, view, actions, tongue, str, seat=1)
            assert len(found.things) < max(1, found.lines), address
            parted.add(bool(found.things) or bool(found.after))
    assert parted == {True, False}


def test_the_links_of_a_sandbox_keep_the_chosen_seat(at, long_list):
    found = at("/sandboxes/x?seat=2", *long_list)
    assert all(way.address.startswith("/sandboxes/x?seat=2&do=") for way in found.kinds)
    assert all(it.address.startswith("/sandboxes/x?seat=2&at=") for it in found.spots.values())


# ==== the choosers of the titles ==================================================================
def looked_for(title, wanted):
    """Return a position of some game, with its actions and the first of them that is ``wanted(aim, line)``."""
    for number in range(6):
        for it in positions(title, number, every=1):
            view, actions = it.tongue.view, [option.action for option in it.options]
            left = title.face.places.narrow(title.face.places.targets(view, actions))
            for line in left.lines or [left.rest]:
                if wanted(line):
                    return view, actions, line
    raise AssertionError("there is no such position")


def test_a_payment_takes_one_locomotive_more_or_less(at):
    title = TITLES["ticket_to_ride"]
    view, actions, line = looked_for(title, lambda line: line[0].aim.of and len(line) > 2)
    address = f"/games/x?at={line[0].aim.places[-1]}&at={line[0].command.route}&do=claim"
    found = at(address, title, view, actions)
    steps = []
    while True:
        (shown,) = choices(found)
        assert found.meant == msgspec.convert(json.loads(shown.command), type(line[0].command))
        steps.append(shown.command)
        more = [way for way in shown.ways if way.name.startswith("+")]
        if not more:
            break
        found = at(more[0].address, title, view, actions)
    assert steps == [forms.command_text(it.command) for it in line]
    (less,) = [way for way in choices(found)[0].ways if way.name.startswith("−")]
    assert choices(at(less.address, title, view, actions))[0].command == steps[-2]


@pytest.mark.parametrize(
    ("title_id", "kind", "field"), [("grand_trunk", "maintenance", "discard"), ("ticket_to_ride", "keep", "tickets")]
)
def test_ticked_things_go_into_the_command(at, title_id, kind, field):
    title = TITLES[title_id]
    view, actions, _ = looked_for(
        title, lambda line: line[0].aim.kind == kind and any(it.aim.kind == kind for it in line)
    )
    found = at(f"/games/x?do={kind}", title, view, actions)
    (shown,) = choices(found)
    sets = [title.face.places.aim(view, it).more for it in actions if title.face.places.aim(view, it).kind == kind]
    assert shown.boxes.field == field
    assert (shown.boxes.fewest, shown.boxes.most) == (min(map(len, sets)), max(map(len, sets)))
    assert {id_ for id_, _, _ in shown.boxes.boxes} == {it for each in sets for it in each}
    assert not any(ticked for _, _, ticked in shown.boxes.boxes)
    assert shown.text == {"maintenance": "Maintenance (1 day)", "keep": "Keep tickets"}[kind], (
        "it says nothing that is not ticked"
    )
    assert shown.deed == {"maintenance": "Do maintenance", "keep": "Keep these tickets"}[kind]
    first = shown.boxes.boxes[0][0]
    ticked = choices(at(f"/games/x?do={kind}&at={first}", title, view, actions))[0].boxes.boxes
    assert [id_ for id_, _, it in ticked if it] == [first]


def test_paths_show_each_players_gain_and_the_best_comes_first(at):
    title = TITLES["new_england"]
    view, actions, line = looked_for(title, lambda line: len(line[0].aim.gains) > 1)
    found = at(f"/games/x?do=ship&at={line[0].aim.places[0]}", title, view, actions)
    assert all(it.brings.startswith("Income: ") for it in choices(found) if "Ship nothing" not in it.text)
    aims = [title.face.places.aim(view, it) for it in actions]
    best = max(dict(aim.gains).get(1, 0) for aim in aims if line[0].aim.places[0] in aim.places)
    assert best == 0 or f"1 +{best}" in choices(found)[0].brings


def test_a_switch_is_a_way_to_the_same_with_more(at):
    title = TITLES["grand_trunk"]
    view, actions, line = looked_for(title, lambda line: line[0].aim.kind == "build")
    address = "&".join(("/games/x?do=build", *(f"at={it}" for it in line[0].aim.places)))
    (shown,) = choices(at(address, title, view, actions))
    (switch,) = shown.ways
    assert ("at", "discard_pile") in parse_qsl(urlsplit(switch.address).query)
    (other,) = choices(at(switch.address, title, view, actions))
    assert json.loads(other.command)["new_card"] == "discard"


def test_a_number_without_a_choice_is_a_plain_button(at):
    title = TITLES["new_england"]
    view, actions, line = looked_for(
        title, lambda line: (span := line[0].action.span) is not None and span.low == span.high and span.low > 0
    )
    found = at(f"/games/x?do={line[0].aim.kind}", title, view, actions)
    [shown] = [it for it in choices(found) if json.loads(it.command)["command"] == type(line[0].command).__name__]
    assert (shown.span, f"${line[0].action.span.low}" in shown.text) == (None, True)
