"""Read the heads of requests by gunicorn's parser, and those that are as most are at less cost.

A head in which every line is a plain header field comes to the same by one pattern a line. Whatever is otherwise goes
to gunicorn's own rules, which refuse it or know what to do with it.
"""

import re
from typing import Any

from gunicorn.http import message, parser

_FIELD = re.compile(r"([!#$%&'*+.^`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)")
_LINE_END = 2


class Settings:
    """gunicorn's settings, each looked up once: it asks for some dozens of them a request."""

    def __init__(self, settings: Any):
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._settings, name)
        setattr(self, name, value)
        return value


class Request(message.Request):  # type: ignore[misc]
    def parse_headers(self, data: bytes, from_trailer: bool = False) -> list[tuple[str, str]]:
        plain = None if from_trailer else self._plain(data)
        if plain is not None:
            return plain
        found: list[tuple[str, str]] = super().parse_headers(data, from_trailer)
        return found

    def _plain(self, data: bytes) -> list[tuple[str, str]] | None:
        """Return the fields of a head in which all are plain; None for any other."""
        lines = data.decode("latin-1").split("\r\n")
        if len(lines) > self.limit_request_fields or self.cfg.secure_scheme_headers:
            return None
        longest = self.limit_request_field_size - _LINE_END
        fields, once = [], set()
        for line in lines:
            found = _FIELD.fullmatch(line)
            if found is None or len(line) > longest:
                return None
            name = found[1].upper()
            if name in message.RFC9110_5_3_SINGLETON_FIELDS:
                if name in once:
                    return None
                once.add(name)
            elif name == "EXPECT":
                return None
            fields.append((name, found[2].rstrip(" \t")))
        return fields


class Parser(parser.RequestParser):  # type: ignore[misc]
    mesg_class = Request
