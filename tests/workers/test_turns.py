"""What workers do with a game, in this process: bots that play, fail or race, hints that are lost or doubled."""

import threading
from typing import Any, cast

import pytest

from bots import safety
from bots.budget import NOTHING
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
    budget = NOTHING

    def choose(self, *_: Any, **__: Any) -> list[Wire]:
        raise RuntimeError("out of rum")


@pytest.mark.parametrize(("deaths", "played_by"), [(2, "bosun"), (3, "sailor"), (5, None)])
def test_a_bot_that_takes_its_workers_down_loses_the_say(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, deaths: int, played_by: str | None
) -> None:
    """Sailors decide after three workers that died over a decision, after five any legal move is played."""
    game = crew(desk, "bosun", "open", "open", position=_bosun_first())
    for _ in range(deaths):
        die_over(desk)
    asked = asked_by_version(monkeypatch)
    jobs.take_turns()
    assert asked.pop(0, None) == played_by
    assert set(asked.values()) <= {"bosun"}, "it has its say again after that decision"
    assert game.state["moves_played"] >= 1
    assert not desk.store.redis.exists(keys.queue(queueing.TURNS, "deaths"))


def test_decisions_before_the_one_that_takes_workers_down_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told together is told one by one after a death, so that the deadly decision comes first at last."""
    game = crew(desk, "sailor", "sailor", "sailor")
    deadly = 10

    class Death(BaseException):
        pass

    def noted(name: str, bot: Any, played: Any, *rest: Any, **how: Any) -> Any:
        if name == "sailor" and played.version >= deadly and desk.table(game.path).game.version < 2 * deadly:
            raise Death
        return safety.choose_safely(name, bot, played, *rest, **how)

    monkeypatch.setattr(jobs, "choose_safely", noted)
    for _ in range(2):
        had = taken(desk)
        with pytest.raises(Death):
            jobs.play_on(desk.store, had.item, 60, had)
        lose(desk, had)
    assert deadly <= game.state["moves_played"] < 2 * deadly


def asked_by_version(monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """Return, as they are asked, which bot decides after so many moves."""
    asked: dict[int, str] = {}

    def noted(name: str, bot: Any, played: Any, *rest: Any, **how: Any) -> Any:
        asked[played.version] = name
        return safety.choose_safely(name, bot, played, *rest, **how)

    monkeypatch.setattr(jobs, "choose_safely", noted)
    return asked


def taken(desk: Desk) -> waiting.Taken:
    found = waiting.take(desk.store, queueing.TURNS)
    assert found is not None
    return found


def lose(desk: Desk, had: waiting.Taken) -> None:
    """The worker who had it is silent for so long that its lease runs out."""
    desk.store.redis.zadd(keys.queue(queueing.TURNS, "leases"), {had.item: 1.0})
    assert waiting.recover(desk.store, queueing.TURNS) == 1


def die_over(desk: Desk) -> None:
    lose(desk, taken(desk))


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


@pytest.mark.parametrize("seats", [("sailor", "captain", "sailor"), ("open", "sailor", "sailor", "sailor")])
def test_a_decision_costs_two_round_trips_and_ten_commands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, seats: tuple[str, ...]
) -> None:
    """All that is Redis' work is counted, what scripts do and what it takes to get hold of a game and to let it go."""
    trips, commands, decisions = 0, 0, 0
    game = crew(desk, *seats, seed="5" * 64)
    asked = asked_by_version(monkeypatch)
    for _ in range(ROUNDS):
        play_until_a_bot_decides(game)
        if game.state["result"]:
            break
        before = costs(desk)
        jobs.take_turns()
        spent = costs(desk, before)
        trips, commands = trips + spent[0], commands + spent[1]
        decisions += len(asked)
        asked.clear()
    assert decisions >= ROUNDS
    assert trips <= 2 * decisions
    assert commands <= 10 * decisions


ROUNDS = 8


def costs(desk: Desk, before: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Return how often Redis was asked, and what it executed, scripts' commands included, since such a look before."""
    counted: Any = desk.store.redis.info("commandstats")
    asked: Any = desk.store.redis.info("stats")
    trips, commands = asked["total_reads_processed"], sum(each["calls"] for each in counted.values())
    looks = 2 if before[0] else 0  # of a look itself
    return trips - before[0] - looks, commands - before[1] - looks


def play_until_a_bot_decides(game: Seated) -> None:
    while (state := game.players[0].get(game.path).body)["legal_moves"]:
        assert game.players[0].play(game.path, state["legal_moves"][-1]).status == 200


def test_what_bots_do_in_the_blink_of_an_eye_is_told_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """And can be told apart all the same: each move has its version, and each version can be gone back to."""
    game = crew(desk, "sailor", "sailor", "sailor")
    asked = asked_by_version(monkeypatch)
    before = commits(desk)
    work_to_the_end(desk, game)
    assert commits(desk) - before < len(asked) / 3
    told = {event["version"]: event for event in desk.history(game.path) if event["type"] == "choice"}
    for version in sorted(told)[: -1 : len(told) // 4]:  # the last one ends the game
        past = desk.api.get(f"{game.path}?version={version}").body
        fork = desk.api.post(f"{game.path}/forks", {"version": version}).body["game"]
        assert past["moves_played"] == fork["moves_played"] == sum(number <= version for number in told)
        assert past["rooms"] == fork["rooms"]


def commits(desk: Desk) -> int:
    return int(desk.store.redis.hget(keys.COUNTERS, "count:commit") or 0)


def test_a_visible_thought_hides_nothing_that_was_done_before(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    game = crew(desk, "sailor", "admiral", "sailor", "admiral")
    stale: list[int] = []

    def noted(name: str, bot: Any, played: Any, *rest: Any, **how: Any) -> Any:
        if name == "admiral" and desk.table(game.path).game.version < played.version:
            stale.append(played.version)
        return [played.legal_moves()[-1]], []

    monkeypatch.setattr(jobs, "choose_safely", noted)
    work_to_the_end(desk, game)
    assert stale == []


def test_a_worker_in_the_midst_of_another_job_serves_live_games(desk: Desk, redis_url: str) -> None:
    game = crew(desk, "sailor", "sailor", "sailor")
    client = turn_worker.client_for_rq(redis_url)
    worker = turn_worker.TurnWorker(client, [queueing.TURNS, queueing.MATCHES], Deadline())
    desk.store.redis.rpush(keys.jobs(queueing.MATCHES), f"match-{'a' * 16}-{'0' * 12}")
    worker.serve_live_games()
    assert game.state["result"]
    assert desk.store.redis.llen(keys.jobs(queueing.MATCHES)) == 1
    client.connection_pool.disconnect()


def test_a_look_for_live_games_is_one_round_trip(desk: Desk, redis_url: str) -> None:
    client = turn_worker.client_for_rq(redis_url)
    worker = turn_worker.TurnWorker(client, list(queueing.QUEUES), Deadline())
    worker.serve_live_games()
    before = costs(desk)
    worker.serve_live_games()
    assert costs(desk, before)[0] == 1
    client.connection_pool.disconnect()


def test_a_job_within_another_has_time_of_its_own() -> None:
    deadline, seen = Deadline(), []
    with deadline.job(600):
        with deadline.job(0.0):
            seen.append(deadline.has_passed)
        seen.append(deadline.has_passed)
        seen.append(deadline.is_set)
    assert [*seen, deadline.is_set] == [True, False, True, False]
