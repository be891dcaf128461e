"""The ways a game of Ticket to Ride ends. There is a finished game for each in tests/games/ticket_to_ride/.

python -m tests.domain.ticket_to_ride.ways        # plays and records those that random games hardly ever reach
"""

import random
from collections.abc import Callable, Sequence

from domain import lifecycle
from domain.chain import Ply
from domain.game import Game
from domain.messages import Command, Event
from domain.rules import Action
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.cards import LOCOMOTIVE
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import (
    LastRoundStarted,
    LongestPathScored,
    MarketLeftStanding,
    PlayStalled,
    SetupCompleted,
)
from tests import record
from tests.contract.games import RandomGame

Way = Callable[[Sequence[Ply], Game], bool]


def happened(plies: Sequence[Ply], kind: type[Event]) -> bool:
    return any(isinstance(event, kind) for ply in plies for event in ply.events)


def left(game: Game) -> int:
    return sum(player.left for player in game.state.players.values())


def winners_are_level(game: Game) -> bool:
    """Has a seat that did not win as many points as a winner?"""
    best = [each for each in game.result.standings if each.place is not None]
    top = max(each.total for each in best)
    return sum(each.total == top for each in best) > len(game.result.winners)


WAYS: dict[str, Way] = {
    # TTR 7.1 to 7.4
    "last_round": lambda plies, game: happened(plies, LastRoundStarted) and not left(game),
    # TTR 10.8
    "last_round_without_one": lambda plies, game: happened(plies, LastRoundStarted) and left(game) > 0,
    # TTR 8.9, 8.10
    "tie_broken": lambda plies, game: winners_are_level(game),
    # TTR 8.11
    "shared_victory": lambda plies, game: len(game.result.winners) > 1,
    # TTR 10.2
    "standstill": lambda plies, game: happened(plies, PlayStalled),
    # TTR 10.11
    "one_seat_left": lambda plies, game: (
        not happened(plies, LastRoundStarted) and happened(plies, SetupCompleted) and len(game.state.playing) == 1
    ),
    "one_seat_left_in_setup": lambda plies, game: not happened(plies, SetupCompleted),
    # TTR 8.7
    "without_a_path": lambda plies, game: any(
        isinstance(event, LongestPathScored) and not event.holders for ply in plies for event in ply.events
    ),
}


# ==== games that chance hardly ever brings about ==================================================
POOR = (1, 2)
"""Poor seats spend every card they can; the others take all cards, and leave when none is left to take."""


class ToAStandstill(RandomGame):
    """TTR 10.2: two poor seats are left with cards that pay for nothing."""

    def turn(self):
        seat = self.game.asked[0]
        state = self.game.state
        if seat not in POOR and state.phase == "play" and state.step == "open" and state.nothing_to_draw:
            yield self.give(seat, lifecycle.Resign())
            return
        actions = TITLE.rules.actions(state, seat)
        yield self.give(seat, spend(actions) if seat in POOR else hoard(actions))


def spend(actions: Sequence[Action]) -> Command:
    """Choose the shortest route, else tickets one at a time, else a card."""
    commands = [action.command for action in actions]
    claims = [each for each in commands if isinstance(each, ClaimRoute)]
    keeps = [each for each in commands if isinstance(each, KeepTickets)]
    if claims:
        return min(claims, key=lambda claim: (ROUTES[claim.route].spaces, -claim.pay.count(LOCOMOTIVE), claim.route))
    if keeps:
        return min(keeps, key=lambda keep: len(keep.tickets))
    return DrawTickets() if DrawTickets() in commands else commands[0]


def hoard(actions: Sequence[Action]) -> Command:
    """Choose any open card but a locomotive: in the end hardly anything else is left (TTR 4.9)."""
    commands = [action.command for action in actions]
    keeps = [each for each in commands if isinstance(each, KeepTickets)]
    if keeps:
        return keeps[0]
    open_cards = [each for each in commands if isinstance(each, DrawFaceUpCard) and each.card != LOCOMOTIVE]
    return open_cards[0] if open_cards else DrawBlindCard()


class LeftInSetup(RandomGame):
    """TTR 10.11, 2.7: one of two seats chooses, chooses again and leaves before the other has chosen."""

    def turn(self):
        everything = TITLE.rules.safe(self.game.state, 2)
        yield self.give(2, everything)
        yield self.give(2, KeepTickets(everything.tickets[:2]))
        yield self.give(2, lifecycle.Resign())


def record_left_in_setup() -> None:
    game = LeftInSetup(TITLE, 1, TITLE.seating.options(), 2, mischief=False)
    for _ in game.steps():
        pass
    record.write(record.GAMES / TITLE.id / "ends_one_seat_left_in_setup.jsonl", game)


def record_standstill() -> None:
    for number in range(3000):
        game = ToAStandstill(
            TITLE, number, TITLE.seating.options(), random.Random(number).choice((4, 5)), mischief=False
        )
        for _ in game.steps():
            pass
        if WAYS["standstill"](game.plies, game.game) and happened(game.plies, MarketLeftStanding):
            record.write(record.GAMES / TITLE.id / "ends_standstill.jsonl", game)
            print("recorded standstill", number, len(game.plies))
            return
    raise SystemExit("no standstill found")


if __name__ == "__main__":
    record_left_in_setup()
    record_standstill()
