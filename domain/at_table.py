"""The decision about a table that house rules work with, as a title's rules work with its own `Decision`.

The rules stand in `seats`, `leaving`, `going_back` and `timekeeping`, cited as ``ST <n>`` (see HOUSE_RULES.md); `play`
holds the lookup from command to rule.
"""

from collections.abc import Callable, Collection

from domain.chance import Chance
from domain.decision import NO_SEAT, Decision
from domain.game import Game
from domain.lifecycle import Table, evolve_table
from domain.messages import Event
from domain.refusal import Refused

Nobody = Callable[[Table, Collection[int]], tuple[int, ...]]
"""Take a table and the seats whose players are absent. Return the seats of all people who still play, if all of them
are absent.
"""


class AtTable(Decision[Table | None]):
    """A decision about a table. ``at``: milliseconds since 1970 (UTC). ``game``: the game before the command.
    ``secret``: the game's; empty in a preview.

    ``seat``: `NO_SEAT` for commands of the table itself. The title's own events happen here, too, and leave the table
    as it is.
    """

    __slots__ = ("at", "game", "nobody", "secret")

    def __init__(self, game: Game, seat: int | None, at: int, chance: Chance, secret: bytes, nobody: Nobody) -> None:
        super().__init__(game.table, NO_SEAT if seat is None else seat, chance)
        self.game, self.at, self.secret, self.nobody = game, at, secret, nobody

    @property
    def table(self) -> Table:
        """The open table, after the events so far."""
        assert self.state is not None
        return self.state

    def happens(self, *events: Event) -> None:
        for event in events:
            self.state = evolve_table(self.state, event, self.game.version + 1, self.at)
        self.events += events

    def foreseen(self, event: Event) -> Table:
        """The table as it would be after ``event``."""
        after = evolve_table(self.state, event, self.game.version + 1, self.at)
        assert after is not None
        return after


KEEPS_TO_THE_LEAST = 3
"""The version of the rules since which moved deadlines, and the wait for sealed words, have a minimum."""


def keeps_to_the_least(game: Game) -> bool:
    """Do moved deadlines have a minimum by the version of the rules that decides (ST 13, ST 20)?"""
    return game.title.rules.version >= KEEPS_TO_THE_LEAST


# ==== guards of many rules ========================================================================
def must_be_opened(now: AtTable) -> None:
    """ST 1 A table accepts no command before it is opened."""
    if now.state is None:
        raise Refused("ST 1", "This table is not open yet.")


def must_not_be_over(game: Game) -> None:
    """A table whose game is over accepts no command. The refusal cites the title's own number for this rule."""
    if game.status == "over":
        raise Refused(game.title.cites["over"], "The game is over.")
