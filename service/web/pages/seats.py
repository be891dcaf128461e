"""What is done about seats: taking and leaving them, bots and words, starting; and when a player is away."""

import re
from collections.abc import Callable
from typing import Any

from flask import Response, abort, request, url_for

from domain.clock import SetPace
from domain.lifecycle import CancelGame, StartGame
from domain.refusal import Refused
from domain.sealed import RevealWords
from service.base import hints
from service.games import play, queries, seats
from service.games.queries import Seen
from service.notices import owing
from service.people import accounts
from service.people.strangers import NotInvited
from service.web.pages import forms, pace, words
from service.web.pages.table import again
from service.web.pages.web import _, done, number_of, pages, reader, signed_in, visit
from service.web.pages.welcome import introduced
from service.web.shared import limits
from service.web.shared.context import now, settings, store


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
        return again(game_id, 422, problem=pace.none())
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


# ==== when a player is away =======================================================================
@pages.post("/games/<game:game_id>/return")
def return_to_seat(game_id: str) -> Response:
    seen = _open(game_id)
    if seen.seat is None:
        abort(403)
    try:
        seats.return_to(store, game_id, seen.seat)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "back" if queries.barred(seen) else "there")


@pages.post("/games/<game:game_id>/take-over")
def take_over(game_id: str) -> Response:
    seen, seat = _open(game_id), number_of_seat()
    assert seen.viewer is not None
    if problem := introduced(signed_in()):
        return again(game_id, 422, problem=problem)
    try:
        seats.take_over(store, game_id, seat, person_id=seen.viewer, invitation=seen.only_by)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "seated")


@pages.post("/games/<game:game_id>/stand-in")
def stand_in(game_id: str) -> Response:
    seen = _open(game_id)
    if not seen.is_host:
        abort(403)
    try:
        seats.stand_in(store, game_id, number_of_seat())
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id))
