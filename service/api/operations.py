"""For operators: is it alive, is it ready, how is it doing."""

import orjson
from flask import Flask, Response, current_app
from redis.exceptions import RedisError

from service import metrics
from service.api.web import JSON, hub, store


def register(app: Flask) -> None:
    @app.get("/healthz")
    def healthz() -> Response:
        return Response(b'{"status":"ok"}', mimetype=JSON)

    @app.get("/readyz")
    def readyz() -> Response:
        """503 while the store can't be reached, or this process is to stop; workers and queues are told, and do not
        keep requests away."""
        if hub().stopping:
            return Response(b'{"status":"stopping"}', 503, mimetype=JSON)
        try:
            facts = metrics.queue_facts(store())
        except RedisError as error:
            return Response(orjson.dumps({"status": "no store", "detail": str(error)}), 503, mimetype=JSON)
        behind = facts["oldest"] > metrics.STALE_QUEUE_SECONDS
        status = "no workers" if not facts["workers"] else "behind" if behind else "ok"
        return Response(orjson.dumps({"status": status, **facts}), mimetype=JSON)

    @app.get("/metrics")
    def exposition() -> Response:
        text = metrics.exposition(store(), current_app.extensions["traffic"])
        return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")
