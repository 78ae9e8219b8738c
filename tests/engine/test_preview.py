"""A dry run of a move: cost, chance, what is certain, and what its minutes would meet."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine import Game, IllegalMove, Rules, observe
from engine.foresight import foresee
from engine.shapes import Event, Preview
from tests.support.helpers import Wire, play, position, scripted, told, use
from tests.support.workplaces import WORKPLACES, at_work, fix

EVENT_ICONS = [*range(57, 20, -3), *range(18, 0, -2)]
ITEM_ICONS = [50, 40, 30, 20, 10]
LOW, HIGH = {"water": "low"}, {"water": "high"}
NEW_GAMES = [
    Rules(gnomes=4),
    Rules(gnomes=8, edition="original", greater_challenge="storm"),
    Rules(gnomes=6, crazed_gnomes=True, less_deadly_dying=True),
    Rules(gnomes=5, players=1, greater_challenge="no_respite"),
]


def matches(foretold: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return all(event.get(name) == value for name, value in foretold.items())


def happened_in_order(foretold: Sequence[Mapping[str, Any]], events: Sequence[Mapping[str, Any]]) -> bool:
    """Each foretold event is among those that happened, in this order; what chance decides is not foretold."""
    left = iter(events)
    return all(any(matches(each, event) for event in left) for each in foretold)


def branch_of(foretold: Preview, events: Sequence[Mapping[str, Any]]) -> list[Event]:
    """What was foretold of the die that fell: nothing where no die did."""
    if told(events, "action_succeeded"):
        return foretold.get("if_success", [])
    return foretold.get("if_failure", []) if told(events, "action_failed") else []


@pytest.mark.parametrize("rules", NEW_GAMES, ids=lambda rules: f"{rules.gnomes}-{rules.edition}")
def test_a_preview_changes_nothing_and_what_it_calls_certain_comes_true(rules: Rules) -> None:
    chance = random.Random(rules.gnomes)
    for number in range(4):
        game = Game.new(rules, bytes([number]) * 32)
        while game.decider is not None:
            before = game.to_bytes()
            move = chance.choice(game.legal_moves())
            foretold = game.preview(move)
            assert game.to_bytes() == before
            assert (foretold["cost"], foretold.get("chance")) == (move["cost"], move.get("chance"))
            events = game.play(move)
            assert happened_in_order(foretold["certain"] + branch_of(foretold, events), events)


def test_every_legal_move_has_a_preview_that_forces_no_outcome() -> None:
    game = Game.new(Rules(gnomes=4, crazed_gnomes=True), bytes(32))
    chance = random.Random(1)
    while game.decider is not None:
        twin = game.copy()
        for move in game.legal_moves():
            game.preview(move)
        move = chance.choice(game.legal_moves())
        assert game.play(move) == twin.play(move)


@pytest.mark.parametrize("rules", NEW_GAMES, ids=lambda rules: f"{rules.gnomes}-{rules.edition}")
def test_a_preview_tells_nothing_that_the_decider_may_not_know(rules: Rules) -> None:
    chance = random.Random(rules.gnomes)
    for number in range(4):
        game = Game.new(rules, bytes([number]) * 32)
        while game.decider is not None:
            seen = observe(game, game.decider)
            move = chance.choice(game.legal_moves())
            assert game.preview(move) == seen.preview(move)
            game.play(move)


@pytest.mark.parametrize(
    "move",
    [
        {"type": "enter"},
        {"type": "fix_engine", "minutes": 3},
        {"type": "open_hatch", "to": 1},
        {"type": "dance"},
        {},
    ],
)
def test_an_illegal_move_has_no_preview(move: Wire) -> None:
    with pytest.raises(IllegalMove):
        position([{"room": 7, "minutes": 40}]).preview(move)


def test_a_preview_takes_the_move_with_and_without_its_cost_and_chance() -> None:
    game = at_work("fix_engine")
    move = fix("fix_engine", 3)
    assert game.preview(move) == game.preview(move | {"cost": 3, "chance": 0.3})


@pytest.mark.parametrize("minutes", range(1, 11))
def test_a_preview_tells_the_icons_that_its_minutes_would_meet(minutes: int) -> None:
    for start in range(minutes, 60):
        game = position([{"room": 7, "minutes": start}], active=0)
        triggers = game.preview(fix("stop_missile_launch", minutes))["triggers"]
        path = range(start - minutes, start)
        assert triggers["events"] == [icon for icon in EVENT_ICONS if icon in path]
        assert triggers["items"] == [icon for icon in ITEM_ICONS if icon in path]


def test_a_preview_counts_the_minutes_spent_before_in_the_turn() -> None:
    game = position([{"room": 7, "minutes": 40}], rooms={"5": {"water": "low"}})
    play(game, {"type": "open_hatch", "to": 5}, "enter")
    foretold = game.preview({"type": "open_hatch", "to": 2})
    assert (foretold["cost"], foretold["ghost"], foretold["triggers"]["events"]) == (1, 37, [39])
    assert game.preview({"type": "pump_water", "minutes": 8})["triggers"]["items"] == [30]


@pytest.mark.parametrize("in_wrap_up", [False, True])
def test_a_preview_leaves_out_the_icons_that_a_charm_will_ignore(in_wrap_up: bool) -> None:
    luck, work = use("lucky_charm"), fix("stop_missile_launch", 10)
    game = position([{"room": 7, "minutes": 40, "items": {"lucky_charm": 1}}], script=scripted())
    first, then = (work, luck) if in_wrap_up else (luck, work)
    play(game, first)
    assert game.preview(then)["triggers"] == {"events": [30], "items": [30], "ignored": [39, 36, 33]}


@pytest.mark.parametrize("action", WORKPLACES)
@pytest.mark.parametrize(
    ("minutes", "drunk", "outcomes"), [(4, 0, {"success", "failure"}), (10, 0, {"success"}), (7, 1, {"success"})]
)
def test_a_preview_shows_both_ends_of_a_die_that_can_fall_either_way(
    action: str, minutes: int, drunk: int, outcomes: set[str]
) -> None:
    game = at_work(action, items={"grog": drunk})
    play(game, *[use("grog")] * drunk)
    foretold = game.preview(fix(action, minutes))
    assert {end for end in ("success", "failure") if f"if_{end}" in foretold} == outcomes
    assert not told(foretold["certain"], "action_succeeded", "action_failed")


def test_a_preview_of_a_repair_behind_the_token_is_a_sure_failure() -> None:
    game = at_work("fix_engine", destruction={"crushed": 38}, tracks={"pressure": 8})
    foretold = game.preview(fix("fix_engine", 10))
    assert (foretold["chance"], "if_success" in foretold, "if_failure" in foretold) == (0, False, True)
    assert not told(foretold["certain"] + foretold["if_failure"], "track_reset", "token_removed")


def test_a_preview_of_a_repair_tells_the_track_and_the_token() -> None:
    foretold = at_work("fix_engine", destruction={"crushed": 20}, tracks={"pressure": 8}).preview(fix("fix_engine", 3))
    assert told(foretold["if_success"], "track_reset")[0] == {
        "type": "track_reset",
        "track": "pressure",
        "from": 8,
        "to": 5,
    }
    assert told(foretold["if_success"], "token_removed")[0]["token"] == "crushed"
    assert not told(foretold["if_failure"], "track_reset", "token_removed")


def test_a_preview_of_a_hatch_tells_the_reflow_and_the_fire_that_goes_out() -> None:
    game = position([{"room": 7, "minutes": 40}], rooms={"7": {"fire": True}, "5": {"water": "high"}})
    certain = game.preview({"type": "open_hatch", "to": 5})["certain"]
    assert [event["type"] for event in certain] == [
        "hatch_opened",
        "minutes_spent",
        "water_reflowed",
        "fire_went_out",
    ]


@pytest.mark.parametrize(("item", "intoxication"), [("grog", 3), ("coffee", 0), ("crowbar", 2)])
def test_a_preview_of_an_item_tells_the_intoxication(item: str, intoxication: int) -> None:
    game = position([{"room": 7, "minutes": 40, "intoxication": 2, "items": {item: 1}}])
    certain = game.preview(use(item))["certain"]
    assert told(certain, "item_used") == [{"type": "item_used", "seat": 0, "item": item, "intoxication": intoxication}]


def test_a_preview_of_a_draw_from_the_stores_names_no_card_and_one_from_the_cabin_is_grog() -> None:
    stores = position([{"room": 8, "minutes": 40}], script=scripted(items=["coffee"]))
    certain = stores.preview({"type": "draw_items", "cards": 2})["certain"]
    assert ["item" in drawn for drawn in told(certain, "item_drawn")] == [False, False]


@pytest.mark.parametrize("minutes", [3, 7])
def test_a_preview_never_shows_the_die(minutes: int) -> None:
    game = at_work("fix_engine", dice=[5])
    foretold = game.preview(fix("fix_engine", minutes))
    assert all("value" not in rolled for rolled in told(foretold["certain"], "die_rolled"))
    assert foretold == at_work("fix_engine", dice=[6]).preview(fix("fix_engine", minutes))


def under_many_seeds(move: Wire, *before: Wire, **position_fields: Any) -> list[Preview]:
    """The previews of one move in one position under different seeds."""
    previews = []
    for number in range(8):
        game = position(seed=bytes([number] * 32).hex(), **position_fields)
        play(game, *before)
        previews.append(game.preview(move))
    return previews


def test_a_preview_does_not_betray_the_die_that_the_last_gnome_lives_or_dies_by() -> None:
    crew = [{"room": 6, "minutes": 40}, *[{"room": 1, "state": "dead"}] * 2]
    trapped = {"6": {"fire": True}, "5": {"fire": True}}
    previews = under_many_seeds({"type": "extinguish_fire", "minutes": 5}, gnomes=crew, rooms=trapped)
    assert all(preview == previews[0] for preview in previews)


def test_a_preview_does_not_betray_the_dice_of_a_fight_that_decides_the_game() -> None:
    armed = {"room": 7, "items": {"crowbar": 1}}
    previews = under_many_seeds(
        {"type": "defend"},
        use("crowbar"),
        {"type": "attack_gnome", "seat": 1},
        gnomes=[armed | {"minutes": 40}, armed | {"minutes": 30}],
        rules={"crazed_gnomes": True},
        destruction={"crushed": 35},
    )
    assert all(preview == previews[0] for preview in previews)


@pytest.mark.parametrize("theirs", [{}, {"coffee": 1}])
def test_a_preview_of_an_attack_does_not_betray_the_crowbar_of_the_attacked(theirs: Wire) -> None:
    previews = []
    for crowbars in (0, 1):
        attacked = {"room": 7, "minutes": 30, "items": theirs | {"crowbar": crowbars}}
        attacker = {"room": 7, "minutes": 40, "items": {"crowbar": 1}}
        game = position([attacker, attacked], {"crazed_gnomes": True})
        play(game, use("crowbar"))
        previews.append(game.preview({"type": "attack_gnome", "seat": 1}))
    assert previews[0] == previews[1]


def test_who_abandons_their_comrades_meets_no_icons_in_the_revised_edition() -> None:
    game = position([{"room": "sea", "minutes": 9}], active=0)
    foretold = game.preview({"type": "abandon_comrades"})
    assert (foretold["cost"], told(foretold["certain"], "gnome_abandoned")[0]["seat"]) == (9, 0)
    assert foretold["triggers"] == {"events": [], "items": [], "ignored": []}


@pytest.mark.parametrize("pending", [{}, {"began_at_sea": True}])
def test_who_abandons_their_comrades_meets_every_icon_first_in_the_original_edition(pending: Wire) -> None:
    game = position([{"room": "sea", "minutes": 9}], {"edition": "original"}, active=0, pending=pending)
    foretold = game.preview({"type": "abandon_comrades"})
    assert (foretold["cost"], foretold["ghost"]) == (9, 0)
    assert not told(foretold["certain"], "gnome_abandoned", "gnome_died")
    assert foretold["triggers"] == {"events": [8, 6, 4, 2], "items": [], "ignored": []}


@pytest.mark.parametrize(("edition", "flows"), [("revised", 1), ("original", 0)])
def test_a_preview_of_a_hatch_onto_low_water_tells_whether_the_high_water_sinks(edition: str, flows: int) -> None:
    game = position([{"room": 7, "minutes": 40}], {"edition": edition}, rooms={"7": HIGH, "5": LOW})
    certain = game.preview({"type": "open_hatch", "to": 5})["certain"]
    assert len(told(certain, "water_reflowed")) == flows


@pytest.mark.parametrize(("left", "dies"), [(0, True), (1, True), (2, False)])
def test_a_preview_of_an_attempt_tells_whether_its_failure_leaves_a_way_out(left: int, dies: bool) -> None:
    """High water next door is a way out for two minutes."""
    rooms = {"7": {"fire": True}, "5": HIGH, "8": {"fire": True}, "9": {"fire": True}}
    game = position([{"room": 7, "minutes": 30 + left}], rooms=rooms, active=0, ghost=1 + left, phase="movement")
    failure = game.preview({"type": "extinguish_fire", "minutes": 1})["if_failure"]
    assert bool(told(failure, "gnome_died")) == dies


def test_a_preview_of_a_charm_that_has_just_come_tells_what_it_will_ignore() -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"lucky_charm": 1}}]
    game = position(crew, phase="luck", ghost=30, active=0)
    assert game.preview({"type": "done"})["triggers"] == {"events": [39, 36, 33, 30], "items": [30], "ignored": []}
    foretold = game.preview(use("lucky_charm"))
    assert foretold["triggers"] == {"events": [30], "items": [30], "ignored": [39, 36, 33]}
    assert [event["type"] for event in foretold["certain"]] == ["item_used"]


def test_a_preview_of_coffee_in_the_place_of_a_discard_tells_how_sober_it_makes() -> None:
    crew = [{"room": 7, "minutes": 39, "items": {"coffee": 1, "grog": 1}, "intoxication": 3}]
    game = position(crew, phase="discard", pending={"hand_limit": 1}, ghost=30, active=0)
    certain = game.preview(use("coffee"))["certain"]
    assert told(certain, "item_used") == [{"type": "item_used", "seat": 0, "item": "coffee", "intoxication": 1}]
    assert not told(certain, "items_discarded")


def test_moves_in_a_row_are_foreseen_up_to_the_card_that_luck_did_not_keep_away() -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"lucky_charm": 2}}]
    game = position(crew, phase="luck", ghost=34, active=0)
    told_ahead = list(foresee(game, [use("lucky_charm"), {"type": "done"}]))
    assert [preview["triggers"]["events"] for preview, _ in told_ahead] == [[], []]
