"""The receipt: the result of each line of an answer, the new position, and how to continue. It can be answered itself.

None of its lines begins like an order, so that nothing happens if it is sent back unchanged.
"""

import string
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain.game import can_take_back
from domain.orders.folding import alternatives
from domain.orders.house import HOUSE_WORDS
from domain.words import Language
from service.base import links
from service.games import notes, queries
from service.games.transcripts import MOST_LINES, RESIGNS, SHORT, AnsweredLine, Transcript
from service.letters.compose import (
    answered_at,
    as_it_stands,
    look,
    of_game,
    opens_seat,
    picture,
    seat_link,
    story,
    until,
    what_can_be_done,
    who_and_why,
)
from service.letters.due import Case
from service.letters.letter import Button, Letter, Section
from service.letters.reader import MailReader
from service.notices import replies
from service.notices.replies import Issued
from service.words import N_, called

WHICH_GAME = N_("Which game do you mean?")
ALL_DONE = N_("All done")
HEADINGS = {
    "done": ALL_DONE,
    "nothing": N_("Nothing was done"),
    "preview": N_("Preview (nothing was done)"),
    "stale": N_("Nothing was done, because the game has moved on"),
    "look": N_("The position now"),
    "over": N_("Nothing was done"),
    "asks": N_("Do you really want to resign?"),
    "which": WHICH_GAME,
    "gone": N_("Nothing was done"),
    "elsewhere": N_("Nothing was done"),
    "failed": N_("Your email could not be processed"),
    "unreadable": N_("Your email could not be read"),
}
BECAME = {
    "would": N_("This is what would happen:"),
    "unread": N_("This is not an order."),
    "not_done": N_("Not done."),
    "fell": N_("Not done, because a later line was refused."),
    "done": N_("Done."),
}
ABOUT_NO_GAME = {
    "gone": N_(

            "You answered an email about a table that is no longer open to you. The table was called off or began "
            "without you, its invitation was renewed, or you gave up your seat."),
    "elsewhere": N_(

            "You answered an email that went to your old address. Please answer one that came to your current "
            "address."),
    "failed": N_("Something went wrong on our side. The table shows which lines were done; please go on there."),
}  # fmt: skip
STORY_OF = ("stale",)
PICTURED = ("done", "part", "look")
"""The results that get a picture: a move, or a request for the position. For others it would show nothing new."""
NOTES_SHOWN, NOTE_SHOWN = 10, 300
"""The number of a player's last notes, and the characters of each."""
ECHOED = 12
"""Lines of talk that a receipt quotes; for the others it gives their number."""


def receipt(it: Case, say: MailReader) -> Letter:
    """Return the receipt of an answer."""
    transcript = msgspec.convert(it.row.payload["transcript"], Transcript)
    if transcript.outcome in ABOUT_NO_GAME:
        letter = _about_no_game(it, say, transcript)
    elif it.row.game_id == "":
        letter = _which(it, say)
    elif it.row.person_id is None or transcript.guest:
        letter = _to_a_guest(it, say, transcript)
    else:
        letter = _of_a_seat(it, say, transcript)
    lead = (*letter.lead, *_is_the_last(it, say))
    return msgspec.structs.replace(letter, lead=lead, replies_to=it.row.payload["answers"])


def _is_the_last(it: Case, say: MailReader) -> Iterator[str]:
    """Yield the text of the last receipt before a pause."""
    again_at = it.row.payload.get("again_at")
    if again_at is not None:
        yield say(
            "We have sent you many receipts within an hour. This is the last "
            "receipt until {when}. Your orders still count, and you still get emails about your turns.",
            when=say.when(again_at),
        )


def _of_a_seat(it: Case, say: MailReader, transcript: Transcript) -> Letter:
    seen = it.seen
    shown = queries.shown(seen, say.lang)
    asked, begun = seen.seat in seen.game.asked and seen.game.status == "running", seen.game.begun
    can, how = what_can_be_done(it, say)
    sections = [Section(heading=say("Your lines"), lines=tuple(what_became(it, say, transcript.lines)))]
    if transcript.outcome in STORY_OF:
        told = queries.plies(it.store, it.conn, seen, say.lang, since=transcript.version)
        since = story([ply for ply in told if ply.said], say)
        sections.append(Section(heading=say("Since that email"), lines=since))
    if transcript.helps:
        sections.append(Section(heading=say("How to answer"), lines=tuple(_help(it, say))))
    if _is_short(say, transcript):
        return _short_receipt(it, say, transcript, sections, asked=asked)
    sections += as_it_stands(it, say, shown)
    if asked:
        sections.append(can)
    mine = tuple(_short(note, NOTE_SHOWN) for note in notes.of(it.conn, say.id or 0, seen.game.id)[-NOTES_SHOWN:])
    sections.append(Section(heading=say("Your notes"), lines=mine))
    letter = of_game(
        it,
        say,
        heading=_heading(say, transcript),
        lead=(*_lead(it, say, transcript), *_whose_turn(it, say, asked=asked)),
        how=how if asked else (),
        picture=picture(seen, shown.view, say) if begun and transcript.outcome in PICTURED else None,
        sections=sections,
        button=Button(say("Open the table and move"), seat_link(it, say)) if asked else look(it, say),
        small=(opens_seat(it, say),) if asked else (),
        why=say("You get this email because you answered one of ours."),
    )
    if transcript.asks == "resign":
        letter = msgspec.structs.replace(letter, answer=answered_at(it, say, RESIGNS))
    return letter


def _is_short(say: MailReader, transcript: Transcript) -> bool:
    """Does its reader want it short? Never if they asked for the position, or must answer a question."""
    return say.short and transcript.outcome not in ("look", "asks")


def _short_receipt(
    it: Case, say: MailReader, transcript: Transcript, sections: Sequence[Section], *, asked: bool
) -> Letter:
    """Return the results of all lines, without picture and position.

    There are no numbered lines either, so that a bare number in an answer does nothing.
    """
    letter = of_game(
        it,
        say,
        heading=_heading(say, transcript),
        lead=(*_lead(it, say, transcript), *_whose_turn(it, say, asked=asked)),
        sections=sections,
        button=Button(say("Open the table and move"), seat_link(it, say)) if asked else look(it, say),
        small=(
            say("This receipt is short, as you wished: “look” shows the position and all your options."),
            *((opens_seat(it, say),) if asked else ()),
        ),
        why=say("You get this email because you answered one of ours."),
    )
    return msgspec.structs.replace(letter, answer=answered_at(it, say, SHORT))


def _heading(say: MailReader, transcript: Transcript) -> str:
    """Return what was done: all lines, or their number; talk does not count."""
    if transcript.outcome not in ("done", "part"):
        return say(HEADINGS[transcript.outcome])
    lines = [line for line in transcript.lines if line.became != "unread" or line.near]
    done, many = sum(line.became == "done" for line in lines), len(lines) + transcript.beyond
    return say(ALL_DONE) if done == many else say("{done} of {many} lines done", done=done, many=many)


def _lead(it: Case, say: MailReader, transcript: Transcript) -> Iterator[str]:
    if transcript.outcome == "unreadable":
        yield say("Please send plain text, with one order per line.")
    elif transcript.asks == "resign":
        yield say(
            "If you resign, you leave the game and the others play on. To confirm, answer this email with “resign” "
            "once more.")  # fmt: skip
    elif transcript.outcome == "nothing" and all(line.became == "unread" for line in transcript.lines):
        yield say("No line of your email looks like an order. “help” explains how to answer.")
    elif transcript.outcome == "nothing":
        yield say("We carry out either all lines of an email or none.")
    elif transcript.outcome == "stale":
        yield say("You answered the email about move {version}.", version=transcript.version)
    elif transcript.outcome == "part":
        yield say(
            "Some of your lines were carried out before a later one was refused. Those lines stand, because a draw or "
            "the end of a turn is final."
        )
    if transcript.beyond:
        yield say("We read only the first {most} lines of an email; {count} more were ignored.",
                  most=MOST_LINES, count=transcript.beyond)  # fmt: skip
    yield from _until_when(it, say)


def _until_when(it: Case, say: MailReader) -> Iterator[str]:
    """Yield how long moves can be taken back."""
    seen = it.seen
    if seen.seat is None or seen.game.status != "running" or not can_take_back(seen.game, seen.seat, it.at):
        return
    if any(asked != seen.seat for asked in seen.game.asked):
        end = seen.game.at + seen.table.settle
        yield say("Until {when}, you can take back your last move: answer with “take back”.", when=say.when(end))
    else:
        yield say("While it is your turn, you can take back your last move: answer with “take back”.")
    if (few := queries.few_take_backs(seen)) is not None:
        yield seen.say(few, say.lang)


def _whose_turn(it: Case, say: MailReader, *, asked: bool) -> Iterator[str]:
    seen = it.seen
    if seen.game.status == "over":
        yield say("The game is over.")
    elif asked:
        yield who_and_why(it, say)
        yield from until(it, say)
    elif seen.game.status == "running" and seen.game.asked:
        players = say.listed([seen.player(seat) for seat in seen.game.asked])
        yield say("Waiting for: {players}", players=players)
    elif seen.game.status == "open":
        yield say("The game has not begun yet.")


# ==== the lines ===================================================================================
def what_became(it: Case, say: MailReader, lines: Sequence[AnsweredLine], *, asked: bool = False) -> Iterator[str]:
    """Yield a line of the letter for each line of an answer.

    ``asked``: the letter asks its reader whether they wrote it.
    """
    talk = 0
    for line in lines:
        talk += line.became == "unread"
        if line.became == "unread" and talk > ECHOED:
            continue
        said = [line.said] if line.said else []
        if line.rule:
            said = [f"{line.said} ({line.rule})"]
        if line.became == "done":
            said += _story(it, say, line)
        if not said or line.became in ("would", "done"):
            said = [*([say(BECAME[line.became])] if line.became in BECAME else []), *said]
        said += line.does
        if line.near:
            said.append(say("You can type:") + " " + "; ".join(say("“{line}”", line=near) for near in line.near) + ".")
        meant = f" ({line.line})" if line.line and line.line != line.text.strip() else ""
        wrote = N_("The email says “{line}”{meant}: {said}") if asked else N_("You wrote “{line}”{meant}: {said}")
        yield say(wrote, line=_short(line.text), meant=meant, said=" ".join(said))
    if talk > ECHOED:
        yield say("Other lines that are not orders: {count}.", count=talk - ECHOED)


def _short(text: str, most: int = 100) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _story(it: Case, say: MailReader, line: AnsweredLine) -> list[str]:
    if not line.plies:
        return []
    first, last = min(line.plies), max(line.plies)
    told = queries.plies(it.store, it.conn, it.seen, say.lang, since=first - 1, until=last)
    return [sentence for ply in told for sentence in ply.said]


# ==== help ========================================================================================
EXPLAINED = {
    "look": N_("shows the position and does nothing"),
    "help": N_("this explanation"),
    "preview": N_("tries out your orders without playing them"),
    "take_back": N_("takes your last move back"),
    "take_back_all": N_("takes back as much as is allowed"),
    "agree": N_("agrees to the proposal to rewind"),
    "refuse": N_("refuses the proposal, or withdraws your own"),
    "vacation": N_("with dates (1.12.-8.12.), stops your clocks while you are away"),
    "slower": N_("sends all email about games together, once a day"),
    "faster": N_("sends emails at once"),
    "note": N_("keeps the text after it as a note that only you can see"),
    "say": N_("and a colon publishes the text after it to the players at the table"),
    "resign": N_("leaves the game, after asking you to confirm"),
    "stop": N_("ends your orders; we read nothing below it"),
    "name": N_("sets the name that others see (one to three words)"),
    "pictures_off": N_("sends emails without pictures, with the position in words"),
    "pictures_on": N_("sends emails with pictures again"),
    "short_receipts": N_("sends short receipts, with the result of each line only"),
    "long_receipts": N_("sends receipts with the position again"),
    "tips_off": N_("ends the tips in your first game of a title"),
    "tips_on": N_("brings the tips back"),
    "join": N_("takes a seat, in answer to an invitation"),
    "rematch": N_("after the end of a game, opens a new table for the same players"),
}


def _help(it: Case, say: MailReader) -> Iterator[str]:
    """Yield the commands of answers and the title's orders, in the reader's language; none has a line of its own."""
    language, title = it.seen.language(say.lang), it.seen.title
    yield say(
        "Write one order per line. Capitals, accents and punctuation do not matter. We carry out all "
        "your orders or, if one is not possible, none.")  # fmt: skip
    yield say("Your first order can be the number of a line in the email.")
    for word in HOUSE_WORDS:
        said = alternatives(language.texts.get(word.words.template, word.words.template))[0]
        said += {"name": " …", "aloud": ": …"}.get(word.asks, "")
        if word.id in EXPLAINED:
            yield say("“{word}”: {what}", word=said, what=say(EXPLAINED[word.id]))
    for template in dict.fromkeys(line.template for lines in title.face.orders.lines.values() for line in lines):
        yield say("Order: {line}", line=_pattern(template, language))
    yield say("All orders with examples: {address}", address=f"{it.store.settings.site}/rules/{title.id}/orders")


def _pattern(template: str, language: Language) -> str:
    parts = string.Formatter().parse(language.texts.get(template, template))
    return "".join(text + ("" if field is None else "…") for text, field, _, _ in parts).strip()


# ==== people without a seat =======================================================================
def _to_a_guest(it: Case, say: MailReader, transcript: Transcript) -> Letter:
    """Return the receipt for an invited guest who wrote anything but an acceptance."""
    said = [line for line in transcript.lines if line.became != "unread"]
    free = it.seen.game.status == "open" or queries.vacant(it.seen)
    return to_a_guest(
        it,
        say,
        transcript.version,
        heading=say(HEADINGS[transcript.outcome]),
        lead=(say("To take part, answer with the word “join”, or follow the link."),) if free else (),
        sections=[Section(heading=say("Your lines"), lines=tuple(what_became(it, say, said)))],
    )


def to_a_guest(it: Case, say: MailReader, number: int, button: Button | None = None, **parts: Any) -> Letter:
    """Return a letter with the common parts for guests who answer an invitation.

    It offers the invitation that they answered (``number``), which may have ended; at a public table the present one.
    ``button``: another destination.
    """
    settings, seen = it.store.settings, it.seen
    number = seen.row.invites if seen.row.public else number
    invitation = replies.issue(
        settings, it.message_id, "invitation", person_id=say.id, game_id=seen.game.id, version=number, since=say.since,
        lang=say.lang if say.id is None else None,
    )  # fmt: skip
    join = links.join_address(settings, links.invitation(settings, seen.game.id, number))
    title = called(seen.title, say.lang)
    return Letter(
        lang=say.lang,
        subject=title,
        above=title,
        name=seen.row.name,
        game_id=seen.game.id,
        button=button or Button(say("See the table and join"), join),
        answer=invitation,
        **parts,
    )


def _about_no_game(it: Case, say: MailReader, transcript: Transcript) -> Letter:
    """Return the receipt without facts of the game: its reader may not see it, or not at this address, or we cannot."""
    heading = say(HEADINGS[transcript.outcome])
    return Letter(
        lang=say.lang,
        subject=heading,
        heading=heading,
        lead=(say(ABOUT_NO_GAME[transcript.outcome]),),
        button=Button(say("All your games"), links.games_address(it.store.settings)) if it.row.person_id else None,
    )


def _which(it: Case, say: MailReader) -> Letter:
    """Return the receipt for an answer to a digest that fits several games: it lists the address of each."""
    digest = replies.Answered(it.row.payload["letter"], it.row.person_id, "", None, 0, "digest", 0, (), 0)
    found = replies.parts(it.conn, digest)
    lines = []
    for part in found:
        issued = _again(it, part)
        if issued is not None:
            game = it.store.load(it.conn, part.game_id)
            lines.append(f"{called(game.game.title, say.lang)}: {game.row.name}: {issued.address}")
    return Letter(
        lang=say.lang,
        subject=say(WHICH_GAME),
        heading=say(WHICH_GAME),
        lead=(
            say(
                "You answered an email about several games, so nothing was done. Write to the address of the game "
                "you mean, or follow its link."),
            *lines,
        ),
        button=Button(say("All your games"), links.games_address(it.store.settings)),
    )  # fmt: skip


def _again(it: Case, part: replies.Answered) -> Issued | None:
    """Return the address of a part of a sent letter."""
    return replies.issue(
        it.store.settings, part.message_id, part.kind, person_id=part.person_id, game_id=part.game_id, seat=part.seat,
        version=part.version, since=part.since,
    )  # fmt: skip
