"""A game as a row of bytes: all that a seat may know, nothing else, where `layout.json` says it is."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import BadSeat, Game, IllegalMove, Rules, observe, vector
from tests.support.cards import ITEMS
from tests.support.playing import VARIANTS, stories, variant_name

FILE = Path(engine.__file__).parent / "layout.json"
LAYOUT = json.loads(FILE.read_text())
FIELDS = {field["name"]: field for field in LAYOUT["fields"]}
NAMES = LAYOUT["names"]
# A trained net knows its layout by this number. Whoever changes what is behind it raises it, and adds a line.
DIGESTS = {1: "f3e83171f7992b0eab73ab2ab80fcdd4ad80d7aba80559139d837d9753a2d702"}

every_variant = pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))


def some_games(variant: int) -> Iterator[Game]:
    for number, story in enumerate(stories(variant)):
        yield from story.games[number % 5 :: 47]
        yield story.games[-1]


def test_a_changed_layout_has_another_version() -> None:
    text = FILE.read_text()
    assert text == vector.written(), "python -m engine.vector > engine/layout.json"
    assert LAYOUT["version"] == vector.VERSION == max(DIGESTS)
    assert hashlib.sha256(text.encode()).hexdigest() == DIGESTS[vector.VERSION], "raise engine.vector.VERSION"


def test_the_fields_fill_the_row_without_a_gap() -> None:
    offset = 0
    for field in FIELDS.values():
        assert field["offset"] == offset, field
        assert -128 <= field["low"] < field["high"] <= 127
        places = field.get("places", [])
        assert len(places) == len(field["shape"])
        assert all(len(NAMES[place]) == size for place, size in zip(places, field["shape"]) if place in NAMES)
        if meant := NAMES.get(field.get("numbers")):
            assert field["high"] == len(meant) - 1
        offset += prod(field["shape"])
    assert offset == LAYOUT["size"] == len(vector.observation(Game.new(), 0))
    assert [vector.id_of(move) for move in LAYOUT["actions"]] == list(range(vector.MOVE_IDS))


@every_variant
def test_a_row_says_what_the_view_says_and_nothing_else(variant: int) -> None:
    """It follows from the view alone, so it tells no more of a hidden hand than that; a bot's observation will do."""
    low, high = bounds()
    for game in some_games(variant):
        for seat in (*range(game.rules.gnomes), None):
            row = vector.observation(game, seat)
            assert told(row) == told(row_of_view(game.view(seat), seat, game.rules))
            assert vector.observation(observe(game, seat), seat) == row
            numbers = np.frombuffer(row, np.int8)
            assert ((low <= numbers) & (numbers <= high)).all()


@every_variant
def test_actions_are_the_legal_moves(variant: int) -> None:
    for game in some_games(variant):
        assert vector.actions(game) == [vector.id_of(move) for move in game.legal_moves()]


@pytest.mark.parametrize("seat", [-1, 3, True, "0"])
def test_a_seat_that_is_none_is_refused(seat: int) -> None:
    with pytest.raises(BadSeat):
        vector.observation(Game.new(Rules(gnomes=3)), seat)


def test_a_move_that_is_none_has_no_id() -> None:
    with pytest.raises(IllegalMove):
        vector.id_of({"type": "swim"})


def test_rows_need_nothing_but_the_engine_that_is_loaded_anyway() -> None:
    """The service makes them: it must not compile what only learners need."""
    program = "import sys, engine; had = {*sys.modules}; import engine.vector; print(*({*sys.modules} - had))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [name for name in ran.stdout.split() if name.startswith("engine.")] == ["engine.vector"]


def told(row: bytes) -> dict[str, Any]:
    """The numbers of each field, found as a client in another language would find them."""
    numbers = np.frombuffer(row, np.int8)
    sizes = {name: prod(field["shape"]) for name, field in FIELDS.items()}
    return {name: numbers[field["offset"] :][: sizes[name]].tolist() for name, field in FIELDS.items()}


def bounds() -> tuple[np.ndarray, np.ndarray]:
    sizes = [prod(field["shape"]) for field in FIELDS.values()]
    low, high = (np.repeat([field[end] for field in FIELDS.values()], sizes) for end in ("low", "high"))
    return low, high


def row_of_view(view: Any, seat: int | None, rules: Rules) -> bytes:
    """The row made anew, out of what the seat is shown."""
    gnomes, pending, decision = view["gnomes"], view["pending"], view["decision"]
    phase = NAMES["phase"].index(view["phase"])
    hands = [gnome["items"] for gnome in gnomes]
    unseen = {item: copies - view["item_discard"].get(item, 0) for item, copies in ITEMS.items()}
    unseen["grog"] -= view["captains_grog"]
    for hand in filter(None, hands):
        unseen = {item: copies - hand.get(item, 0) for item, copies in unseen.items()}
    values: dict[str, Any] = {
        "gnomes": rules.gnomes,
        "players": rules.players,
        "edition": NAMES["edition"].index(rules.edition),
        "less_deadly_dying": rules.less_deadly_dying,
        "hidden_hands": rules.hidden_hands,
        "crazed_gnomes": rules.crazed_gnomes,
        "greater_challenge": NAMES["greater_challenge"].index(rules.greater_challenge),
        **{name: [gnome[name] for gnome in gnomes] for name in ("minutes", "stack", "intoxication")},
        "room": [NAMES["room"].index(gnome["room"]) for gnome in gnomes],
        "condition": [NAMES["condition"].index(gnome["state"]) for gnome in gnomes],
        "drew_items_in": [gnome["drew_items_in"] or 0 for gnome in gnomes],
        "hand": [counts(hand or {}, "item") for hand in hands],
        "water": [0, *(NAMES["water"].index(room["water"]) for room in view["rooms"].values())],
        "fire": [0, *(room["fire"] for room in view["rooms"].values())],
        "blocked": [hatch in view["blocked_hatches"] for hatch in NAMES["hatch"]],
        "track": [view["tracks"][track] for track in NAMES["track"]],
        "token": [view["destruction"].get(token, -1) for token in NAMES["token"]],
        **{name: view[name] for name in ("captains_grog", "active", "ghost")},
        "item_deck": counts(unseen, "item"),
        "item_discard": counts(view["item_discard"], "item"),
        **{name: counts(view[name], "event") for name in ("event_deck", "event_discard")},
        "phase": phase,
        "used": counts(view["used_items"], "item"),
        **{name: pending.get(name, 0) for name in ("icons_ignored", "began_at_sea", "abandoning", "hand_limit")},
        "event_drawn": view["phase"] in ("spread_fire", "block_hatch", "discard"),
        "beyond": NAMES["room"].index(pending.get("open_hatch_to", "sea")),
        "partner": pending.get("partner", -1),
        "event_room": pending.get("room", 0),
        "storm_left": pending.get("storm_left", 0),
        "cause": NAMES["cause"].index(view["result"]["cause"]) if view["result"] else 0,
        "hidden": [gnome["hand"] if gnome["items"] is None else 0 for gnome in gnomes],
        "turn_begun": view["turn"] > 0,
        "decider": decision["seat"] if decision else -1,
        "seat": -1 if seat is None else seat,
    }
    assert values.keys() == FIELDS.keys()
    row = np.zeros(LAYOUT["size"], np.int8)
    for name, value in values.items():
        numbers = np.ravel(value)
        row[FIELDS[name]["offset"] :][: len(numbers)] = numbers
    return row.tobytes()


def counts(pile: Mapping[str, int], kind: str) -> list[int]:
    return [pile.get(name, 0) for name in NAMES[kind]]
