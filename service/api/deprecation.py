"""Mark operations that will end: their answers say so by the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).

The decorator stands right under a view's route, so that refusals of a bad request have the headers, too.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import Any

from flask import Response, after_this_request
from werkzeug.http import http_date

from service.api.web import Blueprint

NOTICE_DAYS = 182  # between the day that an end is announced and the day that it comes
POLICY = "/docs/guide#versions"
NOTICE = "x-notice"  # where a view's documentation says what to use instead


def deprecated(since: date, sunset: date, instead: str) -> Callable[[Any], Any]:
    """Document a view as deprecated, and let each of its answers say so. `instead` tells what to use, as a sentence."""
    if (sunset - since).days < NOTICE_DAYS:
        raise ValueError(f"a sunset is told at least {NOTICE_DAYS} days ahead")
    headers = {
        "Deprecation": f"@{int(_midnight(since).timestamp())}",
        "Sunset": http_date(_midnight(sunset)),
        "Link": f'<{POLICY}>; rel="deprecation"; type="text/html"',
    }

    def mark(view: Any) -> Any:
        @wraps(view)
        def told(*args: Any, **more: Any) -> Any:
            after_this_request(_add)
            return view(*args, **more)

        notice = f"Deprecated: it ends on {sunset.isoformat()}. {instead}"
        return Blueprint.doc(deprecated=True, **{NOTICE: notice})(told)

    def _add(response: Response) -> Response:
        response.headers.extend(headers)
        return response

    return mark


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
