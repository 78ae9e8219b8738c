"""The connection of an outside bot: it begins with what is open, and the newest one counts."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.outside.given import Owner, registered
from tests.support.desk import Desk
from tests.support.serving import new_game

Wire = dict[str, Any]


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url, bot_accounts="anybody")


@contextmanager
def connected(desk: Desk, bot: Owner) -> Iterator[Iterator[Wire]]:
    """The lines of a connection, without those that only say that it lives."""
    assert desk.api.app is not None
    headers = {"Authorization": f"Bearer {bot.client.token}"}
    reply = desk.api.app.test_client().get(f"{bot.path}/decisions", headers=headers)
    assert reply.status_code == 200
    told = (json.loads(line) for part in reply.iter_encoded() for line in part.splitlines())
    yield (line for line in told if line["type"] != "ping")
    reply.close()


def play_first(bot: Owner, decision: Wire) -> str:
    sent = {"id": decision["id"], "moves": decision["state"]["legal_moves"][:1]}
    return str(bot.post(f"{bot.path}/answers", {"answers": [sent]}).body["answers"][0]["outcome"])


def test_one_connection_brings_decisions_as_they_come_up(desk: Desk) -> None:
    bot = registered(desk.api)
    first = new_game(desk.api, [bot.seat] * 3)
    with connected(desk, bot) as lines:
        decision = next(lines)
        assert desk.api.get(bot.path).body["connected"]
        for _ in range(3):
            assert decision["game"] == first.path.rpartition("/")[2]
            assert play_first(bot, decision) == "played"
            decision = next(lines)
        second = new_game(desk.api, [bot.seat] * 3)
        assert next(lines)["game"] == second.path.rpartition("/")[2]
    with connected(desk, bot) as lines:
        assert {next(lines)["game"] for _ in range(2)} == {each.path.rpartition("/")[2] for each in (first, second)}


def test_the_newest_connection_takes_the_place_of_the_one_before(desk: Desk) -> None:
    bot = registered(desk.api)
    new_game(desk.api, [bot.seat] * 3)
    with connected(desk, bot) as older:
        decision = next(older)
        with connected(desk, bot) as newer:
            assert next(newer)["id"] == decision["id"]
            assert list(older) == [{"type": "replaced"}]
            assert play_first(bot, decision) == "played"
            assert next(newer)["id"] != decision["id"]


def test_a_decision_that_is_not_the_bots_any_more_is_withdrawn(desk: Desk) -> None:
    bot = registered(desk.api)
    game, deleted = new_game(desk.api, 3), new_game(desk.api, [bot.seat] * 3)
    control = f"{game.path}/seats/{game.state['decision']['seat']}/controller"
    with connected(desk, bot) as lines:
        before = next(lines)
        assert deleted.host.delete(deleted.path).status == 204
        assert next(lines) == {"type": "withdrawn", "id": before["id"], "reason": "deleted"}
        assert game.host.put(control, {"kind": "bot", "bot": bot.seat}).status == 200
        decision = next(lines)
        assert game.host.put(control, {"kind": "player"}).status == 200
        assert next(lines) == {"type": "withdrawn", "id": decision["id"], "reason": "taken_back"}
        assert game.host.put(control, {"kind": "bot", "bot": bot.seat}).status == 200
        again = next(lines)
        assert again["id"] == decision["id"]
        assert bot.patch(bot.path, {"paused": True}).status == 200
        assert next(lines) == {"type": "withdrawn", "id": decision["id"], "reason": "paused"}
