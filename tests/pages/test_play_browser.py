"""The playing client in a real browser: whole games on a phone and at a desk, from the first page to a result.

What was seen stays in build/screenshots, or in the folder that SCREENSHOTS names; nothing is compared with it.
"""

import json
import os
import statistics
from pathlib import Path

import pytest

from service.pages.texts import TEXTS
from tests.engine.test_names import PHASES as ENGINE_PHASES
from tests.support.answers import scene
from tests.support.browsing import browser, meets_no_obstacle
from tests.support.helpers import IDLE
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client, Seated, Wire, new_game, running_workers

FOLDER = Path(os.environ.get("SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
TAPS_A_TURN = 3
FIRST_BOARD = 150_000  # bytes
ALONE = ("mine", "again", "slept", "silent", "keyboard", "heard", "large", "throttled", "called")
# A charm comes with the minutes of this turn, and events lie ahead of it.
LUCKY: tuple[Wire, list[Wire | str]] = (
    {"gnomes": [{"minutes": 41, "room": 8}], "script": {"items": ["grog", "grog", "grog", "lucky_charm"]}},
    [{"type": "draw_items", "cards": 3}],
)
PHASES = ENGINE_PHASES | {"luck": LUCKY}
SAYS = TEXTS["en"]["client"]["script"]


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    """What players saw; each test looks at a part of it."""
    node, chromium = need_node("playing in a browser"), browser()
    install()
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = tmp_path_factory.mktemp("job") / "job.json"
    tables = {name: seat_of(new_game(api, rules={"players": 1})) for name in ALONE}
    tables["heard"] = seat_of(new_game(api, position=scene({"room": 1}, rules={"players": 1})))  # by the engine
    last = scene({"room": 9, "minutes": 3}, {"room": 6, "minutes": 1}, {"room": 3, "minutes": 1}, rules={"players": 1})
    tables["keyboard"] = seat_of(new_game(api, position=last))
    tables["hatches"] = seat_of(new_game(api, position=scene({"room": 2}, rules={"players": 1})))
    pouring = scene({"room": 2}, rules={"players": 1}, rooms={"5": {"water": "high"}})
    tables["playback"] = seat_of(new_game(api, position=pouring))
    crew = scene(*({"room": room, "minutes": minutes} for room, minutes in ((9, 5), (6, 4), (3, 2), (5, 2))))
    pair = new_game(api, ["open", "open", "sailor", "sailor"], position=crew)
    shown = new_game(api, position=scene({"room": 5}, {"items": {"grog": 2}}))
    job = tables | {
        "address": api.base,
        "chromium": chromium,
        "folder": str(FOLDER),
        "pair": [seat_of(pair, seat) for seat in (0, 1)],
        "shown": [seat_of(shown, seat) for seat in (0, 1)],
        "unadvised": seat_of(new_game(api, rules={"players": 1}, advice=False)),
        "decisions": {kind: seat_of(*before(api, kind)) for kind in PHASES if kind != "over"},
        "only": os.environ.get("PLAY_ONLY", "").split(),
    }
    file.write_text(json.dumps(job))
    with running_workers(redis_url, 1):
        seen: Wire = json.loads(run([node, "play_game.mjs", file], CLIENTS, timeout=1500))
    return seen | {"mine": tables["mine"], "job": job}


def seat_of(game: Seated, seat: int = 0) -> Wire:
    return {"id": game.path.rpartition("/")[2], "token": game.players[seat].token}


def before(api: Client, kind: str) -> tuple[Seated, int]:
    """A game in which such a decision must be made, and the seat that must make it."""
    position, moves = PHASES[kind]
    crew = [IDLE | gnome for gnome in position["gnomes"]]
    rules = {"gnomes": 3} | position.get("rules", {})
    game = new_game(api, position=position | {"rules": rules, "gnomes": crew + [IDLE] * (3 - len(crew))})
    for move in moves:
        decider = game.host.get(game.path).body["decision"]["seat"]
        sent = {"moves": [{"type": move} if isinstance(move, str) else move]}
        assert game.players[decider].post(f"{game.path}/moves", sent).status == 200
    decision = game.host.get(game.path).body["decision"]
    assert decision["kind"] == kind
    return game, decision["seat"]


def assert_over(*seen: Wire) -> None:
    assert [each["problems"] for each in seen] == [[] for _ in seen]
    results = {each["result"] for each in seen}
    assert len(results) == 1
    assert results <= {SAYS["rescued"], SAYS["boat_lost"]}


def test_a_game_is_played_to_its_end_on_a_phone(visited: Wire) -> None:
    assert_over(visited["alone"] | {"problems": []})
    assert statistics.median(visited["alone"]["taps"]) <= TAPS_A_TURN


def test_a_turn_needs_no_scrolling(visited: Wire) -> None:
    assert not visited["alone"]["scrolls"]
    assert not visited["desk"]["scrolls"]


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


def test_a_players_link_leads_to_the_table_and_back_does_not_lose_the_seat(visited: Wire) -> None:
    assert visited["watcher"]["address"].endswith(f"/play/{visited['mine']['id']}")
    assert SAYS["your_turn"] in visited["watcher"]["who"]


def test_a_friend_comes_aboard_by_a_link(visited: Wire) -> None:
    assert "/join#" in visited["friend"]["link"]
    assert len(set(visited["friend"]["tokens"])) == 3
    assert visited["friend"]["told"] == SAYS["problems"]["invitation_used"]
    assert visited["friend"]["images"] == 0


def test_a_token_is_in_no_address_that_was_asked_for_nor_told_as_where_one_comes_from(visited: Wire) -> None:
    job = visited["job"]
    single = [job[name] for name in (*ALONE, "hatches", "playback")]
    tables = [*single, *job["pair"], *job["shown"], *job["decisions"].values()]
    tokens = [*visited["friend"]["tokens"], *(table["token"] for table in tables)]
    told = visited["addresses"] + visited["referrers"]
    assert len(told) > 100
    assert not [address for address in told for token in tokens if token in address]


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


def test_at_one_device_a_curtain_falls_between_hidden_hands(visited: Wire) -> None:
    hot = visited["hotSeat"]
    assert len(hot["curtains"]) == 3
    assert all(curtain["items"] == 0 for curtain in hot["curtains"])
    assert hot["crew"] >= 2
    assert hot["after"] == 0  # a reload shows nobody's hand


def test_at_one_device_open_hands_need_no_curtain_to_the_end(visited: Wire) -> None:
    assert_over(visited["openSeat"])
    assert len(set(visited["openSeat"]["turns"])) >= 2


def test_a_coach_leads_through_three_turns(visited: Wire) -> None:
    first = visited["first"]
    assert first["told"][-1] == SAYS["coach_3_end"]
    assert sum(said.startswith(("1/3", "2/3", "3/3")) for said in first["told"]) >= 9
    assert first["pressure"] in ("5", "6")
    assert first["explained"]  # what a card does, from the log


def test_who_was_offline_is_told_so_and_then_what_they_missed(visited: Wire) -> None:
    assert visited["offline"]["lost"] == SAYS["line_lost"]
    assert visited["offline"]["problems"] == []
    assert visited["offline"]["caught"] >= 2
    assert_over(*visited["offline"]["ends"])


def test_a_friend_takes_a_bots_place_by_a_link_and_plays_to_the_end(visited: Wire) -> None:
    assert visited["later"]["taken"] > 0
    assert_over(*visited["later"]["ends"])


def test_a_move_is_sent_with_one_key_until_it_is_answered(visited: Wire) -> None:
    keys = visited["sentAgain"]["keys"]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert visited["sentAgain"]["problems"] == []


def test_a_line_that_stands_and_says_nothing_is_told_and_renewed(visited: Wire) -> None:
    assert visited["silent"]["said"] == SAYS["line_silent"]
    assert visited["silent"]["healed"] == "live"


def test_a_phone_that_slept_asks_anew_and_a_plan_dies_with_its_version(visited: Wire) -> None:
    assert visited["slept"]["woke"] >= 1
    assert visited["slept"]["died"] == SAYS["plan_died"]
    assert visited["slept"]["staged"]


def test_a_game_is_played_to_its_end_by_keys_alone(visited: Wire) -> None:
    assert set(visited["keyboard"]["rings"]) == {"solid"}
    assert_over(visited["keyboard"])


def test_a_screen_reader_hears_rooms_with_their_distance_and_a_turn_at_once(visited: Wire) -> None:
    heard = visited["heard"]
    assert heard["tree"].count(" min away") >= 5
    assert SAYS["you_are_here"] in heard["tree"]
    assert heard["events"] > 0
    assert 1 <= len([told for told in heard["told"] if told]) <= 3


def test_letters_of_twice_the_size_leave_all_in_reach(visited: Wire) -> None:
    assert all(fits["button"] and fits["sheet"] > 60 for fits in visited["large"].values()), visited["large"]


def test_the_first_board_is_small(visited: Wire) -> None:
    assert visited["throttled"]["bytes"] <= FIRST_BOARD


def test_sounds_and_calls_are_off_until_wanted_and_another_device_goes_on(visited: Wire) -> None:
    called = visited["called"]
    assert called["off"] == [False, False]
    assert called["likes"]["sounds"]
    assert "icon-turn" in called["icon"]
    assert called["title"].startswith("● ")
    assert called["kept"] == 0


def test_the_browser_has_nothing_to_complain_of(visited: Wire) -> None:
    assert visited["complaints"] == []
    assert visited["elsewhere"] == []
    assert visited["wide"] == []


def test_axe_finds_no_obstacle(visited: Wire) -> None:
    meets_no_obstacle(visited["accessibility"])


def test_players_show_each_other_a_plan_or_point_at_something(visited: Wire) -> None:
    shown = visited["shown"]
    assert shown["plan"].startswith("1")
    assert "would do this" in shown["plan"]
    assert "points at" in shown["ping"]
    assert "Hatch 4–5" in shown["hatch"]


def test_a_plan_of_ones_own_is_weighed_beside_the_bots(visited: Wire) -> None:
    assert visited["shown"]["weighed"].startswith("Yours ")


def test_where_the_host_wants_no_advice_there_is_none(visited: Wire) -> None:
    assert visited["unadvised"] == 0
