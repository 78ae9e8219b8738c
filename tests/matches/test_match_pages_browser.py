"""The page of a match in a real browser: live to its end, with the numbers that the API tells, and into its games.

What was seen stays in build/screenshots.
"""

import json
import re
from typing import Any

import pytest

from service.pages.texts import TEXTS
from tests.outside.given import registered
from tests.pages.test_pages_browser import FOLDER
from tests.support.browsing import browser, meets_no_obstacle
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import UNLIMITED, Client, Wire, running_redis, running_web, running_workers

pytestmark = pytest.mark.thorough

EVIL = '<b>Bold</b> & "quoted" <img src=x onerror=1>'
TEXT = TEXTS["en"]["match"]
WANTED = {
    "games": 100,
    "gnomes": [3, 4],
    "crew": ["sailor"],
    "against": ["cabin_boy"],
    "stop": {"sprt": {"margin": 0.02}},
}


LEAGUE: Wire = {"games": 20, "gnomes": [3], "crews": [["cabin_boy"], ["sailor"], ["cabin_boy", "sailor", "sailor"]]}


def awaiting(api: Client) -> Wire:
    """Begin a match with a bot that is deleted then."""
    bot = registered(api)
    match = api.post("/v1/matches", {"games": 1, "crew": [bot.seat]}).body
    assert bot.delete(bot.path).status == 204
    return dict(match)


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Wire:
    """What a visitor saw, and the match as the API tells it."""
    node, chromium = need_node("the page of a match in a browser"), browser()
    install()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with running_redis() as url, running_web(url, **UNLIMITED) as api:
        job: Wire = {"address": api.base, "chromium": chromium, "folder": str(FOLDER)}
        wanted = {"match": WANTED | {"name": EVIL}, "waiting": {"games": 9, "crew": ["sailor"]}, "other": WANTED}
        job["league"] = api.post("/v1/matches", LEAGUE).body
        job["awaiting"] = awaiting(api)
        for name, match in wanted.items():
            job[name] = api.post("/v1/matches", match).body
            mine = api.be(job[name]["token"])
            assert mine.patch(f"/v1/matches/{job[name]['match']['id']}", {"status": "paused"}).status == 200
        file = tmp_path_factory.mktemp("job") / "job.json"
        file.write_text(json.dumps(job))
        with running_workers(url, 2):
            seen = json.loads(run([node, "watch_match.mjs", file], CLIENTS))
        match = api.get(f"/v1/matches/{job['match']['match']['id']}").body
        games = api.get(f"/v1/matches/{match['id']}/games?limit=12").body["games"]
        league = api.get(f"/v1/matches/{job['league']['match']['id']}").body
        total = len(api.get(f"/v1/matches/{match['id']}/games.csv").body.splitlines()) - 1
    return seen | {"match": match, "games": games, "total": total, "league": league, "api": api.base}


def numbers(said: str) -> list[float]:
    return [float(each) for each in re.findall(r"[+-]?\d+\.?\d*", said.replace(",", "").replace("\u2212", "-"))]


def percents(*shares: float) -> Any:
    return pytest.approx([100 * share for share in shares], abs=0.0501)


def tallies(match: Any) -> list[tuple[int, str, Any]]:
    return [
        (series["rules"]["gnomes"], TEXT["line_ups"][name], series[name])
        for series in match["series"]
        for name in ("crew", "against")
    ]


def test_the_browser_has_nothing_to_complain_of(visited: Wire) -> None:
    assert visited["complaints"] == []
    assert visited["elsewhere"] == []


def test_axe_finds_no_obstacle_and_every_page_fits(visited: Wire) -> None:
    meets_no_obstacle(visited["accessibility"])
    assert visited["wide"] == []


def test_a_match_is_watched_to_its_end(visited: Wire) -> None:
    watched, match = visited["watched"], visited["match"]
    assert watched["paused"] == {"status": TEXT["statuses"]["paused"], "played": "0 of 400 games"}
    assert len(watched["progress"]) > 1, "seen while it went on"
    end = watched["end"]
    assert (end["heading"], end["title"], end["images"]) == (EVIL, f"{EVIL} – Red November", 0)
    assert match["played"] < match["total"]
    assert (end["status"], end["left"]) == (TEXT["statuses"]["finished"], TEXT["script"]["settled"])
    assert end["played"] == f"{match['played']:,} of 400 games"
    assert numbers(end["speed"]) == pytest.approx([match["games_per_second"]], abs=0.0501)
    assert (end["crew"], end["against"]) == ("Sailor", "Cabin Boy")
    assert end["announced"]
    assert end["faults"] == TEXT["script"]["no_faults"]


def test_its_numbers_are_those_of_the_api(visited: Wire) -> None:
    end, match = visited["watched"]["end"], visited["match"]
    assert end["whiskers"] == 4
    assert len(numbers(end["described"])) == 4 * 4
    for row, (gnomes, crew, told) in zip(end["rates"], tallies(match), strict=True):
        assert row[:2] + row[4:] == [str(gnomes), crew, f"{told['games']:,}", f"{told['rescues']:,}"]
        assert numbers(row[2]) == percents(told["rescue_rate"])
        assert numbers(row[3]) == percents(*told["interval"].values())
    for row, series in zip(end["pairs"], match["series"], strict=True):
        pairs = series["pairs"]
        assert numbers(row[1]) == percents(pairs["difference"])
        assert numbers(row[2]) == percents(*pairs["interval"].values())
        assert row[3:5] == [str(pairs["rescued_by_crew_only"]), str(pairs["rescued_by_against_only"])]
        assert row[5].startswith(TEXT["verdicts"][pairs["sprt"]["verdict"]])
    for row, (_, _, told) in zip(end["lengths"], tallies(match), strict=True):
        assert numbers(" ".join(row[2:])) == pytest.approx(
            [told["turns_per_game"], told["deaths_per_game"]], abs=0.0501
        )
    for at, crew in enumerate(TEXT["line_ups"].values(), 1):
        lost = sum(told["games"] - told["rescues"] for _, name, told in tallies(match) if name == crew)
        assert sum(numbers(row[at])[0] for row in end["causes"]) == lost
    assert [row[0] for row in end["paces"]] == ["Sailor", "Cabin Boy"]


def test_its_games_are_listed_kept_and_watched(visited: Wire) -> None:
    watched, total = visited["watched"], visited["total"]
    listed = [(int(gnomes), crew, int(number)) for _, _, gnomes, crew, number, *_ in watched["end"]["games"]]
    assert listed == [(game["gnomes"], TEXT["line_ups"][game["line_up"]], game["number"]) for game in visited["games"]]
    assert len(watched["lost"]) == 12
    id_ = visited["match"]["id"]
    assert watched["files"] == {f"{id_}.ndjson": total, f"{id_}.csv": total + 1}
    assert watched["focus"] == "solid"
    assert watched["url"].startswith(f"{visited['api']}/watch/")
    assert "3 gnomes, game 0" in watched["opened"]
    assert "Moment 1 of" in watched["start"]["place"]
    assert not watched["start"]["badge"]  # it does not tell its end until one is there


def test_it_speaks_other_languages(visited: Wire) -> None:
    for language, (status, badge, *_) in visited["small"].items():
        texts = TEXTS[language]["match"]
        assert [status, badge] == [texts["statuses"]["finished"], texts["script"]["match_over"]]


def test_on_a_phone_no_table_is_cut_off_and_each_cell_tells_its_column(visited: Wire) -> None:
    for language, (_, _, cut, columns) in visited["small"].items():
        texts = TEXTS[language]["match"]
        assert cut == []
        assert columns == [texts[name] for name in ("watch", "result", "gnomes", "crew", "number", "turns_taken")]


def test_what_waits_and_what_is_gone_is_told_in_words(visited: Wire) -> None:
    assert visited["gone"] == {
        "status": TEXT["statuses"]["paused"],
        "games": TEXT["script"]["no_games"],
        "whiskers": 0,
        "notice": TEXT["script"]["match_deleted"],
        "missing": TEXTS["en"]["no_match"],
    }


def test_a_lost_connection_comes_back(visited: Wire) -> None:
    assert visited["lost"] == TEXT["statuses"]["cancelled"]


def test_a_league_is_a_table_with_all_of_its_pairs_on_a_phone_too(visited: Wire) -> None:
    told, seen = visited["league"]["series"][0]["league"], visited["leagues"]
    names = ["1. Cabin Boy", "2. Sailor", "3. Cabin Boy + Sailor + Sailor"]
    assert seen["crews"] == " · ".join(names)
    rates = sorted(zip(names, told["crews"]), key=lambda each: -each[1]["rescue_rate"])
    assert [row[1] for row in seen["rates"]] == [name for name, _ in rates]
    assert [numbers(row[2]) for row in seen["rates"]] == [percents(crew["rescue_rate"]) for _, crew in rates]
    assert [row[1:3] for row in seen["pairs"]] == [[names[0], names[1]], [names[0], names[2]], [names[1], names[2]]]
    for row, pairs in zip(seen["pairs"], told["pairs"], strict=True):
        assert numbers(row[3]) == percents(pairs["difference"])
        assert row[5:] == [str(pairs["rescued_by_crew_only"]), str(pairs["rescued_by_against_only"])]
    assert seen["whiskers"] == 3
    assert seen["columns"] == 1 + 3


def test_a_match_says_whom_it_waits_for(visited: Wire) -> None:
    bot = visited["awaited"].partition("bot:")[2].partition(" ")[0]
    assert visited["awaited"] == TEXT["script"]["waits_deleted"].format(bot=f"bot:{bot}")
