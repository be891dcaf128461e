"""Mail settings in the API: switches, quiet hours, digest, the address, and the mail history."""

from typing import Any

from flask import Response
from marshmallow import ValidationError

from service.accounts import mail
from service.base import hints
from service.base.clock import iso, time_of_day
from service.notices import ledger
from service.notices.kinds import SWITCHED
from service.people import accounts, addresses, mail_settings, strangers
from service.web.api import mail_schemas as schemas
from service.web.api.api import Blueprint, needs, shape_errors
from service.web.shared.account_requests import asked
from service.web.shared.context import now, person, store
from service.web.shared.problems import Problem
from service.words import N_

blueprint = Blueprint("mail", __name__, url_prefix="/api/v1/me", description="Mail settings and mail history")


# ==== mail settings ===============================================================================
def _shown(who: accounts.Asker) -> dict[str, Any]:
    with store.read() as conn:
        chosen = mail_settings.of(conn, who.id)
        never = strangers.never_since(conn, who.email)
    return {
        "stopped": chosen.stopped_at is not None, "quiet": chosen.quiet,
        "digest_at": None if chosen.digest_at is None else time_of_day(chosen.digest_at),
        "off": [{"game_id": game_id, "kind": kind} for game_id, kind in sorted(chosen.off)],
        "kinds": list(SWITCHED), "flagged_at": None if chosen.flagged_at is None else iso(chosen.flagged_at),
        "flag": chosen.flag, "invitations": never is None,
        "pictures": chosen.pictures, "short_receipts": chosen.short_receipts,
    }  # fmt: skip


@blueprint.route("/mail", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.MailWishes)
def show_mail() -> Any:
    """Show my mail settings"""
    return _shown(person("read"))


@blueprint.route("/mail", methods=["PATCH"])
@needs(None)
@blueprint.arguments(schemas.MailWishesChanged)
@blueprint.response(200, schemas.MailWishes)
def change_mail(given: dict[str, Any]) -> Any:
    """Change my mail settings

    Fields that are left out keep their values. `off` replaces all existing switches.
    """
    who, at = person(None), now()
    with store.write() as conn:
        if "off" in given:
            wanted = {(it["game_id"], it["kind"]) for it in given["off"]}
            if not {game_id for game_id, _ in wanted if game_id} <= mail_settings.games_of(conn, who.id):
                raise shape_errors(ValidationError({"off": [N_("You have no such game.")]}))
            mail_settings.set_off(conn, who.id, wanted)
        if "stopped" in given:
            mail_settings.stop_mail(conn, who.id, at) if given["stopped"] else mail_settings.resume_mail(conn, who.id)
        if "invitations" in given:
            strangers.want_invitations(conn, strangers.hash_of(who.email), given["invitations"], at)
        mail_settings.change(
            conn, who.id, at, {name: given[name] for name in mail_settings.CHANGEABLE if name in given}
        )
    hints.wake("outbox")
    return _shown(who)


@blueprint.route("/address", methods=["POST"])
@needs(None)
@blueprint.arguments(schemas.AddressAsked)
@blueprint.response(202)
def change_address(given: dict[str, Any]) -> Any:
    """Change the mail address

    The service mails a link to the new address. The address counts once its owner presses the button behind the link.
    You need a browser that signed in recently (`fresh`).
    """
    try:
        mail.ask_to_change(asked(), person(None), given["email"])
    except addresses.SameAddress:
        raise shape_errors(ValidationError({"email": [N_("That is already your address.")]})) from None
    return Response(status=202)


@blueprint.route("/address/check", methods=["POST"])
@needs(None)
@blueprint.response(202)
def check_address() -> Any:
    """Mail a link to my address, to prove that it works again"""
    mail.ask_to_confirm(asked(), person(None))
    return Response(status=202)


# ==== the mail history ============================================================================
@blueprint.route("/notices", methods=["GET"])
@needs("read")
@blueprint.arguments(schemas.NoticesQuery, location="query")
@blueprint.response(200, schemas.Notices)
def list_notices(given: dict[str, Any]) -> Any:
    """List the mails that were sent to me, or should have been

    The newest come first, each with its history and the cause of any failure.
    """
    who = person("read")
    with store.read() as conn:
        found = ledger.entries(conn, who.id, game_id=given["game_id"], before=given["before"], limit=given["limit"])
    return {
        "notices": found,
        "next": found[-1].id if len(found) == given["limit"] else None,
    }


@blueprint.route("/notices/<int(max=2147483647):notice_id>/again", methods=["POST"])
@needs(None)
@blueprint.response(202, schemas.NoticeLine)
def send_notice_again(notice_id: int) -> Any:
    """Send a mail again

    It leaves at once, even if other mail is held. It is not sent if it is outdated, such as the mail of a past turn.
    """
    who = person(None)
    if not mail.send_again(asked(), who, notice_id):
        raise Problem("not_found")
    with store.read() as conn:
        return ledger.entry(conn, who.id, notice_id)
