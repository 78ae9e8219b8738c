"""The playing client in a real browser: single steps of a turn, by pointer and by key, and what is told of them."""

import pytest

from tests.support.journeys import PHASES, SAYS, assert_calm, assert_over, before, travel, within
from tests.support.serving import Client, Wire

pytestmark = pytest.mark.thorough


def tables(api: Client) -> Wire:
    last = ({"room": 9, "minutes": 3}, {"room": 6, "minutes": 1}, {"room": 3, "minutes": 1})
    return {
        "decisions": {kind: before(api, kind) for kind in PHASES if kind != "over"},
        "keyboard": within(api, *last),
        "byEar": within(api, *last),
        "hatches": within(api, {"room": 2}),
        "heard": within(api, {"room": 1}),  # by the engine
        "drawn": within(
            api, {"room": 2, "items": {"grog": 1}}, rooms={"5": {"water": "high"}}, destruction={"crushed": 30}
        ),
        "unspoilt": within(api, {"room": 9, "minutes": 1}, {"room": 6, "minutes": 0}, {"room": 3, "minutes": 0}),
        "over": SAYS["line_over"],
        "playback": within(api, {"room": 2}, rooms={"5": {"water": "high"}}),
    }


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    return travel(api, redis_url, tmp_path_factory.mktemp("job"), "steps", tables(api))


def test_each_kind_of_decision_is_made_on_the_page(visited: Wire) -> None:
    met = visited["decisions"]
    assert met.keys() == PHASES.keys() - {"over"}
    assert {kind: each["problems"] for kind, each in met.items() if each["problems"]} == {}
    assert all(each["why"] for each in met.values())  # it is explained
    assert {kind for kind, each in met.items() if not each["dead"]} <= {"hatch"}  # nothing is staged but to stay there


def test_hatches_are_chosen_one_by_one_and_back_takes_each_step_back(visited: Wire) -> None:
    walked = visited["hatches"]
    assert "5" in walked["opens"]
    assert "2→5→8" in walked["goes"]
    assert walked["stays"]
    assert walked["problems"] == []


def test_water_is_seen_to_rise(visited: Wire) -> None:
    assert visited["playback"]["rose"] == "none"
    assert visited["playback"]["moves"] == "flood"
    assert visited["playback"]["problems"] == []


def test_the_board_draws_what_a_way_costs_and_does(visited: Wire) -> None:
    drawn = visited["drawn"]
    assert drawn["pours"] == 1
    assert drawn["cost"] == "2′ ★39"
    assert (drawn["minutes"], drawn["met"]) == (2, 1)
    assert drawn["relieved"].startswith("Asphyxiation")


def test_whatever_is_tapped_pointed_at_or_asked_for_is_explained_with_its_rule(visited: Wire) -> None:
    told = visited["drawn"]["told"]
    assert [name for name, _ in told] == ["Crushed!", "Sea", "Reactor Room", "Room 5", "Asphyxiation", "Grog"]
    assert {rule for _, rule in told} == {"#s1"}


def test_nothing_tells_the_end_before_it_is_played_back(visited: Wire) -> None:
    seen = visited["unspoilt"]
    assert (seen["result"], seen["badge"]) == (SAYS["rescued"], SAYS["line_over"])
    assert seen["early"] == []
    assert seen["told"] == 0 < seen["lines"]  # in the log


def test_a_game_is_played_to_its_end_by_keys_alone(visited: Wire) -> None:
    assert set(visited["keyboard"]["rings"]) == {"solid"}
    assert_over(visited["keyboard"])


def test_a_screen_reader_hears_rooms_with_their_distance_and_a_turn_at_once(visited: Wire) -> None:
    heard = visited["heard"]
    assert heard["tree"].count(" min away") >= 5
    assert SAYS["you_are_here"] in heard["tree"]
    assert heard["events"] > 0
    assert 1 <= len([told for told in heard["told"] if told]) <= 3


def test_a_game_is_played_to_its_end_by_ear(visited: Wire) -> None:
    assert_over(visited["byEar"])


def test_pages_of_single_steps_are_calm(visited: Wire) -> None:
    assert_calm(visited)
