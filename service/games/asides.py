"""Words of an answer that change no game: a note, a line of talk, the sender's name, days off, wishes about mail.

Carrying out one of them again changes nothing more.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

from domain.pace import day_of
from domain.words import Quoted, Sentence
from service.base.names import LONGEST_OF_PERSON, BadName, cleaned
from service.database.work import Work
from service.games import absences, notes, saying, talk_text
from service.games.absences import BadAbsence
from service.games.days import days_in
from service.games.rights import ByPerson
from service.games.saying import NotSaid
from service.people import accounts, calendars, mail_settings
from service.words.moments import day_in_words

MAIL_WISHES = {
    "pictures_off": ("pictures", False, Sentence(
        "Your emails have no pictures now: they describe the position in words. “pictures on” brings the pictures back."
    )),
    "pictures_on": ("pictures", True, Sentence("Your emails have pictures again.")),
    "short_receipts": ("short_receipts", True, Sentence(
        "Your receipts are short now. “look” shows the position, and “long receipts” brings the long ones back."
    )),
    "long_receipts": ("short_receipts", False, Sentence("Your receipts are long again.")),
}  # fmt: skip
"""Words that change how letters look: the preference, its value, and the sentence that confirms it."""
TIP_WISHES = {
    "tips_off": (False, Sentence("You will get no more tips. “tips on” brings the tips back.")),
    "tips_on": (True, Sentence("In your first game of each title, you get tips again.")),
}
"""Words about tips: whether the sender wants some, and the sentence that confirms it."""
WISHES = (*MAIL_WISHES, *TIP_WISHES)
ASIDE = ("note", "say", "vacation", "faster", "slower", "name", *WISHES)
"""Words that change no game."""
DAYS = Sentence("Write days like this: 1.12.-8.12.")
NOT_SAID = {
    "off": Sentence("Talk is switched off at this table."),
    "closed": Sentence("The talk at this table has ended."),
    "room": Sentence("Only people with a seat at this table can say something by email."),
    "silenced": Sentence("An operator has silenced you for some time. Your account shows the reason."),
    "too_many": Sentence("You have written a lot in a short time. Please wait a little."),
    "length": Sentence("A line of talk has 1 to {most} characters.", {"most": talk_text.LONGEST}),
    "unseen": Sentence("This line contains invisible characters."),
}
BAD_NAMES = {
    "length": Sentence("A name has 1 to {most} characters.", {"most": LONGEST_OF_PERSON}),
    "unseen": Sentence("This name contains invisible characters."),
    "address": Sentence("A name must not look like a web address."),
}


class Asides:
    """Carries out words of one person, in their language."""

    def __init__(self, work: Work, actor: ByPerson, at: int, lang: str) -> None:
        assert actor.id is not None
        self.work, self.actor, self.at, self.lang = work, actor, at, lang
        self.person_id = actor.id

    def problem(self, word: str, rest: str, game_id: str) -> Sentence | None:
        """Return the reason why a word with its ``rest`` cannot be carried out; None if it can."""
        if word == "say":
            return self._not_said(lambda: saying.check(self.work, self.actor, game_id, rest, self.at, room="players"))
        if word in ("note", "vacation") and not rest:
            return Sentence("There is nothing after this word.")
        if word == "note" and len(rest) > notes.LONGEST:
            return Sentence("A note can have at most {most} characters.", {"most": notes.LONGEST})
        if word == "name":
            return bad_name(rest)
        return self._bad_days(rest) if word == "vacation" else None

    def do(self, word: str, rest: str, game_id: str, key: str) -> Sentence:
        """Carry out a word, and return the sentence that confirms it. ``key``: of the line, so that a note is one."""
        match word:
            case "note":
                with self.work.writing() as conn:
                    notes.add(conn, self.person_id, game_id, rest, key, self.at)
                return Sentence("Noted. Only you can see it.")
            case "say":
                refused = self._not_said(
                    lambda: saying.say(self.work, self.actor, game_id, rest, self.at, room="players", key=key)
                )
                return refused or Sentence("The players at the table can read it now.")
            case "name":
                return self.rename(rest)
            case "vacation":
                return self._take_off(rest)
            case "faster":
                self._set(digest_at=None)
                return Sentence("You now get each email at once.")
            case "slower":
                with self.work.store.write() as conn:
                    wakes = mail_settings.of(conn, self.person_id).wakes_at
                    mail_settings.change(conn, self.person_id, self.at, {"digest_at": wakes})
                return Sentence("You now get one email a day about your games.")
            case "tips_off" | "tips_on":
                return self._wants_tips(*TIP_WISHES[word])
        field, wanted, said = MAIL_WISHES[word]
        self._set(**{field: wanted})
        return said

    def _set(self, **preference: Any) -> None:
        with self.work.store.write() as conn:
            mail_settings.change(conn, self.person_id, self.at, preference)

    def _wants_tips(self, wanted: bool, said: Sentence) -> Sentence:
        with self.work.store.write() as conn:
            accounts.change(conn, self.person_id, self.at, tips=wanted)
        return said

    # ---- talk ----
    def _not_said(self, attempt: Callable[[], object]) -> Sentence | None:
        """Make an attempt to say something. Return the reason why it failed; None if it did not."""
        try:
            attempt()
        except NotSaid as refused:
            return NOT_SAID[refused.why]
        return None

    # ---- the name ----
    def rename(self, name: str) -> Sentence:
        """Rename the sender."""
        name = _cleaned(name)
        with self.work.store.write() as conn:
            accounts.change(conn, self.person_id, self.at, name=name)
        return Sentence("Others now see you as {name}.", {"name": Quoted(name)})

    # ---- days off ----
    def _bad_days(self, rest: str) -> Sentence | None:
        with self.work.reading() as conn:
            today = self._today(conn)
            days = days_in(rest, today)
            if days is None:
                return DAYS
            planned = absences.of(conn, self.person_id)
            if absences.are_planned(planned, *days):
                return None
            try:
                absences.check(planned, *days, "vacation", today)
            except BadAbsence as bad:
                return _why_bad(bad)
        return None

    def _take_off(self, rest: str) -> Sentence:
        with self.work.reading() as conn:
            days = days_in(rest, self._today(conn))
            assert days is not None  # the trial found them
            planned = absences.are_planned(absences.of(conn, self.person_id), *days)
        if not planned:
            absences.plan(self.work, self.actor, *days, "vacation", self.at)
        facts = {"first": day_in_words(days[0], self.lang), "last": day_in_words(days[1], self.lang)}
        return Sentence("You are away from {first} to {last}; your clocks wait for you.", facts)

    def _today(self, conn: Any) -> date:
        return day_of(calendars.of_person(conn, self.person_id), self.at)


def bad_name(name: str) -> Sentence | None:
    """Return the reason why a name cannot be taken; None if it can, or if there is none."""
    try:
        if name:
            _cleaned(name)
    except BadName as bad:
        return BAD_NAMES[bad.why]
    return None


def _cleaned(name: str) -> str:
    return cleaned(name, LONGEST_OF_PERSON, mailed=True)


def _why_bad(bad: BadAbsence) -> Sentence:
    match bad.why:
        case "order":
            return Sentence("The last day is before the first.")
        case "past":
            return Sentence("Those days are already over.")
        case "far":
            return Sentence("You can plan at most two years ahead.")
        case "overlap":
            return Sentence("You are already away on some of these days.")
    return Sentence("Vacation days left in {year}: {left}.", {"year": str(bad.year), "left": bad.left})
