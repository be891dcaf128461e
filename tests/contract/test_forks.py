"""A fork looks to its viewer as the game does, holds nothing else of it, can be stored, and can be played to an end."""

import random
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from domain import fork
from domain.chance import FreeChance
from domain.game import Game
from domain.title import Title
from tests.contract.games import RandomGame
from tests.contract.test_secrets import positions

SECRET = bytes(range(32))


def running(title: Title, number: int) -> Iterator[Game]:
    return (game for game in positions(title, number, sensible=number % 2 == 1) if game.status == "running")


@pytest.mark.parametrize("number", [0, 1, 5, 8])
def test_the_viewer_sees_in_the_fork_what_the_viewer_sees_in_the_game(title: Title, number: int):
    differ = 0
    for game in running(title, number):
        for seat in (None, *range(1, game.table.seats + 1)):
            view = title.rules.view(game.state, seat)
            kept = fork.write_start(fork.imagined(game, seat, FreeChance(random.Random(number))))
            begun = fork.played("fork", title, fork.read_start(title, kept))
            assert title.rules.view(begun.state, seat) == view
            assert msgspec.json.encode(title.rules.view(begun.state, seat)) == msgspec.json.encode(view)
            assert (begun.asked, begun.status, begun.table.playing) == (game.asked, "running", game.table.playing)
            if seat is not None:
                assert title.rules.actions(begun.state, seat) == title.rules.actions(game.state, seat)
            other = replace(game, state=title.rules.imagine(view, FreeChance(random.Random(number + 1000))))
            differ += other.state != game.state
            again = fork.imagined(other, seat, FreeChance(random.Random(number)))
            assert fork.write_start(again) == kept, "what the view does not show has come into the fork"
    assert differ, "the worlds never differed: this test has shown nothing"


@pytest.mark.long("3")
@pytest.mark.parametrize("number", [2, 3])
def test_bots_play_any_fork_to_its_end_and_it_can_be_stored(title: Title, number: int):
    dice = random.Random(number)
    for game in [*running(title, number)][::4]:
        seat = dice.choice((None, *game.table.playing))
        start = fork.imagined(game, seat, FreeChance(dice))
        bots = {each: dice.choice(sorted(title.bots)) for each in game.table.playing}
        played = fork.play_on(fork.played("fork", title, start), bots, SECRET, 1, dice, 5000)
        assert played.game.status == "over"
        kept = [fork.write_ply(title, ply) for ply in played.plies]
        again = fork.played("fork", title, start, [fork.read_ply(title, body) for body in kept])
        assert (again.state, again.version) == (played.game.state, len(kept))


def test_bots_stop_where_another_seat_is_asked_and_at_the_bound(title: Title):
    game = next(running(title, 7))
    start = fork.as_it_was(game)
    assert start.state == game.state
    begun = fork.played("fork", title, start)
    assert fork.play_on(begun, {}, SECRET, 1, random.Random(1), 50).plies == ()
    bots = dict.fromkeys(game.table.playing, "random")
    assert 1 <= len(fork.play_on(begun, bots, SECRET, 1, random.Random(1), 1).plies) < 20


def test_a_fork_knows_nothing_of_the_chance_of_its_game(title: Title):
    played = RandomGame(title, 4)
    for _ in played.steps():
        pass
    kept = fork.write_start(fork.as_it_was(played.game))
    for root in (played.game.table.commitment, *(chair.entropy for chair in played.game.table.chairs.values())):
        assert root.encode() not in kept
    assert fork.played("fork", title, fork.as_it_was(played.game)).ordinals == {}


def test_a_fork_stored_by_another_program_is_not_read(title: Title):
    kept = fork.write_start(fork.as_it_was(next(running(title, 0))))
    plain = msgspec.json.decode(kept)
    lacking = {**plain["state"]}
    lacking.popitem()
    broken = [
        {**plain, "state": {**plain["state"], "novelty": 1}},
        {**plain, "state": lacking},
        {**plain, "choices": []},
        [],
    ]
    for body in (b"", kept[:-9], b"\xff", *(msgspec.json.encode(each) for each in broken)):
        with pytest.raises(fork.UnreadableStart):
            fork.read_start(title, body)
    for body in (b"", b"[]", b"[{}]", b'[{"ply": 1, "rules": 1, "events": [{"event": "Novelty"}]}]'):
        with pytest.raises(fork.UnreadableStart):
            fork.read_ply(title, body)
