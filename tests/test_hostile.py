"""Some hostile mails into a store: nothing acts, nothing fails. ``python -m tests.hostile`` sends 100,000."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.settings import Settings
from domain.title import Title
from service.database.store import Store
from service.post.child import ReadingChild
from tests.hostile import Run, begun


@pytest.mark.long
def test_hostile_mails_change_no_game_and_an_order_would_be_found_out(
    store_in: Callable[..., Store], tmp_path: Path, toy_title: Title
) -> None:
    store = store_in(Settings(_env_file=None, data_dir=tmp_path))  # type: ignore[call-arg]
    letters = begun(store, ["toy"], 1, 1)
    waiting = next(it for it in letters if it.orders)
    with ReadingChild() as child:
        run = Run(store, letters, 1, child)
        run.go(60, 600)
        assert run.ended() == []
        assert {"nothing", "automatic", "unreadable"} <= run.became.keys()
        order = f"From: ann@example.org\nMessage-ID: <1@x.example>\n\n{waiting.orders[0]}\n".encode()
        run.mails = iter([("an order", waiting.answers, "ann@example.org", order)])
        run.one()
        assert len(run.ended()) == 2
