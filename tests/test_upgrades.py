"""Games that earlier releases stored are there, as they were, and are played on to their end."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from engine import state
from engine.verify import verify
from service import clock, jobs, layouts
from service.cli import main
from service.config import Config
from service.store import Store
from service.timing import thinks
from tests.answers import settled
from tests.desk import Desk
from tests.playing import pick
from tests.releases import FOLDER
from tests.serving import UNLIMITED, Client, Seated, Wire, as_user, new_game, running_redis, running_web

RELEASES: dict[str, Wire] = {file.stem: json.loads(file.read_text())["games"] for file in sorted(FOLDER.glob("*.json"))}
SCENES = [pytest.param(release, name, id=f"{release} {name}") for release in RELEASES for name in RELEASES[release]]
OF_THE_STORE = {"epoch"}  # what every store tells differently


@dataclass
class Site:
    """What a release has left, in a service of today."""

    api: Client
    worker: Store


@pytest.fixture(scope="module")
def sites() -> Iterator[Callable[[str], Site]]:
    with ExitStack() as stack:
        started: dict[str, Site] = {}

        def site(release: str) -> Site:
            if release not in started:
                url = stack.enter_context(running_redis())
                assert main(["import", "--redis-url", url, str(FOLDER / f"{release}.ndjson")]) == 0
                api = stack.enter_context(running_web(url, workers=1, **UNLIMITED))
                started[release] = Site(api, Store.connect(Config(redis_url=as_user(url, "worker"))))
            return started[release]

        yield site


def seated(api: Client, told: Wire) -> Seated:
    return Seated(f"/v1/games/{told['id']}", api.be(told["host"]), [api.be(token) for token in told["players"]])


@pytest.mark.parametrize(("release", "name"), SCENES)
def test_a_game_of_an_earlier_release_is_as_it_was_and_is_played_on(
    sites: Callable[[str], Site], monkeypatch: pytest.MonkeyPatch, release: str, name: str
) -> None:
    site, told = sites(release), RELEASES[release][name]
    table = seated(site.api, told)
    monkeypatch.setattr(jobs, "own_store", lambda: site.worker)
    is_as_it_was(table, told["state"])
    is_listed(site.api, table)
    start_if_waiting(table)
    play_on(table, random.Random(name))
    is_finished(table)


def is_as_it_was(table: Seated, before: Wire) -> None:
    """Everything that could be seen still can; later releases may tell more."""
    seat = before["decision"]["seat"] if before["decision"] else 0
    reply = table.players[seat].get(table.path)
    now = settled(reply.body)
    assert {key: now[key] for key in before.keys() - OF_THE_STORE} == {
        key: value for key, value in before.items() if key not in OF_THE_STORE
    }
    assert table.players[seat].get(table.path, If_None_Match=reply.headers["etag"]).status == 304
    for player in table.players:
        assert player.get(table.path).status == 200


def is_listed(api: Client, table: Seated) -> None:
    state = table.state
    listed = api.get(f"/v1/games?status={state['status']}&limit=100").body["games"]
    cards = [card for card in listed if card["id"] == state["id"]]
    assert [card["name"] for card in cards] == ([] if state["private"] else [state["name"]])
    assert api.get(table.path).status == (404 if state["private"] else 200)


def start_if_waiting(table: Seated) -> None:
    if table.state["status"] == "waiting":
        seats = table.state["seats"]
        if any(seat["kind"] == "open" for seat in seats):
            joined = table.host.post(f"{table.path}/players", {"name": "Latecomer"})
            assert joined.status == 201, joined.body
            for seat in joined.body["seats"]:
                table.players[seat] = table.host.be(joined.body["token"])
        assert table.host.post(f"{table.path}/start", {"fill_with": "sailor"}).status == 200
    for seat in table.state["seats"]:
        if seat["kind"] == "bot" and thinks(seat["bot"]):  # it takes its time
            quick = {"kind": "bot", "bot": "sailor"}
            handed = table.host.put(f"{table.path}/seats/{seat['seat']}/controller", quick)
            assert handed.status in (200, 409)


def play_on(table: Seated, chance: random.Random) -> None:
    """Players move over HTTP, bots by the hands of a worker."""
    state = table.state
    while state["result"] is None:
        seat = state["decision"]["seat"]
        if state["seats"][seat]["kind"] == "bot":
            jobs.take_turns(state["id"])
            now = table.state
            assert now["version"] > state["version"], "the worker leaves it alone"
            state = now
            continue
        player = table.players[seat]
        legal = player.get(table.path).body["legal_moves"]
        played = player.post(f"{table.path}/moves", pick(legal, chance))
        assert played.status == 200, played.body
        state = played.body["state"]


def is_finished(table: Seated) -> None:
    state = table.state
    assert state["status"] == "finished"
    events: list[Wire] = []
    while len(events) < state["seq"]:
        page = table.host.get(f"{table.path}/events?limit=1000&after={len(events)}").body["events"]
        assert page, "the history ends too soon"
        events += page
    assert [event["seq"] for event in events] == [*range(1, state["seq"] + 1)]
    assert events[0]["type"] == "game_created"
    assert verify(table.host.get(f"{table.path}/replay").body).result == state["result"]


def test_odds_come_with_the_game(sites: Callable[[str], Site]) -> None:
    for release in RELEASES:
        table = seated(sites(release).api, RELEASES[release]["lost, with odds"])
        told = table.host.get(f"{table.path}/odds").body
        assert told["complete"]
        assert told["points"][-1]["rescued"] == 0.0
        assert len(told["points"]) > 3


# A release to come: names are shouted from layout 2 on.


def shouted(fields: layouts.Stored) -> layouts.Stored:
    about: Any = orjson.loads(fields["about"] or b"{}")
    return fields | {"about": orjson.dumps(about | {"name": about["name"].upper()})}


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(redis_url)
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    return made


def hash_of(desk: Desk, game: Seated) -> dict[bytes, bytes]:
    found: Any = desk.store.redis.hgetall(key(game))
    return dict(found)


def key(game: Seated) -> str:
    return f"game:{game.path.rpartition('/')[2]}"


@pytest.mark.parametrize("numbered", [True, False], ids=["with its number", "before there were numbers"])
def test_an_older_game_is_upgraded_when_it_is_read_and_stored_so_with_its_next_change(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, numbered: bool
) -> None:
    game = new_game(desk.api, name="Hush")
    if not numbered:
        desk.store.redis.hdel(key(game), layouts.FIELD)
    before = hash_of(desk, game)
    monkeypatch.setattr(layouts, "MIGRATIONS", (shouted,))
    monkeypatch.setattr(layouts, "LAYOUT", 2)

    assert game.state["name"] == "HUSH"
    assert hash_of(desk, game) == before

    game.decider().post(f"{game.path}/moves", game.decider().get(game.path).body["legal_moves"][0])
    after = hash_of(desk, game)
    assert after[layouts.FIELD.encode()] == b"2"
    assert orjson.loads(after[b"about"])["name"] == "HUSH"
    assert orjson.loads(after[b"card"])["name"] == "HUSH", "a list would show it as it was"

    monkeypatch.setattr(layouts, "MIGRATIONS", (pytest.fail,))
    assert game.state["name"] == "HUSH"


def test_every_layout_in_between_is_passed_through(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def echoed(fields: layouts.Stored) -> layouts.Stored:
        about: Any = orjson.loads(fields["about"] or b"{}")
        return fields | {"about": orjson.dumps(about | {"name": about["name"] + " " + about["name"].lower()})}

    game = new_game(desk.api, name="Hey")
    monkeypatch.setattr(layouts, "MIGRATIONS", (shouted, echoed))
    monkeypatch.setattr(layouts, "LAYOUT", 3)
    assert game.state["name"] == "HEY hey"
    desk.store.redis.hset(key(game), layouts.FIELD, 2)
    assert game.state["name"] == "Hey hey"


def test_a_game_of_a_later_release_is_refused_and_left_as_it_is(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    desk.store.redis.hset(key(game), layouts.FIELD, layouts.LAYOUT + 1)
    before = desk.store.redis.dump(key(game))
    for answer in (
        desk.api.get(game.path),
        game.host.get(f"{game.path}/events"),
        game.host.put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "bosun"}),
        game.host.delete(game.path),
    ):
        assert answer.status == 503
    with caplog.at_level("WARNING"):
        desk.work(game.path)
    assert "was stored by a later release, in layout 2: this one knows 1" in caplog.text
    assert desk.store.redis.dump(key(game)) == before


def test_who_read_a_game_before_a_later_release_changed_it_does_not_write_over_that(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    stale = desk.table(game.path)
    desk.store.redis.hset(key(game), mapping={layouts.FIELD: layouts.LAYOUT + 1, "commit": b"another"})
    before = desk.store.redis.dump(key(game))
    stale.tell(clock.now(), [{"type": "bot_thinks", "seat": 0, "bot": "sailor"}])
    with pytest.raises(jobs.Conflict):
        desk.store.commit(stale.change(clock.now()))
    assert desk.store.redis.dump(key(game)) == before


def test_a_new_layout_of_the_engine_takes_a_migration() -> None:
    assert layouts.ENGINE_LAYOUT == state.LAYOUT, "write it, and raise ENGINE_LAYOUT with LAYOUT"


def test_every_release_has_left_games_of_many_kinds() -> None:
    assert RELEASES
    for release, games in RELEASES.items():
        assert len(games) >= 12
        assert (FOLDER / f"{release}.ndjson").exists()
