"""The letter that asks whether its reader wrote an unproved mail.

It shows a preview of the mail, and a link to confirm.

It goes to the address of the answered letter, and nothing goes to the mail's From address.
"""

from typing import Any

import msgspec

from service.base import links
from service.games.transcripts import Transcript
from service.letters.compose import look, of_game
from service.letters.due import Case
from service.letters.letter import Button, Letter, Section, one_line
from service.letters.of_answer import to_a_guest, what_became
from service.letters.reader import MailReader
from service.words import N_

DOUBTS = {
    "from": N_("We received an answer to one of our emails. We cannot tell who wrote it."),
    "sender": N_(
        "We received an answer to one of our emails. The email claims to be from {author}, but somebody else sent it."),
    "foreign": N_(

            "We received an answer to one of our emails. The email claims to be from {author}, which is not the "
            "address of your account."),
    "failed": N_(
        "We received an answer to one of our emails. The email claims to be from {author}, but our mail server "
        "found that it is not."),
    "unknown": N_(
        "We received an answer to one of our emails. The email claims to be from {author}, but nothing proves that."),
    "elsewhere": N_(

            "We received an answer to one of our emails. The email is from {author}, but we cannot be sure that it "
            "was sent to that email's own reply address."),
}  # fmt: skip
"""The reasons why a mail is not proved to be its reader's (`service.post.trust.Doubt`)."""
LONGEST_ADDRESS = 100


def draft(it: Case, say: MailReader) -> Letter:
    """Return the letter "Did you write this?"."""
    transcript = msgspec.convert(it.row.payload["transcript"], Transcript)
    author = one_line(it.row.payload["author"])[:LONGEST_ADDRESS]
    doubt = DOUBTS[it.row.payload["doubt"]]
    lead = [say(doubt, author=author)]
    small: tuple[str, ...] = ()
    button = None
    if transcript.can_be_done:
        lead.append(say("Nothing has been done yet. If you wrote it, follow this link and confirm it before {when}.",
                        when=say.when(it.row.payload["expires"])))  # fmt: skip
        small = (say("If you did not write it, ignore this email. We will not tell its author."),)
        button = Button(say("See what this email would do"), _link(it, say))
    elif transcript.outcome == "stale":
        lead.append(say("The game has moved on since that email, so we have not carried out your reply."))
    elif not transcript.holds_orders:
        lead.append(say("None of its lines looks like an order. “help” explains how to answer."))
    else:
        lead.append(say("We have not carried it out, because none of the orders in it is possible."))
    lines = tuple(what_became(it, say, [line for line in transcript.lines if line.became != "unread"], asked=True))
    sections = [Section(heading=say("Its text"), lines=lines)]
    heading = say("Did you write this?")
    subject = say("An email in your name")
    shared: dict[str, Any] = {"heading": heading, "lead": tuple(lead), "sections": sections, "small": small}
    if it.row.person_id is None or transcript.guest:
        letter = to_a_guest(it, say, transcript.version, button, **shared)
        return msgspec.structs.replace(letter, subject=f"{subject}: {letter.name} ({letter.above})", replies_to="")
    why = say("You get this email because somebody answered one of our letters to you.")
    letter = of_game(it, say, button=button or look(it, say), why=why, subject=subject, **shared)
    return msgspec.structs.replace(letter, replies_to="")


def _link(it: Case, say: MailReader) -> str:
    link = links.DraftLink(it.row.key, it.row.person_id, it.row.payload["expires"], say.since)
    return links.draft_address(it.store.settings, link)
