"""A picture of a finished game to show elsewhere: the last board with the standing, as a spectator sees them."""

from domain.drawing import Ink, breadth, inks, text
from service.games import queries
from service.games.plots import disc
from service.games.queries import Seen
from service.games.review import marks
from service.words import N_, called, said

SIZE = 1200, 630
"""Pixels, as sites ask for that show a picture beside a link (Open Graph)."""
MARGIN, BESIDE = 24, 330
"""Room around the board, and for the standing beside it."""
STEP = 62
FOOT = N_("Slow Train: railway games by email")


def picture(seen: Seen, lang: str) -> bytes:
    """Return the picture as PNG. ``seen``: a finished game, as nobody in particular sees it."""
    from service.games import pictures  # Pillow and resvg take 4 MB, and only a process that draws needs them

    face = seen.title.face
    view, ink = queries.view(seen), inks(face.colours)["light"]
    board = face.picture(view, "light", seen.language(lang))
    box = (MARGIN, MARGIN, SIZE[0] - BESIDE - 2 * MARGIN, SIZE[1] - 2 * MARGIN)
    return pictures.card(board, box, _standing(seen, lang, ink), ink["land"], SIZE)


def _standing(seen: Seen, lang: str, ink: Ink) -> str:
    """Draw the names of title and game, and the seats from the best on with their points."""
    result, seats = queries.result(seen), marks(seen)
    left, room = SIZE[0] - BESIDE, BESIDE - MARGIN
    body = text(left, 76, _fitting(seen.row.name, room, 30), 30, ink["ink"], anchor="start", serif=True)
    body += text(left, 112, _fitting(called(seen.title, lang), room, 22), 22, ink["muted"], anchor="start", weight=500)
    for number, each in enumerate(result.ranked if result else ()):
        y = 176 + STEP * number
        body += disc(left + 20, y - 8, seats[each.seat], ink, 18)
        name = _fitting(seen.player(each.seat), room - 116, 24)
        weight = 700 if each.place == 1 else 500
        body += text(left + 50, y, name, 24, ink["ink"], anchor="start", weight=weight)
        body += text(SIZE[0] - MARGIN, y, str(each.total), 26, ink["ink"], anchor="end", weight=weight)
    return body + text(left, SIZE[1] - 34, said(FOOT, lang), 18, ink["muted"], anchor="start")


def _fitting(words: str, room: float, size: float) -> str:
    """Cut ``words`` to the room that they have."""
    if breadth(words, size) <= room:
        return words
    while words and breadth(f"{words}…", size) > room:
        words = words[:-1]
    return f"{words.rstrip()}…"
