"""A turn of several moves tells no die before it is cast: what is refused can be sent again otherwise."""

import json
from typing import Any

import pytest
import redis

from tests.support.answers import NO_ACTION, refused, scene, settled
from tests.support.helpers import Wire, scripted
from tests.support.serving import Client, Reply, Seated, new_game

DONE = {"type": "done"}
FIX = {"type": "fix_engine", "minutes": 3}
DRAW = {"type": "draw_items", "cards": 2}
CHARMED = {"items": {"lucky_charm": 1}}
SWING: list[Wire] = [{"type": "use_item", "item": "crowbar"}, {"type": "attack_gnome", "seat": 1}]


def fair(api: Client, redis_url: str, *gnomes: Wire, **more: Any) -> Seated:
    """No sandbox, although it is just where the test wants it."""
    game = new_game(api, position=scene(*gnomes, **more))
    with redis.Redis.from_url(redis_url) as store:
        key = f"game:{game.path.rsplit('/', 1)[1]}"
        about = json.loads(store.hget(key, "about"))
        store.hset(key, "about", json.dumps(about | {"sandbox": False}))
    return game


def post(game: Seated, *moves: Wire) -> Reply:
    return game.players[0].play(game.path, *moves)


CHANCES: dict[str, tuple[Wire, list[Wire]]] = {
    "a die": ({"room": 1, **CHARMED}, [FIX]),
    "cards": ({"room": 8, **CHARMED}, [DRAW]),
    "cards after a walk": ({"room": 7, **CHARMED}, [{"type": "open_hatch", "to": 8}, {"type": "enter"}, DRAW]),
    "an event": ({"room": 9, "minutes": 41}, [NO_ACTION]),
}


@pytest.mark.parametrize("after", [{"type": "defend"}, DONE, NO_ACTION, {"type": "fly"}], ids=lambda move: move["type"])
@pytest.mark.parametrize("chance", CHANCES)
def test_nothing_may_follow_what_chance_decides(api: Client, redis_url: str, chance: str, after: Wire) -> None:
    gnome, moves = CHANCES[chance]
    game = fair(api, redis_url, gnome, tracks={"pressure": 5})
    before = game.state
    body = refused(post(game, *moves, after), "illegal_move", f"/moves/{len(moves)}")
    assert "chance" in body["detail"]
    assert (body["version"], body["legal_moves"]) == (before["version"], [])
    assert settled(game.state) == settled(before)
    assert post(game, *moves).status == 200


@pytest.mark.parametrize("die", [1, 10])
def test_a_refusal_is_the_same_whatever_the_dice_are_going_to_be(api: Client, redis_url: str, die: int) -> None:
    game = fair(api, redis_url, {"room": 1, "items": {}}, {"minutes": 39}, script=scripted(dice=[die]))
    body = refused(post(game, FIX, {"type": "open_hatch", "to": 2}), "illegal_move", "/moves/1")
    assert body["errors"][0]["detail"].startswith("chance decides")


def test_what_is_certain_may_be_followed(api: Client, redis_url: str) -> None:
    """Grog from the captain's cabin is no surprise."""
    game = fair(api, redis_url, {"room": 10, "minutes": 45, **CHARMED})
    played = post(game, DRAW, {"type": "use_item", "item": "lucky_charm"})
    assert played.status == 200, played.body
    assert played.body["game"]["gnomes"][0]["items"] == {"grog": 2}


@pytest.mark.parametrize("hand", [{"crowbar": 1}, {"harpoon": 1}])
def test_who_attacks_learns_nothing_from_what_he_wants_to_do_next(api: Client, redis_url: str, hand: Wire) -> None:
    """The attacked gnome is asked to defend himself only if he holds a crowbar, and nobody may know before."""
    crew = [{"items": {"crowbar": 1}}, {"items": hand}]
    game = fair(api, redis_url, *crew, rules={"crazed_gnomes": True})
    body = refused(post(game, *SWING, DONE), "illegal_move", "/moves/2")
    assert body["errors"][0]["detail"].startswith("chance decides")
    assert post(game, *SWING).status == 200


def test_a_sandbox_has_no_secret_dice_and_takes_a_turn_that_goes_on_behind_them(api: Client) -> None:
    game = new_game(api, position=scene({"room": 1, **CHARMED}, tracks={"pressure": 5}, script=scripted(dice=[10])))
    assert post(game, FIX | {"minutes": 1}, DONE).status == 200
