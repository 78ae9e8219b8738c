"""What operators see and do: logs, times of requests, stopping without harm, and too much work for the bots."""

import http.client
import json
import signal
import subprocess
import threading
import time
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis

from service.callers.door import WAITS
from tests.support.answers import eventually, lines, listening, refused, scene
from tests.support.serving import (
    PATIENCE,
    UNLIMITED,
    Client,
    new_game,
    running_redis,
    running_web,
    running_workers,
    start_worker,
)
from tests.workers.test_health import held, samples

HATCH = {"type": "open_hatch", "to": 7}


def test_requests_are_logged_with_their_ids_and_without_secrets(
    redis_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_web(redis_url, workers=1, LOG_REQUESTS="all", LOG_FORMAT="json", **UNLIMITED) as api:
        game = new_game(api, position=scene())
        move = game.players[0].play(game.path, HATCH, X_Request_ID="my-own.7")
        assert (move.status, move.headers["x-request-id"]) == (200, "my-own.7")
        forged = api.get(f"{game.path}?after=0&wait=1", X_Request_ID='x","level":"none')
        assert forged.headers["x-request-id"].isalnum()
        lobby = new_game(api, ["open", "open", "sailor"], start=False)
        invitation = lobby.host.post(f"{lobby.path}/invitations", {"seat": 2}).body["token"]
        joins = [api.post(f"{lobby.path}/players", {"name": "Bea", "invitation": invitation}) for _ in range(2)]
        assert [join.status for join in joins] == [201, 409]
        assert api.get(f"/join?i={invitation}").status == 200  # as nobody should
    told = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    (line,) = (line for line in told if line.get("request") == "my-own.7")
    assert (line["method"], line["path"], line["status"]) == ("POST", f"{game.path}/moves", 200)
    assert line["route"] == "/v1/games/<game_id>/moves"
    assert line["ms"] > 0
    assert any(line.get("request") == forged.headers["x-request-id"] and line["path"] == game.path for line in told)
    text = json.dumps(told)
    seats = (game.host, lobby.host, *game.players, *lobby.players)
    for token in (invitation, joins[0].body["token"], *(seat.token for seat in seats)):
        assert token is not None
        assert token not in text
    assert redis_url.partition("@")[0].rpartition(":")[2] not in text
    assert "wait=" not in text


def test_failures_only_are_logged_unless_asked_for_more(redis_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    with running_web(redis_url, workers=1, **UNLIMITED) as api:
        assert api.get("/v1/rules").status == 200
        assert api.get("/v1/nowhere").status == 404
    assert capfd.readouterr().err == ""


def requests_told(client: Client) -> dict[str, float]:
    return {name: value for name, value in samples(client).items() if name.startswith("red_november_request")}


def test_every_process_tells_the_times_of_all(redis_url: str) -> None:
    with running_web(redis_url, workers=2, **UNLIMITED) as api:
        before = requests_told(api).get("red_november_request_seconds_count GET /v1/bots 200", 0.0)
        for _ in range(40):  # a connection each, so that both processes get some
            assert api.get("/v1/bots").status == 200
        game = new_game(api)
        for _ in range(3):
            assert api.get(f"{game.path}?after=0&wait=1").status == 200
            refused(api.play(game.path, HATCH), "no_token")
        for _ in range(4):
            told = requests_told(api)
            assert told["red_november_request_seconds_count GET /v1/bots 200"] == before + 40
            beyond = "red_november_request_seconds_bucket +Inf GET /v1/bots 200"
            assert told[beyond] == before + 40
            assert told["red_november_request_seconds_count GET /v1/games/<game_id>?wait 200"] == 3
            assert told["red_november_request_seconds_count POST /v1/games/<game_id>/moves 401"] == 3
            assert told["red_november_request_seconds_sum GET /v1/bots 200"] > 0


def test_commits_and_games_are_counted(redis_url: str) -> None:
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as api:
        game = new_game(api, position=scene())
        api.post("/v1/games", {"visibility": "private"})
        told = samples(api)
        assert told["red_november_events_total commit"] == game.state["version"] + 1
        assert [told[f"red_november_games {status}"] for status in ("waiting", "playing", "finished")] == [1, 1, 0]
        assert told["red_november_store_up"] == 1
        game.host.delete(game.path)
        assert samples(api)["red_november_games playing"] == 0


def test_metrics_are_told_without_a_store() -> None:
    with ExitStack() as stack, ExitStack() as store:
        url = store.enter_context(running_redis())
        api = stack.enter_context(running_web(url, workers=1, **UNLIMITED))
        store.close()
        told = samples(api)
        assert told["red_november_store_up"] == 0
        assert told["red_november_request_seconds_count GET /v1/rules 200"] == 1


def test_connections_that_nobody_uses_do_not_hold_up_a_stop(redis_url: str) -> None:
    with ExitStack() as server:
        api = server.enter_context(running_web(redis_url, workers=1, **UNLIMITED))
        idle = http.client.HTTPConnection(urlsplit(api.base).netloc, timeout=PATIENCE)
        idle.request("GET", "/v1/rules")
        assert idle.getresponse().read()
        began = time.monotonic()
        server.close()
        assert time.monotonic() - began < 8
        assert idle.sock.recv(1) == b"", "it is closed, not reset"
        idle.close()


def test_a_request_under_way_is_answered_before_the_stop(redis_url: str) -> None:
    heard: list[Any] = []
    with ExitStack() as server:
        api = server.enter_context(running_web(redis_url, workers=1, **UNLIMITED))
        game, other = (new_game(api, position=scene()) for _ in range(2))
        with listening(api, f"{game.path}/events/stream") as stream:
            lines(stream, 1)
            version = other.state["version"]
            slow = threading.Thread(target=lambda: heard.append(api.get(f"{other.path}?after={version}&wait=25")))
            slow.start()
            eventually(lambda: held(api, WAITS) == 1)
            played = game.players[0].play(game.path, HATCH)
            server.close()
            told = lines(stream)
        slow.join()
    assert [line["seq"] for line in told[:-1]] == [event["seq"] for event in played.body["events"]]
    assert told[-1] == {"type": "reconnect", "after": played.body["seq"]}
    assert heard[0].status == 200


def test_a_worker_that_is_told_to_stop_hands_its_game_on() -> None:
    """Another takes it up at once, not when somebody notices that it waits."""
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as api:
        game = new_game(api, seats=["admiral"] * 8)
        store = redis.Redis.from_url(url)
        with running_workers(url) as (worker,):
            with listening(api, f"{game.path}/events/stream") as stream:
                lines(stream, 2)
                worker.send_signal(signal.SIGTERM)
                assert worker.wait(PATIENCE) == 0
            assert store.zscore("turns:leases", game.state["id"]) is None
            assert not store.exists("turns:deaths"), "a decision was broken off"
            assert store.zscore("turns:since", game.state["id"]) is not None
            assert store.llen("rq:queue:turns") == store.zcard("turns:since"), "with what else may wait by now"


def test_new_work_for_bots_is_refused_while_they_are_far_behind() -> None:
    with running_redis() as url, running_web(url, workers=1, **(UNLIMITED | {"MAX_QUEUE_SECONDS": "1"})) as api:
        humans, mixed = new_game(api, position=scene()), new_game(api, start=False)
        new_game(api, seats=["sailor"] * 3)
        ends = time.monotonic() + PATIENCE
        while (reply := api.post("/v1/games", {"seats": ["open", "sailor", "sailor"]})).status != 503:
            assert time.monotonic() < ends, "it goes on taking work that nobody does"
            time.sleep(0.2)
        refused(reply, "overloaded")
        assert int(reply.headers["retry-after"]) > 0
        assert mixed.host.post(f"{mixed.path}/start").status == 200
        refused(humans.players[0].post(f"{humans.path}/advice"), "overloaded")
        assert api.get(f"{humans.path}/odds").status == 200
        assert humans.players[0].play(humans.path, HATCH).status == 200
        assert api.post("/v1/games").status == 201
        process = start_worker(url)
        try:
            while api.post("/v1/games", {"seats": ["open", "sailor", "sailor"]}).status != 201:
                assert time.monotonic() < ends + 60, "it does not recover"
                time.sleep(0.2)
        finally:
            process.terminate()
            assert isinstance(process, subprocess.Popen)
            process.wait(PATIENCE)
