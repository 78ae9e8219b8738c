"""Looking again and again, cheaply, and waiting for news."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.answers import LAST_MOVE, NO_ACTION, at_once, refused, scene, settled
from tests.support.serving import Client, Seated, new_game

SOON = 5.0  # seconds within which a waiting client must hear of news, on a busy machine
WAIT = 20


@pytest.fixture
def game(api: Client) -> Seated:
    return new_game(api, position=scene())


def meanwhile(ask: Callable[[], Any], act: Callable[[], object]) -> tuple[Any, float]:
    """What a client who waits is answered, and how long after the act."""
    replies: list[tuple[Any, float]] = []
    waiting = threading.Thread(target=lambda: replies.append((ask(), time.monotonic())))
    waiting.start()
    time.sleep(0.3)
    assert not replies, f"answered before there was news: {replies}"
    act()
    acted = time.monotonic()
    waiting.join()
    return replies[0][0], replies[0][1] - acted


def test_whoever_has_the_state_is_told_so_in_304_without_a_body(game: Seated) -> None:
    for viewer in (game.host, game.players[0]):
        seen = viewer.get(game.path)
        etag = seen.headers["etag"]
        for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
            again = viewer.get(game.path, If_None_Match=known)
            assert (again.status, again.body) == (304, b"")
            assert again.headers["etag"] == seen.headers["etag"]
            assert again.headers["access-control-allow-origin"] == "*"


def test_every_change_changes_the_etag(game: Seated) -> None:
    before = game.host.get(game.path)
    game.host.put(f"{game.path}/seats/1/controller", {"kind": "bot", "bot": "sailor"})
    after = game.host.get(game.path, If_None_Match=before.headers["etag"])
    assert after.status == 200
    assert after.headers["etag"] != before.headers["etag"]
    assert after.body["version"] == before.body["version"] + 1


def test_views_of_one_version_have_etags_of_their_own(api: Client, game: Seated) -> None:
    etags = {viewer.get(game.path).headers["etag"] for viewer in (api, game.host, *game.players)}
    assert len(etags) == 5
    assert game.players[1].get(game.path, If_None_Match=game.host.get(game.path).headers["etag"]).status == 200


def test_a_moves_answer_has_the_etag_of_the_state_in_it(game: Seated) -> None:
    played = game.players[0].play(game.path, {"type": "open_hatch", "to": 7})
    seen = game.players[0].get(game.path)
    assert played.headers["etag"] == seen.headers["etag"]
    assert settled(played.body["game"]) == settled(seen.body)


@pytest.mark.parametrize("part", ["?after={version}&wait=20", "/events?after={seq}&wait=20"])
def test_a_waiting_client_hears_of_a_move_at_once(api: Client, game: Seated, part: str) -> None:
    state = game.state
    path = game.path + part.format(**state)
    move = {"type": "open_hatch", "to": 7}
    reply, after = meanwhile(lambda: api.get(path), lambda: game.players[0].play(game.path, move))
    assert reply.status == 200
    assert after < SOON
    if "version" in reply.body:
        assert reply.body["version"] == state["version"] + 1
    else:
        assert reply.body["events"][0]["seq"] == state["seq"] + 1
        assert reply.body["events"][0]["move"] == move


def test_whoever_waits_with_an_etag_is_answered_the_new_state(game: Seated) -> None:
    seen = game.host.get(game.path)
    path = f"{game.path}?after={seen.body['version']}&wait={WAIT}"
    reply, after = meanwhile(
        lambda: game.host.get(path, If_None_Match=seen.headers["etag"]),
        lambda: game.players[0].play(game.path, {"type": "open_hatch", "to": 7}),
    )
    assert (reply.status, reply.body["version"]) == (200, seen.body["version"] + 1)
    assert after < SOON


def test_many_wait_for_one_game_and_all_hear(api: Client, game: Seated) -> None:
    version = game.state["version"]
    path = f"{game.path}?after={version}&wait={WAIT}"
    heard, after = meanwhile(
        lambda: at_once(30, lambda: api.get(path).body["version"]),
        lambda: game.players[0].play(game.path, {"type": "open_hatch", "to": 7}),
    )
    assert heard == [version + 1] * 30
    assert after < SOON


def test_old_news_is_answered_at_once(game: Seated) -> None:
    state = game.state
    began = time.monotonic()
    for query in (f"?after={state['version'] - 1}&wait={WAIT}", f"?after={state['version']}"):
        assert settled(game.host.get(game.path + query).body) == settled(state)
    assert game.host.get(f"{game.path}/events?after=0&wait={WAIT}").body["next"] == state["seq"]
    assert time.monotonic() - began < SOON


def test_when_nothing_happens_the_wait_is_over_in_time(game: Seated) -> None:
    seen = game.host.get(game.path)
    version, seq = seen.body["version"], seen.body["seq"]
    began = time.monotonic()
    assert settled(game.host.get(f"{game.path}?after={version}&wait=1").body) == settled(seen.body)
    assert game.host.get(f"{game.path}?after={version}&wait=1", If_None_Match=seen.headers["etag"]).status == 304
    events = game.host.get(f"{game.path}/events?after={seq}&wait=1").body
    assert (events["events"], events["next"], events["more"]) == ([], seq, False)
    assert 3 <= time.monotonic() - began < 3 + SOON


@pytest.mark.parametrize("part", ["?after={version}&wait=20", "/events?after={seq}&wait=20"])
def test_who_waits_for_a_game_that_is_deleted_hears_that_it_is_gone(game: Seated, part: str) -> None:
    path = game.path + part.format(**game.state)
    reply, after = meanwhile(lambda: game.players[0].get(path), lambda: game.host.delete(game.path))
    refused(reply, "no_such_game")
    assert after < SOON


def test_who_waits_for_events_hears_the_end_and_then_never_waits_again(api: Client) -> None:
    game = new_game(api, position=LAST_MOVE)
    path = f"{game.path}/events?after={game.state['seq']}&wait={WAIT}"
    reply, after = meanwhile(lambda: api.get(path), lambda: game.players[0].play(game.path, NO_ACTION))
    assert reply.body["events"][-1]["type"] == "game_over"
    assert after < SOON
    began = time.monotonic()
    assert api.get(f"{game.path}/events?after={reply.body['next']}&wait={WAIT}").body["events"] == []
    assert time.monotonic() - began < SOON


def test_the_history_comes_in_pages_without_gaps(game: Seated) -> None:
    for _ in range(4):
        game.host.put(f"{game.path}/seats/1/controller", {"kind": "bot", "bot": "sailor"})
        game.host.put(f"{game.path}/seats/1/controller", {"kind": "player"})
    told, after, more = [], 0, True
    while more:
        page = game.host.get(f"{game.path}/events?after={after}&limit=3").body
        assert len(page["events"]) <= 3
        told += page["events"]
        after, more = page["next"], page["more"]
    assert [event["seq"] for event in told] == [*range(1, game.state["seq"] + 1)]
    at_once = game.host.get(f"{game.path}/events").body
    assert at_once == {"events": told, "next": after, "more": False, "epoch": game.state["epoch"]}
    versions = [event["version"] for event in told]
    assert versions == sorted(versions)
    assert versions[-1] == game.state["version"]


@pytest.mark.parametrize(
    ("part", "parameter"),
    [
        ("?after=-1", "after"), ("?wait=61", "wait"), ("?wait=soon", "wait"), ("?since=3", "since"),
        ("/events?limit=0", "limit"), ("/events?limit=1001", "limit"), ("/events?after=99999999999", "after"),
    ],
)  # fmt: skip
def test_a_bad_query_is_refused_with_the_name_of_its_parameter(game: Seated, part: str, parameter: str) -> None:
    body = refused(game.host.get(game.path + part), "invalid")
    assert [error["parameter"] for error in body["errors"]] == [parameter]
