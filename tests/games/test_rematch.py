"""A rematch: the same crew with the same tokens in another game, which the old one names."""

import pytest

from tests.support.answers import LAST_MOVE, NO_ACTION, finished, refused
from tests.support.contract import check
from tests.support.desk import Desk
from tests.support.serving import Client, Reply, Seated, new_game


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


@pytest.fixture
def game(desk: Desk) -> Seated:
    return finished(desk.api, turn_seconds=60, name="Friday night")


def rematch(who: Client, path: str, **headers: str) -> Reply:
    reply = who.post(f"{path}/rematch", **headers)
    check("post", f"{path}/rematch", reply)
    return reply


def test_the_same_crew_plays_again_with_the_tokens_that_they_have(desk: Desk, game: Seated) -> None:
    old = game.players[1].get(game.path).body
    made = rematch(game.players[1], game.path)
    assert made.status == 201
    state, there = made.body["game"], made.headers["location"]
    assert (state["status"], state["you"], state["sandbox"]) == ("playing", old["you"], False)
    kept = ("name", "visibility", "turn_seconds", "players", "rules")
    assert {name: state[name] for name in kept} == {name: old[name] for name in kept}
    assert [seat["player_id"] for seat in state["seats"]] == [seat["player_id"] for seat in old["seats"]]
    assert (state["id"] != old["id"], state["dice"]["hash"] != old["dice"]["hash"], state["turn"]) == (True, True, 1)
    for who in (game.host, *game.players):
        assert who.get(there).body["you"] == who.get(game.path).body["you"]
    assert game.host.delete(there).status == 204


def test_the_old_game_names_the_new_one_in_a_version_of_its_own(desk: Desk, game: Seated) -> None:
    before = game.players[0].get(game.path)
    assert before.body["rematch_id"] is None
    new = rematch(game.players[0], game.path).body["game"]["id"]
    after = game.players[0].get(game.path, If_None_Match=before.headers["etag"])
    assert (after.body["rematch_id"], after.body["version"]) == (new, before.body["version"] + 1)
    assert after.body["seq"] == before.body["seq"]
    assert game.players[0].get(f"{game.path}?version={before.body['version']}").body["result"]
    assert game.host.get(f"{game.path}/replay").status == 200


def test_whoever_asks_again_is_told_the_same_game(desk: Desk, game: Seated) -> None:
    first = rematch(game.players[0], game.path)
    again = rematch(game.host, game.path)
    assert (again.status, again.body["game"]["id"]) == (200, first.body["game"]["id"])
    assert again.body["game"]["you"]["host"]


def test_a_repeated_request_is_answered_as_before(desk: Desk, game: Seated) -> None:
    replies = [rematch(game.players[0], game.path, Idempotency_Key="again") for _ in range(2)]
    assert [reply.status for reply in replies] == [201, 201]
    assert replies[0].body == replies[1].body


def test_bots_keep_their_seats_and_one_that_stood_in_gives_its_back(desk: Desk) -> None:
    game = new_game(desk.api, ["open", "captain", "open"], position=LAST_MOVE)
    game.host.put(f"{game.path}/seats/2/controller", {"kind": "bot", "bot": "sailor"})
    game.players[0].play(game.path, NO_ACTION)
    seats = rematch(game.players[0], game.path).body["game"]["seats"]
    assert [(seat["kind"], seat["bot"]) for seat in seats] == [("player", None), ("bot", "captain"), ("player", None)]


def test_a_rematch_has_a_rematch_too(desk: Desk, game: Seated) -> None:
    first = rematch(game.host, game.path).headers["location"]
    refused(rematch(game.host, first), "not_over")


def test_after_a_failure_between_the_two_commits_the_new_game_is_found(desk: Desk, game: Seated) -> None:
    made = rematch(game.players[0], game.path).body["game"]["id"]
    desk.store.redis.hdel(desk.store.names.game(game.path.rpartition("/")[2]), "rematch")
    assert rematch(game.players[1], game.path).body["game"]["id"] == made


def test_a_rematch_that_was_deleted_is_not_there_any_more(desk: Desk, game: Seated) -> None:
    there = rematch(game.host, game.path).headers["location"]
    game.host.delete(there)
    refused(rematch(game.host, game.path), "no_such_game")


def test_a_game_that_goes_on_has_no_rematch(desk: Desk) -> None:
    game = new_game(desk.api)
    refused(rematch(game.players[0], game.path), "not_over")
    assert game.state["rematch_id"] is None


def test_only_the_crew_may_ask(desk: Desk) -> None:
    game = finished(desk.api)
    refused(rematch(desk.api, game.path), "no_token")
