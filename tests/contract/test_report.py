"""The position in words, for players who cannot see the board: of every title, for every seat and for spectators."""

from domain.report import Description, Grid, Passage, say_cell, sentences
from domain.title import Title
from domain.words import say
from service.letters.columns import WIDTH, columns
from service.words import languages, spoken
from tests.orders import positions


def looked_at(title: Title) -> list[tuple[Description, int | None]]:
    """Return reports for the seat that may act, and for a spectator."""
    found = [at for number in range(2) for at in positions(title, number, every=29)]
    return [(title.face.report(title.rules.view(at.state, seat)), seat) for at in found for seat in (at.seat, None)]


def test_rows_are_as_long_as_their_head(title: Title):
    for report, seat in looked_at(title):
        assert (report.who is None) == (seat is None)
        assert report.parts
        for part in report.parts:
            if isinstance(part, Grid):
                assert part.rows
                assert {len(row) for row in part.rows} == {len(part.head) + 1}
            else:
                assert part.lines


def test_the_report_fits_the_columns_of_a_letter_in_every_language(title: Title):
    def player(seat: int) -> str:
        return ["", "Maximiliane", "Bob", "Cy Twombly", "Dee", "Konstantin A", "Flo"][seat]

    for report, _ in looked_at(title):
        for code in languages():
            language = spoken(title.face.words, code)
            for part in report.parts:
                if isinstance(part, Passage):
                    assert all(say(line, language, player) for line in part.lines)
                    continue
                head = (part.heading, *part.head)
                said = columns([[say_cell(cell, language, player) for cell in row] for row in (head, *part.rows)])
                assert max(map(len, said.splitlines())) <= WIDTH, said


def test_the_asked_seat_is_told_more_than_a_spectator(title: Title):
    for report, seat in looked_at(title):
        if seat is not None:
            assert {"seat": seat}.items() <= (report.who.facts.items() if report.who else {}.items())
        assert list(sentences(report))
