"""Bots know what their seat may know and no more, and say the same thing twice (§9)."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bots.budget import Budget
from bots.explain import explain
from bots.roster import ROSTER
from engine import Game, Rules, observe
from engine.enums import Item
from tests.support.helpers import decider_of
from tests.support.playing import VARIANTS, seed_of, variant_name
from tests.support.thinking import DECISIONS, TINY, decide, kind, positions

EACH = 3
ENDLESS = Budget(playouts=10**9, candidates=24)
SECRETIVE = [
    number for number, variant in enumerate(VARIANTS) if variant["crazed_gnomes"] and variant["edition"] == "revised"
]
IDS = list(map(variant_name, VARIANTS))


def hidden_from(game: Game, seat: int) -> list[int]:
    """The seats whose hands the player of a seat may not see, where hands are secret."""
    return [other for other in range(game.rules.gnomes) if other not in game.rules.seats_of_player_at(seat)]


def deal_anew(game: Game, seats: list[int], chance: random.Random) -> Game:
    """The same game with other cards in those hands and in the deck, as many of them as before."""
    game = game.copy()
    state = game.record[0]
    pool = [item for pile in (state.item_deck, *state.hand[seats]) for item in Item for _ in range(pile[item])]
    chance.shuffle(pool)
    sizes = state.hand[seats].sum(axis=1)
    for seat, size in zip(seats, sizes, strict=True):
        dealt, pool = pool[:size], pool[size:]
        state.hand[seat] = [dealt.count(item) for item in Item]
    state.item_deck[:] = [pool.count(item) for item in Item]
    return game


def reroll(game: Game, chance: random.Random) -> Game:
    """The same game with another seed, other counts of dice, and another script."""
    game = game.copy()
    state = game.record[0]
    state.key[:] = chance.getrandbits(64), chance.getrandbits(64)
    state.rolls[:] = [chance.randrange(9) for _ in state.rolls]
    for script in (state.script_dice, state.script_events, state.script_items):
        script[:3] = 1
    state.script_left[:] = chance.randrange(4)
    return game


@pytest.mark.parametrize("variant", SECRETIVE, ids=IDS.__getitem__)
@pytest.mark.parametrize("bot", ROSTER)
def test_what_a_seat_cannot_see_does_not_change_its_choice(bot: str, variant: int) -> None:
    chance = random.Random(seed_of(bot, variant))
    for game in positions(variant, EACH):
        other = deal_anew(reroll(game, chance), hidden_from(game, decider_of(game)), chance)
        assert decide(bot, game) == decide(bot, other)


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=IDS.__getitem__)
def test_no_variant_lets_a_bot_foresee_dice_and_cards(variant: int) -> None:
    chance = random.Random(seed_of(variant))
    for game in positions(variant, 1):
        for bot in ROSTER:
            assert decide(bot, game) == decide(bot, reroll(game, chance))


@pytest.mark.parametrize("variant", SECRETIVE, ids=IDS.__getitem__)
@pytest.mark.parametrize("bot", ROSTER)
def test_what_an_observation_makes_up_in_place_of_secrets_decides_nothing(bot: str, variant: int) -> None:
    """Its dice are no dice, and the hands in it are one guess of many."""
    chance = random.Random(seed_of(bot, variant))
    budget = TINY if ROSTER[bot].budget.playouts else None
    for game in positions(variant, EACH):
        seen = observe(game, game.decider)
        guess = deal_anew(seen, hidden_from(game, decider_of(game)), chance)
        guess.record["key"] = chance.getrandbits(64)
        assert ROSTER[bot].choose(seen, budget) == ROSTER[bot].choose(guess, budget)


def test_advice_is_as_honest_as_the_bots() -> None:
    chance = random.Random(1)
    for game in positions(SECRETIVE[0], EACH):
        other = deal_anew(reroll(game, chance), hidden_from(game, decider_of(game)), chance)
        one, two = (explain(observe(each, each.decider), TINY) for each in (game, other))
        assert one == two


@pytest.mark.parametrize("bot", ROSTER)
def test_choosing_leaves_the_observation_as_it_was(bot: str) -> None:
    for variant in range(len(VARIANTS)):
        for game in positions(variant, 1):
            seen = observe(game, game.decider)
            before = seen.to_bytes()
            ROSTER[bot].choose(seen, TINY if ROSTER[bot].budget.playouts else None)
            assert seen.to_bytes() == before


@pytest.mark.parametrize("bot", ROSTER)
def test_the_same_observation_budget_and_seed_give_the_same_choice(bot: str) -> None:
    for seed in (0, 7, 2**63 - 1):
        for game in positions(seed % len(VARIANTS), EACH):
            assert decide(bot, game, seed=seed) == decide(bot, game, seed=seed)


def test_another_seed_gives_another_opinion_somewhere() -> None:
    games = positions(0, 4 * EACH)
    for bot in ("cabin_boy", "captain"):
        opinions = [
            [decide(bot, game, Budget(60, 8, minutes=4, wide=12), seed=seed) for game in games] for seed in range(4)
        ]
        assert any(opinion != opinions[0] for opinion in opinions[1:])


def all_choices() -> list[object]:
    games = [game for variant in (0, 7, 10) for game in positions(variant, 2)]
    return [[decide(bot, game, seed=3) for bot in ROSTER] for game in games]


def test_another_process_comes_to_the_same_choice() -> None:
    code = "import json; from tests.bots.test_bots_honest import all_choices; print(json.dumps(all_choices()))"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(there.stdout) == all_choices()


@pytest.fixture
def load() -> Iterator[Any]:
    """More work than there are processors."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    yield
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.usefixtures("load")
@pytest.mark.parametrize("cap", ["deadline", "seconds"])
def test_under_load_an_endless_search_answers_when_its_time_is_up(cap: str) -> None:
    allowed = 0.25
    slack = 40  # times: for a machine that is very slow; the search itself would take hours
    games = {kind(game): game for variant in (0, SECRETIVE[0]) for game in positions(variant, 1)}
    for decision in ("movement", "block_hatch", "defend"):
        game = games[decision]
        began = time.monotonic()
        if cap == "deadline":
            moves = decide("admiral", game, ENDLESS, deadline=began + allowed)
        else:
            moves = decide("admiral", game, Budget(ENDLESS.playouts, ENDLESS.candidates, allowed))
        assert time.monotonic() - began < slack * allowed
        game.copy().play(moves[0])


@pytest.mark.parametrize("bot", ROSTER)
def test_with_no_time_left_a_bot_still_answers(bot: str) -> None:
    met = set()
    for variant in range(len(VARIANTS)):
        for game in positions(variant, 1):
            met.add(kind(game))
            moves = decide(bot, game, ENDLESS, deadline=time.monotonic() - 1)
            game.copy().play(moves[0])
    assert met == DECISIONS


@pytest.mark.parametrize("bot", ROSTER)
def test_nobody_is_asked_when_the_game_is_over(bot: str) -> None:
    game = Game.from_position({"rules": Rules().to_dict(), "phase": "over", "cause": "heat", "tracks": {"heat": 10}})
    with pytest.raises(ValueError, match="over"):
        ROSTER[bot].choose(observe(game, 0))
