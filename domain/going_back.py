"""Taking back one's own last plies, and rewinding together (ST 7, ST 9)."""

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
    """ST 7 Let a seat withdraw its own last plies, as far as the last barrier (GTJ 19.5, TTR 10.6, NER 19.8).

    Since version 3 of the rules, a seat can do so at most `TAKE_BACKS` times before its next final ply.
    """
    plies = must_be_able_to_take_back(now, command.down_to)
    now.happens(TakenBack(now.seat, tuple(sorted(number for number in plies if number >= command.down_to))))


def must_be_able_to_take_back(now: AtTable, down_to: int) -> tuple[int, ...]:
    """ST 7 Return the plies that can be taken back. Refuse if ``down_to`` is not one of them."""
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
    """ST 9 Let a playing seat propose a rewind, not past the start or a leaving. With nobody to ask, rewind at once."""
    must_not_be_over(now.game)
    must_be_playing(now)
    must_be_a_ply_to_go_back_to(now, command.to)
    must_be_the_only_proposal(now)
    now.happens(RewindProposed(now.seat, command.to, command.people, command.expires, now.game.last_seen_by_all))
    if not command.people:
        now.happens(Rewound(command.to))


def must_be_playing(now: AtTable) -> None:
    """ST 9 The seat must play in a running game."""
    if now.table.status != "running" or now.seat not in now.table.playing:
        raise Refused("ST 9", "Only the players of a running game can propose to rewind, or answer a proposal.")


def must_be_a_ply_to_go_back_to(now: AtTable, to: int) -> None:
    """ST 9 The target must not be before the start or a leaving."""
    first, last = now.table.floor, now.game.version - 1
    if not first <= to <= last:
        raise Refused("ST 9", "The game can be rewound to any move from {first} to {last}.", first=first, last=last)


def must_be_the_only_proposal(now: AtTable) -> None:
    """ST 9 There can be only one open proposal at a time."""
    if open_proposal(now.table, now.game.last_seen_by_all, now.at) is not None:
        raise Refused("ST 9", "There is already a proposal to rewind.")


def agree_to_rewind(now: AtTable, command: AgreeToRewind) -> None:
    """ST 9 Record the consent of one of the people asked, once each; with the last consent the game rewinds."""
    must_not_be_over(now.game)
    must_be_playing(now)
    proposal = must_be_proposed(now)
    must_be_agreed_to_as_proposed(proposal, command.to)
    must_be_needed(now, proposal.missing)
    now.happens(RewindAgreed(now.seat))
    if proposal.missing == (now.seat,):
        now.happens(Rewound(proposal.to))


def refuse_rewind(now: AtTable, command: RefuseRewind) -> None:
    """ST 9 Record that one of the people asked refuses, or that the proposer withdraws the proposal."""
    must_not_be_over(now.game)
    must_be_playing(now)
    proposal = must_be_proposed(now)
    must_be_needed(now, (proposal.seat, *proposal.people))
    now.happens(RewindRefused(now.seat))


def must_be_proposed(now: AtTable) -> Proposal:
    """ST 9 Return the open proposal, or refuse with the reason why there is none."""
    proposal, since = now.table.proposal, now.game.last_seen_by_all
    if proposal is None:
        raise Refused("ST 9", "Nobody has proposed to rewind.")
    if proposal.since != since:
        raise Refused("ST 9", "The game has moved on, so the proposal has lapsed.")
    if now.at > proposal.expires:
        raise Refused("ST 9", "The proposal has expired.")
    return proposal


def must_be_agreed_to_as_proposed(proposal: Proposal, to: int) -> None:
    """ST 9 The consent must name the proposed position."""
    if to != proposal.to:
        raise Refused("ST 9", "There is a proposal for a rewind to move {to}.", to=proposal.to)


def must_be_needed(now: AtTable, seats: tuple[int, ...]) -> None:
    """ST 9 The seat must be one of ``seats``, whose consent is needed."""
    if now.seat not in seats:
        raise Refused("ST 9", "Your consent is not needed, or you have already given it.")
