"""TTR 6: drawing tickets in a turn and keeping some of them; and how tickets are dealt, in setup too."""

from msgspec import UNSET

from domain.chance import NOBODY
from domain.refusal import Refused
from domain.ticket_to_ride.board import FEWEST_KEPT, TICKETS_DEALT
from domain.ticket_to_ride.commands import DrawTickets, KeepTickets
from domain.ticket_to_ride.events import TicketsKept, TicketsOffered
from domain.ticket_to_ride.rules.course import Course
from domain.ticket_to_ride.rules.setup import choose_tickets, parted
from domain.ticket_to_ride.rules.turn import must_be_on_turn, must_begin, must_not_be_over


def draw_tickets(course: Course, seat: int, command: DrawTickets) -> None:
    """TTR 6.1 The seat is dealt the next three tickets and chooses among them. TTR 6.5 Not from an empty deck."""
    must_begin(course.state, seat)
    if not course.state.ticket_deck:
        raise Refused("TTR 6.5", "There are no tickets left.")
    deal_tickets(course, seat)


def deal_tickets(course: Course, seat: int) -> None:
    """TTR 10.12 Each ticket of the set is equally likely; the returned ones come in their order when it is empty.

    TTR 6.4 If fewer than three are left, those.
    """
    state = course.state
    drawn = min(TICKETS_DEALT, len(state.tickets))
    tickets = course.chance.draw("TTR 6.1 ticket deck", state.tickets, drawn, NOBODY) if drawn else []
    tickets += [ticket for _, ticket in state.bottom[: TICKETS_DEALT - drawn]]
    course.happens(TicketsOffered(seat, len(tickets), tuple(tickets)))


def keep_tickets(course: Course, seat: int, command: KeepTickets) -> None:
    """TTR 6.2 The seat keeps at least one; TTR 6.3 the others go to the bottom of the ticket deck."""
    state = course.state
    must_not_be_over(state)
    tickets = () if command.tickets is UNSET else command.tickets
    if state.phase == "setup":
        choose_tickets(course, seat, tickets)
        return
    must_be_on_turn(state, seat)
    if state.step != "tickets":
        raise Refused("TTR 6.1", "No tickets are offered to you.")
    kept, returned = parted(state.players[seat].offered, tickets)
    if len(kept) != len(tickets):
        raise Refused("TTR 6.1", "Choose among the tickets offered to you, each once.")
    if len(kept) < FEWEST_KEPT:
        raise Refused("TTR 6.2", "Keep at least one of the tickets.")
    course.happens(TicketsKept(seat, len(kept), len(returned), state.ticket_deck + len(returned), kept, returned))
