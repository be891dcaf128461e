"""The nightly check of every game, visible to everybody."""

from typing import Any

from msgspec.structs import asdict

from service.proof import checks
from service.proof.checks import Run
from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.shared.context import lang, spectator, store

blueprint = Blueprint("checks", __name__, url_prefix="/api/v1/checks", description="The nightly check of every game")


@blueprint.route("", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, schemas.Checks)
def list_checks() -> Any:
    """List the results of the nightly checks

    Each check proves every game of the installation: its chain, every decision, every draw. It names differences only
    in games that the caller may see. `wrong` and `not_proved` count all games.
    """
    with store.read() as conn:
        runs = checks.runs(conn)
        found = {it.id: checks.differences_for(conn, spectator(), it.id) if it.wrong else [] for it in runs}
    return {"checks": [_run(it, found[it.id]) for it in runs]}


def _run(run: Run, found: list[checks.Difference]) -> dict[str, Any]:
    return {
        **asdict(run), "not_proved": run.not_proved, "seconds": run.spent / 1000,
        "differences": [{"game": it.game_id, "ply": it.ply, "what": it.what(lang()) or None} for it in found],
    }  # fmt: skip
