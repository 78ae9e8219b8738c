"""Matches as their users meet them: workers as processes, a stream, the command, live games beside them."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bots.arena.league import League
from bots.arena.series import Series
from engine import Rules
from service.cli import main
from service.config import Config
from service.matches.model import MatchStatus
from service.matches.repository import MatchRepository
from service.store.store import Store
from tests.support.answers import NDJSON, SSE, eventually, lines, listening, messages
from tests.support.contract import Strict, faults
from tests.support.matching import QUEUE, check_game, id_of, local, new_match, timeless
from tests.support.serving import (
    PATIENCE,
    UNLIMITED,
    Client,
    Wire,
    new_game,
    refusals,
    running_redis,
    running_web,
    running_workers,
)

MANY = 60_000
GAMES_TO_PAUSE = 12_000  # more than are played before the owner says stop
LINE = {"$ref": "#/components/schemas/MatchLine"}
GAME = {"$ref": "#/components/schemas/MatchGame"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as made:
        yield made
        assert refusals(made) == []


@pytest.fixture(scope="module")
def site(url: str) -> Iterator[Client]:
    with running_web(url, workers=1, **UNLIMITED) as client, running_workers(url, 2):
        yield Strict(client.base, ops=client.ops)


def finished(site: Client, path: str) -> Wire:
    ends = time.monotonic() + PATIENCE
    match = site.get(path).body
    while not match["ended_at"]:
        assert time.monotonic() < ends, match
        match = site.get(f"{path}?after={match['version']}&wait=5").body
    return dict(match)


def test_workers_play_a_match_and_every_game_of_it_is_told(site: Client) -> None:
    path, _ = new_match(site, gnomes=[3, 4], games=600, against=["sailor"])
    match = finished(site, path)
    assert (match["status"], match["played"], match["eta_seconds"]) == ("finished", 2400, None)
    assert timeless(match["series"]) == [local(gnomes, against="sailor", games=600) for gnomes in (3, 4)]
    with listening(site, f"{path}/games.ndjson") as stream:
        told = lines(stream)
    assert len(told) == 2400
    assert [faults(game, GAME) for game in told[::200]] == [""] * 12
    for game in told[::200]:
        check_game(game)
    rows = list(csv.DictReader(io.StringIO(site.get(f"{path}/games.csv").body.decode())))
    assert len(rows) == 2400
    assert [(row["gnomes"], row["number"], row["seed"], row["cause"], row["rescued"] == "true") for row in rows] == [
        (str(game["gnomes"]), str(game["number"]), game["seed"], game["cause"], game["rescued"]) for game in told
    ]
    lost = site.get(f"{path}/games.ndjson?result=lost&gnomes=3").body.splitlines()
    assert len(lost) == sum(not game["rescued"] and game["gnomes"] == 3 for game in told)
    eventually(lambda: site.post(told[7]["path"]).status in (200, 201))  # 202 while no worker has time for it
    for accept, there in (("text/html", ""), (NDJSON, f"{path}/games.ndjson"), ("text/csv", f"{path}/games.csv")):
        refused = site.get(f"{path}/games", Accept=accept)
        assert (refused.status, refused.body["code"]) == (406, "not_acceptable")
        assert there in refused.body["detail"]


def test_workers_play_a_league_and_come_to_what_the_local_command_comes_to(site: Client) -> None:
    crews = [["sailor"], ["cabin_boy"], ["cabin_boy", "sailor", "sailor"]]
    wanted = {"games": 60, "gnomes": [3], "crews": crews, "baseline": "crew-2", "seeds": {"from": 3}}
    created = site.post("/v1/matches", wanted)
    assert created.status == 202, created.body
    league = finished(site, created.headers["location"])
    here = Series(Rules(gnomes=3), [], games=60, seed=3, league=League(crews, "crew-2"))
    for _ in here.play(1):
        pass
    assert timeless(league["series"]) == [timeless(here.to_dict())]


def test_whoever_has_the_match_is_told_so_and_may_wait(site: Client) -> None:
    path, _ = new_match(site, games=400)
    seen = [site.get(path)]
    while not seen[-1].body["ended_at"]:
        seen.append(site.get(f"{path}?after={seen[-1].body['version']}&wait=10"))
    versions = [reply.body["version"] for reply in seen]
    assert versions == sorted(set(versions))
    again = site.get(path, If_None_Match=seen[-1].headers["etag"])
    assert (again.status, again.headers["etag"]) == (304, seen[-1].headers["etag"])
    assert site.get(path, If_None_Match='"1-nothing-all"').status == 200


@pytest.mark.parametrize("accept", [NDJSON, SSE])
def test_a_match_is_followed_to_its_end(site: Client, accept: str) -> None:
    path, owner = new_match(site, games=MANY)
    with listening(site, f"{path}/stream?after=1", accept) as stream:
        first = lines(stream, 4) if accept == NDJSON else list(map(_told, messages(stream, 4)))
        assert owner.patch(path, {"status": "cancelled"}).status == 200
        rest = lines(stream) if accept == NDJSON else [_told(message) for message in messages(stream)]
    told = [*first, *rest]
    assert [faults(line, LINE) for line in told] == [""] * len(told)
    versions = [line["version"] for line in told]
    assert versions == sorted(set(versions))
    assert [line["match"]["ended_at"] is None for line in told] == [True] * (len(told) - 1) + [False]
    assert told[0]["match"]["played"] < told[-1]["match"]["played"] < MANY
    rates = [line["match"]["games_per_second"] for line in first]
    assert rates[-1] is None or 10 < rates[-1] < 1e6
    with listening(site, f"{path}/stream", accept) as stream:
        assert len(lines(stream) if accept == NDJSON else messages(stream)) == 1


def _told(message: tuple[int | None, Wire]) -> Wire:
    assert message[0] == message[1]["version"]
    return message[1]


def test_a_stream_ends_when_the_match_is_deleted(site: Client) -> None:
    path, owner = new_match(site, games=MANY)
    assert owner.patch(path, {"status": "paused"}).status == 200
    time.sleep(0.3)
    with listening(site, f"{path}/stream") as stream:
        lines(stream, 1)
        assert owner.delete(path).status == 204
        assert lines(stream)[-1] == {"type": "match_deleted"}


def test_operators_see_matches_and_how_much_is_played(site: Client) -> None:
    def told(name: str) -> float:
        text = site.operator.get("/metrics").body.decode()
        return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))

    before = [told(f'red_november_events_total{{event="match_{name}"}}') for name in ("game", "slice")]
    path, owner = new_match(site, games=MANY)
    assert told("red_november_matches") == 1
    while site.get(path).body["played"] == 0:
        time.sleep(0.05)
    assert owner.patch(path, {"status": "cancelled"}).status == 200
    assert told("red_november_matches") == 0
    after = [told(f'red_november_events_total{{event="match_{name}"}}') for name in ("game", "slice")]
    assert after[0] - before[0] >= site.get(path).body["played"]
    assert after[1] > before[1]
    assert site.operator.get("/readyz").body["status"] == "ok"


def test_a_match_that_no_job_is_left_of_is_found_by_the_sweeper(site: Client, url: str) -> None:
    path, owner = new_match(site, games=GAMES_TO_PAUSE)
    assert owner.patch(path, {"status": "paused"}).status == 200
    repository = MatchRepository(Store.connect(Config(url)))
    while repository.store.redis.llen(QUEUE) or repository.count_open(id_of(path)).leases:
        time.sleep(0.05)
    match = repository.fetch(id_of(path))
    assert match is not None
    assert repository.change_status(match, MatchStatus.RUNNING)
    assert finished(site, path)["played"] == GAMES_TO_PAUSE


def test_live_games_go_on_while_all_workers_play_matches(site: Client) -> None:
    path, owner = new_match(site, games=MANY)
    while site.get(path).body["played"] == 0:
        time.sleep(0.05)
    waits = []
    for _ in range(8):
        game = new_game(site, ["open", "sailor", "sailor"], players=3, start=False)
        began = time.monotonic()
        assert game.host.post(f"{game.path}/start").status == 200
        while game.state["decision"] and game.state["decision"]["seat"] != 0:
            assert time.monotonic() - began < 5, "the sailors do not play"
            time.sleep(0.01)
        waits.append(time.monotonic() - began)
    assert site.get(path).body["ended_at"] is None, "the match was over too soon to tell"
    assert owner.delete(path).status == 204
    assert median(waits) < 0.5, waits


COMMAND = [sys.executable, "-m", "service.cli", "match"]


def files(folder: Path) -> tuple[Any, list[Any]]:
    games = [timeless(json.loads(line)) for line in (folder / "games.ndjson").read_text().splitlines()]
    return timeless(json.loads((folder / "all.json").read_text())), games


def match(folder: Path, *arguments: str) -> int:
    folder.mkdir(exist_ok=True)
    written = ["--json", str(folder / "all.json"), "--ndjson", str(folder / "games.ndjson")]
    return main(["match", *arguments, *written])


def test_the_command_comes_to_the_same_here_and_there(
    site: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "--games 200 --gnomes 3,4 --crew sailor --against cabin_boy --sprt 0.1 --seed 9 --less-deadly-dying"
    assert match(tmp_path / "here", *words.split()) == 0
    here = capsys.readouterr().out
    assert match(tmp_path / "there", *words.split(), "--server", site.base, "--name", "There") == 0
    there = capsys.readouterr()
    assert files(tmp_path / "here") == files(tmp_path / "there")
    assert len(here.splitlines()) == len(there.out.splitlines()) > 10
    path = there.err.splitlines()[0].removeprefix(f"match {site.base}")
    assert site.get(path).body["name"] == "There"


def test_the_command_says_what_a_service_refuses(site: Client, capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (["--crew", "parrot"], "/crew/0"),
        (["--crew", "sailor", "--games", "200000"], "/games"),
        (["--crew", "sailor", "--server", "localhost"], "http://"),
    ):
        assert main(["match", "--server", site.base, *words]) == 2
        said = capsys.readouterr()
        assert (told in said.err, said.out) == (True, ""), said


def test_a_match_that_is_left_to_the_service_goes_on(site: Client, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "--server", site.base, "--crew", "sailor", "--games", "30", "--detach"]) == 0
    told = json.loads(capsys.readouterr().out)
    path = told["url"].removeprefix(site.base)
    assert finished(site, path)["played"] == 30
    assert site.be(told["token"]).delete(path).status == 204


@pytest.mark.thorough
def test_ctrl_c_cancels_the_match_and_shows_what_there_is(site: Client) -> None:
    words = ["--server", site.base, "--crew", "sailor", "--games", str(MANY), "--gnomes", "3"]
    run = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stderr is not None
    path = run.stderr.readline().strip().removeprefix(f"match {site.base}")
    while site.get(path).body["played"] < 100:
        time.sleep(0.05)
    os.kill(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert "interrupted; the results so far:" in err
    assert "3 gnomes, revised edition, seed 1" in out
    assert site.get(path).body["status"] == "cancelled"
