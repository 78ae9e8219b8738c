"""Bots of others on a cluster, where their account, their connection and their games are on different nodes."""

from collections.abc import Iterator

import pytest

from service.matches import hosting
from service.matches.repository import MatchRepository
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


def test_the_games_of_a_match_are_in_its_partition_and_are_folded_into_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "own_store", lambda: desk.store)
    bot, repository = registered(desk.api), MatchRepository(desk.store)
    bot.get(f"{bot.path}/decisions?wait=0")  # it is connected
    made = desk.api.post("/v1/matches", {"games": 2, "gnomes": [3], "crew": [bot.seat]}).body["match"]
    hosting.host(made["id"])
    match = repository.fetch(made["id"])
    assert match is not None
    partitions = desk.store.names.partitions
    assert repository.list_hosted(partitions.all) == [match.id]
    tables = [hosting.table_id(desk.store, match, place) for place in match.tables]
    assert [partitions.of(each) for each in tables] == [partitions.of(match.id)] * 2
    while not (told := desk.api.get(f"/v1/matches/{match.id}").body)["ended_at"]:
        answer_all(bot)
        hosting.host(match.id)
    assert (told["status"], told["played"], told["series"][0]["crew"]["games"]) == ("finished", 2, 2)
    assert repository.list_hosted(partitions.all) == []
