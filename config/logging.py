"""Logs: one line for each event, as JSON in production and in colour on a terminal.

No token, mail address, cookie or hand of cards is ever logged: callers name rules, kinds and numbers. A processor also
strikes out everything that looks like a secret.
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
    """Hide a library from imports, unless it is already loaded."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]
    yield
    del sys.modules[library]


with _without("rich"):  # structlog would load rich and pygments, 3 MB, for coloured tracebacks; ours are plain text
    import structlog

SECRET_NAMES = frozenset({
    "authorization", "browser", "code", "cookie", "email", "entropy", "hand", "invite", "password", "salt", "secret",
    "session", "token", "address", "words",
})  # fmt: skip
"""Names of values that are never logged."""

FACTS = ("game", "ply", "plies", "seat", "cause", "title")
"""The extra fields (``extra``) that lines from the standard library's logging may carry."""

_SECRETS = (
    (re.compile(r"(?<![^\s@<>\"'=&?/])(?:(?!%40)[^\s@<>\"'=&?/])++(?:@|%40)[^\s@<>\"'=&?/]+\.[^\s@<>\"'&]+", re.I),
     "<address>"),
    (re.compile(r"(?:stk|whs)_[\w-]+"), "<token>"),
    (re.compile(r"((?:/|%2F)(?:sign-in|turn|do|join|unsubscribe|feeds|address|never|confirm)(?:/|%2F))[^\s\"'?<&]+",
                re.I), r"\1<token>"),
    (re.compile(r"\b(invite|token|code)=[^\s&\"']+"), r"\1=<token>"),
)  # fmt: skip
"""Patterns of secrets, also inside an encoded address, and the replacement for each."""


def configure(settings: Settings, level: int | None = None) -> None:
    """Set up logging for this process. Our own lines and those of libraries go the same way.

    On a fatal signal such as a segmentation fault, dump all stacks to standard error.
    """
    if not faulthandler.is_enabled():  # otherwise the dump already has a destination
        faulthandler.enable()
    if level is None:
        level = logging.getLevelNamesMapping()[settings.log_level or ("WARNING" if settings.embedded else "INFO")]
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    in_colour = structlog.dev.ConsoleRenderer(colors=handler.stream.isatty())
    last: Any = in_colour if settings.embedded else structlog.processors.JSONRenderer()
    handler.setFormatter(_formatter(last))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    open_security_log(settings)


def _shared() -> list[Any]:
    """Return the processors that every line passes first."""
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
"""The name of the logger for security events; each of their lines contains it."""
logging.getLogger(SECURITY).addHandler(logging.NullHandler())  # without a handler, Python itself prints warnings


def security_log() -> Any:
    """Return the logger for security events (`service.base.security`), which the log level does not silence."""
    return structlog.wrap_logger(
        logging.getLogger(SECURITY),
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )


def open_security_log(settings: Settings) -> None:
    """Open the log of security events as the settings say: its own file, or the common log.

    In the embedded profile the common log, which a terminal shows, gets only warnings.
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
        except OSError:  # the handler retries for each line
            own = _OwnFile(settings.security_log, encoding="utf-8", delay=True)
        own.setFormatter(_formatter(structlog.processors.JSONRenderer()))
        log.addHandler(own)


class _OwnFile(WatchedFileHandler):
    """A log file that only its owner can read. After a rotation (logrotate) the next line starts a new file.

    If the file cannot be opened, the line goes to the common log: no request fails, and no line is lost.
    """

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            logging.getLogger().handle(record)

    def _open(self) -> Any:
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=partial(os.open, mode=FILE))


def configure_celery(settings: Settings, level: int) -> None:
    """Set up logging for a Celery process, which gets its level from Celery."""
    configure(settings, level)
    for each in ("celery.app.trace", "celery.worker.strategy", "celery.beat"):  # two sweeps a second would fill the log
        logging.getLogger(each).setLevel(max(level, logging.WARNING))


def strike_out(_: Any, __: str, event: Any) -> Any:
    """Remove secrets from an event (a structlog processor)."""
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
