"""The service inside the test's own process, over a real Redis: for tests that hold the clock or break a bot."""

import json
from dataclasses import dataclass
from typing import Any

from flask import Flask

from service import jobs
from service.app import create_app
from service.config import Config, Limit
from service.store import Store
from service.tables import Table, fetch
from tests.serving import Client, Reply, Wire

FREE = Limit(0, 60)


@dataclass
class InProcess(Client):
    """The client of an application that needs no server."""

    app: Flask | None = None

    def be(self, token: str) -> "InProcess":
        return InProcess(self.base, token, self.headers, self.app)

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


class Desk:
    """A store, an application over it, and workers' work done by hand."""

    def __init__(self, redis_url: str):
        limits = dict.fromkeys(("create", "join", "move", "poll", "advice"), FREE)
        config = Config(redis_url=redis_url, limits=limits, max_queue_seconds=0)
        self.store = Store.connect(config)
        self.api = InProcess("", app=create_app(config, self.store))

    def table(self, path: str) -> Table:
        table = fetch(self.store, path.rpartition("/")[2])
        assert table is not None
        return table

    def work(self, path: str) -> None:
        """What a worker does about a hint."""
        jobs.take_turns(path.rpartition("/")[2])

    def history(self, path: str) -> list[Wire]:
        events: list[Wire] = []
        while True:
            page = self.api.get(f"{path}/events?limit=1000&after={len(events)}").body
            events += page["events"]
            if not page["more"]:
                return events
