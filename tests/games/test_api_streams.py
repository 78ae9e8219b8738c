"""Streams of a game's history: lines of JSON, or server-sent events."""

import threading
import time
from contextlib import ExitStack
from typing import Any

import pytest

from service.callers.door import STREAMS, WAITS
from tests.support.answers import (
    LAST_MOVE,
    NDJSON,
    NO_ACTION,
    SSE,
    eventually,
    finished,
    lines,
    listening,
    messages,
    refused,
    scene,
    settled,
)
from tests.support.serving import PATIENCE, UNLIMITED, Client, Seated, Wire, new_game, running_web
from tests.workers.test_health import held

HATCH = {"type": "open_hatch", "to": 7}


@pytest.fixture
def game(api: Client) -> Seated:
    return new_game(api, position=scene())


def stir(game: Seated, times: int) -> None:
    """Changes that any game can go through at any time, an event each."""
    kind = game.state["seats"][2]["kind"]
    for _ in range(times):
        kind = "player" if kind == "bot" else "bot"
        wanted = {"kind": kind} | ({"bot": "sailor"} if kind == "bot" else {})
        assert game.host.put(f"{game.path}/seats/2/controller", wanted).status == 200


def test_the_state_comes_first_and_then_every_event_as_it_happens(api: Client, game: Seated) -> None:
    with listening(game.players[0], f"{game.path}/events/stream") as stream:
        assert stream.status == 200
        assert stream.headers["content-type"].startswith(NDJSON)
        assert stream.headers["access-control-allow-origin"] == "*"
        (first,) = lines(stream, 1)
        assert (first["type"], first["seq"]) == ("state", game.state["seq"])
        assert settled(first["state"]) == settled(game.players[0].get(game.path).body)
        for _ in range(3):
            stir(game, 1)
            (event,) = lines(stream, 1)
            assert event == api.get(f"{game.path}/events").body["events"][-1]


def test_server_sent_events_carry_the_seq_as_their_id(api: Client, game: Seated) -> None:
    with listening(api, f"{game.path}/events/stream?after=2", SSE) as stream:
        assert stream.headers["content-type"].startswith(SSE)
        seq = game.state["seq"]
        told = messages(stream, seq - 1)
        stir(game, 1)
        told += messages(stream, 1)
    assert [id_ for id_, _ in told] == [*range(2, seq + 2)]
    assert told[0][1]["type"] == "state"
    assert [event for _, event in told[1:]] == api.get(f"{game.path}/events?after=2").body["events"]


@pytest.mark.parametrize("resume", ["after", "Last-Event-ID"])
def test_whoever_lost_a_stream_goes_on_without_gap_or_repetition(api: Client, game: Seated, resume: str) -> None:
    told: list[Wire] = []
    last = 0
    for _ in range(4):
        query, headers = ("", {"Last_Event_ID": str(last)}) if resume != "after" else (f"?after={last}", {})
        with listening(api, f"{game.path}/events/stream{query}", SSE, **headers) as stream:
            missed = game.state["seq"] - last
            told += [event for _, event in messages(stream, 1 + missed)[1:]]
            stir(game, 1)
            told += [event for _, event in messages(stream, 1)]
        last = told[-1]["seq"]
        stir(game, 3)
    assert [event["seq"] for event in told] == [*range(1, last + 1)]


def test_whoever_has_the_end_of_a_game_is_told_to_come_no_more(api: Client) -> None:
    game = finished(api)
    seq = game.state["seq"]
    assert api.get(f"{game.path}/events/stream", Accept=SSE, Last_Event_ID=str(seq)).status == 204
    with listening(api, f"{game.path}/events/stream", SSE, Last_Event_ID=str(seq - 1)) as stream:
        assert messages(stream)[-1][1]["type"] == "game_over"
    with listening(api, f"{game.path}/events/stream?after={seq}") as stream:
        assert lines(stream)[-1]["type"] == "game_over"


def test_after_says_more_than_last_event_id(api: Client, game: Seated) -> None:
    with listening(api, f"{game.path}/events/stream?after=4", Last_Event_ID="1") as stream:
        assert [line["seq"] for line in lines(stream, 2)][1] == 5


@pytest.mark.parametrize("nonsense", ["abc", "-1", "", "9" * 30])
def test_a_last_event_id_that_is_not_ours_means_from_now_on(api: Client, game: Seated, nonsense: str) -> None:
    with listening(api, f"{game.path}/events/stream", Last_Event_ID=nonsense) as stream:
        stir(game, 1)
        assert lines(stream, 2)[1]["seq"] == game.state["seq"]


def test_everybody_hears_everything_in_order_while_much_happens(api: Client, game: Seated) -> None:
    heard: list[list[int]] = []
    began = game.state["seq"]

    def listen(accept: str) -> None:
        with listening(api, f"{game.path}/events/stream?after={began}", accept) as stream:
            ready.release()
            if accept == NDJSON:
                heard.append([line["seq"] for line in lines(stream, 41)[1:]])
            else:
                heard.append([event["seq"] for _, event in messages(stream, 41)[1:]])

    ready = threading.Semaphore(0)
    ears = [threading.Thread(target=listen, args=(accept,)) for accept in (NDJSON, SSE) * 5]
    for ear in ears:
        ear.start()
    for _ in ears:
        ready.acquire()
    stir(game, 40)
    for ear in ears:
        ear.join(PATIENCE)
    assert heard == [[*range(began + 1, began + 41)]] * 10


@pytest.mark.parametrize("accept", [NDJSON, SSE])
def test_a_stream_ends_with_game_over_and_closes(api: Client, accept: str) -> None:
    game = new_game(api, position=LAST_MOVE)
    with listening(api, f"{game.path}/events/stream", accept) as stream:
        game.players[0].play(game.path, NO_ACTION)
        told = lines(stream) if accept == NDJSON else [event for _, event in messages(stream)]
    assert told[0]["type"] == "state"
    assert [event["seq"] for event in told[1:]] == [*range(told[0]["seq"] + 1, game.state["seq"] + 1)]
    assert (told[-1]["type"], told[-1]["crew"]) == ("game_over", "rescued")


@pytest.mark.parametrize(
    ("after", "first"), [("", -1), ("?after=0", 0), ("?after=3", 3), ("?after={seq}", -1), ("?after=99999", -1)]
)
def test_a_finished_game_is_told_to_its_end_at_once(api: Client, after: str, first: int) -> None:
    game = finished(api)
    history = api.get(f"{game.path}/events").body["events"]
    with listening(api, f"{game.path}/events/stream{after.format(seq=history[-1]['seq'])}") as stream:
        state, *told = lines(stream)
    assert settled(state["state"]) == settled(api.get(game.path).body)
    assert told == history[first:]


def test_a_stream_of_a_deleted_game_says_so_and_ends(api: Client, game: Seated) -> None:
    with listening(game.players[0], f"{game.path}/events/stream") as stream:
        lines(stream, 1)
        game.host.delete(game.path)
        assert lines(stream) == [{"type": "game_deleted"}]


def test_a_stream_ends_for_the_player_who_left_and_for_nobody_else(game: Seated) -> None:
    path = f"{game.path}/events/stream"
    with listening(game.players[1], path) as one, listening(game.players[0], path, SSE) as other:
        game.host.delete(f"{game.path}/players/p2")
        assert lines(one)[-1]["type"] == "player_left"
        stir(game, 1)
        assert [event["type"] for _, event in messages(other, 3)] == ["state", "player_left", "controller_changed"]


def test_a_quiet_stream_shows_that_it_is_alive(api: Client, game: Seated) -> None:
    """And whoever waits for it holds up nobody else."""
    began = time.monotonic()
    path = f"{game.path}/events/stream"
    with listening(api, path) as rows, listening(api, path, SSE) as events:
        lines(rows, 1)
        messages(events, 1)
        assert events.readline() == b"\n"
        assert rows.readline() == b"\n"
        assert events.readline() == b":\n"
    assert 6 < time.monotonic() - began < 12


def test_streams_are_refused_like_everything_else(api: Client, game: Seated) -> None:
    stranger = api.be(api.post("/v1/games").body["token"])
    for accept in (NDJSON, SSE):
        refused(stranger.get(f"{game.path}/events/stream", Accept=accept), "bad_token")
        refused(api.get("/v1/games/aaaaaaaaaaaaaaaa/events/stream", Accept=accept), "no_such_game")
        refused(api.get(f"{game.path}/events/stream?after=x", Accept=accept), "invalid")
    for path in (f"{game.path}/events", f"{game.path}/events/stream"):
        refused(api.get(path, Accept="text/html"), "not_acceptable")
    assert api.get(f"{game.path}/events", Accept="text/html, */*;q=0.1").body["events"]


@pytest.mark.parametrize("accept", [NDJSON, SSE])
def test_who_wants_a_stream_where_there_are_pages_is_told_where_it_is(api: Client, game: Seated, accept: str) -> None:
    told = refused(api.get(f"{game.path}/events", Accept=accept), "not_acceptable")
    assert told["detail"] == f"{accept} is what GET {game.path}/events/stream answers."


def test_a_stream_is_one_of_server_sent_events_where_nothing_else_is_asked_for(api: Client) -> None:
    over = finished(api)
    for accept in ("*/*", "text/*", f"{NDJSON};q=0.5, {SSE}"):
        with listening(api, f"{over.path}/events/stream", accept) as stream:
            assert stream.headers["content-type"].startswith(SSE)
            assert messages(stream)[-1][1]["type"] == "game_over"


def test_a_server_that_stops_lets_go_whoever_waits(redis_url: str) -> None:
    with ExitStack() as server:
        web = server.enter_context(running_web(redis_url, workers=1, **UNLIMITED))
        game = new_game(web, position=scene())
        game_seq = game.state["seq"]
        waiting = f"{game.path}?after={game.state['version']}&wait=25"
        heard: list[Any] = []

        def listen() -> None:
            with listening(web, f"{game.path}/events/stream") as stream:
                first, last = lines(stream)
                heard.append(last)
                assert first["seq"] == last["after"]

        clients = [
            threading.Thread(target=lambda: heard.append(web.get(waiting).status)),
            threading.Thread(target=listen),
        ]
        for client in clients:
            client.start()
        eventually(lambda: (held(web, STREAMS), held(web, WAITS)) == (1, 1))
        began = time.monotonic()
        server.close()
    for client in clients:
        client.join()
    assert 200 in heard
    assert {"type": "reconnect", "after": game_seq} in heard
    assert time.monotonic() - began < 10


def test_a_caller_has_only_so_many_streams_open_at_a_time(redis_url: str) -> None:
    with running_web(redis_url, workers=1, **(UNLIMITED | {"STREAMS_PER_CALLER": "2"})) as web:
        game = new_game(web, position=scene())
        path, player = f"{game.path}/events/stream", game.players[0]
        with listening(player, path) as one, listening(player, path) as two:
            lines(one, 1)
            lines(two, 1)
            reply = player.get(path, Accept=NDJSON)
            refused(reply, "too_many_streams")
            assert int(reply.headers["retry-after"]) > 0
            with listening(game.players[1], path) as other:
                assert other.status == 200
            assert player.get(game.path).status == 200
        ends = time.monotonic() + PATIENCE
        status = 429
        while status != 200:
            assert time.monotonic() < ends, "the places of closed streams are not given back"
            stir(game, 1)  # lines find that nobody listens any more
            with listening(player, path) as again:
                status = again.status
