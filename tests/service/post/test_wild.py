"""A sample of the second corpus of answers; ``python -m tests.service.post.wild`` reads all of it."""

from .wild import answers, lines_of

ALWAYS = ("encodings", "pages", "structures", "below pages")
EVERY = 37


def test_exactly_the_writers_lines_of_the_second_corpus_are_read() -> None:
    sample = [it for number, it in enumerate(answers()) if it.group in ALWAYS or number % EVERY == 0]
    assert len(sample) > 200
    assert [(it.group, it.name) for it in sample if lines_of(it.raw) != it.lines] == []


def test_attributions_of_rare_programs_and_languages_are_cut() -> None:
    rare = [it for it in answers() if it.name.startswith(("Notes old", "bg, ", "colon, ", "Gnus SuperCite"))]
    assert len(rare) > 20
    assert [it.name for it in rare if lines_of(it.raw) != it.lines] == []
