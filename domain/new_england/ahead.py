"""What comes of a command that no preview shows: answers of others, dice, growth, the end (NER 18.4).

It is the same whether others have left proxies or not.
"""

from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import LINKS
from domain.new_england.view import NewEnglandView
from domain.words import Sentence

LEAST_ROLL = 2
"""Of two dice (NER 10.10)."""

_AT = {
    "NER 7.1": Sentence("Growth cards are revealed."),
    "NER 9.1": Sentence("Links for the next turn are drawn."),
    "NER 10.10": Sentence("The dice are rolled for construction."),
    "NER 12.1": Sentence("The market dice are rolled."),
    "NER 14.3": Sentence("The first player is drawn by lot."),
    "NER 20.12": Sentence("The next seat has to decide. If that seat has left a proxy, it bids or passes at once."),
    "EntryAnswered": Sentence("If the next seat has left an answer, it counts at once and is final."),
    "RowMovedDown": Sentence("All links of this turn are sold, and the links of the next turn move down."),
    "GameWon": Sentence("The game ends and is scored."),
}
"""Beginning of the name of a draw, or of the tag of an event -> what happens there."""


def ahead(view: NewEnglandView, command: Command, at: str) -> list[Sentence]:
    """What it may cost, then what happens. ``at``: the draw or the event that nobody foresees."""
    if isinstance(command, do.TakeLoan | do.RetireDebt):  # and how it goes on rests on the answers
        return [Sentence("You choose last; all choices are revealed.")]
    said = []
    if isinstance(command, do.PlaceBid):
        said += _of_a_bid(view, command)
    elif isinstance(command, do.PassBid):
        said.append(Sentence("You stop bidding for {link}.", {"link": command.link}))
    return said + [sentence for begin, sentence in _AT.items() if at.startswith(begin)]


def _of_a_bid(view: NewEnglandView, command: do.PlaceBid) -> list[Sentence]:
    """NER 10.7, 10.11 What is paid if nobody bids more; NER 10.13 and what building can cost beside it."""
    said = [Sentence("If nobody bids more, you pay ${amount}.", {"amount": command.amount})]
    left = (view.own.cash if view.own else 0) - command.amount
    if most := max(min(LINKS[command.link].number - LEAST_ROLL, left), 0):
        said.append(Sentence("If you agree, construction may cost up to ${most} more.", {"most": most}))
    return said
