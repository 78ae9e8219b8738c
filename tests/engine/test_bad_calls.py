"""What can't be is refused: with its own error of one family, the field and the reason, and nothing is changed."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import (
    BadBytes,
    BadPosition,
    BadRules,
    BadSeat,
    BadSeed,
    Game,
    GameError,
    IllegalMove,
    Rules,
    observe,
    replay,
)
from tests.support.helpers import Wire, position

SEED = bytes(range(32))


def scene() -> Game:
    """Seat 0 in dry room 7 with five minutes left and a grog; hatch 5-7 is blocked; seat 1 beside him."""
    return position(
        [{"room": 7, "minutes": 5, "items": {"grog": 1}}, {"room": 7, "minutes": 3}, {"room": 9, "minutes": 2}],
        blocked_hatches=["5-7"],
    )


def refused(error: type[GameError], call: Callable[..., object], *arguments: Any) -> GameError:
    with pytest.raises(error) as caught:
        call(*arguments)
    assert type(caught.value) is error
    assert isinstance(caught.value, GameError)
    assert caught.value.reason
    assert caught.value.reason in str(caught.value)
    assert caught.value.field in str(caught.value)
    return caught.value


def check_refused(game: Game, move: Any, field: str) -> None:
    before = game.to_bytes()
    for call in (game.play, game.preview):
        assert refused(IllegalMove, call, move).field == field
    assert game.to_bytes() == before


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (None, ""),
        ("no_action", ""),
        (7, ""),
        ([], ""),
        ([{"type": "no_action"}], ""),
        ({}, "type"),
        ({"type": None}, "type"),
        ({"type": 3}, "type"),
        ({"type": ["no_action"]}, "type"),
        ({"type": "No_Action"}, "type"),
        ({"type": "fly"}, "type"),
        ({"type": "fix"}, "type"),
        ({"move": "no_action"}, "type"),
        ({"type": "open_hatch"}, "to"),
        ({"type": "open_hatch", "to": None}, "to"),
        ({"type": "open_hatch", "to": "8"}, "to"),
        ({"type": "open_hatch", "to": 8.0}, "to"),
        ({"type": "open_hatch", "to": True}, "to"),
        ({"type": "open_hatch", "to": 0}, "to"),
        ({"type": "open_hatch", "to": 11}, "to"),
        ({"type": "open_hatch", "to": -1}, "to"),
        ({"type": "open_hatch", "to": "Sea"}, "to"),
        ({"type": "open_hatch", "to": [8]}, "to"),
        ({"type": "use_item"}, "item"),
        ({"type": "use_item", "item": "beer"}, "item"),
        ({"type": "use_item", "item": 1}, "item"),
        ({"type": "use_item", "item": {"grog": 1}}, "item"),
        ({"type": "stop_missile_launch"}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": 0}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": 11}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": -3}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": 2.0}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": "2"}, "minutes"),
        ({"type": "stop_missile_launch", "minutes": 10**40}, "minutes"),
        ({"type": "unblock_hatch", "minutes": 2}, "hatch"),
        ({"type": "unblock_hatch", "hatch": "7-5", "minutes": 2}, "hatch"),
        ({"type": "unblock_hatch", "hatch": "1-10", "minutes": 2}, "hatch"),
        ({"type": "unblock_hatch", "hatch": 57, "minutes": 2}, "hatch"),
        ({"type": "unblock_hatch", "hatch": "5-7", "minutes": None}, "minutes"),
        ({"type": "draw_items", "cards": 5}, "cards"),
        ({"type": "draw_items", "cards": "all"}, "cards"),
        ({"type": "trade_items", "with": 8}, "with"),
        ({"type": "trade_items", "seat": 1}, "seat"),
        ({"type": "attack_gnome", "seat": -1}, "seat"),
        ({"type": "spread_fire", "room": "sea"}, "room"),
        ({"type": "block_hatch", "hatch": "3-sea"}, "hatch"),
        ({"type": "no_action", "minutes": 1}, "minutes"),
        ({"type": "no_action", "seat": 0}, "seat"),
        ({"type": "done", "": 1}, ""),
        ({"type": "open_hatch", "to": 8, "hatch": "7-8"}, "hatch"),
    ],
)
def test_a_malformed_move_is_refused_with_the_field_at_fault(move: Any, field: str) -> None:
    check_refused(scene(), move, field)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"type": "enter"}, "type"),
        ({"type": "stay"}, "type"),
        ({"type": "done"}, "type"),
        ({"type": "defend"}, "type"),
        ({"type": "give_item", "item": "grog"}, "type"),
        ({"type": "discard_item", "item": "grog"}, "type"),
        ({"type": "spread_fire", "room": 5}, "type"),
        ({"type": "block_hatch", "hatch": "7-8"}, "type"),
        ({"type": "abandon_comrades"}, "type"),
        ({"type": "attack_gnome", "seat": 1}, "type"),
        ({"type": "draw_items", "cards": 1}, "type"),
        ({"type": "extinguish_fire", "minutes": 1}, "type"),
        ({"type": "pump_water", "minutes": 1}, "type"),
        ({"type": "fix_engine", "minutes": 1}, "type"),
        ({"type": "kill_kraken", "minutes": 1}, "type"),
        ({"type": "open_hatch", "to": 5}, "to"),
        ({"type": "open_hatch", "to": 10}, "to"),
        ({"type": "open_hatch", "to": "sea"}, "to"),
        ({"type": "open_hatch", "to": 7}, "to"),
        ({"type": "use_item", "item": "coffee"}, "item"),
        ({"type": "stop_missile_launch", "minutes": 6}, "minutes"),
        ({"type": "unblock_hatch", "hatch": "7-8", "minutes": 1}, "hatch"),
        ({"type": "unblock_hatch", "hatch": "5-7", "minutes": 6}, "minutes"),
        ({"type": "trade_items", "with": 0}, "with"),
        ({"type": "trade_items", "with": 2}, "with"),
        ({"type": "trade_items", "with": 7}, "with"),
    ],
)
def test_a_move_that_is_not_legal_now_is_refused_with_the_field_at_fault(move: Wire, field: str) -> None:
    """Where other moves of the type are legal, the type is not at fault."""
    check_refused(scene(), move, field)


def test_a_move_is_refused_when_the_game_is_over() -> None:
    game = position([{"room": 7, "minutes": 0}] * 3, phase="over", cause="rescued")
    check_refused(game, {"type": "no_action"}, "type")


def test_cost_and_chance_may_come_back_with_a_move_and_count_for_nothing() -> None:
    game = scene()
    offered = next(
        move for move in game.legal_moves() if move["type"] == "stop_missile_launch" and move["minutes"] == 2
    )
    assert {"cost", "chance"} <= offered.keys()
    twin = game.copy()
    happened = game.play(offered | {"cost": 99, "chance": "sure"})
    assert happened == twin.play({"type": "stop_missile_launch", "minutes": 2})
    assert game == twin


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"gnomes": 2}, "gnomes"),
        ({"gnomes": 9}, "gnomes"),
        ({"gnomes": "4"}, "gnomes"),
        ({"gnomes": 4.0}, "gnomes"),
        ({"gnomes": True}, "gnomes"),
        ({"gnomes": None}, "gnomes"),
        ({"players": 0}, "players"),
        ({"players": -1}, "players"),
        ({"players": 3}, "players"),
        ({"players": 5}, "players"),
        ({"players": "1"}, "players"),
        ({"gnomes": 3, "players": 2}, "players"),
        ({"gnomes": 6, "players": 2}, "players"),
        ({"edition": "deluxe"}, "edition"),
        ({"edition": "Revised"}, "edition"),
        ({"edition": None}, "edition"),
        ({"edition": []}, "edition"),
        ({"less_deadly_dying": 1}, "less_deadly_dying"),
        ({"less_deadly_dying": "yes"}, "less_deadly_dying"),
        ({"crazed_gnomes": None}, "crazed_gnomes"),
        ({"greater_challenge": True}, "greater_challenge"),
        ({"greater_challenge": "hard"}, "greater_challenge"),
        ({"expansion": "mutiny"}, "expansion"),
        ({"": 1}, ""),
        ({3: 1}, "3"),
    ],
)
def test_an_unknown_rule_option_or_value_is_refused(options: Wire, field: str) -> None:
    assert refused(BadRules, Rules.from_dict, options).field == field
    if all(isinstance(option, str) for option in options):
        assert refused(BadRules, lambda: Rules(**options)).field == field
    wrapped = refused(BadPosition, Game.from_position, {"rules": options})
    assert wrapped.field == f"rules/{field}".rstrip("/")


@pytest.mark.parametrize("options", [None, [], "revised", 4, [["gnomes", 4]]])
def test_rules_that_are_no_object_are_refused(options: Any) -> None:
    refused(BadRules, Rules.from_dict, options)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "00" * 32, 7, bytearray(32), [0] * 32])
def test_a_seed_that_is_not_32_bytes_is_refused(seed: Any) -> None:
    assert refused(BadSeed, Game.new, Rules(), seed).field == "seed"
    assert refused(BadSeed, replay, Rules(), seed, []).field == "seed"


def test_a_replay_with_an_illegal_move_is_refused() -> None:
    refused(IllegalMove, replay, Rules(), SEED, [{"type": "enter"}])
    refused(IllegalMove, replay, Rules(), SEED, [None])


@pytest.mark.parametrize("seat", [-1, 4, 8, 10**20, 1.0, "1", True, [0]])
def test_a_seat_that_the_game_does_not_have_is_refused(seat: Any) -> None:
    game = Game.new(Rules(gnomes=4), SEED)
    assert refused(BadSeat, game.view, seat).field == "seat"
    assert refused(BadSeat, observe, game, seat).field == "seat"


def damaged(stored: bytes, place: int) -> bytes:
    return stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda stored: b"",
        lambda stored: stored[:1],
        lambda stored: stored[:4],
        lambda stored: stored[:5],
        lambda stored: stored[: len(stored) // 2],
        lambda stored: stored[:-1],
        lambda stored: stored + b"\0",
        lambda stored: stored + stored,
        lambda stored: stored[1:],
        lambda stored: bytes(len(stored)),
        lambda stored: stored[::-1],
        lambda stored: stored.hex(),
        lambda stored: None,
        list,
    ],
)
def test_truncated_or_foreign_bytes_are_refused(spoil: Callable[[bytes], object]) -> None:
    refused(BadBytes, Game.from_bytes, spoil(scene().to_bytes()))


def test_a_single_damaged_bit_anywhere_is_noticed() -> None:
    stored = scene().to_bytes()
    for place in range(len(stored)):
        refused(BadBytes, Game.from_bytes, damaged(stored, place))


def test_bytes_of_another_layout_are_refused_by_name_and_never_misread() -> None:
    """Whatever byte tells the layout, one of the header's is it, and its error says so."""
    stored = scene().to_bytes()
    fields = {refused(BadBytes, Game.from_bytes, damaged(stored, place)).field for place in range(8)}
    assert "layout" in fields
