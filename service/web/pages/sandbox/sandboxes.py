"""Sandboxes: trying out a position of a game, playing it on alone, keeping it as a note."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Response, g, request, url_for

from domain.chain import Ply
from domain.fork import UnreadableStart
from domain.messages import Command
from domain.refusal import Refused
from service.base.names import BadName, cleaned
from service.games import queries, sandboxes
from service.games.play import Stale
from service.games.queries import Seen
from service.games.rights import ByPerson
from service.games.sandboxes import NAME_LENGTH, NOTE_LENGTH, Sandbox
from service.games.turn import Tryout
from service.web.pages.frame import (
    _,
    done,
    in_words,
    moment,
    number_in,
    number_of,
    page,
    prefers_words,
    reader,
    sandbox_address,
    signed_in,
)
from service.web.pages.parts import choosing, forms, tabs
from service.web.pages.parts.boards import board, land, large
from service.web.pages.parts.in_words import showing
from service.web.pages.parts.refusals import bad_name, refusal
from service.web.pages.parts.result import ending, names, result_table
from service.web.pages.parts.seats import compared
from service.web.pages.parts.tabs import Tab
from service.web.pages.parts.things import things
from service.web.pages.parts.typing import text_box
from service.web.pages.parts.visits import by_whom, visit
from service.web.pages.sandbox import room
from service.web.shared import limits
from service.web.shared.context import now, store, work
from service.web.shared.shapes import MOST_COMMANDS, clean_note
from service.words import N_, called

BEFORE, AHEAD = 20, 5
"""Plies of the story that are shown: before the sandbox's position, and undone ones after it."""


# ==== links from a game's pages ===================================================================
def offer(seen: Seen, version: int) -> dict[str, Any] | None:
    """Return the facts for offering a sandbox of the position; None if nothing can follow it."""
    who = reader()
    if seen.reveals and version == seen.game.version:
        return None
    if who.id is None or seen.by_link:
        back = url_for("pages.story.position", game_id=seen.game.id, version=version)
        return {"sign_in": url_for("pages.front.sign_in", next=back), "imagined": not seen.reveals}
    with store.read_autocommit() as conn:
        mine = sandboxes.mine(conn, who.id, seen.game.id)
    return {
        "address": url_for("pages.sandbox.begin_sandbox", game_id=seen.game.id),
        "version": version,
        "imagined": not seen.reveals,
        "mine": sandbox_lines(mine),
        "newest": mine[0].id if mine else "",
    }


def sandbox_lines(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return sandboxes as lines of a list."""
    return [
        {
            "address": url_for("pages.text.sandbox" if in_words() else "pages.sandbox.sandbox", sandbox_id=row.id),
            "name": row.name,
            "version": row.version,
            "plies": row.last,
            "changed": moment(row.updated_at),
            "title": _title_of(row),
            "note": row.note,
        }
        for row in rows
    ]


def _title_of(row: Any) -> str:
    title = store.titles.get(row.title)
    return called(title, reader().lang) if title else str(row.title)


@room.post("/games/<game:game_id>/sandboxes")
def begin_sandbox(game_id: str) -> Response:
    signed_in()
    version, seen = number_of("version"), visit(game_id)
    # While the page shows the same newest sandbox, pressing again is the same wish.
    once = f"page {version} {request.form.get('newest', '')[:26]}"
    try:
        made = sandboxes.begin(work(), by_whom(game_id), game_id, version, at=now(), submission_id=once)
    except Refused as refused:
        return all_sandboxes(refusal(refused, seen.title).text, 422)
    return done(sandbox_address(made))


# ==== a person's sandboxes ========================================================================
@room.get("/sandboxes")
def all_sandboxes(problem: str | None = None, status: int = 200) -> Response:
    with store.read() as conn:
        rows = sandboxes.mine(conn, signed_in().id)
    return page(
        "sandbox/sandboxes.html", status, sandboxes=sandbox_lines(rows), problem=problem, most=sandboxes.SANDBOXES_EACH
    )


@room.get("/sandboxes/<game:sandbox_id>")
def sandbox(sandbox_id: str) -> Response:
    try:
        box = own(sandbox_id)
    except UnreadableStart:
        return unreadable(sandbox_id)
    if prefers_words() and not request.args:
        return done(url_for("pages.text.sandbox", sandbox_id=sandbox_id))
    return _sandbox(box, eyes=eyes_asked())


def unreadable(sandbox_id: str) -> Response:
    """Show what is left of a sandbox whose start this release cannot read."""
    with store.read() as conn:
        row = sandboxes.row_of(conn, signed_in().id, sandbox_id)
    return page("sandbox/sandbox_unreadable.html", 409, sandbox=about(row))


def own(sandbox_id: str) -> Sandbox:
    """Return the reader's own sandbox. Raises `NoSuchSandbox`, `UnreadableStart`."""
    who = signed_in().id
    with store.read() as conn:
        return sandboxes.load(store, conn, who, sandbox_id, reader().lang)


def _owner() -> ByPerson:
    return ByPerson(signed_in().id)


def eyes_asked() -> int | None:
    return number_in(request.args.get("seat"), 2)


def _sandbox(
    box: Sandbox,
    status: int = 200,
    *,
    eyes: int | None = None,
    refused: Refused | None = None,
    chosen: Command | None = None,
    problem: str | None = None,
) -> Response:
    """Show the page. ``eyes``: the seat whose view is shown; ``chosen``: the command that was just refused."""
    who, seen, title = reader(), box.seen(box.eyes(eyes)), box.title
    shown, result = queries.shown(seen, who.lang), queries.result(seen)
    actions = choosing.offered(
        title, shown.view, queries.actions(seen), seen.language(who.lang), seen.player, seat=seen.seat, chosen=chosen
    )
    picture, notes = board(title, shown.view, who.lang, seen.player, actions.spots)
    assert seen.seat is not None
    return page(
        "sandbox/sandbox.html",
        status,
        sandbox=about(box.row),
        title=title,
        rules_since=title.rules.version != box.row.rules,
        picture=picture,
        notes=notes,
        things=things(
            title, shown.view, seen.language(who.lang), seen.player, land=land(title, who.lang), spots=actions.spots
        ),
        actions=actions,
        typed=text_box(seen, queries.actions(seen)),
        eyes={"seat": seen.seat, "name": seen.player(seen.seat)},
        seats=seats(box, seen),
        asked=names(seen, box.asked),
        over=ending(seen, result),
        result=result_table(seen, result),
        bots=forms.bot_names(title),
        story=story(box, seen),
        turn=turn(box, seen),
        given=request.form,
        tabs=tabs.shown(TABS, seen),
        bots_asked=any(seat in box.bots for seat in box.asked),
        refused=refusal(refused, title, seen) if refused else None,
        problem=problem,
    )


def _compared(seen: Seen) -> dict[str, Any]:
    return {"compared": compared(seen.title, queries.view(seen), seen.language(reader().lang), seen.player)}


TABS = (
    Tab("seats", N_("Players"), _compared),
    Tab[Seen]("players", N_("Who plays")),
    Tab[Seen]("details", N_("Details")),
    Tab[Seen]("story", N_("Moves tried")),
    Tab[Seen]("note", N_("Your note")),
    Tab[Seen]("about", N_("About")),
)


def about(row: Any) -> dict[str, Any]:
    """Return the facts of a sandbox that need no reading of its content."""
    return {
        "id": row.id, "name": row.name, "note": row.note, "version": row.version, "imagined": row.imagined,
        "spectator": row.seat is None, "ply": row.ply, "last": row.last, "revision": row.revision,
        "game": url_for("pages.table.game", game_id=row.game_id),
        "from": url_for("pages.story.position", game_id=row.game_id, version=row.version),
        "name_length": NAME_LENGTH, "note_length": NOTE_LENGTH,
    }  # fmt: skip


def seats(box: Sandbox, seen: Seen) -> list[dict[str, Any]]:
    return [
        {"number": seat, "name": seen.player(seat), "left": seat in box.start.left, "asked": seat in box.asked,
         "eyes": seat == seen.seat, "bot": box.bots.get(seat, ""),
         "address": url_for("pages.text.sandbox" if in_words() else "pages.sandbox.sandbox", sandbox_id=box.row.id,
                            seat=seat)}
        for seat in box.start.seats
    ]  # fmt: skip


def story(box: Sandbox, seen: Seen) -> list[dict[str, Any]]:
    """Return the plies, the newest first, with undone ones."""
    here = box.row.ply
    return [
        {
            "number": ply.number,
            "ahead": ply.number > here,
            "here": ply.number == here,
            "lines": _sentences(seen, ply),
            "cause": _("by a bot") if ply.cause == "bot" else "",
        }
        for ply in reversed(box.plies[max(0, here - BEFORE) : here + AHEAD])
    ]


def _sentences(seen: Seen, ply: Ply) -> list[str]:
    return [seen.say(sentence, reader().lang) for sentence in seen.title.face.narrate(ply.events)]


def turn(box: Sandbox, seen: Seen) -> dict[str, Any] | None:
    """Return the last plies played by hand by one seat in a row: their steps, and the plies to go back to.

    None if there are none.
    """
    back = box.row.ply
    while back and box.plies[back - 1].cause == "bot":
        back -= 1
    start = back
    while start and (ply := box.plies[start - 1]).cause != "bot" and ply.seat == box.plies[back - 1].seat:
        start -= 1
    told = [_sentences(seen, ply) for ply in box.plies[start:back]]
    steps = [{"said": " ".join(lines[:1]), "does": lines[1:]} for lines in told]
    return {"steps": steps, "back": back - 1, "start": start} if steps else None


@room.get("/sandboxes/<game:sandbox_id>/board")
def sandbox_board(sandbox_id: str) -> Response:
    """Show only the board, in its full size."""
    box = own(sandbox_id)
    seen = box.seen(box.eyes(eyes_asked()))
    drawn = large(seen.title, queries.view(seen), reader().lang, seen.player)
    back = url_for("pages.sandbox.sandbox", sandbox_id=sandbox_id, seat=seen.seat)
    return page("story/large_board.html", game={"name": box.row.name}, back=back, **drawn._asdict())


# ==== playing =====================================================================================
def _shown(box: Sandbox, status: int, **facts: Any) -> Response:
    """Show a sandbox again after a form, with or without a board; ``facts``: for `_sandbox`."""
    return showing("sandbox", _sandbox)(box, status, **facts)


def _to_sandbox(sandbox_id: str, said: str | None = None, *, did: int | None = None) -> Response:
    """Go back to the sandbox after a form. ``did``: its ply before a move, which a sandbox in words tells."""
    address = sandbox_address(sandbox_id)
    if in_words():
        address += ("" if did is None else f"?did={did}") + "#main"
    return done(tabs.kept(address), said)


CHANGED = N_(
    "The sandbox has changed since you loaded this page, so nothing was done. Check the position and try again."
)


def _change(
    sandbox_id: str,
    change: Callable[[int], Any],
    *,
    chosen: Command | None = None,
    eyes: int | None = None,
    said: Callable[[], str | None] = lambda: None,
) -> Response:
    """Change the sandbox at the version that the page showed. Show it again, with the error if there was one."""
    signed_in()
    before = own(sandbox_id).row.ply if in_words() else None
    try:
        change(number_of("revision"))
    except Refused as refused:
        return _shown(own(sandbox_id), 422, eyes=eyes, refused=refused, chosen=chosen)
    except Stale:
        return _shown(own(sandbox_id), 409, eyes=eyes, chosen=chosen, problem=_(CHANGED))
    return _to_sandbox(sandbox_id, said(), did=before)


@room.post("/sandboxes/<game:sandbox_id>/move")
def move_in_sandbox(sandbox_id: str) -> Response:
    box, seat = own(sandbox_id), number_of("seat")
    try:
        command = forms.read_command(box.title, request.form)
    except forms.NotACommand:
        return _shown(box, 400, eyes=seat, problem=_("Please choose an action."))
    who = signed_in().id
    if box.bots:
        limits.spend_bots(who)
    return _change(
        sandbox_id,
        lambda revision: sandboxes.move(work(), _owner(), sandbox_id, seat, [command], revision=revision, at=now()),
        chosen=command,
        eyes=seat,
        said=lambda: _paused(sandbox_id),
    )


@room.post("/sandboxes/<game:sandbox_id>/orders")
def order_in_sandbox(sandbox_id: str) -> Response:
    """Read lines from the text box. Show how each was read or, if all are orders, play them for the seat shown."""
    box, seat = own(sandbox_id), number_of("seat")
    seen, text = box.seen(box.eyes(seat)), request.form.get("lines", "")[:MOST_TEXT]
    if box.row.revision != number_of("revision"):
        return _shown(box, 409, eyes=seat, problem=_(CHANGED))
    read = Tryout(seen, now(), reader().lang).read(text.splitlines()[:MOST_COMMANDS])
    g.lines = (text, read)
    commands = [it.command for it in read if it.command is not None]
    wrong = len(commands) < len(read) or not commands
    if wrong or request.form.get("do") != "play":
        return _shown(box, 422 if wrong else 200, eyes=seat)
    if box.bots:
        limits.spend_bots(signed_in().id)
    return _change(
        sandbox_id,
        lambda revision: sandboxes.move(work(), _owner(), sandbox_id, seat, commands, revision=revision, at=now()),
        eyes=seat,
        said=lambda: _paused(sandbox_id),
    )


MOST_TEXT = 4000
"""Characters that the text box accepts."""


@room.post("/sandboxes/<game:sandbox_id>/step")
def step_in_sandbox(sandbox_id: str) -> Response:
    to = number_of("to")
    return _change(
        sandbox_id, lambda revision: sandboxes.step(work(), _owner(), sandbox_id, to, revision=revision, at=now())
    )


@room.post("/sandboxes/<game:sandbox_id>/bots")
def set_sandbox_bots(sandbox_id: str) -> Response:
    """Set the bots of seats and, if wished, let them begin."""
    box, who = own(sandbox_id), signed_in().id
    chosen = {seat: request.form.get(f"bot-{seat}", "") for seat in box.start.seats}
    bots = {seat: bot for seat, bot in chosen.items() if bot}

    def change(revision: int) -> None:
        after = sandboxes.set_bots(work(), _owner(), sandbox_id, bots, revision=revision, at=now())
        if request.form.get("then") == "play" and any(seat in bots for seat in box.asked):
            limits.spend_bots(who)
            sandboxes.play_on(work(), _owner(), sandbox_id, revision=after, at=now())

    return _change(sandbox_id, change, said=lambda: _paused(sandbox_id) or "saved")


@room.post("/sandboxes/<game:sandbox_id>/play-on")
def play_on_in_sandbox(sandbox_id: str) -> Response:
    """Let one bot play all seats to the end."""
    who, everybody = signed_in().id, request.form.get("everybody", "")
    limits.spend_bots(who)
    return _change(
        sandbox_id,
        lambda revision: sandboxes.play_on(
            work(), _owner(), sandbox_id, everybody=everybody, revision=revision, at=now()
        ),
        said=lambda: _paused(sandbox_id, everybody),
    )


def _paused(sandbox_id: str, everybody: str = "") -> str | None:
    """Say that bots paused although they could go on; None otherwise."""
    box = own(sandbox_id)
    return "bots-paused" if any(everybody or seat in box.bots for seat in box.asked) else None


# ==== keeping =====================================================================================
@room.post("/sandboxes/<game:sandbox_id>/note")
def describe_sandbox(sandbox_id: str) -> Response:
    signed_in()
    note = clean_note(request.form.get("note", ""))
    try:
        name = cleaned(request.form.get("name", ""), NAME_LENGTH)
    except BadName as bad:
        said = _("Please give the sandbox a name of 1 to {length} characters.", length=NAME_LENGTH)
        return _shown(own(sandbox_id), 422, problem=bad_name(bad, said))
    if note is None:
        said = _("Please write a note of at most {length} characters.", length=NOTE_LENGTH)
        return _shown(own(sandbox_id), 422, problem=said)
    sandboxes.describe(work(), _owner(), sandbox_id, name=name, note=note, at=now())
    return _to_sandbox(sandbox_id, "saved")


@room.post("/sandboxes/<game:sandbox_id>/delete")
def delete_sandbox(sandbox_id: str) -> Response:
    sandboxes.throw_away(work(), _owner(), sandbox_id)
    return done(url_for("pages.sandbox.all_sandboxes"), "sandbox-deleted")
