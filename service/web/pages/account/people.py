"""A person's profile for others, and their private lists: people they like to play with, block or mute."""

from typing import cast

from flask import Response, abort, request, url_for

from service.people import accounts, acquaintances
from service.people.acquaintances import KINDS, Kind
from service.record import profiles
from service.record.profiles import PARTS, NoSuchProfile, Part, person_behind
from service.web.pages.account import room
from service.web.pages.frame import _, done, page, signed_in
from service.web.shared.context import now, store
from service.words import N_

PARTS_SAID: dict[Part, str] = {
    "games": N_("the list of finished games"), "results": N_("results by game"),
    "head_to_head": N_("results against the reader"), "reliability": N_("finished games and missed deadlines"),
    "times": N_("time to move"), "ratings": N_("ratings"),
}  # fmt: skip


@room.get("/account/people")
def people(problem: str | None = None, status: int = 200) -> Response:
    asker = signed_in()
    with store.read() as conn:
        row = accounts.person(conn, asker.id)
        lists = {kind: acquaintances.listed(conn, asker.id, kind) for kind in KINDS}
    hidden = row.hides.split()
    return page(
        "account/people.html",
        status,
        problem=problem,
        profile=url_for("pages.front.profile", address=row.profile) if row.profile else None,
        parts=[(part, _(PARTS_SAID[part]), part not in hidden) for part in PARTS],
        lists=lists,
    )


@room.post("/account/people/shown")
def choose_parts() -> Response:
    """Choose the parts of the profile that others may see."""
    asker, shown = signed_in(), request.form.getlist("part")
    with store.write() as conn:
        profiles.hide(conn, asker.id, [part for part in PARTS if part not in shown])
    return done(url_for("pages.account.people"), "saved")


@room.post("/account/people/renew")
def renew_profile() -> Response:
    asker = signed_in()
    with store.write() as conn:
        profiles.renew(conn, asker.id)
    return done(url_for("pages.account.people"), "saved")


@room.post("/account/people/<any(liked, blocked, muted):kind>")
def list_person(kind: str) -> Response:
    """Put the person behind a profile on one of the reader's lists, or take them off."""
    asker, which, address = signed_in(), cast(Kind, kind), request.form.get("profile", "")
    try:
        with store.write() as conn:
            other = person_behind(conn, address)
            if "off" in request.form:
                acquaintances.remove(conn, asker.id, which, other)
            else:
                acquaintances.add(conn, asker.id, which, other, now())
    except NoSuchProfile:
        abort(404)
    except acquaintances.ListIsFull:
        return people(_("This list is full. Take somebody off it first."), 409)
    return done(url_for("pages.account.people"), "saved")
