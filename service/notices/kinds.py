"""The kinds of notices, a record each: whom it is for, what decides when it goes, what it is called.

How a kind's letter is written and when it is news no longer, which takes a look into the game, stands in
`service.letters.by_kind`, by the same tag. The tags are stored and published, in this order.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from service.notices import hearers
from service.notices.hearers import Hearer, Step
from service.words import N_

To = Literal["seat", "host", "former", "guest", "writer", "address"]


class Kind(NamedTuple):
    """A kind of notice.

    ``to``: who has a seat (or the host, who hears of some as such), the host alone, who had a seat, who is invited to
    a game, who has answered a letter, or whoever has an address, which is told also when they have stopped all mail.
    ``hears``: whom the plies of a submission make it due to; None: a deadline does, or somebody who asks for it.
    ``named``: what it is called in the ledger and at its switch. ``line``: what a mail about several says of it.
    ``call``: what a webhook says, as much as the mail shows from outside.
    ``rank``: its place in a mail about several, the most urgent first: turns, what asks for an answer, then news.
    ``urgent``: it cannot wait for a daily mail. ``asks``: it waits for the seat's answer. ``running``: it is news only
    while the game runs. ``kept``: the last one stays in the ledger as long as the game goes on.
    ``at_once``: nothing puts it off, and it goes by itself.
    """

    to: To
    named: str
    hears: Callable[[Step], list[Hearer]] | None = None
    line: str = ""
    call: str = ""
    rank: int = 99
    urgent: bool = False
    asks: bool = False
    running: bool = False
    kept: bool = False
    at_once: bool = False

    @property
    def switched(self) -> bool:
        """Whether its reader can switch it off and webhooks hear of it: not what one asks for, nor invitations."""
        return self.to in ("seat", "host", "former")


KINDS: Mapping[str, Kind] = {
    "turn": Kind(
        "seat", N_("your turn"), hearers.turn, rank=2, asks=True, running=True, kept=True,
        line=N_("It is your turn"), call=N_("It is your turn."),
    ),
    "reminder": Kind(
        "seat", N_("a deadline that is close"), rank=1, asks=True, urgent=True,
        line=N_("Your time is running out"), call=N_("Your time runs out soon."),
    ),
    "timed_out": Kind(
        "seat", N_("a clock that ran out"), hearers.timed_out, rank=10,
        line=N_("Somebody's time ran out"), call=N_("Your time has run out."),
    ),
    "seat_open": Kind(
        "seat", N_("a seat that has become free"), hearers.seat_open, rank=9, running=True,
        line=N_("A seat is open"), call=N_("A seat has become free."),
    ),
    "paused": Kind(
        "seat", N_("a game that waits for its players"), hearers.paused, rank=8, running=True,
        line=N_("The game waits for its players"), call=N_("The game waits for its players."),
    ),
    "resumed": Kind(
        "seat", N_("a paused game that goes on"), hearers.resumed, rank=14, running=True,
        line=N_("The game goes on"), call=N_("The game goes on."),
    ),
    "started": Kind(
        "seat", N_("a game has begun"), hearers.started, rank=16, running=True,
        line=N_("The game has started"), call=N_("The game has started."),
    ),
    "over": Kind(
        "seat", N_("a game is over"), hearers.over, rank=11,
        line=N_("The game is over"), call=N_("The game is over."),
    ),
    "cancelled": Kind(
        "seat", N_("a table was closed"), hearers.cancelled, rank=12,
        line=N_("The game was called off"), call=N_("The game was called off."),
    ),
    "rewind": Kind(
        "seat", N_("a proposal to rewind the game"), hearers.rewind, rank=6, running=True,
        line=N_("Somebody proposes going back"), call=N_("Somebody proposes going back."),
    ),
    "rewound": Kind(
        "seat", N_("a game was rewound"), hearers.rewound, rank=13, running=True,
        line=N_("The game went back to an earlier position"), call=N_("The game went back to an earlier position."),
    ),
    "words": Kind(
        "seat", N_("a table waits for your sealed words"), hearers.words, rank=4, asks=True, urgent=True, kept=True,
        line=N_("The table waits for your words"), call=N_("A table waits for your sealed words."),
    ),
    "seat_lost": Kind(
        "former", N_("you have lost a seat"), hearers.seat_lost, rank=5, urgent=True,
        line=N_("You have lost your seat"), call=N_("You have lost your seat."),
    ),
    "full": Kind(
        "host", N_("your table is full"), hearers.full, rank=7,
        line=N_("The table is full"), call=N_("Your table is full."),
    ),
    "left": Kind(
        "host", N_("a player has left your table"), hearers.left, rank=15,
        line=N_("Somebody has left"), call=N_("Somebody has left your table."),
    ),
    "sooner": Kind(
        "seat", N_("a deadline that was moved forward"), hearers.sooner, rank=3, asks=True, urgent=True, running=True,
        line=N_("Your deadline is now earlier"), call=N_("Your deadline is now earlier."),
    ),
    "receipt": Kind("writer", N_("the result of your mail"), rank=0, urgent=True, at_once=True),
    "draft": Kind("writer", N_("a mail in your name that needs your confirmation"), rank=0, urgent=True, at_once=True),
    "sign_in": Kind("address", N_("a sign-in link")),
    "invitation": Kind("guest", N_("an invitation")),
    "address": Kind("address", N_("a link to confirm a new address")),
    "confirm": Kind("address", N_("a link to check that the address works")),
    "moved": Kind("address", N_("confirmation that your address has changed")),
}  # fmt: skip

UNKNOWN = Kind("seat", "")


def kind_of(tag: str) -> Kind:
    """The record of a kind. Of one that a later release has owed we know no more than that it is for a seat."""
    return KINDS.get(tag, UNKNOWN)


SWITCHED = tuple(tag for tag, kind in KINDS.items() if kind.switched)
"""The kinds of mail about games, each of which can be switched off. Links one asks for and invitations are none."""
