"""The offer of a table on the pages: its fields in the form of a new game, its words, and the filter of the lobby."""

from collections.abc import Mapping
from typing import Any

from domain.refusal import Refused
from service.games.finding import SHARES, SPEEDS, WantedTable
from service.games.offers import ANYBODY, HIGHEST, LOWEST, Offer, must_be_possible
from service.web.pages.frame import _, number_in
from service.web.pages.parts import pace
from service.web.shared.context import store
from service.words import N_, languages, own_name

SPEED_NAMES: Mapping[str, str] = {
    "live": N_("live: up to 15 minutes a turn"), "day": N_("up to a day a turn"), "days": N_("more than a day a turn"),
    "none": N_("no clock"),
}  # fmt: skip


class BadOffer(ValueError):
    """The fields of an offer are invalid."""


# ==== in words ====================================================================================
def demands(offer: Offer, *, by_invitation: bool = False) -> list[str]:
    """Return the demands of a table on people who take a seat."""
    if by_invitation:
        return [_("invited people only")]
    low, high = offer.rating_low, offer.rating_high
    said = []
    if low is not None and high is not None:
        said.append(_("rating from {low} to {high}", low=low, high=high))
    elif low is not None:
        said.append(_("rating of at least {low}", low=low))
    elif high is not None:
        said.append(_("rating of at most {high}", high=high))
    if offer.finished:
        said.append(_("at least {share} % of games finished", share=offer.finished))
    if said and not offer.newcomers:
        said.append(_("no newcomers"))
    return said


def language(offer: Offer) -> str:
    return own_name(offer.lang) if offer.lang else _("any")


def in_short(offer: Offer, turn: int | None) -> list[str]:
    """Return the facts of an offer for a line of a list. ``turn``: see `KeptOffer`."""
    clock = [] if turn is None else [_("{time} a turn", time=pace.left(turn)) if turn else _("no clock")]
    return [*clock, *([language(offer)] if offer.lang else []), *demands(offer)]


# ==== the form of a table ======================================================================
def fields(form: Mapping[str, str] | None, offer: Offer = ANYBODY, *, by_invitation: bool = False) -> dict[str, Any]:
    """Return the facts for the fields of an offer. They hold the values that were sent, or those of ``offer``."""
    given = form or _entries(offer, by_invitation)
    return {
        "lang": given.get("table_lang", ""), "by_invitation": given.get("seats_for") == "invited",
        "low": given.get("rating_low", ""), "high": given.get("rating_high", ""),
        "finished": given.get("finished", ""), "newcomers": "newcomers" in given,
        "lowest": LOWEST, "highest": HIGHEST, "shares": SHARES,
    }  # fmt: skip


def _entries(offer: Offer, by_invitation: bool) -> dict[str, str]:
    """Return an offer as the entries of a form."""
    return {
        "table_lang": offer.lang, "seats_for": "invited" if by_invitation else "anybody",
        "rating_low": "" if offer.rating_low is None else str(offer.rating_low),
        "rating_high": "" if offer.rating_high is None else str(offer.rating_high),
        "finished": str(offer.finished or ""), **({"newcomers": "yes"} if offer.newcomers else {}),
    }  # fmt: skip


def bad() -> str:
    """Say what is wrong with an offer."""
    return _("A rating is a number from 0 to 60. Its range begins with the lower end.")


def read(form: Mapping[str, str]) -> Offer:
    """Read the offer in a form. Raises `BadOffer`."""
    offer = Offer(
        lang=form.get("table_lang", ""),
        rating_low=_rating(form.get("rating_low", "")),
        rating_high=_rating(form.get("rating_high", "")),
        finished=_share(form.get("finished", "")),
        newcomers="newcomers" in form or "seats_for" not in form,
    )
    try:
        must_be_possible(offer)
    except Refused:
        raise BadOffer from None
    return offer


def _rating(given: str) -> int | None:
    if not given.strip():
        return None
    number = number_in(given.strip(), 2)
    if number is None:
        raise BadOffer
    return number


def _share(given: str) -> int:
    if not given:
        return 0
    if given not in map(str, SHARES):
        raise BadOffer
    return int(given)


# ==== the filter of the lobby =====================================================================
def wanted(address: Mapping[str, str]) -> WantedTable:
    """Read the filter of open tables from an address. Values that do not exist filter nothing."""
    title, lang, seats = address.get("title"), address.get("lang"), number_in(address.get("seats"), 2)
    speed = next((it for it in SPEEDS if it == address.get("pace")), None)
    finished = number_in(address.get("finished"), 2)
    return WantedTable(
        title if title in store.titles else None,
        seats,
        speed,
        lang if lang in languages() else None,
        {"yes": True, "no": False}.get(address.get("rated", "")),
        finished if finished in SHARES else None,
    )


def filters() -> dict[str, Any]:
    """Return the values that the filter offers."""
    fewest, most = zip(*(it.seating.seats for it in store.titles.values()), strict=True)
    return {
        "titles": list(store.titles.values()), "seats": list(range(min(fewest), max(most) + 1)),
        "speeds": [(it, _(SPEED_NAMES[it])) for it in SPEEDS],
        "langs": [(it, own_name(it)) for it in languages()], "shares": SHARES,
    }  # fmt: skip
