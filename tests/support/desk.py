"""The service inside the test's own process, over a real Redis: for tests that hold the clock or break a bot."""

import json
import time
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from service import clock
from service.app import create_app
from service.config import Config, Limit
from service.games.model import Table
from service.games.tables import fetch
from service.queue import waiting
from service.store.store import Store
from service.workers import jobs
from tests.support.serving import Client, Reply, Wire

FREE = Limit(0, 60)


@dataclass
class InProcess(Client):
    """The client of an application that needs no server."""

    app: Flask | None = None

    def be(self, token: str) -> "InProcess":
        return InProcess(self.base, token, self.headers, app=self.app)

    @property
    def operator(self) -> "InProcess":
        assert self.app is not None
        return InProcess("", app=self.app.extensions["operations"])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        assert self.app is not None
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body)
        reply = self.app.test_client().open(
            path, method=method, data=data, headers=sent, content_type="application/json"
        )
        return self._reply(reply.status_code, reply.get_data(), reply.headers)


class HeldClock:
    """The service's clock, which goes on only when the test moves it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: float | None = None) -> None:
        self.at = at or float(int(time.time()))
        monkeypatch.setattr(clock, "now", lambda: self.at)

    def move(self, seconds: float) -> None:
        self.at += seconds


class Desk:
    """A store, an application over it, and workers' work done by hand."""

    def __init__(self, redis_url: str, *queue_urls: str, **settings: Any) -> None:
        limits = dict.fromkeys(("create", "join", "move", "poll", "advice"), FREE)
        wanted: Wire = {"limits": limits, "max_queue_seconds": 0, "games_per_caller": 0, "queue_urls": queue_urls}
        config = Config(redis_url=redis_url, **wanted | settings)
        self.store = Store.connect(config)
        self.api = InProcess("", app=create_app(config, self.store))

    def table(self, path: str) -> Table:
        table = fetch(self.store, path.rpartition("/")[2])
        assert table is not None
        return table

    def work(self, path: str) -> None:
        """What a worker does in a game that it has taken."""
        jobs.play_on(self.store, path.rpartition("/")[2], waiting.SLICE_SECONDS[waiting.SOON])

    def clear_queues(self) -> None:
        """Of what other tests left there."""
        queue = self.store.queue
        queue.delete("due", *(key for name in ("turns:*", "advice:*", "rq:queue:*") for key in queue.keys(name)))

    def history(self, path: str) -> list[Wire]:
        events: list[Wire] = []
        while True:
            page = self.api.get(f"{path}/events?limit=1000&after={len(events)}").body
            events += page["events"]
            if not page["more"]:
                return events
