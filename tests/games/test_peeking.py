"""What is hidden is told by nothing: twins that differ in it can't be told apart by anybody who may not know."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from engine import Game, Rules
from tests.drills.peek import after_the_start, before_the_start, differences, seat_of_a_bot, times, twin_seeds
from tests.support.answers import NO_ACTION, scene
from tests.support.cards import SHUFFLED_ITEMS
from tests.support.helpers import scripted
from tests.support.serving import running_redis

SECRETIVE: dict[str, dict[str, Any]] = {"hidden hands": {"hidden_hands": True}, "crazed": {"crazed_gnomes": True}}
STORES = 8
NOISE = 1e-4  # seconds
RUNS_MORE = 2  # of what seems to tell something by its time


@pytest.fixture(scope="module")
def alone() -> Iterator[str]:
    """A Redis that is emptied before each world."""
    with running_redis() as url:
        yield url


@pytest.mark.parametrize(("option", "players"), [("crazed", 3), ("hidden hands", 3), ("hidden hands", 1)])
def test_before_the_start_nobody_is_told_a_hand_by_any_operation(alone: str, option: str, players: int) -> None:
    """Join, look, leave: who did so with every seat would know all hands before the game begins."""
    rules = SECRETIVE[option] | {"gnomes": 3, "players": players}
    seeds = twin_seeds(**rules)
    hands = [[gnome["items"] for gnome in Game.new(Rules(**rules), seed).position()["gnomes"]] for seed in seeds]
    assert hands[0] != hands[1]
    answers, found = differences(alone, before_the_start(rules, pictures=players == 1), *seeds)
    assert answers > 200
    assert found == []


def hands_of(*hands: dict[str, int], option: str = "hidden hands") -> dict[str, Any]:
    crew = [{"items": hand, "room": STORES} for hand in hands]
    return scene(*crew, rules=SECRETIVE[option], script=scripted())


@pytest.mark.parametrize(
    ("option", "secret"),
    [("crazed", {"harpoon": 1, "crowbar": 1}), ("hidden hands", {"lucky_charm": 1, "toolbox": 1})],
    ids=["crazed", "hidden hands"],
)
def test_another_seats_hand_is_told_by_no_operation(alone: str, option: str, secret: dict[str, int]) -> None:
    mine, third = {"coffee": 1, "crowbar": 1}, {"aqualung": 1, "grog": 1}
    worlds = iter([hands_of(mine, hand, third, option=option) for hand in ({"harpoon": 2}, secret)])
    tell = after_the_start(worlds, [{"type": "open_hatch", "to": 7}, NO_ACTION], without=("seat 1",))
    answers, found = differences(alone, tell, None, None)
    assert answers > 500
    assert found == []


def test_the_seed_is_told_by_no_operation_before_the_dice_fall(alone: str) -> None:
    worlds = iter([scene() | {"seed": f"{number:02}" * 32} for number in (1, 2)])
    answers, found = differences(alone, after_the_start(worlds, [{"type": "open_hatch", "to": 7}], ()), None, None)
    assert answers > 500
    assert found == []


@pytest.mark.parametrize(
    ("option", "secret"),
    [("crazed", {"harpoon": 1, "crowbar": 1}), ("hidden hands", {"lucky_charm": 1, "toolbox": 1})],
    ids=["crazed", "hidden hands"],
)
def test_a_bots_token_is_told_no_hand_no_deck_and_no_secret_of_others(
    alone: str, option: str, secret: dict[str, int]
) -> None:
    """What it must decide, in words and in numbers, and all else that it can read, is the same byte for byte."""
    mine, third = {"coffee": 1, "crowbar": 1}, {"aqualung": 1, "grog": 1}
    worlds = iter(
        hands_of(mine, hand, third, option=option) | {"seed": f"{number:02}" * 32}
        for number, hand in ((1, {"harpoon": 2}), (2, secret))
    )
    answers, found = differences(alone, seat_of_a_bot(worlds, iter((1, 2))), None, None, to="bot:")
    assert answers > 100
    assert found == []


def test_a_bot_is_told_its_own_hand(alone: str) -> None:
    worlds = iter([hands_of({"harpoon": 2}), hands_of({"grog": 2})])
    _, found = differences(alone, seat_of_a_bot(worlds, iter((1, 1)), turns=1), None, None, to="bot:")
    assert any("form=state" in each for each in found)
    assert any("form=vector" in each for each in found)


def test_twins_are_found_to_differ_by_whoever_may_know(alone: str) -> None:
    """The drill sees what there is to see: with seat 1 among those who ask, its hand is told."""
    worlds = cycle([hands_of({}, {"harpoon": 2}), hands_of({}, {"grog": 2})])
    answers, found = differences(alone, after_the_start(worlds, [], ()), None, None)
    assert found
    assert all(difference.startswith("seat 1:") for difference in found)
    assert len(found) < answers / 4


@pytest.mark.soak
def test_nothing_that_is_hidden_takes_its_time() -> None:
    """No question takes one twin a tenth longer than the other, in processor time, if that is more than noise.

    What does so must do so again, and the same twin: a busy machine makes now this question slow, now that one."""
    far = slower_twins()
    for _ in range(RUNS_MORE):
        far = far and far & slower_twins()
    assert far == set()


def slower_twins() -> set[tuple[str, int]]:
    """Return questions with the number of the twin that takes longer."""
    mine, third = {"coffee": 1, "crowbar": 1}, {"aqualung": 1, "grog": 1}
    one, other = ({"harpoon": 2}, {"lucky_charm": 1, "toolbox": 1})
    worlds = cycle([hands_of(mine, hand, third) for hand in (one, other, other, one)])
    with running_redis(options=("--appendonly", "no")) as url:
        found = times(url, after_the_start(worlds, [NO_ACTION], without=("seat 1",)), rounds=20)
    assert len(found) > 20
    return {
        (asked, int(one < other))
        for asked, (one, other) in found.items()
        if abs(one - other) > max(0.1 * one, NOISE)
    }  # fmt: skip


@pytest.mark.soak
def test_in_ten_thousand_answers_nothing_that_is_hidden_is_told(alone: str) -> None:
    answers, chance = 0, random.Random(16)
    crews = cycle(
        [{"gnomes": 3}, {"gnomes": 4, "players": 2}, {"gnomes": 4}, {"gnomes": 5}, {"gnomes": 3, "players": 1}]
    )
    challenges = cycle(["off", "storm", "off"])
    while answers < 10_000:
        rules = next(crews) | chance.choice(list(SECRETIVE.values())) | {"greater_challenge": next(challenges)}
        told, found = differences(alone, before_the_start(rules), *twin_seeds(**rules))
        assert found == [], rules
        answers += told
        cards = [item for item in SHUFFLED_ITEMS for _ in range(SHUFFLED_ITEMS[item])]
        chance.shuffle(cards)
        worlds = iter([hands_of(*(Counter(cards[at : at + 2]) for at in places)) for places in ((0, 2, 4), (0, 6, 4))])
        told, found = differences(alone, after_the_start(worlds, [NO_ACTION], ("seat 1",)), None, None)
        assert found == [], cards[:8]
        answers += told
