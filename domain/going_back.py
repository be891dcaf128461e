"""Taking back one's own last plies, and going back together (ST 7, ST 9)."""

from domain.at_table import AtTable, must_not_be_over
from domain.decision import NO_SEAT
from domain.game import ENOUGH, can_take_back, why_no_take_back
from domain.lifecycle import (
    AgreeToRewind,
    Proposal,
    ProposeRewind,
    RefuseRewind,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    Rewound,
    TakeBack,
    TakenBack,
    open_proposal,
)
from domain.refusal import Refused


# ==== ST 7: taking back ===========================================================================
def take_back(now: AtTable, command: TakeBack) -> None:
    """ST 7 A seat withdraws its own last plies, as far as the last barrier (GTJ 19.5, TTR 10.6, NER 19.8).

    Since version 3 of the rules it does so `TAKE_BACKS` times at most before another ply stands for good.
    """
    plies = must_be_able_to_take_back(now, command.down_to)
    now.happens(TakenBack(now.seat, tuple(sorted(number for number in plies if number >= command.down_to))))


def must_be_able_to_take_back(now: AtTable, down_to: int) -> tuple[int, ...]:
    """ST 7 The plies that can be taken back, of which ``down_to`` is one."""
    rule = now.game.title.cites["take_back"]
    if now.table.status != "running" or now.seat == NO_SEAT:
        raise Refused(rule, "There is nothing to take back.")
    if (reason := why_no_take_back(now.game, now.seat, now.at)) is not None:
        raise Refused("ST 7" if reason is ENOUGH else rule, reason.template, **reason.facts)
    plies = can_take_back(now.game, now.seat, now.at)
    if down_to not in plies:
        raise Refused(rule, "You can take back moves only as far as move {oldest}.", oldest=plies[-1])
    return plies


# ==== ST 9: going back together ===================================================================
def propose_rewind(now: AtTable, command: ProposeRewind) -> None:
    """ST 9 A seat that plays proposes, not past the start or a leaving. With nobody to ask it goes back at once."""
    must_not_be_over(now.game)
    must_be_playing(now)
    must_be_a_ply_to_go_back_to(now, command.to)
    must_be_the_only_proposal(now)
    now.happens(RewindProposed(now.seat, command.to, command.people, command.expires, now.game.last_seen_by_all))
    if not command.people:
        now.happens(Rewound(command.to))


def must_be_playing(now: AtTable) -> None:
    """ST 9 A seat that plays in a running game."""
    if now.table.status != "running" or now.seat not in now.table.playing:
        raise Refused("ST 9", "Only the players of a running game can propose to rewind, or answer a proposal.")


def must_be_a_ply_to_go_back_to(now: AtTable, to: int) -> None:
    """ST 9 Not past the start or a leaving."""
    first, last = now.table.floor, now.game.version - 1
    if not first <= to <= last:
        raise Refused("ST 9", "The game can be rewound to any move from {first} to {last}.", first=first, last=last)


def must_be_the_only_proposal(now: AtTable) -> None:
    """ST 9 One at a time."""
    if open_proposal(now.table, now.game.last_seen_by_all, now.at) is not None:
        raise Refused("ST 9", "There is already a proposal to rewind.")


def agree_to_rewind(now: AtTable, command: AgreeToRewind) -> None:
    """ST 9 Each of the people asked agrees once; with the last of them the game goes back."""
    must_not_be_over(now.game)
    must_be_playing(now)
    proposal = must_be_proposed(now)
    must_be_agreed_to_as_proposed(proposal, command.to)
    must_be_needed(now, proposal.missing)
    now.happens(RewindAgreed(now.seat))
    if proposal.missing == (now.seat,):
        now.happens(Rewound(proposal.to))


def refuse_rewind(now: AtTable, command: RefuseRewind) -> None:
    """ST 9 One of the people asked refuses, or the proposer thinks better of it."""
    must_not_be_over(now.game)
    must_be_playing(now)
    proposal = must_be_proposed(now)
    must_be_needed(now, (proposal.seat, *proposal.people))
    now.happens(RewindRefused(now.seat))


def must_be_proposed(now: AtTable) -> Proposal:
    """ST 9 The rewind that can still be agreed to, or why there is none."""
    proposal, since = now.table.proposal, now.game.last_seen_by_all
    if proposal is None:
        raise Refused("ST 9", "Nobody has proposed to rewind.")
    if proposal.since != since:
        raise Refused("ST 9", "The game has moved on, so the proposal has lapsed.")
    if now.at > proposal.expires:
        raise Refused("ST 9", "The proposal has expired.")
    return proposal


def must_be_agreed_to_as_proposed(proposal: Proposal, to: int) -> None:
    """ST 9 To the position that is proposed, and to no other."""
    if to != proposal.to:
        raise Refused("ST 9", "There is a proposal for a rewind to move {to}.", to=proposal.to)


def must_be_needed(now: AtTable, seats: tuple[int, ...]) -> None:
    """ST 9 Among the ``seats`` whose word counts here."""
    if now.seat not in seats:
        raise Refused("ST 9", "Your consent is not needed, or you have already given it.")
