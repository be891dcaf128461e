"""kill -9 a worker while it works on an answer: it acts once, and is answered once, by the worker that comes after."""

from pathlib import Path

from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.database.store import open_store
from service.post.inbox import INCOMING
from tests.answers import Post, written
from tests.servers import free_port
from tests.service.lanterns import ANN, game
from tests.workers.post import PATIENCE, Sink, outbox, person, smtp_server, table, until
from tests.workers.processes import beat, embedded, worker


def test_an_answer_whose_worker_is_killed_when_it_has_acted_acts_once_and_is_answered_once(
    tmp_path: Path, toy_title: Title
) -> None:
    """Where else it may die is tried in `test_incoming`, without processes."""
    settings: Settings = embedded(tmp_path, mailbox_port=free_port())
    store = open_store(settings.database, settings=settings)
    store.migrate()
    at = store.time()
    game_id = table(store, person(store, "Ann"), person(store, "Bob"), at=at)
    post = Post(store, at + 1)
    post.deliver()
    letter = post.letter("Ann")
    before = game(store, game_id).version
    post.at = store.time()
    post.take(written(letter["Reply-To"], f"choose {min(game(store, game_id).state.hands[ANN])}"), letter["Reply-To"])
    sink = Sink()
    with smtp_server(sink, settings.mailbox_port), beat(settings):
        with worker(settings, app="tests.workers.dying_app", queues="clock", at_once=1) as victim:
            victim.wait(PATIENCE)
        with worker(settings):
            until(lambda: [row.state for row in outbox(store, "receipt")] == ["sent"], what="the receipt")
    with store.read() as conn:
        assert conn.scalars(select(INCOMING.c.state)).all() == ["done"]
    assert game(store, game_id).version == before + 1
    assert [mail["In-Reply-To"] is not None for mail in sink.mails] == [True]
    store.close()
