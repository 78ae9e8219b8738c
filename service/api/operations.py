"""Tell operators whether the service is alive, ready, and how it is doing; all but the first at OPS_BIND only."""

import orjson
from flask import Flask, Response, current_app
from redis.exceptions import RedisError

from service.api import metrics
from service.api.web import JSON, hub, store


def register_alive(app: Flask) -> None:
    @app.get("/healthz")
    def healthz() -> Response:
        return Response(b'{"status":"ok"}', mimetype=JSON)


def register(app: Flask) -> None:
    @app.get("/readyz")
    def readyz() -> Response:
        """Answer 503 while the store can't be reached, or this process is to stop.

        The answer also tells of a store that takes no writes, of workers and of queues. These keep no requests away:
        games can be looked at.
        """
        if hub().stopping:
            return Response(b'{"status":"stopping"}', 503, mimetype=JSON)
        try:
            refusal = store().redis.refuses_writes()
            facts = metrics.queue_facts(store())
        except RedisError as error:
            return Response(orjson.dumps({"status": "no store", "detail": str(error)}), 503, mimetype=JSON)
        behind = facts["oldest"] > metrics.STALE_QUEUE_SECONDS
        status = refusal or ("no workers" if not facts["workers"] else "behind" if behind else "ok")
        return Response(orjson.dumps({"status": status, **facts}), mimetype=JSON)

    @app.get("/metrics")
    def exposition() -> Response:
        text = metrics.exposition(store(), current_app.extensions["traffic"])
        return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")
