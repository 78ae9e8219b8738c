"""The playing client in a real browser: what one device keeps, lines that break, and phones that sleep."""

import pytest

from tests.support.answers import scene
from tests.support.journeys import SAYS, alone, assert_calm, assert_over, seat_of, travel, within
from tests.support.serving import Client, Wire, new_game

pytestmark = pytest.mark.thorough


def tables(api: Client) -> Wire:
    crew = scene(*({"room": room, "minutes": minutes} for room, minutes in ((9, 5), (6, 4), (3, 2), (5, 2))))
    pair = new_game(api, ["open", "open", "sailor", "sailor"], position=crew)
    single = {name: alone(api) for name in ("again", "silent", "called")}
    slept = within(api, {"room": 9, "minutes": 4}, {"room": 6, "minutes": 2}, {"room": 3, "minutes": 1})
    return single | {"slept": slept, "pair": [seat_of(pair, seat) for seat in (0, 1)]}


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    return travel(api, redis_url, tmp_path_factory.mktemp("job"), "device", tables(api))


def test_at_one_device_a_curtain_falls_between_hidden_hands_to_the_end(visited: Wire) -> None:
    hot = visited["hotSeat"]
    assert len(hot["curtains"]) >= 3
    assert all(curtain["items"] == 0 for curtain in hot["curtains"])
    assert hot["crew"] >= 2
    assert_over(hot)


def test_at_one_device_open_hands_need_no_curtain_to_the_end(visited: Wire) -> None:
    assert_over(visited["openSeat"])
    assert len(set(visited["openSeat"]["turns"])) >= 2


def test_a_coach_leads_through_three_turns_and_the_game_goes_on_to_its_end(visited: Wire) -> None:
    first = visited["first"]
    assert first["told"][-1] == SAYS["coach_3_end"]
    assert sum(said.startswith(("1/3", "2/3", "3/3")) for said in first["told"]) >= 9
    assert first["pressure"] in ("5", "6")
    assert first["explained"]  # what a card does, from the log
    assert_over(first["end"])


def test_who_was_offline_is_told_so_and_then_what_they_missed(visited: Wire) -> None:
    assert visited["offline"]["lost"] == SAYS["line_lost"]
    assert visited["offline"]["problems"] == []
    assert visited["offline"]["caught"] >= 2
    assert_over(*visited["offline"]["ends"])


def test_a_move_is_sent_with_one_key_until_it_is_answered(visited: Wire) -> None:
    keys = visited["sentAgain"]["keys"]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert visited["sentAgain"]["problems"] == []


def test_a_line_that_stands_and_says_nothing_is_told_and_renewed(visited: Wire) -> None:
    assert visited["silent"]["said"] == SAYS["line_silent"]
    assert visited["silent"]["healed"] == "live"


def test_a_phone_that_slept_asks_anew_loses_a_plan_of_old_and_plays_to_the_end(visited: Wire) -> None:
    assert visited["slept"]["woke"] >= 1
    assert visited["slept"]["died"] == SAYS["plan_died"]
    assert visited["slept"]["staged"]
    assert_over(visited["slept"]["end"])


def test_sounds_and_calls_are_off_until_wanted_and_another_device_goes_on(visited: Wire) -> None:
    called = visited["called"]
    assert called["off"] == [False, False]
    assert called["likes"]["sounds"]
    assert "icon-turn" in called["icon"]
    assert called["title"].startswith("● ")
    assert called["kept"] == 0


def test_pages_of_one_device_are_calm(visited: Wire) -> None:
    assert_calm(visited)
