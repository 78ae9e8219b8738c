"""Destruction tokens: how they come to the Time Track, and how they are passed (§6 to §8)."""

from typing import Any

import pytest

from engine import Game
from tests.support.helpers import gnome, play, position, scripted, told

TOKENS = ["asphyxiated", "crushed", "missiles_launched", "devoured_by_kraken"]

OFFSETS = {
    "oxygen_pumps_down": ("asphyxiated", 10),
    "engine_down": ("crushed", 15),
    "missile_countdown": ("missiles_launched", 10),
    "kraken": ("devoured_by_kraken", 15),
}

FIX_FOR_TEN = {"type": "fix_reactor", "minutes": 10}


def lost_by(game: Game) -> str | None:
    return game.result and game.result["cause"]


def walking(event: str, minutes: int, **more: Any) -> Game:
    """A gnome in room 4 about to draw this event first, the Kraken being in the deck already."""
    return position(
        [{"room": 4, "minutes": minutes}, {"minutes": 1}, {"minutes": 0}],
        script=scripted([event], dice=[10]),
        event_deck={"kraken/-": 1, "respite/4": 1},
        **more,
    )


@pytest.mark.parametrize("event", OFFSETS)
def test_a_token_is_placed_ahead_of_the_icon_that_drew_its_card(event: str) -> None:
    token, ahead = OFFSETS[event]
    game = walking(event, 46)
    events = play(game, FIX_FOR_TEN)
    assert told(events, "token_placed") == [{"type": "token_placed", "token": token, "minute": 45 - ahead}]
    assert game.view()["destruction"] == {token: 45 - ahead}


@pytest.mark.parametrize("event", OFFSETS)
@pytest.mark.parametrize("icon", [8, 10, 12, 14, 16])
def test_a_token_that_would_lie_beyond_0_is_not_placed(event: str, icon: int) -> None:
    token, ahead = OFFSETS[event]
    game = walking(event, icon + 1)
    events = play(game, "no_action")
    assert game.view()["destruction"] == ({token: icon - ahead} if icon >= ahead else {})
    assert bool(told(events, "nothing_happened")) == (icon < ahead)


@pytest.mark.parametrize("event", OFFSETS)
def test_a_token_that_is_there_already_stays_where_it_is(event: str) -> None:
    token = OFFSETS[event][0]
    game = walking(event, 46, destruction={token: 22})
    events = play(game, "no_action")
    assert game.view()["destruction"] == {token: 22}
    assert told(events, "nothing_happened") == [{"type": "nothing_happened", "event": event}]


def test_a_token_that_was_removed_may_come_again() -> None:
    game = position(
        [{"room": 7, "minutes": 41}],
        script=scripted(["missile_countdown"], dice=[1]),
        destruction={"missiles_launched": 38},
    )
    events = play(game, {"type": "stop_missile_launch", "minutes": 2})
    assert [event["minute"] for event in told(events, "token_removed", "token_placed")] == [38, 29]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_that_all_time_keepers_have_passed_ends_the_game(token: str) -> None:
    game = position([{"minutes": 35}, {"minutes": 33}, {"minutes": 33}], destruction={token: 34}, script=scripted())
    play(game, "no_action")
    assert game.result is None
    play(game, "no_action")
    assert lost_by(game) == token


@pytest.mark.parametrize("state", ["alive", "fainted"])
def test_a_time_keeper_on_the_tokens_space_or_behind_holds_the_disaster_off(state: str) -> None:
    game = position(
        [{"minutes": 35, "stack": 9}, {"minutes": 34, "state": state}, {"minutes": 20}],
        destruction={"crushed": 34},
        script=scripted(),
    )
    play(game, {"type": "open_hatch", "to": 8}, "stay", "no_action")
    assert (gnome(game)["minutes"], game.result) == (33, None)


@pytest.mark.parametrize("state", ["dead", "abandoned"])
def test_who_has_left_the_board_holds_no_disaster_off(state: str) -> None:
    game = position([{"minutes": 35}, {"minutes": 50, "state": state}], destruction={"crushed": 35}, script=scripted())
    play(game, "no_action")
    assert lost_by(game) == "crushed"


def test_the_ghost_passes_tokens_without_harm() -> None:
    game = position([{"room": 3, "minutes": 35}], destruction={"crushed": 35})
    play(game, {"type": "open_hatch", "to": 1}, "stay")
    assert (game.view()["ghost"], game.result) == (34, None)


@pytest.mark.parametrize(("token", "met"), [(39, ["item_drawn", "event_drawn"]), (40, ["item_drawn"]), (41, [])])
def test_a_token_is_passed_before_the_icons_of_the_next_space(token: int, met: list[str]) -> None:
    """On 40 lies an item, on 39 an event."""
    game = position([{"room": 4, "minutes": 41}], destruction={"crushed": token}, script=scripted())
    events = play(game, FIX_FOR_TEN)
    assert lost_by(game) == "crushed"
    assert [event["type"] for event in told(events, "item_drawn", "event_drawn")] == met


def test_a_token_on_0_can_never_be_passed() -> None:
    game = walking("missile_countdown", 11)
    play(game, "no_action")
    assert game.view()["destruction"] == {"missiles_launched": 0}
    play(game, FIX_FOR_TEN, "no_action")
    assert lost_by(game) == "rescued"


def test_when_the_active_gnomes_time_keeper_leaves_the_board_tokens_are_looked_at() -> None:
    game = position(
        [{"room": 3, "minutes": 40}, {"minutes": 30}, {"minutes": 28}],
        rooms={"3": {"water": "high"}},
        destruction={"crushed": 35},
    )
    play(game, "no_action")
    assert lost_by(game) == "crushed"


@pytest.mark.parametrize(("third", "cause", "icons"), [(20, "crushed", [45, 42, 39]), (41, None, [45, 42, 39, 36])])
def test_when_a_bystanders_time_keeper_leaves_the_board_tokens_are_looked_at(
    third: int, cause: str | None, icons: list[int]
) -> None:
    """The active gnome has passed the token when the leak on 39 drowns the fainted one behind it."""
    game = position(
        [{"room": 4, "minutes": 46}, {"room": 3, "minutes": 43, "state": "fainted"}, {"minutes": third}],
        destruction={"crushed": 41},
        script=scripted(["respite", "respite", "leak"], dice=[10, 3]),
    )
    events = play(game, FIX_FOR_TEN)
    assert [death["seat"] for death in told(events, "gnome_died")] == [1]
    assert [event["minute"] for event in told(events, "event_drawn")] == icons
    assert lost_by(game) == cause


def test_who_abandons_the_rest_to_a_token_they_have_passed_wins() -> None:
    game = position(
        [{"room": "sea", "minutes": 9}, {"minutes": 5}, {"minutes": 4}], destruction={"missiles_launched": 7}
    )
    play(game, "abandon_comrades")
    assert game.result == {"crew": "lost", "cause": "missiles_launched", "seats": ["won", "lost", "lost"]}


def test_when_an_attacker_falls_tokens_are_looked_at() -> None:
    game = position(
        [{"room": 7, "minutes": 40, "items": {"crowbar": 1}}, {"room": 7, "items": {"crowbar": 1}}],
        rules={"crazed_gnomes": True},
        script={"dice": [1, 2]},
        destruction={"crushed": 35},
    )
    play(game, {"type": "use_item", "item": "crowbar"}, {"type": "attack_gnome", "seat": 1}, "defend")
    assert lost_by(game) == "crushed"
