"""Account for every request: its id, how long it took, a line in the log.

The times are kept in memory that all processes of one gunicorn share, a slot for each, so that any of them can answer
for all at `/metrics`, and none waits for another.
"""

import logging
import mmap
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from flask import Flask, Response
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from werkzeug.routing import Rule

from service.api.problems import CODES
from service.callers.door import CONNECTIONS, HUNG_UP, PLACES, STREAMS, WAITS
from service.logs import request_id
from service.wire import Wire

log = logging.getLogger(__name__)

SLOW_SECONDS = 1.0
LIMITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
KINDS = (PLACES, CONNECTIONS, STREAMS, WAITS)
_STATUSES = sorted({200, 201, 202, 204, 304, 308, HUNG_UP} | {status for status, _ in CODES.values()})
_OTHER = "other"  # a route or status that is not among them
_SUM = len(LIMITS) + 1  # after a count for each limit, and one for what is beyond


class Traffic:
    def __init__(self, apps: Sequence[Flask], slots: int, logged: str):
        every = [rule for app in apps for rule in app.url_map.iter_rules()]
        rules = [(method, rule.rule) for rule in every for method in sorted(rule.methods or ())]
        waits = [(method, _waiting(rule)) for method, rule in rules if method == "GET"]
        kinds = product([*rules, *waits, (_OTHER, _OTHER)], [*map(str, _STATUSES), _OTHER])
        self._rows = {kind: row for row, kind in enumerate(dict.fromkeys((*route, status) for route, status in kinds))}
        shape = (slots, len(self._rows), _SUM + 1)
        self._table = _shared(shape)
        self._held = _shared((slots, len(KINDS)))
        self._logged = logged
        self._slot = 0

    def count_in(self, slot: int) -> None:
        """Count in that slot from now on. Where there are too few, processes share one, and may lose a count."""
        self._slot = slot % len(self._table)
        self._held[self._slot] = 0

    def begin(self, environ: Wire) -> None:
        environ["began"] = time.perf_counter()
        environ["request_id"] = request_id(environ.get("HTTP_X_REQUEST_ID"))

    def end(self, environ: Wire, rule: Rule | None, response: Response) -> None:
        seconds = time.perf_counter() - environ["began"]
        method, status, route = environ["REQUEST_METHOD"], response.status_code, rule.rule if rule else _OTHER
        waited = "wait=" in environ["QUERY_STRING"] and method == "GET"
        row = self._row(method, _waiting(route) if waited else route, str(status))
        row[bisect_left(LIMITS, seconds)] += 1
        row[_SUM] += seconds
        worth_a_line = status >= 500 or (seconds > SLOW_SECONDS and not waited)
        if self._logged == "all" or (worth_a_line and self._logged != "none"):
            _log(environ, route, status, seconds)

    def count_refusal(self, method: str, status: int) -> None:
        """Count a request that was refused at the front door, before a route was looked for."""
        self._row(method, _OTHER, str(status))[0] += 1

    def note_held(self, held: Mapping[str, int]) -> None:
        """Note what clients hold of this process now, by kind."""
        self._held[self._slot] = [held[kind] for kind in KINDS]

    def _row(self, method: str, route: str, status: str) -> Any:
        rows = self._rows
        for kind in ((method, route, status), (method, route, _OTHER), (_OTHER, _OTHER, status)):
            if kind in rows:
                return self._table[self._slot, rows[kind]]
        return self._table[self._slot, rows[(_OTHER,) * 3]]

    def collect(self) -> Iterable[Metric]:
        """Collect the metrics, for prometheus_client. Waits are apart: they take as long as their callers like."""
        requests = HistogramMetricFamily(
            "red_november_request_seconds", "Time until an answer begins.", labels=["method", "route", "status"]
        )
        counts = self._table.sum(axis=0)
        for labels, row in self._rows.items():
            *buckets, total = counts[row].tolist()
            if any(buckets):
                upto = np.cumsum(buckets).tolist()
                requests.add_metric(labels, list(zip([*map(str, LIMITS), "+Inf"], upto)), total)
        yield requests
        places, *held = self._held.sum(axis=0).tolist()
        yield GaugeMetricFamily("red_november_places", "Connections that there may be.", places)
        gauge = GaugeMetricFamily("red_november_held", "What clients hold of the processes.", labels=["kind"])
        for kind, number in zip(KINDS[1:], held):
            gauge.add_metric([kind], number)
        yield gauge


def _shared(shape: tuple[int, ...]) -> Any:
    """Return an array of zeros in memory that this process shares with those that it forks."""
    return np.frombuffer(mmap.mmap(-1, int(np.prod(shape)) * 8), np.float64).reshape(shape)


def _waiting(route: str) -> str:
    return f"{route}?wait"


def _log(environ: Wire, route: str, status: int, seconds: float) -> None:
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    log.log(
        logging.WARNING if status >= 500 else logging.INFO,
        "%s %s %d", method, path, status,
        extra={
            "request": environ["request_id"], "method": method, "path": path, "status": status, "route": route,
            "ms": round(1000 * seconds, 2), "caller": environ.get("REMOTE_ADDR"),
        },
    )  # fmt: skip
