"""The frame of the API: parsing of bodies, form of answers and problems, and access.

The views stand in `account`, `titles`, `games`, `moves` and `history`.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar, cast

import flask_smorest
import msgspec
from flask import Flask, Request, Response, current_app, json, request
from marshmallow import RAISE, Schema, ValidationError
from webargs import core
from webargs.flaskparser import FlaskParser
from werkzeug.routing import BaseConverter

from service.people.accounts import Scope
from service.web.api import schemas
from service.web.shared.context import by_cookie, person, same_site, spectator
from service.web.shared.problems import PROBLEM_JSON, Problem
from service.web.shared.shapes import LONGEST_LINE, Shapes

PREFIX = "/api/v1"
OPENAPI = "3.1.0"

View = TypeVar("View", bound=Callable[..., Any])

DESCRIPTION = """
Everything the pages can do, and all a program needs to play a seat. Times are RFC 3339 in UTC. Names and sentences
come in English or German: in the language of `Accept-Language` or, without it, of the person's account.

**Callers.** A program sends a personal token: `Authorization: Bearer stk_…`. Create it under *account*, with the scopes
that the program needs. A browser signs in by a mailed link and gets a cookie.

**Moving.** `GET …/actions` lists the commands that would be accepted now. Send one or several back to `POST …/moves`
with the `ETag` of the position as `If-Match`, and an `Idempotency-Key` of your choice. If an answer is lost, send the
same request again. A refusal names its rule and changes nothing.

Instead of a command you can send its line, a text such as `"move-train central_vermont.richmond richmond"`. Each listed
action has one. Instead of `commands` you can send `lines` as a player types them: `"move Richmond with Richmond"`.
`POST …/preview` shows how each line is read. The service never guesses if a line can mean several things. The page
*orders* of each game's rules lists the words.

**Trying out.** `POST …/sandboxes` of a game starts a private copy of a position, to play on. The game does not change.

**Problems** are `application/problem+json` (RFC 9457); their kinds are listed at the end of this page.
"""


# ==== reading =====================================================================================
DEEPEST = 32
"""The deepest nesting of lists and objects. (The interpreter's own limit differs between its versions.)"""


class Parser(FlaskParser):
    """Strict JSON: UTF-8, no NaN, limited depth, and only with the content type of JSON.

    An unknown field is an error in a query as in a body.
    """

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if req.content_length is None and len(body) >= current_app.config["MAX_CONTENT_LENGTH"]:
            raise Problem("too_large")  # sent in chunks, and cut off at the limit
        if not body and not req.content_type:
            return {}
        if not core.is_json(req.mimetype):
            raise Problem("content_type")
        try:
            given = msgspec.json.decode(body)
        except (ValueError, RecursionError):
            raise Problem("malformed") from None
        if body.count(b"{") + body.count(b"[") > DEEPEST and _is_deeper(given, DEEPEST):
            raise Problem("malformed")
        return given

    def load_headers(self, req: Request, schema: Schema) -> dict[str, str]:
        """Return only the headers that ``schema`` names."""
        names = [field.data_key or name for name, field in schema.fields.items()]
        return {name: value for name in names if (value := req.headers.get(name)) is not None}

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **more: Any) -> NoReturn:
        raise Problem("shape", errors=error.messages)


def _is_deeper(given: Any, than: int) -> bool:
    """Are lists and objects nested more than ``than`` deep?"""
    if not isinstance(given, dict | list):
        return False
    inside = given.values() if isinstance(given, dict) else given
    return than == 0 or any(_is_deeper(each, than - 1) for each in inside)


class Blueprint(flask_smorest.Blueprint):
    """A group of addresses of the API."""

    ARGUMENTS_PARSER = Parser()


class GameId(BaseConverter):
    """The id of a game in an address; anything else is not found."""

    regex = "[0-9a-z]{1,26}"


def shape_errors(error: ValidationError, under: str = "json") -> Problem:
    """Return the problem of a shape that a title's own schema refused."""
    return Problem("shape", errors={under: error.messages})


# ==== access ======================================================================================
def needs(scope: Scope | None, *, anybody: bool = False) -> Callable[[View], View]:
    """Restrict a view to callers with a token of this scope, or signed in with a browser.

    ``scope`` None: browsers only. ``anybody``: anonymous callers, too, but a token must still have the scope.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **more: Any) -> Any:
            refuse_other_sites()
            if anybody:
                spectator()
            else:
                person(scope)
            return view(*args, **more)

        return cast(View, described(guarded, security=_security(scope, anybody)))

    return decorate


def refuse_other_sites() -> None:
    """Refuse requests that another site makes a browser send: its cookie comes along."""
    if request.method not in ("GET", "HEAD", "OPTIONS") and by_cookie() and not same_site():
        raise Problem("other_site")


def _security(scope: Scope | None, anybody: bool) -> list[dict[str, list[str]]]:
    keys: list[dict[str, list[str]]] = [{"session": []}]
    if scope is not None:
        keys.insert(0, {"token": [scope]})
    return [*keys, {}] if anybody else keys


def described(view: Any, **doc: Any) -> Any:
    """Add to the description of ``view`` in the OpenAPI document."""
    view._apidoc = deepcopy(getattr(view, "_apidoc", {}))
    view._apidoc.setdefault("manual_doc", {}).update(doc)
    return view


# ==== answering ===================================================================================
def answer(body: Any, status: int = 200) -> Response:
    """Return plain data as an answer in JSON."""
    return Response(msgspec.json.encode(body), status, mimetype="application/json")


def plain(thing: Any) -> Any:
    """Return a struct as plain data for JSON."""
    return msgspec.json.decode(msgspec.json.encode(thing))


def tagged(body: Any, schema: Schema, version: int) -> Response:
    """Return an answer with an ETag: the version shown to the seat, and a hash of the answer.

    Some news leaves the version as it is (a sealed answer, for example), so the version alone would let clients miss
    it.
    """
    response = answer(schema.dump(body))
    response.add_etag()
    etag, _ = response.get_etag()
    tag = f"{version}-{(etag or '')[:10]}"
    response.set_etag(tag)
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.data = b""
        del response.headers["Content-Type"]
    return response


# ==== the document ================================================================================
class Api(flask_smorest.Api):
    """The API with its OpenAPI document. `errors` answers its errors."""

    ERROR_SCHEMA = schemas.Problem

    def _register_error_handlers(self) -> None:
        """Do nothing: `errors.init_app` registers them."""

    def _register_responses(self) -> None:
        problem = {"description": "A problem (RFC 9457).", "content": {PROBLEM_JSON: {"schema": self.ERROR_SCHEMA}}}
        for name in ("DEFAULT_ERROR", *(status.name for status in HTTPStatus)):
            self.spec.components.response(name, deepcopy(problem), lazy=True)


def make_api(app: Flask, shapes: dict[str, Shapes]) -> Api:
    """Make the API for the titles of ``shapes``. The caller registers its views."""
    app.config.update(
        API_TITLE="Slow Train",
        API_VERSION="1",
        OPENAPI_VERSION=OPENAPI,
        OPENAPI_URL_PREFIX=PREFIX,
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": DESCRIPTION},
            "components": {
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer", "description": "A personal token."},
                    "session": {
                        "type": "apiKey",
                        "in": "cookie",
                        "name": "session",
                        "description": "A signed-in browser.",
                    },
                }
            },
        },
    )
    app.url_map.converters["game"] = GameId
    api = Api(app)
    api.register_converter(GameId, lambda _: {"type": "string", "pattern": f"^{GameId.regex}$"})
    api.ma_plugin.converter.add_attribute_function(_referred)
    _describe_titles(api, shapes)
    return api


def _referred(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    if isinstance(field, schemas.Reference):
        return {"$ref": f"#/components/schemas/{field.name_of_schema}"}
    return {}


def _describe_titles(api: Api, shapes: dict[str, Shapes]) -> None:
    """Add commands, options and choices of every title to the document, each under its title's name."""
    components, any_of = api.spec.components, {"Command": [], "Options": [], "Choice": []}  # type: ignore[var-annotated]
    for title, shape in shapes.items():
        named = {**shape.commands, "options": shape.options, "choice": shape.choice}
        for tag, schema in named.items():
            name = f"{title}.{tag}"
            components.schema(name, schema=schema)
            group = tag.capitalize() if tag in ("options", "choice") else "Command"
            any_of[group].append({"$ref": f"#/components/schemas/{name}"})
    any_of["Command"].append(
        {"type": "string", "maxLength": LONGEST_LINE, "description": "The line of a command; see `actions`."}
    )
    for group, members in any_of.items():
        components.schema(group, {"anyOf": members or [{"type": "object"}]})


def json_schema(schema: Schema) -> Any:
    """Return a title's schema as plain JSON schema, for `titles`."""
    api: Api = current_app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    described: Any = api.spec.to_dict()["components"]["schemas"][type(schema).__name__]
    return json.loads(json.dumps(described))
