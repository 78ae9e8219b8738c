"""What the tests of the API share: problems in full, scenes to play in, and streams line by line."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from service.api.problems import CODES
from service.refusals import FAULTS
from tests.support.helpers import IDLE
from tests.support.serving import PATIENCE, Client, Reply, Seated, new_game

T = TypeVar("T")
Wire = dict[str, Any]
MEMBERS = {"type", "title", "status", "detail", "instance", "code", "errors"}
NDJSON, SSE = "application/x-ndjson", "text/event-stream"


def eventually(is_so: Callable[[], T | None], what: str = "it does not happen") -> T:
    """Wait for what must happen, and return what was found."""
    ends = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < ends, what
        time.sleep(0.02)
    return found


def refused(reply: Reply, code: str, *pointers: str) -> Wire:
    """The problem, after a look at all of its members; with pointers, at those of its errors."""
    body = reply.body
    assert reply.headers["content-type"] == "application/problem+json", body
    assert body["code"] == code, body
    assert body.keys() >= MEMBERS
    assert (body["status"], body["title"]) == CODES[code]
    assert reply.status == body["status"]
    assert body["type"].endswith(f"#{code}")
    assert body["detail"]
    assert reply.headers["access-control-allow-origin"] == "*"
    assert bool(body.get("violated-policies")) == (reply.status == 429), body
    for error in body["errors"]:
        assert error["code"] in FAULTS, error
        assert error["detail"], error
        assert len(error.keys() & {"pointer", "parameter", "header"}) == 1, error
    if pointers:
        assert tuple(error["pointer"] for error in body["errors"]) == pointers, body
    return dict(body)


def settled(state: Wire) -> Wire:
    """A state without what makes no version: when each player was last heard of."""
    seats = [{name: value for name, value in seat.items() if name != "last_seen_at"} for seat in state["seats"]]
    return state | {"seats": seats}


def scene(*gnomes: Wire, rules: Wire | None = None, **more: Any) -> Wire:
    """A position in mid-play, three gnomes at least; the first has most minutes, and must decide."""
    rules = {"gnomes": max(3, len(gnomes))} | (rules or {})
    crew = [IDLE | {"stack": seat, "minutes": 20 if seat else 40} for seat in range(rules["gnomes"])]
    for seat, gnome in enumerate(gnomes):
        crew[seat] |= gnome
    return {"rules": rules, "gnomes": crew, "seed": "00" * 32, **more}


NO_ACTION = {"type": "no_action"}
LAST_MOVE = scene({"minutes": 1}, {"minutes": 0}, {"minutes": 0})  # NO_ACTION rescues the crew


def at_once(times: int, act: Callable[[], Any]) -> list[Any]:
    """What each of so many got who did it at the same time."""
    got: list[Any] = []
    ready = threading.Barrier(times)

    def do() -> None:
        ready.wait()
        got.append(act())

    crowd = [threading.Thread(target=do) for _ in range(times)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert len(got) == times
    return got


@contextmanager
def listening(
    client: Client, path: str, accept: str = NDJSON, body: Any = None, **headers: str
) -> Iterator[http.client.HTTPResponse]:
    """An open stream, posted for if there is a body; a read that hangs fails the test."""
    connection = http.client.HTTPConnection(urlsplit(client.base).netloc, timeout=PATIENCE)
    sent = {"Accept": accept} | {name.replace("_", "-"): value for name, value in headers.items()}
    if client.token:
        sent["Authorization"] = f"Bearer {client.token}"
    if body is None:
        connection.request("GET", path, headers=sent)
    else:
        connection.request("POST", path, json.dumps(body), sent | {"Content-Type": "application/json"})
    try:
        with connection.getresponse() as stream:
            yield stream
    finally:
        connection.close()


def _rows(stream: http.client.HTTPResponse) -> Iterator[str]:
    """Line by line; beats keep a stream alive for ever, so there is an end to patience."""
    ends = time.monotonic() + PATIENCE
    while line := stream.readline():
        yield line.decode().rstrip("\n")
        assert time.monotonic() < ends, "the stream goes on without what was waited for"


def lines(stream: http.client.HTTPResponse, most: int | None = None) -> list[Wire]:
    """The next lines of NDJSON, as many as wanted, or to the end; beats are no lines."""
    return list(islice((json.loads(row) for row in _rows(stream) if row), most))


def messages(stream: http.client.HTTPResponse, most: int | None = None) -> list[tuple[int | None, Wire]]:
    """The next server-sent events likewise: their ids and data."""
    return list(islice(_messages(stream), most))


def _messages(stream: http.client.HTTPResponse) -> Iterator[tuple[int | None, Wire]]:
    id_ = None
    for row in _rows(stream):
        name, _, value = row.partition(": ")
        if name == "id":
            id_ = int(value)
        elif name == "data":
            yield id_, json.loads(value)
            id_ = None


def finished(api: Client, **wanted: Any) -> Seated:
    """A game that a single move has brought to its end."""
    game = new_game(api, position=LAST_MOVE, **wanted)
    assert game.players[0].play(game.path, NO_ACTION).body["game"]["status"] == "finished"
    return game


def take_part(game: Seated, wait: Callable[[Wire], object], most: int | None = None) -> None:
    """Play in the first player's place beside bots, to the end or for so many looks. `wait` gets the state in which a
    bot must move, and lets it."""
    for _ in islice(count(), most):
        state = game.state
        if state["result"]:
            return
        legal = game.players[0].get(game.path).body["legal_moves"]
        if legal:
            assert game.players[0].play(game.path, legal[0]).status == 200
        else:
            wait(state)
