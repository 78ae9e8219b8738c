"""A store that refuses to write is read all the same: games are shown, changes are refused with a code of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.app import create_app
from service.config import Config
from service.store.redis_client import Client as Redis
from tests.drills.readonly import REFUSALS, eventually, without_memory, without_replicas
from tests.support.answers import NDJSON, finished, lines, listening, refused
from tests.support.desk import InProcess
from tests.support.matching import SAILORS
from tests.support.servers import running_server
from tests.support.serving import Client, Reply, Seated, new_game, running_web


def inside(url: str, **settings: Any) -> InProcess:
    return InProcess("", app=create_app(Config(redis_url=url, **settings)))


def reads(game: Seated, over: Seated, match: str) -> list[str]:
    """Everything that can be looked at."""
    looks = [
        "",
        "?version=2",
        "/legal-moves",
        "/events",
        "/events?lang=de",
        "/odds",
        "/board.svg",
        "/board.png?width=100",
    ]
    lists = ["/v1/games", "/v1/matches", match, f"{match}/games", "/v1/rules", "/v1/bots", "/", "/healthz"]
    return [*(game.path + look for look in looks), f"{over.path}/replay", *lists]


def writes(api: Client, game: Seated) -> Iterator[Reply]:
    mover = game.decider()
    yield mover.play(game.path, {"type": "no_action"}, Idempotency_Key="move")
    yield api.post("/v1/games")
    yield api.post("/v1/matches", SAILORS)
    yield mover.post(f"{game.path}/advice")
    yield mover.post(f"{game.path}/forks")
    yield game.host.put(f"{game.path}/seats/1/controller", {"kind": "bot", "bot": "sailor"})


@pytest.mark.parametrize("metered", [True, False], ids=["with limits", "without limits"])
@pytest.mark.parametrize("refusing", REFUSALS, ids=lambda refusing: refusing.__name__)
def test_while_the_store_takes_no_writes_games_are_shown_and_changes_refused(
    url: str, binary: str, tmp_path: Path, refusing: Callable[..., Any], metered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, code = inside(url, **({} if metered else {"limits": {}})), REFUSALS[refusing]
    game, spare, over, match = (
        new_game(api),
        new_game(api),
        finished(api),
        api.post("/v1/matches", SAILORS).headers["location"],
    )
    before = game.state["version"]
    assert "read-only" not in game.host.get(game.path).headers
    monkeypatch.setattr("service.store.presence.NOTE_SECONDS", -1.0)  # all who look are written down, if they can be
    monkeypatch.setattr("service.store.redis_client.PROBE_SECONDS", 0.0)
    with refusing(url, tmp_path, binary):
        for path in reads(game, over, match):
            told = (game.decider() if path.startswith(game.path) else api).get(path)
            assert told.status == 200, (path, told.body)
            assert told.headers.get("read-only") == code, path
        for reply in writes(api, game):
            refused(reply, code)
            assert int(reply.headers["retry-after"]) > 0
        ready = api.operator.get("/readyz")
        assert (ready.status, ready.body["status"]) == (200, code)
        assert writable(api) == 0
        assert game.state["version"] == before
        deleted = spare.host.delete(spare.path)
        if refusing is without_memory:
            assert deleted.status == 204, "that makes room"
        else:
            refused(deleted, code)
    assert writable(api) == 1
    assert api.operator.get("/readyz").body["status"] == "no workers"
    played = game.decider().play(game.path, {"type": "no_action"}, Idempotency_Key="move")
    assert played.status == 200, "what was refused may be tried again with the same key"
    assert "read-only" not in game.host.get(game.path).headers


def writable(api: Client) -> float:
    (told,) = (
        sample.value
        for family in text_string_to_metric_families(api.operator.get("/metrics").body.decode())
        for sample in family.samples
        if sample.name == "red_november_store_writable"
    )
    return float(told)


def test_streams_and_waits_go_on_and_begin_while_the_store_takes_no_writes(tmp_path: Path) -> None:
    with running_server(tmp_path / "one") as (url, _), running_web(url, workers=1) as api:
        game = new_game(api)
        with listening(api, f"{game.path}/events/stream") as before:
            assert lines(before, 1)
            with without_replicas(url, tmp_path), listening(api, f"{game.path}/events/stream", NDJSON) as meanwhile:
                assert lines(meanwhile, 1)
                version = game.state["version"]
                assert api.get(f"{game.path}?after={version}&wait=1").body["version"] == version
            seat = game.state["decision"]["seat"]
            reply = game.host.put(f"{game.path}/seats/{seat}/controller", {"kind": "bot", "bot": "sailor"})
            assert reply.status == 200
            (told,) = lines(before, 1)  # the state, where a server that got its first copy began another epoch
            assert told.get("state", told)["version"] == reply.body["version"]


def test_a_process_that_writes_nothing_finds_out_within_a_second(url: str, binary: str, tmp_path: Path) -> None:
    one, other = inside(url, limits={}), inside(url, limits={})
    path = new_game(one).path
    assert "read-only" not in other.get(path).headers
    with without_memory(url, tmp_path, binary):
        eventually(lambda: other.get(path).headers.get("read-only") == "store_full", "it does not find out")
    eventually(lambda: "read-only" not in other.get(path).headers, "it does not find out that it is over")


def test_a_fault_that_is_no_refusal_is_still_one(url: str) -> None:
    """Only what the store will not write is forgiven."""
    api = inside(url)
    game = new_game(api)
    with Redis.connect(url) as operator:
        for name in operator.keys("limit:poll:*"):
            operator.delete(name)
            operator.hset(name, "no", "number")
    refused(game.host.get(game.path), "unavailable")
