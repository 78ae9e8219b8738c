"""Bots of others on a cluster, where their account, their connection and their games are on different nodes."""

from collections.abc import Iterator

import pytest

from tests.outside.given import Owner, registered
from tests.support.answers import LAST_MOVE
from tests.support.cluster import running_cluster
from tests.support.desk import Desk
from tests.support.playing import bare
from tests.support.serving import new_game

GAMES, ROUNDS = 6, 4


@pytest.fixture(scope="module")
def desk(redis_url: str) -> Iterator[Desk]:
    with running_cluster(3) as cluster:
        yield Desk(cluster.url, redis_url, bot_accounts="anybody")


def answer_all(bot: Owner) -> int:
    """Return how many decisions were open, and are made now."""
    decisions = bot.get(f"{bot.path}/decisions?wait=0").body["decisions"]
    sent = [{"id": each["id"], "moves": [bare(each["state"]["legal_moves"][0])]} for each in decisions]
    outcomes = [each["outcome"] for each in bot.post(f"{bot.path}/answers", {"answers": sent}).body["answers"]]
    assert outcomes == ["played"] * len(sent)
    return len(sent)


def test_a_bot_is_asked_and_answers_wherever_its_games_are(desk: Desk) -> None:
    bot = registered(desk.api)
    paths = [new_game(desk.api, [bot.seat] * 3).path for _ in range(GAMES)]
    ending = new_game(desk.api, [bot.seat] * 3, position=LAST_MOVE)
    partitions = {desk.store.names.partitions.of(path.rpartition("/")[2]) for path in paths}
    assert len(partitions) > 1
    assert len(bot.get(f"{bot.path}/games").body["games"]) == GAMES + 1
    played = [answer_all(bot) for _ in range(ROUNDS)]
    assert played == [GAMES + 1] + [GAMES] * (ROUNDS - 1)
    assert bot.get(ending.path).body["result"]
    assert len(bot.get(f"{bot.path}/games").body["games"]) == GAMES
    assert [bot.get(path).body["moves_played"] for path in paths] == [ROUNDS] * GAMES
    assert desk.api.get(bot.path).body["record"]["decisions"] == sum(played)


def test_a_bot_that_is_away_is_stood_in_for(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3, position=LAST_MOVE)
    while not desk.api.get(game.path).body["result"]:
        desk.work(game.path)
    asked = desk.store.names.asked(desk.store.names.partitions.of(game.path.rpartition("/")[2]), bot.name)
    assert desk.store.redis.ask(("HLEN", asked)) == [0]
