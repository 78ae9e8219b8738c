"""How often a request asks Redis."""

import threading

import pytest

from tests.support.answers import NO_ACTION, eventually, scene
from tests.support.desk import Desk
from tests.support.serving import Reply, Seated, new_game
from tests.support.trips import Trips


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


@pytest.fixture
def game(desk: Desk) -> Seated:
    game = new_game(desk.api, position=scene())
    for player in game.players:
        player.get(game.path)  # so that it is noted that they are there
    return game


@pytest.fixture
def trips(desk: Desk, game: Seated, monkeypatch: pytest.MonkeyPatch) -> Trips:
    return Trips(desk, monkeypatch)


def test_a_move_takes_two_round_trips(game: Seated, trips: Trips) -> None:
    assert game.players[0].play(game.path, NO_ACTION, Idempotency_Key="a move that is sent once").status == 200
    assert len(trips.made) == 2


# They look when they come, and when their subscription begins; who reads events is looked for before.
@pytest.mark.parametrize(
    ("question", "asleep"),
    [("?after={version}&wait=20", 2), ("/events?after={seq}&wait=20", 3)],
    ids=["the state", "events"],
)
def test_who_waits_reads_the_game_once_when_there_is_news(
    game: Seated, trips: Trips, question: str, asleep: int
) -> None:
    state, replies = game.state, list[Reply]()
    path = game.path + question.format(**state)
    waiting = threading.Thread(target=lambda: replies.append(game.players[1].get(path)), name="waiting")
    waiting.start()
    eventually(lambda: trips.of("waiting") == asleep)
    assert game.players[0].play(game.path, NO_ACTION).status == 200
    waiting.join()
    assert replies[0].status == 200
    assert trips.of("waiting") == asleep + 1
