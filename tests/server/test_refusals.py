"""Whoever sends what is refused, again and again, is not listened to for a while; and nobody else is taken for them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.callers.door import Door
from service.config import Config, Limit
from service.refusals import Problem
from tests.drills import raw
from tests.drills.raw import Answer, ask, head, post
from tests.support.answers import eventually, refused, scene
from tests.support.serving import (
    DEPLOY,
    PATIENCE,
    UNLIMITED,
    Client,
    Reply,
    Seated,
    as_user,
    free_port,
    new_game,
    running_web,
)

OTHER = "127.0.0.2"  # an address that this machine has, too
BAD = 3  # refusals
DAY = 86400  # a window that does not end within a test


def problem(answer: Answer, code: str) -> None:
    refused(Reply(answer.status, answer.json, answer.headers), code)


@pytest.fixture(scope="module")
def strict(redis_url: str) -> Iterator[Client]:
    """For tests that each have an address of their own."""
    with running_web(redis_url, workers=1, **(UNLIMITED | {"LIMIT_BAD": f"{BAD}/{DAY}"})) as client:
        yield client


GET = head("GET", "/v1/rules", Connection="close")


@pytest.mark.parametrize(
    ("sent", "source"),
    [
        (post("/v1/games", b"{", Connection="close"), "127.0.2.1"),
        (post("/v1/games", b'{"nobody": 1}', Connection="close"), "127.0.2.2"),
        (head("GET", "/v1/games/aaaaaaaaaaaaaaaa", Connection="close"), "127.0.2.3"),
        (head("GET", "/v1/games/{game}", Authorization="Bearer rn_made_up", Connection="close"), "127.0.2.4"),
        (b"nonsense\r\n\r\n", "127.0.2.5"),
        (head("POST", "/v1/games", Content_Length=10**9), "127.0.2.6"),
    ],
    ids=["no JSON", "invalid", "no game", "no token", "no HTTP", "too large"],
)
def test_whoever_is_refused_too_often_is_not_listened_to(strict: Client, sent: bytes, source: str) -> None:
    sent = sent.replace(b"{game}", strict.post("/v1/games").body["game"]["id"].encode())
    assert all(400 <= ask(strict.base, sent, source=source)[-1].status < 429 for _ in range(BAD))
    (answer,) = ask(strict.base, GET, source=source)
    problem(answer, "too_many_requests")
    assert 0 < int(answer.headers["retry-after"]) <= DAY
    unread = head("POST", "/v1/games", Content_Length=1000, Expect="100-continue")
    problem(ask(strict.base, unread, source=source)[0], "too_many_requests")
    assert ask(strict.base, GET, source=OTHER)[0].status == 200
    assert strict.operator.get("/healthz").status == 200


def test_refusals_of_those_who_play_by_the_rules_do_not_count(strict: Client) -> None:
    game: Seated = new_game(strict, position=scene())
    for _ in range(2 * BAD):
        assert game.players[1].play(game.path, {"type": "no_action"}).status == 409
    assert strict.get("/v1/rules").status == 200


def test_behind_a_proxy_refusals_are_those_of_the_client_that_it_names(redis_url: str) -> None:
    limits = UNLIMITED | {"LIMIT_BAD": f"{BAD}/{DAY}", "TRUSTED_PROXIES": "1"}
    with running_web(redis_url, workers=1, **limits) as web:
        attacker = Client(web.base, headers={"X-Forwarded-For": "2001:db8::bad"})
        assert [attacker.get("/v1/games/none").status for _ in range(BAD)] == [404] * BAD
        neighbour = Client(web.base, headers={"X-Forwarded-For": "10.0.0.1, 2001:db8::1"})
        refused(neighbour.get("/v1/rules"), "too_many_requests")
        assert Client(web.base, headers={"X-Forwarded-For": "2001:db8:0:1::1"}).get("/v1/rules").status == 200


def test_behind_a_proxy_nobody_answers_for_what_nobody_knows_who_sent(redis_url: str) -> None:
    """The connection is the proxy's, and had requests of others before."""
    limits = UNLIMITED | {"LIMIT_BAD": f"{BAD}/{DAY}", "TRUSTED_PROXIES": "1"}
    with running_web(redis_url, workers=1, **limits) as web:
        good = head("GET", "/v1/rules", X_Forwarded_For="192.0.2.1")
        for _ in range(3 * BAD):
            assert [each.status for each in ask(web.base, good + b"nonsense\r\n\r\n")] == [200, 400]
        assert Client(web.base, headers={"X-Forwarded-For": "192.0.2.1"}).get("/v1/rules").status == 200
        assert web.get("/v1/rules").status == 200


def test_behind_a_proxy_on_the_same_machine_clients_are_told_apart_too(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A socket in a folder has no addresses."""
    path = tmp_path_factory.mktemp("web") / "sock"
    limits = UNLIMITED | {"LIMIT_BAD": f"{BAD}/{DAY}", "TRUSTED_PROXIES": "1"}
    both = {"BIND": f"127.0.0.1:{free_port()},unix:{path}"}
    with subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", DEPLOY / "gunicorn.conf.py", "--log-level", "error"],
        env=os.environ | limits | both | {"REDIS_URL": as_user(redis_url, "api"), "WEB_WORKERS": "2"},
    ) as server:
        try:
            eventually(lambda: _listens(path))
            sent = [head("GET", "/v1/games/none", X_Forwarded_For="192.0.2.1", Connection="close")] * (4 * BAD)
            assert [_by(path, each) for each in sent][-1] == 429
            assert _by(path, head("GET", "/v1/rules", X_Forwarded_For="192.0.2.2", Connection="close")) == 200
            assert _by(path, head("GET", "/v1/rules", Connection="close")) == 200
        finally:
            server.terminate()


def _listens(path: Path) -> bool:
    """Return whether somebody answers there: the socket is there a little before."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _by(path: Path, sent: bytes) -> int:
    """The status that is answered on that socket."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(path))
        client.sendall(sent)
        return raw.answers(client)[0].status


def test_a_window_ends() -> None:
    door = Door(Config(bad_limit=Limit(1, 1)), 10)
    door.refusals.count("a")
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            door.refusals.check("a")
            break
        except Problem:
            assert time.monotonic() < ends
            time.sleep(0.05)
