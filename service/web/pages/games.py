"""Before the first move: lists of games, opening one, and the table while its seats are filled."""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from flask import Response, abort, request, url_for

from domain.clock import SetPace
from domain.game import choice_of, options_of
from domain.lifecycle import CancelGame, StartGame
from domain.pace import preset_of
from domain.refusal import Refused
from domain.sealed import RevealWords
from domain.title import Title
from service.base import hints, names
from service.base.clock import DAY, now
from service.base.names import BadName
from service.database.store import NoSuchGame
from service.games import play, queries
from service.games.queries import Listed, Seen
from service.notices import owing
from service.operators import acts
from service.people import accounts
from service.people.strangers import NotInvited
from service.web.pages import forms, pace, words
from service.web.pages.boards import notes
from service.web.pages.operate import told
from service.web.pages.web import (
    GAME_STATES,
    INVITE_COOKIE,
    Visit,
    _,
    bad_name,
    done,
    game_cookie,
    keep_watching,
    moment,
    number_in,
    number_of,
    page,
    pages,
    place_in,
    reader,
    refusal,
    signed_in,
    title_or_404,
    visit,
)
from service.web.pages.welcome import introduced
from service.web.shared import limits
from service.web.shared.context import settings, store

LISTED = 20
INVITE_LASTS = 30 * DAY


# ==== lists =======================================================================================
def game_lines(listed: Iterable[Listed]) -> list[dict[str, Any]]:
    """Games as a list shows them: those that wait for the reader first, the earliest deadline at the top."""
    def late(game: Listed) -> tuple[bool, int]:
        waits = game.my_turn or (game.paused and game.seat is not None)
        return not waits, game.my_due or _NEVER

    return [_line(game) for game in sorted(listed, key=late)]


_NEVER = 1 << 62


def _line(game: Listed) -> dict[str, Any]:
    title = store.titles[game.title]
    free = game.seats - len(game.places)
    people = ", ".join(place.name for place in game.places) or _("nobody yet")
    if game.status == "open" and free:
        one = _("1 of {seats} seats is free", seats=game.seats)
        people += f" – {one if free == 1 else _('{free} of {seats} seats are free', free=free, seats=game.seats)}"
    return {
        "address": url_for("pages.game", game_id=game.id), "name": game.name, "title": title.name(reader().lang),
        "people": people, "moved": moment(game.moved_at), "yours": game.my_turn and not game.paused,
        "left": _left(game.my_due), "label": _label(game),
    }  # fmt: skip


def _label(game: Listed) -> str:
    if game.status == "running":
        return _("paused") if game.paused else ""
    return _(GAME_STATES[game.status])


def _left(due: int | None) -> str:
    """How long the reader's turn lasts still; "" where nothing presses."""
    if due is None:
        return ""
    at = now()
    return _("{time} left", time=pace.left(due - at)) if due > at else _("the time is over")


@pages.get("/games")
def games() -> Response:
    who = reader()
    after = place_in(request.args.get("after"))
    with store.read() as conn:
        mine, _more = queries.games(conn, who.id, "mine", limit=100, lang=who.lang) if who.id else ([], None)
        open_, _more = queries.games(conn, who.id, "open", limit=LISTED, lang=who.lang)
        vacant, _more = queries.games(conn, who.id, "substitute", limit=LISTED, lang=who.lang)
        running, _more = queries.games(conn, who.id, "watchable", status="running", limit=LISTED, lang=who.lang)
        over, more = queries.games(conn, who.id, "watchable", status="over", after=after, limit=LISTED, lang=who.lang)
    waiting = [game for game in mine if game.status in ("open", "running")]
    ended = [game for game in mine if game not in waiting]
    ids = {game.id for game in mine}
    return page(
        "games.html",
        mine=game_lines(waiting), mine_over=game_lines(ended),
        open=game_lines(game for game in open_ if game.id not in ids),
        vacant=game_lines(game for game in vacant if game.id not in ids),
        running=game_lines(game for game in running if game.id not in ids),
        over=game_lines(game for game in over if game.id not in ids),
        more=url_for("pages.games", after=f"{more[0]}.{more[1]}") if more else None,
    )  # fmt: skip


# ==== opening a game ==============================================================================
@pages.route("/games/new", methods=["GET", "POST"])
def new_game() -> Response:
    asker = signed_in()
    title = title_or_404(request.args.get("title") or next(iter(store.titles)))
    if request.method == "GET":
        return _new_game(title)
    if problem := introduced(asker):
        return _new_game(title, problem)
    form = request.form
    seats, bots = number_in(form.get("seats"), 2), number_in(form.get("bots", "0"), 2)
    longest = names.LONGEST_OF_TABLE
    try:
        name = names.cleaned(form.get("name", ""), longest, mailed=True)
    except BadName as bad:
        said = _("Please give the game a name of 1 to {length} characters.", length=longest)
        return _new_game(title, bad_name(bad, said))
    if seats is None or bots is None or form.get("bot", "") not in title.bots:
        abort(400)
    if bots >= seats:
        return _new_game(title, _("One seat is yours: there can be fewer bots than seats only."))
    limits.spend("games of", str(asker.id), limits.GAMES_PER_PERSON)
    sealed = form.get("sealed_words") == "yes"
    brought = words.read(form, sealed)
    if sealed and not brought.seal:
        return _new_game(title, _("For sealed words the hash of yours is needed."))
    try:
        wanted = pace.read(form)
    except pace.BadPace:
        return _new_game(title, _no_pace())
    try:
        opened = play.open_game(
            store, title=title.id, options=forms.read_options(title.options, form), seats=seats, name=name,
            host_id=asker.id, public=form.get("public") != "no",
            settle_ms=int(settings.settle_seconds * 1000), submission_id=_submission(form.get("submission", "")),
            pace=wanted, commitment=form.get("commitment"), sealed=sealed,
        )  # fmt: skip
    except Refused as refused:
        return _new_game(title, refused=refused)
    except play.SecretGone:
        problem = _("A table was opened with this form already, or it is too old. Please send it again.")
        return _new_game(title, problem, words_known=True)
    except play.SubmissionReused:
        return _new_game(title, _("This form was sent before with other entries. Please look at it and send it again."))
    address = url_for("pages.game", game_id=opened.game_id)
    with store.read() as conn:
        seen = queries.game_for(store, conn, asker.id, opened.game_id)
    if seen.places:  # the same form a second time
        return done(address)
    choice = forms.read_options(title.choice, form)
    with suppress(Refused):  # the table stands all the same, and the seat is chosen there
        play.take_seat(
            store, opened.game_id, 1, choice=choice, person_id=asker.id, words=brought.words, salt=brought.salt,
            seal=brought.seal,
        )  # fmt: skip
    for seat in range(seats - bots + 1, seats + 1):
        play.take_seat(store, opened.game_id, seat, choice={}, bot=form["bot"])
    return done(address)


def _no_pace() -> str:
    return _("This is no pace: please give whole numbers, and times of day like 20:00.")


def _new_game(
    title: Title, problem: str | None = None, refused: Refused | None = None, *, words_known: bool = False
) -> Response:
    """``words_known``: those that were sent are known before the secret of this form is drawn, and serve no more."""
    asker, lang = signed_in(), reader().lang
    sent = request.form if request.method == "POST" else None
    given = {
        "name": _("{name}'s game", name=asker.name) if asker.named else title.name(lang),
        "seats": str(title.seats[1]), "bots": "0", "bot": bot_names(title)[0][0], "public": "yes",
        **(sent or {}), **({"words": ""} if words_known else {}),
    }  # fmt: skip
    submission = secrets.token_urlsafe(16)
    game_id = play.new_id("open", asker.id, _submission(submission))
    return page(
        "new_game.html", 200 if sent is None else 422, title=title, titles=list(store.titles.values()), given=given,
        problem=problem, refused=refusal(refused, title) if refused else None, submission=submission,
        luck=words.fields(game_id, play.next_table(store, asker.id), sealed=None),
        options=forms.option_fields(title.words, title.options, lang, _("any"), sent),
        choices=forms.option_fields(title.words, title.choice, lang, _("any"), sent),
        bots=bot_names(title), pace=pace.fields(sent),
    )  # fmt: skip


def bot_names(title: Title) -> list[tuple[str, str]]:
    """The bots of a title, the better ones first, and what to call them."""
    known = {"sensible": _("sensible"), "random": _("random moves")}
    ids = sorted(title.bots, key=lambda bot: (bot == "random", bot))
    return [(bot, known.get(bot) or title.words.name(bot, reader().lang)) for bot in ids]


def _submission(given: str) -> str | None:
    return f"page-{given}" if 8 <= len(given) <= 40 and given.isprintable() else None


# ==== the table before the start ==================================================================
def open_table(
    visit: Visit, status: int = 200, refused: Refused | None = None, problem: str | None = None
) -> Response:
    """The table of a game that has not begun, or never will."""
    seen, who, at = visit.seen, reader(), now()
    with store.read() as conn:
        host, brought = queries.host_name(conn, seen), words.shown(conn, visit)
        entries = acts.about_game(conn, seen.game.id)
    title, table, row = seen.title, seen.game.table, seen.row
    assert table is not None
    may = dict.fromkeys(queries.may(seen, at), True) if visit.link is None else {}
    if not (row.public or seen.invited or seen.is_host):
        may.pop("join", None)
    seats = []
    for number in range(1, table.seats + 1):
        chair, place = table.chairs.get(number), seen.places.get(number)
        choice = choice_of(title, chair.choice) if chair else None
        said = [f"{name}: {value}" for name, value in _said_options(title, choice)] if choice is not None else []
        seats.append({
            "number": number, "name": (place.name if place else seen.player(number)) if chair else "",
            "bot": place.bot if place else None, "yours": number == seen.seat, "choice": ", ".join(said),
        })  # fmt: skip
    is_host = seen.is_host and visit.link is None
    token = queries.invitation(settings, seen) if visit.link is None else None
    return page(
        "table_open.html", status, game={"id": seen.game.id, "name": row.name, "status": seen.game.status,
        "public": row.public, "seats": table.seats}, title=title, seats=seats, may=may, is_host=is_host,
        by_link=visit.link is not None,
        free=table.seats - len(table.chairs), host=host or _("the host"), notes=notes(title, who.lang),
        options=_said_options(title, options_of(title, table.options)), bots=bot_names(title), given=request.form,
        choices=forms.option_fields(title.words, title.choice, who.lang, _("any"), request.form or None),
        invitation=settings.site + url_for("pages.invitation", token=token) if token else None,
        refused=refusal(refused, title, seen) if refused else None, problem=problem, watch=watch(seen),
        luck=words.fields(seen.game.id, table.commitment, older=table.older, sealed=table.sealed is not None),
        entries=[told(it) for it in entries], brought=brought, asks=words.asked_of(visit), auto=status == 200,
        pace_name=pace.say(f"pace_{preset_of(table.pace)}") if table.pace else _("no clock"),
        pace_said=pace.described(table.pace) if table.pace else [], pace=pace.fields(request.form, table.pace),
    )  # fmt: skip


def _said_options(title: Title, options: Any) -> list[tuple[str, str]]:
    """A struct of options in words: the name of each field and of what was chosen."""
    said = []
    for field in forms.option_fields(title.words, type(options), reader().lang, _("any")):
        value = getattr(options, field.name)
        if field.kind == "bool":
            said.append((field.label, _("yes") if value else _("no")))
        else:
            said.append((field.label, dict(field.choices)[str(value)]))
    return said


def watch(seen: Seen) -> dict[str, str] | None:
    """What the script of a page asks now and then, while something can still change."""
    if seen.game.status not in ("open", "running"):
        return None
    return {"address": url_for("pages.version", game_id=seen.game.id), "etag": f'"{_mark(seen)}"'}


def _mark(seen: Seen) -> str:
    """What tells the page of a table from an older one: the version, and how far a proposal to go back has come."""
    proposal = queries.rewind(seen, now())
    going_back = f"-{proposal.seat}.{proposal.to}.{len(proposal.agreed)}" if proposal else ""
    due = ".".join(str(it.due) for it in queries.clocks(seen))
    away = ".".join(str(seat) for seat in (*queries.away(seen), 0, *queries.vacant(seen)))
    away += "".join(f" {it.until}" for it in queries.stand_ins(seen)) + " paused" * bool(queries.waited_for(seen))
    time = f"-{hashlib.sha256(f'{due} {away}'.encode()).hexdigest()[:8]}" if due or away != "0" else ""
    return f"{seen.version}{going_back}{time}"


@pages.get("/games/<game:game_id>/version")
def version(game_id: str) -> Response:
    """The version shown to the reader, for the script that keeps a table fresh."""
    with store.read() as conn:
        seen = visit(conn, game_id).seen
    response = Response(f"{seen.version}\n", content_type="text/plain; charset=utf-8")
    response.set_etag(_mark(seen))
    response.headers["Cache-Control"] = "no-store"
    response.make_conditional(request)
    return response


@pages.get("/join/<token>")
def invitation(token: str) -> Response:
    """Where an invitation leads: to the table, which its bearer may now see."""
    try:
        with store.read() as conn:
            seen = queries.game_by_invite(store, conn, reader().id, token)
    except NoSuchGame:
        return page(
            "error.html", 404, heading=_("This invitation opens nothing any more"),
            text=_("The game has begun, or its host has renewed the link. If you have a seat, sign in; if not, ask for "
                   "the link of now."),
        )  # fmt: skip
    response = done(url_for("pages.game", game_id=seen.game.id))
    game_cookie(response, seen.game.id, INVITE_COOKIE, token, INVITE_LASTS)
    keep_watching(response, seen)
    return response


# ==== what is done at such a table ================================================================
def _open(game_id: str) -> Seen:
    """The table for somebody who is signed in and does something there."""
    signed_in()
    with store.read() as conn:
        seen = visit(conn, game_id)
    if seen.link is not None:
        abort(403)
    return seen.seen


def _hosted(game_id: str) -> Seen:
    seen = _open(game_id)
    if not seen.is_host:
        abort(403)
    return seen


def again(game_id: str, status: int, refused: Refused | None = None, problem: str | None = None) -> Response:
    """The table as it is now, with what went wrong; what was filled in is kept."""
    with store.read() as conn:
        return open_or_running(visit(conn, game_id), status, refused, problem)


def open_or_running(visit: Visit, status: int, refused: Refused | None, problem: str | None) -> Response:
    if not visit.seen.game.begun:
        return open_table(visit, status, refused, problem)
    from service.web.pages.table import running_table  # the table of a game that has begun knows this one

    return running_table(visit, status, refused=refused, problem=problem)


def number_of_seat() -> int:
    """The seat that a form names."""
    return number_of("seat", 2)


@pages.post("/games/<game:game_id>/join")
def join(game_id: str) -> Response:
    seen, seat = _open(game_id), number_of_seat()
    table = seen.game.table
    brought = words.read(request.form, table is not None and table.sealed is not None)
    if not (seen.row.public or seen.invited or seen.is_host):
        abort(403)
    if problem := introduced(signed_in()):
        return again(game_id, 422, problem=problem)
    try:
        play.take_seat(
            store, game_id, seat, choice=forms.read_options(seen.title.choice, request.form),
            person_id=seen.viewer, words=brought.words, salt=brought.salt, seal=brought.seal,
            invitation=seen.only_by,
        )  # fmt: skip
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "seated")


@pages.post("/games/<game:game_id>/words/open")
def open_words(game_id: str) -> Response:
    """The words that were sealed at this seat; the last ones start the game. The link of a mail may do that, too."""
    given = request.form.get("words", "").strip().lower()
    if not WORDS.fullmatch(given):
        return again(game_id, 422, problem=_("Sealed words are 64 digits, 0 to 9 and a to f."))
    return _of_words(game_id, lambda seen, seat: play.submit(
        store, game_id, seat, [RevealWords(given)], None, None, holder=seen.viewer
    ))  # fmt: skip


@pages.post("/games/<game:game_id>/words/seal")
def seal_words(game_id: str) -> Response:
    """Other words, after an attempt that came to nothing."""
    seal = words.seal_in(request.form)
    if not seal:
        return again(game_id, 422, problem=_("For sealed words the hash of yours is needed."))
    return _of_words(game_id, lambda seen, seat: play.seal_words(
        store, game_id, seat, seal, holder=seen.viewer
    ))  # fmt: skip


WORDS = re.compile(r"[0-9a-f]{64}")


def _of_words(game_id: str, hand_in: Callable[[Seen, int], Any]) -> Response:
    with store.read() as conn:
        seen = visit(conn, game_id).seen
    if seen.seat is None:
        signed_in()
        abort(403)
    try:
        hand_in(seen, seen.seat)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id))


@pages.post("/games/<game:game_id>/leave")
def leave(game_id: str) -> Response:
    seen = _open(game_id)
    if seen.seat is None:
        return done(url_for("pages.game", game_id=game_id))  # stood up already
    try:
        play.give_up_seat(store, game_id, seen.seat, holder=seen.viewer)
    except Refused as refused:
        return again(game_id, 422, refused)
    if not (seen.row.public or seen.invited or seen.is_host):
        return done(url_for("pages.games"), "left")
    return done(url_for("pages.game", game_id=game_id), "left")


@pages.post("/games/<game:game_id>/bots")
def add_bot(game_id: str) -> Response:
    seen, bot = _hosted(game_id), request.form.get("bot", "")
    table = seen.game.table
    assert table is not None
    if bot not in seen.title.bots:
        abort(400)
    free = [seat for seat in range(1, table.seats + 1) if seat not in table.chairs]
    if not free:
        return again(game_id, 422, problem=_("All seats are taken."))
    try:
        play.take_seat(store, game_id, free[0], choice={}, bot=bot)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id))


@pages.post("/games/<game:game_id>/bots/remove")
def remove_bot(game_id: str) -> Response:
    seen, seat = _hosted(game_id), number_of_seat()
    place = seen.places.get(seat)
    if place is not None and place.bot is None:
        abort(403)
    try:
        play.give_up_seat(store, game_id, seat, holder=place.bot if place else None)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "bot-left")


@pages.post("/games/<game:game_id>/start")
def start(game_id: str) -> Response:
    seen = _hosted(game_id)
    try:
        play.submit(store, game_id, None, [StartGame()], None, None)
    except Refused as refused:
        if seen.game.status == "running":
            return done(url_for("pages.game", game_id=game_id))  # the button was pressed twice
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id))


@pages.post("/games/<game:game_id>/pace")
def set_pace(game_id: str) -> Response:
    seen = _hosted(game_id)
    try:
        wanted = pace.read(request.form)
    except pace.BadPace:
        return again(game_id, 422, problem=_no_pace())
    table = seen.game.table
    if table is None or wanted != table.pace:
        try:
            play.submit(store, game_id, None, [SetPace(wanted)], None, None)
        except Refused as refused:
            return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "saved")


@pages.post("/games/<game:game_id>/cancel")
def cancel(game_id: str) -> Response:
    _hosted(game_id)
    try:
        play.submit(store, game_id, None, [CancelGame()], None, None)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "closed")


@pages.post("/games/<game:game_id>/invite")
def invite(game_id: str) -> Response:
    seen = _hosted(game_id)
    if queries.invitation(settings, seen) is None:
        return again(game_id, 422, problem=_("The game has begun; nobody can join it any more."))
    try:
        address = accounts.normalised(request.form.get("email", ""))
    except accounts.BadAddress:
        return again(game_id, 422, problem=_("This is not a mail address we can write to."))
    limits.spend("invitations of", str(seen.viewer), limits.INVITATIONS_PER_PERSON)
    try:
        with store.write() as conn:
            new = owing.invite(
                conn, settings, game_id=game_id, number=seen.row.invites, address=address, by=seen.viewer or 0,
                lang=reader().lang, at=now(),
            )  # fmt: skip
    except NotInvited:
        return again(game_id, 422, problem=_("We do not invite this address now. Send them the link yourself."))
    if new:
        hints.wake("outbox")
    return done(url_for("pages.game", game_id=game_id), "invited" if new else "invited-before")


@pages.post("/games/<game:game_id>/invite/renew")
def renew_invitation(game_id: str) -> Response:
    seen = _hosted(game_id)
    if queries.invitation(settings, seen) is None:
        return again(game_id, 422, problem=_("The game has begun; nobody can join it any more."))
    play.renew_invitation(store, game_id)
    return done(url_for("pages.game", game_id=game_id), "invitation-renewed")
