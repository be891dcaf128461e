"""The table of a game that has not begun, as a page."""

from typing import Any

from flask import Response, request, url_for

from domain.game import choice_of, options_of
from domain.pace import preset_of
from domain.refusal import Refused
from domain.title import Title
from service.games import kept, offers, queries, rematches
from service.games.marks import mark
from service.games.queries import Seen
from service.games.rights import may, unmet
from service.operators import acts
from service.record.profiles import addresses_at
from service.web.pages.frame import _, moment, page, reader
from service.web.pages.parts import forms, pace, words
from service.web.pages.parts import offers as offer_parts
from service.web.pages.parts.acts import told
from service.web.pages.parts.boards import notes
from service.web.pages.parts.refusals import refusal
from service.web.pages.parts.talk import glanced, own_page
from service.web.shared.context import now, settings, store
from service.words import spoken


def open_table(seen: Seen, status: int = 200, refused: Refused | None = None, problem: str | None = None) -> Response:
    """Show the table of a game that has not begun, or was cancelled."""
    who, at = reader(), now()
    with store.read() as conn:
        host, brought = queries.host_name(conn, seen), words.shown(conn, seen)
        entries = acts.about_game(conn, seen.game.id)
        profiled = addresses_at(conn, seen.game.id)
        offer = offers.of(conn, seen.game.id)
        before = rematches.before(conn, seen.game.id)
        has_kept_seats = kept.has_kept_seats(conn, seen.row)
    title, table, row = seen.title, seen.table, seen.row
    unfit = unmet(seen, "join") if who.id is not None and seen.seat is None else None
    seats = []
    for number in range(1, table.seats + 1):
        chair, place = table.chairs.get(number), seen.places.get(number)
        choice = choice_of(title, chair.choice) if chair else None
        said = [f"{name}: {value}" for name, value in _said_options(title, choice)] if choice is not None else []
        seats.append(
            {
                "number": number,
                "name": (place.name if place else seen.player(number)) if chair else "",
                "profile": profiled.get(number),
                "bot": place.bot if place else None,
                "yours": number == seen.seat,
                "choice": ", ".join(said),
            }
        )
    sent_offer = request.form if "seats_for" in request.form else None
    is_host = seen.is_host and not seen.by_link
    token = None if seen.by_link else queries.invitation(settings, seen)
    return page(
        "table/table_open.html",
        status,
        game={
            "id": seen.game.id,
            "name": row.name,
            "status": seen.game.status,
            "public": row.public,
            "rated": row.rated,
            "seats": table.seats,
        },
        title=title,
        before=before,
        closes=moment(row.created_at + rematches.LASTS) if before else None,
        seats=seats,
        may=dict.fromkeys(may(seen, at), True),
        is_host=is_host,
        by_link=seen.by_link,
        free=table.seats - len(table.chairs),
        has_kept_seats=has_kept_seats,
        kept={"seat": seen.kept.seat, "until": moment(seen.kept.until)} if seen.kept else None,
        host=host or _("the host"),
        notes=notes(title, who.lang),
        options=_said_options(title, options_of(title, table.options)),
        bots=forms.bot_names(title),
        given=request.form,
        choices=forms.option_fields(seen.language(who.lang), title.seating.choice, _("any"), request.form or None),
        invitation=settings.site + url_for("pages.table.invitation", token=token) if token else None,
        refused=refusal(refused, title, seen) if refused else None,
        problem=problem,
        unfit=queries.refusal(title, unfit, who.lang) if unfit else None,
        language=offer_parts.language(offer),
        demands=[] if has_kept_seats else offer_parts.demands(offer, by_invitation=row.by_invitation),
        watch=watch(seen),
        talk=own_page(seen),
        luck=words.fields(seen.game.id, table.commitment, older=table.older, sealed=table.sealed is not None),
        entries=[told(it) for it in entries],
        brought=brought,
        asks=words.asked_of(seen),
        auto=status == 200,
        pace_name=pace.say(f"pace_{preset_of(table.pace)}") if table.pace else _("no clock"),
        pace_said=pace.described(table.pace) if table.pace else [],
        pace=pace.fields(request.form, table.pace),
        offer=offer_parts.fields(sent_offer, offer, by_invitation=row.by_invitation),
        changes_offer=sent_offer is not None,
    )


def _said_options(title: Title, options: Any) -> list[tuple[str, str]]:
    """Return a struct of options in words: names of fields and of their values."""
    said = []
    for field in forms.option_fields(spoken(title.face.words, reader().lang), type(options), _("any")):
        value = getattr(options, field.name)
        if field.kind == "bool":
            said.append((field.label, _("yes") if value else _("no")))
        else:
            said.append((field.label, dict(field.choices)[str(value)]))
    return said


def mark_of_page(seen: Seen) -> str:
    """Return the mark of a table's pages: that of the game and, behind a sign, that of the talk."""
    talk = glanced(seen).mark
    return mark(seen, now()) + (f"~{talk}" if talk else "")


def watch(seen: Seen, *, over: bool = False) -> dict[str, str] | None:
    """Return the address and state at which the script looks while anything can change.

    ``over``: also when the game is over, for a page of its talk. ``live``: the address of a token that hears of it, for
    readers without a seat.
    """
    if not over and seen.game.status not in ("open", "running"):
        return None
    its = {
        "game": seen.game.id,
        "address": url_for("pages.table.version", game_id=seen.game.id),
        "etag": f'"{mark_of_page(seen)}"',
        "live": "",
    }
    if seen.seat is None:
        its["live"] = url_for("pages.live.watched", game_id=seen.game.id)
    return its
