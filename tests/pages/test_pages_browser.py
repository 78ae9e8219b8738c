"""The pages in a real browser: a game of bots from its start to its end and back, on desks and phones, day and night.

What was seen stays in build/screenshots.
"""

import json
from pathlib import Path

import pytest

from service.pages.texts import TEXTS
from tests.support.answers import scene
from tests.support.browsing import browser, meets_no_obstacle
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client, Seated, Wire, new_game, running_workers

pytestmark = pytest.mark.thorough

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
EVIL = '<b>Bold</b> & "quoted" <img src=x onerror=alert(1)>'
SIZES = (360, 800, 1440)


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    """What a visitor saw; each test looks at a part of it."""
    node, chromium = need_node("the pages in a browser"), browser()
    install()
    FOLDER.mkdir(parents=True, exist_ok=True)
    hands = [{"items": {"coffee": 1}}, {"items": {"harpoon": 2}}, {"items": {"grog": 1}}]
    secret = new_game(api, position=scene(*hands, rules={"crazed_gnomes": True}))
    slow = new_game(api, position=scene())
    evil = api.post("/v1/games", {"seats": ["open"] * 3, "name": EVIL}).body
    for name in (EVIL, "שלום", "\u0416ук"):
        assert api.post(f"/v1/games/{evil['game']['id']}/players", {"name": name}).status == 201
    job = {
        "address": api.base,
        "chromium": chromium,
        "folder": str(FOLDER),
        "bots": api.post("/v1/games", {"seats": ["sailor", "bosun", "sailor", "bosun"], "name": "Bots"}).body,
        "secret": {"id": id_of(secret), "token": secret.players[1].token, "mover": secret.players[0].token},
        "private": api.post("/v1/games", {"visibility": "private", "name": "Ours"}).body,
        "evil": evil,
        "slow": {"id": id_of(slow), "movers": [player.token for player in slow.players]},
    }
    file = tmp_path_factory.mktemp("job") / "job.json"
    file.write_text(json.dumps(job))
    with running_workers(redis_url, 1):
        seen = json.loads(run([node, "watch_games.mjs", file], CLIENTS))
    history = api.get(f"/v1/games/{job['bots']['game']['id']}/events?limit=1000").body["events"]
    return seen | {"api": api.base, "events": len(history), "tokens": [job["secret"]["token"], job["private"]["token"]]}


def id_of(game: Seated) -> str:
    return game.path.rpartition("/")[2]


def test_the_browser_has_nothing_to_complain_of(visited: Wire) -> None:
    assert visited["complaints"] == []
    assert visited["elsewhere"] == []


def test_axe_finds_no_obstacle(visited: Wire) -> None:
    meets_no_obstacle(visited["accessibility"])


def test_every_page_fits_on_every_screen(visited: Wire) -> None:
    assert visited["wide"] == []
    names = {file.name for file in FOLDER.glob("*.png")}
    assert all(any(f"-{size}-" in name for name in names) for size in SIZES)


def test_a_game_of_bots_is_watched_from_its_start_to_its_end(visited: Wire) -> None:
    watched = visited["watched"]
    last = watched["end"]["last"]
    assert watched["waiting"] == {"timeline": False, "decision": TEXTS["en"]["script"]["waiting"]}
    assert watched["end"]["rows"] == visited["events"] + 1  # and a heading for what was before the first turn
    assert f"Moment {last} of {last}" in watched["end"]["place"]
    assert watched["end"]["decision"].startswith(("Rescued!", "Lost!"))
    assert watched["end"]["announced"]


def test_the_slider_goes_back_through_the_whole_game(visited: Wire) -> None:
    watched = visited["watched"]
    assert watched["first"]["place"].startswith("Before the start · Moment 1 of ")
    assert "Bots" in watched["first"]["alt"]
    assert len(watched["first"]["alt"]) > 100
    version = watched["middle"]["hash"].removeprefix("#v=")
    assert f"Moment {version} of" in watched["middle"]["place"]
    assert watched["middle"]["spoken"] == watched["middle"]["place"]
    assert int(watched["current"]) <= int(version)
    assert watched["turn"].startswith("Turn 2 ")
    assert watched["focus"] == "solid"


def test_a_moment_before_the_end_does_not_tell_it(visited: Wire) -> None:
    assert visited["watched"]["spoilt"] == [False, False]


def test_a_link_leads_to_its_moment(visited: Wire) -> None:
    first, second = visited["linked"]["versions"]
    assert 25 < first <= 30 < second <= 40  # a bot that thinks makes a version in which there is nothing to see
    assert visited["linked"]["title"] == "Bots – Roter November"
    assert visited["linked"]["lang"] == "de"


def test_a_player_sees_his_hand_and_nobody_his_token(visited: Wire) -> None:
    assert visited["played"]["hidden"] == [3, 2]
    assert visited["played"]["leaks"] is False
    assert visited["played"]["language"] == "ru"
    assert visited["played"]["url"].endswith("?lang=ru")
    assert not [address for address in visited["addresses"] for token in visited["tokens"] if token in address]


def test_what_is_not_there_is_told_in_words(visited: Wire) -> None:
    assert visited["refused"] == {"mine": "Ours", "missing": False, "wrong": TEXTS["en"]["script"]["bad_token"]}


def test_names_stay_names(visited: Wire) -> None:
    assert visited["named"]["name"] == EVIL
    assert visited["named"]["images"] == 2  # the icon and the board
    assert EVIL in visited["named"]["gnomes"]
    assert "שלום" in visited["named"]["gnomes"]


def test_a_lost_connection_comes_back_with_what_was_missed(visited: Wire) -> None:
    assert visited["lost"] == [2, 3]  # headings: what was before the first turn, and each turn


def test_after_the_store_went_back_everything_is_told_once_and_anew(visited: Wire) -> None:
    assert visited["wentBack"]["notice"] == TEXTS["en"]["script"]["went_back"]
    assert visited["wentBack"]["rows"] == visited["wentBack"]["told"]


def test_bots_play_at_a_click(visited: Wire) -> None:
    assert visited["home"].startswith(f"{visited['api']}/watch/")
