"""Authorization at a table: the actors and their rights, checked in this one place for every channel.

Pages, API, mail, workers and commands name the `Actor` and call an action, which checks the right here first. Buttons
and the API's ``may`` follow from the same rights and from a trial by the rules.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import msgspec

from domain.clock import ReturnToSeat, SetPace, StandIn, TakeOver
from domain.lifecycle import (
    AgreeToRewind,
    CancelGame,
    GiveUpSeat,
    ProposeRewind,
    RefuseRewind,
    Resign,
    StartGame,
    TakeBack,
    TakeSeat,
    TakeSeat1,
)
from domain.messages import Command
from domain.pace import LONGEST
from domain.play import allows
from domain.refusal import Refused
from service.base import links
from service.database.store import NoSuchGame, Stored
from service.database.work import Work
from service.games import kept, offers, queries
from service.games.queries import Seen
from service.people.accounts import Scope
from service.words import ENGLISH

Cause = Literal["player", "bot", "clock", "service"]
Holder = int | str
"""The holder of a seat: a person's number, or a bot's name."""


# ==== actors ======================================================================================
class ByPerson(msgspec.Struct, frozen=True):
    """A person. ``id``: None for somebody unknown. ``scopes``: those of their token; None for a signed-in browser.

    ``invite``: the invitation or guest's pass that they bear. ``lang``: the language in which they read.
    """

    id: int | None
    scopes: tuple[str, ...] | None = None
    invite: str = ""
    lang: str = ENGLISH


class ByLink(msgspec.Struct, frozen=True):
    """The bearer of a mail's link. Its maker has checked that the link still belongs to its person."""

    link: links.TurnLink
    lang: str = ENGLISH


class ByOneTap(ByLink, frozen=True, kw_only=True):
    """The bearer of a one-tap link: a mail's link for one command and nothing else."""

    command: Command


class ByBot(msgspec.Struct, frozen=True):
    """A bot, by its name, at the seat that it plays."""

    seat: int
    name: str


class ByService(msgspec.Struct, frozen=True):
    """The service itself: its clock, its sweeps, an operator. No right is checked.

    ``seat``: the one it acts for, None for the table. ``holder``: must still hold that seat.
    """

    cause: Cause = "service"
    seat: int | None = None
    holder: Holder | None = None


Actor = ByPerson | ByLink | ByBot | ByService
Asking = ByPerson | ByLink
"""Actors with a person's view of a game."""


# ==== rights ======================================================================================
May = Literal[
    "join",
    "decline",
    "leave",
    "start",
    "cancel",
    "invite",
    "move",
    "take_back",
    "propose_rewind",
    "agree_to_rewind",
    "refuse_rewind",
    "resign",
    "return_to_seat",
    "take_over",
    "stand_in",
    "set_pace",
    "set_offer",
]
What = May | Literal["seat_bot", "remove_bot", "seal_words", "open_words", "talk", "house"]
"""Actions at a table. "talk": to switch it on and off. "house": those of the service itself, to which nobody else has a
right.
"""


class Right(NamedTuple):
    """The right to an action. ``scope``: the scope that a token needs. ``by_link``: when a mail's link is enough.

    ``who``: the host, the holder of a seat, or anybody who is known and sees the table.
    """

    scope: Scope
    who: Literal["host", "seat", "anybody"]
    by_link: Literal["never", "that turn", "always"] = "never"


HOST, SEAT, TURN = Right("host", "host"), Right("play", "seat"), Right("play", "seat", "that turn")
RIGHTS: Mapping[What, Right] = {
    "join": Right("play", "anybody"), "decline": Right("play", "anybody"), "leave": SEAT, "start": HOST,
    "cancel": HOST, "invite": HOST, "move": TURN,
    "take_back": TURN, "propose_rewind": TURN, "agree_to_rewind": TURN, "refuse_rewind": TURN, "resign": SEAT,
    "return_to_seat": SEAT, "take_over": Right("play", "anybody"), "stand_in": HOST, "set_pace": HOST,
    "set_offer": HOST, "seat_bot": HOST, "remove_bot": HOST, "seal_words": Right("play", "seat", "always"),
    "open_words": Right("play", "seat", "always"), "talk": HOST,
}  # fmt: skip

SITTING_DOWN: frozenset[What] = frozenset({"join", "take_over"})
"""Actions for which a person must meet the demands of the table (`service.games.offers`)."""

Why = Literal["sign_in", "browser_only", "scope", "not_host", "no_seat", "by_link", "earlier_turn"]


class Forbidden(Exception):
    """The actor may not do this. ``scope``: the one their token lacks. ``by_link``: they came by the link of a mail."""

    def __init__(self, why: Why, scope: Scope | None = None) -> None:
        super().__init__(why)
        self.why, self.scope = why, scope


class SeatChanged(Exception):
    """The seat is empty, or its holder is not the one that the submission is from or about."""


class Allowed(NamedTuple):
    """A granted right. ``seat``: the one it is for, None for the table. ``seen``: the game as the actor sees it."""

    cause: Cause
    seat: int | None
    seen: Seen | None


def must_be(asks: Asking, scope: Scope | None) -> int:
    """Return the number of the calling person. ``scope``: None for signed-in browsers only. Raises `Forbidden`."""
    if isinstance(asks, ByLink):
        raise Forbidden("by_link")
    if asks.id is None:
        raise Forbidden("sign_in")
    if asks.scopes is not None and scope not in asks.scopes:
        raise Forbidden("browser_only") if scope is None else Forbidden("scope", scope)
    return asks.id


def must_have(work: Work, actor: Actor, stored: Stored, what: What, seat: int | None = None) -> Allowed:
    """Check the right of ``actor`` to this action. ``seat``: the one it is about, if not the actor's own.

    Raises `Forbidden`, `SeatChanged` and `Refused`, if a demand of the table is not met. If the actor may not even see
    the table, raises `NoSuchGame`.
    """
    if isinstance(actor, ByBot):
        _must_hold(stored, actor.seat, actor.name)
        return Allowed("bot", actor.seat, None)
    if isinstance(actor, ByService):
        if actor.holder is not None:
            _must_hold(stored, actor.seat, actor.holder)
        return Allowed(actor.cause, actor.seat if seat is None else seat, None)
    right = RIGHTS[what]
    if isinstance(actor, ByPerson):
        must_be(actor, right.scope)
    seen = _seen(work, actor, stored)
    if (why := _lacks(seen, right)) is not None:
        raise Forbidden(why)
    if (unfit := unmet(seen, what)) is not None:
        raise unfit
    return Allowed("player", seen.seat if right.who == "seat" else seat, seen)


def must_be_offered(actor: Actor, commands: Sequence[Command]) -> None:
    """Check that a one-tap link does only what it offers. Raises `Forbidden`."""
    if isinstance(actor, ByOneTap) and [*commands] != [actor.command]:
        raise Forbidden("by_link")


def _must_hold(stored: Stored, seat: int | None, holder: Holder) -> None:
    if not any(it.seat == seat and holder in (it.person_id, it.bot) for it in stored.seats):
        raise SeatChanged


def _lacks(seen: Seen, right: Right) -> Why | None:
    """The reason why the viewer lacks a right; None if they have it."""
    if seen.viewer is None:
        return "sign_in"
    if seen.by_link and right.by_link == "never":
        return "by_link"
    if right.who == "host" and not seen.hosts:
        return "not_host"
    if right.who == "seat" and seen.seat is None:
        return "no_seat"
    if seen.by_link and right.by_link == "that turn" and not seen.still_that_turn:
        return "earlier_turn"
    return None


# ==== views =======================================================================================
def see(work: Work, asks: Asking, game_id: str) -> Seen:
    """The game as the actor sees it. Raises `NoSuchGame`, also if they may not see it, and `Outdated`."""
    return _seen(work, asks, work.game(game_id))


def see_own(work: Work, asks: Asking, game_id: str) -> tuple[Seen, int]:
    """The game as its player sees it, and the player's seat. Raises `Forbidden` too, if they have none."""
    seen = see(work, asks, game_id)
    if seen.seat is None:
        raise Forbidden("sign_in" if seen.viewer is None else "no_seat")
    return seen, seen.seat


def _seen(work: Work, asks: Asking, stored: Stored) -> Seen:
    made: Seen = work.made.of(stored, lambda: _look(work, asks, stored), asks)
    return made


def _look(work: Work, asks: Asking, stored: Stored) -> Seen:
    if isinstance(asks, ByPerson):
        invited = queries.invites(work.store.settings, stored, asks.invite)
        return _with_demands(work, queries.seen_by(stored, asks.id, invited=invited, lang=asks.lang))
    link = asks.link
    seen = queries.seen_by(stored, link.person_id, lang=asks.lang)
    if seen.seat != link.seat:  # a player who has left the seat sees nothing by an old mail
        raise NoSuchGame(stored.game.id)
    return msgspec.structs.replace(seen, by_link=True, still_that_turn=_still_that_turn(work, seen, link))


def _with_demands(work: Work, seen: Seen) -> Seen:
    """Add the seat that is kept for the viewer, and the demand of a table with a free seat that they do not meet.

    Host and invited people need not meet any.
    """
    if seen.viewer is None or seen.is_host or seen.invited or seen.seat is not None:
        return seen
    if not (queries.looks_for_players(seen.game) or queries.vacant(seen)):
        return seen
    with work.reading() as conn:
        if seen.row.by_invitation and seen.game.status == "open":
            return msgspec.structs.replace(seen, kept=kept.of_person(conn, seen.game.id, seen.viewer))
        unfit = offers.unmet(conn, seen.game.id, seen.title.id, seen.viewer)
    return seen if unfit is None else msgspec.structs.replace(seen, unfit=unfit)


def _still_that_turn(work: Work, seen: Seen, link: links.TurnLink) -> bool:
    """Is the turn of a mail's link still going on? It ends when another seat acts."""
    with work.reading() as conn:
        later = work.store.plies(conn, seen.game.id, seen.title, link.version, seen.game.version)
    return all(ply.seat == link.seat or ply.quiet for _, ply in later)


# ==== possible actions ============================================================================
def may(seen: Seen, at: int) -> list[May]:
    """The actions that the viewer could take now, beside the moves themselves."""
    if seen.game.table is None:
        return []
    able = [what for what in get_args(May) if _lacks(seen, RIGHTS[what]) is None and unmet(seen, what) is None]
    return [what for what in able if _TRIALS[what](seen, at)]


def unmet(seen: Seen, what: What) -> Refused | None:
    """Return the demand of the table on people who sit down that the viewer does not meet."""
    comes_freely = seen.invited or seen.is_host or seen.seat is not None or seen.kept is not None
    if what == "join" and seen.row.by_invitation and not comes_freely:
        if seen.row.host_id is None:
            return Refused("ST 21", "The seats at this table are kept for people who looked for a game.")
        return Refused("ST 2", "Only people with the invitation can take a seat at this table.")
    return seen.unfit if what in SITTING_DOWN else None


def _would(command: Command, *, for_seat: bool = True) -> Callable[[Seen, int], bool]:
    """Make the trial: do the rules allow this command?"""
    return lambda seen, at: allows(seen.game, seen.seat if for_seat else None, command, at)


def _would_join(seen: Seen, at: int) -> bool:
    table, choice = seen.table, msgspec.Raw(msgspec.json.encode(seen.title.seating.choice()))
    sealed = "0" * 64 if table.sealed else None

    def sits(seat: int) -> Command:
        return TakeSeat1(seat, choice, "") if table.older else TakeSeat(seat, choice, sealed, False, at + LONGEST)

    return seen.seat is None and any(allows(seen.game, None, sits(seat), at) for seat in range(1, table.seats + 1))


def _would_take_back(seen: Seen, at: int) -> bool:
    newest = queries.take_backs(seen, at)[:1]
    return any(allows(seen.game, seen.seat, TakeBack(ply), at) for ply in newest)


def _would_propose(seen: Seen, at: int) -> bool:
    return allows(seen.game, seen.seat, ProposeRewind(seen.game.version - 1, (), at), at)


def _would_agree(seen: Seen, at: int) -> bool:
    proposal = queries.rewind(seen, at)
    return proposal is not None and allows(seen.game, seen.seat, AgreeToRewind(proposal.to), at)


def _would_fill(kind: Callable[[int], Command], *, newcomer: bool) -> Callable[[Seen, int], bool]:
    """Make the trial: can an open seat be filled by this command?"""

    def trial(seen: Seen, at: int) -> bool:
        if newcomer and seen.seat is not None:
            return False
        return any(allows(seen.game, None, kind(seat), at) for seat in queries.vacant(seen))

    return trial


_TRIALS: Mapping[May, Callable[[Seen, int], bool]] = {
    "join": _would_join,
    "decline": lambda seen, at: seen.kept is not None,
    "leave": _would(GiveUpSeat()),
    "start": _would(StartGame(), for_seat=False),
    "cancel": _would(CancelGame(), for_seat=False),
    "invite": lambda seen, at: queries.looks_for_players(seen.game),
    "move": lambda seen, at: seen.seat in seen.game.asked and not queries.barred(seen),
    "take_back": _would_take_back,
    "propose_rewind": _would_propose,
    "agree_to_rewind": _would_agree,
    "refuse_rewind": _would(RefuseRewind()),
    "resign": _would(Resign()),
    "return_to_seat": _would(ReturnToSeat()),
    "take_over": _would_fill(TakeOver, newcomer=True),
    "stand_in": _would_fill(StandIn, newcomer=False),
    "set_pace": _would(SetPace(None), for_seat=False),
    "set_offer": lambda seen, at: queries.looks_for_players(seen.game),
}
