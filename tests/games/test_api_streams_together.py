"""Many games over one connection: nothing is missed, nothing comes twice, and each game's part ends by itself."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from service.app import create_app
from service.callers.door import GUEST, STREAMS, Door, Guest
from service.config import Config
from tests.support.answers import NDJSON, NO_ACTION, finished, refused, scene, settled
from tests.support.desk import Desk, InProcess
from tests.support.matching import id_of
from tests.support.serving import Client, Seated, Wire, new_game

SECRETIVE = scene({"minutes": 1}, {"minutes": 0}, {"minutes": 0}, rules={"crazed_gnomes": True})


class Heard:
    """The lines of an open stream."""

    def __init__(self, api: InProcess, *entries: Wire, query: str = "", guest: Guest | None = None) -> None:
        assert api.app is not None
        environ = {GUEST: guest} if guest else {}
        body = {"games": list(entries)}
        sent = {"Accept": "application/json"}  # as `curl --json` sends
        self.reply = api.app.test_client().post(
            f"/v1/streams{query}", json=body, headers=sent, environ_overrides=environ
        )
        assert self.reply.status_code == 200, self.reply.get_data()
        assert self.reply.content_type == NDJSON
        self._rows: Iterator[bytes] = (
            row for chunk in self.reply.iter_encoded() for row in chunk.splitlines(keepends=True)
        )

    def rows(self) -> Iterator[bytes]:
        yield from self._rows

    def next(self, count: int) -> list[Wire]:
        """Return so many lines; signs of life are none."""
        told = (json.loads(row) for row in self._rows if row.strip())
        return [next(told) for _ in range(count)]

    def rest(self) -> list[Wire]:
        return [json.loads(row) for row in self._rows if row.strip()]


def entry(game: Seated, holder: Client | None = None, **more: Any) -> Wire:
    return {"game_id": id_of(game.path)} | ({"token": holder.token} if holder else {}) | more


def stir(game: Seated) -> None:
    """Change any game that goes on: an event."""
    kind = "player" if game.state["seats"][0]["kind"] == "bot" else "bot"
    wanted = {"kind": kind} | ({"bot": "sailor"} if kind == "bot" else {})
    assert game.host.put(f"{game.path}/seats/0/controller", wanted).status == 200


def events_of(told: list[Wire], game: Seated) -> list[Wire]:
    mine = [line["line"] for line in told if line["game_id"] == id_of(game.path)]
    return [line for line in mine if "version" in line]


@pytest.fixture
def games(desk: Desk) -> list[Seated]:
    return [new_game(desk.api, position=scene()) for _ in range(3)]


def test_each_game_begins_with_its_state_and_goes_on_with_every_event(desk: Desk, games: list[Seated]) -> None:
    heard = Heard(desk.api, *(entry(game, game.players[0]) for game in games))
    first = heard.next(3)
    assert [line["game_id"] for line in first] == [id_of(game.path) for game in games]
    for line, game in zip(first, games, strict=True):
        assert (line["line"]["type"], line["seq"]) == ("state", game.state["seq"])
        assert settled(line["line"]["state"]) == settled(game.players[0].get(game.path).body)
    for game in (games[1], games[0], games[1], games[2]):
        stir(game)
        (line,) = heard.next(1)
        latest = desk.history(game.path)[-1]
        assert line == {"game_id": id_of(game.path), "seq": latest["seq"], "line": latest}


def test_whoever_comes_back_misses_nothing_and_hears_nothing_twice(
    desk: Desk, games: list[Seated], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.streams.PAGE", 3)
    monkeypatch.setattr("service.games.streams.TOGETHER", 2)
    told: list[Wire] = []
    known = dict.fromkeys(map(id_of, (game.path for game in games)), 0)
    for cut in (2, 9, 5, 40):
        heard = Heard(desk.api, *(entry(game, after=known[id_of(game.path)]) for game in games))
        missing = sum(game.state["seq"] - known[id_of(game.path)] for game in games)
        told += (lines := heard.next(3 + min(cut, missing)))
        known |= {line["game_id"]: line["seq"] for line in lines}
        heard.reply.close()
        for game in games:
            stir(game)
    for game in games:
        history = desk.history(game.path)[:-1]  # the last stir came when nobody listened any more
        assert events_of(told, game) == history


def test_a_viewer_hears_of_each_game_what_their_own_stream_of_it_tells(desk: Desk) -> None:
    over = [new_game(desk.api, position=SECRETIVE), finished(desk.api)]
    assert over[0].players[0].play(over[0].path, NO_ACTION).status == 200
    viewers = [over[0].players[1], desk.api]
    entries = [entry(game, viewer, after=1) for game, viewer in zip(over, viewers, strict=True)]
    told = Heard(desk.api, *entries, query="?lang=de").rest()
    for game, viewer in zip(over, viewers, strict=True):
        alone = viewer.get(f"{game.path}/events/stream?after=1&lang=de", Accept=NDJSON).body.splitlines()
        state, *events = [line["line"] for line in told if line["game_id"] == id_of(game.path)]
        state_alone, *events_alone = map(json.loads, alone)
        assert settled(state["state"]) == settled(state_alone["state"])
        assert events == events_alone
        assert events[-1]["type"] == "game_over"


def test_a_game_that_ends_ends_its_part_and_the_last_one_the_stream(desk: Desk, games: list[Seated]) -> None:
    deleted, left, revoked = games
    heard = Heard(desk.api, entry(deleted), entry(left, left.players[0]), entry(revoked, revoked.players[0]))
    heard.next(3)
    assert deleted.host.delete(deleted.path).status == 204
    assert heard.next(1)[0]["line"] == {"type": "game_deleted"}
    renewed = revoked.players[0].post(f"{revoked.path}/token")
    assert renewed.status == 200
    (line,) = heard.next(1)
    assert line == {"game_id": id_of(revoked.path), "seq": revoked.state["seq"], "line": {"type": "token_revoked"}}
    stir(revoked)
    stir(left)
    assert heard.next(1)[0]["game_id"] == id_of(left.path), "who has lost their token hears no more"
    assert left.players[0].delete(f"{left.path}/players/p1").status == 204
    assert [line["line"]["type"] for line in heard.rest()] == ["player_left"]


def test_when_the_service_stops_every_game_is_told_where_to_go_on(desk: Desk, games: list[Seated]) -> None:
    heard = Heard(desk.api, *map(entry, games))
    heard.next(3)
    assert desk.api.app is not None
    desk.api.app.extensions["hub"].stop()
    assert heard.rest() == [
        {"game_id": id_of(game.path), "seq": seq, "line": {"type": "reconnect", "after": seq}}
        for game in games
        for seq in [game.state["seq"]]
    ]


def test_a_quiet_stream_shows_that_it_is_alive(
    desk: Desk, games: list[Seated], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.streams.BEAT_SECONDS", 0.01)
    heard = Heard(desk.api, *map(entry, games))
    heard.next(3)
    rows = heard.rows()
    assert [next(rows) for _ in range(3)] == [b"\n"] * 3


def test_many_games_are_one_stream_for_a_caller_and_for_their_address(redis_url: str, games: list[Seated]) -> None:
    with redis.Redis.from_url(redis_url) as store:
        store.delete("nothing", *store.scan_iter("streams:*"))  # of other tests, which hung up a moment ago
    api = InProcess("", app=create_app(Config(redis_url, limits={}, streams=1)))
    door = Door(Config(address_streams=1), places=100)
    guest = Guest(door, "somebody")
    heard = Heard(api, *map(entry, games), guest=guest)
    heard.next(1)
    assert door.held()[STREAMS] == 1
    refused(api.post("/v1/streams", {"games": [entry(games[0])]}), "too_many_streams")
    guest.gone = True  # hung up, as the door notices
    assert {line["line"]["type"] for line in heard.rest()} == {"state", "reconnect"}
    guest.leave()
    assert door.held()[STREAMS] == 0
    Heard(api, entry(games[0])).next(1)


def test_what_is_wrong_with_an_entry_is_told_with_it_before_anything_begins(desk: Desk, games: list[Seated]) -> None:
    good, secret = (
        entry(games[0]),
        {"game_id": id_of(desk.api.post("/v1/games", {"visibility": "private"}).headers["location"])},
    )
    stranger = games[1].host
    for entries, code, pointer in (
        ([good, {"game_id": "aaaaaaaaaaaaaaaa"}], "no_such_game", "/games/1/game_id"),
        ([good, {"game_id": "../x"}], "no_such_game", "/games/1/game_id"),
        ([good, secret], "no_such_game", "/games/1/game_id"),
        ([good, entry(games[2], stranger)], "bad_token", "/games/1/token"),
        ([good, good], "invalid", "/games/1/game_id"),
        ([good] * 65, "invalid", "/games"),
        ([], "invalid", "/games"),
        ([good | {"after": -1}], "invalid", "/games/0/after"),
        ([good | {"since": 1}], "invalid", "/games/0/since"),
        ([{"token": "rn_x"}], "invalid", "/games/0/game_id"),
    ):
        refused(desk.api.post("/v1/streams", {"games": entries}), code, pointer)
    assert games[0].players[0].post(f"{games[0].path}/token").status == 200
    refused(desk.api.post("/v1/streams", {"games": [entry(games[0], games[0].players[0])]}), "token_revoked")
    refused(desk.api.post("/v1/streams", {"games": [good]}, Accept="text/event-stream"), "not_acceptable")


def test_sixty_four_games_are_heard_together(desk: Desk) -> None:
    many = [desk.api.post("/v1/games").headers["location"] for _ in range(64)]
    heard = Heard(desk.api, *({"game_id": id_of(path)} for path in many))
    assert [line["game_id"] for line in heard.next(64)] == [id_of(path) for path in many]
    assert desk.api.post(f"{many[40]}/players", {"name": "Ada"}).status == 201
    (line,) = heard.next(1)
    assert (line["game_id"], line["line"]["type"]) == (id_of(many[40]), "player_joined")
