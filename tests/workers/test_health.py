"""Workers as processes beside the service: bots move, advice comes, and operators see how it is doing."""

import time
from collections.abc import Iterator

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families

from tests.support.serving import PATIENCE, UNLIMITED, Client, new_game, running_redis, running_web, running_workers


@pytest.fixture(scope="module")
def site() -> Iterator[Client]:
    """A service with a worker."""
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as client, running_workers(url):
        yield client


def samples(client: Client) -> dict[str, float]:
    """What `/metrics` tells, by name and labels."""
    told = client.operator.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    return {
        "".join([sample.name, *(f" {label}" for label in sample.labels.values())]): sample.value
        for family in text_string_to_metric_families(told.body.decode())
        for sample in family.samples
    }


def held(client: Client, kind: str) -> float:
    """How many of a kind clients hold of the process that answers: connections, streams, waits."""
    return samples(client)[f"red_november_held {kind}"]


def finish(client: Client, path: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not client.get(path).body["result"]:
        assert time.monotonic() < ends, "the bots do not play"
        time.sleep(0.05)


def test_bots_play_and_their_turns_are_counted(site: Client) -> None:
    game = new_game(site, seats=["captain", "sailor", "bosun"])
    finish(site, game.path)
    told = samples(site)
    for bot in ("captain", "sailor", "bosun"):
        assert told[f"red_november_bot_turn_seconds_count {bot}"] > 0
        assert (
            told[f"red_november_bot_turn_seconds_bucket {bot} +Inf"]
            == told[f"red_november_bot_turn_seconds_count {bot}"]
        )
        assert told[f"red_november_bot_turn_seconds_sum {bot}"] > 0
    assert told["red_november_games finished"] >= 1
    assert told["red_november_due_games"] == 0
    assert told["red_november_workers"] == 1


def test_advice_and_odds_come_to_whoever_waits(site: Client) -> None:
    game = new_game(site)
    decider = game.decider()
    where = decider.post(f"{game.path}/advice").headers["location"]
    told = decider.get(f"{where}?wait=20").body
    assert told["status"] == "done"
    assert told["plans"]
    odds = site.get(f"{game.path}/odds?wait=20").body
    assert odds["complete"]
    assert 0 < odds["points"][0]["rescue_rate"] < 1


def test_the_service_is_ready_while_it_has_workers(site: Client) -> None:
    ready = site.operator.get("/readyz")
    assert (ready.status, ready.body["status"], ready.body["workers"]) == (200, "ok", 1)
    assert ready.body["depths"].keys() == {"turns", "advice", "matches"}
    assert site.get("/healthz").status == 200


def test_it_says_so_when_it_has_none_or_no_store() -> None:
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as client:
        assert client.operator.get("/readyz").body["status"] == "no workers"
        game = new_game(client, seats=["sailor"] * 3)
        assert samples(client)["red_november_due_games"] == 1
        assert samples(client)["red_november_queue_jobs turns"] == 1
        time.sleep(1.1)
        assert client.operator.get("/readyz").body["oldest"] > 1
        assert client.get(game.path).body["status"] == "playing"
        _stop(url)
        assert client.operator.get("/readyz").status == 503
        assert client.get("/healthz").status == 200


def _stop(url: str) -> None:
    redis.Redis.from_url(url).shutdown(nosave=True)
