"""Forks: a new game from any point of another."""

import random
from typing import Any

import pytest

from engine import Game, Rules
from tests.support.answers import NO_ACTION, finished, refused, scene
from tests.support.helpers import Wire, scripted
from tests.support.playing import pick
from tests.support.serving import Client, Seated, new_game

SEED = "7e" * 32
SITUATION = ("gnomes", "rooms", "tracks", "destruction", "item_deck", "event_deck", "ghost", "phase", "turn", "active")


def situation(state: Wire) -> Wire:
    return {name: state[name] for name in SITUATION}


def forked(client: Client, path: str, **wanted: Any) -> Wire:
    reply = client.post(f"{path}/forks", wanted)
    assert reply.status == 201, reply.body
    assert reply.headers["location"] == f"/v1/games/{reply.body['game']['id']}"
    return reply.body


def joined(api: Client, made: Wire) -> Seated:
    """Everybody at the new table, and it started."""
    path, host = f"/v1/games/{made['game']['id']}", api.be(made["token"])
    open_seats = [seat for seat in made["game"]["seats"] if seat["kind"] == "open"]
    players = [api.be(host.post(f"{path}/players", {"name": "G"}).body["token"]) for _ in open_seats]
    assert host.post(f"{path}/start").status == 200
    return Seated(path, host, players)


@pytest.fixture(scope="module")
def history(api: Client) -> tuple[Seated, list[Wire]]:
    """A finished game, and what it looked like at each version."""
    game, chance = new_game(api, rules={"crazed_gnomes": True}, seed=SEED), random.Random(8)
    states = [game.state]
    while states[-1]["status"] == "playing":
        mover = game.decider()
        mover.play(game.path, pick(mover.get(f"{game.path}/legal-moves").body["legal_moves"], chance))
        states.append(game.state)
    return game, states


def test_a_fork_is_a_game_of_its_own_in_the_situation_of_the_other(api: Client) -> None:
    game = new_game(api, position=scene({"room": 7, "items": {"grog": 1}}), name="Kursk", turn_seconds=99)
    before = game.state
    made = forked(api, game.path)
    state = made["game"]
    assert made["game"]["id"] != before["id"]
    assert situation(state) == situation(before)
    assert (state["status"], state["name"], state["turn_seconds"]) == ("waiting", "Kursk", 99)
    assert state["forked_from"] == {"game_id": before["id"], "version": before["version"]}
    assert (state["sandbox"], state["players"]) == (True, [])
    assert [seat["kind"] for seat in state["seats"]] == ["open"] * 3
    refused(game.host.post(f"/v1/games/{made['game']['id']}/start", {"fill_with": "sailor"}), "bad_token")
    branch = joined(api, made)
    assert branch.players[0].play(branch.path, NO_ACTION).status == 200
    assert situation(game.state) == situation(before)


def test_a_fork_may_have_other_seats_and_another_name(api: Client) -> None:
    game = new_game(api, position=scene())
    wanted = {"name": "What if", "visibility": "private", "turn_seconds": None}
    state = forked(api, game.path, seats=["sailor", "open", "captain"], **wanted)["game"]
    assert [seat["bot"] for seat in state["seats"]] == ["sailor", None, "captain"]
    assert (state["name"], state["visibility"], state["turn_seconds"]) == ("What if", "private", None)


def test_a_fork_goes_back_to_any_version(api: Client, history: tuple[Seated, list[Wire]]) -> None:
    game, states = history
    for state in states[:-1:7]:
        made = forked(api, game.path, version=state["version"], dice="same")
        assert made["game"]["forked_from"]["version"] == state["version"]
        assert situation(made["game"]) == situation(state)


def test_the_same_dice_make_the_same_game_of_the_same_moves(api: Client, history: tuple[Seated, list[Wire]]) -> None:
    game, states = history
    replay = api.get(f"{game.path}/replay").body
    middle = len(states) // 2
    branch = joined(api, forked(api, game.path, version=states[middle]["version"], dice="same"))
    for move in replay["moves"][middle:]:
        assert branch.decider().play(branch.path, move).status == 200
    assert branch.state["result"] == states[-1]["result"]
    assert situation(branch.state) == situation(states[-1])
    assert branch.state["dice"]["seed"] == SEED


def test_fresh_dice_are_fresh(api: Client) -> None:
    """Whatever was scripted or rolled: the same moves come to something else, now and then."""
    game = new_game(api, position=scene({"room": 1}, tracks={"pressure": 5}, script=scripted(dice=[1])))
    assert game.players[0].play(game.path, {"type": "fix_engine", "minutes": 5}).status == 200
    version = game.state["version"] - 1
    came = set()
    for _ in range(25):
        branch = joined(api, forked(api, game.path, version=version))
        played = branch.players[0].play(branch.path, {"type": "fix_engine", "minutes": 5}).body
        came |= {event["type"] for event in played["events"] if event["type"].startswith("action_")}
    assert came == {"action_succeeded", "action_failed"}


def test_every_fork_promises_dice_of_its_own(api: Client) -> None:
    game = finished(api)
    made = [forked(api, game.path, version=1, dice=dice)["game"]["dice"] for dice in ("fresh", "fresh", "same")]
    assert len({each["hash"] for each in made}) == 3
    assert all(each["seed"] is None for each in made)


def test_a_fork_can_be_forked_and_replayed(api: Client) -> None:
    made = forked(api, finished(api).path, version=1)
    branch = joined(api, forked(api, f"/v1/games/{made['game']['id']}"))
    branch.players[0].play(branch.path, NO_ACTION)
    replay = api.get(f"{branch.path}/replay").body
    again = Game.from_position(replay["position"])
    for move in replay["moves"]:
        again.play(move)
    assert again.result == branch.state["result"] == replay["result"]


def test_of_a_finished_game_every_hand_is_open_to_whoever_forks_it(
    api: Client, history: tuple[Seated, list[Wire]]
) -> None:
    dealt = Game.new(Rules(gnomes=3, crazed_gnomes=True), bytes.fromhex(SEED)).position()["gnomes"]
    hands = [gnome["items"] for gnome in dealt]
    branch = joined(api, forked(api, history[0].path, version=1))
    seen = [player.get(branch.path).body["gnomes"] for player in branch.players]
    assert [gnomes[seat]["items"] for seat, gnomes in enumerate(seen)] == hands


@pytest.mark.parametrize(
    ("wanted", "code", "pointer"),
    [
        ({"version": 0}, "invalid", "/version"),
        ({"version": 10**6}, "invalid", "/version"),
        ({"version": "1"}, "invalid", "/version"),
        ({}, "invalid", "/version"),  # the latest version of a finished game
        ({"dice": "loaded"}, "invalid", "/dice"),
        ({"version": 1, "seats": ["open"] * 4}, "invalid", "/seats"),
        ({"version": 1, "seed": SEED}, "invalid", "/seed"),
    ],
)
def test_a_fork_that_can_not_be_is_refused_with_a_pointer(
    api: Client, history: tuple[Seated, list[Wire]], wanted: Wire, code: str, pointer: str
) -> None:
    refused(api.post(f"{history[0].path}/forks", wanted), code, pointer)
