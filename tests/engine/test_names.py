"""The names on the wire (§11). Event copies and causes of the end have their tables in other tests."""

import pytest

from engine import BadPosition
from tests.support.helpers import Wire, play, position

AT_40 = {"minutes": 40}
BURNING = {"3": {"fire": True}}
OUT_OF_LUCK = {"dice": [10]}
EXTINGUISH = {"type": "extinguish_fire", "minutes": 1}
TRADERS = [{"room": 7, "minutes": 40, "items": {"grog": 1}}, {"room": 7, "items": {"coffee": 1}}]
FIGHTERS = [{"room": 7, "minutes": 40, "items": {"crowbar": 1}}, {"room": 7, "items": {"crowbar": 1}}]
DOOMED = {"rules": {"gnomes": 3}, "tracks": {"heat": 9}, "script": {"events": ["reactor_warmup"]}}

PHASES: dict[str, tuple[Wire, list[Wire | str]]] = {
    "movement": ({"gnomes": [AT_40]}, []),
    "hatch": ({"gnomes": [AT_40 | {"room": 3}]}, [{"type": "open_hatch", "to": 1}]),
    "escape": ({"gnomes": [AT_40 | {"room": 3}], "rooms": BURNING, "script": OUT_OF_LUCK}, [EXTINGUISH]),
    "escape_hatch": (
        {"gnomes": [AT_40 | {"room": 3, "items": {"crowbar": 1}}], "rooms": BURNING, "script": OUT_OF_LUCK},
        [EXTINGUISH, {"type": "open_hatch", "to": 1}],
    ),
    "trade_give": ({"gnomes": TRADERS}, [{"type": "trade_items", "with": 1}]),
    "trade_return": ({"gnomes": TRADERS}, [{"type": "trade_items", "with": 1}, "done"]),
    "defend": (
        {"gnomes": FIGHTERS, "rules": {"crazed_gnomes": True}},
        [{"type": "use_item", "item": "crowbar"}, {"type": "attack_gnome", "seat": 1}],
    ),
    "wrap_up": ({"gnomes": [AT_40 | {"items": {"coffee": 1}}]}, ["no_action"]),
    "spread_fire": (
        {"gnomes": [AT_40], "rooms": {"5": {"fire": True}}, "script": {"events": ["fire_spreads"]}},
        ["no_action"],
    ),
    "block_hatch": ({"gnomes": [AT_40], "script": {"events": ["blocked_hatch"], "dice": [5]}}, ["no_action"]),
    "discard": (
        {"gnomes": [AT_40 | {"items": {"grog": 1, "toolbox": 1}}], "script": {"events": ["stumble"]}},
        ["no_action"],
    ),
    "over": (DOOMED | {"gnomes": [AT_40]}, ["no_action"]),
}


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_has_its_name(phase: str) -> None:
    situation, moves = PHASES[phase]
    game = position(**situation)
    play(game, *moves)
    view = game.view()
    assert view["phase"] == phase
    assert view["decision"] == (None if phase == "over" else {"seat": game.decider, "kind": phase})


def test_tracks_have_their_names() -> None:
    assert set(position().view()["tracks"]) == {"asphyxiation", "heat", "pressure"}


def test_destruction_tokens_have_their_names() -> None:
    tokens = {"asphyxiated": 3, "crushed": 5, "missiles_launched": 0, "devoured_by_kraken": 12}
    assert position(destruction=tokens).view()["destruction"] == tokens


@pytest.mark.parametrize(("field", "name"), [("tracks", "oxygen"), ("destruction", "kraken")])
def test_other_names_are_refused(field: str, name: str) -> None:
    named: Wire = {field: {name: 3}}
    with pytest.raises(BadPosition) as refusal:
        position(**named)
    assert refusal.value.field == f"{field}/{name}"
