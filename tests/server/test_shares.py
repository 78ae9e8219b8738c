"""How much of a process one address may have, and who makes room when it is nearly full."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.callers.door import CONNECTIONS, STREAMS, WAITS, Door, Guest
from service.config import Config
from service.server.addresses import forwarded_for
from tests.drills import raw
from tests.drills.hold import Target, holding
from tests.drills.raw import Answer, ask, head
from tests.support.answers import NDJSON, eventually, refused, scene
from tests.support.serving import PATIENCE, UNLIMITED, Client, Reply, new_game, running_web
from tests.workers.test_health import held, samples

SHARE = 6
SHARES = {f"{kind}_PER_ADDRESS": str(SHARE) for kind in ("CONNECTIONS", "STREAMS", "WAITS")}
OTHER = "127.0.0.2"  # an address that this machine has, too
BAD = 3  # refusals
DAY = 86400  # a window that does not end within a test


@pytest.fixture(scope="module")
def web(redis_url: str) -> Iterator[Client]:
    with running_web(redis_url, workers=1, **(UNLIMITED | SHARES)) as client:
        yield client


@pytest.fixture(scope="module")
def behind(redis_url: str) -> Iterator[Client]:
    """Proxies."""
    with running_web(redis_url, workers=1, TRUSTED_PROXIES="1", **(UNLIMITED | SHARES)) as client:
        yield client


def target(web: Client) -> Target:
    game = new_game(web, position=scene())
    return Target(web.base, game.path, game.state["version"])


def problem(answer: Answer, code: str) -> None:
    refused(Reply(answer.status, answer.json, answer.headers), code)


@pytest.mark.parametrize(
    ("told", "proxies", "client"),
    [
        (["9.9.9.9"], 0, None),
        (["9.9.9.9"], 1, "9.9.9.9"),
        (["6.6.6.6, 9.9.9.9"], 1, "9.9.9.9"),
        (["6.6.6.6", "9.9.9.9"], 1, "9.9.9.9"),
        (["6.6.6.6, 9.9.9.9, 10.0.0.1"], 2, "9.9.9.9"),
        (["9.9.9.9"], 2, None),
        ([], 1, None),
    ],
)
def test_a_client_is_whom_our_own_proxies_name(told: list[str], proxies: int, client: str | None) -> None:
    assert forwarded_for([("X-FORWARDED-FOR", each) for each in told], proxies) == client


# Shares


@pytest.mark.parametrize("kind", ["silent", "half a head", "half a body", "idle"])
def test_an_address_has_its_share_of_connections_and_others_have_theirs(web: Client, kind: str) -> None:
    with holding(Target(web.base), kind, SHARE):
        eventually(lambda: held(web, CONNECTIONS) == SHARE)
        problem(ask(web.base)[0], "too_many_connections")
        assert ask(web.base, head("GET", "/healthz", Connection="close"), source=OTHER)[0].status == 200
        assert web.operator.get("/healthz").status == 200
    eventually(lambda: held(web, CONNECTIONS) == 0)
    assert web.get("/healthz").status == 200


def test_behind_a_proxy_a_share_is_that_of_the_client_whom_it_names(behind: Client) -> None:
    """All connections are the proxy's; whoever waits holds one of them."""
    at = target(behind)

    def asked(client: str) -> bytes:
        return head("GET", f"{at.game}?after={at.version}&wait=2", Connection="close", X_Forwarded_For=client)

    with ExitStack() as stack:
        for host in range(SHARE):
            stack.enter_context(raw.connection(behind.base)).sendall(asked(f"2001:db8::{host}"))
        eventually(lambda: held(behind, WAITS) == SHARE)
        problem(ask(behind.base, asked("6.6.6.6, 2001:db8::99"))[0], "too_many_connections")
        stack.enter_context(raw.connection(behind.base)).sendall(asked("2001:db8:0:1::1"))
        eventually(lambda: held(behind, WAITS) == SHARE + 1)
    eventually(lambda: held(behind, WAITS) == 0)


def test_streams_and_waits_have_shares_of_their_own_whatever_tokens_there_are(redis_url: str) -> None:
    few = {"STREAMS_PER_ADDRESS": str(SHARE), "WAITS_PER_ADDRESS": str(SHARE)}
    with running_web(redis_url, workers=1, **(UNLIMITED | few)) as web:
        at = target(web)
        stream, wait = head("GET", f"{at.game}/events/stream", Accept=NDJSON), f"{at.game}?after={at.version}&wait=1"
        with holding(at, "stream", SHARE), holding(at, "wait", SHARE):
            eventually(lambda: held(web, STREAMS) == held(web, WAITS) == SHARE)
            problem(ask(web.base, stream, close=True)[0], "too_many_streams")
            reply = web.get(wait)
            refused(reply, "too_many_waits")
            assert int(reply.headers["retry-after"]) > 0
            assert web.get(at.game).status == 200
            assert ask(web.base, head("GET", wait, Connection="close"), source=OTHER)[0].status == 200
        eventually(lambda: held(web, STREAMS) == held(web, WAITS) == 0)


# Whoever is gone


def test_whoever_waits_and_hangs_up_is_noticed(web: Client) -> None:
    """In whatever way, and for whatever they wait."""
    at = target(web)
    seq = web.get(at.game).body["seq"]
    waits = [
        f"{at.game}?after={at.version}&wait=30",
        f"{at.game}/events?after={seq}&wait=30",
        f"{at.game}/odds?wait=30",
    ]
    with ExitStack() as stack:
        clients = []
        together = json.dumps({"games": [{"game_id": at.game.rpartition("/")[2]}]}).encode()
        requests = [head("GET", path, Accept="*/*") for path in 3 * waits]
        requests += 3 * [head("GET", f"{at.game}/events/stream", Accept=NDJSON)]
        requests += 3 * [raw.post("/v1/streams", together)]
        for number, sent in enumerate(requests):
            client = stack.enter_context(raw.connection(web.base, source=f"127.0.1.{number}"))
            client.sendall(sent)
            clients.append(client)
        eventually(lambda: (held(web, WAITS), held(web, STREAMS)) == (9, 6))
        for number, client in enumerate(clients):
            way = number // 3 if number < 9 else number % 3
            if way == 0:
                client.shutdown(socket.SHUT_WR)
            if way == 1:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # a reset
            if way > 0:
                client.close()
        eventually(lambda: (held(web, WAITS), held(web, STREAMS)) == (0, 0))
        assert samples(web)["red_november_request_seconds_count GET /v1/games/<game_id>?wait 499"] >= 3


def test_waits_that_are_hung_up_at_once_keep_nobody_from_waiting(web: Client) -> None:
    at = target(web)
    with holding(at, "gone", 20 * SHARE):
        pass
    eventually(lambda: held(web, WAITS) == 0)
    assert web.get(f"{at.game}?after={at.version}&wait=1").status == 200


# When places are few


@pytest.fixture
def small(redis_url: str) -> Iterator[Client]:
    """Room for 20 connections, of which 2 are to stay free."""
    few = {"GUNICORN_CMD_ARGS": "--worker-connections 20", "HEAD_SECONDS": "120"}
    with running_web(redis_url, workers=1, **(UNLIMITED | few)) as client:
        yield client


def test_when_places_are_few_waits_are_answered(small: Client) -> None:
    at = target(small)
    with holding(at, "wait", 10) as waiting:
        eventually(lambda: held(small, WAITS) == 10)
        with holding(at, "half a head", 18):
            eventually(lambda: waiting.lost == 10)
            eventually(lambda: held(small, WAITS) == 0)
            (reply,) = ask(small.base, head("GET", f"{at.game}?after={at.version}&wait=30"))
            assert reply.json["version"] == at.version
            assert reply.headers["connection"] == "close", "the place is wanted"


def test_when_places_are_few_streams_are_refused_and_those_that_are_there_go_on(small: Client) -> None:
    at = target(small)
    with holding(at, "stream", 5) as listening:
        eventually(lambda: held(small, STREAMS) == 5)
        with holding(at, "half a head", 14):
            eventually(lambda: held(small, CONNECTIONS) == 19)
            (refusal, *_) = ask(small.base, head("GET", f"{at.game}/events/stream", Accept=NDJSON, Connection="close"))
            problem(refusal, "crowded")
            assert listening.lost == 0


def test_when_places_are_few_idle_connections_make_room(small: Client) -> None:
    with holding(Target(small.base), "idle", 18) as idle:
        eventually(lambda: held(small, CONNECTIONS) == 18)
        for _ in range(4):
            assert small.get("/healthz").status == 200
        eventually(lambda: idle.lost > 0)
        assert idle.lost < 10, "no more than must be"


def test_operators_are_answered_when_no_place_is_left(small: Client) -> None:
    with holding(Target(small.base), "half a head", 40):
        eventually(lambda: held(small, CONNECTIONS) == 20)
        assert small.operator.get("/healthz").status == 200
        assert small.operator.get("/readyz").status == 200


def test_what_is_left_over_is_given_back() -> None:
    door = Door(Config(connections=2, address_waits=1), 100)
    assert door.take(CONNECTIONS, "a")
    guest = Guest(door, "a")
    guest.take(WAITS)
    guest.leave()
    guest.leave()
    door.give_back(CONNECTIONS, "a")
    assert door.held() == {"places": 100, "connections": 0, "streams": 0, "waits": 0}
    assert not any(door._held.values()), "no address is remembered"


def test_an_address_stands_in_line_behind_itself_and_nobody_else() -> None:
    door = Door(Config(), 100)
    working = [Guest(door, "a") for _ in range(8)]
    for guest in working:
        guest.work()
    ninth, other, done = Guest(door, "a"), Guest(door, "b"), threading.Event()

    def wait() -> None:
        ninth.work()
        done.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    other.work()
    assert not done.wait(0.2)
    working[0].rest()
    assert done.wait(PATIENCE)
    waiting.join()
    for guest in (*working, ninth, other):
        guest.leave()
    assert not door._lines, "no address is remembered"
