"""The titles of this installation: options, commands and rules."""

from typing import Any

from flask import Response

from domain.title import Title
from domain.words import say
from service.web.api import schemas
from service.web.api.api import Blueprint, json_schema, needs
from service.web.shared.context import lang, store
from service.web.shared.problems import Problem
from service.web.shared.shapes import shapes
from service.words import called, rulebooks, spoken

blueprint = Blueprint("titles", __name__, url_prefix="/api/v1/titles", description="Titles: the games in their boxes")


@blueprint.route("", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, schemas.Titles)
def list_titles() -> Any:
    """List the titles you can play here"""
    return {"titles": [_line(title) for title in store.titles.values()]}


@blueprint.route("/<string(maxlength=40):title_id>", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, schemas.TitleWhole)
def show_title(title_id: str) -> Any:
    """A title: its options, choices, commands and names"""
    title, shape = _title(title_id), shapes(title_id)
    language = spoken(title.face.words, lang())
    return {
        **_line(title),
        "options": json_schema(shape.options),
        "choice": json_schema(shape.choice),
        "commands": {tag: json_schema(schema) for tag, schema in shape.commands.items()},
        "names": {name: language.name(name) for name in title.face.words.names},
        "notes": [say(note, language, str) for note in title.face.notes],
    }


@blueprint.route("/<string(maxlength=40):title_id>/rules", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, {"type": "string"}, content_type="text/markdown")
def show_rules(title_id: str) -> Any:
    """The numbered rules of a title, as Markdown

    A rule whose translation is out of date comes in English.
    """
    title = _title(title_id)
    rules = rulebooks.text(title.catalogue, title.prefix, lang())
    return Response(rules, content_type="text/markdown; charset=utf-8")


def _title(title_id: str) -> Title:
    title = store.titles.get(title_id)
    if title is None:
        raise Problem("not_found")
    return title


def _line(title: Title) -> dict[str, Any]:
    return {
        "id": title.id,
        "name": called(title, lang()),
        "rules": title.rules.version,
        "seats": list(title.seating.seats),
        "bots": list(title.bots),
    }
