"""The words of Ticket to Ride that its pages explain."""

from domain.terms import Term
from domain.words import Sentence

TERMS = (
    Term(
        "route",
        Sentence("route | routes | Routes"),
        Sentence("Tracks between two neighbouring cities. You claim a whole route with train cards."),
        "TTR 5.1",
    ),
    Term(
        "space",
        Sentence("space | spaces"),
        Sentence("The parts of a route: each takes one card and one of your trains."),
        "TTR 5.2",
    ),
    Term(
        "gray_route",
        Sentence("gray route | gray routes"),
        Sentence("You pay for it with cards of any one colour."),
        "TTR 5.3",
    ),
    Term(
        "track",
        Sentence("track | tracks"),
        Sentence("Some cities are joined by two tracks, each a route of its own. Nobody may claim both."),
        "TTR 5.5",
    ),
    Term(
        "train",
        Sentence("trains | train"),
        Sentence("Your 45 pieces. You put one on each space of a route that you claim."),
        "TTR 5.7",
    ),
    Term(
        "train_card",
        Sentence("train card | train cards | Train cards"),
        Sentence("Cards in eight colours, and locomotives. You pay for routes with them."),
        "TTR 1.4",
    ),
    Term("locomotive", Sentence("locomotive | locomotives"), Sentence("A card that stands for any colour."), "TTR 5.2"),
    Term(
        "market",
        Sentence("market | Market"),
        Sentence("The five face-up train cards that everybody may take."),
        "TTR 4.1",
    ),
    Term(
        "ticket",
        Sentence("ticket | tickets | Tickets"),
        Sentence("Names two cities. It scores at the end if your routes connect them; otherwise it costs as much."),
        "TTR 8.3",
    ),
    Term(
        "longest_path",
        Sentence("longest path"),
        Sentence("The longest line of routes of one player that uses no route twice. It scores 10 points at the end."),
        "TTR 8.6",
    ),
    Term(
        "last_round",
        Sentence("last round"),
        Sentence("It begins when a player ends a turn with two trains or fewer. Everybody has one more turn."),
        "TTR 7.1",
    ),
    Term(
        "discards",
        Sentence("discards | discard pile"),
        Sentence("Cards that were paid. When the deck runs out, they become the new deck."),
        "TTR 4.10",
    ),
)
