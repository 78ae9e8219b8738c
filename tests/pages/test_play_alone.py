"""The playing client in a real browser: one player, on a phone and at a desk, from the first page to a result."""

import statistics

import pytest

from service.pages.texts import TEXTS
from tests.support.journeys import SAYS, alone, assert_calm, assert_over, seat_of, travel
from tests.support.serving import Client, Wire, new_game

pytestmark = pytest.mark.thorough

TAPS_A_TURN = 3
FIRST_BOARD = 150_000  # bytes


def tables(api: Client) -> Wire:
    many = new_game(api, ["open", *["sailor"] * 7])
    return {name: alone(api) for name in ("large", "throttled")} | {"eight": seat_of(many)}


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    return travel(api, redis_url, tmp_path_factory.mktemp("job"), "alone", tables(api))


def test_a_game_is_played_to_its_end_on_a_phone(visited: Wire) -> None:
    assert_over(visited["alone"] | {"problems": []})
    assert statistics.median(visited["alone"]["taps"]) <= TAPS_A_TURN


def test_a_turn_needs_no_scrolling(visited: Wire) -> None:
    assert not visited["alone"]["scrolls"]
    assert not visited["desk"]["scrolls"]


def test_eight_gnomes_are_in_sight_at_a_desk_and_the_log_with_them(visited: Wire) -> None:
    assert visited["eight"]["hidden"] <= 1
    assert visited["eight"]["log"] > 100


def test_what_is_tapped_is_as_large_as_a_thumb(visited: Wire) -> None:
    assert visited["alone"]["small"] == []


def test_the_crew_plays_again_with_a_tap(visited: Wire) -> None:
    assert SAYS["your_turn"] in visited["alone"]["rematch"]


def test_a_reload_keeps_the_seat(visited: Wire) -> None:
    assert SAYS["your_turn"] in visited["alone"]["reloaded"]


def test_arrows_go_through_hatches_and_each_room_says_what_is_in_it(visited: Wire) -> None:
    assert visited["desk"]["walked"] == ["8", "8", "5", "6"]
    assert TEXTS["de"]["client"]["script"]["your_turn"] in visited["desk"]["who"]
    assert visited["desk"]["spoken"].startswith("6 ")


def test_advice_comes_when_it_is_asked_for_and_can_be_used(visited: Wire) -> None:
    assert visited["advised"]["unasked"] == 0
    assert "min" in visited["advised"]["staged"]
    assert visited["advised"]["problem"] == 0


def test_letters_of_twice_the_size_leave_all_in_reach(visited: Wire) -> None:
    assert all(fits["button"] and fits["sheet"] > 60 for fits in visited["large"].values()), visited["large"]


def test_the_first_board_is_small(visited: Wire) -> None:
    assert visited["throttled"]["bytes"] <= FIRST_BOARD


def test_pages_of_one_player_are_calm(visited: Wire) -> None:
    assert_calm(visited)
