"""What callers may ask of matches, and what they are told when they ask otherwise."""

import json
import threading
import time
from typing import Any

import pytest

from service.app import create_app
from service.callers.limits import StreamLease
from service.callers.tokens import digest
from service.config import Config, Limit
from service.games.lines import FORMATS
from service.matches.streams import stream
from tests.support.answers import NDJSON, refused
from tests.support.desk import Desk, InProcess
from tests.support.matching import SAILORS, id_of, new_match, repository_of
from tests.support.serving import Wire

KEY = "of a creation that is repeated"


def test_matches_are_listed_the_latest_first(desk: Desk) -> None:
    made = [id_of(new_match(desk.api, name=f"Number {number}")[0]) for number in range(5)]
    told: list[Wire] = []
    cursor: str | None = ""
    while cursor is not None:
        page = desk.api.get(f"/v1/matches?limit=2{cursor and '&cursor='}{cursor}").body
        told += [match for match in page["matches"] if match["id"] in made]
        cursor = page["next"]
    assert [match["id"] for match in told] == made[::-1]
    assert told[0]["name"] == "Number 4"
    running = [match["id"] for match in desk.api.get("/v1/matches?status=finished&limit=100").body["matches"]]
    assert not set(made) & set(running)


def test_a_stream_tells_no_more_than_can_be_read(desk: Desk) -> None:
    path, _ = new_match(desk.api)
    repository = repository_of(desk)
    match = repository.fetch(id_of(path))
    assert match is not None
    assert desk.api.app is not None
    hub = desk.api.app.extensions["hub"]
    lease = StreamLease(desk.store.redis, "somebody", 9)
    over = threading.Event()

    def change() -> None:
        while not over.wait(0.01):
            desk.store.redis.hincrby(f"match:{id_of(path)}", "version", 1)
            desk.store.redis.publish(f"changed:match:{id_of(path)}", "news")

    changer = threading.Thread(target=change)
    changer.start()
    told = stream(repository, hub, match, None, FORMATS[NDJSON], lease)
    began = time.monotonic()
    versions = [json.loads(next(told))["version"] for _ in range(4)]
    assert time.monotonic() - began > 0.7
    assert versions[-1] - versions[0] > 10
    hub.stop()
    (last,) = told
    over.set()
    changer.join()
    assert json.loads(last) == {"type": "reconnect", "after": versions[-1]}


def test_only_whoever_created_it_may_change_it(desk: Desk) -> None:
    path, owner = new_match(desk.api)
    _, other = new_match(desk.api)
    for who, code in ((desk.api, "no_token"), (other, "bad_token")):
        refused(who.patch(path, {"status": "cancelled"}), code)
        refused(who.delete(path), code)
    assert other.get(path).status == 200
    assert owner.patch(path, {"status": "cancelled"}).status == 200


def test_a_creation_that_is_repeated_creates_once(desk: Desk) -> None:
    sent = [desk.api.post("/v1/matches", SAILORS, Idempotency_Key=KEY) for _ in range(2)]
    assert [reply.status for reply in sent] == [202, 202]
    assert sent[0].body == sent[1].body
    assert sent[1].headers["idempotency-replayed"] == "true"
    refused(desk.api.post("/v1/matches", SAILORS | {"games": 2}, Idempotency_Key=KEY), "key_reused")
    path, owner = sent[1].headers["location"], desk.api.be(sent[1].body["token"])
    assert owner.patch(path, {"status": "cancelled"}).status == 200


def test_a_creation_looks_for_no_results(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = desk.store.redis.ask

    def note(*commands: Any, **options: Any) -> Any:
        asked.extend(" ".join(map(str, command[:2])) for command in commands)
        return ask(*commands, **options)

    monkeypatch.setattr(desk.store.redis, "ask", note)
    created = desk.api.post("/v1/matches", SAILORS | {"against": ["cabin_boy"]}).body
    assert any(command.startswith("EVALSHA") for command in asked)
    assert not [command for command in asked if ":games:" in command or ":faults:" in command]
    assert created["match"]["series"] == desk.api.get(f"/v1/matches/{created['match']['id']}").body["series"]


def test_a_match_is_told_as_it_is_and_never_as_it_was(desk: Desk) -> None:
    path, _ = new_match(desk.api)
    refused_query = refused(desk.api.get(f"{path}?version=1"), "invalid")
    assert [error["parameter"] for error in refused_query["errors"]] == ["version"]


def test_where_there_are_api_keys_one_is_needed(desk: Desk, redis_url: str) -> None:
    config = Config(redis_url, limits={}, api_keys={digest("secret"): "studio"})
    api = InProcess("", app=create_app(config, desk.store))
    refused(api.post("/v1/matches", SAILORS), "no_api_key")
    assert api.post("/v1/matches", SAILORS, X_API_Key="secret").status == 202


def test_a_caller_may_begin_so_many_matches(desk: Desk, redis_url: str) -> None:
    api = InProcess("", app=create_app(Config(redis_url, limits={"match": Limit(1, 3600)}), desk.store))
    replies = [api.post("/v1/matches", SAILORS) for _ in range(2)]
    desk.store.redis.delete(*desk.store.redis.keys("limit:match:*"))
    assert replies[0].status == 202
    refused(replies[1], "too_many_requests")


BAD: dict[str, list[Any]] = {
    "/games": [{"games": 0}, {"games": "many"}, {"games": 1.5}, {"games": 60_000, "gnomes": [3, 4]}],
    "/gnomes": [{"gnomes": [3, 3]}, {"gnomes": []}, {"gnomes": 3}],
    "/gnomes/0": [{"gnomes": [2]}, {"gnomes": [9]}, {"gnomes": ["3"]}],
    "/rules/gnomes": [{"rules": {"gnomes": 4}}],
    "/rules/edition": [{"rules": {"edition": "lost"}}],
    "/rules/players": [{"rules": {"players": 2}}],
    "/crew": [{"crew": []}, {"crew": ["sailor", "sailor"]}, {"crew": "sailor"}, {"crew": None}],
    "/crew/0": [{"crew": ["parrot"]}],
    "/against": [{"against": ["sailor"] * 4}],
    "/against/1": [{"against": ["sailor", "parrot", "sailor"]}],
    "/seeds/from": [{"seeds": {"from": "1"}}, {"seeds": {"from": 2**60}}],
    "/stop/sprt": [{"stop": {"sprt": {"margin": 0.02}}}, {"stop": {"sprt": 1}}],
    "/stop/sprt/margin": [
        {"against": ["sailor"], "stop": {"sprt": {"margin": margin}}} for margin in (0, 1, -0.1, "0.02", True)
    ] + [{"against": ["sailor"], "stop": {"sprt": {}}}],
    "/keep_replays": [{"keep_replays": "some"}, {"games": 10_001, "keep_replays": "all"}],
    "/name": [{"name": "x" * 61}, {"name": "two\nlines"}],
    "/hurry": [{"hurry": True}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("pointer", "wanted"), [(pointer, request) for pointer, requests in BAD.items() for request in requests]
)
def test_whatever_is_wrong_with_a_match_is_told_with_its_field(desk: Desk, pointer: str, wanted: Wire) -> None:
    refused(desk.api.post("/v1/matches", SAILORS | wanted), "invalid", pointer)


def test_games_and_crew_are_needed(desk: Desk) -> None:
    for field in ("games", "crew"):
        wanted = {name: value for name, value in SAILORS.items() if name != field}
        refused(desk.api.post("/v1/matches", wanted), "invalid", f"/{field}")


@pytest.mark.parametrize("query", ["limit=0", "cursor=x", "cursor=1.2", "gnomes=9", "line_up=both", "result=won"])
def test_a_bad_question_about_games_is_told_with_its_parameter(desk: Desk, query: str) -> None:
    path, _ = new_match(desk.api)
    told = refused(desk.api.get(f"{path}/games?{query}"), "invalid")
    assert told["errors"][0]["parameter"] == query.partition("=")[0]


def test_a_bad_change_is_told_with_its_field(desk: Desk) -> None:
    path, owner = new_match(desk.api)
    refused(owner.patch(path, {"status": "finished"}), "invalid", "/status")
    refused(owner.patch(path, {}), "invalid", "/status")
    refused(owner.patch("/v1/matches/aaaaaaaaaaaaaaaa", {"status": "paused"}), "no_such_match")
    refused(desk.api.get("/v1/matches/none"), "no_such_match")
