"""Opening a game: the form, the new table, and its host's seat."""

import secrets
from contextlib import suppress

from flask import Response, abort, request, url_for

from domain.refusal import Refused
from domain.title import Title
from service.base import names
from service.base.names import BadName
from service.games import lobby, opening, rights
from service.games.play import SubmissionReused
from service.games.rights import ByPerson
from service.web.pages.frame import _, done, number_in, page, reader, signed_in
from service.web.pages.lobby import room
from service.web.pages.parts import forms, pace, words
from service.web.pages.parts.refusals import bad_name, refusal
from service.web.pages.parts.visits import title_or_404
from service.web.pages.parts.welcome import introduced
from service.web.shared import limits
from service.web.shared.context import settings, store, work
from service.words import called, spoken


@room.route("/games/new", methods=["GET", "POST"])
def new_game() -> Response:
    asker = signed_in()
    title = title_or_404(request.args.get("title") or next(iter(store.titles)))
    if request.method != "POST":
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
        return _new_game(title, _("One seat is yours, so choose fewer bots than seats."))
    limits.spend("games of", str(asker.id), limits.GAMES_PER_PERSON)
    sealed = form.get("sealed_words") == "yes"
    brought = words.read(form, sealed)
    if sealed and not brought.seal:
        return _new_game(title, _("To seal your words, enter their hash instead of the words themselves."))
    try:
        wanted = pace.read(form)
    except pace.BadPace:
        return _new_game(title, pace.none())
    by = ByPerson(asker.id)
    try:
        opened = opening.open_table(
            work(),
            by,
            title=title.id,
            options=forms.read_options(title.seating.options, form),
            seats=seats,
            name=name,
            public=form.get("public") != "no",
            settle_ms=int(settings.settle_seconds * 1000),
            submission_id=_submission(form.get("submission", "")),
            pace=wanted,
            commitment=form.get("commitment"),
            sealed=sealed,
        )
    except Refused as refused:
        return _new_game(title, refused=refused)
    except opening.SecretGone:
        problem = _("A table was already opened with this form, or the form is too old. Please send the form again.")
        return _new_game(title, problem, words_known=True)
    except SubmissionReused:
        return _new_game(
            title, _("You have already sent this form with different entries. Please check the form and send it again.")
        )
    address = url_for("pages.table.game", game_id=opened.game_id)
    if rights.see(work(), by, opened.game_id).places:  # the form was sent twice
        return done(address)
    choice = forms.read_options(title.seating.choice, form)
    with suppress(Refused):  # the table exists anyway, and the host can choose a seat there
        lobby.join(
            work(), by, opened.game_id, choice=choice, seat=1, words=brought.words, salt=brought.salt, seal=brought.seal
        )
    for seat in range(seats - bots + 1, seats + 1):
        lobby.seat_bot(work(), by, opened.game_id, form["bot"], seat=seat)
    return done(address)


def _new_game(
    title: Title, problem: str | None = None, refused: Refused | None = None, *, words_known: bool = False
) -> Response:
    """``words_known``: the words sent are older than this form's secret and must be replaced."""
    asker, lang = signed_in(), reader().lang
    sent = request.form if request.method == "POST" else None
    given = {
        "name": _("{name}'s game", name=asker.name) if asker.named else called(title, lang),
        "seats": str(title.seating.seats[1]), "bots": "0", "bot": forms.bot_names(title)[0][0], "public": "yes",
        **_filled_in(), **(sent or {}), **({"words": ""} if words_known else {}),
    }  # fmt: skip
    submission = secrets.token_urlsafe(16)
    game_id = opening.new_id("open", asker.id, _submission(submission))
    language = spoken(title.face.words, lang)
    return page(
        "lobby/new_game.html",
        200 if sent is None else 422,
        title=title,
        titles=list(store.titles.values()),
        given=given,
        problem=problem,
        refused=refusal(refused, title) if refused else None,
        submission=submission,
        luck=words.fields(game_id, opening.next_table(store, asker.id), sealed=None),
        options=forms.option_fields(language, title.seating.options, _("any"), sent),
        choices=forms.option_fields(language, title.seating.choice, _("any"), sent),
        bots=forms.bot_names(title),
        pace=pace.fields(sent),
    )


def _filled_in() -> dict[str, str]:
    """Return the fields that the address fills in, as the link of a lesson does."""
    return {name: request.args[name][:20] for name in ("seats", "bots", "bot") if name in request.args}


def _submission(given: str) -> str | None:
    return f"page-{given}" if 8 <= len(given) <= 40 and given.isprintable() else None
