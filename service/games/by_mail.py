"""Carrying out the answer to a letter: read and try its lines one after another, and only then submit them.

An unreadable or refused line stops the whole answer, as long as nothing was revealed. A line that looks like an order
but is none (`domain.orders.slips`) stops it before the first step. Lines that depend on chance are read once its
outcome is known; the steps before them then stand. Each step is a submission whose id is derived from the answer. So
carrying out may break off anywhere and be repeated: finished steps are found finished.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import play
from domain.game import Game
from domain.lifecycle import AgreeToRewind, Proposal, RefuseRewind, Resign, RewindProposed, TakeBack
from domain.messages import Command
from domain.orders import AskedBack, Found, Kind, Numbered, chosen, is_copied, stopping
from domain.orders.folding import alternatives, fold
from domain.orders.house import HOUSE_WORDS
from domain.refusal import Refused
from domain.words import Quoted, Sentence
from service.base import links
from service.database.work import Work
from service.games import kept, lobby, notes, numbered, queries, rematches, rights, seats
from service.games.asides import ASIDE, DAYS, WISHES, Asides, bad_name
from service.games.orders import LONGEST, GivenLine, LineReader, how_much
from service.games.play import Answer, Stale, Submission, answered, submit
from service.games.queries import Seen
from service.games.rights import ByPerson, Forbidden, SeatChanged, What
from service.games.transcripts import MOST_LINES, RESIGNS, SHORT, AnsweredLine, Became, Outcome, Transcript
from service.games.turn import Tryout, position, submission
from service.notices.replies import Answered
from service.words import ENGLISH


class GivenAnswer(msgspec.Struct, frozen=True):
    """An answer: its ``letter`` and its ``lines``. ``alone``: the lines that only one of its forms (text, HTML) has.

    ``id``: unique to the answer and stable. ``below``: lines below thanks or a farewell, not part of ``lines``. If one
    looks like an order, we ask back.
    """

    letter: Answered
    lines: tuple[str, ...]
    alone: frozenset[str]
    id: str
    below: tuple[str, ...] = ()


def still_invites(work: Work, letter: Answered) -> bool:
    """Can a seat be taken by this invitation?"""
    stored = work.game(letter.game_id)
    token = links.invitation(work.store.settings, letter.game_id, letter.version)
    return queries.invites(work.store.settings, stored, token)


def wants_to_join(work: Work, letter: Answered, lines: Sequence[str]) -> bool:
    """Does an answer to an invitation say that its sender joins? Asked before the sender has an account."""
    return _joins(work, letter, lines) is not None


def _joins(work: Work, letter: Answered, lines: Sequence[str]) -> str | None:
    """The line by which the sender joins, if there is one."""
    if not still_invites(work, letter):
        return None
    seen = queries.seen_by(work.game(letter.game_id), None, invited=True)
    for text in lines[:MOST_LINES]:
        wish = LineReader(seen, seen.game, 0, ENGLISH, in_letter=True).wish(text[:LONGEST])
        if wish is not None and wish.word in ("join", "stop"):
            return text if wish.word == "join" else None
    return None


def _joins_below(work: Work, given: GivenAnswer, lang: str) -> tuple[AnsweredLine, ...]:
    """The joining line below thanks, where no orders are read. We ask back about it."""
    line = _joins(work, given.letter, given.below)
    if line is None:
        return ()
    seen = queries.seen_by(work.game(given.letter.game_id), None, invited=True)
    return (AnsweredLine(line, "problem", said=seen.say(BELOW, lang)),)


def told_to_a_guest(work: Work, given: GivenAnswer, lang: str) -> Transcript:
    """Report each line to a newcomer who has no account and does not join."""
    lines = tuple(AnsweredLine(text, "unread") for text in given.lines)
    return Transcript("nothing", (*lines, *_joins_below(work, given, lang)), version=given.letter.version)


def carry_out(work: Work, person_id: int, given: GivenAnswer, at: int, lang: str) -> Transcript:
    """Carry out an answer of this person and return its outcome. Raises `NoSuchGame`, `Busy`, `Away`."""
    return _carried_out(_Mail(work, person_id, given, at, lang))


def would_do(work: Work, person_id: int | None, given: GivenAnswer, at: int, lang: str) -> Transcript:
    """Try an answer without doing anything, for the sender who must first confirm it. Raises as `carry_out`.

    ``person_id``: None for an invited sender without an account.
    """
    if person_id is None:
        line = _joins(work, given.letter, given.lines)
        would = _joins_below(work, given, lang) if line is None else (AnsweredLine(line, "would"),)
        outcome: Outcome = "nothing" if line is None else "preview"
        return Transcript(outcome, would, version=given.letter.version, guest=True)
    mail = _Mail(work, person_id, given, at, lang)
    mail.words.add("preview")
    found = _carried_out(mail)
    if found.outcome == "preview" and all(it.became != "would" for it in found.lines):
        return replace(found, outcome="look" if mail.words & {"look", "help"} else "nothing")
    return found


def _carried_out(mail: "_Mail") -> Transcript:
    work, given, seen = mail.work, mail.given, mail.seen
    if given.letter.kind != "invitation" and given.letter.seat is not None and seen.seat == given.letter.seat:
        shown = position(work, seen, given.letter.version).version_for(given.letter.seat)
        mail.given = given = replace(given, letter=replace(given.letter, version=shown))
    invited = given.letter.kind == "invitation" and seen.game.status == "running"
    if seen.game.status == "open" or (invited and seen.seat is None):
        transcript = mail.at_an_open_table()
    elif invited:
        transcript = mail.all_not_done(SEATED, "stale")
    else:
        transcript = mail.carried_out()
    guest = given.letter.kind == "invitation" and mail.seen.seat is None
    beyond = 0 if mail.stopped else mail.beyond
    return replace(transcript, version=given.letter.version, beyond=beyond, guest=guest)


# ==== one line ====================================================================================
class _Item(msgspec.Struct):
    """A line that was read. ``word``: of the house, or "move". ``command``: that of a move."""

    text: str
    word: str
    line: str = ""
    rest: str = ""
    command: Command | None = None
    does: tuple[str, ...] = ()

    def became(self, became: Became, said: str = "", plies: Sequence[int] = ()) -> AnsweredLine:
        return AnsweredLine(
            self.text, became, self.line, said, does=self.does if became == "would" else (), plies=(*plies,)
        )


SILENT = ("look", "help", "preview")
"""Words that change nothing."""
OF_ALL = ("preview", "resign")
"""Words that stop their whole mail from being carried out, wherever they stand in it."""
APART = ("take_back", "take_back_all", "agree", "refuse", "resign", "join")
"""Words that change the game by themselves: the lines behind them are read after they were carried out."""


class _Plan(msgspec.Struct):
    """Lines that were read from a position on, in order, until one cannot be foreseen.

    ``items``: acts, and chatter as it is echoed. ``left``: the lines behind the unforeseen one. ``problem``: that of
    the first line that has one.
    """

    items: list[_Item | AnsweredLine]
    left: list[str]
    problem: AnsweredLine | None = None

    @property
    def acts(self) -> list[_Item]:
        return [it for it in self.items if isinstance(it, _Item)]

    def echoed(self, became: Became) -> list[AnsweredLine]:
        """All its lines, with this outcome for the acts."""
        return [it if isinstance(it, AnsweredLine) else it.became(became) for it in self.items]


class _Mail:
    """An answer that is being carried out."""

    def __init__(self, work: Work, person_id: int, given: GivenAnswer, at: int, lang: str) -> None:
        self.work, self.person_id, self.given, self.at, self.lang = work, person_id, given, at, lang
        invite = links.invitation(work.store.settings, given.letter.game_id, given.letter.version)
        self.actor = ByPerson(person_id, invite=invite if given.letter.kind == "invitation" else "")
        self.asides = Asides(work, self.actor, at, lang)
        self.done: list[AnsweredLine] = []
        self.words: set[str] = set()
        self.below = tuple(text for text in given.below if self._would_be_an_order(text))
        lines = [each for text in given.lines[:MOST_LINES] for each in self._apart(text)]
        self.lines = (*lines[:MOST_LINES], *self.below)
        self.beyond = max(0, len(given.lines) - MOST_LINES) + max(0, len(lines) - MOST_LINES)
        self.number = 0
        self.ordered = False
        self.ended: type[object] = type(None)
        self.changed = False
        self.stopped = False

    @property
    def seen(self) -> Seen:
        return rights.see(self.work, self.actor, self.given.letter.game_id)

    def _would_be_an_order(self, text: str) -> bool:
        """Must we ask back about a line below a farewell? Not about a name, a note or a plea for help."""
        reader = self._reader(self.seen.game)
        wish = reader.wish(text[:LONGEST])
        return reader.begins(text[:LONGEST]) if wish is None else wish.word in (*APART, "vacation", *WISHES)

    def _in_doubt(self, text: str) -> Sentence | None:
        """Why we ask back about a readable order: because of its place in the mail."""
        return BELOW if text in self.below else IN_ONE_FORM if text in self.given.alone else None

    def _apart(self, text: str) -> tuple[str, ...]:
        """The orders of a line: "preview: move Boston" is two, as is a line that holds two orders."""
        if text in self.given.alone or len(text) > LONGEST:
            return (text,)
        first, _, rest = text.partition(" ")
        reader = self._reader(self.seen.game)
        if fold(first) in self._previews and (reader.number(rest) is not None or reader.begins(rest)):
            return (first, *reader.apart(rest))
        return reader.apart(text)

    @cached_property
    def _previews(self) -> set[tuple[str, ...]]:
        """The word for a preview, in English and the reader's language."""
        [words] = [it.words.template for it in HOUSE_WORDS if it.id == "preview"]
        return {fold(alternatives(each)[0]) for each in (words, self.seen.language(self.lang).texts.get(words, words))}

    def say(self, sentence: Sentence) -> str:
        return self.seen.say(sentence, self.lang)

    # ---- the whole ----
    def carried_out(self) -> Transcript:
        letter, version = self.given.letter, self.given.letter.version
        lines = list(self.lines)
        if self.seen.seat != letter.seat:
            return self.all_not_done(Sentence("You no longer have a seat at this table."), "over")
        if self.seen.game.status == "over" and (line := self._rematch_line(lines)) is not None:
            return self._asked_for_a_rematch(lines, line)
        if self.seen.game.status in ("over", "cancelled"):
            return self.all_not_done(Sentence("The game is over."), "over")
        first = True
        while lines:
            plan = self._read(lines, version)
            if first and self._is_stale(plan):
                return self._stale(plan)
            if plan.problem is not None:
                return self._stopped(plan)
            if first and (only := self._tried_alone(plan)):
                return only
            answer = self._do(plan, version)
            if answer is None:
                break
            lines, version, first = plan.left, answer.version, False
        return self._finished()

    def _rematch_line(self, lines: Sequence[str]) -> str | None:
        """The line that asks for a rematch, if there is one before the line that ends the mail."""
        for text in lines:
            word = self._wished(text).word
            if word in ("rematch", "stop"):
                return text if word == "rematch" else None
        return None

    def _asked_for_a_rematch(self, lines: Sequence[str], line: str) -> Transcript:
        """Ask for a rematch. The other lines of the mail come too late, as the game is over."""
        at = lines.index(line)
        self.words |= {self._wished(text).word for text in lines} & {"preview"}
        self.done += self._not_done(lines[:at])
        self.done.append(self._rematch(line))
        self.done += self._not_done(lines[at + 1 :])
        return self._transcript("preview") if "preview" in self.words else self._finished()

    def _rematch(self, text: str) -> AnsweredLine:
        if (doubt := self._in_doubt(text)) is not None:
            return self._problem(text, doubt)
        if "preview" in self.words:
            return AnsweredLine(text, "would")
        try:
            table = rematches.ask(self.work, self.actor, self.seen.game.id, at=self.at)
        except Refused as refused:
            said = queries.refusal(self.seen.title, refused, self.lang, self.seen.player)
            return AnsweredLine(text, "problem", said=said, rule=refused.rule)
        if table.seat is None:
            address = Quoted(links.join_address(self.work.store.settings, table.invite))
            return AnsweredLine(text, "done", said=self.say(Sentence(TO_SEAL.template, {"address": address})))
        return AnsweredLine(text, "done", said=self.say(Sentence(SEATED_AGAIN.template, {"seat_number": table.seat})))

    def _finished(self) -> Transcript:
        became = {it.became for it in self.done}
        if "done" not in became:
            outcome: Outcome = "nothing" if became - {"unread"} or not self.words & {*SILENT} else "look"
        else:
            outcome = "part" if became & {"problem", "not_done", "passed", "fell"} else "done"
        return self._transcript(outcome)

    def _transcript(self, outcome: Outcome, asks: str = "") -> Transcript:
        return Transcript(outcome, tuple(self.done), asks, "help" in self.words)

    def _stopped(self, plan: _Plan) -> Transcript:
        """Stop at a line with a problem. Report all other unreadable lines with it."""
        assert plan.problem is not None
        reader = self._reader(self.seen.game)
        unclear = {text: self._unclear(text, reader, foreseen=False) for text in plan.left if text in self._stopping}
        self.done += plan.echoed("not_done")
        self.done += [plan.problem, *(unclear.get(it.text, it) for it in self._not_done(plan.left))]
        return self._transcript("part" if self.changed else "nothing")

    def all_not_done(self, why: Sentence, outcome: Outcome) -> Transcript:
        """Carry out nothing, and say why at the first order, or else at the first line."""
        self.done += self._not_done(self.lines)
        orders = [at for at, line in enumerate(self.done) if line.became == "not_done"]
        if self.done:
            at = orders[0] if orders else 0
            self.done[at] = replace(self.done[at], said=self.say(why))
        return self._transcript(outcome)

    def _not_done(self, lines: Sequence[str], why: str = "") -> Iterator[AnsweredLine]:
        """Report lines as not done, up to the one that ends the mail. Talk is told from orders."""
        reader = self._reader(self.seen.game)
        for text in lines:
            wish = reader.wish(text)
            if wish is not None and wish.word == "stop":
                self.stopped = True
                return
            if fold(text) and (wish is None or wish.word not in SILENT):
                order = reader.number(text) is not None or is_copied(text) or reader.begins(text)
                yield AnsweredLine(text, "not_done", said=why) if order else AnsweredLine(text, "unread")

    def _tried_alone(self, plan: _Plan) -> Transcript | None:
        """The transcript of a preview, or of a resignation to be confirmed. None if the plan is to be carried out."""
        if "preview" in self.words:
            self.done += plan.echoed("would")
            later = self.say(Sentence("We can read this line only after the lines before it have been carried out."))
            self.done += self._not_done(plan.left, later)
            return self._transcript("preview")
        if "resign" in self.words and self.given.letter.kind != RESIGNS:
            self.done += plan.echoed("not_done")
            self.done += self._not_done(plan.left)
            return self._transcript("asks", "resign")
        return None

    # ---- judging ----
    @cached_property
    def _kinds(self) -> list[Kind]:
        """The kind of each line up to the one that ends the mail, judged at the letter's position."""
        seen, letter = self.seen, self.given.letter
        before = seen.game.status == "open" or letter.kind == "invitation"  # such a letter has no version of the game
        reader = self._reader(seen.game if before else position(self.work, seen, letter.version))
        kinds: list[Kind] = []
        for text in self.lines:
            word = self._wished(text).word
            if word == "stop":
                break
            kinds.append("courtesy" if word in SILENT else "order" if word else self._kind(text, reader))
        return kinds

    @cached_property
    def _stopping(self) -> frozenset[str]:
        """The unreadable lines that stop the whole mail, since they look like orders."""
        return frozenset(self.lines[at] for at in stopping(self._kinds))

    def _kind(self, text: str, reader: LineReader) -> Kind:
        return reader.kind(text) if len(text) <= LONGEST else "talk"

    def _unclear(self, text: str, reader: LineReader, *, foreseen: bool = True) -> AnsweredLine:
        """Explain a line that stops the whole mail. ``foreseen``: the reader stands where it would be carried out."""
        near = reader.nearest(text, foreseen=foreseen)
        if near:
            said = Sentence("This looks like an order but cannot be read. Did you mean “{line}”?", {"line": near[0]})
            return self._problem(text, said, near[1:])
        near = self._in_its_first_sentence(text, reader.game) if foreseen else ()
        return self._problem(text, UNCLEAR if self._kind(text, reader) != "talk" else BETWEEN, near)

    # ---- before the start ----
    def at_an_open_table(self) -> Transcript:
        """Carry out a mail before the start: anybody may sit down, and the host may start the game."""
        items = [self._wished(text) for text in self.lines if fold(text)]
        end = next((at for at, it in enumerate(items) if it.word == "stop"), None)
        self.stopped = end is not None
        self.words |= {it.word for it in items[:end]} & {*SILENT}
        if any(it.text in self._stopping for it in items[:end]):
            return self._none_is_done([it.text for it in items[:end]])
        for at, it in enumerate(items[:end], 1):
            if it.word not in SILENT:
                self.done.append(self._before_the_start(it) if it.word else it.became("unread"))
                if self.done[-1].became == "problem":
                    self.done += self._not_done([each.text for each in items[at:end]])
                    return self._transcript("part" if self.changed else "nothing")
        if "preview" in self.words:
            return self._transcript("preview")
        return self._finished()

    def _none_is_done(self, lines: Sequence[str]) -> Transcript:
        reader = self._reader(self.seen.game)
        for line in self._not_done(lines):
            self.done.append(self._unclear(line.text, reader) if line.text in self._stopping else line)
        return self._transcript("nothing")

    def _wished(self, text: str) -> _Item:
        """Read a word for every title, or the one that starts a game; "" for none."""
        language = self.seen.language(self.lang)
        said = {START.template, language.texts.get(START.template, START.template)}
        if fold(text) in {fold(each) for template in said for each in alternatives(template)}:
            return _Item(text, "start")
        wish = self._reader(self.seen.game).wish(text[:MOST_TEXT])
        return _Item(text, wish.word, rest=wish.text) if wish else _Item(text, "")

    def _before_the_start(self, item: _Item) -> AnsweredLine:
        text, seen = item.text, self.seen
        if (doubt := self._in_doubt(text)) is not None:
            return self._problem(text, doubt)
        if item.word in ASIDE:
            if (problem := self._tried_word(item, seen.game)) is not None:
                return problem
        elif item.word == "join" and (bad := bad_name(item.rest)) is not None:
            return self._problem(text, bad)
        elif item.word == "rematch":
            return item.became("unread")
        elif item.word not in ("join", "start") and not (item.word == "refuse" and self._was_kept()):
            return self._problem(text, NOT_BEGUN if seen.game.status == "open" else NO_SEAT)
        elif item.word == "join" and seen.seat is not None:
            if item.rest and self._known() is not None:  # this answer took the seat, and then broke off
                self.asides.rename(item.rest)
            return AnsweredLine(text, "done", said=self.say(Sentence("You already have a seat at this table.")))
        elif item.word == "join" and seen.table.sealed and seen.game.status == "open":
            return self._problem(
                text, Sentence("This table uses sealed words, which need a browser. Please use the link.")
            )
        if "preview" in self.words:
            return item.became("would")
        if item.word in ASIDE:
            return self._aside(item, len(self.done))
        if item.word == "refuse":
            return self._declined(item)
        return self._sat_or_started(item)

    def _was_kept(self) -> bool:
        """Is a seat kept for the sender, or have they declined it, with this answer perhaps?"""
        with self.work.reading() as conn:
            return kept.state_of(conn, self.seen.game.id, self.person_id) in ("kept", "declined")

    def _declined(self, item: _Item) -> AnsweredLine:
        lobby.decline(self.work, self.actor, self.seen.game.id, at=self.at)
        self.changed = True
        return AnsweredLine(item.text, "done", said=self.say(DECLINED))

    def _sat_or_started(self, item: _Item) -> AnsweredLine:
        text, seen, id_ = item.text, self.seen, self._id()
        vacant = queries.vacant(seen)
        if seen.game.status != "open" and not vacant:
            return self._problem(text, NO_SEAT)
        try:
            if item.word == "start":
                answer = lobby.start(self.work, self.actor, seen.game.id, submission_id=id_)
            elif seen.game.status == "open":
                answer, _seat = lobby.join(self.work, self.actor, seen.game.id, choice={}, submission_id=id_)
            else:
                answer = seats.take_over(self.work, self.actor, seen.game.id, vacant[0])
        except Refused as refused:
            said = queries.refusal(seen.title, refused, self.lang, seen.player)
            return AnsweredLine(text, "problem", said=said, rule=refused.rule)
        except Forbidden:
            return self._problem(text, Sentence("Only the host of the table can do this."))
        self.number += 1
        self.changed = True
        said = self.say(self.asides.rename(item.rest)) if item.word == "join" and item.rest else ""
        return AnsweredLine(text, "done", said=said, plies=(*answer.plies,))

    # ---- a letter of an earlier position ----
    def _is_stale(self, plan: _Plan) -> bool:
        bound = any(it.word in OF_A_VERSION for it in plan.acts)
        return (
            (bound or plan.problem is not None)
            and self.seen.version != self.given.letter.version
            and self._known() is None
        )

    def _stale(self, plan: _Plan) -> Transcript:
        self.done += plan.echoed("not_done")
        if plan.problem is not None:
            self.done.append(AnsweredLine(plan.problem.text, "not_done"))
        self.done += self._not_done(plan.left)
        return self._transcript("stale")

    # ---- reading ----
    def _read(self, lines: Sequence[str], version: int) -> _Plan:
        """Read lines from the position at ``version`` on, each after the effects of those before it."""
        seen = self.seen
        game = position(self.work, seen, version)
        plan = _Plan([], [])
        waiting = list(lines)
        while waiting:
            text = waiting.pop(0)
            passed = (plan.acts or self.changed) and seen.seat not in game.asked
            stops = text in self._stopping or text in self.below
            if passed and not stops and self._moves(text, game) and not self._is_legal(text, game):
                plan.items.append(AnsweredLine(text, "passed", said=self.say(PASSED)))
                continue
            item = self._item(text, game)
            if item is None:
                continue
            if isinstance(item, str):  # "stop"
                self.stopped = True
                break
            if isinstance(item, AnsweredLine):
                if item.became == "unread":
                    plan.items.append(item)
                    continue
                plan.problem, plan.left = item, waiting
                return plan
            if item.word == "move":
                asked = seen.seat in game.asked
                game, problem, foreseen = self._tried(item, game)
                if problem is not None:
                    plan.problem, plan.left = problem, waiting
                    return plan
                plan.items.append(item)
                if asked and (not foreseen or seen.seat not in game.asked):
                    self.ended = type(item.command)
                if not foreseen:
                    plan.left = waiting
                    break
            else:
                if (problem := self._tried_word(item, game)) is not None:
                    plan.problem, plan.left = problem, waiting
                    return plan
                plan.items.append(item)
                if item.word in APART:
                    plan.left = waiting
                    break
        return self._checked(plan)

    def _checked(self, plan: _Plan) -> _Plan:
        """Look ahead at the lines left for later: one that can never be read stops all before anything is done."""
        reader = self._reader(self.seen.game)
        for at, text in enumerate(plan.left):
            if reader.number(text) is not None:
                plan.problem = self._problem(text, NUMBER_LATER)
            elif (doubt := self._in_doubt(text)) is not None and reader.begins(text):
                plan.problem = self._problem(text, doubt)
            elif text in self._stopping:
                plan.problem = self._unclear(text, reader, foreseen=False)
            elif is_copied(text):
                given = reader.line(text)
                assert given is not None
                plan.problem = AnsweredLine(text, "problem", said=given.said, near=given.near)
            elif (wish := reader.wish(text[:MOST_TEXT])) is not None:
                if wish.word == "stop":
                    plan.left = plan.left[:at]
                    self.stopped = True
                    break
                if wish.word in OF_ALL:
                    self.words.add(wish.word)
            if plan.problem is not None:
                plan.items += self._not_done(plan.left[:at])
                plan.left = plan.left[at + 1 :]
                break
        return plan

    def _reader(self, game: Game) -> LineReader:
        return LineReader(self.seen, game, self.at, self.lang, in_letter=True)

    def _problem(self, text: str, said: Sentence, near: tuple[str, ...] = ()) -> AnsweredLine:
        return AnsweredLine(text, "problem", said=self.say(said), near=near)

    def _item(self, text: str, game: Game) -> _Item | AnsweredLine | str | None:
        """Read a line as an act, as talk or with its problem; "stop" where reading ends, None for a silent line."""
        reader = self._reader(game)
        said = reader.number(text)
        doubt = self._in_doubt(text)
        if doubt is not None and (said is not None or reader.begins(text[:MOST_TEXT])):
            return self._problem(text, doubt)
        if said is not None:
            return self._by_number(text, said, game)
        wish = reader.wish(text[:MOST_TEXT])
        if wish is not None:
            self.ordered = self.ordered or wish.word not in SILENT
            if wish.word == "stop":
                return "stop"
            if wish.word == "rematch":  # a game that is not over has none
                return AnsweredLine(text, "unread")
            self.words.add(wish.word)
            return None if wish.word in SILENT else _Item(text, wish.word, rest=wish.text)
        if text in self._stopping:
            return self._unclear(text, reader)
        if len(text) > LONGEST:
            return AnsweredLine(text, "unread")
        given = reader.line(text)
        if given is None:
            return None
        if given.problem == "unread":
            return self._unread(text, game)
        self.ordered = True
        if given.problem == "unknown":
            near = self._in_its_first_sentence(text, game) or reader.nearest(text)
            return AnsweredLine(text, "problem", said=given.said, near=near)
        return _of(given)

    def _moves(self, text: str, game: Game) -> bool:
        """Is a line an order of the title, and no number?"""
        reader = self._reader(game)
        return not is_copied(text) and reader.begins(text[:LONGEST]) and reader.wish(text[:MOST_TEXT]) is None

    def _is_legal(self, text: str, game: Game) -> bool:
        """Can an order be carried out though nobody waits for it, such as a proxy for a later bid?

        The command that ended the turn cannot: the question would be answered a second time.
        """
        given = self._reader(game).line(text)
        return given is not None and given.command is not None and type(given.command) is not self.ended

    def _unread(self, text: str, game: Game) -> AnsweredLine:
        """Report talk. If it may mean days off, "I bid 12" or "Pass. Good luck!", show how to write that."""
        wish = LineReader(self.seen, game, self.at, self.lang).wish(text)
        if wish is not None and wish.word == "vacation":
            return AnsweredLine(text, "unread", said=f"{self.say(UNREAD)} {self.say(DAYS)}")
        if wish is not None and wish.word == "name" and len(text.split()) <= MOST_NAMED:
            return AnsweredLine(text, "unread", said=f"{self.say(UNREAD)} {self.say(NAMES)}")
        near = self._in_its_first_sentence(text, game)
        if not near and "order" not in self._kinds:
            near = self._reader(game).nearest(text)
        return AnsweredLine(text, "unread", said=self.say(UNREAD) if near else "", near=near)

    def _in_its_first_sentence(self, text: str, game: Game) -> tuple[str, ...]:
        """The order in the first sentence of a line, if there is one."""
        sentence = SENTENCE_ENDS.split(text)[0]
        reader = self._reader(game)
        first, _, rest = sentence.partition(" ")
        meant = reader.line(rest if fold(first) == fold(self.say(MYSELF)) or reader.agrees(first) else sentence)
        return () if meant is None or meant.problem is not None else (meant.line,)

    def _by_number(self, text: str, said: Numbered, game: Game) -> _Item | AnsweredLine:
        """Read a bare number as a line of the letter if it is the first order. If it may be an amount, ask back."""
        if self.ordered:
            return self._problem(text, NUMBER_LATER)
        self.ordered = True
        options = () if self.given.letter.kind == SHORT else numbered.options(self.seen, game)
        if not options:
            return self._problem(text, Sentence("The email has no numbered lines."))
        found = chosen(said, options)
        reader = self._reader(game)
        if isinstance(found, Found):
            return _Item(text, "move", reader.written(found.option, found.amount), command=found.command)
        return self._asked_back(text, found, reader, options)

    def _asked_back(self, text: str, asked: AskedBack, reader: LineReader, options: Sequence[Any]) -> AnsweredLine:
        said = asked.number
        amounts = [it for it in options if it.amount is not None and not it.action.aside]
        if asked.found is None and not said.money and not amounts:
            many = Sentence("The email has lines 1 to {many}.", {"many": len(options)})
            return self._problem(text, many)
        fitting = [it for it in options if it.amount is not None and it.amount.takes(said.number)]
        more = [(it, it.amount.at_least(said.number)) for it in amounts if it.amount is not None]
        near = [reader.written(it, said.number) for it in fitting[:3]]
        near = near or [reader.written(it, amount) for it, amount in more if amount is not None][:1]
        if asked.found is not None and asked.found.amount is not None and said.amount is not None:
            least = asked.found.amount.at_least(said.amount)
            offered = () if least is None else (reader.written(asked.found, least),)
            return self._problem(text, how_much(asked.found.amount), offered)
        if asked.found is not None:
            near = [reader.written(asked.found), *near]
        return self._problem(
            text, Sentence("Is this a line number or an amount? Please say it in words."), tuple(dict.fromkeys(near))
        )

    # ---- trying ----
    def _tried(self, item: _Item, game: Game) -> tuple[Game, AnsweredLine | None, bool]:
        """Try a move. Return the position after it, the refusal if any, and whether the position can be foreseen."""
        seen = self.seen
        assert item.command is not None
        turn = Tryout(seen, self.at, self.lang, game)
        try:
            item.does = turn.does(turn.add(item.command))
        except Refused as refused:
            said = queries.refusal(seen.title, refused, self.lang, seen.player)
            return game, AnsweredLine(item.text, "problem", item.line, said, refused.rule), True
        return turn.game, None, not turn.ahead

    def _tried_word(self, item: _Item, game: Game) -> AnsweredLine | None:
        """Return the reason why a word for every title cannot be carried out; None if it can."""
        word, seen = item.word, self.seen
        if word == "join":
            return self._problem(item.text, Sentence("You already have a seat at this table."))
        if word in ASIDE:
            why = self.asides.problem(word, item.rest, self.given.letter.game_id)
            return None if why is None else self._problem(item.text, why)
        if self._known() is not None:
            return None
        if word in OF_A_PROPOSAL and (other := self._proposed_since()) is not None:
            refused = Refused("ST 9", "There is a proposal for a rewind to move {to}.", to=other.to)
            said = queries.refusal(seen.title, refused, self.lang, seen.player)
            return AnsweredLine(item.text, "problem", said=said, rule=refused.rule)
        command = self._command(item, game)
        if command is not None and play.allows(game, seen.seat, command, self.at):
            return None
        return self._why_none(item, command)

    def _why_none(self, item: _Item, command: Command | None) -> AnsweredLine | None:
        seen = self.seen
        if item.word in ("take_back", "take_back_all"):
            why = queries.why_no_take_back(seen, self.at) or Sentence("You have made no move that could be taken back.")
            return replace(self._problem(item.text, why), rule="ST 7")
        if item.word == "agree" and command is None:
            why = queries.rewind_lapsed(seen, self.at) or Sentence("Nobody has proposed to rewind.")
            return replace(self._problem(item.text, why), rule="ST 9")
        refused = None if command is None else play.refusal(seen.game, seen.seat or 0, command, self.at)
        if refused is None:
            return None
        said = queries.refusal(seen.title, refused, self.lang, seen.player)
        return AnsweredLine(item.text, "problem", said=said, rule=refused.rule)

    def _proposed_since(self) -> Proposal | None:
        """The proposed rewind, if it is newer than the letter."""
        seen, proposal = self.seen, queries.rewind(self.seen, self.at)
        if proposal is None:
            return None
        with self.work.reading() as conn:
            plies = [it for _, it in self.work.store.plies(conn, seen.game.id, seen.title, proposal.since)]
        times = [it.at for it in plies if any(isinstance(event, RewindProposed) for event in it.events)]
        return proposal if max(times) > self.given.letter.at else None

    def _command(self, item: _Item, game: Game) -> Command | None:
        """Return the command of a word at a position; None if it has none there."""
        seen = self.seen
        if item.word in ("take_back", "take_back_all"):
            plies = queries.take_backs(seen, self.at) if game.version == seen.game.version else ()
            return TakeBack(plies[0 if item.word == "take_back" else -1]) if plies else None
        if item.word == "agree":
            proposal = queries.rewind(seen, self.at)
            return AgreeToRewind(proposal.to) if proposal is not None else None
        return {"refuse": RefuseRewind(), "resign": Resign()}.get(item.word)

    # ---- doing ----
    def _id(self) -> str:
        return f"{self.given.id}.{self.number}"

    def _known(self) -> Answer | None:
        """The answer to the next submission, if an earlier run made it before it broke off."""
        with self.work.reading() as conn:
            return answered(conn, self.given.letter.game_id, self._id())

    def _submit(self, submission: Callable[[str], Submission]) -> Answer:
        answer = self._known() or submit(self.work, self.actor, submission(self._id()))
        self.number += 1
        self.changed = True
        return answer

    def _do(self, plan: _Plan, version: int) -> Answer | None:
        """Carry out the plan. Return the last answer, or None if nothing is left to do."""
        moves: list[_Item] = []
        answer: Answer | None = None
        place = len(self.done)
        self.done += plan.echoed("not_done")
        for at, it in enumerate(plan.items, place):
            if isinstance(it, AnsweredLine):
                continue
            if it.word == "move":
                moves.append(it)
            elif it.word in APART:
                if moves and (answer := self._moved(plan, moves, version, place)) is None:
                    return None
                moves, version = [], answer.version if answer else version
                answer = self._did(it, at, version)
            else:
                self.done[at] = self._aside(it, at)
        if moves:
            answer = self._moved(plan, moves, version, place)
        return answer

    def _moved(self, plan: _Plan, moves: Sequence[_Item], version: int, place: int) -> Answer | None:
        """Submit moves that were tried together. Return None if one of them fell."""
        places = [at for at, it in enumerate(plan.items, place) if any(it is each for each in moves)]
        commands = [it.command for it in moves if it.command is not None]
        game_id = self.given.letter.game_id
        try:
            answer = self._submit(lambda id_: submission(game_id, commands, version, id_))
        except (Refused, Stale, SeatChanged, Forbidden) as error:
            self.done[places[0]] = self._failed(moves[0], error)
            self._rest_is_not_done(plan)
            return None
        stand = len(answer.plies)
        for at, it, ply in zip(places, moves, answer.plies, strict=False):
            self.done[at] = it.became("done", plies=[ply])
        for index in range(stand, len(moves)):
            if answer.refusal is not None and index == answer.refused_at:
                self.done[places[index]] = self._failed(moves[index], answer.refusal)
            else:
                self.done[places[index]] = moves[index].became("fell")
        if answer.refusal is not None:
            self._rest_is_not_done(plan)
            return None
        return answer

    def _rest_is_not_done(self, plan: _Plan) -> None:
        self.done += self._not_done(plan.left)

    def _failed(self, item: _Item, error: Exception) -> AnsweredLine:
        seen = self.seen
        if isinstance(error, Refused):
            said = queries.refusal(seen.title, error, self.lang, seen.player)
            return AnsweredLine(item.text, "problem", item.line, said, error.rule)
        return AnsweredLine(item.text, "problem", item.line, self.say(GONE_ON))

    def _did(self, item: _Item, at: int, version: int) -> Answer | None:
        """Take back, answer a proposal, or resign."""
        letter = self.given.letter
        what: What = _RIGHTS[item.word]
        expected = version if item.word in OF_A_VERSION else None

        def submission(id_: str) -> Submission:
            command = self._command(item, self.seen.game)
            assert command is not None  # the trial found one
            return Submission(letter.game_id, what, [command], expected, id_)

        try:
            answer = self._submit(submission)
        except (Refused, Stale, SeatChanged, Forbidden) as error:
            self.done[at] = self._failed(item, error)
            return None
        self.done[at] = item.became("done", plies=answer.plies)
        return answer if self.seen.seat is not None and self.seen.game.status == "running" else None

    def _aside(self, item: _Item, at: int) -> AnsweredLine:
        """Carry out a word that changes no game, in the line ``at`` of the answer."""
        said = self.asides.do(item.word, item.rest, self.given.letter.game_id, f"{self.given.id}.{at}")
        return item.became("done", self.say(said))


OF_A_VERSION = ("move", "take_back", "take_back_all", "resign")
"""Words that hold only at the version that the letter shows."""
OF_A_PROPOSAL = ("agree", "refuse")
"""Words that answer the proposal that stood when the letter went out, and no later one."""
MOST_TEXT = notes.LONGEST + LONGEST
"""Characters of a line that are read as a note."""
START = Sentence("start | begin")
"""Starts the game at an open table, where no title has words of its own yet."""
SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s")
MYSELF = Sentence("I")
"""A word that people write before an order. Talk may follow it all the same: "I go to Boston"."""
UNREAD = Sentence("This is not an order.")
UNCLEAR = Sentence(
    "This looks like an order but cannot be read. If it is not an order, write it below a line that says “stop”."
)
BETWEEN = Sentence(
    "This line is between orders but cannot be read. If it is not an order, write it below a line that says “stop”."
)
NAMES = Sentence("A name has one to three words and begins with a capital: “name Ada”.")
MOST_NAMED = 4
"""Words of a line that may be meant as a name."""
NOT_BEGUN = Sentence("The game has not begun yet.")
DECLINED = Sentence("You have declined the seat. Somebody else can have it now, and your search rests for a day.")
SEATED_AGAIN = Sentence("You have seat {seat_number} at a new table for the same players.")
TO_SEAL = Sentence("A new table for the same players is open. It uses sealed words, so take your seat here: {address}")
NO_SEAT = Sentence("The game has already started; no seat can be taken.")
SEATED = Sentence("You already have a seat at this table, and the game has started.")
PASSED = Sentence("Not done, because your turn would already be over.")
GONE_ON = Sentence("Not done, because the game has moved on in the meantime.")
NUMBER_LATER = Sentence("Only the first order of an email can be a number, because numbers change with every move.")
IN_ONE_FORM = Sentence(
    "Your email has a text part and an HTML part, and only one of them says this. Please send it again."
)
BELOW = Sentence("We read no orders below your thanks or greetings. If this is an order, write it above your greeting.")
_RIGHTS: dict[str, What] = {
    "take_back": "take_back", "take_back_all": "take_back", "agree": "agree_to_rewind", "refuse": "refuse_rewind",
    "resign": "resign",
}  # fmt: skip


def _of(given: GivenLine) -> _Item | AnsweredLine:
    if given.problem is None:
        return _Item(given.text, "move", given.line, command=given.command)
    return AnsweredLine(given.text, "problem", given.line, given.said, given.rule, given.near)
