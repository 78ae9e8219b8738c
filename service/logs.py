"""Logs: a JSON object a line, or plain text. No tokens, no bodies, no query strings."""

import logging
import logging.config
import re
import secrets
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

REQUEST_ID = "X-Request-ID"
_GOOD_ID = re.compile(r"[A-Za-z0-9._~+/=-]{1,64}")
_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class _Json(logging.Formatter):
    """What was given as `extra` becomes members of the line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class _Text(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")


def settings(form: str, level: str = "INFO") -> dict[str, Any]:
    """For `logging.config.dictConfig`; all goes to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": _Json if form == "json" else _Text}},
        "handlers": {"standard": {"class": "logging.StreamHandler", "formatter": "line", "stream": sys.stderr}},
        "root": {"level": "WARNING", "handlers": ["standard"]},
        "loggers": {
            "service": {"level": level},
            "gunicorn.error": {"level": "WARNING", "propagate": True, "handlers": []},
        },
    }


def configure(form: str, level: str = "INFO") -> None:
    logging.config.dictConfig(settings(form, level))


def request_id(given: str | None) -> str:
    """The caller's own, if it can stand in a log, else a new one."""
    return given if given and _GOOD_ID.fullmatch(given) else secrets.token_hex(8)
