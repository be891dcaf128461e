"""Tables: opening, finding, joining, leaving and starting them; the game as its viewer sees it."""

import secrets
from typing import Any, cast

import msgspec
from flask import Response, g
from marshmallow import ValidationError

from domain.chain import fingerprint
from domain.pace import Pace
from domain.pace_words import described
from domain.words import Sentence
from service.base import links
from service.base.clock import iso
from service.games import finding, lobby, offers, opening, queries, rematches, rights
from service.games.finding import WantedTable
from service.games.offers import Offer
from service.games.play import Answer
from service.games.players import (
    ANYBODY,
    NOBODY,
    PERSON,
    RATED,
    BadPlayer,
    Player,
    addresses,
    can_be_rated,
    come,
    invited,
    kept,
)
from service.games.queries import Seen
from service.games.rights import SeatChanged
from service.people import accounts
from service.people.accounts import hashed
from service.web.api import schemas
from service.web.api.api import Blueprint, needs, plain, shape_errors, tagged
from service.web.shared import limits
from service.web.shared.context import by_whom, lang, now, person, settings, spectator, store, work
from service.web.shared.problems import Problem
from service.web.shared.shapes import shapes
from service.words import N_, called

blueprint = Blueprint("games", __name__, url_prefix="/api/v1/games", description="Tables and the games played there")


# ==== shared by all views of a game ===============================================================
def game(game_id: str, invite: str = "") -> Seen:
    """Return the game as the caller sees it. The view has checked their token's scope. Raises `NoSuchGame`."""
    g.seen = seen = rights.see(work(), by_whom(invite), game_id)
    return seen


def my_game(game_id: str) -> Seen:
    """Return the game for a caller with a seat in it. Raises `NoSuchGame` and `Forbidden`."""
    g.seen, _ = seen, _ = rights.see_own(work(), by_whom(), game_id)
    return seen


def submission_id(headers: dict[str, Any]) -> str:
    """Return the id of a submission in the log. It includes the sender, so that two people may choose the same key."""
    key = headers.get("idempotency_key") or secrets.token_urlsafe(18)
    return hashed(f"{by_whom().id} {key}")


def moved(answer: Answer, seen: Seen) -> dict[str, Any]:
    """Return the result of a submission."""
    said = answer.refusal
    return {
        "version": answer.version,
        "plies": answer.plies,
        "refused_at": answer.refused_at,
        "refusal": said
        and {
            "rule": said.rule,
            "sentence": queries.refusal(seen.title, said, lang(), seen.player),
            "facts": said.sentence.facts,
        },
    }


# ==== lists =======================================================================================
@blueprint.route("", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.GamesQuery, location="query")
@blueprint.response(200, schemas.Games)
def list_games(given: dict[str, Any]) -> Any:
    """List games: your own, open ones, or games you can watch

    The newest come first, in pages. `next` is the `after` of the following page.
    """
    viewer = spectator()
    if given["which"] == "mine" and viewer is None:
        raise Problem("sign_in")
    created_at, _, game_id = (given["after"] or "").partition(".")
    after = (int(created_at), game_id) if created_at else None
    with store.read() as conn:
        found, more = queries.games(
            conn,
            viewer,
            given["which"],
            title=given["title"],
            status=given["status"],
            after=after,
            limit=given["limit"],
            also=finding.conditions(
                WantedTable(None, given["seats"], given["pace"], given["language"], given["rated"], given["finished"])
            ),
            lang=lang(),
        )
    return {"games": found, "next": more and f"{more[0]}.{more[1]}"}


# ==== opening =====================================================================================
@blueprint.route("", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.Opening)
@blueprint.response(201, schemas.Opened)
def open_game(headers: dict[str, Any], given: dict[str, Any]) -> Any:
    """Open a table

    If you repeat an `Idempotency-Key`, the answer is the table opened with it before.
    """
    who, actor = person("host"), by_whom()
    limits.spend("games of", str(who.id), limits.GAMES_PER_PERSON)
    g.title = store.titles[given["title"]]
    wished = _players(given)
    limits.spend_invitations(who.id, len(addresses(wished)))
    key = submission_id(headers) if "idempotency_key" in headers else None
    opened = opening.open_table(
        work(),
        actor,
        title=given["title"],
        options=_checked("options", given["options"], given["title"]),
        seats=given.get("seats") or 1 + len(wished),
        name=given["name"] or called(g.title, who.lang),
        public=given["public"],
        pace=_pace(given),
        sealed=given["sealed"],
        rated=given["rated"],
        offer=Offer(**given["offer"]),
        by_invitation=given["by_invitation"],
        settle_ms=round(settings.settle_seconds * 1000),
        submission_id=key,
        players=wished,
    )
    sent = come(work(), actor, opened.game_id, wished, lang=lang(), at=now(), submission_id=key)
    body = {
        "id": opened.game_id, "commitment": opened.commitment, "invited": sum(it is not None for it in sent),
    }  # fmt: skip
    return body | _invitation(opened.invite_token), {"Location": f"/api/v1/games/{opened.game_id}"}


def _players(given: dict[str, Any]) -> list[Player]:
    """Return the players of a request. Raise the problem of its shape, with the errors of each field."""
    read, errors = list[Player](), dict[int, Any]()
    for at, it in enumerate(given.get("players", ())):
        who, mail = it["player"], it["email"]
        if who not in (ANYBODY, PERSON, NOBODY, *g.title.bots):
            errors[at] = {"player": [N_("There is no such bot.")]}
        try:
            read.append(Player(who, invited(mail, {each.mail for each in read}) if who == PERSON else ""))
        except BadPlayer as bad:
            errors[at] = {"email": [str(bad)]}
    if errors:
        raise shape_errors(ValidationError({"players": errors}))
    if given["rated"] and not can_be_rated(g.title, read, public=True):
        raise shape_errors(ValidationError({"rated": [RATED]}))
    return kept(read)


def _pace(given: dict[str, Any]) -> Pace | None:
    return msgspec.convert(given["pace"], Pace) if given["pace"] else None


def _checked(what: str, given: Any, title: str) -> dict[str, Any]:
    """Check options or a choice against the title's schema."""
    try:
        return cast(dict[str, Any], getattr(shapes(title), what).load(given))
    except ValidationError as error:
        raise Problem("shape", errors={"json": {what: error.messages}}) from None


def _invitation(token: str) -> dict[str, str]:
    return {"invite": token, "invite_link": links.join_address(settings, token)}


@blueprint.route("/<game:game_id>/rematch", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(201, schemas.RematchOpened)
def ask_for_rematch(_: dict[str, Any], game_id: str) -> Any:
    """Play a finished game again with the same people

    The first call opens a table with the same options, pace and bots, and mails an invitation to the other players.
    Every later call finds that table. The caller takes the seat after their earlier one, unless the table uses sealed
    words.
    """
    seen = my_game(game_id)
    limits.spend("games of", str(person("host").id), limits.GAMES_PER_PERSON)
    table = rematches.ask(work(), by_whom(), seen.game.id)
    body = {"id": table.game_id, "seat": table.seat, **_invitation(table.invite)}
    return body, {"Location": f"/api/v1/games/{table.game_id}"}


# ==== one game ====================================================================================
@blueprint.route("/<game:game_id>", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.InviteQuery, location="query")
@blueprint.response(200, schemas.Game)
def show_game(given: dict[str, Any], game_id: str) -> Any:
    """Look at a game

    The answer shows what the caller's seat, or a spectator, may see. Callers who came by an invitation should keep
    their `guest_pass`, to send it as `invite` later.
    """
    seen = game(game_id, given["invite"])
    with store.read() as conn:
        host, offer = queries.host_name(conn, seen), offers.of(conn, game_id)
    return tagged({**_game(seen, host), "offer": offer}, schemas.Game(), seen.version)


def _game(seen: Seen, host: str | None) -> dict[str, Any]:
    row, table = seen.row, seen.table
    return {
        **position(seen),
        "id": row.id, "title": row.title, "name": row.name, "public": row.public, "rated": row.rated,
        "by_invitation": row.by_invitation,
        "seats": row.seats, "options": plain(table.options), "rules": seen.title.rules.version, "host": host,
        "places": list(seen.places.values()),
        "choices": {str(seat): plain(chair.choice) for seat, chair in sorted(table.chairs.items())},
        "seat": seen.seat, "may": rights.may(seen, now()), "guest_pass": queries.guest_pass(settings, seen),
        "rewind": queries.rewind(seen, now()),
        "rewind_lapsed": _said(seen, queries.rewind_lapsed(seen, now())),
        **_time(seen),
        "fingerprint": fingerprint(seen.stored.head),
        "commitment": table.commitment, "created_at": iso(row.created_at), "moved_at": iso(row.moved_at),
    }  # fmt: skip


def _said(seen: Seen, sentence: Sentence | None) -> str | None:
    return None if sentence is None else seen.say(sentence, lang())


def _time(seen: Seen) -> dict[str, Any]:
    pace = seen.game.table.pace if seen.game.table else None
    return {
        "pace": None if pace is None else plain(pace),
        "pace_said": [seen.say(it, lang()) for it in described(pace)] if pace else [],
        "clocks": queries.clocks(seen),
        "away": list(queries.away(seen)),
        "vacant": list(queries.vacant(seen)),
        "stand_ins": queries.stand_ins(seen),
        "waited_for": list(queries.waited_for(seen)),
    }


def position(seen: Seen, at: Any = None) -> dict[str, Any]:
    """Return a position as the viewer sees it: the present one, a past or a foreseen one."""
    shown: dict[str, Any] = plain(queries.shown(seen, lang(), at))
    return shown


# ==== seats =======================================================================================
@blueprint.route("/<game:game_id>/join", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.Joining)
@blueprint.response(201, schemas.Seated)
def join_game(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Take a seat

    Bring words of luck: see `words`. `GET …/words` shows whether they were recorded. Callers without a name can give
    one.
    """
    actor = by_whom(given["invite"])
    introduce(given["name"])
    seen = game(game_id, given["invite"])
    answer, seat = lobby.join(
        work(),
        actor,
        game_id,
        choice=_checked("choice", given["choice"], seen.title.id),
        seat=given["seat"],
        words=given["words"] or given["entropy"],
        salt=given["salt"],
        seal=given["sealed"],
        submission_id=submission_id(headers),
    )
    return {**moved(answer, seen), "seat": seat}


def introduce(name: str) -> None:
    """Set the name of a caller without one, if they give one with their seat."""
    who = person("play")
    if name and not who.named:
        with store.write() as conn:
            accounts.introduce(conn, who.id, name=name)


@blueprint.route("/<game:game_id>/leave", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(200, schemas.Moved)
def leave_game(_: dict[str, Any], game_id: str) -> Any:
    """Give up a seat before the game starts"""
    seen = game(game_id)
    return moved(lobby.leave(work(), by_whom(), game_id), seen)


@blueprint.route("/<game:game_id>/decline", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(204)
def decline_seat(_: dict[str, Any], game_id: str) -> Any:
    """Decline the seat that is kept for me

    It goes to somebody else at once, or the table closes. It counts as no missed seat; the wish rests for a day.
    """
    game(game_id)
    lobby.decline(work(), by_whom(), game_id)
    return Response(status=204)


@blueprint.route("/<game:game_id>/bots", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.SeatingBot)
@blueprint.response(201, schemas.Seated)
def seat_bot(given: dict[str, Any], game_id: str) -> Any:
    """Seat a bot"""
    seen = game(game_id)
    rights.must_have(work(), by_whom(), seen.stored, "seat_bot")
    if given["bot"] not in seen.title.bots:
        raise shape_errors(ValidationError({"bot": [N_("There is no such bot.")]}))
    choice = _checked("choice", given["choice"], seen.title.id)
    answer, seat = lobby.seat_bot(work(), by_whom(), game_id, given["bot"], seat=given["seat"], choice=choice)
    return {**moved(answer, seen), "seat": seat}


@blueprint.route("/<game:game_id>/bots/<int(max=20):seat>", methods=["DELETE"])
@needs("host")
@blueprint.response(204)
def remove_bot(game_id: str, seat: int) -> Any:
    """Send a bot away before the game starts"""
    game(game_id)
    try:
        lobby.remove_bot(work(), by_whom(), game_id, seat)
    except SeatChanged:
        raise Problem("not_found") from None
    return Response(status=204)


# ==== the host ====================================================================================
@blueprint.route("/<game:game_id>/invitations", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.Inviting)
@blueprint.response(200, schemas.Invited)
def invite(given: dict[str, Any], game_id: str) -> Any:
    """Invite by mail, or show the invitation

    `sent` is the number of mails that go out. None goes to a person already invited to this game, to a mailbox that
    wants no invitations, or to one that has had enough of them today. You can pass the link on yourself.
    """
    game(game_id)
    actor = by_whom()
    token = lobby.invitation(work(), actor, game_id)
    addresses = sorted({accounts.normalised(email) for email in given["emails"]})
    limits.spend_invitations(actor.id, len(addresses))
    sent = lobby.invite(work(), actor, game_id, addresses, lang=lang(), at=now())
    return {**_invitation(token), "sent": sum(map(bool, sent))}  # the others can still get the link


@blueprint.route("/<game:game_id>/invitations/renew", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(200, schemas.Invitation)
def renew_invitation(_: dict[str, Any], game_id: str) -> Any:
    """Renew the invitation

    The old invitation stops working, and so do mails and guest passes that came with it. Players keep their seats.
    """
    game(game_id)
    return _invitation(lobby.renew_invitation(work(), by_whom(), game_id))


@blueprint.route("/<game:game_id>/start", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(200, schemas.Moved)
def start_game(headers: dict[str, Any], _: dict[str, Any], game_id: str) -> Any:
    """Start the game when every seat is taken"""
    seen = game(game_id)
    return moved(lobby.start(work(), by_whom(), game_id, submission_id=submission_id(headers)), seen)


@blueprint.route("/<game:game_id>/cancel", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(200, schemas.Moved)
def cancel_game(headers: dict[str, Any], _: dict[str, Any], game_id: str) -> Any:
    """Close the table before the game starts"""
    seen = game(game_id)
    return moved(lobby.cancel(work(), by_whom(), game_id, submission_id=submission_id(headers)), seen)


@blueprint.route("/<game:game_id>/pace", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.PaceChosen)
@blueprint.response(200, schemas.Moved)
def set_pace(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Choose another pace, or none, before the game starts"""
    seen, pace = game(game_id), _pace(given)
    return moved(lobby.set_pace(work(), by_whom(), game_id, pace, submission_id=submission_id(headers)), seen)


@blueprint.route("/<game:game_id>/offer", methods=["PUT"])
@needs("host")
@blueprint.arguments(schemas.OfferChosen)
@blueprint.response(204)
def set_offer(given: dict[str, Any], game_id: str) -> Any:
    """Choose another language of an open table, and other people for its free seats

    Taken seats stay. Whether the game is rated cannot be changed.
    """
    game(game_id)
    by_invitation = given.pop("by_invitation")
    lobby.set_offer(work(), by_whom(), game_id, Offer(**given), by_invitation=by_invitation)
    return Response(status=204)
