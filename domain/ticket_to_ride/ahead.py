"""What comes of a command that no preview shows: cards and tickets drawn, choices opened, the end."""

from domain.messages import Command
from domain.ticket_to_ride import commands as do
from domain.ticket_to_ride.board import TICKETS_DEALT
from domain.ticket_to_ride.cards import LOCOMOTIVE
from domain.ticket_to_ride.view import TicketToRideView
from domain.words import Sentence


def ahead(view: TicketToRideView, command: Command, at: str) -> list[Sentence]:
    """What happens, then what follows. ``at``: the draw or the event that nobody foresees."""
    if isinstance(command, do.DrawFaceUpCard):
        taken = Sentence("You take this card: {card}. A card from the deck replaces it.", {"card": command.card})
        return [taken, _after_a_card(view, whole_turn=command.card == LOCOMOTIVE)]
    if isinstance(command, do.DrawBlindCard):
        return [Sentence("You draw a card that nobody has seen."), _after_a_card(view)]
    if isinstance(command, do.DrawTickets):
        dealt = min(TICKETS_DEALT, view.ticket_deck)
        return [
            Sentence("You are dealt {count:ticket|tickets} and keep at least one.", {"count": dealt}),
            Sentence("A ticket that you keep but do not complete costs you its points at the end."),
        ]
    if isinstance(command, do.KeepTickets) and view.phase == "setup":
        return [Sentence("You choose last, so the game begins.")]
    if at.startswith("TTR 10.6"):
        return [Sentence("No more cards can be drawn. The next seat plays if it can claim a route.")]
    if at in ("TicketsScored", "GameEnded"):
        return [Sentence("The game ends. All tickets are revealed and scored.")]
    return [Sentence("Cards from the deck refill the market.")]  # and how many rests on the deck


def _after_a_card(view: TicketToRideView, *, whole_turn: bool = False) -> Sentence:
    """TTR 4.1, 4.3 A turn has two cards, or one locomotive of the market."""
    if whole_turn or view.step == "one_card":
        return Sentence("This ends your turn.")
    return Sentence("Then you draw a second card.")
