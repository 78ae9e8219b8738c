"""The terminal's HTTP: retries that do nothing twice, streams without a gap."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from service.terminal import client as http
from service.terminal import following
from service.terminal.client import Client, Clock, Refused, Unreachable, address, meet
from service.terminal.following import FOUND, LOST, REFUSED, follow

Wire = dict[str, Any]
Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Says what the test has put down for it, one request after the other."""

    script: list[Answer]
    asked: list[tuple[str, str, Wire]]

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.command, self.path, dict(self.headers)))
        self.script.pop(0)(self)

    do_GET = do_POST = _answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


def says(status: int, body: Any = None, **headers: str) -> Answer:
    def answer(handler: Handler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def hangs_up(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.close()


@contextmanager
def server(*script: Answer) -> Iterator[tuple[Client, list[tuple[str, str, Wire]]]]:
    asked: list[tuple[str, str, Wire]] = []
    handler = type("Scripted", (Handler,), {"script": list(script), "asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Client(f"http://127.0.0.1:{running.server_port}", "rn_secret", patience=5), asked
        finally:
            running.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(following, "FIRST_PAUSE", 0.01)


def test_a_request_is_sent_again_as_the_same_one() -> None:
    notes: list[str] = []
    busy = says(503, {"code": "unavailable", "detail": "Try again."}, Retry_After="0")
    with server(busy, hangs_up, says(502, b"<html>"), says(201, {"id": "x"})) as (client, asked):
        told = Client(client.server, "rn_secret", patience=5, on_wait=lambda: notes.append("wait"))
        assert told.post("/games", {"seats": []}) == {"id": "x"}
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 1
    assert len(asked) == 4
    assert notes == ["wait"]
    assert {headers["Authorization"] for _, _, headers in asked} == {"Bearer rn_secret"}


def test_other_requests_are_others() -> None:
    with server(says(200), says(200)) as (client, asked):
        client.post("/a")
        client.post("/a")
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 2


def test_a_refusal_is_told_at_once_in_its_own_words() -> None:
    problem = {"code": "not_your_turn", "detail": "Seat 1 must decide.", "title": "Somebody else must decide"}
    with server(says(409, problem), says(503, {"code": "store_full", "detail": "Full."}, Retry_After="1")) as (
        client,
        _,
    ):
        with pytest.raises(Refused, match=r"^Seat 1 must decide\.$") as refusal:
            client.post("/a")
        assert refusal.value.code == "not_your_turn"
        with pytest.raises(Refused, match="Full"):
            client.post("/a")


def test_waiting_has_an_end() -> None:
    busy = says(429, {"code": "too_many_requests", "detail": "At most 3."}, Retry_After="60")
    with server(busy) as (client, _), pytest.raises(Refused, match="At most 3"):
        client.get("/a")
    with pytest.raises(Unreachable, match="refused"):
        Client("http://127.0.0.1:1", patience=0.1).get("/a")


def test_a_token_follows_nobody() -> None:
    with server(says(302, Location="http://127.0.0.1:1/elsewhere")) as (client, asked):
        with pytest.raises(Refused, match="HTTP 302"):
            client.get("/a")
        assert len(asked) == 1


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with server(says(200, {"rooms": []})) as (client, _):
        meet(client.server)


def test_something_else_at_the_address_is_no_service() -> None:
    with server(says(200, b"<html>hello</html>"), says(200, {"hello": 1}), says(404, b"gone")) as (client, _):
        for _ in range(3):
            with pytest.raises(Unreachable):
                meet(client.server, 0)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("https://rn.example/v1/", "https://rn.example"),
        ("http://[::1]:9/games/", "http://[::1]:9/games"),
    ],
)
def test_addresses_as_people_type_them(typed: str, expected: str) -> None:
    assert address(typed) == expected


@pytest.mark.parametrize("typed", ["", "ftp://x", "http://", "http://x:port", "http://x?y", "file:///etc/passwd"])
def test_what_is_no_address(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        address(typed)


def test_deadlines_are_those_of_the_services_clock() -> None:
    clock = Clock()
    fast = datetime.now(UTC) + timedelta(hours=1)
    clock.note(fast.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    assert 28 <= clock.left((fast + timedelta(seconds=30)).isoformat()) <= 31
    assert clock.left("2020-01-01T00:00:00.000Z") == 0


def lines(*told: Wire) -> Answer:
    return says(
        200, b"\n\n".join(json.dumps(each).encode() for each in told) + b"\n", Content_Type="application/x-ndjson"
    )


def state(epoch: str, seq: int) -> Wire:
    return {"type": "state", "seq": seq, "state": {"epoch": epoch}}


def event(seq: int, kind: str = "gnome_moved") -> Wire:
    return {"type": kind, "seq": seq}


def followed(client: Client, after: int) -> list[Any]:
    return [line.get("seq", line["type"]) for line in follow(client, "x", after, threading.Event())]


def test_a_stream_goes_on_where_it_broke() -> None:
    script = (
        lines(state("a", 9), event(4), event(5)),
        lines(state("a", 9), event(6), {"type": "reconnect", "after": 6}),
        lines(state("a", 9), event(7), event(8, "game_over")),
    )
    with server(*script) as (client, asked):
        told = [line for line in followed(client, 3) if line != 9]
    assert told == [4, 5, 6, 7, 8]
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=3", "after=5", "after=6"]


def test_a_long_outage_is_told_and_a_short_one_is_not() -> None:
    away = says(503, {"code": "unavailable"})
    with server(lines(state("a", 3)), away, away, lines(state("a", 4), event(4, "game_over"))) as (client, _):
        assert followed(client, 3) == [3, LOST, FOUND, 4, 4]
    with server(lines(state("a", 3)), hangs_up, lines(state("a", 4), event(4, "game_over"))) as (client, _):
        assert LOST in followed(client, 3)


def test_another_epoch_counts_anew() -> None:
    script = (
        lines(state("a", 9), event(10)),
        lines(state("b", 7), event(8)),
        lines(state("b", 8), event(9, "game_over")),
    )
    with server(*script) as (client, asked):
        followed(client, 9)
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=9", "after=10", "after=8"]


def test_a_game_that_is_gone_ends_it() -> None:
    with server(says(404, {"code": "no_such_game", "detail": "It was deleted."})) as (client, _):
        (line,) = follow(client, "x", 0, threading.Event())
    assert line == {"type": REFUSED, "detail": "It was deleted.", "code": "no_such_game"}
