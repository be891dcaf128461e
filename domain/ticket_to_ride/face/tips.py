"""The tips of Ticket to Ride, the most important first. The round chooses among the general ones, so that they vary."""

from pathlib import Path

from domain.ticket_to_ride.board import BOTH_TRACKS_FROM
from domain.ticket_to_ride.cards import LOCOMOTIVE
from domain.ticket_to_ride.view import TicketToRideView
from domain.tips import Tip, usual
from domain.words import Sentence

USUAL = usual(Path(__file__).parents[1] / "data")
FEW_TRAINS = 10
"""Trains of a seat with which the end is near."""


def _round(view: TicketToRideView) -> int:
    """Return the number of the present round of turns, from 1."""
    return (view.turn - 1) // len(view.seats) + 1


def _begins(view: TicketToRideView) -> bool:
    """Is the turn's action still to be chosen?"""
    return view.phase == "play" and view.step == "open"


# ==== tickets and the second card =================================================================
def _first_tickets(view: TicketToRideView) -> Sentence | None:
    if view.phase != "setup":
        return None
    return Sentence(
        "At the end, a ticket that you keep adds its value if you have completed it. Otherwise it takes its value away."
    )


def _kept_for_good(view: TicketToRideView) -> Sentence | None:
    if view.step != "tickets":
        return None
    return Sentence("Keep at least one of these tickets. You can never return a ticket that you have kept.")


def _no_second_locomotive(view: TicketToRideView) -> Sentence | None:
    if view.step != "one_card" or LOCOMOTIVE not in view.market:
        return None
    return Sentence("Your second card cannot be a locomotive from the market. From the deck, you may draw one.")


def _second_card(view: TicketToRideView) -> Sentence | None:
    if view.step != "one_card":
        return None
    return Sentence("Your turn goes on: take a second card, from the market or unseen from the deck.")


# ==== the end =====================================================================================
def _last_turn(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or view.last_round_by is None:
        return None
    return Sentence("This is your last turn. Cards and trains that you have left are worth nothing at the end.")


def _end_is_near(view: TicketToRideView) -> Sentence | None:
    staying = [it for it in view.seats if not it.left]
    fewest = min(staying, key=lambda it: it.trains)
    if not _begins(view) or fewest.trains > FEW_TRAINS:
        return None
    return Sentence(
        "{seat} has {trains:train|trains} left. When a turn ends with two or fewer, everybody has one more turn.",
        {"seat": fewest.seat, "trains": fewest.trains},
    )


# ==== routes and cards ============================================================================
def _three_actions(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) > 1:
        return None
    return Sentence(
        "In your turn you do one of three things: take train cards, claim a route or draw tickets. You cannot pass."
    )


def _locomotive(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or LOCOMOTIVE not in view.market or _round(view) % 2:
        return None
    return Sentence(
        "A locomotive from the market is the only card that you take in this turn. From the deck, it is one of two."
    )


def _points(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) % 8 not in (2, 3):
        return None
    return Sentence("Long routes score more for each train: six spaces score 15 points, a single space scores 1.")


def _gray(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) % 8 != 4:
        return None
    return Sentence("For a gray route you choose the colour. All its cards are of one colour, or locomotives.")


def _one_track(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) % 8 != 5 or len(view.seats) >= BOTH_TRACKS_FROM:
        return None
    return Sentence(
        "With two or three players, the second track between two cities is closed as soon as one is claimed."
    )


def _not_both_tracks(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) % 8 != 5:
        return None
    return Sentence("Where two tracks join the same cities, you may own only one of them.")


def _first_route(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or view.seat in view.owners.values() or _round(view) % 8 not in (6, 0):
        return None
    return Sentence(
        "You may hold any number of cards. Bots collect cards first, and claim their first route about in turn {turn}.",
        {"turn": USUAL.of("first_route", len(view.seats))},
    )


def _completed(view: TicketToRideView) -> Sentence | None:
    private = view.own.private if view.own else None
    if not _begins(view) or private is None or not private.completed or _round(view) % 8 != 7:
        return None
    return Sentence(
        "Completed: {tickets}. Nobody else sees this before the end, when the value is added.",
        {"tickets": private.completed},
    )


def _unbroken(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or _round(view) % 8 != 6:
        return None
    return Sentence("A route need not touch your others. But a ticket needs an unbroken chain of your own routes.")


def _longest(view: TicketToRideView) -> Sentence | None:
    own = view.own
    if not _begins(view) or own is None or not own.longest_path or _round(view) % 8 not in (7, 0):
        return None
    return Sentence(
        "The longest path scores 10 points at the end. Yours has {own:space|spaces}, the longest so far {most}.",
        {"own": own.longest_path, "most": max(it.longest_path for it in view.seats)},
    )


def _more_tickets(view: TicketToRideView) -> Sentence | None:
    if not _begins(view) or not view.ticket_deck:
        return None
    return Sentence(
        "If you draw tickets, you are dealt up to three and keep at least one. Each adds its value, or takes it away."
    )


TIPS = (
    Tip("TTR 8.4", _first_tickets),
    Tip("TTR 6.6", _kept_for_good),
    Tip("TTR 4.3", _no_second_locomotive),
    Tip("TTR 4.1", _second_card),
    Tip("TTR 8.13", _last_turn),
    Tip("TTR 7.2", _end_is_near),
    Tip("TTR 3.2", _three_actions),
    Tip("TTR 4.3", _locomotive),
    Tip("TTR 5.6", _points),
    Tip("TTR 5.3", _gray),
    Tip("TTR 5.4", _one_track),
    Tip("TTR 5.5", _not_both_tracks),
    Tip("TTR 4.5", _first_route),
    Tip("TTR 9.8", _completed),
    Tip("TTR 8.3", _unbroken),
    Tip("TTR 8.6", _longest),
    Tip("TTR 6.2", _more_tickets),
)
