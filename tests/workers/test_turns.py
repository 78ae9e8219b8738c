"""What workers do with a game, in this process: bots that play, fail or race, hints that are lost or doubled."""

import threading
from typing import Any, cast

import pytest

from bots import safety
from bots.roster import ROSTER
from service.queue import queueing, waiting
from service.store import keys
from service.workers import jobs, sweeper, turn_worker
from service.workers.work_process import Deadline
from tests.support.desk import Desk
from tests.support.serving import Seated, Wire, new_game


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(redis_url)
    made.clear_queues()
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    return made


def crew(desk: Desk, *seats: str, **wanted: Any) -> Seated:
    return new_game(desk.api, seats=list(seats), **wanted)


def id_of(game: Seated) -> str:
    return game.path.rpartition("/")[2]


def work_to_the_end(desk: Desk, game: Seated) -> Wire:
    """However many slices it takes."""
    for _ in range(100):
        desk.work(game.path)
        if game.state["result"]:
            return game.state
    raise AssertionError("the bots do not come to an end")


def is_linear(history: list[Wire]) -> bool:
    """Each event has the next number, and versions never go back."""
    versions = [event["version"] for event in history]
    return [event["seq"] for event in history] == [*range(1, len(history) + 1)] and versions == sorted(versions)


def test_bots_play_to_the_end_move_by_move(desk: Desk) -> None:
    game = crew(desk, "sailor", "cabin_boy", "sailor")
    state = work_to_the_end(desk, game)
    assert state["status"] == "finished"
    history = desk.history(game.path)
    assert is_linear(history)
    chosen = [event["version"] for event in history if event["type"] == "choice" and not event["automatic"]]
    assert len(set(chosen)) == len(chosen) == state["moves_played"]
    assert history[-1]["type"] == "game_over"


def test_bots_that_take_long_say_when_they_think(desk: Desk) -> None:
    game = crew(desk, "admiral", "captain", "sailor", seed="5" * 64)
    work_to_the_end(desk, game)
    history = desk.history(game.path)
    thoughts = [event for event in history if event["type"] == "bot_thinks"]
    turns = [event for event in history if event["type"] == "turn_began" and event["seat"] == 0]
    assert {(event["seat"], event["bot"]) for event in thoughts} == {(0, "admiral")}
    assert len(thoughts) >= len(turns) - 1


def test_bots_stop_where_a_player_must_decide(desk: Desk) -> None:
    game = crew(desk, "open", "sailor", "sailor")
    for _ in range(5):
        desk.work(game.path)
        state = game.state
        if state["result"]:
            break
        assert state["decision"]["seat"] == 0
        version = state["version"]
        desk.work(game.path)
        assert game.state["version"] == version
        legal = game.players[0].get(game.path).body["legal_moves"]
        assert game.players[0].play(game.path, legal[-1]).status == 200


def test_a_players_move_calls_a_worker_when_a_bot_is_next(desk: Desk) -> None:
    game = crew(desk, "sailor", "sailor", "sailor", start=False)
    assert desk.store.redis.llen(keys.jobs(queueing.TURNS)) == 0
    game.host.post(f"{game.path}/start")
    assert desk.store.redis.llen(keys.jobs(queueing.TURNS)) == 1
    taken = waiting.take(desk.store, queueing.TURNS)
    assert taken is not None
    assert taken.item == id_of(game)
    assert desk.store.redis.zscore("due", id_of(game)) is not None


def test_a_hint_that_comes_twice_does_nothing_twice(desk: Desk) -> None:
    game = crew(desk, "open", "sailor", "sailor")
    desk.work(game.path)
    version = game.state["version"]
    for _ in range(3):
        desk.work(game.path)
    assert game.state["version"] == version


def test_a_game_that_a_worker_has_is_offered_to_no_other(desk: Desk) -> None:
    game = crew(desk, "sailor", "sailor", "sailor")
    taken = waiting.take(desk.store, queueing.TURNS)
    assert taken is not None
    with taken:
        desk.store.redis.zadd("due", {id_of(game): 1.0})
        assert sweeper.sweep(desk.store) == 0
        assert waiting.take(desk.store, queueing.TURNS) is None
    assert not waiting.is_taken(desk.store.redis, queueing.TURNS, id_of(game))


def test_of_workers_who_all_have_the_same_game_one_wins_each_version(desk: Desk) -> None:
    """Leases save work only: what keeps histories straight is the comparison of versions."""
    game = crew(desk, "sailor", "sailor", "sailor", "cabin_boy")
    workers = [threading.Thread(target=work_to_the_end, args=(desk, game)) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    history = desk.history(game.path)
    assert is_linear(history)
    moves = [event for event in history if event["type"] == "choice" and not event["automatic"]]
    assert len(moves) == game.state["moves_played"]
    assert sum(event["type"] == "game_over" for event in history) == 1


def test_the_sweeper_calls_again_when_the_queue_lost_the_hint(desk: Desk) -> None:
    game = crew(desk, "sailor", "sailor", "sailor")
    desk.clear_queues()
    assert sweeper.sweep(desk.store) == 0, "the worker who was called has a moment to come"
    desk.store.redis.zadd("due", {id_of(game): 1.0})
    assert sweeper.sweep(desk.store) == 1
    assert sweeper.sweep(desk.store) == 0, "it waits already"
    desk.store.redis.delete(keys.jobs(queueing.TURNS))
    waiting.top_up(desk.store, queueing.TURNS)
    assert desk.store.redis.llen(keys.jobs(queueing.TURNS)) == 1


def test_the_sweeper_forgets_games_that_are_gone(desk: Desk) -> None:
    desk.store.redis.zadd("due", {"gone": 1.0})
    assert sweeper.sweep(desk.store) == 0
    assert desk.store.redis.zscore("due", "gone") is None


def test_a_bot_that_fails_is_replaced_and_reported(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTER, "bosun", _Broken())
    desk.store.redis.delete(keys.REPORTS)
    game = crew(desk, "bosun", "bosun", "bosun")
    assert work_to_the_end(desk, game)["result"]
    assert b"out of rum" in desk.store.redis.lrange(keys.REPORTS, 0, 0)[0]


class _Broken:
    playouts = 0

    def choose(self, *_: Any, **__: Any) -> list[Wire]:
        raise RuntimeError("out of rum")


@pytest.mark.parametrize(("attempts", "played_by"), [(4, "sailor"), (6, "anything")])
def test_a_bot_that_takes_its_workers_down_loses_the_say(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, attempts: int, played_by: str
) -> None:
    """Attempts that left nothing but their count: sailors decide after three, after five any legal move is played."""
    asked: list[str] = []
    real = safety.choose_safely

    def noted(name: str, *rest: Any, **how: Any) -> Any:
        asked.append(name)
        return real(name, *rest, **how)

    monkeypatch.setattr(jobs, "choose_safely", noted)
    game = crew(desk, "bosun", "open", "open", position=_bosun_first())
    desk.store.redis.set(f"tries:{id_of(game)}", attempts - 1)
    with jobs.Shift(desk.store, desk.table(game.path)) as shift:
        shift.act()
    assert asked == ([] if played_by == "anything" else [played_by])
    assert game.state["moves_played"] >= 1
    assert desk.store.redis.get(f"tries:{id_of(game)}") is None


def _bosun_first() -> Wire:
    return {"rules": {"gnomes": 3}, "gnomes": [{"minutes": 60}, {"minutes": 50}, {"minutes": 50}], "active": 0}


def test_a_seat_taken_back_while_the_bot_thinks_is_the_players(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    game = crew(desk, "open", "open", "open", position=_bosun_first())
    control = f"{game.path}/seats/0/controller"
    game.host.put(control, {"kind": "bot", "bot": "bosun"})
    real = safety.choose_safely

    def slow(*arguments: Any, **how: Any) -> Any:
        found = real(*arguments, **how)
        assert game.host.put(control, {"kind": "player"}).status == 200
        return found

    monkeypatch.setattr(jobs, "choose_safely", slow)
    desk.work(game.path)
    state = game.players[0].get(game.path).body
    assert state["moves_played"] == 0
    assert state["legal_moves"]
    assert game.players[0].play(game.path, state["legal_moves"][0]).status == 200
    assert is_linear(desk.history(game.path))


def test_a_game_deleted_while_the_bot_thinks_is_gone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    game = crew(desk, "sailor", "sailor", "sailor")
    real = safety.choose_safely

    def slow(*arguments: Any, **how: Any) -> Any:
        game.host.delete(game.path)
        return real(*arguments, **how)

    monkeypatch.setattr(jobs, "choose_safely", slow)
    desk.work(game.path)
    assert game.host.get(game.path).status == 404
    found = cast(list[bytes], desk.store.redis.keys(f"*{id_of(game)}*"))
    left = [key for key in found if not key.startswith(b"rq:")]
    assert left == [], "hints run out by themselves; nothing else may stay"


def test_a_worker_waits_longer_for_redis_than_rq_for_a_job(redis_url: str) -> None:
    """Else an idle worker would take the quiet for a lost connection."""
    client = turn_worker.client_for_rq(redis_url)
    idle = turn_worker.TurnWorker(client, [queueing.TURNS], Deadline()).dequeue_timeout
    assert client.waiting.connection_pool.connection_kwargs["socket_timeout"] > idle
    client.connection_pool.disconnect()


def test_a_decision_costs_two_round_trips_and_ten_commands(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for what a slice begins and ends with: four round trips of its own."""
    game = crew(desk, "sailor", "captain", "sailor")
    sent: list[int] = []
    ask = desk.store.redis.ask

    def noted(*commands: Any, **how: Any) -> Any:
        sent.append(len(commands))
        return ask(*commands, **how)

    monkeypatch.setattr(waiting, "SLICE_SECONDS", dict.fromkeys(waiting.SLICE_SECONDS, 600.0))
    monkeypatch.setattr(desk.store.redis, "ask", noted)
    desk.work(game.path)
    monkeypatch.undo()
    moves = game.state["moves_played"]
    assert moves > 20
    assert len(sent) <= 2 * moves + 4
    assert max(sent) <= 10


def test_a_worker_in_the_midst_of_another_job_serves_live_games(desk: Desk, redis_url: str) -> None:
    game = crew(desk, "sailor", "sailor", "sailor")
    client = turn_worker.client_for_rq(redis_url)
    worker = turn_worker.TurnWorker(client, [queueing.TURNS, queueing.MATCHES], Deadline())
    desk.store.redis.rpush(keys.jobs(queueing.MATCHES), f"match-{'a' * 16}-{'0' * 12}")
    worker.serve_live_games()
    assert game.state["result"]
    assert desk.store.redis.llen(keys.jobs(queueing.MATCHES)) == 1
    client.connection_pool.disconnect()


def test_a_job_within_another_has_time_of_its_own() -> None:
    deadline, seen = Deadline(), []
    with deadline.job(600):
        with deadline.job(0.0):
            seen.append(deadline.has_passed)
        seen.append(deadline.has_passed)
        seen.append(deadline.is_set)
    assert [*seen, deadline.is_set] == [True, False, True, False]
