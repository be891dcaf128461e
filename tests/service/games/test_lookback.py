"""The story in lines: repeats are one line, and nothing hidden shows in it."""

from domain.chain import Ply
from domain.words import Sentence
from service.games.lookback import told
from service.games.queries import StoryPly
from tests.toy import Pick


def ply(number: int, said: str, seat: int = 1, cause: str = "", *, withdrawn: bool = False) -> StoryPly:
    sentences = (Sentence(said),) if said else ()
    known = Ply(number, 1, 0, seat, cause, Pick())
    return StoryPly(known, b"", withdrawn, lambda _events: sentences, lambda it: it.template)


def lines(*plies: StoryPly) -> list[tuple[int, int]]:
    """Return the number of the last ply of each line, and the number of its plies."""
    return [(it.ply.ply.number, it.times) for it in told(plies)]


def test_the_same_deed_of_a_seat_in_a_row_is_one_line():
    draws = [ply(number, "Anna draws a card.") for number in (1, 2, 3)]
    assert lines(*draws) == [(3, 3)]
    assert lines(*draws, ply(4, "Anna stops."), ply(5, "Anna draws a card.")) == [(3, 3), (4, 1), (5, 1)]


def test_another_seat_another_cause_or_a_withdrawal_begins_a_new_line():
    first = ply(1, "A card is drawn.")
    for other in (
        ply(2, "A card is drawn.", seat=2),
        ply(2, "A card is drawn.", cause="bot"),
        ply(2, "A card is drawn.", withdrawn=True),
        ply(2, "A blue card is drawn."),
    ):
        assert lines(first, other) == [(1, 1), (2, 1)]


def test_a_ply_of_which_the_viewer_knows_nothing_breaks_no_line():
    """Else a gap would tell that somebody has left a hidden answer."""
    assert lines(ply(1, "Anna draws a card."), ply(2, "", seat=2), ply(3, "Anna draws a card.")) == [(3, 2)]


def test_no_plies_are_no_lines():
    assert lines() == []
    assert lines(ply(1, "")) == []
