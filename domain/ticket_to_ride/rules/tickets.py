"""TTR 6: drawing tickets in a turn and keeping some of them; and dealing tickets, in setup too."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import UNSET

from domain.chance import NOBODY
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.ticket_to_ride.board import FEWEST_KEPT, TICKETS_DEALT
from domain.ticket_to_ride.commands import DrawTickets, KeepTickets
from domain.ticket_to_ride.events import TicketsKept, TicketsOffered
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.setup import choose_tickets, parted
from domain.ticket_to_ride.rules.turn import must_be_on_turn, must_begin, must_not_be_over
from domain.words import Sentence


def draw_tickets(now: Now, command: DrawTickets) -> None:
    """TTR 6.1 Deal the seat the next three tickets, among which it chooses."""
    must_begin(now)
    must_leave_tickets(now)
    deal_tickets(now, now.seat)


def must_leave_tickets(now: Now) -> None:
    """TTR 6.5 No tickets are drawn from an empty deck."""
    if not now.state.ticket_deck:
        raise Refused("TTR 6.5", "There are no tickets left.")


def deal_tickets(now: Now, seat: int) -> None:
    """TTR 10.12 Each ticket of the set is equally likely; when the set is empty, the returned ones come in their order.

    TTR 6.4 If fewer than three are left, deal those.
    """
    state = now.state
    drawn = min(TICKETS_DEALT, len(state.tickets))
    tickets = now.chance.draw("TTR 6.1 ticket deck", state.tickets, drawn, NOBODY) if drawn else []
    tickets += [ticket for _, ticket in state.bottom[: TICKETS_DEALT - drawn]]
    now.happens(TicketsOffered(seat, len(tickets), tuple(tickets)))


def keep_tickets(now: Now, command: KeepTickets) -> None:
    """TTR 6.2 The seat keeps at least one; TTR 6.3 the others go to the bottom of the ticket deck."""
    must_not_be_over(now)
    tickets = () if command.tickets is UNSET else command.tickets
    if now.state.phase == "setup":
        choose_tickets(now, tickets)
        return
    must_be_on_turn(now)
    kept, returned = must_keep_one(now, tickets)
    deck = now.state.ticket_deck + len(returned)
    now.happens(TicketsKept(now.seat, len(kept), len(returned), deck, kept, returned))


def must_keep_one(now: Now, tickets: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """TTR 6.2 The seat must keep at least one of the offered tickets. Return those kept and those returned."""
    if now.state.step != "tickets":
        raise Refused("TTR 6.1", "You have no tickets to choose from.")
    kept, returned = parted(now.player.offered, tickets)
    if len(kept) != len(tickets):
        raise Refused("TTR 6.1", "Choose from the tickets offered to you, each at most once.")
    if len(kept) < FEWEST_KEPT:
        raise Refused("TTR 6.2", "Keep at least one of the tickets.")
    return kept, returned


# ==== in the list of legal actions ================================================================
DRAW_TICKETS = Action(DrawTickets(), "draw_tickets", Sentence("Draw tickets"))


def candidates(now: Now) -> Iterator[Action]:
    """Return the drawing of tickets, or all ways to keep offered ones, the most first."""
    yield DRAW_TICKETS
    offered = now.player.offered
    for number in range(len(offered), 0, -1):
        for kept in combinations(offered, number):
            yield Action(KeepTickets(kept), "keep", Sentence("Keep {tickets}", {"tickets": kept}))


CHAPTER = Chapter({DrawTickets: draw_tickets, KeepTickets: keep_tickets}, candidates)
