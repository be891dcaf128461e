"""The workers' application on a machine whose clock is ahead by the seconds of the environment's ``CLOCK_AHEAD``."""

import os
import time
from datetime import datetime, timedelta, tzinfo
from typing import Any

from celery.worker import request

AHEAD = float(os.environ["CLOCK_AHEAD"])
_right = time.time


class Ahead(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return datetime.now(tz) + timedelta(seconds=AHEAD)


time.time = lambda: _right() + AHEAD
request.datetime = Ahead

from tests.workers.lanterns_app import app  # noqa: E402

__all__ = ["app"]
