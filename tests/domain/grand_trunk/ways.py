"""The ways a game can end; for each there is a finished game in ``tests/games/grand_trunk/``."""

from collections.abc import Callable, Sequence

from domain.chain import Ply
from domain.game import Game
from domain.grand_trunk import events as e

Way = Callable[[Sequence[Ply], Game], bool]


def _has(plies: Sequence[Ply], *kinds: type) -> bool:
    return any(isinstance(event, kinds) for ply in plies for event in ply.events)


def all_finished(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 15.2, 15.4: every seat reached 36."""
    return not _has(plies, e.SeatPassed, e.SeatLeft)


def passed(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 15.3, 15.4: the last to play passed."""
    return _has(plies[-1:], e.SeatPassed) and not _has(plies, e.SeatLeft)


def one_stays_by_resigning(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 19.7: the others resigned."""
    left = [event for ply in plies for event in ply.events if isinstance(event, e.SeatLeft)]
    return len(game.table.playing) == 1 and all(event.why == "resigned" for event in left)


def one_stays_by_the_clock(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 19.7: the clock put the others out."""
    left = [event for ply in plies for event in ply.events if isinstance(event, e.SeatLeft)]
    return len(game.table.playing) == 1 and all(event.why == "timed_out" for event in left)


def the_last_to_play_leaves(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 19.7, 15.4: the seats that stay have finished already."""
    return _has(plies[-1:], e.SeatLeft) and len(game.table.playing) > 1


def played_on_after_a_leaving(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 19.7: one left, the others finished the game."""
    return _has(plies[:-30], e.SeatLeft) and not _has(plies[-1:], e.SeatLeft) and len(game.table.playing) > 1


def left_before_the_choices_were_opened(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 19.7, 2.12."""
    opened = next((at for at, ply in enumerate(plies) if _has([ply], e.FirstRailcarsOpened)), 0)
    return _has(plies[: opened + 1], e.SeatLeft) and len(game.table.playing) > 1


def tie_broken(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 15.9: as many points, but more steel or goods."""
    first = [each for each in game.result.standings if each.place == 1]
    second = [each for each in game.result.standings if each.place == 2]
    return bool(second) and first[0].total == second[0].total


def shared_win(plies: Sequence[Ply], game: Game) -> bool:
    """GTJ 15.9: tied to the last."""
    return len(game.result.winners) > 1


WAYS: dict[str, Way] = {
    way.__name__: way
    for way in (
        all_finished, passed, one_stays_by_resigning, one_stays_by_the_clock, the_last_to_play_leaves,
        played_on_after_a_leaving, left_before_the_choices_were_opened, tie_broken, shared_win,
    )
}  # fmt: skip
