"""Verdicts of proofs: proved, perhaps in a page that was not compared; not fully checked against the rules; or wrong.

A verdict comes in words, with notes, and as the exit status of a command.

A ply is *decided again* if the rules of its version decided it once more and gave the same bytes. It is *only replayed*
if it was read and applied without the rules. The bearer of a game's secret can rewrite such a ply and hash everything
anew, so a game with one such ply is never fully checked against the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

import domain
from domain import words
from domain.words import Language, Sentence, Words
from service.words import ENGLISH, spoken

Kind = Literal["proved", "uncompared", "replayed", "wrong"]

PROVED: Final = 0
WRONG: Final = 1
NOT_PROVED: Final = 3
NOT_COMPARED: Final = 4
"""The exit statuses of commands. (Status 2 is a usage error.)"""
STATUS: Mapping[Kind, int] = {"proved": PROVED, "uncompared": NOT_COMPARED, "replayed": NOT_PROVED, "wrong": WRONG}

Why = Literal["older", "quick", "secret"]
"""Why plies were only replayed: their rules are retired, the proof is quick, or the secret is not published."""


class Fault(msgspec.Struct, frozen=True):
    """A fault, in plain words. ``ply``: its place; None if it is not in the log itself."""

    sentence: Sentence
    ply: int | None = None

    @property
    def what(self) -> str:
        """The sentence in English."""
        return say(self.sentence)

    @property
    def said(self) -> Sentence:
        """The fault and its place, as a sentence."""
        if self.ply is None:
            return self.sentence
        return Sentence("Ply {ply}: {fault}", {"ply": self.ply, "fault": self.sentence})

    def __str__(self) -> str:
        return say(self.said)


class FaultFound(Exception):
    """A check failed, in plain words. ``ply``: its place, unless the check does not know it."""

    def __init__(self, what: Sentence, ply: int | None = None) -> None:
        super().__init__(what.template)
        self.what, self.ply, self.fault = what, ply, Fault(what, ply)


WhatDeed = Literal["freed", "resigned", "closed", "cancelled", "gave time", "set right", "moved a bot"]
"""Deeds of the service at a table, by an operator or by itself."""


class Deed(NamedTuple):
    """A deed of the service at a table, and its ply."""

    what: WhatDeed
    ply: int


class Remarks(msgspec.Struct, frozen=True):
    """Facts in a log that are worth telling, but no fault (`service.proof.facts`).

    ``short``: plies with a wait or a moved deadline below its minimum, of versions of the rules whose honest logs have
    that. ``deeds``: those of the service, not of its players. ``timed``: the table has a pace.
    """

    short: tuple[int, ...] = ()
    deeds: tuple[Deed, ...] = ()
    timed: bool = False


NO_REMARKS: Final = Remarks()


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of the proof of one game.

    ``plies``: the number of them. ``decided``: those decided again. ``replayed``: those only replayed, with the reason
    ``why``. ``back``: plies with an earlier time than the ply before, of a version of the rules in which that is no
    fault. ``vouched``: the last ply with a given fingerprint. ``luck``: the players who brought words. ``by``: release
    -> the number of plies that its code decided again, in place of this program. ``uncompared``: the log is in a page
    that could not be compared with it. ``remarks``: on its facts.
    """

    plies: int
    decided: int
    replayed: int
    faults: tuple[Fault, ...] = ()
    why: Why = "older"
    back: tuple[int, ...] = ()
    vouched: int = 0
    luck: Sentence | None = None
    by: Mapping[str, int] = {}
    uncompared: bool = False
    remarks: Remarks = NO_REMARKS

    @property
    def kind(self) -> Kind:
        if self.faults:
            return "wrong"
        if self.replayed or not self.decided:
            return "replayed"
        return "uncompared" if self.uncompared else "proved"

    @property
    def proved(self) -> bool:
        return self.kind == "proved"

    @property
    def status(self) -> int:
        """The exit status of a command that proves this game alone."""
        return STATUS[self.kind]

    @property
    def head(self) -> Sentence:
        """The verdict in a few words."""
        return HEADS[self.kind]

    @property
    def said(self) -> Sentence:
        """The verdict in a sentence or two, to follow its head."""
        if self.faults:
            return self.faults[0].said
        counts: dict[str, int] = {"decided": self.decided, "replayed": self.replayed}
        if self.kind == "uncompared":
            return Sentence(
                "Nothing in the log was changed, and all of it was played by the rules. {decided:ply was|plies were} "
                "rechecked, 0 only replayed.",
                counts,
            )
        if self.proved:
            return Sentence(
                "Nothing was changed, and all of it was played by the rules. {decided:ply was|plies were} rechecked, "
                "0 only replayed.",
                counts,
            )
        return Sentence(
            "{decided:ply was|plies were} rechecked, {replayed:#} only replayed: {why} Anyone with the game's secret "
            "could have rewritten the replayed plies.",
            {**counts, "why": WHY[self.why]},
        )

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """Notes beside the verdict, which are no faults."""
        if self.faults:
            return ()
        luck = [self.luck] if self.luck else []
        said = (*self._by_others(), *self._times(), *self._deeds(), self._not_shown())
        return (*luck, *said, self._only_fingerprints())

    def _by_others(self) -> Iterable[Sentence]:
        for release, count in self.by.items():
            yield Sentence(
                "{count:ply was|plies were} rechecked by the code of release {release}. We take that code's answers "
                "on trust.",
                {"count": count, "release": release},
            )

    def _times(self) -> Iterable[Sentence]:
        if self.back:
            yield Sentence(
                "Time runs backwards at {count:ply|plies} under version 1 of the rules ({numbers}). This also happens "
                "in honest logs of that version, because several clocks wrote them.",
                _plies(self.back),
            )
        if self.remarks.short:
            yield Sentence(
                "At {count:ply|plies} under versions 1 and 2 of the rules ({numbers}), a deadline is earlier than "
                "version 3 allows. This also happens in honest logs of those versions.",
                _plies(self.remarks.short),
            )

    def _deeds(self) -> Iterable[Sentence]:
        for what, said in DEEDS.items():
            if plies := [it.ply for it in self.remarks.deeds if it.what == what]:
                yield replace(said, facts=_plies(plies))

    def _not_shown(self) -> Sentence:
        if self.remarks.timed:
            return Sentence(
                "A log cannot show who sat at which seat or whose calendar set a deadline. The proof shows only that "
                "some calendar allows these deadlines and this time in hand."
            )
        return Sentence("A log cannot show who sat at which seat.")

    def _only_fingerprints(self) -> Sentence:
        if not self.vouched:
            return Sentence(
                "Anyone with the game's secret can rewrite the whole log without breaking the rules: with other "
                "moves, times or players, or with plies left out. Only fingerprints, such as those in "
                "emails, can reveal such a change."
            )
        if self.vouched < self.plies:
            return Sentence(
                "The given fingerprints confirm the game up to ply {ply}. Anyone with the game's secret can rewrite "
                "everything after that ply. Only further fingerprints can reveal such a change.",
                {"ply": self.vouched},
            )
        return Sentence("The given fingerprints confirm the whole game.")

    def __str__(self) -> str:
        return f"{say(self.head)} {say(self.said)}"


class LookedAt(msgspec.Struct, frozen=True, kw_only=True):
    """The extent and the findings of a proof, of a game of the store or of a file.

    ``links``: plies whose link was computed again. ``decided``: commands decided again to the same bytes. ``by``: other
    release -> the number of those its code decided. ``replayed``: plies that were only applied, because their rules (of
    the versions ``older``) are retired or a quick proof was requested. ``draws``: those made again. ``found``: given
    fingerprint -> its ply. ``back``: plies whose time runs back, where that is no fault (`service.proof.order`).
    ``remarks``: on its facts. ``brought``: seat -> the hash of its player's words. ``luck``: whether the draws could
    have been chosen, in words.
    """

    links: int = 0
    decided: int = 0
    replayed: int = 0
    draws: int = 0
    found: dict[str, int] = {}
    faults: tuple[Fault, ...] = ()
    brought: dict[int, str] = {}
    luck: Sentence | None = None
    back: tuple[int, ...] = ()
    by: dict[str, int] = {}
    older: tuple[int, ...] = ()
    remarks: Remarks = NO_REMARKS

    @property
    def why(self) -> Why:
        """Why plies were only replayed, if some were."""
        return "older"

    @property
    def verdict(self) -> Verdict:
        vouched = max(self.found.values(), default=0)
        return Verdict(
            self.links,
            self.decided,
            self.replayed,
            self.faults,
            self.why,
            self.back,
            vouched,
            self.luck,
            self.by,
            remarks=self.remarks,
        )

    @property
    def proved(self) -> bool:
        return self.verdict.proved


NAMED = 10
"""Plies that a note names; of the rest it gives the number."""


def _plies(plies: Sequence[int]) -> dict[str, object]:
    """The number of plies and the first of them, as facts of a sentence."""
    return {"count": len(plies), "numbers": ", ".join(map(str, plies[:NAMED])) + (", …" if len(plies) > NAMED else "")}


DEEDS: Mapping[WhatDeed, Sentence] = {
    "freed": Sentence("At {count:ply|plies} ({numbers}), an operator freed a seat."),
    "resigned": Sentence(
        "At {count:ply|plies} ({numbers}), a seat left the game. An operator removed the seat, or its player's account "
        "was erased."
    ),
    "closed": Sentence("At {count:ply|plies} ({numbers}), an operator closed the game."),
    "cancelled": Sentence(
        "At {count:ply|plies} ({numbers}), the table was closed. An operator closed the table, or its host's account "
        "was erased."
    ),
    "gave time": Sentence(
        "At {count:ply|plies} ({numbers}), an operator gave back time, or the service did so after an outage."
    ),
    "set right": Sentence(
        "At {count:ply|plies} ({numbers}), deadlines were moved earlier because the service's clock was corrected."
    ),
    "moved a bot": Sentence(
        "At {count:ply|plies} ({numbers}), a person moved for a seat that belongs to a bot. This was possible before "
        "version 3 of the rules."
    ),
}
HEADS: Mapping[Kind, Sentence] = {
    "proved": Sentence("Proved."),
    "uncompared": Sentence("The log is proved; the page around it was not compared."),
    "replayed": Sentence("Not fully checked against the rules."),
    "wrong": Sentence("Wrong."),
}
WHY: Mapping[Why, Sentence] = {
    "older": Sentence("this program no longer has that version of the rules."),
    "quick": Sentence("nobody asked to have them rechecked."),
    "secret": Sentence("the secret is published only when the game ends."),
}


def status_of(verdicts: Iterable[Verdict]) -> int:
    """The exit status of a command that proves many games: that of the worst verdict."""
    kinds = {it.kind for it in verdicts}
    return next((STATUS[kind] for kind in ("wrong", "replayed") if kind in kinds), PROVED)


# ==== words =======================================================================================
WORDS = Words({}, Path(__file__).parent / "words")


def say(sentence: Sentence, lang: str = ENGLISH) -> str:
    """Say a sentence about a proof in a language (a tag of BCP 47)."""
    return words.say(sentence, _language(lang), str)


@cache
def _language(lang: str) -> Language:
    """The language of proofs, which quote the refusals of all titles."""
    own = spoken(WORDS, lang)
    texts, counts = own.texts, own.counts
    for title in domain.TITLES.values():
        theirs = spoken(title.face.words, lang)
        texts, counts = {**theirs.texts, **texts}, {**theirs.counts, **counts}
    return replace(own, texts=texts, counts=counts)


def games_and_plies(games: int, plies: int) -> str:
    """Count games and plies in English: "1 game with 192 plies"."""
    return say(Sentence("{games:game|games} with {plies:ply|plies}", {"games": games, "plies": plies}))
