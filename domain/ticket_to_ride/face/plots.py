"""The plots of a finished game of Ticket to Ride: points, trains, tickets, hands and locomotives."""

from collections.abc import Iterator, Sequence

from domain.plots import Bar, BarGroup, Bars, Happening, Plot, PlotRow, PlotRows, Steps, Stretch, steps
from domain.ticket_to_ride.cards import LOCOMOTIVE
from domain.ticket_to_ride.events import BlindCardDrawn
from domain.ticket_to_ride.rules.scoring import completed_tickets
from domain.ticket_to_ride.state import State
from domain.words import Sentence

TURN = Sentence("turn")


def plots(moments: Sequence[Happening]) -> tuple[Plot, ...]:
    """Return the plots in the order of the page. The last points are the result's (TTR 8.8)."""
    return (
        Steps("points", Sentence("Points"), TURN, Sentence("points"), steps(moments, _seats, _points)),
        Steps(
            "trains", Sentence("The race to the end"), TURN, Sentence("trains left"), steps(moments, _seats, _trains)
        ),
        PlotRows(
            "tickets",
            Sentence("Tickets, from the turn they were kept to the turn they were completed"),
            TURN,
            Sentence("ticket"),
            tuple(_tickets(moments)),
            span=Sentence("turns"),
        ),
        Steps("hands", Sentence("Cards in hand"), TURN, Sentence("train cards"), steps(moments, _seats, _hand)),
        _luck(moments),
    )


def _seats(state: State) -> Sequence[int]:
    return tuple(state.players)


def _turn(state: State) -> int:
    """Final scoring comes after the last turn."""
    return state.turn + bool(state.final.scores)


def _points(state: State, seat: int) -> tuple[int, int]:
    return _turn(state), state.players[seat].points


def _trains(state: State, seat: int) -> tuple[int, int]:
    return state.turn, state.players[seat].trains


def _hand(state: State, seat: int) -> tuple[int, int]:
    return state.turn, sum(state.players[seat].hand.values())


def _tickets(moments: Sequence[Happening]) -> Iterator[PlotRow]:
    """TTR 8.3, 8.4 A row for each ticket kept, by seat; missed if its cities were not joined in the end."""
    kept: dict[tuple[int, str], int] = {}
    done: dict[tuple[int, str], int] = {}
    for moment in moments:
        for seat, player in moment.after.players.items():
            then = moment.before.players.get(seat, player)
            own = (*player.tickets, *(player.chosen or ()))
            if own == (*then.tickets, *(then.chosen or ())) and player.trains == then.trains:
                continue
            for ticket in own:
                kept.setdefault((seat, ticket), moment.after.turn)
            for ticket in completed_tickets(own, moment.after.routes_of(seat)):
                done.setdefault((seat, ticket), moment.after.turn)
    last = moments[-1].after.turn if moments else 0
    for seat, ticket in sorted(it for it in kept if it[1] in _own(moments, it[0])):
        end = done.get((seat, ticket))
        yield PlotRow(ticket, (Stretch(kept[seat, ticket], last if end is None else end, seat, end is None),))


def _own(moments: Sequence[Happening], seat: int) -> tuple[str, ...]:
    """The tickets of a seat at the end: those it chose in setup and then replaced are none."""
    player = moments[-1].after.players[seat]
    return (*player.tickets, *(player.chosen or ()))


def _luck(moments: Sequence[Happening]) -> Bars:
    """TTR 4.4 The locomotives among a seat's blind cards, beside the number that its deck let expect at each draw."""
    drawn: dict[int, int] = {}
    expected: dict[int, float] = {}
    for moment in moments:
        if isinstance(moment.event, BlindCardDrawn):
            seat, deck = moment.event.seat, moment.before.deck
            drawn[seat] = drawn.get(seat, 0) + (moment.event.card == LOCOMOTIVE)
            expected[seat] = expected.get(seat, 0.0) + deck[LOCOMOTIVE] / sum(deck.values())
    bars = tuple(Bar(drawn[seat], seat, round(10 * expected[seat])) for seat in sorted(drawn))
    return Bars(
        "luck",
        Sentence("Locomotives drawn blind"),
        Sentence("cards"),
        Sentence("locomotives"),
        (BarGroup("locomotive", bars),) if bars else (),
        beside=Sentence("expected"),
    )
