"""The beat's Celery application.

It names tasks without importing them, which halves a worker's start-up time and memory.
"""

from typing import Any

from celery.signals import setup_logging

from config import logging as logs
from config.celery import make_celery
from config.files import keep_private
from config.settings import Settings

keep_private()
settings = Settings()
app = make_celery(settings)


@setup_logging.connect
def _log_as_everywhere(loglevel: int, **_: Any) -> None:
    logs.configure_celery(settings, loglevel)
