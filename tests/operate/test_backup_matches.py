"""Matches leave one Redis by `red-november export`, and go on in another after `red-november import`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.matches import opening, slices
from tests.support.answers import refused
from tests.support.matching import id_of, local, new_match, repository_of, timeless, work
from tests.support.places import Place, lines, rewritten
from tests.support.serving import Client, Wire, new_game

GAMES = 40


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Place], Place]:
    """Whoever calls this with a place works there from then on."""

    def go(place: Place) -> Place:
        for module in (slices, opening):
            monkeypatch.setattr(module, "own_store", lambda: place.desk.store)
        return place

    return go


def half_played(place: Place, **wanted: Any) -> tuple[str, Client]:
    """Return a match of which some games are played, and some are in the hands of a worker who is at it."""
    path, owner = new_match(place.desk.api, games=GAMES, keep_replays="all", name="Sailors", **wanted)
    assert repository_of(place.desk).take_games(id_of(path), 1.0, 1)
    slices.play_slice(id_of(path))
    told = place.desk.api.get(path).body
    assert told["status"] == "running"
    assert 0 < told["played"] < GAMES
    return path, owner


def test_a_match_under_way_goes_on_and_comes_to_what_it_would_have(
    here: Place, there: Place, at: Callable[[Place], Place], tmp_path: Path
) -> None:
    path, owner = half_played(at(here))
    before = owner.get(path).body
    assert here.export(tmp_path / "file") == 0
    here.redis.flushdb()
    assert there.take(tmp_path / "file") == 0
    at(there)
    mine = there.desk.api.be(owner.token or "")
    after = mine.get(path).body
    assert timeless(after["series"]) == timeless(before["series"])
    for known in ("name", "status", "played", "version", "created_at", "started_at"):
        assert after[known] == before[known], known
    assert [match["id"] for match in mine.get("/v1/matches").body["matches"]] == [id_of(path)]
    assert there.desk.api.patch(path, {"status": "paused"}).status == 401
    assert mine.patch(path, {"status": "paused"}).status == 200
    assert mine.patch(path, {"status": "running"}).status == 200
    match = work(there.desk, path)
    assert (match["status"], match["played"], timeless(match["series"])) == ("finished", GAMES, [local()])


def test_a_match_that_is_over_has_its_results_and_each_game_can_be_opened(
    here: Place, there: Place, at: Callable[[Place], Place], tmp_path: Path
) -> None:
    path, _ = new_match(at(here).desk.api, games=GAMES, keep_replays="losses", against=["cabin_boy"])
    before = work(here.desk, path)
    told = here.desk.api.get(f"{path}/games?limit=50").body["games"]
    here.export(tmp_path / "file")
    there.take(tmp_path / "file")
    at(there)
    assert there.desk.api.get(path).body | {"epoch": ""} == before | {"epoch": ""}
    assert there.desk.api.get(f"{path}/games?limit=50").body["games"] == told
    opening.open_game(id_of(path), 3, "crew", 7)
    opened = there.desk.api.post(f"{path}/games/3/crew/7")
    assert opened.status == 201
    assert there.desk.api.get(opened.headers["location"]).body["status"] == "finished"
    assert there.redis.zscore("match:running", id_of(path)) is None


def test_what_is_imported_and_exported_again_is_the_same(
    here: Place, there: Place, at: Callable[[Place], Place], tmp_path: Path
) -> None:
    path, owner = half_played(at(here))
    assert owner.patch(path, {"status": "paused"}).status == 200
    new_game(here.desk.api)
    first, second = tmp_path / "first", tmp_path / "second"
    here.export(first)
    there.take(first)
    there.export(second)
    one, other = (sorted(map(str, lines(file)[1:])) for file in (first, second))
    assert one == other
    assert len(one) == 3
    keep = there.redis.ttl(f"match:{id_of(path)}")
    for key in there.redis.keys(f"match:{id_of(path)}:*"):
        assert abs(there.redis.ttl(key) - keep) < 60, key


def test_a_match_that_is_there_already_is_left_alone_and_one_can_be_chosen(
    here: Place, there: Place, at: Callable[[Place], Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, owner = half_played(at(here))
    new_match(here.desk.api)
    new_game(here.desk.api)
    file = tmp_path / "file"
    assert here.export(file, id_of(path)) == 0
    assert [line["match"]["id"] for line in lines(file)[1:-1]] == [id_of(path)]
    assert here.export(file, "--status", "playing") == 0
    assert not any("match" in line for line in lines(file))
    assert here.export(file) == 0
    assert "1 games and 2 matches exported" in capsys.readouterr().err
    assert owner.patch(path, {"status": "cancelled"}).status == 200
    assert here.take(file) == 0
    assert capsys.readouterr().out == "0 imported, 3 were there already\n"
    assert here.desk.api.get(path).body["status"] == "cancelled"


def harmed(name: str, value: Any) -> Callable[[Wire], object]:
    return lambda match: match["fields"].__setitem__(name, value)


DAMAGE: list[tuple[Callable[[Wire], object], str]] = [
    (lambda match: match.__setitem__("id", "../../etc/passwd"), "has an id that is none of ours"),
    (lambda match: match.pop("odd"), "is no match as they are kept"),
    (lambda match: match.__setitem__("rum", 1), "must have id, fields, open"),
    (lambda match: match["fields"].pop("plan"), "lacks what a match has: b'plan'"),
    (harmed("weather", "calm"), "contains unknown field `weather`"),
    (harmed("state", "sunk"), "lacks what a match has: 'sunk'"),
    (harmed("state", "finished"), "can't be finished"),
    (harmed("state", "failed"), "can't be failed"),
    (harmed("holder", "me"), "has a token of nobody"),
    (harmed("created", "1e99"), "has a time that can't be: 1e99"),
    (harmed("played", "39"), "has 39 games in all"),
    (harmed("next:0", "41"), "has played more games than it has"),
    (lambda match: match.__setitem__("open", []), "has games of series 0 that nobody played and nobody will: 0"),
    (lambda match: match["open"].append(match["open"][0]), "has a range of games that can't be open"),
    (lambda match: match["open"].append("rum"), "has an open range that is none: rum"),
    (lambda match: match["games"].clear(), "results of series 0, and should have"),
    (lambda match: match["games"].__setitem__("0:0", "AAAA"), "has results of another size than they can be"),
    (lambda match: match["games"].__setitem__("0:0", "!"), "lacks what a match has"),
    (lambda match: match["games"].__setitem__("4:0", "AAAA"), "has results of a series that it has not: 4:0"),
    (lambda match: match["moves"]["0:0"].__setitem__("77", "AAAA"), "has moves of a game that it has not"),
    (lambda match: match["moves"]["0:0"].__setitem__("1", "AAAA"), "lacks what a match has"),
    (lambda match: match["faults"].__setitem__("0:0", [["00{}", 1]]), "lacks what a match has"),
]  # fmt: skip


def test_a_damaged_match_is_refused_with_line_and_reason_and_nothing_of_it_comes(
    here: Place, there: Place, at: Callable[[Place], Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = half_played(at(here))
    here.export(tmp_path / "file")
    for harm, words in DAMAGE:
        head, bad, end = lines(tmp_path / "file")
        harm(bad["match"])
        capsys.readouterr()
        assert there.take(rewritten(tmp_path / "bad", [head, bad, end])) == 1
        printed = capsys.readouterr()
        assert printed.err.startswith("red-november: line 2: "), words
        assert words in printed.err, printed.err
        assert printed.err.count("\n") == 1
        assert printed.out == "0 imported, 0 were there already, 1 refused\n"
        assert not there.redis.keys(f"*{id_of(path)}*")
    assert there.take(tmp_path / "file") == 0


def test_a_match_that_cant_be_read_is_left_out_and_told(
    here: Place, at: Callable[[Place], Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = half_played(at(here))
    other, _ = new_match(here.desk.api)
    here.redis.hset(f"match:{id_of(other)}", "state", "sunk")
    assert here.export(tmp_path / "file") == 1
    assert f"match {id_of(other)} is stored in a way that can't be read" in capsys.readouterr().err
    assert [line["match"]["id"] for line in lines(tmp_path / "file")[1:-1]] == [id_of(path)]
    refused(here.desk.api.get("/v1/matches/aaaaaaaaaaaaaaaa"), "no_such_match")
