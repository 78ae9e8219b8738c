"""Choices with a single option are made at once and told; those with more, and the one to move, are asked (§4)."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, play, position, scripted, told

# What the active gnome's event meets, the card and dice, and the choices that follow by themselves.
SINGLE = [
    ({"rooms": {"6": {"fire": True}}}, ["fire_spreads"], [], [(0, {"type": "spread_fire", "room": 5})]),
    ({}, ["blocked_hatch"], [6], [(0, {"type": "block_hatch", "hatch": "5-6"})]),
    ({"blocked_hatches": ["8-10"]}, ["blocked_hatch"], [10], [(0, {"type": "block_hatch", "hatch": "9-10"})]),
    ({"items": {"grog": 3}}, ["stumble"], [], [(0, {"type": "discard_item", "item": "grog"})] * 2),
    ({"items": {"crowbar": 6}}, ["turbulence"], [], [(0, {"type": "discard_item", "item": "crowbar"})] * 2),
]
SEVERAL = [
    ({"rooms": {"10": {"fire": True}}}, ["fire_spreads"], [], "spread_fire", [8, 9], "room"),
    ({"blocked_hatches": ["8-9"]}, ["blocked_hatch"], [9], "block_hatch", ["7-9", "9-10"], "hatch"),
    ({"items": {"grog": 2, "crowbar": 1}}, ["stumble"], [], "discard_item", ["grog", "crowbar"], "item"),
]


def scene(cards: Sequence[str], dice: Sequence[int], items: dict[str, int] | None = None, **board: Any) -> Game:
    mover = {"room": 7, "minutes": 40, "items": items or {}}
    return position([mover, {"room": 4}, {"room": 4}], script=scripted(cards, dice), **board)


@pytest.mark.parametrize(("board", "cards", "dice", "expected"), SINGLE)
def test_a_single_option_is_chosen_at_once_and_told(
    board: Wire, cards: list[str], dice: list[int], expected: Any
) -> None:
    game = scene(cards, dice, **board)
    choices = told(play(game, "no_action"), "choice")
    assert not choices[0]["automatic"]
    assert [(choice["seat"], choice["move"]) for choice in choices[1:]] == expected
    assert all(choice["automatic"] for choice in choices[1:])
    assert game.position()["phase"] == "movement"


@pytest.mark.parametrize(("board", "cards", "dice", "kind", "options", "field"), SEVERAL)
def test_several_options_are_asked(
    board: Wire, cards: list[str], dice: list[int], kind: str, options: list[int | str], field: str
) -> None:
    game = scene(cards, dice, **board)
    assert len(told(play(game, "no_action"), "choice")) == 1
    moves = game.legal_moves()
    assert {move["type"] for move in moves} == {kind}
    assert sorted(cast(Wire, move)[field] for move in moves) == sorted(options)
    assert all(move["cost"] == 0 for move in moves)


def test_once_a_single_kind_is_left_the_rest_is_discarded_at_once() -> None:
    game = scene(["stumble"], [], items={"grog": 2, "crowbar": 1})
    play(game, "no_action")
    choices = told(play(game, {"type": "discard_item", "item": "crowbar"}), "choice")
    assert [choice["automatic"] for choice in choices] == [False, True]
    assert gnome(game)["items"] == {"grog": 1}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_who_can_do_nothing_but_one_thing_at_the_start_of_his_turn_is_still_asked(number: int) -> None:
    trapped = {"room": 10, "minutes": 40}
    game = position([trapped] * number, rooms={"10": {"water": "high"}}, blocked_hatches=["8-10", "9-10"])
    assert [move["type"] for move in game.legal_moves()] == ["no_action"]
    assert game.position()["phase"] == "movement"


def test_the_next_gnome_is_asked_even_when_he_has_one_option() -> None:
    mover, trapped = {"room": 1, "minutes": 40}, {"room": 10, "minutes": 40, "stack": 0}
    water: Wire = {"rooms": {"10": {"water": "high"}}, "blocked_hatches": ["8-10", "9-10"]}
    game = position([mover | {"stack": 1}, trapped], script=scripted(), **water)
    events = play(game, {"type": "fix_engine", "minutes": 2})
    assert (game.decider, [move["type"] for move in game.legal_moves()]) == (1, ["no_action"])
    assert not any(choice["automatic"] for choice in told(events, "choice"))
