"""The events one by one (§1, §7). Destruction tokens have their own tests."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told

ROOMS = [str(room) for room in range(1, 11)]


def drawing(event: str, dice: Sequence[int] = (), gnomes: Sequence[Any] = (), **more: Any) -> tuple[Game, list[Wire]]:
    """Draws an event for gnome 0 in room 8; tells what happened."""
    first, *others = gnomes or [{}]
    game = position([{"room": 8, "minutes": 40} | first, *others], script=scripted([event], dice=dice), **more)
    return game, play(game, "no_action")


def burning(game: Game) -> set[int]:
    return {int(room) for room, state in game.view()["rooms"].items() if state["fire"]}


def water(game: Game) -> dict[int, str]:
    return {int(room): state["water"] for room, state in game.view()["rooms"].items() if state["water"] != "none"}


@pytest.mark.parametrize(
    ("event", "track", "value"),
    [
        ("reactor_warmup", "heat", 2),
        ("reactor_malfunction", "heat", 3),
        ("descent", "pressure", 2),
        ("fast_descent", "pressure", 3),
    ],
)
def test_some_events_advance_a_track(event: str, track: str, value: int) -> None:
    game, events = drawing(event)
    assert game.view()["tracks"] == {"asphyxiation": 1, "heat": 1, "pressure": 1} | {track: value}
    assert told(events, "track_advanced") == [
        {"type": "track_advanced", "track": track, "spaces": value - 1, "value": value}
    ]


def test_a_respite_changes_nothing() -> None:
    game, _ = drawing("respite")
    view, quiet = game.view(), position().view()
    for name in ("rooms", "blocked_hatches", "tracks", "destruction"):
        assert view[name] == quiet[name]


@pytest.mark.parametrize("room", range(1, 11))
def test_a_fire_starts_in_a_dry_room_and_takes_air(room: int) -> None:
    game, events = drawing("fire", [room])
    assert burning(game) == {room}
    assert game.view()["tracks"] == {"asphyxiation": 2, "heat": 1, "pressure": 1}
    assert told(events, "die_rolled")[0]["value"] == room


def test_a_fire_in_a_burning_room_takes_air_all_the_same() -> None:
    game, _ = drawing("fire", [3], rooms={"3": {"fire": True}})
    assert burning(game) == {3}
    assert game.view()["tracks"]["asphyxiation"] == 2


@pytest.mark.parametrize("level", ["low", "high"])
def test_no_fire_starts_in_a_flooded_room(level: str) -> None:
    game, events = drawing("fire", [3], rooms={"3": {"water": level}})
    assert burning(game) == set()
    assert game.view()["tracks"]["asphyxiation"] == 1
    assert told(events, "nothing_happened")


@pytest.mark.parametrize(
    ("rooms", "blocked", "choice"),
    [
        ({5: "fire"}, [], {2, 4, 6, 7, 8}),
        ({5: "fire"}, ["2-5", "5-7"], {2, 4, 6, 7, 8}),
        ({5: "fire", 2: "low", 4: "high"}, [], {6, 7, 8}),
        ({5: "fire", 7: "fire"}, [], {2, 4, 6, 8, 9}),
        ({10: "fire"}, [], {8, 9}),
        ({1: "fire", 9: "fire", 2: "low"}, [], {3, 7, 8, 10}),
    ],
)
def test_the_active_player_lets_a_fire_spread_to_a_room_beside_it(
    rooms: Wire, blocked: list[str], choice: set[int]
) -> None:
    game, _ = drawing(
        "fire_spreads",
        rooms={str(room): {"fire": True} if what == "fire" else {"water": what} for room, what in rooms.items()},
        blocked_hatches=blocked,
    )
    before = burning(game)
    assert game.view()["decision"] == {"seat": 0, "kind": "spread_fire"}
    assert {move["room"] for move in offered(game, "spread_fire")} == choice
    assert len(game.legal_moves()) == len(choice)
    play(game, {"type": "spread_fire", "room": max(choice)})
    assert burning(game) == before | {max(choice)}
    assert game.view()["tracks"]["asphyxiation"] == 2


def test_a_fire_with_one_way_to_go_takes_it() -> None:
    game, events = drawing("fire_spreads", rooms={"6": {"fire": True}})
    assert burning(game) == {5, 6}
    assert game.view()["tracks"]["asphyxiation"] == 2
    assert {
        "type": "choice",
        "seat": 0,
        "move": {"type": "spread_fire", "room": 5},
        "automatic": True,
    } in events


@pytest.mark.parametrize(
    "rooms",
    [
        {},
        {"6": {"fire": True}, "5": {"water": "low"}},
        {"10": {"fire": True}, "8": {"water": "low"}, "9": {"water": "high"}},
        {room: {"water": "low"} if room == "8" else {"fire": True} for room in ROOMS},
    ],
)
def test_a_fire_that_cannot_spread_takes_no_air(rooms: Wire) -> None:
    game, events = drawing("fire_spreads", rooms=rooms)
    assert len(burning(game)) == len([room for room in rooms.values() if "fire" in room])
    assert game.view()["tracks"]["asphyxiation"] == 1
    assert told(events, "nothing_happened")


@pytest.mark.parametrize("before", ["none", "low", "high"])
def test_a_leak_brings_a_room_to_high_water(before: str) -> None:
    game, _ = drawing("leak", [3], rooms={"3": {"water": before}})
    assert water(game) == {3: "high"}
    assert game.view()["tracks"]["asphyxiation"] == 1


def test_a_leak_puts_a_fire_out() -> None:
    game, events = drawing("leak", [3], rooms={"3": {"fire": True}})
    assert (water(game), burning(game)) == ({3: "high"}, set())
    assert told(events, "fire_went_out") == [{"type": "fire_went_out", "room": 3}]


def test_an_underwater_current_raises_all_low_water() -> None:
    rooms = {"2": {"water": "low"}, "3": {"water": "low"}, "7": {"water": "high"}, "9": {"fire": True}}
    game, _ = drawing("underwater_current", rooms=rooms)
    assert water(game) == {2: "high", 3: "high", 7: "high"}
    assert burning(game) == {9}


@pytest.mark.parametrize(
    ("room", "blocked", "choice"),
    [
        (5, [], {"2-5", "4-5", "5-6", "5-7", "5-8"}),
        (5, ["2-5", "5-8"], {"4-5", "5-6", "5-7"}),
        (3, [], {"1-3", "2-3", "3-4"}),
        (9, ["8-10"], {"7-9", "8-9", "9-10"}),
        (10, [], {"8-10", "9-10"}),
    ],
)
def test_the_active_player_blocks_an_interior_hatch_of_a_random_room(
    room: int, blocked: list[str], choice: set[str]
) -> None:
    game, _ = drawing("blocked_hatch", [room], blocked_hatches=blocked)
    assert game.view()["decision"] == {"seat": 0, "kind": "block_hatch"}
    assert {move["hatch"] for move in offered(game, "block_hatch")} == choice
    assert len(game.legal_moves()) == len(choice)
    play(game, {"type": "block_hatch", "hatch": max(choice)})
    assert set(game.view()["blocked_hatches"]) == {*blocked, max(choice)}


@pytest.mark.parametrize(("room", "blocked", "left"), [(6, [], "5-6"), (10, ["9-10"], "8-10")])
def test_the_only_hatch_left_is_blocked_without_asking(room: int, blocked: list[str], left: str) -> None:
    game, events = drawing("blocked_hatch", [room], blocked_hatches=blocked)
    assert set(game.view()["blocked_hatches"]) == {*blocked, left}
    assert {
        "type": "choice",
        "seat": 0,
        "move": {"type": "block_hatch", "hatch": left},
        "automatic": True,
    } in events


@pytest.mark.parametrize(("room", "blocked"), [(6, ["5-6"]), (9, ["7-9", "8-9", "9-10"])])
def test_a_room_without_an_open_interior_hatch_keeps_its_exterior_one(room: int, blocked: list[str]) -> None:
    game, events = drawing("blocked_hatch", [room], blocked_hatches=blocked)
    assert set(game.view()["blocked_hatches"]) == set(blocked)
    assert told(events, "nothing_happened")


@pytest.mark.parametrize(
    ("gnomes", "levels"),
    [
        ([{"items": {"grog": 2}}, {"items": {"coffee": 1}}, {"items": {"grog": 1}}], [1, 0, 1]),
        ([{"items": {"grog": 1}, "intoxication": 4}, {"items": {"grog": 1}, "intoxication": 3}, {}], [4, 4, 0]),
        ([{}, {"items": {"grog": 1}, "state": "fainted"}, {"items": {"grog": 1}, "room": "sea"}], [0, 1, 1]),
        ([{}, {}, {}], [0, 0, 0]),
    ],
)
def test_when_it_overheats_every_gnome_with_grog_drinks_one(gnomes: Any, levels: list[int]) -> None:
    grogs = [each.get("items", {}).get("grog", 0) for each in gnomes]
    game, events = drawing("overheated", gnomes=gnomes)
    after = game.position()["gnomes"]
    assert [each["intoxication"] for each in after] == levels
    assert [each["items"].get("grog", 0) for each in after] == [max(grog - 1, 0) for grog in grogs]
    assert game.view()["item_discard"].get("grog", 0) == sum(grog > 0 for grog in grogs)
    assert not told(events, "faint_checked")


def test_the_grog_of_the_heat_gives_no_benefit() -> None:
    game, _ = drawing("overheated", gnomes=[{"items": {"grog": 1}}])
    assert game.view()["used_items"] == {}
    assert not told(play(game, "no_action"), "faint_checked")


def test_the_gone_drink_nothing() -> None:
    game, _ = drawing("overheated", gnomes=[{}, {"state": "abandoned", "items": {"grog": 1}}, {"items": {"grog": 1}}])
    assert [each["items"] for each in game.view()["gnomes"]] == [{}, {"grog": 1}, {}]


def test_who_stumbles_keeps_one_item_of_his_choice() -> None:
    hand = {"coffee": 1, "toolbox": 1, "harpoon": 1}
    game, _ = drawing("stumble", gnomes=[{"items": hand}, {"items": {"grog": 6}}])
    play(game, "done")
    assert {move["item"] for move in game.legal_moves()} == set(hand)
    play(game, {"type": "discard_item", "item": "coffee"})
    assert {move["item"] for move in game.legal_moves()} == {"toolbox", "harpoon"}
    play(game, {"type": "discard_item", "item": "harpoon"})
    assert gnome(game)["items"] == {"toolbox": 1}
    assert gnome(game, 1)["items"] == {"grog": 6}
    assert game.view()["phase"] == "movement"
    assert game.view()["item_discard"] == {"coffee": 1, "harpoon": 1}


@pytest.mark.parametrize(("hand", "kept"), [({}, {}), ({"grog": 1}, {"grog": 1}), ({"grog": 5}, {"grog": 1})])
def test_who_stumbles_with_one_kind_of_item_is_not_asked(hand: Wire, kept: Wire) -> None:
    game, _ = drawing("stumble", gnomes=[{"items": hand}])
    assert gnome(game)["items"] == kept
    assert game.view()["phase"] == "movement"


def test_turbulence_makes_every_player_discard_down_to_four_in_the_order_of_seats() -> None:
    hands = [{"grog": 3, "crowbar": 2}, {"toolbox": 3, "water_pump": 3}, {"harpoon": 2, "aqualung": 2}]
    gnomes = [{"minutes": 20, "items": hands[0]}, {"minutes": 40, "items": hands[1]}, {"items": hands[2]}]
    game, _ = drawing("turbulence", gnomes=gnomes)
    asked = []
    for item in ("crowbar", "toolbox", "water_pump"):
        asked.append(game.decider)
        decision = game.view()["decision"]
        assert decision is not None
        assert decision["kind"] == "discard"
        play(game, {"type": "discard_item", "item": item})
    assert asked == [0, 1, 1]
    assert gnome(game, 0)["items"] == {"grog": 3, "crowbar": 1}
    assert gnome(game, 1)["items"] == {"toolbox": 2, "water_pump": 2}
    assert gnome(game, 2)["items"] == hands[2]
    assert game.view()["phase"] == "movement"
    assert game.view()["item_discard"] == {"crowbar": 1, "toolbox": 1, "water_pump": 1}


def test_turbulence_asks_the_fainted_and_those_on_0_but_not_the_gone() -> None:
    full = {"items": {"grog": 1, "crowbar": 1, "toolbox": 1, "water_pump": 1, "fire_extinguisher": 1}}
    gnomes = [{}, full | {"state": "abandoned"}, full | {"state": "fainted"}, full | {"minutes": 0}]
    game, _ = drawing("turbulence", gnomes=gnomes)
    asked = []
    while game.view()["phase"] == "discard":
        asked.append(game.decider)
        play(game, {"type": "discard_item", "item": "grog"})
    assert asked == [2, 3]
    assert gnome(game, 1)["items"] == full["items"]


def test_each_gnome_of_a_player_has_a_hand_limit_of_his_own() -> None:
    game, _ = drawing(
        "turbulence", gnomes=[{"items": {"grog": 4}}, {"items": {"crowbar": 5}}, {}, {}], rules={"players": 2}
    )
    assert [each["items"] for each in game.view()["gnomes"]] == [{"grog": 4}, {"crowbar": 4}, {}, {}]


def test_the_journal_tells_who_lost_what_to_a_hand_limit() -> None:
    _, events = drawing("turbulence", gnomes=[{}, {"items": {"grog": 6}}])
    lost = told(events, "items_discarded")
    assert {(loss["seat"], loss["item"], loss["reason"]) for loss in lost} == {(1, "grog", "hand_limit")}
    assert sum(loss["count"] for loss in lost) == 2


def test_friendly_fire_is_a_fire_then_a_leak_then_turbulence() -> None:
    game, events = drawing("friendly_fire", [3, 4], gnomes=[{}, {"items": {"grog": 6}}])
    assert (burning(game), water(game)) == ({3}, {4: "high"})
    assert game.view()["tracks"]["asphyxiation"] == 2
    assert gnome(game, 1)["items"] == {"grog": 4}
    steps = [event["type"] for event in told(events, "fire_started", "room_flooded", "items_discarded")]
    assert steps[:3] == ["fire_started", "room_flooded", "items_discarded"]


def test_friendly_fires_leak_may_put_its_fire_out() -> None:
    game, _ = drawing("friendly_fire", [3, 3])
    assert (burning(game), water(game)) == (set(), {3: "high"})
    assert game.view()["tracks"]["asphyxiation"] == 2


def test_friendly_fire_goes_on_when_its_fire_falls_into_water() -> None:
    game, _ = drawing("friendly_fire", [3, 3], gnomes=[{}, {"items": {"grog": 6}}], rooms={"3": {"water": "low"}})
    assert (burning(game), water(game)) == (set(), {3: "high"})
    assert game.view()["tracks"]["asphyxiation"] == 1
    assert gnome(game, 1)["items"] == {"grog": 4}


def test_the_walk_goes_on_after_a_choice() -> None:
    game = position(
        [{"room": 4, "minutes": 46}],
        rooms={"5": {"fire": True}},
        script=scripted(["fire_spreads", "blocked_hatch", "descent"], dice=[10, 5]),
    )
    assert len(told(play(game, {"type": "fix_reactor", "minutes": 10}), "event_drawn")) == 1
    assert len(told(play(game, {"type": "spread_fire", "room": 6}), "event_drawn")) == 1
    events = play(game, {"type": "block_hatch", "hatch": "5-8"})
    assert [event["minute"] for event in told(events, "event_drawn")] == [39, 36]
    assert len(told(events, "item_drawn")) == 1
    assert gnome(game)["minutes"] == 36
