"""Creating games over HTTP: what may be wanted, and what is refused, with a pointer to it."""

import hashlib
from typing import Any

import pytest

from engine import Game, Rules
from engine.position import POSITION_FIELDS
from tests.support.answers import refused, scene
from tests.support.serving import Client, Wire

SEED = "5a" * 32


def created(api: Client, **wanted: Any) -> Wire:
    reply = api.post("/v1/games", wanted)
    assert reply.status == 201, reply.body
    return reply.body["game"]


def test_a_game_is_created_with_the_usual_rules_and_open_seats(api: Client) -> None:
    reply = api.post("/v1/games")
    assert reply.status == 201
    assert reply.body.keys() == {"token", "game"}
    assert reply.headers["location"] == f"/v1/games/{reply.body['game']['id']}"
    state = reply.body["game"]
    assert (state["id"], state["version"], state["status"]) == (reply.body["game"]["id"], 1, "waiting")
    assert state["rules"] == Rules().to_dict()
    assert [seat["kind"] for seat in state["seats"]] == ["open"] * 4
    assert state["you"] == {"host": True, "player_id": None, "seats": []}
    assert (state["sandbox"], state["visibility"], state["name"], state["turn_seconds"]) == (False, "public", "", None)
    assert (state["decision"], state["legal_moves"], state["result"]) == (None, [], None)
    assert api.get(reply.headers["location"]).body["id"] == state["id"]


def test_a_host_token_has_256_bits_and_no_two_are_alike(api: Client) -> None:
    tokens = {api.post("/v1/games").body["token"] for _ in range(5)}
    assert len(tokens) == 5
    for token in tokens:
        assert token.startswith("rn_")
        assert len(token) == len("rn_") + 43  # 32 bytes in base 64


def test_seats_say_how_many_gnomes_there_are_and_who_plays_them(api: Client) -> None:
    state = created(api, seats=["open", "captain", "sailor", "open", "open"])
    assert state["rules"]["gnomes"] == 5
    assert [(seat["kind"], seat["bot"]) for seat in state["seats"]] == [
        ("open", None), ("bot", "captain"), ("bot", "sailor"), ("open", None), ("open", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "gnomes", "players"),
    [
        ({"rules": {"gnomes": 6}}, 6, 6),
        ({"players": 1}, 4, 1),
        ({"players": 2}, 4, 2),
        ({"seats": ["open"] * 8, "players": 8}, 8, 8),
        ({"seats": ["open"] * 3, "rules": {"players": 1}}, 3, 1),
        ({"players": 2, "rules": {"players": 2}}, 4, 2),
    ],
)
def test_players_share_the_gnomes_as_the_rules_allow(api: Client, wanted: Wire, gnomes: int, players: int) -> None:
    state = created(api, **wanted)
    assert (state["rules"]["gnomes"], state["rules"]["players"]) == (gnomes, players)
    assert len(state["seats"]) == len(state["gnomes"]) == gnomes


def test_all_that_is_wanted_is_in_the_state(api: Client) -> None:
    rules = {"edition": "original", "less_deadly_dying": True, "crazed_gnomes": True, "greater_challenge": "storm"}
    state = created(api, rules=rules, name="Kursk × 2", turn_seconds=90, visibility="private")
    assert state["rules"].items() >= rules.items()
    assert (state["name"], state["turn_seconds"], state["visibility"]) == ("Kursk × 2", 90, "private")


@pytest.mark.parametrize(
    ("wanted", "hidden"),
    [
        ({}, False),
        ({"hidden_hands": False}, False),
        ({"hidden_hands": True}, True),
        ({"crazed_gnomes": True}, True),
        ({"crazed_gnomes": True, "hidden_hands": True, "edition": "original"}, True),
    ],
)
def test_hands_are_hidden_if_that_is_wanted_or_gnomes_are_crazed(api: Client, wanted: Wire, hidden: bool) -> None:
    state = created(api, rules=wanted)
    assert state["rules"]["hidden_hands"] is hidden
    assert all((gnome["items"] is None) == hidden for gnome in state["gnomes"])


def test_a_seed_makes_the_game_that_the_engine_makes_of_it(api: Client) -> None:
    state = created(api, seats=["open"] * 5, seed=SEED)
    view = Game.new(Rules(gnomes=5), bytes.fromhex(SEED)).view()
    assert {name: state[name] for name in ("gnomes", "rooms", "item_deck", "active")} == {
        name: view[name] for name in ("gnomes", "rooms", "item_deck", "active")
    }


def test_a_position_makes_that_situation(api: Client) -> None:
    position = scene({"room": 7, "items": {"grog": 2}}, rooms={"5": {"fire": True}}, tracks={"heat": 4})
    state = created(api, position=position)
    assert state["gnomes"][0]["room"] == 7
    assert state["gnomes"][0]["items"] == {"grog": 2}
    assert state["rooms"]["5"] == {"fire": True, "water": "none"}
    assert state["tracks"] == {"asphyxiation": 1, "heat": 4, "pressure": 1}


def test_a_state_can_be_posted_as_a_position(api: Client) -> None:
    state = created(api, seed=SEED, rules={"greater_challenge": "no_respite"})
    position = {name: value for name, value in state.items() if name in POSITION_FIELDS}
    again = created(api, position=position)
    assert {name: again[name] for name in position if name != "version"} == {
        name: state[name] for name in position if name != "version"
    }


@pytest.mark.parametrize(
    ("wanted", "sandbox"),
    [
        ({}, False),
        ({"seed": SEED}, True),
        ({"position": {"rules": {"gnomes": 3}}}, True),
        ({"position": {"rules": {"gnomes": 3}, "seed": None}}, True),
        ({"position": {"rules": {"gnomes": 3}, "script": {"dice": [3]}}}, True),
    ],
)
def test_whoever_may_know_the_dice_made_a_sandbox(api: Client, wanted: Wire, sandbox: bool) -> None:
    state = created(api, **wanted)
    assert state["sandbox"] is sandbox
    assert state["dice"].keys() == {"salt", "hash", "seed"}
    assert state["dice"]["seed"] is None


def test_the_hash_binds_to_the_seed(api: Client) -> None:
    dice = created(api, seed=SEED)["dice"]
    assert dice["hash"] == hashlib.sha256(bytes.fromhex(dice["salt"]) + bytes.fromhex(SEED)).hexdigest()


BAD = [
    ({"seats": []}, "/seats"),
    ({"seats": ["open"] * 2}, "/seats"),
    ({"seats": ["open"] * 9}, "/seats"),
    ({"seats": "open"}, "/seats"),
    ({"seats": None}, "/seats"),
    ({"seats": ["open", "pirate", "open"]}, "/seats/1"),
    ({"seats": ["open", "open", 3]}, "/seats/2"),
    ({"seats": ["open"] * 3, "rules": {"gnomes": 4}}, "/seats"),
    ({"players": "2"}, "/players"),
    ({"players": True}, "/players"),
    ({"players": 3}, "/players"),
    ({"players": 2, "seats": ["open"] * 3}, "/players"),
    ({"players": 2, "rules": {"players": 4}}, "/players"),
    ({"rules": []}, "/rules"),
    ({"rules": {"gnomes": 2}}, "/rules/gnomes"),
    ({"rules": {"gnomes": 4.5}}, "/rules/gnomes"),
    ({"rules": {"players": 3}}, "/rules/players"),
    ({"rules": {"edition": "latest"}}, "/rules/edition"),
    ({"rules": {"crazed_gnomes": "yes"}}, "/rules/crazed_gnomes"),
    ({"rules": {"hidden_hands": "yes"}}, "/rules/hidden_hands"),
    ({"rules": {"hidden_hands": None, "crazed_gnomes": True}}, "/rules/hidden_hands"),
    ({"rules": {"hidden_hands": False, "crazed_gnomes": True}}, "/rules/hidden_hands"),
    ({"rules": {"hidden_hands": False, "crazed_gnomes": True, "edition": "original"}}, "/rules/hidden_hands"),
    ({"position": scene(rules={"hidden_hands": False, "crazed_gnomes": True})}, "/position/rules/hidden_hands"),
    ({"position": scene(phase="luck")}, "/position/phase"),
    ({"position": scene(pending={"abandoning": True})}, "/position/pending/abandoning"),
    ({"rules": {"less_deadly_dying": 1}}, "/rules/less_deadly_dying"),
    ({"rules": {"greater_challenge": None}}, "/rules/greater_challenge"),
    ({"rules": {"house": True}}, "/rules/house"),
    ({"rules": {"a/b~c": True}}, "/rules/a~1b~0c"),
    ({"name": ""}, "/name"),
    ({"name": "n" * 61}, "/name"),
    ({"name": " padded "}, "/name"),
    ({"name": "two\nlines"}, "/name"),
    ({"name": "turned \u202e round"}, "/name"),
    ({"name": 7}, "/name"),
    ({"visibility": "hidden"}, "/visibility"),
    ({"visibility": True}, "/visibility"),
    ({"turn_seconds": 4}, "/turn_seconds"),
    ({"turn_seconds": 60.5}, "/turn_seconds"),
    ({"turn_seconds": 10**12}, "/turn_seconds"),
    ({"seed": "00" * 31}, "/seed"),
    ({"seed": "0g" * 32}, "/seed"),
    ({"seed": "00" * 32 + "\n"}, "/seed"),
    ({"seed": 5}, "/seed"),
    ({"seed": None}, "/seed"),
    ({"position": [1]}, "/position"),
    ({"position": None}, "/position"),
    ({"position": {"rules": {"gnomes": 99}}}, "/position/rules/gnomes"),
    ({"position": {"weather": "bad"}}, "/position/weather"),
    ({"position": scene({"room": 11})}, "/position/gnomes/0/room"),
    ({"position": scene({"items": {"rum": 1}})}, "/position/gnomes/0/items/rum"),
    ({"position": {"rules": {"gnomes": 3}, "seed": "00"}}, "/position/seed"),
    ({"position": {"rules": {"gnomes": 3}, "seed": ""}}, "/position/seed"),
    ({"position": {"rules": {"gnomes": 3}, "seed": SEED}, "seed": SEED}, "/position/seed"),
    ({"position": {"rules": {"gnomes": 3}}, "rules": {"gnomes": 3}}, "/position"),
    ({"position": {"rules": {"gnomes": 3}}, "players": 3}, "/position"),
    ({"position": {"rules": {"gnomes": 3}}, "seats": ["open"] * 4}, "/seats"),
    ({"position": scene(phase="over", cause="crushed")}, "/position"),
    ({"colour": "red"}, "/colour"),
]


@pytest.mark.parametrize(("wanted", "pointer"), BAD, ids=[str(wanted)[:60] for wanted, _ in BAD])
def test_what_can_not_be_is_refused_with_a_pointer_to_it(api: Client, wanted: Wire, pointer: str) -> None:
    refused(api.post("/v1/games", wanted), "invalid", pointer)


def test_several_faults_are_told_at_once(api: Client) -> None:
    body = refused(api.post("/v1/games", {"name": "", "seats": ["x"] * 3, "colour": 1}), "invalid")
    assert {error["pointer"] for error in body["errors"]} == {"/name", "/seats/0", "/seats/1", "/seats/2", "/colour"}
