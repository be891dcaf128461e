"""The numbered lines of a letter, in both languages."""

import msgspec
import pytest

from domain import TITLES, notation
from domain.orders import BLANK, Found, read, write
from domain.ticket_to_ride.commands import DrawTickets
from service.games import numbered, orders, queries
from tests.service.games.test_actions import positions


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_a_line_with_a_number_is_typed_as_it_stands(title):
    """A blank is filled with an amount."""
    for seen in list(positions(title))[::29]:
        known, legal, whole = orders.tongue(seen), queries.options(seen), numbered.options(seen)
        for lang in ("en", "de"):
            shown = [it for it in numbered.lines(seen, lang) if it.number is not None]
            assert [it.number for it in shown] == list(range(1, len(whole) + 1))
            for line, option in list(zip(shown, whole, strict=True))[:12]:
                text = line.text
                if line.amount is not None:
                    assert BLANK in text
                    text = text.replace(BLANK, str(line.amount.low))
                else:
                    names = title.face.orders.names(queries.view(seen))
                    assert text == write(option.order, names, seen.language(lang))
                found = read(text, legal, known, in_letter=True)
                assert isinstance(found, Found), text
                assert found.option == option


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_a_line_with_an_open_choice_shows_the_choices_and_has_no_command(title):
    with_choice = 0
    for seen in list(positions(title))[::3]:
        known, legal = orders.tongue(seen), queries.options(seen)
        for line in numbered.lines(seen, "en"):
            if line.number is None:
                with_choice += 1
                assert any(it in line.text for it in (" / ", " of ", BLANK))
                assert not isinstance(read(line.text, legal, known, in_letter=True), Found), line.text
    assert bool(with_choice) == (title.id != "new_england")


def test_words_that_may_be_added_are_understood_after_the_line():
    """Slowly, by right of way, with discards: each in the words of the letter."""
    added = set()
    for seen in list(positions(TITLES["grand_trunk"]))[::11]:
        known, legal = orders.tongue(seen), queries.options(seen)
        for lang in ("en", "de"):
            for line in numbered.lines(seen, lang):
                for more in line.more:
                    if line.number is not None and BLANK not in more:
                        found = read(f"{line.text} {more}", legal, known, in_letter=True)
                        assert isinstance(found, Found), (line.text, more)
                        assert found.option.command != numbered.options(seen)[line.number - 1].command
                    added.add(more)
    assert any("Right of Way" in it or "right of way" in it for it in added)
    assert "discard …" in added
    assert "Ablage …" in added or "ohne …" in added


def test_a_spectator_has_no_lines():
    seen = next(iter(positions(TITLES["ticket_to_ride"])))
    spectator = msgspec.structs.replace(seen, seat=None)
    assert numbered.options(spectator) == numbered.lines(spectator, "en") == []


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_a_line_as_the_log_writes_it_is_an_order(title):
    """``load-good …``: in a letter and in the text box, and never a command that the rules refuse."""
    kinds = set()
    for seen in list(positions(title))[::17]:
        reader = orders.LineReader(seen, seen.game, 0, "en", in_letter=True)
        for option in queries.options(seen)[::9]:
            line = notation.write(option.command)
            if "-" not in line.split()[0]:
                continue
            given = reader.line(f"{line}  # from the log")
            assert given is not None
            assert given.command == option.command, line
            assert reader.begins(line)
            kinds.add(type(option.command))
    assert len(kinds) > 1


def test_a_name_that_stands_for_one_action_is_offered_that_and_does_nothing():
    """The noun alone draws no tickets, which could not be undone."""
    seen = next(it for it in positions(TITLES["ticket_to_ride"]) if any(
        isinstance(option.command, DrawTickets) for option in queries.options(it)
    ))  # fmt: skip
    for lang, word, line in (("en", "Tickets!", "draw tickets"), ("de", "Zielkarten", "ziehe Zielkarten")):
        reader = orders.LineReader(seen, seen.game, 0, lang, in_letter=True)
        assert (given := reader.line(word)) is not None
        assert given.command is None
        assert reader.nearest(word) == (line,)
        assert reader.nearest(f"{word} are awful") == reader.nearest("Thanks") == ()
