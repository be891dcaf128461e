"""The readable page of the API, made from the OpenAPI document; it loads nothing from elsewhere."""

from typing import Any, NamedTuple

from flask import Blueprint, current_app, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

from service.web.api.api import PREFIX, Api
from service.web.shared.context import lang, store
from service.web.shared.problems import KINDS
from service.words import called, said

blueprint = Blueprint(
    "api_page",
    __name__,
    url_prefix=PREFIX,
    template_folder="templates",
    static_folder="static",
    static_url_path="/docs/static",
)

_markdown = MarkdownIt("commonmark", {"html": False})


class Row(NamedTuple):
    """A field or parameter: name, type, required, meaning."""

    name: str
    type: str
    required: bool
    text: str


class Operation(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    text: Markup
    scopes: str
    parameters: list[Row]
    body: list[Row]
    answers: list[tuple[str, str, list[Row]]]


@blueprint.get("/docs")
def show() -> str:
    """Return the page."""
    api: Api = current_app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    document = api.spec.to_dict()
    return render_template(
        "api_docs.html",
        info=document["info"],
        introduction=_html(document["info"]["description"]),
        groups=_groups(document),
        commands=[(title, called(store.titles[title], lang()), listed) for title, listed in _commands(document)],
        problems=[
            (name, kind.status, said(kind.title, lang()), _html(said(kind.detail, lang())))
            for name, kind in KINDS.items()
        ],
    )


def _html(text: str) -> Markup:
    return Markup(_markdown.render(text))


def _groups(document: dict[str, Any]) -> list[tuple[str, str, list[Operation]]]:
    """Return the operations by tag, in the order of the document."""
    gathered: dict[str, list[Operation]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                common = item.get("parameters", [])
                gathered[operation["tags"][0]].append(_operation(document, path, method, operation, common))
    return [(tag["name"], tag["description"], gathered[tag["name"]]) for tag in document["tags"]]


def _operation(document: dict[str, Any], path: str, method: str, operation: dict[str, Any], common: Any) -> Operation:
    content: dict[str, dict[str, Any]] = operation.get("requestBody", {}).get("content", {})
    answers = [
        (status, answer["description"], _fields(document, _schema(answer)))
        for status, answer in operation["responses"].items()
        if status != "default" and "$ref" not in answer and status < "400"
    ]
    return Operation(
        f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}",
        method.upper(),
        path,
        operation.get("summary", ""),
        _html(operation.get("description", "")),
        _scopes(operation.get("security", [])),
        [_parameter(it) for it in (*common, *operation.get("parameters", []))],
        _fields(document, next(iter(content.values()), {}).get("schema", {})),
        answers,
    )


def _schema(answer: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = next(iter(answer.get("content", {}).values()), {})
    schema: dict[str, Any] = content.get("schema", {})
    return schema


def _scopes(security: list[dict[str, list[str]]]) -> str:
    """Return the required access in words."""
    token = next((keys["token"][0] for keys in security if "token" in keys), None)
    who = f"token with scope {token}, or a signed-in browser" if token else "a signed-in browser"
    if not security:
        return "anybody"
    if security == [{}]:
        return "anybody with the secret address"
    return f"anybody; {who} sees more" if {} in security else who


def _parameter(parameter: dict[str, Any]) -> Row:
    text = parameter.get("description") or parameter["schema"].get("description", "")
    return Row(
        f"{parameter['name']} ({parameter['in']})", _type(parameter["schema"]), parameter.get("required", False), text
    )


def _fields(document: dict[str, Any], schema: dict[str, Any]) -> list[Row]:
    """Return the fields of an object, with those of nested objects after a dot."""
    schema = _resolved(document, schema)
    rows: list[Row] = []
    for name, field in schema.get("properties", {}).items():
        required = name in schema.get("required", [])
        rows.append(Row(name, _type(field), required, field.get("description", "")))
        inner = field.get("items", field)
        if "$ref" in inner and "/Command" not in inner["$ref"]:
            rows += [Row(f"{name}.{it.name}", *it[1:]) for it in _fields(document, inner)]
    return rows


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        found: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def _type(schema: dict[str, Any]) -> str:
    """Return a type in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(str(it) for it in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "anyOf" in schema:
        return " or ".join(_type(it) for it in schema["anyOf"])
    kinds = schema.get("type", "anything")
    said = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
    bounds = [schema.get(name) for name in ("minimum", "maximum")]
    return f"{said} {bounds[0]}–{bounds[1]}" if None not in bounds else said


def _commands(document: dict[str, Any]) -> list[tuple[str, list[tuple[str, str, list[Row]]]]]:
    """Return the commands of each title."""
    titles: dict[str, list[tuple[str, str, list[Row]]]] = {}
    for name, schema in document["components"]["schemas"].items():
        title, _, command = name.partition(".")
        if command and command not in ("options", "choice") and "." not in command:
            rows = [row for row in _fields(document, schema) if row.name != "command"]
            titles.setdefault(title, []).append((command, schema.get("description", ""), rows))
    return list(titles.items())
