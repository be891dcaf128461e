"""Talk on pages: what is new, the lines of a room, and the box to write in."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from flask import g, request, url_for
from sqlalchemy.exc import IntegrityError

from service.database.store import Away, Busy
from service.games import talk
from service.games.queries import Seen
from service.games.saying import NotSaid
from service.games.talk import Glance, LineRead, Room
from service.web.pages.frame import _, address, moment, reader
from service.web.shared.context import now, settings, store, work
from service.words import N_, Moment

IN_THE_TAB = 12
"""Lines in the tab of a table; the page has the others."""
CHARACTERS_IN_THE_TAB = 4000
"""Their characters in all: the table stays within its bytes, even if nobody writes short lines."""
NAMES: dict[Room, str] = {"players": N_("Talk of the players"), "spectators": N_("Talk of the spectators")}
EXPLAINED: dict[Room, str] = {
    "players": N_("Only people with a seat can read this."),
    "spectators": N_("Signed-in spectators can read this, and the players too once the game is over."),
}
WHY_NOT = {
    "off": N_("Talk is switched off at this table."),
    "closed": N_("The talk at this table has ended."),
    "room": N_("You can no longer write here. Open the table again."),
    "too_many": N_("That was a lot in a short time. You can write again at {time}."),
    "silenced": N_("An operator has silenced you until {time}. Your account shows the reason."),
    "length": N_("A line has 1 to {most} characters."),
    "unseen": N_("This line contains invisible characters."),
}


# ==== at a glance =================================================================================
def glanced(seen: Seen) -> Glance:
    """Return what is new for the reader of this page; looked up once."""
    known: tuple[str, Glance] | None = g.get("talk")
    if known is None or known[0] != seen.game.id:
        with store.read_autocommit() as conn:
            known = g.talk = seen.game.id, talk.glance(conn, settings, seen, now())
    return known[1]


class TalkLink(NamedTuple):
    """The way to the room of the reader."""

    name: str
    address: str
    new: int


def own_page(seen: Seen) -> TalkLink | None:
    """Return the way to the reader's room; None if they have none, or there is no talk."""
    own = talk.own_room(seen)
    if own is None or not talk.is_on(settings, seen, now()):
        return None
    return TalkLink(_(NAMES[own]), _page(seen, own), glanced(seen).new)


# ==== a room ======================================================================================
class PieceShown(NamedTuple):
    """A part of a line. ``href``: where it leads, "" for nowhere. ``me``: it names the reader."""

    kind: str
    text: str
    href: str
    me: bool


class LineShown(NamedTuple):
    """A line. ``profile``: the address of its writer's. ``delete``: that of the form for its writer."""

    number: int
    writer: str
    profile: str | None
    seat: int | None
    mine: bool
    new: bool
    pieces: list[PieceShown]
    time: Moment
    delete: str


class TalkShown(NamedTuple):
    """A room on a page. ``writes``: may the reader write here? ``why_not``: the reason if not.

    ``kept``: until when the lines are. ``earlier``: the address of the lines before, ``page`` that of the room's own
    page. ``key``: recognises a form that is sent twice. ``typed``: the text of a refused form.
    """

    room: Room
    name: str
    explained: str
    lines: list[LineShown]
    writes: bool
    why_not: str
    kept: str
    earlier: str | None
    page: str
    other: TalkLink | None
    key: str
    typed: str
    longest: int


def talk_tab(seen: Seen) -> TalkShown | None:
    """Return the reader's room for the tab of a table, and note that they have read it. None if they have none."""
    own = talk.own_room(seen)
    return None if own is None else talk_of(seen, own, limit=IN_THE_TAB, characters=CHARACTERS_IN_THE_TAB)


def talk_of(
    seen: Seen, room: Room, *, before: int | None = None, limit: int = talk.PAGE, characters: int | None = None
) -> TalkShown:
    """Return a room that the reader may read. If these are its last lines, note that they have read it.

    ``limit``, ``characters``: show no more; the last line is always there.
    """
    is_on = talk.is_on(settings, seen, now())
    found: list[LineRead] = []
    if is_on:
        with store.read() as conn:
            found = talk.lines(conn, seen, room, reader().lang, before=before, limit=limit)
        if before is None:
            _note_read(seen, room)
    shown = found if characters is None else _last(found, characters)
    writes = is_on and room == talk.own_room(seen) and not seen.by_link
    others = [each for each in talk.readable(seen) if each != room]
    return TalkShown(
        room,
        _(NAMES[room]),
        _(EXPLAINED[room]),
        [_line(seen, room, it) for it in shown],
        writes,
        _why_not(seen, is_on),
        _kept(seen),
        _page(seen, room, before=shown[0].number) if len(found) == limit or len(shown) < len(found) else None,
        _page(seen, room),
        TalkLink(_(NAMES[others[0]]), _page(seen, others[0]), glanced(seen).unread.get(others[0], 0))
        if others
        else None,
        secrets.token_hex(8),
        request.form.get("text", "")[: talk.LONGEST] if request.method == "POST" else "",
        talk.LONGEST,
    )


def _page(seen: Seen, room: Room, **fields: Any) -> str:
    return url_for("pages.table.talk", game_id=seen.game.id, whose=room, **fields)


def _last(lines: Sequence[LineRead], characters: int) -> Sequence[LineRead]:
    """Return the last lines that have no more characters in all, but at least one line."""
    sizes = [sum(len(piece.text) for piece in it.pieces) for it in lines]
    kept = next((at for at in range(len(lines)) if sum(sizes[at:]) <= characters), len(lines) - 1)
    return lines[max(kept, 0) :]


def _note_read(seen: Seen, room: Room) -> None:
    if request.method != "GET":
        return
    with suppress(Busy, Away, IntegrityError):  # the next look tries again, or the person has just been erased
        talk.read(work(), seen, room, now())
        g.pop("talk", None)


def _why_not(seen: Seen, is_on: bool) -> str:
    if not is_on:
        why = "off" if talk.is_off(settings, seen) else "closed"
        return _(WHY_NOT[why])
    return _("To write here, sign in.") if seen.by_link else ""


def _kept(seen: Seen) -> str:
    until = talk.kept_until(settings, seen)
    if until is None:
        return _("The lines are kept until {days} days after the end of the game.", days=settings.talk_days)
    return _("The lines are deleted on {time}.", time=moment(until).text)


def _line(seen: Seen, room: Room, line: LineRead) -> LineShown:
    mine = str(seen.viewer)
    parts = [PieceShown(it.kind, it.text, _href(seen, it), it.kind == "person" and it.to == mine) for it in line.pieces]
    profile = None if line.profile is None else url_for("pages.front.profile", address=line.profile)
    delete = url_for("pages.table.delete_line", game_id=seen.game.id, whose=room, number=line.number)
    time = moment(line.said_at)
    return LineShown(
        line.number, line.writer, profile, line.seat, line.mine, line.new, parts, time, delete if line.mine else ""
    )


def _href(seen: Seen, piece: Any) -> str:
    if piece.kind == "move":
        return address("pages.story.position", game_id=seen.game.id, version=int(piece.to))
    return str(piece.to) if piece.kind == "address" else ""


def not_said(refused: NotSaid) -> str:
    """Say why a line was not written."""
    time = moment(refused.until).text if refused.until is not None else ""
    return _(WHY_NOT[refused.why], time=time, most=talk.LONGEST)
