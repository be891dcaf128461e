"""Cutting a line of several orders into single ones: "move Boston, then deliver wood; end turn"."""

from collections.abc import Iterator

from domain.orders.folding import fold
from domain.orders.lexicon import Grammar
from domain.orders.reading import WORD, Tongue, bare, flat, is_copied, is_of_the_title


def apart(line: str, tongue: Tongue) -> tuple[str, ...]:
    """Return the orders of a line that holds several, with a comma, a semicolon or "then" before the verb of each.

    A line that is one order, or none, stays whole; so do each list within one and whatever a player writes as a text.
    """
    text = bare(line)
    if is_copied(text):
        return (line,)
    found: list[str] = []
    for between, piece in _pieces(text, tongue.grammar):
        # look at each piece of a long list alone, not together with all pieces before it
        if not found or (is_of_the_title(piece, tongue) and is_of_the_title(found[-1], tongue)):
            found.append(piece.strip())
        else:
            found[-1] += between + piece
    whole = len(found) > 1 and all(is_of_the_title(it, tongue) for it in found)
    return tuple(found) if whole else (line,)


def _pieces(text: str, rules: Grammar) -> Iterator[tuple[str, str]]:
    """Cut a line at every comma, semicolon or "then": (separator, following text)."""
    spoken = [*WORD.finditer(text)]
    said = [fold(it.group()) for it in spoken]
    begin, at, between = 0, 0, ""
    while at < len(spoken):
        before = text[spoken[at - 1].end() if at else 0 : spoken[at].start()]
        then = next((it for it in rules.then if flat(said[at : at + len(it)]) == it), ())
        if at and (then or "," in before or ";" in before) and at + len(then) < len(spoken):
            yield between, text[begin : spoken[at - 1].end()]
            begin = spoken[at + len(then)].start()
            between = text[spoken[at - 1].end() : begin]
        at += max(1, len(then))
    yield between, text[begin:]
