"""Profiles of people, and the caller's own lists of people."""

from typing import Any

from flask import Response

from service.people import accounts, acquaintances
from service.people.acquaintances import Kind
from service.record import profiles
from service.record.profiles import NoSuchProfile, person_behind
from service.web.api import people_schemas as schemas
from service.web.api.api import Blueprint, needs
from service.web.shared.context import lang, now, person, spectator, store
from service.web.shared.problems import Problem

blueprint = Blueprint("people", __name__, url_prefix="/api/v1", description="Profiles, and your own lists of people")

ADDRESS = "<string(length=22):address>"


@blueprint.route(f"/people/{ADDRESS}", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, schemas.ProfileShown)
def show_profile(address: str) -> Any:
    """Show a person's profile

    It tells only of finished games that you may see anyway. Its owner can hide each part.
    """
    try:
        with store.read() as conn:
            return profiles.profile(conn, address, spectator(), lang()), {"X-Robots-Tag": "noindex"}
    except NoSuchProfile:
        raise Problem("not_found") from None


@blueprint.route("/me/profile", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.OwnProfile)
def show_own_profile() -> Any:
    """Show the address and the hidden parts of my profile"""
    return _own(person("read").id)


@blueprint.route("/me/profile", methods=["PATCH"])
@needs(None)
@blueprint.arguments(schemas.ProfileChanged)
@blueprint.response(200, schemas.OwnProfile)
def change_profile(given: dict[str, Any]) -> Any:
    """Choose the hidden parts of my profile"""
    who = person(None)
    with store.write() as conn:
        profiles.hide(conn, who.id, given["hidden"])
    return _own(who.id)


@blueprint.route("/me/profile/renew", methods=["POST"])
@needs(None)
@blueprint.response(200, schemas.OwnProfile)
def renew_profile() -> Any:
    """Give my profile another address; the old one leads nowhere any more"""
    who = person(None)
    with store.write() as conn:
        profiles.renew(conn, who.id)
    return _own(who.id)


def _own(person_id: int) -> dict[str, Any]:
    with store.read() as conn:
        row = accounts.person(conn, person_id)
    return {"address": row.profile or "", "hidden": row.hides.split()}


# ==== lists =======================================================================================
@blueprint.route("/me/people", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.KnownPeople)
def list_people() -> Any:
    """List the people I like to play with, and those I block or mute

    Nobody else sees these lists, and nobody learns that they are on one.
    """
    who = person(None)
    with store.read() as conn:
        return {kind: [_line(it) for it in acquaintances.listed(conn, who.id, kind)] for kind in acquaintances.KINDS}


def _line(row: Any) -> dict[str, Any]:
    return {"name": row.name, "profile": row.profile}


@blueprint.route(f"/me/people/<any(liked, blocked, muted):kind>/{ADDRESS}", methods=["PUT"])
@needs(None)
@blueprint.response(204)
def list_person(kind: Kind, address: str) -> Any:
    """Put somebody on one of my lists

    Nobody is both liked and blocked: the other list forgets them. You never sit down at a new table with people you
    block, and get no invitation from them. You see no talk of people you block or mute.
    """
    who = person(None)
    try:
        with store.write() as conn:
            acquaintances.add(conn, who.id, kind, person_behind(conn, address), now())
    except NoSuchProfile:
        raise Problem("not_found") from None
    except acquaintances.ListIsFull:
        raise Problem("too_many") from None
    return Response(status=204)


@blueprint.route(f"/me/people/<any(liked, blocked, muted):kind>/{ADDRESS}", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def unlist_person(kind: Kind, address: str) -> Any:
    """Take somebody off one of my lists"""
    who = person(None)
    try:
        with store.write() as conn:
            acquaintances.remove(conn, who.id, kind, person_behind(conn, address))
    except NoSuchProfile:
        raise Problem("not_found") from None
    return Response(status=204)
