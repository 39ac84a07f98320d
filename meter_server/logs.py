"""One log for everything: our own lines and those of the libraries, as JSON or as text."""

import json
import re
import sys
from contextlib import suppress
from functools import lru_cache
from logging import captureWarnings
from logging.config import dictConfig
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_URL_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]*(?=@)")
_SECRET_NAME = re.compile(r"password|secret|token|authorization|cookie|(^|_)pin$", re.IGNORECASE)
_HIDDEN = "[hidden]"


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Blank out values whose name says secret, and passwords inside addresses."""
    return {name: _hide(name, value) for name, value in event.items()}


def _hide(name: str, value: Any) -> Any:
    if _says_secret(name):
        return _HIDDEN
    if isinstance(value, str) and "://" in value:
        return _URL_PASSWORD.sub(rf"\1:{_HIDDEN}", value)
    return value


@lru_cache(maxsize=1024)  # the same few names in every line
def _says_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


# Applied to every line, whether it came through structlog or through the standard library.
_COMMON: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def library_configuration(level: str, log_format: str) -> dict[str, Any]:
    """Give the standard library's logging configuration; granian wants it as a dictionary."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": _formatter, "log_format": log_format}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": sys.stderr}
        },
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {
            "_granian": {"propagate": True},
            # The pool reports every connection it lends; only its troubles are news.
            "psycopg.pool": {"level": "WARNING"},
            # A task is worth a line when it ends, not one more when it arrives.
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def configure(level: str, log_format: str) -> None:
    """Send every log line of this process in one form to standard error."""
    dictConfig(library_configuration(level, log_format))
    captureWarnings(True)
    # Not by way of the standard library: every request has a line, and that takes three times as
    # long.
    structlog.configure(
        processors=[*_COMMON, *_rendering(log_format)],
        logger_factory=_Named,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


class _Named:
    """Writes to standard error, and knows which part of the program it belongs to.

    A log that cannot be written, for a full disk or a pipe that is closed, breaks nothing else; nor
    does a line that cannot be made (see _made).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._to = structlog.WriteLogger(sys.stderr)

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            self._to.msg(line)

    debug = info = warning = error = critical = exception = msg


def _formatter(log_format: str) -> structlog.stdlib.ProcessorFormatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_COMMON,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *_rendering(log_format),
        ],
    )


def _rendering(log_format: str) -> list[Processor]:
    renderers: dict[str, Processor] = {
        "json": structlog.processors.JSONRenderer(_json),
        # Plain tracebacks: pretty ones print local variables, and with them secrets.
        "console": structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        ),
    }
    return [structlog.processors.format_exc_info, hide_secrets, _made(renderers[log_format])]


def _json(event: EventDict, **options: Any) -> str:
    """By the compiled encoder; what that refuses, the plain one may still write."""
    try:
        return orjson.dumps(event, **options).decode()
    except orjson.JSONEncodeError:
        return json.dumps(event, ensure_ascii=False, **options)


def _made(render: Processor) -> Processor:
    """The line; or, where a value of it cannot be written, one that says so."""

    def line(logger: WrappedLogger, method: str, event: EventDict) -> Any:
        try:
            return render(logger, method, event)
        except Exception as error:  # noqa: BLE001 - a value's own code may raise anything
            lost = {"event": "a line of the log cannot be written", "reason": type(error).__name__}
            return render(logger, method, {**lost, "level": method, "of": str(event.get("event"))})

    return line
