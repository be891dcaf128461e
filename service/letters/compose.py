"""The content of each kind of mail, from its recipient's view; `letter` has the layout.

All facts about a game come through `service.games.queries`, so a mail cannot reveal more than a page.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from domain.chain import fingerprint
from domain.lifecycle import AgreeToRewind, GameStarted, RefuseRewind, Rewound, SeatRetired
from domain.messages import Command
from domain.orders import BLANK
from domain.report import Grid, Passage, say_cell, undrawn
from domain.rules import Result
from domain.sealed import SeatLost
from domain.title import Title
from domain.words import first_upper, signed
from service.base import links
from service.base.names import without_addresses
from service.database.compiled import Compiled
from service.games import kept, lookback, numbered, queries, tips
from service.games.deadlines import deadline
from service.games.numbered import NumberedLine
from service.games.queries import Seen, Shown, StoryPly
from service.letters import of_review, talked
from service.letters.columns import in_lines
from service.letters.due import Case
from service.letters.letter import Button, Letter, LetterPicture, LetterTable, OrderLine, Section
from service.letters.reader import MailReader
from service.notices import replies, threads
from service.notices.hearers import people_in
from service.notices.owing import PEOPLE
from service.notices.replies import Issued
from service.operators import acts
from service.people import strangers
from service.people.accounts import LINK_LIFE, link_address
from service.words import ENGLISH, called

PICTURE_WIDTH = 1120
"""Pixels; it is displayed at about half this width, so that it is sharp on fine screens. It takes at most 200 kB."""
TAPS = 24
"""The most lines of a letter that have a one-tap link, and whose answer holds their words; others hold their numbers.
A one-tap link takes a third of a kilobyte; the words of a long shipment, encoded in an address, a tenth."""
PLIES_TOLD = 30


def reader_of(conn: Connection, row: Any) -> MailReader:
    """Return the reader of a row's mail. A row with an address goes there, even if it belongs to a person."""
    known: Any = None
    if row.person_id is not None:
        known = _PERSON.row(conn, person=row.person_id)
    if row.address is None:
        look = {"pictures": known.pictures, "short": known.short_receipts}
        return MailReader(known.id, known.email, known.lang, known.zone, known.address_since or 0, **look)
    who = select(PEOPLE.c.zone, PEOPLE.c.zone_known).where(PEOPLE.c.email == row.address)
    known = known or conn.execute(who).one_or_none()
    zone = known.zone if known and known.zone_known else row.payload.get("zone") or "UTC"
    return MailReader(row.person_id, row.address, row.payload.get("lang", ENGLISH), zone)


_PERSON = Compiled(select(PEOPLE).where(PEOPLE.c.id == bindparam("person")))


# ==== mails of a game =============================================================================
def turn(it: Case, say: MailReader) -> Letter:
    shown = queries.shown(it.seen, say.lang)
    told = _told_since(it, say)
    begun = any(isinstance(event, GameStarted) for ply in told for event in ply.ply.events)
    so_far = story(told, say)
    talk, talk_told = talked.unread(it, say)
    can, how = what_can_be_done(it, say)
    return of_game(
        it,
        say,
        heading=say("It is your turn"),
        subject=say("Your turn"),
        lead=(
            *_went_back(it, say),
            who_and_why(it, say),
            say("The position at {when}.", when=say.when(it.seen.row.moved_at)),
            *until(it, say),
        ),
        how=how,
        picture=picture(it.seen, shown.view, say),
        sections=[
            Section(
                heading=say("The story so far") if begun else say("Since your last turn"),
                lines=so_far or (say("Nothing has happened since your last turn."),),
            ),
            talk,
            *as_it_stands(it, say, shown),
            tip(it, say),
            can,
        ],
        button=Button(say("Open the table and move"), seat_link(it, say)),
        small=(opens_seat(it, say),),
        talk=talk_told,
    )


def who_and_why(it: Case, say: MailReader) -> str:
    """Return the reader's part at the table, and the reason why they must move."""
    seen = it.seen
    who, why = it.described.who, queries.why_asked(seen, say.lang)
    asked = say("It is your turn: {why}.", why=why) if why else say("It is your turn.")
    return asked if who is None else " ".join((say("You are {who}.", who=seen.say(who, say.lang)), asked))


def as_it_stands(it: Case, say: MailReader, shown: Shown) -> list[Section]:
    """Return the position, in words once the game has begun, with the reader's hand."""
    begun = it.seen.game.begun
    parts = it.described.parts if begun else ()
    standing = Section(heading=say("The standings"), lines=shown.standing, only="html")
    return [
        *in_words(it.seen, parts, say),
        Section(heading=say("Your hand"), lines=shown.hand),
        *((standing,) if say.pictures or not begun else ()),  # HTML without a picture has all of it in words
        *beside_the_picture(it.seen, parts, say),
    ]


def in_words(seen: Seen, parts: Sequence[Grid | Passage], say: MailReader) -> list[Section]:
    """Return the whole position in words and tables; HTML has it if its reader wants no picture (`Letter.in_words`)."""
    return [_in_words(seen, part, say) for part in parts]


def beside_the_picture(seen: Seen, parts: Sequence[Grid | Passage], say: MailReader) -> list[Section]:
    """Return all facts of the position that the picture lacks, for the HTML form."""
    if not say.pictures:
        return []
    return [_in_lines(seen, left, say) for part in parts if (left := undrawn(part)) is not None]


def _in_words(seen: Seen, part: Grid | Passage, say: MailReader) -> Section:
    heading = seen.say(part.heading, say.lang)
    if isinstance(part, Passage):
        lines = tuple(seen.say(line, say.lang) for line in part.lines)
        return Section(heading=heading, lines=lines, listed=False, only="text")
    head, *rows = _cells(seen, part, say)
    return Section(heading=heading, rows=((heading.upper(), *head), *rows), only="text")


def _in_lines(seen: Seen, part: Grid | Passage, say: MailReader) -> Section:
    """Return a part without tables: in a quoting answer, a cell alone on a line could be read as a number."""
    heading = seen.say(part.heading, say.lang)
    if isinstance(part, Passage):
        return Section(heading=heading, lines=tuple(seen.say(line, say.lang) for line in part.lines), only="html")
    head, *rows = _cells(seen, part, say)
    if len(head) == 1:
        heading = f"{heading}: {head[0]}"
    return Section(heading=heading, lines=tuple(in_lines(head, rows)), only="html")


def _cells(seen: Seen, grid: Grid, say: MailReader) -> list[tuple[str, ...]]:
    """Return the cells of a table in words, its head first."""
    language = seen.language(say.lang)
    return [tuple(say_cell(cell, language, seen.player) for cell in row) for row in (grid.head, *grid.rows)]


def tip(it: Case, say: MailReader) -> Section:
    """Return the tip for the reader's turn; an empty section if they get none."""
    found = tips.tip(it.store, it.conn, it.seen)
    if found is None:
        return Section(heading="")
    end = [say("Answer “tips off” to end the tips.")] if it.store.settings.answerable else []
    said = it.seen.say(found.sentence, say.lang)
    return Section(heading="", lines=(" ".join((say("Tip:"), said, f"({found.rule})", *end)),))


# ==== actions =====================================================================================
def what_can_be_done(it: Case, say: MailReader) -> tuple[Section, tuple[str, ...]]:
    """Return the numbered lines of the seat's actions; and how to answer with them, if the letter can be answered."""
    lines = numbered.lines(it.seen, say.lang)
    answerable = it.store.settings.answerable
    orders = tuple(_order_line(it, line, say) for line in lines)
    notes = (*_may_be_added(lines, say), *numbered.hints(it.seen, say.lang, lines))
    section = Section(
        heading=say("Your options"),
        orders=orders,
        notes=notes,
        more=lambda count: say("… and {count} more: open the table to see them all.", count=count),
    )
    return section, _how_to_answer(it.seen, lines, say) if answerable and lines else ()


def _order_line(it: Case, line: NumberedLine, say: MailReader) -> OrderLine:
    remarks = [line.remark] if line.remark else []
    if line.amount is not None:
        low, high = line.amount.low, line.amount.high
        step = line.amount.step
        if low == high:
            remarks.append(str(low))
        elif step == 1:
            remarks.append(say("{low} to {high}", low=low, high=high))
        else:
            remarks.append(say("{low} to {high}, in steps of {step}", low=low, high=high, step=step))
    if line.others:
        remarks.append(say("{count} other ways", count=line.others) if line.others > 1 else say("1 other way"))
    if line.number is None:
        return OrderLine(None, line.text, "; ".join(remarks))
    whole = line.amount is None and line.number <= TAPS
    now = Button(say("do it now"), one_tap(it, say, line.option.command)) if whole else None
    does = _typed(line) if line.number <= TAPS or line.amount is not None else str(line.number)
    return OrderLine(line.number, line.text, "; ".join(remarks), does, now)


def _typed(line: NumberedLine) -> str:
    """Return a whole command as a player types it, with a typical amount if it takes one."""
    return line.text if line.amount is None else line.text.replace(BLANK, str(line.amount.usual), 1)


def _may_be_added(lines: Sequence[NumberedLine], say: MailReader) -> Iterator[str]:
    """Yield the additions that lines may have, with the numbers of these lines."""
    for more in dict.fromkeys(more for line in lines for more in line.more):
        behind = [line.number for line in lines if more in line.more and line.number is not None]
        if behind:
            yield say("You can add “{more}” to {numbers}.", more=more, numbers=_ranges(behind))
        else:
            yield say("On lines that have no number, you can also write “{more}”.", more=more)


def _ranges(numbers: Sequence[int]) -> str:
    """Return rising numbers in brackets, as briefly as possible: "[1] to [4], [7]"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"[{run[0]}]" if len(run) == 1 else f"[{run[0]}–{run[-1]}]" for run in runs)


def _how_to_answer(seen: Seen, lines: Sequence[NumberedLine], say: MailReader) -> tuple[str, ...]:
    """Return the help for answers, with two possible lines as harmless examples."""
    risky = seen.title.face.orders.losing
    whole = [line for line in lines if line.number is not None]
    safe = [line for line in whole if type(line.option.command) not in risky] or whole
    kinds = {type(line.option.command): _typed(line) for line in reversed(safe)}
    examples = [*kinds.values()][::-1][:2]
    said = [say("Answer with your orders, one per line.")]
    if len(examples) == 2:
        said = [say("Answer with your orders, one per line, such as “{first}” or “{second}”.",
                    first=examples[0], second=examples[1])]  # fmt: skip
    elif examples:
        said = [say("Answer with your order, such as “{first}”.", first=examples[0])]
    amounts = [line for line in whole if line.amount is not None and not line.option.action.aside]
    if amounts:
        said.append(say("If a line needs an amount, type its number and the amount, such as “{example}”.",
                        example=f"{amounts[0].number}\u00a0{_some(amounts[0])}"))  # fmt: skip
    elif whole:
        said.append(say("The number in brackets is enough, too."))
    said.append(say("Write “preview” above your orders to try them out first. “help” explains how to answer."))
    return (" ".join(said),)


def _some(line: NumberedLine) -> int:
    """Return an amount that the line takes."""
    assert line.amount is not None
    return min(line.amount.low + line.amount.step, line.amount.high)


# ==== more mails of a game ========================================================================
def started(it: Case, say: MailReader) -> Letter:
    shown = queries.shown(it.seen, say.lang)
    waiting = say.listed([it.seen.player(seat) for seat in shown.asked])
    return of_game(
        it,
        say,
        heading=say("The game has started"),
        lead=(say("Waiting for: {players}", players=waiting), say("We will write to you when it is your turn.")),
        picture=picture(it.seen, shown.view, say),
        sections=as_it_stands(it, say, shown),
        button=look(it, say),
    )


def over(it: Case, say: MailReader) -> Letter:
    result = queries.result(it.seen)
    secret = queries.secret(it.seen)
    assert result is not None
    assert secret is not None
    winners = say.listed([it.seen.player(seat) for seat in result.winners])
    won = (
        say("{players} win together.", players=winners)
        if len(result.winners) > 1
        else say("{players} wins.", players=winners)
    )
    return of_game(
        it,
        say,
        heading=say("The game is over"),
        subject=say("The game is over"),
        lead=(won,),
        picture=picture(it.seen, queries.view(it.seen), say),
        table=_result_table(it.seen, result, say),
        sections=[
            Section(heading=say("The last moves"), lines=story(_told_since(it, say), say)),
            *of_review.sections(it, say),
            Section(
                heading="",
                lines=(
                    say(
                        "The game's secret is now public. Anybody with the log can check that nothing was changed, the "
                        "rules were kept and every draw was fair."
                    ),
                    say("Secret of the game: {secret}", secret=secret.hex()),
                ),
                links=(Button(say("Audit the game"), links.audit_address(it.store.settings, it.row.game_id)),),
            ),
        ],
        button=Button(say("How the game went"), links.review_address(it.store.settings, it.row.game_id)),
        how=(
            (say("To play again with the same people, answer with the word “rematch”."),)
            if it.store.settings.answerable
            else ()
        ),
    )


def rewind(it: Case, say: MailReader) -> Letter:
    """Return the letter about a proposed rewind: the earlier position, the moves to undo, and the link to answer."""
    proposal = queries.rewind(it.seen, it.at)
    assert proposal is not None
    past = queries.position(it.store, it.conn, it.seen, proposal.to)
    parts = it.seen.title.face.report(queries.view(it.seen, past)).parts
    undone = queries.undone(it.store, it.conn, it.seen, say.lang, proposal.to)
    link = seat_link(it, say)
    return of_game(
        it, say,
        heading=say("{name} proposes to rewind", name=it.seen.player(proposal.seat)),
        lead=(say("{name} wants to rewind the game to the position after move {to}. Everybody has to agree.",
                  name=it.seen.player(proposal.seat), to=proposal.to),
              say("You can agree or refuse until {when}. If somebody moves before that, the proposal lapses.",
                  when=say.when(proposal.expires)),
              say("The picture shows the position that the game would return to.")),
        how=(say("Answer with the word “agree” or “refuse”."),) if it.store.settings.answerable else (),
        picture=picture(it.seen, queries.view(it.seen, past), say),
        sections=[
            Section(heading=say("Moves to be undone"), lines=story(undone, say)),
            *in_words(it.seen, parts, say),
            *beside_the_picture(it.seen, parts, say),
        ],
        offers=(Button(say("Agree to rewind"), one_tap(it, say, AgreeToRewind(proposal.to))),
                Button(say("Refuse"), one_tap(it, say, RefuseRewind()))),
        button=Button(say("See the table and answer"), link),
        small=(opens_seat(it, say),),
    )  # fmt: skip


def rewound(it: Case, say: MailReader) -> Letter:
    shown = queries.shown(it.seen, say.lang)
    waiting = say.listed([it.seen.player(seat) for seat in shown.asked])
    return of_game(
        it,
        say,
        heading=say("The game was rewound to an earlier position"),
        lead=(
            *_went_back(it, say),
            say("Waiting for: {players}", players=waiting),
            say("We will write to you when it is your turn."),
        ),
        picture=picture(it.seen, shown.view, say),
        sections=as_it_stands(it, say, shown),
        button=look(it, say),
    )


def _went_back(it: Case, say: MailReader) -> tuple[str, ...]:
    """Return a line about it if the ply of the notice rewound the game."""
    return tuple(
        say("Everybody agreed to rewind. The game is at the position after move {to} again.", to=event.to)
        for event in it.events
        if isinstance(event, Rewound)
    )


def cancelled(it: Case, say: MailReader) -> Letter:
    lead = say("The host closed the table before the game began. You do not need to do anything.")
    why = next((deed.why for deed in acts.about_game(it.conn, it.seen.game.id) if deed.what == "close"), None)
    if why is None:
        if it.ply.cause == "service" and kept.has_kept_seats(it.conn, it.seen.row):
            lead = say(
                "Not everybody sat down, and nobody else could take the free seat. Your search goes on: you keep your "
                "place in the queue."
            )
        elif it.ply.cause == "service":
            lead = say("The table was closed, because not all seats were taken within two weeks.")
        return of_game(it, say, heading=say("The game was called off"), lead=(lead,))
    lead = say("An operator of this site closed the table. Nobody has won. You do not need to do anything.")
    reason = say("The reason: {why}", why=without_addresses(why))
    return of_game(it, say, heading=say("The table was closed"), lead=(lead, reason))


def words(it: Case, say: MailReader) -> Letter:
    """Return the letter about sealed words: the table waits for another seal, or for the words behind one."""
    table = it.seen.table
    due = deadline(it.seen.game, it.row.seat)
    unsealed = table.chairs[it.row.seat].brought is None
    link = seat_link(it, say)
    what = (
        say(
            "Somebody left, or did not open their words in time. The words opened so far no longer count, so everybody "
            "has to seal new ones."
        )
        if unsealed
        else say("Everybody is seated and has sealed their words. The game begins when all words are open.")
    )
    time_left = (
        () if due is None else (say("You have until {when}. If you are late, you lose your seat.", when=say.when(due)),)
    )
    return of_game(
        it,
        say,
        heading=say("Your time is running out")
        if it.row.kind == "reminder"
        else say("Seal new words")
        if unsealed
        else say("Open your words"),
        lead=(
            what,
            *time_left,
            say(
                "Open the table in the browser you used to take your seat. That browser has kept your words and opens "
                "them for you. In any other browser, paste the words you wrote down."
            ),
        ),
        button=Button(say("Go to the table"), link),
        small=(opens_seat(it, say),),
    )


def seat_lost(it: Case, say: MailReader) -> Letter:
    return of_game(
        it,
        say,
        heading=say("You have lost your seat"),
        lead=(
            say(
                "You did not open your sealed words in time, so your seat is free again. The game has not begun: you "
                "can sit down again while a seat is free."
            ),
        ),
        button=look(it, say),
        why=say("You get this email because you had a seat in this game."),
    )


def full(it: Case, say: MailReader) -> Letter:
    table = it.seen.table
    begins = (
        say("The game begins by itself when all sealed words are open.")
        if table.owing
        else say("You can start the game now.")
    )
    return of_game(
        it,
        say,
        heading=say("The table is full"),
        lead=(say("All seats at your table are taken. {begins}", begins=begins),),
        button=look(it, say),
        why=say("You are receiving this email because you are the host of this game."),
    )


def left(it: Case, say: MailReader) -> Letter:
    """Return the letter about a player who has left, how they left, and (before the start) how to find another."""
    table = it.seen.table
    events = it.events
    running = any(isinstance(event, SeatRetired) for event in events)
    lost = any(isinstance(event, SeatLost) for event in events)
    known = select(PEOPLE.c.name).where(PEOPLE.c.id.in_(people_in(it.row.key))).order_by(PEOPLE.c.id)
    names = list(it.conn.scalars(known)) or [say("Somebody")]
    lead = tuple(
        say("{name} has left the game. The others play on.", name=name)
        if running
        else say("{name} did not open their sealed words in time and lost their seat.", name=name)
        if lost
        else say("{name} has given up their seat.", name=name)
        for name in names
    )
    token = None if running else queries.invitation(it.store.settings, it.seen)
    if token is not None:
        lead = (
            *lead,
            _free(say, table.seats - len(table.chairs), table.seats),
            say(
                "Anybody with this link can take a seat: {address}",
                address=links.join_address(it.store.settings, token),
            ),
        )
    return of_game(
        it,
        say,
        heading=say("Somebody has left"),
        lead=lead,
        button=look(it, say),
        why=say("You are receiving this email because you are the host of this game."),
    )


def _free(say: MailReader, free: int, seats: int) -> str:
    """Return the number of free seats in words."""
    return (
        say("1 of {seats} seats is free.", seats=seats)
        if free == 1
        else say("{free} of {seats} seats are free.", free=free, seats=seats)
    )


def seat_link(it: Case, say: MailReader) -> str:
    """Return the address that opens the reader's seat at its present version."""
    return links.turn_address(
        it.store.settings, it.row.game_id, it.row.seat, it.seen.version, it.row.person_id, it.at, since=say.since
    )


def one_tap(it: Case, say: MailReader, command: Command) -> str:
    """Return the address of the page that offers this command at the reader's seat at its present version."""
    return links.one_tap(
        it.store.settings,
        it.row.game_id,
        it.row.seat,
        it.seen.version,
        it.row.person_id,
        it.at,
        since=say.since,
        command=command,
    )


def opens_seat(it: Case, say: MailReader) -> str:
    """Return the text beside the address of `seat_link`."""
    return say(
        "Until {when}, the link opens your seat in this game and nothing else in your account. Opening it changes "
        "nothing.",
        when=say.when(it.at + links.TURN_LINK_LASTS),
    )


def look(it: Case, say: MailReader) -> Button:
    """Return the link to the table for a reader who is not asked there."""
    return Button(say("Look at the table"), links.game_address(it.store.settings, it.seen.game.id))


def until(it: Case, say: MailReader) -> tuple[str, ...]:
    """Return a line with the deadline, if a clock runs for the reader's seat."""
    table = it.seen.game.table
    due = table.clocks.get(it.seen.seat or 0) if table else None
    return () if due is None else (say("You have until {when}.", when=say.when(due)),)


def of_game(it: Case, say: MailReader, why: str = "", subject: str = "", **parts: Any) -> Letter:
    """Return a letter with the common parts of all mails of a game.

    They are subject and thread, the fingerprint of the log, the note on reconstructed material, and the link to stop
    mail. ``subject``: the subject, if it is not the heading.
    """
    seen = it.seen
    title, name = called(seen.title, say.lang), seen.row.name
    foot = (
        say(
            "Game log: move {version}, fingerprint {fingerprint}. Keep this email: it exposes any later change to "
            "the game, even one made by us.",
            version=seen.game.version,
            fingerprint=fingerprint(seen.stored.head),
        ),
        why or _why(seen, say),
    )
    assert say.id is not None
    stop = links.unsubscribe_address(it.store.settings, say.id, seen.game.id, since=say.since)
    return Letter(
        lang=say.lang,
        subject=f"{subject or parts['heading']}: {name} ({title})",
        above=title,
        name=name,
        kind=it.row.kind,
        at=_at(it, say),
        thread=threads.before(it.conn, it.row),
        game_id=seen.game.id,
        foot=foot,
        reconstructed=_reconstructed(it, say),
        stop=Button(say("No more email about this game"), stop),
        answer=answered_at(it, say),
        in_words=not say.pictures,
        **parts,
    )


def _at(it: Case, say: MailReader) -> str:
    """Return the place in the game, for the foot: the last move of its log, and the title's own words."""
    if not it.seen.game.begun:
        return ""
    return say("move {version}, {when}", version=it.seen.game.version, when=it.seen.say(it.described.when, say.lang))


def _reconstructed(it: Case, say: MailReader) -> Button | None:
    """Return the link to the notes on reconstructed material."""
    title = it.seen.title
    address = links.rules_address(it.store.settings, title.id)
    return Button(say("Reconstructed material in this game"), address) if title.face.notes else None


def answered_at(it: Case, say: MailReader, kind: str = "") -> Issued | None:
    """Return the reply address of a letter about a game, for the reader's seat in its present view.

    ``kind``: the letter's kind, if it differs from the notice's.
    """
    seen = it.seen
    return replies.issue(
        it.store.settings,
        it.message_id,
        kind or it.row.kind,
        person_id=say.id,
        game_id=seen.game.id,
        seat=seen.seat,
        version=seen.version,
        since=say.since,
    )


def _why(seen: Seen, say: MailReader) -> str:
    if seen.seat is None:
        return say("You are receiving this email because you are the host of this game.")
    return say("You get this email because you have a seat in this game.")


def _told_since(it: Case, say: MailReader) -> list[StoryPly]:
    """Return the plies since the reader's own last one that they may know and that have something to tell."""
    since = lookback.last_own(it.store, it.conn, it.seen)
    if since and _begins(it, since):
        since -= 1  # the player who opened the last sealed words, and so began the game, has seen nothing of it yet
    return [ply for ply in queries.plies(it.store, it.conn, it.seen, say.lang, since=since) if ply.said]


def _begins(it: Case, number: int) -> bool:
    """Did the game begin with this ply?"""
    ((_, ply),) = it.store.plies(it.conn, it.seen.game.id, it.seen.title, number - 1, number)
    return any(isinstance(event, GameStarted) for event in ply.events)


def story(told: Sequence[StoryPly], say: MailReader) -> tuple[str, ...]:
    """Return the lines of the story, the latest last."""
    before, shown = told[:-PLIES_TOLD], told[-PLIES_TOLD:]
    lines = tuple(_line(*it, say) for it in lookback.told(shown))
    if not before:
        return lines
    return (say("… and {count} earlier moves: see the game's log.", count=len(before)), *lines)


def _line(ply: StoryPly, times: int, say: MailReader) -> str:
    often = ["(" + say("{times} times", times=times) + ")"] if times > 1 else []
    return " ".join([*ply.said, *often, *([say("(taken back)")] if ply.withdrawn else [])])


def picture(seen: Seen, view: Any, say: MailReader) -> LetterPicture | None:
    """Return the board in a view, or None if the reader wants no pictures."""
    if not say.pictures:
        return None
    from service.games import pictures  # Pillow and resvg take 4 MB, and only a process that draws needs them

    title: Title = seen.title
    drawn = title.face.picture(view, "light", seen.language(say.lang))
    return LetterPicture(pictures.paint(drawn, PICTURE_WIDTH), seen.say(drawn.label, say.lang))


def _result_table(seen: Seen, result: Result, say: MailReader) -> LetterTable:
    """Return the result: a column for each player, best first, a row for each category, the total last."""
    ranked = result.ranked
    categories = [category for category, _ in ranked[0].lines]
    points = [dict(line.lines) for line in ranked]
    names = {it: seen.language(say.lang).name(it) for it in categories}
    rows = [
        (say("Place"), *(str(line.place) if line.place else say("left") for line in ranked)),
        *(
            (first_upper(names[category]), *(signed(str(each.get(category, 0))) for each in points))
            for category in categories
        ),
        (say("Total"), *(signed(str(line.total)) for line in ranked)),
    ]
    return LetterTable(("", *(seen.player(line.seat) for line in ranked)), tuple(rows))


# ==== mails to an address =========================================================================
def sign_in(it: Case, say: MailReader) -> Letter:
    address = link_address(it.store.settings, it.conn, it.row.payload)
    assert address is not None
    return Letter(
        lang=say.lang,
        subject=say("Sign in to Slow Train"),
        heading=say("Sign in to Slow Train"),
        lead=(
            say(
                "Somebody, probably you, wants to sign in with this address. The link works once, until {when}.",
                when=say.when(it.row.created_at + LINK_LIFE),
            ),
        ),
        button=Button(say("Sign in"), address),
        small=(
            say("If you open it in a different browser, type the six digits that the first browser shows."),
            say("If it was not you, ignore this email: nobody can sign in without it."),
        ),
    )


def invitation(it: Case, say: MailReader) -> Letter:
    host = it.conn.execute(select(PEOPLE.c.name).where(PEOPLE.c.id == it.row.payload["by"])).one_or_none()
    name = (host.name if host else "") or say("Somebody")
    title, table = called(it.seen.title, say.lang), it.seen.table
    heading = say("An invitation to a game of {title}", title=title)
    lead = [say("{name} invites you to a table for {seats}.", name=name, seats=table.seats)]
    if it.row.payload.get("again"):
        heading = say("{name} wants to play {title} again", name=name, title=title)
        lead = [
            say(
                "{name} asks the players of your last game of {title} for a rematch, with the same options.",
                name=name,
                title=title,
            ),
            say("All players move on by one seat. If a seat is still free after two weeks, the table closes."),
        ]
    invitation = links.invitation(it.store.settings, it.seen.game.id, it.seen.row.invites)
    return Letter(
        lang=say.lang,
        subject=heading, above=title, name=it.seen.row.name,
        game_id=it.seen.game.id,
        heading=heading,
        lead=(*lead,
              _free(say, table.seats - len(table.chairs) + len(queries.vacant(it.seen)), table.seats),
              say("Games here take many days: you get an email when it is your turn, and move when you have time.")),
        button=Button(say("See the table and join"), links.join_address(it.store.settings, invitation)),
        how=(say("Answer with the word “join” to take a seat."),) if it.store.settings.answerable else (),
        small=(say("If you do not want to play, ignore this email. There will be no reminder."),),
        stop=Button(say("Never send me invitations again"),
                    links.never_address(it.store.settings, strangers.hash_of(it.row.address))),
        answer=replies.issue(it.store.settings, it.message_id, "invitation", person_id=None,
                             game_id=it.seen.game.id, version=it.seen.row.invites, lang=say.lang),
    )  # fmt: skip
