"""Every request: its id, how long it took, a line in the log.

The times are kept in memory that all processes of one gunicorn share, a slot for each, so that any of them can answer
for all at `/metrics`, and none waits for another.
"""

import logging
import mmap
import time
from bisect import bisect_left
from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
from flask import Flask, Response
from prometheus_client.core import HistogramMetricFamily
from werkzeug.routing import Rule

from service.errors import CODES
from service.logs import REQUEST_ID, request_id

Wire = dict[str, Any]
log = logging.getLogger(__name__)

SLOW_SECONDS = 1.0
LIMITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_STATUSES = sorted({200, 201, 202, 204, 304, 308} | {status for status, _ in CODES.values()})
_OTHER = "other"  # a route or status that is not among them
_SUM = len(LIMITS) + 1  # after a count for each limit, and one for what is beyond


class Traffic:
    def __init__(self, app: Flask, slots: int, logged: str):
        rules = [(method, rule.rule) for rule in app.url_map.iter_rules() for method in sorted(rule.methods or ())]
        waits = [(method, _waiting(rule)) for method, rule in rules if method == "GET"]
        kinds = product([*rules, *waits, (_OTHER, _OTHER)], [*map(str, _STATUSES), _OTHER])
        self._rows = {kind: row for row, kind in enumerate(dict.fromkeys((*route, status) for route, status in kinds))}
        shape = (slots, len(self._rows), _SUM + 1)
        self._table: Any = np.frombuffer(mmap.mmap(-1, int(np.prod(shape)) * 8), np.float64).reshape(shape)
        self._logged = logged
        self._slot = 0

    def count_in(self, slot: int) -> None:
        """From now on in that slot; where there are fewer, processes share, and may lose a count."""
        self._slot = slot % len(self._table)

    def began(self, environ: Wire) -> None:
        environ["began"] = time.perf_counter()
        environ["request_id"] = request_id(environ.get("HTTP_X_REQUEST_ID"))

    def ended(self, environ: Wire, rule: Rule | None, response: Response) -> None:
        seconds = time.perf_counter() - environ["began"]
        method, status, route = environ["REQUEST_METHOD"], response.status_code, rule.rule if rule else _OTHER
        response.headers[REQUEST_ID] = environ["request_id"]
        waited = "wait=" in environ["QUERY_STRING"] and method == "GET"
        row = self._row(method, _waiting(route) if waited else route, str(status))
        row[bisect_left(LIMITS, seconds)] += 1
        row[_SUM] += seconds
        worth_a_line = status >= 500 or (seconds > SLOW_SECONDS and not waited)
        if self._logged == "all" or (worth_a_line and self._logged != "none"):
            _tell(environ, route, status, seconds)

    def _row(self, method: str, route: str, status: str) -> Any:
        rows = self._rows
        row = rows.get((method, route, status)) or rows.get((method, route, _OTHER)) or rows[(_OTHER,) * 3]
        return self._table[self._slot, row]

    def collect(self) -> Iterable[HistogramMetricFamily]:
        """For prometheus_client. A wait is counted apart: it takes as long as its caller likes."""
        told = HistogramMetricFamily(
            "red_november_request_seconds", "Time until an answer begins.", labels=["method", "route", "status"]
        )
        counts = self._table.sum(axis=0)
        for labels, row in self._rows.items():
            *buckets, total = counts[row].tolist()
            if any(buckets):
                upto = np.cumsum(buckets).tolist()
                told.add_metric(labels, list(zip([*map(str, LIMITS), "+Inf"], upto)), total)
        yield told


def _waiting(route: str) -> str:
    return f"{route}?wait"


def _tell(environ: Wire, route: str, status: int, seconds: float) -> None:
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    log.log(
        logging.WARNING if status >= 500 else logging.INFO,
        "%s %s %d", method, path, status,
        extra={
            "request": environ["request_id"], "method": method, "path": path, "status": status, "route": route,
            "ms": round(1000 * seconds, 2), "caller": environ.get("REMOTE_ADDR"),
        },
    )  # fmt: skip
