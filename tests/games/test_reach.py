"""Where a seat can get to, over HTTP: for its player alone, while it must decide; and what a staged turn leads to."""

from typing import Any

import pytest

from tests.support.answers import NO_ACTION, finished, refused, scene
from tests.support.contract import check
from tests.support.desk import Desk
from tests.support.helpers import Wire, scripted, walk
from tests.support.playing import bare
from tests.support.serving import Reply, Seated, new_game

SCENE = scene(
    {"room": 5, "items": {"grog": 1, "toolbox": 1}}, {"room": 4, "minutes": 39}, {}, script=scripted(),
    rooms={"4": {"fire": True}, "2": {"water": "high"}},
)  # fmt: skip


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


@pytest.fixture
def game(desk: Desk) -> Seated:
    return new_game(desk.api, position=SCENE)


def reach(game: Seated, seat: int = 0, who: int | None = None) -> Reply:
    reply = game.players[seat if who is None else who].get(f"{game.path}/seats/{seat}/reach")
    check("get", f"{game.path}/seats/{seat}/reach", reply)
    return reply


def preview(game: Seated, *moves: Wire, **more: Any) -> Reply:
    body = {"moves": list(moves), **more}
    reply = game.players[0].post(f"{game.path}/previews", body)
    check("post", f"{game.path}/previews", reply, body)
    return reply


def way(rooms: list[Wire], room: int | str, items: list[str]) -> Wire:
    """The way into a room that spends those items."""
    (told,) = [told for told in rooms if told["room"] == room]
    return next(each for each in told["ways"] if each["items"] == items)


def test_a_way_with_an_action_behind_it_is_played_in_one_request_as_it_is_told(game: Seated) -> None:
    told = reach(game)
    assert (told.body["version"], told.body["seat"]) == (game.state["version"], 0)
    assert told.headers["etag"] == game.players[0].get(game.path).headers["etag"]
    through = way(told.body["rooms"], 4, ["grog"])
    (burning,) = through["actions"]
    assert burning["action"] == "extinguish_fire"
    turn = [*through["moves"], burning["options"][6]["move"]]
    assert turn[-1]["chance"] == 1
    played = game.players[0].post(f"{game.path}/moves", {"moves": turn, "version": told.body["version"]})
    assert played.status == 200, played.body
    assert not played.body["game"]["rooms"]["4"]["fire"]
    assert played.body["game"]["gnomes"][0]["room"] == 4


def test_what_happens_on_the_way_is_told(game: Seated) -> None:
    wet = way(reach(game).body["rooms"], 2, [])
    assert {"type": "water_reflowed", "room": 5, "to": 2} in wet["certain"]
    assert (wet["minutes"], wet["ghost"], wet["triggers"]["events"]) == (2, 38, [39])
    assert wet["actions"][1]["helps"] == [
        {"item": "grog", "held": 1, "bonus": 3}, {"item": "toolbox", "held": 1, "bonus": 3},
    ]  # fmt: skip


def test_reach_changes_nothing(game: Seated) -> None:
    before = game.state
    assert reach(game).body == reach(game).body
    assert game.state == before


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("host", 403, "forbidden"), ("other", 403, "forbidden"), ("nobody", 401, "no_token")],
)
def test_only_the_seats_player_is_told_its_reach(desk: Desk, game: Seated, who: str, status: int, code: str) -> None:
    asker = {"host": game.host, "other": game.players[1], "nobody": desk.api}[who]
    refused(asker.get(f"{game.path}/seats/0/reach"), code)


def test_a_seat_that_need_not_decide_has_no_reach(game: Seated) -> None:
    body = refused(reach(game, seat=1), "not_your_turn")
    assert (body["decision"], body["version"]) == ({"seat": 0}, game.state["version"])


def test_a_seat_that_is_not_there_has_no_reach(game: Seated) -> None:
    refused(reach(game, seat=7, who=0), "not_found")


def test_a_seat_that_a_bot_plays_has_no_reach(game: Seated) -> None:
    game.host.put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "sailor"})
    refused(reach(game), "bot_plays")


def test_there_is_no_reach_before_the_start_and_after_the_end(desk: Desk) -> None:
    refused(reach(new_game(desk.api, position=SCENE, start=False)), "not_started")
    refused(reach(finished(desk.api)), "game_over")


def test_other_hands_do_not_show_in_a_reach(desk: Desk) -> None:
    told = []
    for hidden in ("crowbar", "harpoon"):
        crew = [{"room": 5, "items": {"crowbar": 1}}, {"room": 5, "minutes": 30, "items": {hidden: 1}}, {}]
        game = new_game(desk.api, position=scene(*crew, rules={"crazed_gnomes": True}))
        told.append(reach(game).body["rooms"])
    assert told[0] == told[1]


def test_a_preview_tells_the_state_and_the_legal_moves_behind_the_moves(game: Seated) -> None:
    before = game.state
    told = preview(game, *walk(7)).body
    assert told["complete"]
    then = told["game"]
    assert (then["gnomes"][0]["room"], then["ghost"], then["decision"]["seat"]) == (7, 39, 0)
    assert "stop_missile_launch" in {move["type"] for move in then["legal_moves"]}
    assert (then["version"], then["status"], "rooms" in told) == (before["version"], "playing", False)
    assert game.state == before
    for move in walk(7):
        after = game.players[0].play(game.path, move).body["game"]
    assert [bare(move) for move in then["legal_moves"]] == [bare(move) for move in after["legal_moves"]]
    assert (then["rooms"], then["gnomes"]) == (after["rooms"], after["gnomes"])


def test_a_preview_tells_no_state_where_chance_decides_it(game: Seated) -> None:
    fix = {"type": "stop_missile_launch", "minutes": 3}
    told = preview(game, *walk(7), fix, reach=True).body
    assert (told["complete"], told["game"], told["rooms"]) == (True, None, [])


def test_a_preview_tells_where_to_get_from_behind_the_moves(game: Seated) -> None:
    grog = {"type": "use_item", "item": "grog"}
    rooms = preview(game, grog, {"type": "open_hatch", "to": 4}, reach=True).body["rooms"]
    assert way(rooms, 4, [])["moves"] == [{"type": "enter", "cost": 0}]
    assert way(rooms, 5, [])["moves"] == [{"type": "stay", "cost": 0}]


def test_behind_the_end_of_a_turn_a_preview_has_the_next_gnomes_decision_and_no_moves(desk: Desk) -> None:
    first = {"stack": 5}
    game = new_game(desk.api, position=scene(first | {"minutes": 41}, {"minutes": 41, "room": 8}))
    told = preview(game, NO_ACTION, reach=True).body
    assert (told["game"], told["rooms"]) == (None, [])  # the minute led to an item icon
    crew = [first | {"minutes": 42}, {"minutes": 42, "room": 8}]
    game = new_game(desk.api, position=scene(*crew, rules={"hidden_hands": True}))
    told = preview(game, NO_ACTION, reach=True).body
    assert (told["game"]["decision"]["seat"], told["game"]["legal_moves"], told["rooms"]) == (1, [], [])
    assert [gnome["items"] for gnome in told["game"]["gnomes"]] == [{}, None, None]


@pytest.mark.parametrize(("body", "pointer"), [({"reach": "yes"}, "/reach"), ({"reach": 1}, "/reach")])
def test_what_is_no_truth_is_refused_with_a_pointer(game: Seated, body: Wire, pointer: str) -> None:
    refused(game.players[0].post(f"{game.path}/previews", {"moves": [NO_ACTION]} | body), "invalid", pointer)


def test_moves_take_no_question_for_the_reach(game: Seated) -> None:
    refused(game.players[0].post(f"{game.path}/moves", {"moves": [NO_ACTION], "reach": True}), "invalid", "/reach")
