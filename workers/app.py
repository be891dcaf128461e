"""The Celery application. Each task has a few lines; `config.celery` has the queues and the schedule."""

import logging
from contextlib import suppress
from functools import cache
from typing import Any

from celery.signals import (
    setup_logging,
    task_failure,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)
from kombu.exceptions import OperationalError
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import logging as logs
from config.celery import (
    CALL_WEBHOOKS,
    CHECK_GAMES,
    DRAW_PAGES,
    FETCH_MAIL,
    MATCH_WISHES,
    MEND_RECIPIENTS,
    PLAY_BOTS,
    READ_MAIL,
    RECORD_GAMES,
    SEND_DUE_MAIL,
    SWEEP_BOTS,
    SWEEP_CLOCKS,
    TELL_OPERATORS,
    TIDY,
    make_celery,
)
from config.files import keep_private
from config.memory import give_back_large_pieces
from config.settings import Settings
from service.base import hints
from service.database.engines import ANSWER_SECONDS
from service.database.store import Away, Busy, Outdated, Store, open_store
from service.games import offers, rematches
from service.keeping import erasures, wiping
from service.notices import figures, watch
from service.people import recipients
from service.post.child import ReadingChild
from service.post.fetching import Fetcher
from service.proof import checks
from service.record import rows
from service.wishes import gathering
from workers import alarm, bots, clocks, ending, housekeeping, incoming, outbox, pages, webhooks

log = logging.getLogger(__name__)

keep_private()
give_back_large_pieces()
settings = Settings()
app = make_celery(settings)
app.Task.throws = (Away, Busy, Outdated)  # these are not our bugs: Celery logs one line, and the next sweep continues
hints.configure(settings)


@cache
def store() -> Store:
    """Return the store of this process."""
    return open_store(settings.database, settings=settings, answer_within=ANSWER_SECONDS)


@cache
def patient_store() -> Store:
    """Return a store for work on whole tables, whose statements may take long."""
    return open_store(settings.database, settings=settings)


@cache
def reading_child() -> ReadingChild:
    """Return this process's child, which parses mail."""
    return ReadingChild()


@cache
def fetcher() -> Fetcher:
    """Return this process's fetcher of answers, which keeps its connection."""
    return Fetcher(store())


@setup_logging.connect
def _log_as_everywhere(loglevel: int, **_: Any) -> None:
    logs.configure_celery(settings, loglevel)


@worker_process_init.connect
def _store_of_its_own(**_: Any) -> None:
    """Let a forked worker open its own connection to the database."""
    store.cache_clear()
    patient_store.cache_clear()
    reading_child.cache_clear()
    fetcher.cache_clear()
    figures.begin(store())


@worker_ready.connect
def _count_here(sender: Any, **_: Any) -> None:
    """Begin to count, unless forked children do the work: those begin by themselves."""
    if not sender.pool.uses_semaphore:
        figures.begin(store())


@worker_shutting_down.connect
def _end(**_: Any) -> None:
    ending.begin()


@task_prerun.connect
def _name_the_task(task: Any, **_: Any) -> None:
    """Put the task's name into all its log lines."""
    clear_contextvars()
    bind_contextvars(task=task.name)


@task_postrun.connect
def _note_the_sweep(task: Any, state: str, **_: Any) -> None:
    if state == "SUCCESS" and task.name in SWEEPS:
        with suppress(Away, Busy):
            watch.note(store(), task.name, store().now())
    clear_contextvars()


@task_failure.connect
def _say_that_it_could_not(exception: BaseException, **_: Any) -> None:
    if isinstance(exception, Away | Busy):
        log.warning("the database is away or busy: %s", exception)


SWEEPS = frozenset(entry["task"] for entry in app.conf.beat_schedule.values())


@app.task(name=SEND_DUE_MAIL)
def send_due_mail() -> None:
    """Send the mails that are due."""
    outbox.send_due(store())


@app.task(name=FETCH_MAIL)
def fetch_mail() -> None:
    """Fetch answers to letters from the mailbox of the settings."""
    fetcher().round(store().time())


@app.task(name=READ_MAIL)
def read_mail() -> None:
    """Read the mails that arrived, and execute them."""
    incoming.work_off(store(), reading_child().read)


@app.task(name=MEND_RECIPIENTS)
def mend_recipients() -> None:
    """Add missing rows of recipients, so that no owed mail is overlooked."""
    if wrong := recipients.mend(patient_store(), store().now()):
        log.error("%s recipients were not as the outbox says", wrong)


@app.task(name=PLAY_BOTS)
def play_bots(game_id: str) -> None:
    """Play the bots of one game."""
    bots.play_game(store(), game_id)


@app.task(name=SWEEP_BOTS)
def sweep_bots() -> None:
    """Play the bots of all games that wait for one."""
    bots.play_due(store())


@app.task(name=CALL_WEBHOOKS)
def call_webhooks() -> None:
    """Make the webhook calls that are due."""
    webhooks.send_due(store())


@app.task(name=TELL_OPERATORS)
def tell_operators() -> None:
    """Send alarms about problems that began, still last or are over."""
    alarm.look(store(), store().now())


@app.task(name=SWEEP_CLOCKS)
def sweep_clocks() -> None:
    """Look at the clocks of all games that have some."""
    clocks.sweep(store())


@app.task(name=CHECK_GAMES)
def check_games() -> None:
    """Continue the nightly check of all games. If more is left, start again at once."""
    if checks.step(store(), clock=store().time):
        with suppress(OperationalError):  # the next tick continues
            check_games.apply_async()


@app.task(name=DRAW_PAGES)
def draw_pages() -> None:
    """Draw the requested pages of games."""
    pages.draw_due(store())


@app.task(name=RECORD_GAMES)
def record_games() -> None:
    """Make the record of games that have ended."""
    rows.make_due(store())


@app.task(name=MATCH_WISHES)
def match_wishes() -> None:
    """Bring people together who look for a game, and look at the seats that are kept for them."""
    gathering.sweep(store(), store().now())


@app.task(name=TIDY)
def tidy() -> None:
    """Delete expired data, close tables that waited too long, and complete tables that older releases opened."""
    housekeeping.forget_expired(patient_store(), store().now())
    rematches.close_old(patient_store(), store().now())
    offers.keep_missing(patient_store())
    wiping.wipe_if_due(patient_store(), store().now())
    erasures.keep_list(patient_store())
