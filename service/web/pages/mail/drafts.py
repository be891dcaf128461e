"""The page that asks a person whether they wrote a mail: its text, its effect, and a button to confirm."""

from typing import Any, NamedTuple

from flask import Response, request

from service.base import hints, links
from service.base.links import DraftLink, ExpiredLink
from service.games import by_mail, queries, rights
from service.games.by_mail import GivenAnswer
from service.games.queries import Seen
from service.games.rights import ByPerson
from service.games.transcripts import AnsweredLine, Transcript
from service.notices import replies
from service.notices.replies import Answered
from service.people import addresses
from service.post import inbox
from service.post.inbox import Draft
from service.web.pages.frame import _, done, page, reader
from service.web.pages.mail import room
from service.web.pages.parts.visits import times_as_in_the_mail
from service.web.pages.story.story import story_since
from service.web.shared.context import now, settings, store, work
from service.words import N_

BECAME = {
    "would": N_("This would be played:"),
    "unread": N_("This is not an order."),
    "not_done": N_("Not done."),
    "problem": N_("This is not possible:"),
    "passed": N_("Not done."),
}


class Asked(NamedTuple):
    """A mail whose sender must confirm it: its row, its text, and the letter that it answers."""

    link: DraftLink
    row: Any
    draft: Draft
    letter: Answered


@room.get("/confirm/<token>")
def asked(token: str) -> Response:
    """Show the effect of the mail. Opening the page changes nothing, even if a machine does it."""
    return _shown(_opened(token))


@room.post("/confirm/<token>")
def written(token: str) -> Response:
    """Accept the mail as its person's own: from now on it is treated like any other."""
    it = _opened(token)
    with store.write() as conn:
        inbox.confirm(conn, it.row.content, now())
    hints.wake("incoming")
    return done(request.path)


def _opened(token: str) -> Asked:
    """Return the mail behind the link, if its person still has the address that received the link. Raises `BadLink`."""
    link = links.open_draft(settings, token, now())
    with work().reading() as conn:
        if link.person_id is not None and not addresses.is_still_theirs(conn, link):
            raise ExpiredLink
        row = inbox.by_content(conn, link.content)
        draft = row and inbox.draft_in(row)
        letter = row and replies.of_hash(conn, row.token_hash, now())
        if letter and letter.game_id == "":
            letter = next((it for it in replies.parts(conn, letter) if draft and it.game_id == draft.game_id), None)
    if not draft or not letter:
        raise ExpiredLink  # the mail was deleted meanwhile
    return Asked(link, row, draft, letter)


def _shown(it: Asked) -> Response:
    who = ByPerson(it.link.person_id, invite=_invitation(it), lang=reader().lang)
    seen = rights.see(work(), who, it.letter.game_id)
    times_as_in_the_mail(it.link)
    shown = {"game": {"id": seen.game.id, "name": seen.row.name}, "author": it.draft.author, "doubt": it.draft.doubt}
    if it.row.what != inbox.DRAFT:
        how = "waits" if it.row.state != "done" else "done"
        return page("mail/draft.html", how=how, **shown)
    given = GivenAnswer(it.letter, it.draft.lines, frozenset(it.draft.alone), "", it.draft.below)
    found = by_mail.would_do(work(), it.link.person_id, given, now(), reader().lang)
    how = "open" if found.can_be_done else "stale" if found.outcome == "stale" else "nothing"
    return page(
        "mail/draft.html", how=how, lines=_lines(found), story=_since(it, seen) if how == "stale" else (), **shown
    )


def _invitation(it: Asked) -> str:
    if it.letter.kind != "invitation":
        return ""
    return links.invitation(settings, it.letter.game_id, it.letter.version)


def _lines(found: Transcript) -> list[dict[str, Any]]:
    """Return the lines of the mail, each with its effect."""
    return [{"text": line.text, "meant": _meant(line), "said": _said(line), "near": line.near} for line in found.lines]


def _meant(line: AnsweredLine) -> str:
    return line.line if line.line != line.text.strip() else ""


def _said(line: AnsweredLine) -> list[str]:
    said = f"{line.said} ({line.rule})" if line.rule else line.said
    words = _(BECAME[line.became]) if line.became in BECAME else ""
    return [each for each in (words, said, *line.does) if each]


def _since(it: Asked, seen: Seen) -> Any:
    """Return the events since the answered letter."""
    with work().reading() as conn:
        told = queries.plies(work().store, conn, seen, reader().lang, since=it.letter.version)
    return story_since(seen, told)
