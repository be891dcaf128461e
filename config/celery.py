"""The setup of Celery: the broker, the queues and the beat. No task is defined here.

A message is only a hint to look at the outbox or at the games that wait for a bot. If a message is lost, the sweeps of
the beat find its work. Sweeps may run twice and may run late.
"""

from datetime import timedelta
from typing import Any

from celery import Celery
from kombu.entity import Queue

from config import broker
from config.files import private_files, private_folder
from config.settings import Settings

SEND_DUE_MAIL = "mail.send_due"
FETCH_MAIL = "mail.fetch"
READ_MAIL = "clock.read_mail"
MEND_RECIPIENTS = "clock.mend"
PLAY_BOTS = "bots.play"
SWEEP_BOTS = "bots.sweep"
CALL_WEBHOOKS = "webhooks.call_due"
CHECK_GAMES = "checks.step"
DRAW_PAGES = "checks.draw"
RECORD_GAMES = "checks.record"
MATCH_WISHES = "clock.match"
TIDY = "clock.tidy"
SWEEP_CLOCKS = "clock.sweep"
TELL_OPERATORS = "webhooks.alarm"

QUEUES = ("mail", "bots", "clock", "webhooks", "checks")
MAIL_TICK = 0.5
"""Seconds between two looks at the outbox and at mail from ``slowtrain receive``. It bounds the delay of a mail after
its settle time, and the broker need not keep a delayed message for it.
"""
WEBHOOK_TICK = 2.0
"""Seconds between two looks at the calls that are due to webhooks."""
ALARM_TICK = 60.0
"""Seconds between two checks whether operators need an alarm."""


def make_celery(settings: Settings) -> Celery:
    """Return a Celery application for these settings, for publishing or for registering tasks."""
    broker.install()
    app = Celery("slowtrain", broker=_address(settings.broker))
    app.conf.update(
        task_default_queue="clock",
        task_queues=[Queue(name) for name in QUEUES],
        task_routes={f"{queue}.*": {"queue": queue} for queue in QUEUES},
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_store_eager_result=False,
        # Acknowledge a task after its end, not before its start, so that the broker requeues the task of a lost worker.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_soft_shutdown_timeout=10,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=not settings.broker.startswith("filesystem"),
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=2,
        # Drop a hint that cannot be published at once; the next sweep finds its work.
        task_publish_retry=False,
        broker_transport_options=_transport(settings),
        timezone="UTC",
        beat_schedule=_beat(settings),
        beat_scheduler="config.beat:Ticks",  # in memory: it has no state worth a file
    )
    return app


def _address(broker: str) -> str:
    return f"{broker}localhost" if broker == "filesystem://" else broker  # kombu rejects an address without a host


def switched_off(settings: Settings) -> frozenset[str]:
    """Return the sweeps that these settings switch off."""
    wanted = {READ_MAIL: settings.answerable, FETCH_MAIL: settings.fetches, TELL_OPERATORS: settings.alarms}
    return frozenset(name for name, runs in wanted.items() if not runs)


def _beat(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the schedule of the sweeps. No tick expires: the expiry would use the beat's clock, and clocks differ."""
    every = {
        SEND_DUE_MAIL: min(MAIL_TICK, settings.sweep_seconds),
        READ_MAIL: min(MAIL_TICK, settings.sweep_seconds),
        FETCH_MAIL: settings.sweep_seconds,
        SWEEP_BOTS: settings.sweep_seconds,
        SWEEP_CLOCKS: settings.sweep_seconds,
        CALL_WEBHOOKS: min(WEBHOOK_TICK, settings.sweep_seconds),
        TELL_OPERATORS: ALARM_TICK,
        CHECK_GAMES: 60.0,
        DRAW_PAGES: settings.sweep_seconds,
        RECORD_GAMES: settings.sweep_seconds,
        MATCH_WISHES: settings.sweep_seconds,
        TIDY: 3600.0,
        MEND_RECIPIENTS: 6 * settings.sweep_seconds,
    }
    idle = switched_off(settings)
    running = {name: pause for name, pause in every.items() if name not in idle}
    return {name: {"task": name, "schedule": timedelta(seconds=pause)} for name, pause in running.items()}


def _transport(settings: Settings) -> dict[str, Any]:
    if settings.broker.startswith("filesystem"):
        folder = private_folder(settings.data_dir) / "broker"
        private_folder(folder)
        for name in ("messages", "control"):
            within = private_folder(folder / name)
            private_files(file for file in within.iterdir() if file.is_file())
        broker.tidy(folder / "messages")
        return {
            "data_folder_in": str(folder / "messages"),
            "data_folder_out": str(folder / "messages"),
            "control_folder": str(folder / "control"),
            "polling_interval": broker.POLL,
        }
    if settings.broker.startswith(("redis", "rediss", "unix")):
        return {
            # A dead worker's messages return within the timeout plus one interval. kombu's defaults (10 s x 10) made
            # this 100 seconds when we measured it.
            "visibility_timeout": 60,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "max_retries": 0,  # otherwise a publisher waits over two seconds before the next try
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
            "health_check_interval": 15,
        }
    return {}
