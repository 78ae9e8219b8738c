"""Log a JSON object a line, or plain text: no tokens, no bodies, no query strings. What callers send stays on its line,
whatever characters it has."""

import json
import logging
import logging.config
import re
import secrets
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

from service.wire import Wire

REQUEST_ID = "X-Request-ID"
_GOOD_ID = re.compile(r"[A-Za-z0-9._~+/=-]{1,64}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class _Json(logging.Formatter):
    """Formats a record as JSON; what was given as `extra` becomes members of the line."""

    def format(self, record: logging.LogRecord) -> str:
        line: Wire = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        try:
            text = orjson.dumps(line, default=str).decode()
        except TypeError:  # half a character
            text = json.dumps(line, default=str)
        return _CONTROL.sub(_in_json, text)


class _Text(logging.Formatter):
    """Formats a record as text. A traceback keeps its lines, each indented: none of them begins as a message does."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - so it is in logging
        return escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"    {escaped(line)}" for line in super().formatException(ei).split("\n"))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return "\n".join(f"    {escaped(line)}" for line in stack_info.split("\n"))


def escaped(text: str) -> str:
    """Replace characters that end a line, command a terminal, or turn the direction of writing."""
    return _CONTROL.sub(_in_text, text)


def _in_text(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def settings(form: str, level: str = "INFO") -> Wire:
    """Return the settings for `logging.config.dictConfig`; all goes to standard error."""
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
    """Return the caller's own id, if it can stand in a log, else a new one."""
    return given if given and _GOOD_ID.fullmatch(given) else secrets.token_hex(8)
