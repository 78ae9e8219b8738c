"""Leagues: many crews on the same seeds, each compared with each other, or each with one."""

import itertools
from typing import Any

import msgspec
import pytest

from service.matches.model import Match
from service.matches.plan import Plan
from service.operate.kept_match import KeptMatch
from tests.outside.given import registered
from tests.outside.matching import decisions_of, match_desk, play_out
from tests.support.answers import refused
from tests.support.desk import Desk
from tests.support.matching import SAILORS, check_game, id_of, keys_of, local, new_match, repository_of, timeless, work
from tests.support.serving import Client, Wire

CREWS = [["sailor"], ["cabin_boy"], ["sailor", "cabin_boy", "sailor"]]
LEAGUE: Wire = {"games": 10, "gnomes": [3], "crews": CREWS}


def new_league(client: Client, **wanted: Any) -> tuple[str, Client]:
    created = client.post("/v1/matches", LEAGUE | wanted)
    assert created.status == 202, created.body
    return created.headers["location"], client.be(created.body["token"])


def duels_of(series: Wire) -> list[tuple[str, str]]:
    return [(pairs["crew"], pairs["against"]) for pairs in series["league"]["pairs"]]


def test_each_crew_is_compared_with_each_other_as_a_match_compares_two(desk: Desk) -> None:
    path, _ = new_league(desk.api)
    league = work(desk, path)
    assert (league["status"], league["played"], league["total"]) == ("finished", 30, 30)
    assert (league["crews"], league["crew"], league["against"], league["baseline"]) == (CREWS, CREWS[0], None, None)
    (series,) = league["series"]
    assert (series["crew"], series["against"], series["pairs"]) == (series["league"]["crews"][0], None, None)
    assert duels_of(series) == list(itertools.combinations(["crew-1", "crew-2", "crew-3"], 2))
    wanted = local(3, "sailor", "cabin_boy", 10)
    assert timeless(series["league"]["crews"][:2]) == [wanted["crew"], wanted["against"]]
    assert wanted["pairs"].items() <= series["league"]["pairs"][0].items()


def test_with_a_baseline_each_other_crew_is_compared_with_it(desk: Desk) -> None:
    path, _ = new_league(desk.api, baseline="crew-2", games=3)
    league = work(desk, path)
    assert league["baseline"] == "crew-2"
    assert duels_of(league["series"][0]) == [("crew-1", "crew-2"), ("crew-3", "crew-2")]


def test_its_games_are_listed_by_crew_and_opened(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from service.matches import opening  # noqa: PLC0415

    monkeypatch.setattr(opening, "own_store", lambda: desk.store)
    path, owner = new_league(desk.api, games=2)
    work(desk, path)
    games = desk.api.get(f"{path}/games").body["games"]
    assert [(game["number"], game["line_up"]) for game in games] == [
        (number, f"crew-{crew}") for number in range(2) for crew in (1, 2, 3)
    ]
    for game in games:
        check_game(game)
    mine = desk.api.get(f"{path}/games?line_up=crew-3").body["games"]
    assert mine == games[2::3]
    opening.open_game(id_of(path), 3, "crew-3", 1)
    opened = desk.api.post(mine[1]["path"])
    assert opened.status == 201, opened.body
    seen = desk.api.get(opened.headers["location"]).body
    assert ([seat["bot"] for seat in seen["seats"]], seen["result"]["cause"]) == (CREWS[2], mine[1]["cause"])
    refused(desk.api.post(f"{path}/games/3/crew-4/0"), "not_found")
    refused(desk.api.post(f"{path}/games/3/crew/0"), "not_found")
    assert owner.delete(path).status == 204
    assert keys_of(desk, path) == []


def test_a_league_of_a_backup_goes_on(desk: Desk) -> None:
    path, owner = new_league(desk.api)
    kept = KeptMatch.read(desk.store, id_of(path))
    assert kept is not None
    assert owner.delete(path).status == 204
    KeptMatch.of_line(msgspec.to_builtins(kept)).put(desk.store, 0.0)
    assert work(desk, path)["played"] == 30


def test_outside_bots_play_in_a_league(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = match_desk(redis_url, monkeypatch)
    bot = registered(desk.api)
    decisions_of(bot)
    crews = [["sailor"], [bot.seat, "sailor", "sailor"], ["cabin_boy"]]
    path, _ = new_league(desk.api, crews=crews, games=1)
    league = play_out(desk, path, bot)
    assert (league["status"], league["played"], league["reproducible"]) == ("finished", 3, False)
    assert [crew["games"] for crew in league["series"][0]["league"]["crews"]] == [1, 1, 1]
    wanted = LEAGUE | {"crews": [["sailor"], ["sailor", "bot:nobody-at-all", "sailor"]]}
    refused(desk.api.post("/v1/matches", wanted), "invalid", "/crews/1/1")


BAD: dict[str, list[Wire]] = {
    "/crews": [{"crews": [["sailor"]]}, {"crews": [["sailor"]] * 13}, {"crews": "sailor"}, {"crews": None}],
    "/crews/1": [
        {"crews": [["sailor"], []]},
        {"crews": [["sailor"], ["sailor", "sailor"]]},
        {"crews": [["sailor"], 1]},
    ],
    "/crews/1/0": [{"crews": [["sailor"], ["parrot"]]}],
    "/crew": [{"crew": ["sailor"]}],
    "/against": [{"against": ["sailor"]}],
    "/baseline": [{"baseline": "crew-4"}, {"baseline": "crew"}, {"baseline": 1}],
    "/stop/sprt": [{"stop": {"sprt": {"margin": 0.1}}}],
    "/games": [{"games": 40_000}],
}


@pytest.mark.parametrize(("pointer", "wanted"), [(at, each) for at, requests in BAD.items() for each in requests])
def test_whatever_is_wrong_with_a_league_is_told_with_its_field(desk: Desk, pointer: str, wanted: Wire) -> None:
    refused(desk.api.post("/v1/matches", LEAGUE | wanted), "invalid", pointer)


def test_a_match_has_no_baseline(desk: Desk) -> None:
    refused(desk.api.post("/v1/matches", SAILORS | {"baseline": "crew-1"}), "invalid", "/baseline")


def test_what_is_stored_of_a_match_is_what_releases_before_leagues_know(desk: Desk) -> None:
    path, _ = new_match(desk.api)
    found = repository_of(desk).fetch(id_of(path))
    assert isinstance(found, Match)
    assert not {"crews", "baseline"} & msgspec.json.decode(msgspec.json.encode(found.plan)).keys()
    league, _ = new_league(desk.api, baseline="crew-1")
    stored = repository_of(desk).fetch(id_of(league))
    assert stored is not None
    assert Plan.from_stored(msgspec.json.encode(stored.plan)) == stored.plan
