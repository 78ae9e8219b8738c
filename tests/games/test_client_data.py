"""What clients keep with games and players."""

import pytest

from tests.support.answers import NDJSON, finished, refused
from tests.support.desk import Desk
from tests.support.serving import Wire, new_game

MOST = 1024
KEY = "of somebody who asks twice"


@pytest.mark.parametrize("data", [{"theme": ["storm", 1.5, None]}, "a word", 0, False, [], "x" * (MOST - 2)])
def test_the_host_keeps_any_json_with_a_game_and_everybody_reads_it(desk: Desk, data: object) -> None:
    game = new_game(desk.api)
    changed = game.host.patch(game.path, {"client_data": data})
    assert (changed.status, changed.body["client_data"]) == (200, data)
    seen = desk.api.get(game.path).body
    assert (seen["client_data"], seen["version"]) == (data, game.state["version"])
    event = desk.history(game.path)[-1]
    assert (event["type"], event["client_data"]) == ("client_data_changed", data)


def test_each_player_keeps_their_own_and_it_goes_with_them(desk: Desk) -> None:
    game = new_game(desk.api, start=False)
    for number, player in enumerate(game.players, 1):
        assert player.patch(f"{game.path}/players/p{number}", {"client_data": number}).status == 200
    assert [player["client_data"] for player in game.state["players"]] == [1, 2, 3]
    assert game.players[0].delete(f"{game.path}/players/p1").status == 204
    desk.api.be(game.host.token or "").post(f"{game.path}/players", {"name": "Olga", "client_data": "hers"})
    assert [player["client_data"] for player in game.state["players"]] == [2, 3, "hers"]


def test_null_takes_away_what_was_kept_and_the_same_again_changes_nothing(desk: Desk) -> None:
    made = desk.api.post("/v1/games", {"client_data": "mine"})
    path, host = made.headers["location"], desk.api.be(made.body["token"])
    before = host.get(path).body
    assert before["client_data"] == "mine"
    assert host.patch(path, {"client_data": "mine"}).body["version"] == before["version"]
    assert host.patch(path, {"client_data": None}).body["client_data"] is None
    assert host.get(f"{path}?version={before['version']}").body["client_data"] == "mine", "the past is as it was"


@pytest.mark.parametrize("data", ["x" * (MOST - 1), {"name": "é" * 600}, ["y" * 2000]])
def test_what_is_too_long_is_refused_and_changes_nothing(desk: Desk, data: object) -> None:
    game = new_game(desk.api, start=False)
    body: Wire = {"client_data": data}
    for reply in (
        game.host.patch(game.path, body),
        game.players[0].patch(f"{game.path}/players/p1", body),
        desk.api.post("/v1/games", body),
        desk.api.post(f"{game.path}/forks", body),
    ):
        assert "at most 1024 bytes" in refused(reply, "invalid", "/client_data")["detail"]
    assert game.state["client_data"] is None


def test_only_whose_it_is_may_change_it_and_only_while_somebody_plays(desk: Desk) -> None:
    game = new_game(desk.api)
    body = {"client_data": 1}
    refused(desk.api.patch(game.path, body), "no_token")
    refused(game.players[0].patch(game.path, body), "forbidden")
    refused(game.host.patch(f"{game.path}/players/p1", body), "forbidden")
    refused(game.players[1].patch(f"{game.path}/players/p1", body), "forbidden")
    refused(game.players[1].patch(f"{game.path}/players/p9", body), "not_found")
    refused(game.host.patch(game.path, {}), "invalid", "/client_data")
    over = finished(desk.api)
    refused(over.host.patch(over.path, body), "game_over")


def test_lists_leave_it_out_and_forks_take_the_games_with_them(desk: Desk) -> None:
    made = desk.api.post("/v1/games", {"client_data": {"theme": "storm"}})
    path = made.headers["location"]
    listed = {game["id"]: game for game in desk.api.get("/v1/games?limit=100").body["games"]}
    assert "client_data" not in str(listed[path.rpartition("/")[2]])
    assert desk.api.post(f"{path}/forks").headers["location"] != path
    forked = [desk.api.post(f"{path}/forks", wanted).headers["location"] for wanted in ({}, {"client_data": 2})]
    assert [desk.api.get(fork).body["client_data"] for fork in forked] == [{"theme": "storm"}, 2]


def test_nothing_that_is_kept_looks_like_the_end_or_a_move(desk: Desk) -> None:
    game = new_game(desk.api)
    lie = {"type": "game_over", "move": {"type": "choice"}, "private": {"seats": [], "fields": ["seq"]}}
    assert game.host.patch(game.path, {"client_data": lie}).status == 200
    assert desk.history(game.path)[-1]["client_data"] == lie
    assert game.host.delete(game.path).status == 204
    over = finished(desk.api, client_data=lie)
    assert desk.api.get(f"{over.path}/replay").body["moves"]
    stream = desk.api.get(f"{over.path}/events/stream?after=0", Accept=NDJSON).body
    assert len(stream.splitlines()) == 1 + len(desk.history(over.path))


def test_a_repeated_request_is_told_what_was_kept_then_and_nothing_after_its_deletion(desk: Desk) -> None:
    made = desk.api.post("/v1/games", {"client_data": "first"}, Idempotency_Key=KEY)
    path, host = made.headers["location"], desk.api.be(made.body["token"])
    host.patch(path, {"client_data": "second"})
    assert desk.api.post("/v1/games", {"client_data": "first"}, Idempotency_Key=KEY).body == made.body
    assert host.delete(path).status == 204
    refused(desk.api.post("/v1/games", {"client_data": "first"}, Idempotency_Key=KEY), "no_such_game")
