"""Invitations: a token that lets so many join, and nothing else; also in the place of a bot, while the game goes on."""

import pytest

from tests.support.answers import finished, refused
from tests.support.contract import check
from tests.support.desk import Desk, InProcess
from tests.support.helpers import Wire
from tests.support.serving import Reply, new_game

ALONE = {"seats": ["open", "sailor", "captain"], "join": {"name": "Ada"}, "start": True, "visibility": "private"}


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


def begun(desk: Desk, **wanted: object) -> tuple[str, InProcess]:
    """A game that its host has begun, and the host."""
    made = desk.api.post("/v1/games", ALONE | wanted)
    assert made.status == 201, made.body
    return made.headers["location"], desk.api.be(made.body["token"])


def invite(host: InProcess, path: str, **wanted: object) -> Reply:
    reply = host.post(f"{path}/invitations", wanted)
    check("post", f"{path}/invitations", reply, wanted)
    return reply


def join(desk: Desk, path: str, invitation: str, **wanted: object) -> Reply:
    body = {"name": "Bert", "invitation": invitation} | wanted
    reply = desk.api.post(f"{path}/players", body)
    check("post", f"{path}/players", reply, body)
    return reply


def told(host: InProcess, path: str) -> list[Wire]:
    reply = host.get(f"{path}/invitations")
    check("get", f"{path}/invitations", reply)
    return list(reply.body["invitations"])


def test_a_friend_takes_a_bots_seat_while_a_private_game_goes_on(desk: Desk) -> None:
    path, host = begun(desk)
    made = invite(host, path, seat=2).body
    before = host.get(path).body
    joined = join(desk, path, made["token"])
    assert joined.status == 201, joined.body
    state = joined.body["game"]
    assert (state["status"], state["you"]["seats"], state["version"]) == ("playing", [2], before["version"] + 1)
    assert (state["seats"][2]["kind"], state["seats"][2]["bot"]) == ("player", None)
    friend = desk.api.be(joined.body["token"])
    assert friend.get(path).body["you"]["player_id"] == state["you"]["player_id"]
    assert friend.delete(f"{path}/players/{state['you']['player_id']}").status == 204
    assert host.get(path).body["seats"][2]["kind"] == "bot"


def test_an_invitation_lets_exactly_so_many_join_as_it_is_for(desk: Desk) -> None:
    path, host = begun(desk)
    token = invite(host, path, uses=2).body["token"]
    seats = [join(desk, path, token).body["game"]["you"]["seats"] for _ in range(2)]
    assert seats == [[1], [2]]
    refused(join(desk, path, token), "invitation_used", "/invitation")
    (listed,) = told(host, path)
    assert (listed["status"], listed["uses"], listed["player_ids"]) == ("used", 2, ["p2", "p3"])


def test_an_open_seat_is_taken_before_a_bots(desk: Desk) -> None:
    game = new_game(desk.api, ["sailor", "open", "open"], start=False)
    game.host.delete(f"{game.path}/players/p2")
    token = invite(desk.api.be(str(game.host.token)), game.path, uses=2).body["token"]
    assert [join(desk, game.path, token).body["game"]["you"]["seats"] for _ in range(2)] == [[2], [0]]
    past = desk.api.get(f"{game.path}?version=1").body["seats"]
    assert [(seat["kind"], seat["bot"]) for seat in past] == [("bot", "sailor"), ("open", None), ("open", None)]


def test_an_invitation_opens_nothing_but_a_seat(desk: Desk) -> None:
    path, host = begun(desk)
    guest = desk.api.be(invite(host, path).body["token"])
    for reply in (guest.get(path), guest.get(f"{path}/events"), guest.post(f"{path}/start"), guest.delete(path)):
        refused(reply, "no_such_game")
    refused(guest.get(f"{path}/invitations"), "no_such_game")


def test_a_private_game_is_not_there_for_an_invitation_of_another(desk: Desk) -> None:
    path, _ = begun(desk)
    other, host = begun(desk)
    refused(join(desk, path, invite(host, other).body["token"]), "no_such_game")
    shown, _ = begun(desk, visibility="public")
    refused(join(desk, shown, invite(host, other).body["token"]), "bad_invitation", "/invitation")


def test_a_revoked_invitation_lets_nobody_in_and_those_who_came_stay(desk: Desk) -> None:
    path, host = begun(desk)
    made = invite(host, path, uses=3).body
    join(desk, path, made["token"])
    where = f"{path}/invitations/{made['invitation']['id']}"
    for _ in range(2):
        reply = host.delete(where)
        check("delete", where, reply)
        assert reply.status == 204
    refused(join(desk, path, made["token"]), "invitation_revoked", "/invitation")
    assert told(host, path)[0]["status"] == "revoked"
    assert len(host.get(path).body["players"]) == 2
    refused(host.delete(f"{path}/invitations/i9"), "not_found")


def test_only_the_host_invites_lists_and_revokes(desk: Desk) -> None:
    game = new_game(desk.api)
    for who, code in ((game.players[0], "forbidden"), (desk.api, "no_token")):
        refused(who.post(f"{game.path}/invitations", {}), code)
        refused(who.get(f"{game.path}/invitations"), code)
        refused(who.delete(f"{game.path}/invitations/i1"), code)


def test_a_seat_that_a_player_has_is_taken_also_while_a_bot_stands_in_for_them(desk: Desk) -> None:
    path, host = begun(desk)
    token = invite(host, path, seat=0).body["token"]
    host.put(f"{path}/seats/0/controller", {"kind": "bot", "bot": "sailor"})
    refused(join(desk, path, token), "seat_taken", "/seat")
    assert told(host, path)[0]["status"] == "open"


def test_an_invitation_to_a_seat_is_for_no_other(desk: Desk) -> None:
    path, host = begun(desk)
    token = invite(host, path, seat=1).body["token"]
    refused(join(desk, path, token, seat=2), "invalid", "/seat")
    assert join(desk, path, token, seat=1).status == 201


def test_nobody_joins_or_is_invited_when_the_game_is_over(desk: Desk) -> None:
    game = finished(desk.api)
    refused(game.host.post(f"{game.path}/invitations", {}), "game_over")


@pytest.mark.parametrize(
    ("wanted", "pointer"),
    [({"seat": 5}, "/seat"), ({"seat": 9}, "/seat"), ({"uses": 0}, "/uses"), ({"uses": 9}, "/uses"), ({"n": 1}, "/n")],
)
def test_what_is_no_invitation_is_refused(desk: Desk, wanted: Wire, pointer: str) -> None:
    path, host = begun(desk)
    refused(host.post(f"{path}/invitations", wanted), "invalid", pointer)
    assert told(host, path) == []


def test_there_is_an_end_to_open_invitations_and_spent_ones_make_room(desk: Desk) -> None:
    path, host = begun(desk)
    for _ in range(32):
        assert invite(host, path).status == 201
    refused(invite(host, path), "too_many_invitations")
    host.delete(f"{path}/invitations/i7")
    assert invite(host, path).body["invitation"]["id"] == "i33"
    assert "i7" not in [each["id"] for each in told(host, path)]


def test_a_repeated_request_is_answered_with_the_same_invitation(desk: Desk) -> None:
    path, host = begun(desk)
    first, again = (host.post(f"{path}/invitations", {}, Idempotency_Key="once") for _ in range(2))
    assert (first.body, again.headers["idempotency-replayed"]) == (again.body, "true")
    body = {"name": "Bert", "invitation": first.body["token"]}
    key = {"Idempotency_Key": "a key that nobody guesses"}
    joined = [desk.api.post(f"{path}/players", body, **key).body for _ in range(2)]
    assert joined[0] == joined[1]
    assert told(host, path)[0]["player_ids"] == ["p2"]


def test_the_store_has_no_token_and_whoever_asks_for_all_kinds_is_told(desk: Desk) -> None:
    path, host = begun(desk)
    token = invite(host, path, seat=1).body["token"]
    join(desk, path, token)
    stored = desk.store.redis.hgetall(desk.store.names.game(path.rpartition("/")[2]))
    assert not any(token.encode() in value for value in stored.values())
    every = host.get(f"{path}/events?kinds=all").body
    first = host.get(f"{path}/events").body
    made = [event for event in every["events"] if event not in first["events"]]
    assert [(event["type"], event["invitation_id"], event["seat"]) for event in made] == [("invitation_made", "i1", 1)]
    assert first["next"] == every["next"]
    (joined,) = [event for event in first["events"] if event.get("player_id") == "p2"]
    assert (joined["invitation_id"], joined["bots"]) == ("i1", ["sailor"])


def test_a_fork_has_none_of_the_invitations(desk: Desk) -> None:
    path, host = begun(desk)
    token = invite(host, path).body["token"]
    fork = host.post(f"{path}/forks", {}).body
    there = f"/v1/games/{fork['game']['id']}"
    assert told(desk.api.be(fork["token"]), there) == []
    refused(join(desk, there, token), "no_such_game")
