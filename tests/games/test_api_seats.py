"""Around the table: join, leave, start, hand seats to bots and take them back, delete."""

from typing import Any

import pytest

from tests.support.answers import at_once, refused, scene, settled
from tests.support.serving import Client, Wire, new_game


def created(api: Client, *seats: str, **wanted: Any) -> tuple[str, Client]:
    made = api.post("/v1/games", {"seats": seats or ["open"] * 3, **wanted})
    assert made.status == 201, made.body
    return f"/v1/games/{made.body['game']['id']}", api.be(made.body["token"])


def test_joining_gives_a_seat_a_token_and_the_state_as_the_player_sees_it(api: Client) -> None:
    path, host = created(api)
    joined = api.post(f"{path}/players", {"name": "Olga", "seat": 2})
    assert joined.status == 201
    assert joined.body.keys() == {"token", "game"}
    assert joined.body["game"]["you"]["seats"] == [2]
    player = api.be(joined.body["token"])
    state = player.get(path)
    assert settled(state.body) == settled(joined.body["game"])
    assert state.headers["etag"] == joined.headers["etag"]
    assert state.body["you"] == {"host": False, "player_id": "p1", "seats": [2]}
    assert (state.body["seats"][2]["kind"], state.body["seats"][2]["player_id"]) == ("player", "p1")
    assert host.get(path).body["players"] == [{"id": "p1", "name": "Olga", "seats": [2], "client_data": None}]


def test_without_a_wish_the_first_open_seat_is_taken(api: Client) -> None:
    path, _ = created(api, "sailor", "open", "captain", "open")
    assert [api.post(f"{path}/players", {"name": "G"}).body["game"]["you"]["seats"] for _ in range(2)] == [[1], [3]]
    refused(api.post(f"{path}/players", {"name": "G"}), "seat_taken")


@pytest.mark.parametrize("wish", [{}, {"seat": 1}])
def test_one_of_many_who_want_the_last_seat_gets_it(api: Client, wish: Wire) -> None:
    path, _ = created(api, "captain", "open", "captain")
    replies = at_once(16, lambda: api.post(f"{path}/players", {"name": "G"} | wish))
    assert sorted(reply.status for reply in replies) == [201] + [409] * 15
    assert {reply.body["code"] for reply in replies if reply.status == 409} == {"seat_taken"}
    assert len(api.get(path).body["players"]) == 1


def test_all_who_join_at_once_find_a_seat_of_their_own(api: Client) -> None:
    path, _ = created(api, *["open"] * 8)
    seats = at_once(8, lambda: api.post(f"{path}/players", {"name": "G"}).body["game"]["you"]["seats"])
    assert sorted(seats) == [[seat] for seat in range(8)]


@pytest.mark.parametrize(
    ("players", "wishes", "taken"),
    [
        (2, [None, None], [[0, 1], [2, 3]]),
        (2, [3, None], [[2, 3], [0, 1]]),
        (1, [2], [[0, 1, 2, 3]]),
        (4, [1, 0], [[1], [0]]),
    ],
)
def test_a_player_takes_all_seats_that_are_his_by_the_rules(
    api: Client, players: int, wishes: Any, taken: list[list[int]]
) -> None:
    path, _ = created(api, *["open"] * 4, players=players)
    for wish, seats in zip(wishes, taken):
        joined = api.post(f"{path}/players", {"name": "G"} | ({} if wish is None else {"seat": wish}))
        assert joined.body["game"]["you"]["seats"] == seats
    if players < 4:
        refused(api.post(f"{path}/players", {"name": "G"}), "seat_taken")


@pytest.mark.parametrize(
    ("wanted", "pointer"),
    [
        ({}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": None}, "/name"),
        ({"name": "G", "seat": -1}, "/seat"),
        ({"name": "G", "seat": 3}, "/seat"),
        ({"name": "G", "seat": 8}, "/seat"),
        ({"name": "G", "seat": "1"}, "/seat"),
        ({"name": "G", "seat": True}, "/seat"),
        ({"name": "G", "token": "rn_mine"}, "/token"),
    ],
)
def test_a_bad_wish_to_join_is_refused_with_a_pointer(api: Client, wanted: Wire, pointer: str) -> None:
    refused(api.post(f"{created(api)[0]}/players", wanted), "invalid", pointer)


def test_nobody_joins_after_the_start(api: Client) -> None:
    game = new_game(api)
    refused(api.post(f"{game.path}/players", {"name": "late"}), "already_started")


def test_a_game_with_open_seats_does_not_start_unless_bots_fill_them(api: Client) -> None:
    path, host = created(api, "open", "sailor", "open")
    assert refused(host.post(f"{path}/start"), "seats_open")["open_seats"] == [0, 2]
    refused(host.post(f"{path}/start", {"fill_with": "pirate"}), "invalid", "/fill_with")
    started = host.post(f"{path}/start", {"fill_with": "captain"})
    assert (started.status, started.body["status"]) == (200, "playing")
    assert [seat["bot"] for seat in started.body["seats"]] == ["captain", "sailor", "captain"]
    refused(host.post(f"{path}/start", {"fill_with": "captain"}), "already_started")


def test_the_start_tells_what_happened_before_the_first_decision(api: Client) -> None:
    game = new_game(api, rules={"greater_challenge": "storm"})
    types = [event["type"] for event in api.get(f"{game.path}/events").body["events"]]
    first = types.index("game_started")
    assert types[first + 1] == "storm_began"
    assert "event_drawn" in types[first + 2 :]
    calm = new_game(api)
    types = [event["type"] for event in api.get(f"{calm.path}/events").body["events"]]
    assert types == ["game_created", *["player_joined"] * 3, "game_started", "turn_began"]


def test_before_the_start_who_leaves_opens_his_seats_again(api: Client) -> None:
    path, host = created(api, *["open"] * 4, players=2)
    joined = api.post(f"{path}/players", {"name": "Olga"}).body
    player = api.be(joined["token"])
    assert player.delete(f"{path}/players/{joined['game']['you']['player_id']}").status == 204
    state = host.get(path).body
    assert [seat["kind"] for seat in state["seats"]] == ["open"] * 4
    assert state["players"] == []
    refused(player.get(path), "bad_token")
    again = api.post(f"{path}/players", {"name": "Pjotr"}).body
    assert again["game"]["you"]["seats"] == [0, 1]
    assert again["game"]["you"]["player_id"] != joined["game"]["you"]["player_id"]


def test_after_the_start_a_bot_plays_for_who_left(api: Client) -> None:
    game = new_game(api, position=scene())
    player = game.state["seats"][0]["player_id"]
    assert game.host.delete(f"{game.path}/players/{player}").status == 204
    seat = game.state["seats"][0]
    assert (seat["kind"], seat["player_id"]) == ("bot", None)
    assert seat["bot"] is not None
    refused(game.players[0].play(game.path, {"type": "no_action"}), "bad_token")
    refused(game.host.delete(f"{game.path}/players/{player}"), "not_found")
    told = api.get(f"{game.path}/events").body["events"][-1]
    assert (told["type"], told["player_id"], told["seats"]) == ("player_left", player, [0])


def test_a_seat_is_handed_to_a_bot_and_taken_back_also_in_its_own_turn(api: Client) -> None:
    game = new_game(api, position=scene())
    seat, player = f"{game.path}/seats/0/controller", game.players[0]
    handed = player.put(seat, {"kind": "bot", "bot": "sailor"})
    assert handed.status == 200
    assert (handed.body["seats"][0]["kind"], handed.body["seats"][0]["bot"]) == ("bot", "sailor")
    assert handed.body["legal_moves"] == []
    refused(player.play(game.path, {"type": "no_action"}), "bot_plays")
    other = game.host.put(seat, {"kind": "bot", "bot": "captain"}).body
    assert other["version"] == handed.body["version"] + 1
    back = player.put(seat, {"kind": "player"}).body
    assert (back["seats"][0]["kind"], back["seats"][0]["bot"]) == ("player", None)
    assert back["legal_moves"]
    told = [event for event in api.get(f"{game.path}/events").body["events"] if event["type"] == "controller_changed"]
    assert [event["kind"] for event in told] == ["bot", "bot", "player"]
    assert [event["bot"] for event in told] == ["sailor", "captain", None]
    assert player.play(game.path, back["legal_moves"][0]).status == 200


def test_handing_a_seat_to_whom_it_has_already_changes_nothing(api: Client) -> None:
    game = new_game(api)
    before = game.state["version"]
    assert game.host.put(f"{game.path}/seats/1/controller", {"kind": "player"}).body["version"] == before


@pytest.mark.parametrize(
    ("seat", "wanted", "code", "pointers"),
    [
        (0, {}, "invalid", ["/kind"]),
        (0, {"kind": "robot"}, "invalid", ["/kind"]),
        (0, {"kind": "bot"}, "invalid", ["/bot"]),
        (0, {"kind": "bot", "bot": "pirate"}, "invalid", ["/bot"]),
        (0, {"kind": "player", "bot": "captain"}, "invalid", ["/bot"]),
        (2, {"kind": "player"}, "no_player", []),
        (3, {"kind": "player"}, "not_found", []),
        (10**30, {"kind": "player"}, "not_found", []),
        ("first", {"kind": "player"}, "not_found", []),
    ],
)
def test_a_seat_that_can_not_be_handed_over_is_refused(
    api: Client, seat: int | str, wanted: Wire, code: str, pointers: list[str]
) -> None:
    path, host = created(api, "open", "open", "captain")
    refused(host.put(f"{path}/seats/{seat}/controller", wanted), code, *pointers)


def test_nothing_remains_of_a_deleted_game(api: Client) -> None:
    game = new_game(api)
    assert game.host.delete(game.path).status == 204
    for part in ("", "/legal-moves", "/events", "/replay"):
        refused(game.host.get(game.path + part), "no_such_game")
    refused(game.players[0].play(game.path, {"type": "no_action"}), "no_such_game")
    refused(game.host.delete(game.path), "no_such_game")
