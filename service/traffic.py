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
from flask import Flask, Response, request
from prometheus_client.core import HistogramMetricFamily

from service.errors import CODES
from service.logs import REQUEST_ID, request_id

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
        self.slot = 0

    def began(self) -> None:
        request.environ["traffic"] = time.perf_counter(), request_id(request.headers.get(REQUEST_ID))

    def ended(self, response: Response) -> Response:
        began, id_ = request.environ["traffic"]
        seconds = time.perf_counter() - began
        response.headers[REQUEST_ID] = id_
        waited = request.method == "GET" and "wait" in request.args if request.query_string else False
        self._count(seconds, response.status_code, waited)
        if self._logged != "none":
            slow = seconds > SLOW_SECONDS and not waited
            if self._logged == "all" or slow or response.status_code >= 500:
                self._tell(id_, seconds, response.status_code)
        return response

    def _count(self, seconds: float, status: int, waited: bool) -> None:
        route = request.url_rule.rule if request.url_rule else _OTHER
        kind = (request.method, _waiting(route) if waited else route, str(status))
        row = self._rows.get(kind) or self._rows.get((*kind[:2], _OTHER)) or self._rows[(_OTHER,) * 3]
        counts = self._table[self.slot, row]
        counts[bisect_left(LIMITS, seconds)] += 1
        counts[_SUM] += seconds

    def _tell(self, id_: str, seconds: float, status: int) -> None:
        log.log(
            logging.WARNING if status >= 500 else logging.INFO,
            "%s %s %d", request.method, request.path, status,
            extra={
                "request": id_, "method": request.method, "path": request.path, "status": status,
                "route": request.url_rule.rule if request.url_rule else None,
                "ms": round(1000 * seconds, 2), "caller": request.remote_addr,
            },
        )  # fmt: skip

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


def register(app: Flask, slots: int, logged: str) -> None:
    traffic = app.extensions["traffic"] = Traffic(app, slots, logged)
    app.before_request(traffic.began)
    app.after_request(traffic.ended)
