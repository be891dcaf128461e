"""An action of an operator, as the people whom it concerns read it."""

from typing import Any

from service.operators.acts import Act
from service.operators.notes import Noted
from service.web.pages.frame import _, moment
from service.words import N_

DEEDS = {
    "add": N_("made an operator"), "remove": N_("operator rights removed"),
    "second_factor": N_("allowed to set up a new second factor"), "resend": N_("an email was sent again"),
    "send_now": N_("a waiting email was sent at once"), "read_again": N_("a failed email was processed again"),
    "call_again": N_("a webhook was called again"),
    "block": N_("blocked"), "unblock": N_("unblocked"), "unflag": N_("retried an address that had bounced"),
    "try_failed": N_("all failed email was retried"),
    "remove_lines": N_("lines of talk were deleted"), "silence": N_("silenced in the talk at tables"),
    "unsilence": N_("may talk at tables again"), "settle": N_("a report was settled"),
    "close": N_("the table was closed"), "free_seat": N_("a seat was freed"), "give_time": N_("clocks were extended"),
    "ask_again": N_("a player was asked again"),
}  # fmt: skip
"""Descriptions of actions, by their name in an entry."""


def author(it: Act | Noted) -> str:
    """Return the name of the operator who acted or wrote, or what stands in its place."""
    return it.operator or (_("the command line") if it.by_command else _("an operator"))


def told(entry: Act) -> dict[str, Any]:
    """Return an entry for the people it concerns: action, time, operator and reason."""
    detail = {
        "free_seat": lambda: _("seat {number}", number=entry.detail),
        "give_time": lambda: _("{minutes} min", minutes=entry.detail),
        "silence": lambda: _("{hours} h", hours=entry.detail),
        "try_failed": lambda: _("emails: {number}", number=entry.detail),
    }.get(entry.what)
    return {
        "at": moment(entry.at),
        "by": author(entry),
        "what": _(DEEDS[entry.what]),
        "why": entry.why,
        "closed": entry.what == "close",
        "detail": detail() if detail else "",
    }
