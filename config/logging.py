"""Logs: one line for each thing that happened, as JSON in production and in colour at a terminal.

No token, mail address, cookie or hand of cards is ever logged: callers name rules, kinds and numbers, and what
looks like a secret all the same is struck out on its way.
"""

import faulthandler
import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from logging.handlers import WatchedFileHandler
from typing import Any

from config.files import FILE
from config.settings import Settings


@contextmanager
def _without(library: str) -> Iterator[None]:
    """Let imports find that a library is not there, unless it is loaded already."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]
    yield
    del sys.modules[library]


with _without("rich"):  # structlog would load it and pygments, 3 MB, for tracebacks in colour; ours are plain text
    import structlog

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
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    last: Any = structlog.dev.ConsoleRenderer() if settings.embedded else structlog.processors.JSONRenderer()
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(last))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    open_security_log(settings)


def _shared() -> list[Any]:
    """What is done to each event first, whoever writes it."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        strike_out,
    ]


def _formatter(last: Any) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.ExtraAdder(allow=FACTS), *_shared()],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )


# ==== security events =============================================================================
SECURITY = "security"
"""The name of their logger, in each of their lines."""
logging.getLogger(SECURITY).addHandler(logging.NullHandler())  # without one, Python writes warnings by itself


def security_log() -> Any:
    """The log of security events (`service.base.security`), however much else is logged."""
    return structlog.wrap_logger(
        logging.getLogger(SECURITY),
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )


def open_security_log(settings: Settings) -> None:
    """Let security events go where the settings say: to a file of their own, or along with the others.

    At home, where a terminal shows the others, only those worth a look do.
    """
    log = logging.getLogger(SECURITY)
    for old in log.handlers[:]:
        if isinstance(old, _OwnFile):
            log.removeHandler(old)
            old.close()
    log.propagate = not settings.security_log
    log.setLevel(logging.WARNING if settings.embedded and log.propagate else logging.INFO)
    if settings.security_log:
        try:
            own = _OwnFile(settings.security_log, encoding="utf-8")
        except OSError:  # each line tries again
            own = _OwnFile(settings.security_log, encoding="utf-8", delay=True)
        own.setFormatter(_formatter(structlog.processors.JSONRenderer()))
        log.addHandler(own)


class _OwnFile(WatchedFileHandler):
    """A file that is its owner's alone. It may be moved away (logrotate): the next line begins a new one.

    Where it cannot be opened a line goes along with the others: nobody is shut out for it, and nothing is lost.
    """

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            logging.getLogger().handle(record)

    def _open(self) -> Any:
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=partial(os.open, mode=FILE))


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
