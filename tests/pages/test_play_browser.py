"""The playing client in a real browser: whole games on a phone and at a desk, from the first page to a result.

What was seen stays in build/screenshots.
"""

import json
import statistics
from pathlib import Path

import pytest

from service.pages.texts import TEXTS
from tests.contract.test_docs_page import browser
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client, Wire, new_game, running_workers

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
TAPS_A_TURN = 3


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    """What players saw; each test looks at a part of it."""
    node, chromium = need_node("playing in a browser"), browser()
    install()
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = tmp_path_factory.mktemp("job") / "job.json"
    alone = new_game(api, rules={"players": 1})
    mine = {"id": alone.path.rpartition("/")[2], "token": alone.players[0].token}
    file.write_text(json.dumps({"address": api.base, "chromium": chromium, "folder": str(FOLDER), "mine": mine}))
    with running_workers(redis_url, 1):
        seen: Wire = json.loads(run([node, "play_game.mjs", file], CLIENTS, timeout=500))
    return seen | {"mine": mine}


def test_a_game_is_played_to_its_end_on_a_phone(visited: Wire) -> None:
    assert visited["alone"]["result"] in (TEXTS["en"]["client"]["script"][key] for key in ("rescued", "boat_lost"))
    assert statistics.median(visited["alone"]["taps"]) <= TAPS_A_TURN


def test_a_turn_needs_no_scrolling(visited: Wire) -> None:
    assert not visited["alone"]["scrolls"]
    assert not visited["desk"]["scrolls"]


def test_what_is_tapped_is_as_large_as_a_thumb(visited: Wire) -> None:
    assert visited["alone"]["small"] == []


def test_the_crew_plays_again_with_a_tap(visited: Wire) -> None:
    assert TEXTS["en"]["client"]["script"]["your_turn"] in visited["alone"]["rematch"]


def test_a_reload_keeps_the_seat(visited: Wire) -> None:
    assert TEXTS["en"]["client"]["script"]["your_turn"] in visited["alone"]["reloaded"]


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
    assert TEXTS["en"]["client"]["script"]["your_turn"] in visited["watcher"]["who"]


def test_a_friend_comes_aboard_by_a_link(visited: Wire) -> None:
    assert "/join#" in visited["friend"]["link"]
    assert len(set(visited["friend"]["tokens"])) == 3
    assert visited["friend"]["told"] == TEXTS["en"]["client"]["script"]["invitation_used"]
    assert visited["friend"]["images"] == 0


def test_a_token_is_in_no_address(visited: Wire) -> None:
    addresses = visited["addresses"]
    assert not [address for address in addresses for token in visited["friend"]["tokens"] if token in address]


def test_the_browser_has_nothing_to_complain_of(visited: Wire) -> None:
    assert visited["complaints"] == []
    assert visited["elsewhere"] == []
    assert visited["wide"] == []


def test_axe_finds_no_obstacle(visited: Wire) -> None:
    assert visited["accessibility"] == []
