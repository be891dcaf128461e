"""NER 20: leaving, replacing and withdrawing proxies and build limits. How they answer is in `auction`."""

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.course import Course
from domain.new_england.state import AUCTION, State
from domain.refusal import Refused


def may_enter(state: State, seat: int, link: str) -> bool:
    """NER 20.2 For a link in the current row whose auction is not over, by a seat that may still buy it."""
    return (
        link in state.row
        and not (state.lot is not None and state.lot.link == link and seat in state.lot.passed)
        and not (state.step == AUCTION and seat in state.bought)
    )


def _demand_entry(state: State, seat: int, link: str) -> None:
    if not may_enter(state, seat, link):
        raise Refused("NER 20.2", "Nothing can be left for {link} now.", link=link)


def set_proxy_bid(course: Course, seat: int, command: do.SetProxyBid) -> None:
    """NER 20.1 A maximum for one link. NER 20.10 It may be replaced."""
    _demand_entry(course.state, seat, command.link)
    if command.link in course.state.seats[seat].proxies:
        course.happen(happened.ProxyBidReplaced(seat, command.link, command.maximum))
    else:
        course.happen(happened.ProxyBidSet(seat, command.link, command.maximum))


def withdraw_proxy_bid(course: Course, seat: int, command: do.WithdrawProxyBid) -> None:
    """NER 20.10 A proxy in force may be withdrawn."""
    _demand_entry(course.state, seat, command.link)
    if command.link not in course.state.seats[seat].proxies:
        raise Refused("NER 20.10", "You have no proxy for {link}.", link=command.link)
    course.happen(happened.ProxyBidWithdrawn(seat, command.link))


def set_build_limit(course: Course, seat: int, command: do.SetBuildLimit) -> None:
    """NER 20.13 The largest shortfall a seat will pay if it buys the link. It may be replaced."""
    state, link, lot = course.state, command.link, course.state.lot
    pays = lot is not None and lot.link == link and lot.shortfall is not None and lot.bidder == seat
    if not pays:  # NER 20.10: who is asked for a shortfall now may leave a limit, and is answered for at once
        _demand_entry(state, seat, link)
    if link in state.seats[seat].limits:
        course.happen(happened.BuildLimitReplaced(seat, link, command.amount))
    else:
        course.happen(happened.BuildLimitSet(seat, link, command.amount))


def withdraw_build_limit(course: Course, seat: int, command: do.WithdrawBuildLimit) -> None:
    """NER 20.13, 20.10 A build limit in force may be withdrawn."""
    _demand_entry(course.state, seat, command.link)
    if command.link not in course.state.seats[seat].limits:
        raise Refused("NER 20.13", "You have no build limit for {link}.", link=command.link)
    course.happen(happened.BuildLimitWithdrawn(seat, command.link))
