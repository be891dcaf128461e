"""What was reconstructed is said: every such statement of the data is covered by a note."""

from domain.grand_trunk import TITLE, cards
from domain.grand_trunk.face.notes import NOTES, OPENING, RECONSTRUCTED
from domain.grand_trunk.material import STATEMENTS
from domain.words import say
from service.words import spoken


def test_every_reconstructed_statement_stands_behind_a_note():
    covered = {statement for statements, _ in RECONSTRUCTED for statement in statements}
    reconstructed = {name for name, statement in STATEMENTS.items() if statement.kind == "reconstructed"}
    assert {name for name in reconstructed if name not in covered and name not in cards.CARDS} == set()
    assert "companies" in covered, "it stands for the single cards too"
    assert covered <= set(STATEMENTS)


def test_the_title_shows_the_notes_in_both_languages():
    assert TITLE.face.notes == NOTES
    assert NOTES[0] == OPENING
    assert len(NOTES) == 1 + len(RECONSTRUCTED)
    for note in NOTES:
        assert say(note, TITLE.face.words.english, str) != say(note, spoken(TITLE.face.words, "de"), str)
