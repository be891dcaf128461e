"""The web edge for programs: JSON under /api/v1. It checks shapes; the domain decides what is legal."""

from types import ModuleType

from flask import Flask

from service.database.store import Store
from service.web.api import (
    account,
    api,
    audit,
    channels,
    checks,
    docs,
    games,
    health,
    history,
    live,
    mail,
    moves,
    people,
    record,
    sandboxes,
    talk,
    times,
    titles,
    wishes,
    words,
)
from service.web.shared.shapes import shapes_of


def init_app(app: Flask, store: Store, *more: ModuleType) -> None:
    """Register the API with ``app``. ``more``: further parts of it, each with a ``blueprint``."""
    shapes = {name: shapes_of(title) for name, title in store.titles.items()}
    app.extensions["slowtrain_shapes"] = shapes
    made = api.make_api(app, shapes)
    for part in (
        account,
        mail,
        channels,
        titles,
        games,
        words,
        times,
        moves,
        history,
        live,
        audit,
        checks,
        people,
        record,
        sandboxes,
        talk,
        wishes,
        *more,
    ):
        made.register_blueprint(part.blueprint)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(health.blueprint)
