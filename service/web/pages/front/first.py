"""The first page, and a game against bots in one step."""

from flask import Response, request, url_for
from markupsafe import Markup

from domain.title import Title
from service.base.names import BadName
from service.games import queries
from service.web.pages.frame import done, page, reader, signed_in
from service.web.pages.front import room
from service.web.pages.front.against_bots import open_against_bots
from service.web.pages.front.sign_in import ask_for_link
from service.web.pages.lobby.games import my_lines
from service.web.pages.parts import boards
from service.web.pages.parts.boards import Board
from service.web.pages.parts.visits import title_or_404
from service.web.pages.parts.welcome import bad_persons_name, introduced, persons_name
from service.web.shared import limits
from service.web.shared.context import store


@room.get("/")
def first() -> Response:
    return _first({})


def _first(given: dict[str, str], problem: str | None = None, status: int = 200) -> Response:
    who, mine = reader(), []
    title = title_or_404(given["title"]) if "title" in given else next(iter(store.titles.values()))
    if who.id is not None:
        with store.read() as conn:
            mine = my_lines(conn, queries.games(conn, who.id, "mine", limit=5, lang=who.lang)[0])
    return page(
        "front/first.html",
        status,
        **opening_board(title, who.lang)._asdict(),
        mine=mine,
        given=given,
        problem=problem,
        titles=list(store.titles.values()),
    )


_opening_boards: dict[tuple[str, int, str, str], Markup] = {}


def opening_board(title: Title, lang: str) -> Board:
    """Return the board before the first move of always the same game; each drawing of it is made once."""
    which = boards.drawing()
    key = title.id, title.rules.version, lang, which
    if key not in _opening_boards:
        _opening_boards[key] = boards.drawn(title, boards.opening_view(title), lang, which)
    return Board(boards.with_the_other(_opening_boards[key]), boards.notes(title, lang))


@room.post("/play")
def play_now() -> Response:
    """Start a game against bots: at once for a signed-in person, else when the mailed link is opened."""
    given = {name: request.form.get(name, "").strip() for name in ("name", "email", "title")}
    title = title_or_404(given["title"]) if given["title"] else next(iter(store.titles.values()))
    asker = reader().asker
    if asker is not None:
        if problem := introduced(asker):
            return _first(given, problem, 422)
        asker = signed_in()
        limits.spend("games of", str(asker.id), limits.GAMES_PER_PERSON)
        return done(url_for("pages.table.game", game_id=open_against_bots(asker.id, asker.name, title)))
    try:
        name = persons_name(given["name"])
    except BadName as bad:
        return _first(given, bad_persons_name(bad), 422)
    begin = url_for("pages.front.play_now", title=title.id, name=name)
    return ask_for_link(given["email"], begin, lambda problem: _first(given, problem, 422))
