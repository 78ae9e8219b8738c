"""The action phase (§5): what may be done where, at what price and chance, and what a fix-it action fixes."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, result_of, scripted, told, use
from tests.support.workplaces import WORKPLACES, at_work, fix

TABLE = {
    1: {"fix_engine", "no_action"},
    2: {"fix_oxygen_pumps", "no_action"},
    3: {"no_action"},
    4: {"fix_reactor", "no_action"},
    5: {"no_action"},
    6: {"no_action"},
    7: {"stop_missile_launch", "no_action"},
    8: {"draw_items", "no_action"},
    9: {"no_action"},
    10: {"draw_items", "no_action"},
    "sea": {"kill_kraken", "no_action"},
}
INSIDE = [room for room in TABLE if room != "sea"]
LOW_WATER_COSTS_TWO = ["unblock_hatch", "fix_engine", "fix_oxygen_pumps", "fix_reactor", "stop_missile_launch"]
TRACKS = {"fix_engine": "pressure", "fix_oxygen_pumps": "asphyxiation", "fix_reactor": "heat"}
TOKENS = {
    "fix_engine": "crushed",
    "fix_oxygen_pumps": "asphyxiated",
    "stop_missile_launch": "missiles_launched",
    "kill_kraken": "devoured_by_kraken",
}
SUCCESS, FAILURE = 1, 10


def actions(game: Game) -> set[str]:
    return {move["type"] for move in game.legal_moves()} - {"open_hatch", "use_item"}


def alone_in(room: int | str, inside: dict[str, str] | None = None, **more: Any) -> Game:
    """Seat 0 in a room where nobody else is; the others wait in room 5 or 6."""
    other = 6 if room == 5 else 5
    waiting = [{"room": other, "minutes": 20}] * 2
    rooms = {str(room): inside} if inside else {}
    return position([{"room": room, "minutes": 40} | more.pop("gnome", {}), *waiting], rooms=rooms, **more)


@pytest.mark.parametrize(("room", "expected"), TABLE.items())
def test_each_room_has_its_own_actions(room: int | str, expected: set[str]) -> None:
    assert actions(alone_in(room)) == expected


@pytest.mark.parametrize("room", INSIDE)
def test_low_water_adds_pumping(room: int) -> None:
    assert actions(alone_in(room, {"water": "low"})) == TABLE[room] | {"pump_water"}


@pytest.mark.parametrize("room", INSIDE)
@pytest.mark.parametrize(
    ("inside", "only"), [({"fire": True}, "extinguish_fire"), ({"water": "high"}, "no_action")], ids=["fire", "high"]
)
def test_fire_and_high_water_leave_one_action_even_in_company_and_beside_blocked_hatches(
    room: int, inside: Wire, only: str
) -> None:
    crew = [{"room": room, "minutes": 40, "items": {"crowbar": 1}}, {"room": room, "minutes": 20}]
    game = position(crew, rooms={str(room): inside}, blocked_hatches=["1-2", "3-4", "5-6", "7-8", "9-10"])
    assert actions(game) == {only}


@pytest.mark.parametrize(
    ("room", "blocked", "may_be_unblocked"),
    [
        (9, ["9-10"], {"9-10"}),
        (10, ["9-10"], {"9-10"}),
        (8, ["9-10"], set()),
        (5, ["2-5", "5-8", "7-8"], {"2-5", "5-8"}),
        ("sea", ["9-10", "3-4", "5-6"], set()),
    ],
)
def test_the_blocked_hatches_of_the_own_room_may_be_unblocked(
    room: int | str, blocked: list[str], may_be_unblocked: set[str]
) -> None:
    moves = offered(alone_in(room, blocked_hatches=blocked), "unblock_hatch")
    assert {move["hatch"] for move in moves} == may_be_unblocked
    assert len(moves) == 10 * len(may_be_unblocked)


@pytest.mark.parametrize("action", WORKPLACES)
def test_a_fix_it_action_takes_one_to_ten_minutes_and_each_is_a_tenth_of_the_chance(action: str) -> None:
    moves = offered(at_work(action), action)
    told_of = [(move["minutes"], move["cost"], round(10 * move["chance"])) for move in moves]
    assert told_of == [(minutes, minutes, minutes) for minutes in range(1, 11)]


@pytest.mark.parametrize("action", LOW_WATER_COSTS_TWO)
def test_low_water_costs_two_minutes_more_that_help_nothing(action: str) -> None:
    moves = offered(at_work(action, water="low"), action)
    told_of = [(move["minutes"], move["cost"], round(10 * move["chance"])) for move in moves]
    assert told_of == [(minutes, minutes + 2, minutes) for minutes in range(1, 11)]


@pytest.mark.parametrize("left", [1, 2, 3, 9, 12])
@pytest.mark.parametrize(
    ("action", "water", "penalty"), [(a, None, 0) for a in WORKPLACES] + [(a, "low", 2) for a in LOW_WATER_COSTS_TWO]
)
def test_no_action_takes_more_minutes_than_are_left(action: str, water: str | None, penalty: int, left: int) -> None:
    moves = offered(at_work(action, water, minutes=left), action)
    assert [move["minutes"] for move in moves] == list(range(1, min(10, left - penalty) + 1))


def test_minutes_spent_on_moving_are_gone_for_the_action() -> None:
    game = position([{"room": 5, "minutes": 4}], rooms={"7": {"water": "low"}}, active=0)
    play(game, {"type": "open_hatch", "to": 7}, "enter")
    assert actions(game) == {"pump_water", "no_action"}
    assert [move["minutes"] for move in offered(game, "pump_water")] == [1, 2]


@pytest.mark.parametrize("action", WORKPLACES)
@pytest.mark.parametrize(("die", "minutes", "succeeds"), [(1, 1, True), (2, 1, False), (7, 7, True), (8, 7, False)])
def test_a_fix_it_action_succeeds_when_the_die_is_no_higher_than_the_minutes(
    action: str, die: int, minutes: int, succeeds: bool
) -> None:
    events = play(at_work(action, dice=(die,)), fix(action, minutes))
    rolled = told(events, "die_rolled")[0]
    assert (rolled["purpose"], rolled["value"], rolled["needed"]) == (action, die, minutes)
    assert bool(told(events, "action_succeeded")) == succeeds
    assert bool(told(events, "action_failed")) != succeeds


@pytest.mark.parametrize("action", LOW_WATER_COSTS_TWO)
def test_the_low_water_penalty_is_paid_but_does_not_help_the_roll(action: str) -> None:
    game = at_work(action, water="low", dice=(5,))
    events = play(game, fix(action, 4))
    assert told(events, "action_failed")
    assert told(events, "minutes_spent")[0] == {"type": "minutes_spent", "seat": 0, "minutes": 6, "ghost": 34}
    assert gnome(game)["minutes"] == 34


def test_a_fix_it_action_that_cannot_fail_rolls_its_die() -> None:
    game = at_work("fix_engine", dice=(10, 3))
    assert told(play(game, fix("fix_engine", 10)), "die_rolled")[0]["value"] == 10
    assert game.position()["script"]["dice"] == [3]


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 1), (4, 1), (5, 1), (6, 5), (7, 5), (8, 5), (9, 5)])
@pytest.mark.parametrize(("action", "track"), TRACKS.items())
def test_a_track_falls_to_its_next_lower_reset_point(action: str, track: str, before: int, after: int) -> None:
    others = {"asphyxiation": 3, "heat": 3, "pressure": 3}
    game = at_work(action, dice=(SUCCESS,), tracks=others | {track: before})
    play(game, fix(action, 1))
    assert game.position()["tracks"] == others | {track: after}


def test_a_fixed_track_and_a_removed_token_are_told() -> None:
    game = at_work("fix_engine", dice=(SUCCESS,), tracks={"pressure": 8}, destruction={"crushed": 30})
    events = play(game, fix("fix_engine", 1))
    assert told(events, "track_reset") == [{"type": "track_reset", "track": "pressure", "from": 8, "to": 5}]
    assert told(events, "token_removed") == [{"type": "token_removed", "token": "crushed", "minute": 30}]


@pytest.mark.parametrize("action", WORKPLACES)
@pytest.mark.parametrize(("die", "succeeds"), [(SUCCESS, True), (FAILURE, False)])
def test_a_fix_removes_its_own_token_and_track_and_a_failure_nothing(action: str, die: int, succeeds: bool) -> None:
    tokens = dict.fromkeys(TOKENS.values(), 20)
    tracks = {"asphyxiation": 8, "heat": 8, "pressure": 8}
    game = at_work(action, dice=(die,), destruction=tokens, tracks=tracks)
    play(game, fix(action, 1))
    after = game.position()
    fixed_token, fixed_track = (TOKENS.get(action), TRACKS.get(action)) if succeeds else (None, None)
    assert after["destruction"] == {token: 20 for token in tokens if token != fixed_token}
    assert after["tracks"] == {track: 5 if track == fixed_track else 8 for track in tracks}


@pytest.mark.parametrize(("action", "token"), TOKENS.items())
@pytest.mark.parametrize(("minutes", "fails"), [(5, False), (6, True), (10, True)])
def test_an_attempt_fails_when_the_ghost_has_passed_the_token(
    action: str, token: str, minutes: int, fails: bool
) -> None:
    tracks = {"asphyxiation": 8, "heat": 8, "pressure": 8}
    game = at_work(action, dice=(SUCCESS, 4), destruction={token: 35}, tracks=tracks)
    chance = {move["minutes"]: move["chance"] for move in offered(game, action)}
    assert chance[minutes] == (0 if fails else minutes / 10)
    events = play(game, fix(action, minutes))
    assert len(told(events, "die_rolled")) == 1
    assert bool(told(events, "action_failed")) == fails
    assert game.position()["destruction"] == ({token: 35} if fails else {})
    assert (game.position()["tracks"] == tracks) == (fails or action not in TRACKS)
    assert game.position()["script"]["dice"] == [4]


def test_minutes_of_movement_and_low_water_carry_the_ghost_past_a_token() -> None:
    game = position(
        [{"room": 3, "minutes": 40}],
        rooms={"1": {"water": "low"}},
        destruction={"crushed": 35},
        script=scripted(dice=(SUCCESS,)),
    )
    play(game, {"type": "open_hatch", "to": 1}, "enter")
    assert [move["chance"] for move in offered(game, "fix_engine")[:2]] == [0.1, 0]
    assert told(play(game, fix("fix_engine", 2)), "action_failed")


def test_another_token_passed_does_no_harm() -> None:
    game = at_work("fix_engine", dice=(SUCCESS,), destruction={"asphyxiated": 39, "crushed": 20})
    play(game, fix("fix_engine", 3))
    assert game.position()["destruction"] == {"asphyxiated": 39}


def test_pumping_removes_low_water_and_extinguishing_the_fire() -> None:
    for action, told_as in (("pump_water", "water_pumped"), ("extinguish_fire", "fire_went_out")):
        game = at_work(action, dice=(SUCCESS,))
        assert told(play(game, fix(action, 1)), told_as) == [{"type": told_as, "room": 9}]
        assert game.position()["rooms"]["9"] == {"water": "none", "fire": False}


def test_a_failed_pump_leaves_the_water_and_costs_only_time() -> None:
    game = at_work("pump_water", dice=(FAILURE,))
    play(game, fix("pump_water", 4))
    assert game.position()["rooms"]["9"]["water"] == "low"
    assert (gnome(game)["minutes"], gnome(game)["room"]) == (36, 9)


@pytest.mark.parametrize(("die", "left"), [(SUCCESS, ["5-7"]), (FAILURE, ["5-7", "5-8"])])
def test_unblocking_frees_the_chosen_hatch_alone(die: int, left: list[str]) -> None:
    game = alone_in(5, blocked_hatches=["5-7", "5-8"], script=scripted(dice=(die,)))
    play(game, {"type": "unblock_hatch", "hatch": "5-8", "minutes": 3})
    assert game.position()["blocked_hatches"] == left


@pytest.mark.parametrize("water", ["none", "low", "high"])
@pytest.mark.parametrize("room", INSIDE)
def test_no_action_takes_a_minute_whatever_the_water(room: int, water: str) -> None:
    game = alone_in(room, {"water": water}, script=scripted())
    assert offered(game, "no_action") == [{"type": "no_action", "cost": 1}]


def test_no_action_changes_nothing_but_the_time() -> None:
    game = alone_in(7, {"water": "low"}, script=scripted())
    before = game.position()
    play(game, "no_action")
    after = game.position()
    assert after["gnomes"][0] == before["gnomes"][0] | {"minutes": 39, "stack": after["gnomes"][0]["stack"]}
    assert (after["rooms"], after["tracks"]) == (before["rooms"], before["tracks"])


def at_sea(
    minutes: int,
    others: Sequence[Wire] = ({"room": 5, "minutes": 5}, {"room": 5, "minutes": 5}),
    rules: Wire | None = None,
    **more: Any,
) -> Game:
    swimmer = {"room": "sea", "minutes": minutes} | more.pop("swimmer", {})
    return position([swimmer, *others], rules, active=0, **{"script": scripted()} | more)


@pytest.mark.parametrize("edition", ["revised", "original"])
@pytest.mark.parametrize(("minutes", "may"), [(20, False), (11, False), (10, False), (9, True), (2, True), (1, True)])
def test_comrades_may_be_abandoned_at_sea_past_the_ten_space_for_all_minutes_left(
    minutes: int, may: bool, edition: str
) -> None:
    moves = offered(at_sea(minutes, rules={"edition": edition}), "abandon_comrades")
    assert moves == ([{"type": "abandon_comrades", "cost": minutes}] if may else [])


@pytest.mark.parametrize(("minutes", "cost"), [(12, None), (10, None), (9, 7)])
def test_the_own_time_keeper_not_the_ghost_decides_on_abandoning(minutes: int, cost: int | None) -> None:
    game = at_sea(minutes, swimmer={"room": 3, "items": {"aqualung": 1}})
    play(game, use("aqualung"), {"type": "open_hatch", "to": "sea"}, "enter")
    assert [move["cost"] for move in offered(game, "abandon_comrades")] == ([] if cost is None else [cost])


@pytest.mark.parametrize("room", INSIDE)
def test_nobody_abandons_his_comrades_from_inside(room: int) -> None:
    assert not offered(alone_in(room, gnome={"minutes": 5}, active=0), "abandon_comrades")


@pytest.mark.parametrize(("gnomes", "players"), [(3, 1), (4, 2), (8, 1)])
def test_one_or_two_players_may_not_abandon_comrades(gnomes: int, players: int) -> None:
    game = at_sea(9, rules={"gnomes": gnomes, "players": players})
    assert actions(game) == {"kill_kraken", "no_action"}


def test_who_abandons_leaves_with_his_items_without_faint_check_events_or_death() -> None:
    game = at_sea(9, swimmer={"items": {"grog": 1, "crowbar": 2, "coffee": 1}, "intoxication": 4})
    play(game, use("grog"))
    events = play(game, "abandon_comrades")
    assert told(events, "gnome_abandoned") == [{"type": "gnome_abandoned", "seat": 0}]
    assert not told(events, "faint_checked", "event_drawn", "item_drawn", "items_discarded", "gnome_died")
    assert (gnome(game)["state"], gnome(game)["items"]) == ("abandoned", {"crowbar": 2, "coffee": 1})
    assert game.decider in (1, 2)


@pytest.mark.parametrize(
    ("tracks", "card", "seats"),
    [({}, "respite", ["lost", "won", "won"]), ({"asphyxiation": 9}, "fire", ["won", "lost", "lost"])],
)
def test_who_abandoned_the_crew_wins_if_it_loses_and_loses_if_it_wins(
    tracks: Wire, card: str, seats: list[str]
) -> None:
    game = at_sea(9, tracks=tracks, script=scripted(events=[card]))
    play(game, "abandon_comrades")
    while game.decider is not None:
        play(game, "no_action")
    assert result_of(game)["seats"] == seats


def test_the_last_aboard_to_leave_loses_the_sub_and_wins() -> None:
    dead = {"room": 5, "minutes": 20, "state": "dead"}
    game = at_sea(9, others=(dead, dead))
    play(game, "abandon_comrades")
    assert game.result == {"crew": "lost", "cause": "nobody_aboard", "seats": ["won", "lost", "lost"]}
