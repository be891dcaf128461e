"""The ways a game can end; for each there is a finished game in ``tests/games/new_england/``."""

from collections.abc import Callable, Iterator, Sequence

from domain.chain import Ply
from domain.game import Game
from domain.messages import Event
from domain.new_england import events as happened

Way = Callable[[Sequence[Ply], Game], bool]


def _of(plies: Sequence[Ply], *kinds: type[Event]) -> Iterator[Event]:
    return (event for ply in plies for event in ply.events if isinstance(event, kinds))


def _announced(plies: Sequence[Ply], step: int) -> bool:
    return any(event.step == step for event in _of(plies, happened.LastTurnAnnounced))


def built_at_once(plies: Sequence[Ply], game: Game) -> bool:
    """NER 15.2: nothing is left unbuilt by the last auction, so its turn is the last."""
    return _announced(plies, 7) and not any(_of(plies, happened.SeatLeft))


def one_turn_more(plies: Sequence[Ply], game: Game) -> bool:
    """NER 15.4: the last auction leaves a link unbuilt."""
    return _announced(plies, 5) and not any(_of(plies, happened.SeatLeft))


def last_link_unsold(plies: Sequence[Ply], game: Game) -> bool:
    """NER 15.3: nobody wanted the last link on offer."""
    last = list(_of(plies, happened.LinkSold, happened.LinkUnsold))[-1:]
    return len(game.table.playing) > 1 and any(isinstance(event, happened.LinkUnsold) for event in last)


def one_stays_by_resigning(plies: Sequence[Ply], game: Game) -> bool:
    """NER 19.10: the others resigned."""
    return len(game.table.playing) == 1 and all(event.why == "resigned" for event in _of(plies, happened.SeatLeft))


def one_stays_by_the_clock(plies: Sequence[Ply], game: Game) -> bool:
    """NER 19.10: the clock put the others out."""
    return len(game.table.playing) == 1 and all(event.why == "timed_out" for event in _of(plies, happened.SeatLeft))


def played_on_after_a_leaving(plies: Sequence[Ply], game: Game) -> bool:
    """NER 19.10: one left, the others played to the end."""
    return any(_of(plies[:-30], happened.SeatLeft)) and len(game.table.playing) > 1


def leaving_gave_the_last_answer(plies: Sequence[Ply], game: Game) -> bool:
    """NER 19.10: its answer was the last missing one, so the answers were opened at once."""
    return any(any(_of([ply], happened.SeatLeft)) and any(_of([ply], happened.AnswersOpened)) for ply in plies)


def richest_had_left(plies: Sequence[Ply], game: Game) -> bool:
    """NER 19.10: a seat that left cannot win, whatever its total."""
    best = max(game.result.standings, key=lambda each: each.total)
    return best.place is None and len(game.table.playing) > 1


def shared_victory(plies: Sequence[Ply], game: Game) -> bool:
    """NER 17.2: equal highest totals."""
    return len(game.result.winners) > 1


WAYS: dict[str, Way] = {
    way.__name__: way
    for way in (
        built_at_once, one_turn_more, last_link_unsold, one_stays_by_resigning, one_stays_by_the_clock,
        played_on_after_a_leaving, leaving_gave_the_last_answer, richest_had_left, shared_victory,
    )
}  # fmt: skip
