"""The table while one command is decided: the state so far, the events so far, and the chance to ask."""

from domain.chance import Chance
from domain.messages import Event
from domain.ticket_to_ride.events import BlindCardDrawn, FaceUpCardDrawn, RouteClaimed
from domain.ticket_to_ride.evolve import BOOKKEEPING
from domain.ticket_to_ride.state import Player, State

MOVES_TRAIN_CARDS: frozenset[type[Event]] = frozenset((FaceUpCardDrawn, BlindCardDrawn, RouteClaimed))


class Course:
    """Every event that happens is written down at once, so each rule looks at the table as it is by then."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def happens(self, event: Event) -> None:
        self.state = BOOKKEEPING[type(event)](self.state, event)
        self.events.append(event)

    def player(self, seat: int) -> Player:
        return self.state.players[seat]

    @property
    def train_cards_moved(self) -> bool:
        """Whether the command drew or discarded train cards (TTR 4.9)."""
        return not MOVES_TRAIN_CARDS.isdisjoint(map(type, self.events))
