"""Refusals on pages, with a link to the rule."""

import re
from typing import Any

import msgspec
from flask import request, url_for
from markupsafe import Markup

from domain.refusal import Refused
from domain.title import Title
from service.base.names import BadName
from service.games import queries
from service.games.queries import Seen
from service.web.pages.frame import _, number_in, pages, reader
from service.web.shared.context import store
from service.words import N_


class RefusalShown(msgspec.Struct, frozen=True):
    """A refusal for a page. ``link``: the rule's number, as a link to its text."""

    text: str
    link: Markup


def refusal(refused: Refused, title: Title, seen: Seen | None = None) -> RefusalShown:
    player = seen.player if seen else str
    text = queries.refusal(title, refused, reader().lang, player)
    return RefusalShown(text, rule_link(refused.rule))


def rule_link(rule: str) -> Markup:
    """Return ``GTJ 5.3`` as a link to the rule, from which a link leads back to this table."""
    prefix = rule.split(" ")[0]
    owner = next((title.id for title in store.titles.values() if title.prefix == prefix), None)
    owner = "house" if prefix == "ST" else owner
    if owner is None:
        return Markup('<span class="rule">{}</span>').format(rule)
    there = url_for("pages.rules.rules", title=owner, _anchor=rule_anchor(rule), **came_from())
    return Markup('<a class="rule" href="{}">{}</a>').format(there, rule)


@pages.app_template_global("rules_of")
def rules_of(title_id: str) -> str:
    """Return the address of a title's rules, from which a link leads back to this table, sandbox or lesson."""
    return url_for("pages.rules.rules", title=title_id, **came_from())


def came_from() -> dict[str, Any]:
    """Return the fields of an address of the rules that name the table, sandbox or step of a lesson of this page.

    On a page of the rules, they name that from which the reader came.
    """
    if request.blueprint == "pages.rules":
        return _came_to_the_rules()
    given = request.view_args or {}
    if {"title", "number"} <= given.keys():
        return {"lesson": given["title"], "step": given["number"]}
    return {name: given[f"{name}_id"] for name in ("game", "sandbox") if f"{name}_id" in given}


def _came_to_the_rules() -> dict[str, Any]:
    asked = request.args
    came: dict[str, Any] = {it: asked[it] for it in ("game", "sandbox") if GAME_ID.fullmatch(asked.get(it, ""))}
    step = number_in(asked.get("step"), 2)
    if step and (title := store.titles.get(asked.get("lesson", ""))) is not None and title.lesson is not None:
        came |= {"lesson": title.id, "step": min(step, len(title.lesson.steps))}
    return came


GAME_ID = re.compile(r"[0-9a-z]{1,26}")


def rule_anchor(rule: str) -> str:
    return rule.replace(" ", "-")


BAD_NAMES = {
    "unseen": N_("A name cannot contain invisible characters or characters that reverse the writing direction."),
    "address": N_(
        "A name cannot contain a web address, because names appear in emails. If your name is not meant as a web "
        "address, put a space after the dot."
    ),
}


def bad_name(bad: BadName, length: str) -> str:
    """Say what is wrong with a name; ``length``: the text for an empty or too long one."""
    return _(BAD_NAMES[bad.why]) if bad.why in BAD_NAMES else length
