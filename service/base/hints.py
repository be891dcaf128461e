"""Hints to the workers that there is work: a message with the task's name, after the commit.

A hint may be late, doubled or lost, since the sweeps find the work. So sending one never fails, never waits and never
slows a move: a thread of the process publishes, and drops hints while the broker is away.
"""

import logging
import queue
import threading
import time

from celery import Celery

from config.celery import (
    CALL_WEBHOOKS,
    DRAW_PAGES,
    MATCH_WISHES,
    PLAY_BOTS,
    READ_MAIL,
    SEND_DUE_MAIL,
    SWEEP_BOTS,
    make_celery,
)
from config.settings import Settings

log = logging.getLogger(__name__)

WAITING = 1000
"""The most hints that wait for publication; more are dropped."""
REST = 5.0
"""Seconds without a try after the broker refused a hint."""

_hints: "queue.Queue[tuple[str, str]]" = queue.Queue(WAITING)
_lock = threading.Lock()
_celery: Celery | None = None
_publisher: threading.Thread | None = None


def configure(settings: Settings | None) -> None:
    """Set where hints go. Before the first call (or after None) there are no workers, and `wake` does nothing."""
    global _celery
    _celery = make_celery(settings) if settings is not None else None


def wake(kind: str, game_id: str = "") -> None:
    """Tell the workers that there is work of this kind.

    ``"outbox"``: mail is due. ``"webhooks"``: a call is due. ``"incoming"``: mail has arrived. ``"pages"``: one is
    requested. ``"wishes"``: somebody looks for a game, or a kept seat is free. ``"bots"``: a bot must move, perhaps in
    ``game_id``.
    """
    if _celery is None:
        return
    try:
        _hints.put_nowait((kind, game_id))
    except queue.Full:
        return
    if _publisher is None or not _publisher.is_alive():
        _start()


def _start() -> None:
    """Start the publishing thread: with the first hint, and again in a forked process."""
    global _publisher
    with _lock:
        if _publisher is None or not _publisher.is_alive():
            _publisher = threading.Thread(target=_publish_all, name="hints", daemon=True)
            _publisher.start()


def _publish_all() -> None:
    while True:
        waiting = {_hints.get()}
        while not _hints.empty():
            waiting.add(_hints.get())  # one hint of a kind is enough
        for kind, game_id in waiting:
            try:
                _publish(kind, game_id)
            except Exception as error:  # any error of the broker: the sweep finds the work
                log.warning("hint dropped, the broker does not answer: %s", error)
                time.sleep(REST)
                break


def _publish(kind: str, game_id: str) -> None:
    celery = _celery
    if celery is None:
        return
    if kind == "outbox":
        celery.send_task(SEND_DUE_MAIL, ignore_result=True)
    elif kind == "webhooks":
        celery.send_task(CALL_WEBHOOKS, ignore_result=True)
    elif kind == "incoming":
        celery.send_task(READ_MAIL, ignore_result=True)
    elif kind == "pages":
        celery.send_task(DRAW_PAGES, ignore_result=True)
    elif kind == "wishes":
        celery.send_task(MATCH_WISHES, ignore_result=True)
    elif game_id:
        celery.send_task(PLAY_BOTS, (game_id,), ignore_result=True)
    else:
        celery.send_task(SWEEP_BOTS, ignore_result=True)
