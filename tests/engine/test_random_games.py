"""Every variant with every crew in random full games: what must hold at each step, whatever happens."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import pytest

from engine import Game, IllegalMove, Rules, observe, replay
from engine.rollout import random_games
from engine.shapes import Move
from tests.support import cards
from tests.support.helpers import result_of
from tests.support.playing import (
    CREWS,
    VARIANTS,
    Story,
    Wire,
    all_rules,
    new_story,
    pick,
    seed_of,
    stories,
    variant_name,
    wild_story,
)

every_variant = pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))

DICE_MOVES = {
    "extinguish_fire",
    "pump_water",
    "fix_engine",
    "fix_oxygen_pumps",
    "fix_reactor",
    "stop_missile_launch",
    "kill_kraken",
    "unblock_hatch",
    "attack_gnome",
    "defend",
}
DECISIONS = {
    "movement",
    "hatch",
    "escape",
    "escape_hatch",
    "trade_give",
    "trade_return",
    "defend",
    "wrap_up",
    "luck",
    "spread_fire",
    "block_hatch",
    "discard",
}
ENDS = {"rescued", "all_dead", "asphyxiation", "heat", "pressure", "asphyxiated", "crushed", "missiles_launched"}


def steps(variant: int, every: int) -> Iterator[Game]:
    """Each so many-th step of a variant's games, and each last one; the soak takes all."""
    for story in stories(variant):
        yield from story.games[:-1:every]
        yield story.games[-1]


def through_json(wire: Mapping[str, Any]) -> Wire:
    return json.loads(json.dumps(wire))


def check_conservation(story: Story) -> None:
    """54 items, always; 56 events, but for the Kraken still set aside and respites that left the game."""
    events = Counter(cards.FIRST_DECK)
    before = story.start.position()
    start = Counter(before["event_deck"]) + Counter(before["event_discard"])
    assert all(start[card] == copies for card, copies in events.items() if not card.startswith("respite"))
    for number, game in enumerate(story.games):
        for event in story.events[number - 1] if number else []:
            if event["type"] == "card_removed":
                start[event["card"]] -= 1
            if event["type"] == "deck_reshuffled" and event["kraken_joins"]:
                start[cards.KRAKEN] += 1
        if number % 3 and game.decider is not None:
            continue
        now = game.position()
        assert Counter(now["event_deck"]) + Counter(now["event_discard"]) == start
        items = Counter(now["item_deck"]) + Counter(now["item_discard"]) + Counter(grog=now["captains_grog"])
        for gnome in now["gnomes"]:
            items += Counter(gnome["items"])
        assert items == Counter(cards.ITEMS)


def check_ranges(game: Game) -> None:
    now = game.position()
    over = game.result is not None
    assert 0 <= now["ghost"] <= 60
    assert 0 <= now["captains_grog"] <= cards.STASH
    assert all(1 <= value <= (10 if over else 9) for value in now["tracks"].values())
    assert all(0 <= minute <= 60 for minute in now["destruction"].values())
    for gnome in now["gnomes"]:
        assert 0 <= gnome["minutes"] <= 60
        assert 0 <= gnome["intoxication"] <= 4
        assert gnome["room"] in (*range(1, 11), "sea")
        assert gnome["state"] in ("alive", "fainted", "dead", "abandoned")
        assert not (gnome["state"] == "dead" and gnome["items"])
    assert not any(room["fire"] and room["water"] != "none" for room in now["rooms"].values())


def check_time(story: Story) -> None:
    """Minutes only run down, the Ghost's within a turn; versions count the moves."""
    assert [game.version for game in story.games] == list(range(len(story.games)))
    for before, after in pairwise(game.position() for game in story.games[::3]):
        for one, other in zip(before["gnomes"], after["gnomes"]):
            assert other["minutes"] <= one["minutes"]
        assert before["turn"] <= after["turn"]
        if before["turn"] == after["turn"] > 0:
            assert after["ghost"] <= before["ghost"]
            assert after["active"] == before["active"]


def check_legal_moves(game: Game) -> None:
    """There are some until the end, no two are alike, each has a cost and, where a die decides, a chance."""
    legal = game.legal_moves()
    assert bool(legal) == (game.result is None) == (game.decider is not None)
    assert len({tuple(move.items()) for move in legal}) == len(legal)
    left = game.position()["ghost"]
    for move in legal:
        assert type(move["cost"]) is int
        assert 0 <= move["cost"] <= left
        assert ("chance" in move) == (move["type"] in DICE_MOVES)
        assert 0 <= move.get("chance", 0) <= 1


def check_playable(game: Game, moves: Sequence[Move]) -> None:
    for move in moves:
        twin = game.copy()
        happened = cast(list[Wire], twin.play(through_json(move)))
        assert happened[0] == {"type": "choice", "seat": game.decider, "automatic": False} | {
            key: happened[0][key] for key in happened[0].keys() & {"move", "private"}
        }
        assert twin.version == game.version + 1


def check_round_trips(game: Game) -> None:
    assert Game.from_bytes(game.to_bytes()) == game
    again = Game.from_position(through_json(game.position()))
    assert again == game
    assert again.rules == game.rules
    assert again.position() == game.position()


def check_observation(game: Game) -> None:
    seat = game.decider
    if seat is None:
        return
    seen = observe(game, seat)
    assert seen.decider == seat
    assert seen.legal_moves() == game.legal_moves()
    assert observe(seen, seat) == seen


@every_variant
def test_a_game_has_no_problems_at_any_step(variant: int) -> None:
    for game in steps(variant, every=30):
        assert game.problems() == []
        if game.decider is not None:
            assert observe(game, game.decider).problems() == []


@every_variant
def test_no_card_is_lost_or_doubled(variant: int) -> None:
    for story in stories(variant):
        check_conservation(story)


@every_variant
def test_values_stay_in_range_and_no_fire_burns_in_water(variant: int) -> None:
    for game in steps(variant, every=9):
        check_ranges(game)


@every_variant
def test_time_never_runs_back(variant: int) -> None:
    for story in stories(variant):
        check_time(story)


@every_variant
def test_legal_moves_run_out_only_at_the_end_and_tell_cost_and_chance(variant: int) -> None:
    for game in steps(variant, every=9):
        check_legal_moves(game)


@every_variant
def test_every_legal_move_can_be_played_as_it_was_offered(variant: int) -> None:
    chance = random.Random(variant)
    for game in steps(variant, every=10):
        legal = game.legal_moves()
        check_playable(game, chance.sample(legal, min(3, len(legal))))


@every_variant
def test_a_finished_game_takes_no_move_and_has_a_result_for_every_seat(variant: int) -> None:
    for story in stories(variant):
        end = story.games[-1]
        assert result_of(end)["crew"] == ("rescued" if result_of(end)["cause"] == "rescued" else "lost")
        assert len(result_of(end)["seats"]) == end.rules.gnomes
        assert story.events[-1][-1]["type"] == "game_over"
        with pytest.raises(IllegalMove, match="over"):
            end.play({"type": "no_action"})


@every_variant
def test_a_copy_goes_its_own_way(variant: int) -> None:
    for game in steps(variant, every=40):
        before = game.to_bytes()
        copy = game.copy()
        assert copy == game
        if copy.decider is not None:
            copy.play(copy.legal_moves()[0])
            assert copy != game
        assert game.to_bytes() == before


@every_variant
def test_a_game_survives_bytes_and_a_position_in_json(variant: int) -> None:
    for game in steps(variant, every=45):
        check_round_trips(game)


@every_variant
def test_a_game_goes_on_alike_from_its_bytes_and_from_its_position(variant: int) -> None:
    for story in stories(variant):
        half = len(story.moves) // 2
        middle = story.games[half]
        for again in (Game.from_bytes(middle.to_bytes()), Game.from_position(through_json(middle.position()))):
            happened = [again.play(move) for move in story.moves[half:]]
            assert happened == story.events[half:]
            assert again == story.games[-1]


@every_variant
def test_a_replay_is_bit_exact(variant: int) -> None:
    for rules in all_rules(VARIANTS[variant]):
        told = new_story(rules)
        sent = through_json({"rules": rules.to_dict(), "moves": told.moves})
        again = replay(Rules.from_dict(sent["rules"]), seed_of(rules, 0), sent["moves"])
        assert again == told.games[-1]
        assert again.to_bytes() == told.games[-1].to_bytes()


@every_variant
def test_the_deciding_seat_sees_the_same_legal_moves_in_its_observation(variant: int) -> None:
    for game in steps(variant, every=9):
        check_observation(game)


@every_variant
def test_every_view_is_json_and_offers_moves_to_the_deciding_seat_only(variant: int) -> None:
    for game in steps(variant, every=40):
        for seat in (None, *range(game.rules.gnomes)):
            view = game.view(seat)
            assert through_json(view) == view
            assert bool(view["legal_moves"]) == (seat is not None and seat == game.decider)


def test_random_games_come_to_every_decision_every_end_and_every_kind_of_move() -> None:
    """Else the tests above would be blind to some rule."""
    decisions, ends, moves, events = set(), set(), set(), set()
    for variant in range(len(VARIANTS)):
        for story in stories(variant):
            ends.add(result_of(story.games[-1])["cause"])
            moves |= {move["type"] for move in story.moves}
            decisions |= {game.position()["phase"] for game in story.games[:-1]}
            events |= {event["card"].split("/")[0] for all_ in story.events for event in all_ if "card" in event}
    assert decisions == DECISIONS
    assert ends >= ENDS
    assert moves >= DICE_MOVES | {"abandon_comrades", "draw_items", "trade_items", "give_item", "use_item"}
    assert events == {card.split("/")[0] for card in cards.EVENTS}


def test_random_games_inside_compiled_code_make_the_same_number_of_moves_each_time() -> None:
    start = Game.new(Rules(), bytes(32))
    assert random_games(start, seed=1, games=500) == random_games(start, seed=1, games=500) >= 500


@pytest.mark.soak
@every_variant
@pytest.mark.parametrize("crew", CREWS, ids=lambda crew: f"{crew[0]}-gnomes-{crew[1]}-players")
def test_long_soak_of_all_that_must_hold_at_each_step(variant: int, crew: tuple[int, int]) -> None:
    rules = Rules(*crew, **VARIANTS[variant])
    for number in (1, 2):
        for story in (new_story(rules, number), wild_story(rules, number)):
            check_conservation(story)
            check_time(story)
            for game in story.games:
                assert game.problems() == []
                check_ranges(game)
                check_legal_moves(game)
                check_round_trips(game)
                check_observation(game)
                check_playable(
                    game, [pick(game.legal_moves(), random.Random(number))] if game.decider is not None else []
                )
            for game in random.Random(number).sample(story.games, min(3, len(story.games))):
                check_playable(game, game.legal_moves())


@pytest.mark.soak
@every_variant
def test_a_million_random_games_inside_compiled_code_come_to_an_end(variant: int) -> None:
    for rules in all_rules(VARIANTS[variant]):
        games = 1_000_000 // len(VARIANTS) // len(CREWS)
        assert random_games(Game.new(rules, seed_of(rules)), seed=variant, games=games) >= games
