"""Opening a game: the form, the new table, its host's seat, its bots, and the invitations."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from flask import Response, request, url_for

from domain.pace import Pace
from domain.refusal import Refused
from domain.title import Title
from service.base import names
from service.base.names import BadName
from service.games import lobby, opening, rights
from service.games.offers import ANYBODY, Offer
from service.games.play import SubmissionReused
from service.games.players import RATED, Player, addresses, can_be_rated, come
from service.games.rights import ByPerson
from service.web.pages.frame import _, done, page, reader, signed_in
from service.web.pages.lobby import players, room
from service.web.pages.parts import forms, offers, pace, words
from service.web.pages.parts.refusals import bad_name, refusal
from service.web.pages.parts.visits import title_or_404
from service.web.pages.parts.welcome import FIELD, introduced
from service.web.pages.parts.words import Bring
from service.web.shared import limits
from service.web.shared.context import now, settings, store, work
from service.words import called, spoken

Problems = Mapping[str, str]
"""The name of a field -> its error in words; "" for an error of the whole form."""
NO_PROBLEMS: Problems = MappingProxyType({})


class _Wish(NamedTuple):
    """The entries of a form without problems, besides options and choice."""

    name: str
    players: list[Player]
    pace: Pace | None
    brought: Bring
    sealed: bool
    offer: Offer


@room.route("/games/new", methods=["GET", "POST"])
def new_game() -> Response:
    signed_in()
    title = title_or_404(request.args.get("title") or next(iter(store.titles)))
    if request.method != "POST":
        return _form(title)
    wish = _read(title)
    return _opened(title, wish) if isinstance(wish, _Wish) else _form(title, wish)


def _read(title: Title) -> _Wish | Problems:
    form, problems = request.form, dict[str, str]()
    if problem := introduced(signed_in()):
        problems[FIELD] = problem
    name, longest = "", names.LONGEST_OF_TABLE
    try:
        name = names.cleaned(form.get("name", ""), longest, mailed=True)
    except BadName as bad:
        problems["name"] = bad_name(bad, _("Please give the game a name of 1 to {length} characters.", length=longest))
    read = players.checked(title, form)
    problems |= {f"seat{chair.number}": chair.problem for chair in read if chair.problem}
    wishes, public = players.wishes(read), form.get("public") != "no"
    if form.get("rated") == "yes" and not can_be_rated(title, wishes, public=public):
        problems["rated"] = _(RATED)
    sealed = form.get("sealed_words") == "yes"
    brought, wanted = words.read(form, sealed), None
    if sealed and not brought.seal:
        problems["seal"] = _("To seal your words, enter their hash instead of the words themselves.")
    try:
        wanted = pace.read(form)
    except pace.BadPace:
        problems["pace"] = pace.none()
    offer = ANYBODY
    try:
        offer = offers.read(form)
    except offers.BadOffer:
        problems["offer"] = offers.bad()
    return problems or _Wish(name, wishes, wanted, brought, sealed, offer)


def _opened(title: Title, wish: _Wish) -> Response:
    form, by = request.form, ByPerson(signed_in().id)
    limits.spend("games of", str(by.id), limits.GAMES_PER_PERSON)
    limits.spend_invitations(by.id, len(addresses(wish.players)))
    try:
        opened = opening.open_table(
            work(),
            by,
            title=title.id,
            options=forms.read_options(title.seating.options, form),
            seats=1 + len(wish.players),
            name=wish.name,
            public=form.get("public") != "no",
            settle_ms=int(settings.settle_seconds * 1000),
            submission_id=_submission(form.get("submission", "")),
            pace=wish.pace,
            commitment=form.get("commitment"),
            sealed=wish.sealed,
            rated=form.get("rated") == "yes",
            offer=wish.offer,
            by_invitation=form.get("seats_for") == "invited",
            players=wish.players,
        )
    except Refused as refused:
        return _form(title, refused=refused)
    except opening.SecretGone:
        problem = _("A table was already opened with this form, or the form is too old. Please send the form again.")
        return _form(title, {"": problem}, words_known=True)
    except SubmissionReused:
        problem = _("You have already sent this form with different entries. Please check the form and send it again.")
        return _form(title, {"": problem})
    address = url_for("pages.table.game", game_id=opened.game_id)
    if rights.see(work(), by, opened.game_id).places:  # the form was sent twice
        return done(address)
    _seat(title, by, opened.game_id, wish)
    return done(address, _said(come(work(), by, opened.game_id, wish.players, lang=reader().lang, at=now())))


def _seat(title: Title, by: ByPerson, game_id: str, wish: _Wish) -> None:
    """Seat the host."""
    choice, brought = forms.read_options(title.seating.choice, request.form), wish.brought
    with suppress(Refused):  # the table exists anyway, and the host can choose a seat there
        lobby.join(
            work(), by, game_id, choice=choice, seat=1, words=brought.words, salt=brought.salt, seal=brought.seal
        )


def _said(sent: Sequence[bool | None]) -> str | None:
    """Return the message about the invitations."""
    if not sent:
        return None
    if None in sent:
        return "not-invited"
    return "invited" if len(sent) == 1 else "all-invited"


# ==== the form ====================================================================================
def _form(
    title: Title, problems: Problems = NO_PROBLEMS, refused: Refused | None = None, *, words_known: bool = False
) -> Response:
    """``words_known``: the words sent are older than this form's secret and must be replaced."""
    asker, lang = signed_in(), reader().lang
    sent = request.form if request.method == "POST" else None
    given = {
        "name": _("{name}'s game", name=asker.name) if asker.named else called(title, lang), "public": "yes",
        **(sent or {}), **({"words": ""} if words_known else {}),
    }  # fmt: skip
    submission = secrets.token_urlsafe(16)
    game_id = opening.new_id("open", asker.id, _submission(submission))
    language = spoken(title.face.words, lang)
    paces = pace.fields(sent)
    seats = players.chairs(title, request.args if sent is None else sent)
    return page(
        "lobby/new_game.html",
        200 if sent is None else 422,
        title=title,
        titles=list(store.titles.values()),
        given=given,
        problems=problems,
        refused=refusal(refused, title) if refused else None,
        submission=submission,
        chairs=[(chair, players.answers(title, chair.number)) for chair in seats],
        luck=words.fields(game_id, opening.next_table(store, asker.id), sealed=None),
        options=forms.option_fields(language, title.seating.options, _("any"), sent),
        choices=forms.option_fields(language, title.seating.choice, _("any"), sent),
        pace=paces,
        offer=offers.fields(sent),
        more=bool(refused or {"pace", "seal", "offer"} & problems.keys() or paces["chosen"] == "free"),
    )


def _submission(given: str) -> str | None:
    return f"page-{given}" if 8 <= len(given) <= 40 and given.isprintable() else None
