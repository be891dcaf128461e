"""A notice in words: its kind, the steps of its delivery, and the cause of a failed call."""

from typing import Any

from domain.words import Sentence
from service.notices import ledger
from service.notices.details import Detail
from service.notices.kinds import KINDS
from service.people.bounces import SAYS_MORE
from service.web.pages.frame import _, moment
from service.words import N_

STEPS = {
    "queued": N_("queued {time}"), "held_quiet": N_("held for your quiet hours until {until}"),
    "held_digest": N_("held for your daily email until {until}"),
    "held_present": N_("held while you were at the table {time}"),
    "held_flagged": N_("held {time}: email to your address is bouncing"),
    "switched_off": N_("not sent because you turned such email off {time}"),
    "deferred": N_("deferred by the mail server {time}"),
    "failed": N_("failed on our side {time}, will be retried"), "accepted": N_("accepted by the mail server {time}"),
    "superseded": N_("no longer needed {time}"), "refused": N_("refused by the mail server {time}"),
    "given_up": N_("given up {time}"), "asked_again": N_("repeated at your request {time}"),
    "resent": N_("sent again by an operator {time}"), "sent_now": N_("sent at once by an operator {time}"),
    "delayed": N_("still on its way, according to a mail server {time}"),
    "unwanted": N_("rejected {time}: the server objected to the email, not to your address"),
    "undelivered": N_("bounced {time}: it could not be delivered for now"),
    "bounced": N_("bounced {time}: the mail server says that the address does not exist"),
    "complained": N_("marked as spam by you or your mail program {time}: we now send such email only on request"),
}  # fmt: skip
STATES = {
    "sent": N_("sent"),
    "pending": N_("waiting"),
    "leased": N_("being sent"),
    "superseded": N_("not needed"),
    "dead": N_("not delivered"),
}

CAUSES = {
    "switched": N_("the webhook is switched off"),
    "answered": N_("the receiver answered {detail}"),
    "no_host": N_("this host does not exist on the public internet"),
    "nobody_there": N_("nobody answers at this address"),
    "too_slow": N_("the receiver was too slow"),
    "certificate": N_("its certificate is not valid: {detail}"),
    "tls": N_("no secure connection was possible"),
    "cut_off": N_("the connection was lost"),
    "address": N_("calls to this address are not allowed"),
    "secret": N_("its secret is lost: create a new webhook"),
    "blocked": N_("you are blocked"),
    "broken": N_("an error on our side, which was logged"),
}
"""Causes of a failed call, by the first word of its stored detail."""


def line(entry: ledger.Entry) -> dict[str, Any]:
    """Return a mail and its delivery, with times, and the reason why it was sent or not."""
    kind, state = entry.kind, entry.state
    steps = [_step(step) for step in entry.steps if step.what in STEPS]
    return {
        "id": entry.id, "kind": named(kind), "game": entry.game,
        "game_id": entry.game_id, "state": state, "said": _(STATES[state]), "steps": steps, "again": entry.again,
        "together": bool(entry.told_by) and (entry.told_by or "").startswith("<together."),
    }  # fmt: skip


def named(kind: str) -> str:
    """Return the name of a kind of mail."""
    return _(KINDS[kind].named) if kind in KINDS else kind


def _step(step: ledger.KeptStep) -> dict[str, str]:
    until = moment(step.until).text if step.until is not None else ""
    why = said_detail(step.reason) if step.what in WITH_REASON else ""
    return {"text": _(STEPS[step.what], time=moment(step.at).text, until=until), "why": why}


def said_detail(detail: Detail) -> str:
    """Return a sentence of ours in the reader's language; texts of mail servers stay as they came."""
    return _(detail.template, **detail.facts) if isinstance(detail, Sentence) else detail


WITH_REASON = ("deferred", "failed", "refused", "given_up", "superseded", "resent", "sent_now", *SAYS_MORE)


def cause(kept: Detail) -> str:
    """Say why a call was not made, or failed: a sentence of ours, or a word of `CAUSES` with its facts."""
    if isinstance(kept, Sentence):
        return said_detail(kept)
    word, _blank, detail = kept.partition(" ")
    return _(CAUSES[word], detail=detail) if word in CAUSES else kept
