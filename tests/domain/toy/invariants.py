"""The invariants of the toy title after every ply."""

from domain.chain import Ply
from domain.game import Game
from tests.toy import CARDS, FULL_HAND, STEPS, State


class Invariants:
    """One game, ply by ply."""

    def after(self, ply: Ply, game: Game) -> None:
        state: State = game.state
        assert 0 <= state.steps <= STEPS
        assert set(state.gone) <= set(state.seats)
        for seat, hand in state.hands.items():
            assert len(hand) <= FULL_HAND
            assert set(hand) <= set(CARDS)
            assert state.leader is not None or state.chosen.get(seat) in (None, *hand)
        assert all(walked >= 0 for walked in state.walked.values())
        if game.status == "over":
            assert state.left == 0 or len(state.playing) < 2
