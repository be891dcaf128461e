"""The workers' application, which kills itself (SIGKILL) as soon as an answer has acted."""

import os
import signal
from collections.abc import Callable
from typing import Any

from tests.workers.lanterns_app import app
from workers import incoming

__all__ = ["app"]


def _dying(function: Callable[..., Any]) -> Callable[..., Any]:
    def dies(*given: Any, **more: Any) -> Any:
        function(*given, **more)
        os.kill(os.getpid(), signal.SIGKILL)

    return dies


incoming.by_mail.submit = _dying(incoming.by_mail.submit)  # type: ignore[assignment]
