"""A game of a match, opened: over, told from its beginning, to be replayed, verified and forked."""

from typing import Any

import pytest

from bots.arena.game import play_game
from bots.arena.series import game_seed
from bots.roster import ROSTER
from engine import Rules
from engine.verify import verify
from service.matches import opening
from tests.support.answers import refused
from tests.support.desk import Desk
from tests.support.matching import id_of, keys_of, new_match, work
from tests.support.serving import Reply, Wire


def opened(desk: Desk, path: str, gnomes: int, line_up: str, number: int) -> Reply:
    """By a worker, of whom the caller hears when they ask again."""
    desk.store.redis.delete("rq:queue:advice")
    asked = desk.api.post(f"{path}/games/{gnomes}/{line_up}/{number}?wait=0")
    assert (asked.status, asked.headers["retry-after"]) == (202, "1")
    assert desk.store.redis.llen("rq:queue:advice") == 1
    desk.store.redis.delete("rq:queue:advice")
    opening.open_game(id_of(path), gnomes, line_up, number)
    told = desk.api.post(f"{path}/games/{gnomes}/{line_up}/{number}?wait=0")
    assert told.headers["location"] == asked.headers["location"]
    return told


def check(desk: Desk, where: str, result: Wire) -> None:
    """A finished game like any other, that ended as the match says."""
    state = desk.api.get(where).body
    assert state["status"] == "finished"
    assert state["result"]["cause"] == result["cause"]
    assert state["result"]["seats"] == [seat["result"] for seat in result["seats"]]
    assert [seat["bot"] for seat in state["seats"]] == result["crew"]
    assert state["dice"]["seed"] == result["seed"]
    assert state["turn"] == result["turns"]
    history = desk.history(where)
    assert [event["seq"] for event in history] == list(range(1, len(history) + 1))
    assert [event["type"] for event in history[:2]] == ["game_created", "game_started"]
    assert history[-1]["type"] == "game_over"
    replay = desk.api.get(f"{where}/replay").body
    assert verify(replay).result == state["result"]
    middle = history[len(history) // 2]["version"]
    for dice in ("same", "fresh"):
        fork = desk.api.post(f"{where}/forks", {"version": middle, "dice": dice})
        assert fork.status == 201, fork.body
        assert fork.body["game"]["forked_from"] == {"game_id": where.rpartition("/")[2], "version": middle}
    assert desk.api.get(f"{where}/odds").status == 200


@pytest.mark.parametrize("keep", ["none", "losses", "all"])
@pytest.mark.parametrize("crew", ["sailor", "cabin_boy"])
def test_any_game_of_a_match_can_be_opened(desk: Desk, crew: str, keep: str) -> None:
    path, _ = new_match(desk.api, gnomes=[4, 3], crew=[crew], games=6, keep_replays=keep, name="x" * 60)
    work(desk, path)
    games = desk.api.get(f"{path}/games").body["games"]
    chosen = [next(game for game in games if game["rescued"] == rescued) for rescued in {g["rescued"] for g in games}]
    for game in chosen:
        told = opened(desk, path, game["gnomes"], "crew", game["number"])
        assert told.status == 201
        assert told.body["game_id"] == told.headers["location"].rpartition("/")[2]
        check(desk, told.headers["location"], game)
        assert len(desk.api.get(told.headers["location"]).body["name"]) <= 60
    kept = {"none": 0, "losses": sum(not game["rescued"] for game in games), "all": len(games)}[keep]
    found = (desk.store.redis.hlen(f"match:{id_of(path)}:moves:{series}:0") for series in range(2))
    assert sum(found) == kept


def test_a_game_is_opened_once_however_often_it_is_asked_for(desk: Desk) -> None:
    path, owner = new_match(desk.api, games=3)
    work(desk, path)
    where = opened(desk, path, 3, "crew", 1).headers["location"]
    before = desk.api.get(where).body
    for _ in range(2):
        opening.open_game(id_of(path), 3, "crew", 1)
    assert desk.api.get(where).body == before
    told = {"game_id": id_of(where), "match_id": id_of(path), "gnomes": 3, "line_up": "crew", "number": 1}
    for replayed in (None, "true"):
        again = desk.api.post(f"{path}/games/3/crew/1", Idempotency_Key="a key for opening a game")
        assert (again.status, again.headers["location"], again.body) == (201, where, told)
        assert again.headers.get("idempotency-replayed") == replayed
    assert desk.store.redis.llen("rq:queue:advice") == 0
    assert where.rpartition("/")[2] not in str(desk.api.get("/v1/games?status=finished&limit=100").body)
    assert owner.delete(path).status == 204
    assert desk.api.get(where).status == 200
    assert owner.delete(where).status == 204, "whoever has the match's token is its host"


def test_games_that_are_not_there_are_not_found(desk: Desk) -> None:
    path, _ = new_match(desk.api, games=3)
    refused(desk.api.post(f"{path}/games/3/crew/1"), "not_found")
    work(desk, path)
    for place in ("3/crew/3", "4/crew/1", "3/against/1", "3/both/1"):
        refused(desk.api.post(f"{path}/games/{place}"), "not_found")
    refused(desk.api.post("/v1/matches/aaaaaaaaaaaaaaaa/games/3/crew/0"), "no_such_match")
    opening.open_game("aaaaaaaaaaaaaaaa", 3, "crew", 0)


class Successor:
    """A bot of a later release, who plays as another did."""

    def choose(self, *arguments: Any, **how: Any) -> Any:
        return ROSTER["sailor"].choose(*arguments, **how)


@pytest.mark.parametrize("keep", ["none", "all"])
def test_a_release_whose_bots_play_otherwise_says_so_or_has_the_moves(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, keep: str
) -> None:
    path, owner = new_match(desk.api, crew=["cabin_boy"], games=2, keep_replays=keep)
    work(desk, path)
    (game, _) = desk.api.get(f"{path}/games").body["games"]
    monkeypatch.setitem(ROSTER, "cabin_boy", Successor())
    assert play_game(["cabin_boy"], Rules(gnomes=3), game_seed(1, 0)).turns != game["turns"]
    told = opened(desk, path, 3, "crew", 0) if keep == "all" else None
    if told:
        assert told.status == 201
        check(desk, told.headers["location"], game)
        return
    opening.open_game(id_of(path), 3, "crew", 0)
    problem = refused(desk.api.post(f"{path}/games/3/crew/0"), "played_otherwise")
    assert f"{game['cause']} in turn {game['turns']}" in problem["detail"]
    assert owner.delete(path).status == 204
    assert keys_of(desk, path) == []
