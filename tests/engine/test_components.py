"""The icons of the Time Track, and the items that open a way (§1, §4). test_items.py has the rest of the items."""

import pytest

from tests.support.cards import ITEMS
from tests.support.helpers import offered, play, position, scripted, told

EVENT_ICONS = {*range(57, 20, -3), *range(18, 0, -2)}
ITEM_ICONS = {50, 40, 30, 20, 10}


@pytest.mark.parametrize("minutes", range(60, 0, -1))
def test_a_time_keeper_meets_the_icons_of_the_time_track(minutes: int) -> None:
    game = position([{"minutes": minutes}, {"minutes": 0}, {"minutes": 0}], script=scripted())
    events = play(game, "no_action")
    assert bool(told(events, "event_drawn")) == (minutes - 1 in EVENT_ICONS)
    assert bool(told(events, "item_drawn")) == (minutes - 1 in ITEM_ICONS)


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize(
    ("beyond", "openers"), [(1, {"grog", "fire_extinguisher"}), ("sea", {"aqualung"})], ids=["fire", "sea"]
)
def test_only_some_items_let_a_gnome_into_fire_or_out_to_sea(item: str, beyond: int | str, openers: set[str]) -> None:
    game = position([{"room": 3, "minutes": 40, "items": {item: 1}}], rooms={"1": {"fire": True}})
    play(game, {"type": "use_item", "item": item}, {"type": "open_hatch", "to": beyond})
    assert bool(offered(game, "enter")) == (item in openers)
