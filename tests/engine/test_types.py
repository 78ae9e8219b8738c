"""The types that mypy checks are those of the real things: records, moves, events, views and positions."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import bots
import engine
import service
from bots.arena.crews import BRAIN, BrainRecord
from bots.sailor.mind import MIND, WEIGHTS, Mind, Numbers, Weights
from bots.search.contest import CONTEST, Contest
from bots.search.network import NETWORK, Layer, Network
from engine import Game, Rules, shapes, wire
from engine.compiled.journal import JOURNAL
from engine.compiled.state import STATE, Cells, Journal, Moves, State, Table, Words
from engine.moves import MOVES, WIRE
from engine.rows import Row
from tests.support.helpers import Wire, position

RECORDS: dict[type, np.dtype[Any]] = {
    State: STATE,
    Moves: MOVES,
    Journal: JOURNAL,
    Weights: WEIGHTS,
    Mind: MIND,
    Network: NETWORK,
    Contest: CONTEST,
    BrainRecord: BRAIN,
}


def type_of(field: np.dtype[Any]) -> type:
    """The type that a field of a record has for mypy."""
    if field.base == np.uint64:
        return Words
    if field.base.kind == "f":
        return (float, Numbers, Layer)[len(field.shape)]
    return (int, Cells, Table)[len(field.shape)]


@pytest.mark.parametrize("protocol", RECORDS, ids=lambda protocol: protocol.__name__)
def test_the_protocol_of_a_record_has_its_fields_in_their_order_and_shape(protocol: type) -> None:
    layout = RECORDS[protocol]
    assert {name: type_of(layout[name]) for name in layout.names or ()} == get_type_hints(protocol)
    assert list(layout.names or ()) == list(protocol.__annotations__)


def fields(kind: type) -> Wire:
    """Each field of a TypedDict and its type, whether it is required or not."""
    return get_type_hints(kind)


def fits(value: Any, kind: Any) -> bool:
    """Whether a value has a type of engine/shapes.py, all the way down."""
    if hasattr(kind, "__required_keys__"):
        known = fields(kind)
        return (
            isinstance(value, dict)
            and kind.__required_keys__ <= value.keys() <= known.keys()
            and all(fits(inner, known[name]) for name, inner in value.items())
        )  # fmt: skip
    origin, arguments = getattr(kind, "__origin__", None), get_args(kind)
    if origin is list:
        return type(value) is list and all(fits(inner, arguments[0]) for inner in value)
    if origin is dict:
        return type(value) is dict and all(
            type(name) is str and fits(inner, arguments[1]) for name, inner in value.items()
        )
    if arguments:
        return any(fits(value, each) for each in arguments)
    return value is None if kind is type(None) else type(value) is kind


def test_a_value_of_another_type_does_not_fit() -> None:
    result = {"crew": "lost", "cause": "heat", "seats": ["lost"]}
    assert fits(result, shapes.Result)
    for wrong in ({**result, "crew": 1}, {**result, "seats": "lost"}, {**result, "more": 1}, {"crew": "lost"}):
        assert not fits(wrong, shapes.Result)


def test_every_move_has_the_type_of_a_move() -> None:
    assert [move for move in WIRE if not fits(move, shapes.Move)] == []
    assert {name for move in WIRE for name in move} | {"cost", "chance"} == set(fields(shapes.Move))


def test_every_kind_of_event_has_the_type_of_an_event() -> None:
    facts = {name for row in Row if row in wire.FACTS for name, _ in wire.FACTS[row]}
    dice_and_end = {"type", "private", "purpose", "value", "needed", "crew", "cause"}
    assert facts | dice_and_end == set(fields(shapes.Event))


@pytest.mark.parametrize(
    "options", [{}, {"crazed_gnomes": True, "greater_challenge": "storm"}, {"edition": "original"}]
)
@pytest.mark.parametrize("number", range(3))
def test_whole_games_show_what_their_types_say(options: Wire, number: int) -> None:
    game = Game.new(Rules(**options), bytes([number]) * 32)
    events, choice = list(game.opening), number
    while game.decider is not None:
        legal = game.legal_moves()
        choice = (choice * 31 + 7) % 1009
        move = legal[choice % len(legal)]
        assert all(fits(each, shapes.Move) for each in legal)
        assert fits(game.preview(move), shapes.Preview)
        assert fits(game.view(game.decider), shapes.View)
        assert fits(game.position(), shapes.Position)
        events += game.play(move)
    assert fits(game.result, shapes.Result)
    assert fits(game.view(None), shapes.View)
    assert [event for event in events if not fits(event, shapes.Event)] == []


def test_a_position_in_the_middle_of_a_turn_has_its_type() -> None:
    game = position([{"room": 3, "minutes": 40}], script={"dice": [3], "events": ["fire/4"], "items": ["coffee"]})
    game.play({"type": "open_hatch", "to": 1})
    assert game.position()["pending"] == {"open_hatch_to": 1}
    assert fits(game.position(), shapes.Position)


def test_packages_tell_type_checkers_that_they_are_typed() -> None:
    for package in (engine, bots, service):
        assert Path(str(package.__file__)).with_name("py.typed").exists()
