"""The least that our answers can take: Flask, the round trips, the rules and the JSON, and nothing around them."""

import os

import orjson
from flask import Flask, Response

from engine import Game
from service.store.redis_client import Client
from tests.bench.plan import midgame

KEY = "bench:floor"

app = Flask(__name__, static_folder=None)
redis = Client.connect(os.environ["REDIS_URL"])
_BEGAN, _MOVE = midgame()
_FIELDS = {"version": 1, "record": _BEGAN}


def _json(body: object) -> Response:
    return Response(orjson.dumps(body), mimetype="application/json")


@app.get("/")
def ready() -> str:
    redis.hset(KEY, mapping=_FIELDS)  # type: ignore[arg-type]
    return "ok"


@app.get("/poll")
def poll() -> Response:
    redis.ask(("HMGET", KEY, "version"))
    return Response(status=304)


@app.get("/state")
def state() -> Response:
    ((stored,),) = redis.ask(("HMGET", KEY, "record"))
    return _json(Game.from_bytes(stored).view(0))


@app.get("/move")
def move() -> Response:
    ((stored,),) = redis.ask(("HMGET", KEY, "record"))
    game = Game.from_bytes(stored)
    events = game.play(_MOVE)
    redis.ask(("HSET", KEY, "played", game.to_bytes()), ("PUBLISH", KEY, 1))
    return _json({"events": events, "game": game.view(0)})
