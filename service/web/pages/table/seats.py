"""Actions on seats: taking and leaving them, bots and words of luck, the start, and absent players."""

import re

from flask import Response, abort, request, url_for

from domain.refusal import Refused
from service.games import lobby, queries, rematches, seats
from service.games.rights import must_have
from service.people import accounts
from service.web.pages.frame import _, done, number_of, reader, signed_in
from service.web.pages.parts import forms, offers, pace, words
from service.web.pages.parts.visits import by_whom, visit
from service.web.pages.parts.welcome import introduced
from service.web.pages.table import room
from service.web.pages.table.table import again, shown_again, to_table
from service.web.shared import limits
from service.web.shared.context import now, work


def number_of_seat() -> int:
    """Return the seat in a form."""
    return number_of("seat", 2)


@room.post("/games/<game:game_id>/join")
@shown_again
def join(game_id: str) -> Response:
    asker, seen, seat = signed_in(), visit(game_id), number_of_seat()
    brought = words.read(request.form, seen.table.sealed is not None)
    if problem := introduced(asker):
        return again(game_id, 422, problem=problem)
    lobby.join(
        work(),
        by_whom(game_id),
        game_id,
        choice=forms.read_options(seen.title.seating.choice, request.form),
        seat=seat,
        words=brought.words,
        salt=brought.salt,
        seal=brought.seal,
    )
    return to_table(game_id, "seated")


@room.post("/games/<game:game_id>/decline")
@shown_again
def decline(game_id: str) -> Response:
    """Decline the seat that is kept for the reader."""
    signed_in()
    visit(game_id)
    lobby.decline(work(), by_whom(game_id), game_id)
    return done(url_for("pages.lobby.find"), "declined")


WORDS = re.compile(r"[0-9a-f]{64}")


@room.post("/games/<game:game_id>/words/open")
@shown_again
def open_words(game_id: str) -> Response:
    """Open the words that this seat sealed; the last ones start the game. The link of a mail may do it, too."""
    given = request.form.get("words", "").strip().lower()
    if not WORDS.fullmatch(given):
        return again(game_id, 422, problem=_("Sealed words must be 64 digits from 0 to 9 and a to f."))
    lobby.open_words(work(), by_whom(game_id), game_id, given)
    return to_table(game_id)


@room.post("/games/<game:game_id>/words/seal")
@shown_again
def seal_words(game_id: str) -> Response:
    """Seal new words after a failed attempt to open the old ones."""
    seal = words.seal_in(request.form)
    if not seal:
        return again(game_id, 422, problem=_("To seal your words, enter their hash instead of the words themselves."))
    lobby.seal_words(work(), by_whom(game_id), game_id, seal)
    return to_table(game_id)


@room.post("/games/<game:game_id>/leave")
@shown_again
def leave(game_id: str) -> Response:
    signed_in()
    seen = visit(game_id)
    if seen.seat is None:
        return to_table(game_id)  # the player has left the seat already
    lobby.leave(work(), by_whom(game_id), game_id)
    if not (seen.row.public or seen.invited or seen.is_host):
        return done(url_for("pages.lobby.games"), "left")
    return to_table(game_id, "left")


@room.post("/games/<game:game_id>/bots")
@shown_again
def add_bot(game_id: str) -> Response:
    bot = request.form.get("bot", "")
    if bot not in visit(game_id).title.bots:
        abort(400)
    lobby.seat_bot(work(), by_whom(game_id), game_id, bot)
    return to_table(game_id)


@room.post("/games/<game:game_id>/bots/remove")
@shown_again
def remove_bot(game_id: str) -> Response:
    lobby.remove_bot(work(), by_whom(game_id), game_id, number_of_seat())
    return to_table(game_id, "bot-left")


@room.post("/games/<game:game_id>/start")
@shown_again
def start(game_id: str) -> Response:
    try:
        lobby.start(work(), by_whom(game_id), game_id)
    except Refused:
        if visit(game_id).game.status != "running":  # otherwise the button was pressed twice
            raise
    return to_table(game_id)


@room.post("/games/<game:game_id>/pace")
@shown_again
def set_pace(game_id: str) -> Response:
    try:
        wanted = pace.read(request.form)
    except pace.BadPace:
        return again(game_id, 422, problem=pace.none())
    seen, actor = visit(game_id), by_whom(game_id)
    must_have(work(), actor, seen.stored, "set_pace")
    if wanted != seen.table.pace:
        lobby.set_pace(work(), actor, game_id, wanted)
    return to_table(game_id, "saved")


@room.post("/games/<game:game_id>/offer")
@shown_again
def set_offer(game_id: str) -> Response:
    try:
        wanted = offers.read(request.form)
    except offers.BadOffer:
        return again(game_id, 422, problem=offers.bad())
    by_invitation = request.form.get("seats_for") == "invited"
    lobby.set_offer(work(), by_whom(game_id), game_id, wanted, by_invitation=by_invitation)
    return to_table(game_id, "saved")


@room.post("/games/<game:game_id>/cancel")
@shown_again
def cancel(game_id: str) -> Response:
    lobby.cancel(work(), by_whom(game_id), game_id)
    return to_table(game_id, "closed")


@room.post("/games/<game:game_id>/invite")
@shown_again
def invite(game_id: str) -> Response:
    actor = by_whom(game_id)
    lobby.invitation(work(), actor, game_id)
    try:
        address = accounts.normalised(request.form.get("email", ""))
    except accounts.BadAddress:
        return again(game_id, 422, problem=_("We cannot send email to this address. Please check it."))
    limits.spend_invitations(reader().id, 1)
    [sent] = lobby.invite(work(), actor, game_id, [address], lang=reader().lang, at=now())
    if sent is None:
        return again(
            game_id,
            422,
            problem=_("We cannot send an invitation to this address right now. Send them the link yourself."),
        )
    return to_table(game_id, "invited" if sent else "invited-before")


@room.post("/games/<game:game_id>/invite/renew")
@shown_again
def renew_invitation(game_id: str) -> Response:
    lobby.renew_invitation(work(), by_whom(game_id), game_id)
    return to_table(game_id, "invitation-renewed")


@room.post("/games/<game:game_id>/rematch")
@shown_again
def rematch(game_id: str) -> Response:
    """Open the table on which the players of a finished game play again, or find it."""
    asker = signed_in()
    visit(game_id)
    limits.spend("games of", str(asker.id), limits.GAMES_PER_PERSON)
    table = rematches.ask(work(), by_whom(game_id), game_id)
    return done(url_for("pages.table.invitation", token=table.invite))


# ==== absent players ==============================================================================
@room.post("/games/<game:game_id>/return")
@shown_again
def return_to_seat(game_id: str) -> Response:
    barred = queries.barred(visit(game_id))
    seats.return_to_seat(work(), by_whom(game_id), game_id)
    return to_table(game_id, "back" if barred else "there")


@room.post("/games/<game:game_id>/take-over")
@shown_again
def take_over(game_id: str) -> Response:
    asker, seat = signed_in(), number_of_seat()
    visit(game_id)
    if problem := introduced(asker):
        return again(game_id, 422, problem=problem)
    seats.take_over(work(), by_whom(game_id), game_id, seat)
    return to_table(game_id, "seated")


@room.post("/games/<game:game_id>/stand-in")
@shown_again
def stand_in(game_id: str) -> Response:
    seats.stand_in(work(), by_whom(game_id), game_id, number_of_seat())
    return to_table(game_id, "stand-in")
