"""The kinds of notices, one record each: its recipients, its timing, its names.

`service.letters.by_kind` has, by the same tag, each kind's letter and the check whether it is still due, both of which
look into the game. The tags are stored and published, in this order.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from service.notices import hearers
from service.notices.hearers import Hearer, Step
from service.words import N_

To = Literal["seat", "host", "former", "guest", "writer", "address", "reader", "seeker"]


class Kind(NamedTuple):
    """A kind of notice.

    ``to``: the people at the seats (or the host, who gets some as such), the host alone, people who lost a seat, people
    invited to a game, the writer of an answer, any address, also if its owner has stopped all mail, a reader of the
    talk, or somebody who looks for a game. ``hears``: the function that finds the recipients among the plies of a
    submission; None if a deadline or a request makes it due.
    ``named``: its name in the ledger and at its switch. ``line``: its text in a mail about several notices. ``call``:
    its text in a webhook call, as much as a mail's subject shows. ``rank``: its place in a mail about several, most
    urgent first: turns, questions, then news. ``urgent``: it cannot wait for a daily mail. ``asks``: it waits for the
    seat's answer. ``running``: it is news only while the game runs. ``kept``: the last one stays in the ledger as long
    as the game goes on. ``at_once``: nothing delays it, and it goes in a mail of its own.
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
        """Can its reader switch it off, and do webhooks get it? This excludes requested mails and invitations."""
        return self.to in ("seat", "host", "former", "reader", "seeker")


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
        line=N_("The game is waiting for its players"), call=N_("The game is waiting for its players."),
    ),
    "resumed": Kind(
        "seat", N_("a paused game that continues"), hearers.resumed, rank=14, running=True,
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
        line=N_("Somebody proposes to rewind"), call=N_("Somebody proposes to rewind."),
    ),
    "rewound": Kind(
        "seat", N_("a game was rewound"), hearers.rewound, rank=13, running=True,
        line=N_("The game was rewound to an earlier position"), call=N_("The game was rewound to an earlier position."),
    ),
    "words": Kind(
        "seat", N_("a table waits for your sealed words"), hearers.words, rank=4, asks=True, urgent=True, kept=True,
        line=N_("The table waits for your words"), call=N_("A table is waiting for your sealed words."),
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
    "talk": Kind(
        "reader", N_("talk at a table that mentions you, or all of it if you wish"), rank=17,
        line=N_("There is news in the talk"), call=N_("There is news in the talk at a table."),
    ),
    "seat_kept": Kind(
        "seeker", N_("a seat that is kept for you"), rank=18, urgent=True,
        line=N_("A seat is kept for you"), call=N_("A seat at a table is kept for you."),
    ),
    "wish_ended": Kind(
        "seeker", N_("your search for a game has ended"), rank=19,
        line=N_("Your search for a game has ended"), call=N_("Your search for a game has ended."),
    ),
    "receipt": Kind("writer", N_("the result of your email"), rank=0, urgent=True, at_once=True),
    "draft": Kind(
        "writer", N_("an email in your name that needs your confirmation"), rank=0, urgent=True, at_once=True
    ),
    "sign_in": Kind("address", N_("a sign-in link")),
    "invitation": Kind("guest", N_("an invitation")),
    "address": Kind("address", N_("a link to confirm a new address")),
    "confirm": Kind("address", N_("a link to check that the address works")),
    "moved": Kind("address", N_("confirmation that your address has changed")),
}  # fmt: skip

UNKNOWN = Kind("seat", "")


def kind_of(tag: str) -> Kind:
    """Return the record of a kind. An unknown one comes from a later release; only its seat is known."""
    return KINDS.get(tag, UNKNOWN)


SWITCHED = tuple(tag for tag, kind in KINDS.items() if kind.switched)
"""The kinds of mail about games, each with a switch. Requested links and invitations have none."""
