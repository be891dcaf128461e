"""A made-up next release, and the one after it: this one's program, with a step more each of the tables.

    python -m tests.next_release COMMAND …      # as slowtrain COMMAND …
    python -m tests.next_release.later COMMAND …

The first adds a table, a column and an index, and keeps a motto for each game in them (``/next/motto/GAME``). The
second takes away a column that this release needs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from service.database import migrations

if TYPE_CHECKING:
    from flask import Flask

HERE = Path(__file__).parent
VERSIONS = (*migrations.VERSIONS, HERE / "versions")
AFTER = (*VERSIONS, HERE / "after")


def main(versions: tuple[Path, ...] = VERSIONS) -> None:
    from service.cli.main import main as slowtrain
    from service.web import app

    migrations.VERSIONS = versions
    create_app = app.create_app

    def create_next(*arguments: Any, **more: Any) -> "Flask":
        made = create_app(*arguments, **more)
        _add_mottos(made)
        return made

    app.create_app = create_next
    slowtrain()


def after_next() -> None:
    main(AFTER)


def _add_mottos(made: "Flask") -> None:
    from flask import request
    from sqlalchemy import text

    store = made.extensions["slowtrain"].store

    @made.post("/next/motto/<game>")
    def keep(game: str) -> Any:
        with store.write() as conn:
            said = {"game": game, "motto": request.get_data(as_text=True)}
            conn.execute(text("UPDATE game SET motto = :motto WHERE id = :game"), said)
            conn.execute(text("INSERT INTO motto (game_id, motto) VALUES (:game, :motto)"), said)
        return {}

    @made.get("/next/motto/<game>")
    def look(game: str) -> Any:
        with store.read() as conn:
            return {"motto": conn.execute(text("SELECT motto FROM game WHERE id = :game"), {"game": game}).scalar()}
