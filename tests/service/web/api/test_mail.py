"""The mail history in the API."""

from sqlalchemy import insert

from service.base.clock import HOUR, iso
from service.notices.ledger import HISTORY
from tests.service.web.api.world import Asker, World


def test_the_history_of_an_email_lists_each_step(world: World, alice: Asker, game_id: str) -> None:
    mails = alice.get("/me/notices").json["notices"]  # type: ignore[index]
    [mail] = [each for each in mails if (each["game_id"], each["kind"]) == (game_id, "turn")]
    [queued] = mail["history"]
    assert {**queued, "at": None} == {"at": None, "what": "queued", "detail": "", "until": None}
    at = 1_800_000_000_000
    held = {"notice_id": mail["id"], "at": at, "what": "held_quiet", "detail": str(at + HOUR)}
    with world.store.write() as conn:
        conn.execute(insert(HISTORY), [held, {**held, "what": "failed", "detail": "nobody was there"}])
    [told] = [each for each in alice.get("/me/notices").json["notices"] if each["id"] == mail["id"]]  # type: ignore[index]
    assert told["history"] == [
        queued,
        {"at": iso(at), "what": "held_quiet", "detail": "", "until": iso(at + HOUR)},
        {"at": iso(at), "what": "failed", "detail": "nobody was there", "until": None},
    ]
