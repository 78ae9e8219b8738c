"""Tokens that are renewed, and tokens that are given up."""

import json

from service.games.commands.rights import REMEMBERED
from tests.support.answers import NDJSON, refused
from tests.support.desk import Desk
from tests.support.matching import new_match
from tests.support.serving import Client, new_game

KEY = "of a renewal that is repeated"


def renewed(holder: Client, path: str, **headers: str) -> Client:
    reply = holder.post(f"{path}/token", **headers)
    assert reply.status == 200, reply.body
    assert reply.headers["cache-control"] == "no-store"
    return holder.be(reply.body["token"])


def test_a_renewed_token_does_what_the_old_one_did_and_the_old_one_nothing(desk: Desk) -> None:
    game = new_game(desk.api)
    before = game.state
    for old in (game.host, game.players[1]):
        you = old.get(game.path).body["you"]
        new = renewed(old, game.path)
        assert new.token != old.token
        assert new.get(game.path).body["you"] == you
        reply = old.get(game.path)
        refused(reply, "token_revoked")
        assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        etag = new.get(game.path).headers["etag"]
        refused(old.get(game.path, If_None_Match=etag), "token_revoked")
        refused(old.post(f"{game.path}/token"), "token_revoked")
        refused(old.get(f"{game.path}/events"), "token_revoked")
    after = new.get(game.path).body
    assert (after["version"], after["seq"]) == (before["version"], before["seq"]), "others are told of it"


def test_a_private_game_tells_nobody_else_of_a_revoked_token(desk: Desk) -> None:
    made = desk.api.post("/v1/games", {"visibility": "private"})
    path, old = made.headers["location"], desk.api.be(made.body["token"])
    new = renewed(old, path)
    refused(old.get(path), "token_revoked")
    for stranger in (desk.api, desk.api.be(f"{new.token}x")):
        refused(stranger.get(path), "no_such_game")


def test_a_renewal_that_is_repeated_is_answered_with_the_same_token(desk: Desk) -> None:
    game = new_game(desk.api)
    for path, holder in ((game.path, game.players[0]), new_match(desk.api)):
        first = holder.post(f"{path}/token", Idempotency_Key=KEY)
        again = holder.post(f"{path}/token", Idempotency_Key=KEY)
        assert again.body == first.body
        assert again.headers["idempotency-replayed"] == "true"
        refused(holder.post(f"{path}/token", Idempotency_Key=f"{KEY} otherwise"), "token_revoked")


def test_a_player_who_gives_up_their_token_leaves(desk: Desk) -> None:
    game = new_game(desk.api)
    assert game.players[0].delete(f"{game.path}/token").status == 204
    refused(game.players[0].get(game.path), "token_revoked")
    assert [player["id"] for player in game.host.get(game.path).body["players"]] == ["p2", "p3"]
    assert desk.history(game.path)[-1]["type"] == "player_left"


def test_a_host_who_gives_up_their_token_leaves_a_game_that_goes_on(desk: Desk) -> None:
    game = new_game(desk.api)
    before = game.state
    assert game.host.delete(f"{game.path}/token").status == 204
    refused(game.host.delete(game.path), "token_revoked")
    assert desk.api.get(game.path).body["version"] == before["version"]


def test_nobody_renews_or_gives_up_what_they_do_not_have(desk: Desk) -> None:
    game, (match, _) = new_game(desk.api), new_match(desk.api)
    for path, other in ((game.path, new_game(desk.api).host), (match, game.host)):
        for method in ("POST", "DELETE"):
            refused(desk.api.call(method, f"{path}/token"), "no_token")
            refused(other.call(method, f"{path}/token"), "bad_token")


def test_an_open_stream_ends_with_its_token(desk: Desk) -> None:
    game = new_game(desk.api)
    app = desk.api.app
    assert app is not None
    sent = {"Accept": NDJSON, "Authorization": f"Bearer {game.players[0].token}"}
    lines = app.test_client().get(f"{game.path}/events/stream", headers=sent).iter_encoded()
    assert json.loads(next(lines))["type"] == "state"
    renewed(game.players[0], game.path)
    assert [json.loads(line) for line in lines if line.strip()] == [{"type": "token_revoked"}]


def test_of_a_token_renewed_again_and_again_only_the_latest_are_remembered(desk: Desk) -> None:
    game = new_game(desk.api)
    first = holder = game.host
    for _ in range(REMEMBERED + 1):
        holder = renewed(holder, game.path)
    refused(first.get(game.path), "bad_token")
    assert holder.get(game.path).body["you"]["host"]


def test_a_match_is_changed_by_its_renewed_token_only_and_by_nobody_when_that_is_given_up(desk: Desk) -> None:
    path, old = new_match(desk.api)
    new = renewed(old, path)
    refused(old.patch(path, {"status": "paused"}), "token_revoked")
    assert new.patch(path, {"status": "paused"}).status == 200
    assert new.delete(f"{path}/token").status == 204
    for holder in (old, new):
        refused(holder.delete(path), "token_revoked")
    assert desk.api.get(path).body["status"] == "paused"
