"""Bots of others on a cluster, where their account, their connection and their games are on different nodes."""

from collections.abc import Iterator

import pytest

from tests.outside.given import registered
from tests.support.cluster import running_cluster
from tests.support.desk import Desk
from tests.support.playing import bare
from tests.support.serving import new_game

GAMES = 3


@pytest.fixture(scope="module")
def desk(redis_url: str) -> Iterator[Desk]:
    with running_cluster(3) as cluster:
        yield Desk(cluster.url, redis_url, bot_accounts="anybody")


def test_a_bot_plays_its_games_to_the_end_wherever_they_are(desk: Desk) -> None:
    bot = registered(desk.api)
    paths = [new_game(desk.api, [bot.seat] * 3).path for _ in range(GAMES)]
    partitions = {desk.store.names.partitions.of(path.rpartition("/")[2]) for path in paths}
    assert len(partitions) > 1
    assert len(bot.get(f"{bot.path}/games").body["games"]) == GAMES
    played = 0
    while decisions := bot.get(f"{bot.path}/decisions?wait=0").body["decisions"]:
        sent = [{"id": each["id"], "moves": [bare(each["state"]["legal_moves"][0])]} for each in decisions]
        outcomes = [each["outcome"] for each in bot.post(f"{bot.path}/answers", {"answers": sent}).body["answers"]]
        assert outcomes == ["played"] * len(sent)
        played += len(sent)
    games = [bot.get(path).body for path in paths]
    assert all(game["result"] for game in games)
    assert sum(game["moves_played"] for game in games) == played
    assert bot.get(f"{bot.path}/games").body["games"] == []
    told = desk.api.get(bot.path).body["record"]
    assert (told["decisions"], told["crews"][0]["games"]) == (played, GAMES)


def test_a_bot_that_is_away_is_stood_in_for(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat, "sailor", "sailor"])
    while not desk.api.get(game.path).body["result"]:
        desk.work(game.path)
    asked = desk.store.names.asked(desk.store.names.partitions.of(game.path.rpartition("/")[2]), bot.name)
    assert desk.store.redis.ask(("HLEN", asked)) == [0]
