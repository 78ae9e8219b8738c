"""Games that earlier releases stored are there, as they were, and are played on to their end."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import msgspec
import orjson
import pytest

from engine.compiled import state
from engine.rules import RULES_VERSION
from engine.verify import BadReplay, verify
from service.cli import main
from service.config import Config
from service.games import tables
from service.games.commands.clock import think
from service.games.timing import BotTurn, thinks
from service.store import layouts
from service.store.store import Conflict, Store
from service.workers import jobs
from tests.support.answers import refused, settled
from tests.support.desk import Desk
from tests.support.playing import pick
from tests.support.releases import FOLDER, in_present_names
from tests.support.serving import UNLIMITED, Client, Seated, Wire, as_user, new_game, running_redis, running_web

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
    is_as_it_was(table, in_present_names(told["state"]))
    is_listed(site.api, table)
    start_if_waiting(table)
    play_on(table, random.Random(name))
    is_finished(table)


def is_as_it_was(table: Seated, before: Wire) -> None:
    """Everything that could be seen still can; later releases may tell more."""
    seat = before["decision"]["seat"] if before["decision"] else 0
    reply = table.players[seat].get(table.path)
    now = settled(reply.body)
    known = {key: value for key, value in before.items() if key not in OF_THE_STORE}
    assert as_before(now, known) == known
    assert table.players[seat].get(table.path, If_None_Match=reply.headers["etag"]).status == 304
    for player in table.players:
        assert player.get(table.path).status == 200


def as_before(now: Any, before: Any) -> Any:
    """Without what a later release tells beside it."""
    if isinstance(now, dict) and isinstance(before, dict):
        return {key: as_before(value, before[key]) for key, value in now.items() if key in before}
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return [as_before(one, other) for one, other in zip(now, before)]
    return now


def is_listed(api: Client, table: Seated) -> None:
    state = table.state
    listed = api.get(f"/v1/games?status={state['status']}&limit=100").body["games"]
    cards = [card for card in listed if card["id"] == state["id"]]
    assert [card["name"] for card in cards] == ([] if state["visibility"] == "private" else [state["name"]])
    assert api.get(table.path).status == (404 if state["visibility"] == "private" else 200)


def start_if_waiting(table: Seated) -> None:
    if table.state["status"] == "waiting":
        seats = table.state["seats"]
        if any(seat["kind"] == "open" for seat in seats):
            joined = table.host.post(f"{table.path}/players", {"name": "Latecomer"})
            assert joined.status == 201, joined.body
            for seat in joined.body["game"]["you"]["seats"]:
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
            store = jobs.own_store()  # type: ignore[attr-defined] # as the fixture has replaced it
            jobs.play_on(store, state["id"], 1.0)
            now = table.state
            assert now["version"] > state["version"], "the worker leaves it alone"
            state = now
            continue
        player = table.players[seat]
        legal = player.get(table.path).body["legal_moves"]
        played = player.play(table.path, pick(legal, chance))
        assert played.status == 200, played.body
        state = played.body["game"]


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
    replay = table.host.get(f"{table.path}/replay").body
    assert replay["result"] == state["result"]
    past = table.host.get(f"{table.path}?version={state['version'] - 1}")
    complaint = found_wrong(replay)
    if complaint is None:
        assert past.status == 200
    else:
        assert replay["rules_version"] < RULES_VERSION
        assert complaint.startswith(f"rules_version: is {replay['rules_version']}, and under the rules of this release")
        refused(past, "played_otherwise")


def found_wrong(replay: Wire) -> str | None:
    try:
        verify(replay)
    except BadReplay as error:
        return str(error)
    return None


def test_odds_come_with_the_game(sites: Callable[[str], Site]) -> None:
    for release in RELEASES:
        table = seated(sites(release).api, RELEASES[release]["lost, with odds"])
        told = table.host.get(f"{table.path}/odds").body
        assert told["complete"]
        assert told["points"][-1]["rescue_rate"] == 0.0
        assert len(told["points"]) > 3


# A release to come: names are shouted from its layout on.


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


def before_it(numbered: bool) -> tuple[Any, ...]:
    """The migrations of before, which the record that a test has stored does not need."""
    return layouts.MIGRATIONS if numbered else tuple(dict for _ in layouts.MIGRATIONS)


@pytest.mark.parametrize("numbered", [True, False], ids=["with its number", "before there were numbers"])
def test_an_older_game_is_upgraded_when_it_is_read_and_stored_so_with_its_next_change(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, numbered: bool
) -> None:
    game = new_game(desk.api, name="Hush")
    if not numbered:
        desk.store.redis.hdel(key(game), layouts.FIELD)
    before = hash_of(desk, game)
    monkeypatch.setattr(layouts, "MIGRATIONS", (*before_it(numbered), shouted))
    monkeypatch.setattr(layouts, "LAYOUT", len(layouts.MIGRATIONS) + 1)

    assert game.state["name"] == "HUSH"
    assert hash_of(desk, game) == before

    game.decider().play(game.path, game.decider().get(game.path).body["legal_moves"][0])
    after = hash_of(desk, game)
    assert int(after[layouts.FIELD.encode()]) == layouts.LAYOUT
    assert orjson.loads(after[b"about"])["name"] == "HUSH"
    assert orjson.loads(after[b"card"])["name"] == "HUSH", "a list would show it as it was"

    monkeypatch.setattr(layouts, "MIGRATIONS", (pytest.fail,) * len(layouts.MIGRATIONS))
    assert game.state["name"] == "HUSH"


def test_every_layout_in_between_is_passed_through(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def echoed(fields: layouts.Stored) -> layouts.Stored:
        about: Any = orjson.loads(fields["about"] or b"{}")
        return fields | {"about": orjson.dumps(about | {"name": about["name"] + " " + about["name"].lower()})}

    game = new_game(desk.api, name="Hey")
    known = layouts.LAYOUT
    monkeypatch.setattr(layouts, "MIGRATIONS", (*layouts.MIGRATIONS, shouted, echoed))
    monkeypatch.setattr(layouts, "LAYOUT", known + 2)
    assert game.state["name"] == "HEY hey"
    desk.store.redis.hset(key(game), layouts.FIELD, known + 1)
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
    assert f"was stored by a later release, in layout {layouts.LAYOUT + 1}: this one knows" in caplog.text
    assert desk.store.redis.dump(key(game)) == before


def test_who_read_a_game_before_a_later_release_changed_it_does_not_write_over_that(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    stale = desk.table(game.path)
    desk.store.redis.hset(key(game), mapping={layouts.FIELD: layouts.LAYOUT + 1, "commit": b"another"})
    before = desk.store.redis.dump(key(game))
    at = tables.now()
    with pytest.raises(Conflict):
        tables.commit(desk.store, think(stale, BotTurn(0, "sailor"), at), at.seconds)
    assert desk.store.redis.dump(key(game)) == before


NAMES = {
    "about": "name status private sandbox turn_seconds created_at changed_at seats players clock forked_from dice",
    "rights": "private tokens",
    "secret": "seed start opening joined",
    "card": "id name status created_at sandbox turn_seconds rules seats players open_seats result",
}


@pytest.mark.parametrize("field", NAMES)
def test_a_release_that_runs_beside_this_one_finds_the_names_that_it_knows(desk: Desk, field: str) -> None:
    game = new_game(desk.api, start=False)
    found = orjson.loads(hash_of(desk, game)[field.encode()])
    assert list(found) == NAMES[field].split(), "another form needs a layout and a migration"


def test_a_field_that_is_not_of_this_layout_is_not_lost_but_refused(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    about = orjson.loads(hash_of(desk, game)[b"about"])
    desk.store.redis.hset(key(game), "about", orjson.dumps(about | {"weather": "calm"}))
    before = hash_of(desk, game)
    with pytest.raises(msgspec.ValidationError, match="weather"):
        desk.table(game.path)
    assert desk.api.get(game.path).status == 500
    assert hash_of(desk, game) == before


def test_a_new_layout_of_the_engine_takes_a_migration() -> None:
    assert layouts.ENGINE_LAYOUT == state.LAYOUT, "write it, and raise ENGINE_LAYOUT with LAYOUT"


def test_every_release_has_left_games_of_many_kinds() -> None:
    assert RELEASES
    for release, games in RELEASES.items():
        assert len(games) >= 12
        assert (FOLDER / f"{release}.ndjson").exists()
