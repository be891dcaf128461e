"""Finished games of every title, replayed from their stored bytes to the final score.

The second implementation (`tests.domain.byhand`) computes every link, commitment and draw. The version of the rules
that decided a command decides it again, to the same events.
"""

from importlib import import_module

import msgspec
import pytest

from domain import TITLES, lifecycle
from domain.chain import Ply, effect_of, first_link
from domain.game import Game, advance, fold
from domain.play import decide
from domain.title import Title
from tests import record
from tests.domain import byhand

FILES = [file for title in TITLES for file in record.files(title)]


def replayed(recorded: record.Recorded) -> tuple[list[Ply], Game]:
    plies = recorded.plies
    return plies, fold(recorded.game_id, recorded.title, plies)


@pytest.fixture(scope="module", params=FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def recorded(request: pytest.FixtureRequest) -> record.Recorded:
    return record.read(request.param)


def test_a_recorded_game_replays_to_its_final_score(recorded: record.Recorded):
    plies, game = replayed(recorded)
    assert game.status == "over"
    assert msgspec.json.decode(msgspec.json.encode(game.result)) == recorded.result
    invariants = import_module(f"tests.domain.{recorded.title.id}.invariants").Invariants()
    game = fold(recorded.game_id, recorded.title, [])
    for ply in plies:
        game = advance(game, ply)
        if game.status in ("running", "over"):
            invariants.after(ply, game)


def test_every_link_holds(recorded: record.Recorded):
    link = byhand.first_link(recorded.game_id)
    for stored in recorded.stored:
        parts = [
            byhand.commitment(recorded.secret, recorded.game_id, stored.number, part.index, part.body)
            for part in stored.sealed
        ]
        link = byhand.next_link(link, stored.open, parts)
        assert link == stored.link, f"ply {stored.number}"


def test_every_draw_follows_from_the_secret(recorded: record.Recorded):
    assert byhand.sha256(recorded.secret).hexdigest() == recorded.plies[0].events[0].commitment
    game = fold(recorded.game_id, recorded.title, [])
    drawn = 0
    for ply in recorded.plies:
        entropies = (
            [bytes.fromhex(chair.entropy) for _, chair in sorted(game.table.chairs.items())] if game.table else []
        )
        ordinals = dict(game.ordinals)
        for draw in ply.draws:
            ordinal = ordinals.get(draw.name, 0)
            expected = byhand.picks(recorded.secret, entropies, draw.name, ordinal, draw.size, len(draw.picks))
            assert list(draw.picks) == expected, f"ply {ply.number}: {draw.name}"
            ordinals[draw.name] = ordinal + 1
            drawn += 1
        game = advance(game, ply)
    assert drawn > 5


def test_every_command_is_decided_again_to_the_same_events(recorded: record.Recorded):
    game = fold(recorded.game_id, recorded.title, [])
    for ply in recorded.plies:
        again = decide(game, ply.seat, ply.command, ply.at, ply.cause, recorded.secret, rules=ply.rules)
        assert again == ply
        game = advance(game, ply)


def test_commands_and_effects_are_read_separately(recorded: record.Recorded):
    chain, head, log = recorded.title.chain, first_link(recorded.game_id), []
    for ply in recorded.plies:
        log.append(chain.store(ply, head, recorded.game_id, recorded.secret))
        head = log[-1].link
    given = [chain.given(stored) for stored in log]
    assert [(it.seat, it.at, it.cause, it.command) for it in given] == [
        (it.seat, it.at, it.cause, it.command) for it in recorded.plies
    ]
    sealed = [(place, [part.body for part in it.sealed]) for place, it in enumerate(log) if it.sealed]
    assert chain.effects([it.open for it in log], sealed) == [effect_of(ply) for ply in recorded.plies]


def test_every_way_to_end_has_a_recorded_game(title: Title):
    games = [replayed(record.read(file)) for file in record.files(title.id)]
    assert record.missing_ways(title, games) == []


def test_every_option_has_a_recorded_game(title: Title):
    games = [replayed(record.read(file))[1] for file in record.files(title.id)]
    options = [msgspec.json.decode(game.table.options, type=title.seating.options) for game in games]
    assert record.missing_options(title, options) == set()


def test_some_recorded_games_have_take_backs(title: Title):
    """Otherwise the effective history and the whole log would be equal."""
    games = [record.read(file).plies for file in record.files(title.id)]
    assert any(isinstance(ply.command, lifecycle.TakeBack) for plies in games for ply in plies)
