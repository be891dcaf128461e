"""Pages of text: the numbered rules, and the credits of the games."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from flask import Response, request, url_for
from markupsafe import Markup

import domain
from domain.title import Title
from service.web.pages.frame import _, page, reader
from service.web.pages.parts.boards import notes
from service.web.pages.parts.refusals import came_from
from service.web.pages.parts.visits import title_or_404
from service.web.pages.rules import catalogue, room, search
from service.web.shared.context import store
from service.words import ENGLISH, called
from service.words.rulebooks import languages_of

HOUSE = "house"
HOUSE_RULES = Path(domain.__file__).parent / "HOUSE_RULES.md"


class Rulebook(NamedTuple):
    """Numbered rules: of a title, or the house rules. ``notes``: on its reconstructed parts."""

    title: Title | None
    file: Path
    prefix: str
    heading: str
    notes: list[str]


@room.get("/rules")
def rules_index() -> Response:
    return page("rules/rules_index.html", titles=list(store.titles.values()))


@room.get("/rules/<title>")
def rules(title: str) -> Response:
    book, came = _rulebook(title), came_from()
    known, chosen = languages_of(book.file), request.args.get("in", "")
    lang = next((it for it in (chosen, reader().lang) if it in known), ENGLISH)
    kept = came | ({"in": chosen} if chosen in known else {})
    whole = url_for("pages.rules.rules", title=title, **kept)
    asked = request.args.get("find", "")[: search.LONGEST].strip()
    read = catalogue.catalogue(book.file, book.prefix, lang)
    shown = search.found(read, asked) if asked else read
    return page(
        "rules/rules.html", title=book.title, book=book, passages=list(_passages(shown, whole, asked)),
        contents=[] if asked else catalogue.contents(read), asked=asked, count=len(shown), shown_in=lang, whole=whole,
        others={it: url_for("pages.rules.rules", title=title, **{**came, "in": it}) for it in known if it != lang},
        kept=kept, back=back(came), translated=reader().lang in known, longest=search.LONGEST,
        action=url_for("pages.rules.rules", title=title),
    )  # fmt: skip


def _rulebook(title: str) -> Rulebook:
    if title == HOUSE:
        return Rulebook(None, HOUSE_RULES, "ST", _("House rules"), [])
    box = title_or_404(title)
    heading = _("{title}: the rules", title=called(box, reader().lang))
    return Rulebook(box, box.catalogue, box.prefix, heading, notes(box, reader().lang))


class ShownRules(NamedTuple):
    """Rules that follow each other. ``lang``: only if it is not that of the page, because the translation is behind."""

    html: Markup
    lang: str


def _passages(shown: Sequence[catalogue.ReadPart], whole: str, asked: str) -> Iterator[ShownRules]:
    """Yield the rules to show. ``whole``: the page of all rules, to which links lead from what was ``asked`` for."""
    for (behind, _alone), parts in groupby(enumerate(shown), lambda it: (it[1].behind, it[1].behind and it[0])):
        html = catalogue.joined(part for _, part in parts)
        if asked:
            html = Markup(html.replace('href="#', Markup('href="{}#').format(whole)))
        yield ShownRules(html, ENGLISH if behind else "")


def back(came: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the address and the name of the page to which the rules lead back."""
    if "game" in came:
        return url_for("pages.table.game", game_id=came["game"]), _("Back to the table")
    if "sandbox" in came:
        return url_for("pages.sandbox.sandbox", sandbox_id=came["sandbox"]), _("Back to the sandbox")
    if "lesson" in came:
        return url_for("pages.lessons.step", title=came["lesson"], number=came["step"]), _("Back to the lesson")
    return None


@room.get("/legal")
def legal() -> Response:
    titles = list(store.titles.values())
    return page("rules/legal.html", titles=titles, notes={title.id: notes(title, reader().lang) for title in titles})
