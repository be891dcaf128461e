"""Logs: one line for each thing that happened, as JSON in production and in colour at a terminal.

No token, mail address, cookie or hand of cards is ever logged: callers name rules, kinds and numbers, and what
looks like a secret all the same is struck out on its way.
"""

import faulthandler
import logging
import re
from collections.abc import Mapping
from typing import Any

import structlog

from config.settings import Settings

SECRET_NAMES = frozenset({
    "authorization", "browser", "code", "cookie", "email", "entropy", "hand", "invite", "password", "salt", "secret",
    "session", "token", "address", "words",
})  # fmt: skip
"""Names of values that are never written."""

FACTS = ("game", "ply", "plies", "seat", "cause", "title")
"""What a line of the standard library's logging may say beside its words (``extra``)."""

_SECRETS = (
    (re.compile(r"(?<![^\s@<>\"'=&?/])(?:(?!%40)[^\s@<>\"'=&?/])++(?:@|%40)[^\s@<>\"'=&?/]+\.[^\s@<>\"'&]+", re.I),
     "<address>"),
    (re.compile(r"(?:stk|whs)_[\w-]+"), "<token>"),
    (re.compile(r"((?:/|%2F)(?:sign-in|turn|do|join|unsubscribe|feeds|address|never|confirm)(?:/|%2F))[^\s\"'?<&]+",
                re.I), r"\1<token>"),
    (re.compile(r"\b(invite|token|code)=[^\s&\"']+"), r"\1=<token>"),
)  # fmt: skip
"""What looks like a secret, also within an address that stands in another one, and what is written in its place."""


def configure(settings: Settings, level: int | None = None) -> None:
    """Set up logging for this process: ours and that of the libraries go the same way.

    A process that a signal like a segmentation fault ends says on standard error where each of its threads was.
    """
    if not faulthandler.is_enabled():  # else it was told elsewhere where to say it
        faulthandler.enable()
    if level is None:
        level = logging.getLevelNamesMapping()[settings.log_level or ("WARNING" if settings.embedded else "INFO")]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        strike_out,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    last: Any = structlog.dev.ConsoleRenderer() if settings.embedded else structlog.processors.JSONRenderer()
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(allow=FACTS), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)


def configure_celery(settings: Settings, level: int) -> None:
    """The same for a process of Celery, which is told the level."""
    configure(settings, level)
    for each in ("celery.app.trace", "celery.worker.strategy", "celery.beat"):  # two looks a second are no news
        logging.getLogger(each).setLevel(max(level, logging.WARNING))


def strike_out(_: Any, __: str, event: Any) -> Any:
    """A processor that takes secrets out of an event."""
    return {name: "<hidden>" if name in SECRET_NAMES else _struck(value) for name, value in event.items()}


def _struck(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, instead in _SECRETS:
            value = pattern.sub(instead, value)
    elif isinstance(value, Mapping):
        return strike_out(None, "", value)
    elif isinstance(value, list | tuple):
        return [_struck(each) for each in value]
    return value
