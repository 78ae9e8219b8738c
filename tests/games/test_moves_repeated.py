"""A move that is sent again is answered as the first time, out of a note of some bytes and the game."""

import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from engine.rules import RULES_VERSION
from service.games import moved
from tests.support.answers import NO_ACTION, refused, scene
from tests.support.desk import Desk, HeldClock
from tests.support.playing import pick
from tests.support.serving import Client, Reply, Seated, Wire, new_game

CRAZED = {"crazed_gnomes": True}
DAY = 86400
SMALL = 320  # bytes that Redis takes for what repeats a move; all of the answer took 1,500 and more

Repeat = Callable[[], Reply]


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    return HeldClock(monkeypatch)


@pytest.fixture
def desk(redis_url: str, time: HeldClock) -> Desk:
    return Desk(redis_url)


def told(reply: Reply) -> tuple[int, bytes, Wire]:
    """What must be the same: the status, every byte of the body, and the headers that tell of the game."""
    named = {name: reply.headers.get(name) for name in ("etag", "preference-applied", "location")}
    return reply.status, orjson.dumps(reply.body), named


def kept(desk: Desk) -> set[Any]:
    return set(desk.store.redis.keys("answer:*"))


def played(player: Client, game: Seated, key: str, moves: list[Any], **headers: str) -> tuple[Reply, Repeat]:
    def send() -> Reply:
        return player.post(f"{game.path}/moves", {"moves": moves}, Idempotency_Key=key, **headers)

    first = send()
    assert first.status == 200, first.body
    return first, send


@pytest.mark.parametrize("rules", [{}, CRAZED], ids=["open", "hidden hands"])
def test_moves_are_answered_as_the_first_time_whatever_happened_since(desk: Desk, time: HeldClock, rules: Wire) -> None:
    chance = random.Random(7)
    game = new_game(desk.api, seats=4, rules=rules, turn_seconds=100, client_data={"colour": "red"})
    asked: list[tuple[int, Reply, Repeat]] = []
    state = game.state
    while state["result"] is None and len(asked) < 40:
        number = len(asked)
        seat = state["decision"]["seat"]
        player = game.players[seat]
        move = pick(player.get(game.path).body["legal_moves"], chance)
        headers = {"Prefer": "return=minimal"} if number % 5 == 4 else {}
        asked.append((seat, *played(player, game, f"move {number}", [move], **headers)))
        time.move(chance.uniform(0, 40))
        if number == 8:
            assert game.host.patch(game.path, {"client_data": {"colour": "blue"}}).status == 200
        state = game.state
    assert state["status"] == "playing"
    assert game.host.delete(f"{game.path}/players/p1").status == 204
    assert game.host.post(f"{game.path}/token").status == 200
    time.move(DAY - 1)
    for seat, first, repeat in asked:
        again = repeat()
        if seat == 0:
            refused(again, "bad_token")
            continue
        assert again.headers["idempotency-replayed"] == "true"
        assert told(again) == told(first)


def test_a_whole_turn_and_the_last_move_are_answered_as_the_first_time(desk: Desk, time: HeldClock) -> None:
    game = new_game(desk.api, seats=3, position=scene())
    turn = [{"type": "open_hatch", "to": 7}, {"type": "enter"}]
    first, repeat = played(game.players[0], game, "a turn", turn)
    assert first.body["version"] > 2
    time.move(1)
    assert told(repeat()) == told(first)


def test_what_repeats_a_move_takes_few_bytes(desk: Desk) -> None:
    game, before = new_game(desk.api, seats=8, turn_seconds=100), kept(desk)
    player = game.decider()
    played(player, game, "a move", [player.get(game.path).body["legal_moves"][0]])
    (name,) = kept(desk) - before
    taken: Any = desk.store.redis.memory_usage(name)
    assert taken < SMALL


def test_a_game_that_began_under_earlier_rules_keeps_the_whole_answer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, before = new_game(desk.api, position=scene()), kept(desk)
    with monkeypatch.context() as later:
        later.setattr(moved, "RULES_VERSION", RULES_VERSION + 1)
        first, repeat = played(game.players[0], game, "before", [NO_ACTION])
    (name,) = kept(desk) - before
    stored: Any = desk.store.redis.hget(name, "answer")
    assert not moved.is_note(stored)
    assert told(repeat()) == told(first)


def test_of_a_game_that_is_deleted_no_move_is_answered_again(desk: Desk) -> None:
    game = new_game(desk.api, position=scene())
    _, repeat = played(game.players[0], game, "gone", [NO_ACTION])
    game.host.delete(game.path)
    refused(repeat(), "no_such_game")


def test_a_repeated_move_is_not_answered_out_of_the_past_of_another_redis(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that missed the move takes over after the note of it was found, and somebody plays on there."""
    game, store = new_game(desk.api, seats=3, position=scene()), desk.store
    names = store.names.all_of_game(game.path.rpartition("/")[2])
    copied = {name: was for name in names if (was := store.redis.dump(name))}
    before, player = kept(desk), game.players[0]
    version = game.state["version"]
    hatch = {"type": "open_hatch", "to": 7}
    body = {"moves": [hatch], "version": version}
    first = player.post(f"{game.path}/moves", body, Idempotency_Key="lost")
    assert first.status == 200
    confirm = store.confirm

    def taken_over(retry: Any) -> None:
        monkeypatch.undo()
        store.redis.delete(*(kept(desk) - before))
        for name, was in copied.items():
            store.redis.restore(name, 0, was, replace=True)
        assert player.post(f"{game.path}/moves", {"moves": [NO_ACTION]}).status == 200
        confirm(retry)

    monkeypatch.setattr(type(store), "confirm", lambda _, retry: taken_over(retry))
    refused(player.post(f"{game.path}/moves", body, Idempotency_Key="lost"), "version_conflict")
    told = game.host.get(f"{game.path}/events").body["events"]
    assert [event["version"] for event in told if event["type"] == "choice"] == [version + 1]
