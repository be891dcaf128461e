"""Verdicts of proofs: the same in both languages and as an exit status, with their notes."""

import pytest

from domain import TITLES
from domain.words import Sentence
from service.proof import verdicts
from service.proof.verdicts import NOT_COMPARED, NOT_PROVED, PROVED, WRONG, Fault, Verdict, say, status_of
from service.words import spoken

DECIDED = Verdict(40, 40, 0)
REPLAYED = Verdict(40, 37, 3)
BROKEN = Verdict(40, 5, 0, (Fault(Sentence("it is missing."), 6), Fault(Sentence("The header lies."))))


def said(verdict: Verdict, lang: str = "en") -> str:
    return f"{say(verdict.head, lang)} {say(verdict.said, lang)}"


def test_only_a_game_decided_again_whole_is_proved():
    assert [it.kind for it in (DECIDED, REPLAYED, BROKEN)] == ["proved", "replayed", "wrong"]
    assert [it.status for it in (DECIDED, REPLAYED, BROKEN)] == [PROVED, NOT_PROVED, WRONG] == [0, 3, 1]
    assert not Verdict(40, 0, 0).proved, "nothing was decided"
    assert not Verdict(40, 39, 1).proved


def test_it_says_how_many_were_decided_again_and_how_many_only_replayed():
    assert said(DECIDED) == (
        "Proved. Nothing was changed, and all of it was played by the rules. 40 plies were rechecked, 0 only replayed."
    )
    assert said(REPLAYED).startswith(
        "Not fully checked against the rules. 37 plies were rechecked, 3 only replayed: this"
    )
    assert said(REPLAYED, "de").startswith(
        "Nicht vollständig nach den Regeln geprüft. 37 Züge wurden nachgerechnet, 3 nur nachgespielt: Dieses"
    )
    assert said(BROKEN) == str(BROKEN) == "Wrong. Ply 6: it is missing."
    assert "1 ply was rechecked" in said(Verdict(1, 1, 0))


def test_a_proved_log_in_a_page_that_was_not_compared_is_told_by_its_head():
    beside = Verdict(40, 40, 0, uncompared=True)
    assert (beside.kind, beside.status, beside.proved) == ("uncompared", NOT_COMPARED, False)
    assert NOT_COMPARED == 4
    assert said(beside) == (
        "The log is proved; the page around it was not compared. Nothing in the log was changed, and all of it was "
        "played by the rules. 40 plies were rechecked, 0 only replayed."
    )
    graver = Verdict(40, 37, 3, uncompared=True), Verdict(4, 0, 0, BROKEN.faults, uncompared=True)
    assert [it.kind for it in graver] == ["replayed", "wrong"]


def test_many_games_end_with_the_worst_of_them():
    assert status_of([]) == status_of([DECIDED]) == PROVED
    assert status_of([DECIDED, REPLAYED, DECIDED]) == NOT_PROVED
    assert status_of([REPLAYED, BROKEN, DECIDED]) == WRONG


def test_remarks_are_named():
    nobody = Sentence("Nobody added words of luck, so the operator could have chosen these draws.")
    notes = [say(note) for note in Verdict(40, 40, 0, back=(4, 7), luck=nobody).notes]
    assert notes[0] == nobody.template
    assert "Time runs backwards at 2 plies under version 1 of the rules (4, 7)" in notes[1]
    assert notes[2] == "A log cannot show who sat at which seat."
    assert "Only fingerprints" in notes[3]
    assert say(Verdict(99, 99, 0, back=tuple(range(2, 40))).notes[0]).partition(")")[0].count(", ") == 10
    assert BROKEN.notes == ()


@pytest.mark.parametrize(
    ("vouched", "words"), [(0, "rewrite the whole log"), (7, "up to ply 7"), (40, "confirm the whole game.")]
)
def test_it_says_how_far_fingerprints_vouch(vouched: int, words: str):
    _, note = Verdict(40, 40, 0, vouched=vouched).notes
    assert words in say(note)


def test_each_sentence_is_known_in_german():
    luck = (Sentence("Nobody added words of luck, so the operator could have chosen these draws."),)
    heard = [*verdicts.HEADS.values(), Verdict(9, 9, 0, uncompared=True).said, *verdicts.WHY.values(), *luck]
    noted = (Verdict(9, 9, 0, back=(3,), vouched=at, by={"0.1.0": 4}) for at in (0, 4, 9))
    deeds = tuple(verdicts.Deed(what, 3) for what in verdicts.DEEDS)
    timed = Verdict(9, 9, 0, remarks=verdicts.Remarks((3,), deeds, timed=True))
    for verdict in (DECIDED, REPLAYED, timed, *noted):
        heard += [verdict.said, *verdict.notes]
    assert {it.template for it in heard} <= spoken(verdicts.WORDS, "de").texts.keys()


def test_a_fault_quotes_the_refusal_of_a_title_in_the_readers_language():
    refused = Sentence("There is no {card} in the market.", {"card": "red"})
    why = Sentence("{rule}: {why}", {"rule": "TTR 4.1", "why": refused})
    fault = Fault(Sentence("the rules refuse its command: {why}", {"why": why}), 4)
    assert str(fault) == "Ply 4: the rules refuse its command: TTR 4.1: There is no red in the market."
    in_german = spoken(TITLES["ticket_to_ride"].face.words, "de").texts[refused.template].format(card="red")
    assert say(fault.said, "de") == f"Zug 4: die Regeln lehnen seinen Befehl ab: TTR 4.1: {in_german}"


def test_a_fault_is_worded_with_its_ply_and_its_facts():
    inner = Sentence("the rules refuse its command: {why}", {"why": "TTR 4.3"})
    fault = Fault(Sentence("by the code of release {release}: {fault}", {"release": "0.1.0", "fault": inner}), 4)
    assert str(fault) == "Ply 4: by the code of release 0.1.0: the rules refuse its command: TTR 4.3"
    assert say(fault.said, "de-AT") == (
        "Zug 4: nach dem Code der Version 0.1.0: die Regeln lehnen seinen Befehl ab: TTR 4.3"
    )
    assert say(Fault(Sentence("The log is empty.")).said, "de") == "Das Protokoll ist leer."
    assert str(Fault(Sentence("{fault}", {"fault": "{odd} and }"}))) == "{odd} and }"
