"""Set-up and whose turn it is (§2, §3)."""

from collections.abc import Sequence

import pytest

from engine import Game, Rules
from engine.shapes import Gnome, Position
from tests.support.helpers import gnome, play, position, scripted, told, use

SEEDS = [bytes([number]) * 32 for number in range(12)]
START_SPACE = {3: 60, 4: 60, 5: 60, 6: 54, 7: 48, 8: 42}


def start(gnomes: int = 4, seed: bytes = SEEDS[0]) -> Position:
    return Game.new(Rules(gnomes=gnomes), seed).position()


def last_to_arrive(crew: Sequence[Gnome]) -> int:
    return max(range(len(crew)), key=lambda seat: crew[seat]["stack"])


@pytest.mark.parametrize(("gnomes", "minutes"), START_SPACE.items())
def test_all_time_keepers_are_stacked_on_the_start_space_of_their_number(gnomes: int, minutes: int) -> None:
    crew = start(gnomes)["gnomes"]
    assert [each["minutes"] for each in crew] == [minutes] * gnomes
    assert len({each["stack"] for each in crew}) == gnomes


@pytest.mark.parametrize("seed", SEEDS)
def test_every_gnome_starts_sober_in_one_of_ten_rooms_with_two_items(seed: bytes) -> None:
    for each in start(8, seed)["gnomes"]:
        assert each["room"] in range(1, 11)
        assert (each["state"], each["intoxication"], each["drew_items_in"]) == ("alive", 0, None)
        assert sum(each["items"].values()) == 2


def test_start_rooms_hands_and_the_order_of_the_stack_differ_from_seed_to_seed() -> None:
    crews = [start(8, seed)["gnomes"] for seed in SEEDS]
    assert {each["room"] for crew in crews for each in crew} == set(range(1, 11))
    assert len({last_to_arrive(crew) for crew in crews}) > 3
    assert len({str([each["items"] for each in crew]) for crew in crews}) == len(SEEDS)


@pytest.mark.parametrize("gnomes", START_SPACE)
def test_six_grogs_lie_in_the_cabin_and_the_other_items_in_hands_and_deck(gnomes: int) -> None:
    before = start(gnomes)
    assert before["captains_grog"] == 6
    assert sum(before["item_deck"].values()) == 48 - 2 * gnomes
    assert before["item_discard"] == {}
    grogs = before["item_deck"].get("grog", 0) + sum(each["items"].get("grog", 0) for each in before["gnomes"])
    assert grogs == 6


def test_the_kraken_is_set_aside_and_the_other_55_events_are_shuffled() -> None:
    before = start()
    assert sum(before["event_deck"].values()) == 55
    assert not any(card.startswith("kraken") for card in before["event_deck"])
    assert before["event_discard"] == {}


def test_a_new_sub_is_dry_and_whole_and_its_tracks_stand_on_one() -> None:
    before = start()
    assert set(before["rooms"]) == {str(room) for room in range(1, 11)}
    assert all(room == {"water": "none", "fire": False} for room in before["rooms"].values())
    assert before["tracks"] == {"asphyxiation": 1, "heat": 1, "pressure": 1}
    assert (before["blocked_hatches"], before["destruction"]) == ([], {})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gnome_on_top_of_the_stack_has_the_first_turn(seed: bytes) -> None:
    game = Game.new(Rules(gnomes=5), seed)
    crew = game.position()["gnomes"]
    assert game.decider == last_to_arrive(crew)
    assert told(game.opening, "turn_began")[-1]["seat"] == game.decider
    assert game.position()["phase"] == "movement"


@pytest.mark.parametrize(
    ("keepers", "first"),
    [
        ([(40, 0), (39, 0), (38, 0)], 0),
        ([(38, 0), (39, 0), (40, 0)], 2),
        ([(40, 0), (40, 1), (40, 2)], 2),
        ([(40, 2), (40, 1), (40, 0)], 0),
        ([(39, 5), (40, 0), (40, 1)], 2),
        ([(0, 0), (1, 0), (0, 1)], 1),
    ],
)
def test_the_turn_is_of_the_most_minutes_left_and_within_a_stack_of_the_one_on_top(
    keepers: list[tuple[int, int]], first: int
) -> None:
    game = position([{"minutes": minutes, "stack": stack, "room": 5} for minutes, stack in keepers])
    assert game.decider == first


def test_the_last_to_arrive_on_a_space_lies_on_top_and_goes_first() -> None:
    game = position([{"minutes": 38, "room": 1}, {"minutes": 37, "room": 4}], script=scripted())
    play(game, "no_action")
    assert [gnome(game, seat)["minutes"] for seat in (0, 1)] == [37, 37]
    assert gnome(game, 0)["stack"] > gnome(game, 1)["stack"]
    assert game.decider == 0


def test_a_gnome_has_turn_after_turn_while_he_is_furthest_back() -> None:
    game = position([{"minutes": 40, "room": 1}, {"minutes": 37, "room": 4, "stack": 0}], script=scripted())
    deciders = []
    for _ in range(5):
        deciders.append(game.decider)
        play(game, "no_action")
    assert deciders == [0, 0, 0, 0, 1]


def test_a_gnome_on_zero_waits_for_the_others_and_has_no_more_turns() -> None:
    game = position(
        [{"minutes": 2, "room": 1}, {"minutes": 0, "room": 4}, {"minutes": 1, "room": 7}], script=scripted()
    )
    deciders = []
    while game.decider is not None:
        deciders.append(game.decider)
        play(game, "no_action")
    assert deciders == [0, 0, 2]


@pytest.mark.parametrize("state", ["dead", "abandoned"])
def test_who_left_the_board_has_no_turn(state: str) -> None:
    left = {"minutes": 50, "room": 5, "state": state}
    assert position([left, {"minutes": 30, "room": 1}]).decider == 1


def test_a_fainted_gnome_stands_up_as_drunk_as_he_fell_when_his_turn_begins() -> None:
    fainted = {"minutes": 39, "room": 1, "state": "fainted", "intoxication": 3}
    game = position([{"minutes": 40, "room": 7}, fainted], script=scripted())
    assert gnome(game, 1)["state"] == "fainted"
    events = play(game, {"type": "stop_missile_launch", "minutes": 2})
    assert told(events, "gnome_woke") == [{"type": "gnome_woke", "seat": 1}]
    assert (game.decider, gnome(game, 1)["state"], gnome(game, 1)["intoxication"]) == (1, "alive", 3)


def test_during_a_turn_the_ghost_runs_ahead_and_the_time_keeper_waits_for_the_updates() -> None:
    game = position([{"minutes": 40, "room": 7}], script=scripted())
    assert game.position()["ghost"] == 40
    play(game, {"type": "open_hatch", "to": 9}, "enter")
    assert (game.position()["ghost"], gnome(game)["minutes"]) == (39, 40)
    events = play(game, "no_action")
    assert gnome(game)["minutes"] == 38
    assert game.position()["ghost"] == 38
    assert told(events, "time_keeper_moved")[0]["minutes"] == 38


def test_the_next_turn_begins_with_nothing_in_force_and_is_counted() -> None:
    game = position([{"minutes": 40, "room": 7, "items": {"crowbar": 1}}], script=scripted())
    play(game, use("crowbar"))
    before = game.position()
    events = play(game, "no_action")
    assert before["used_items"] == {"crowbar": 1}
    assert game.position()["used_items"] == {}
    assert told(events, "turn_began") == [{"type": "turn_began", "seat": 0, "minutes": 39, "turn": before["turn"] + 1}]
