"""NER 20: leaving, replacing and withdrawing proxies and build limits. `auction` holds the way they answer."""

from collections.abc import Iterator

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import MOST
from domain.new_england.now import Now
from domain.new_england.state import AUCTION, State
from domain.refusal import Refused
from domain.rules import Action, Chapter, Span
from domain.words import Sentence


def may_enter(state: State, seat: int, link: str) -> bool:
    """NER 20.2 Is the link in the current row with its auction not over, and may the seat still buy it?"""
    return (
        link in state.row
        and not (state.lot is not None and state.lot.link == link and seat in state.lot.passed)
        and not (state.step == AUCTION and seat in state.bought)
    )


def must_be_open(now: Now, link: str) -> None:
    """NER 20.2 An entry for this link must be possible now."""
    if not may_enter(now.state, now.seat, link):
        raise Refused("NER 20.2", "You cannot leave a proxy or a build limit for {link} now.", link=link)


def set_proxy_bid(now: Now, command: do.SetProxyBid) -> None:
    """NER 20.1 Set a maximum for one link. NER 20.10 A later one replaces it."""
    must_be_open(now, command.link)
    if command.link in now.own.proxies:
        now.happens(happened.ProxyBidReplaced(now.seat, command.link, command.maximum))
    else:
        now.happens(happened.ProxyBidSet(now.seat, command.link, command.maximum))


def withdraw_proxy_bid(now: Now, command: do.WithdrawProxyBid) -> None:
    """NER 20.10 Withdraw a proxy in force."""
    must_be_open(now, command.link)
    must_have_a_proxy(now, command.link)
    now.happens(happened.ProxyBidWithdrawn(now.seat, command.link))


def must_have_a_proxy(now: Now, link: str) -> None:
    """NER 20.10 There must be a proxy in force."""
    if link not in now.own.proxies:
        raise Refused("NER 20.10", "You have no proxy for {link}.", link=link)


def shortfall_of(state: State, seat: int) -> str | None:
    """NER 20.10 Return the link whose shortfall a seat must decide on: a limit for it answers at once."""
    lot = state.lot
    return lot.link if lot is not None and lot.shortfall is not None and lot.bidder == seat else None


def set_build_limit(now: Now, command: do.SetBuildLimit) -> None:
    """NER 20.13 Set the largest shortfall that a seat will pay if it buys the link. A later one replaces it."""
    link = command.link
    if link != shortfall_of(now.state, now.seat):
        must_be_open(now, link)
    if link in now.own.limits:
        now.happens(happened.BuildLimitReplaced(now.seat, link, command.amount))
    else:
        now.happens(happened.BuildLimitSet(now.seat, link, command.amount))


def withdraw_build_limit(now: Now, command: do.WithdrawBuildLimit) -> None:
    """NER 20.13, 20.10 Withdraw a build limit in force."""
    must_be_open(now, command.link)
    must_have_a_limit(now, command.link)
    now.happens(happened.BuildLimitWithdrawn(now.seat, command.link))


def must_have_a_limit(now: Now, link: str) -> None:
    """NER 20.13 There must be a build limit in force."""
    if link not in now.own.limits:
        raise Refused("NER 20.13", "You have no build limit for {link}.", link=link)


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """NER 20.2, 20.10, 20.13 Return proxies and build limits, for each link on offer."""
    own, lot, rolled = now.own, now.state.lot, shortfall_of(now.state, now.seat)
    for link in (*((rolled,) if rolled else ()), *now.state.row):
        facts, aside = {"link": link}, lot is None or lot.link != link or lot.shortfall is not None
        sentence = Sentence("Leave a proxy for {link}", facts)
        yield Action(do.SetProxyBid(link, 0), "proxies", sentence, Span("maximum", 0, MOST), aside)
        sentence = Sentence("Set a build limit for {link}", facts)
        yield Action(do.SetBuildLimit(link, 0), "proxies", sentence, Span("amount", 0, MOST), aside)
    for link in sorted(own.proxies):
        sentence = Sentence("Withdraw the proxy for {link}", {"link": link})
        yield Action(do.WithdrawProxyBid(link), "proxies", sentence, aside=True)
    for link in sorted(own.limits):
        sentence = Sentence("Withdraw the build limit for {link}", {"link": link})
        yield Action(do.WithdrawBuildLimit(link), "proxies", sentence, aside=True)


CHAPTER = Chapter(
    {
        do.SetProxyBid: set_proxy_bid,
        do.WithdrawProxyBid: withdraw_proxy_bid,
        do.SetBuildLimit: set_build_limit,
        do.WithdrawBuildLimit: withdraw_build_limit,
    },
    candidates,
)
