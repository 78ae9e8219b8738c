"""Who is served next: each caller gets as much of the workers' time as any other, and nothing that waits is lost."""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest

from service import clock
from service.api import metrics
from service.callers.limits import work_key
from service.callers.origin import origin_of
from service.config import Config, Limit
from service.games.tables import call_worker, class_of
from service.queue import waiting
from service.queue.queueing import ADVICE, MATCHES, TURNS
from service.queue.waiting import LATER, SOON, Taken
from service.store import keys
from service.store.store import Store
from service.workers import jobs, questions
from service.workers.turn_worker import TurnWorker, client_for_rq
from service.workers.work_process import Deadline
from tests.drills.starve import starve
from tests.support.desk import Desk, HeldClock, InProcess
from tests.support.serving import Client, new_game


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(redis_url)
    made.clear_queues()
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    monkeypatch.setattr(questions, "own_store", lambda: made.store)
    yield made
    made.clear_queues()


def offer(desk: Desk, item: str, caller: str, class_: str = LATER) -> bool:
    return waiting.offer(desk.store.queue, TURNS, item, class_, caller)


def take(desk: Desk) -> Taken:
    taken = waiting.take(desk.store, TURNS)
    assert taken is not None
    return taken


def finish(taken: Taken, seconds: float = 0.25, again: str = "") -> None:
    """As if the worker had had it for so long."""
    taken.again = again
    taken.give_back(seconds)


def serve(desk: Desk, times: int, **how: float) -> list[Taken]:
    """Everything that was taken goes on and is offered again."""
    served = []
    for _ in range(times):
        taken = take(desk)
        finish(taken, again=taken.class_, **how)
        served.append(taken)
    return served


def test_a_caller_with_many_games_gets_as_much_as_one_with_a_single_game(desk: Desk) -> None:
    for number in range(50):
        offer(desk, f"many {number}", "many")
    offer(desk, "single", "single")
    shares = Counter(taken.caller for taken in serve(desk, 40))
    assert abs(shares["many"] - shares["single"]) <= 1


def test_who_comes_anew_is_served_before_whoever_waits_with_many(desk: Desk) -> None:
    for number in range(50):
        offer(desk, f"many {number}", "many")
    serve(desk, 10)
    held = [take(desk), take(desk)]  # by two workers
    offer(desk, "new", "new")
    assert take(desk).caller == "new"
    for taken in held:
        finish(taken)


def test_of_a_callers_games_the_one_that_waited_longest_is_served(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = count(1_800_000_000)
    monkeypatch.setattr(clock, "now", lambda: float(next(moments)))
    for number in range(5):
        offer(desk, f"game {number}", "caller")
    assert [taken.item for taken in serve(desk, 10)] == [f"game {number}" for number in range(5)] * 2


def test_what_counts_is_the_time_that_workers_took(desk: Desk) -> None:
    offer(desk, "slow", "slow")
    offer(desk, "quick", "quick")
    spent: Counter[str] = Counter()
    for _ in range(60):
        taken = take(desk)
        seconds = 2 if taken.caller == "slow" else 1
        spent[taken.caller] += seconds
        finish(taken, seconds, again=LATER)
    assert abs(spent["slow"] - spent["quick"]) <= 3


def test_who_had_all_workers_to_themselves_owes_nothing_for_it(desk: Desk) -> None:
    offer(desk, "a", "early")
    serve(desk, 100)
    offer(desk, "b", "late")
    shares = Counter(taken.caller for taken in serve(desk, 20))
    assert shares["early"] >= 9


def test_tables_with_a_person_come_first_four_times_in_five(desk: Desk) -> None:
    for number in range(30):
        offer(desk, f"alone {number}", f"alone {number}")
        offer(desk, f"person {number}", f"person {number}", SOON)
    shares = Counter(taken.class_ for taken in serve(desk, 50))
    assert shares == {SOON: 40, LATER: 10}


def test_a_table_is_of_the_first_class_while_a_person_was_heard_of(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(desk.api, seats=["open", "sailor", "sailor"])
    desk.clear_queues()
    table = desk.table(game.path)
    assert class_of(table.seen) == SOON
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 121)
    assert class_of(table.seen) == LATER
    player = game.players[0].get(game.path)
    assert player.status == 200
    assert class_of(desk.table(game.path).seen) == SOON


def test_what_waits_keeps_its_age_however_often_it_is_offered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    assert offer(desk, "game", "caller")
    for seconds, class_ in ((10, LATER), (20, SOON), (30, LATER)):
        monkeypatch.setattr(clock, "now", lambda seconds=seconds: now + seconds)
        assert not offer(desk, "game", "caller", class_)
    assert metrics.queue_facts(desk.store)["oldest"] == pytest.approx(30, abs=0.01)
    assert metrics.queue_facts(desk.store)["depths"][TURNS] == 1


def test_what_waits_is_not_taken_over_by_whoever_asks_for_it_too(desk: Desk) -> None:
    """Else a busy caller could drag others' questions into their own line."""
    offer(desk, "odds", "first")
    offer(desk, "odds", "busy")
    assert take(desk).caller == "first"


def test_a_hundred_offers_are_few_jobs(desk: Desk) -> None:
    for number in range(200):
        offer(desk, f"game {number % 20}", "caller")
    assert desk.store.redis.llen(keys.jobs(TURNS)) == 20
    for number in range(200):
        offer(desk, f"game {number}", "caller")
    assert desk.store.redis.llen(keys.jobs(TURNS)) == waiting.MOST_CALLS


@pytest.mark.parametrize("moment", [1795076697.3413799, 1795076698.0601299, 1795076706.4092169, 1795076658.5])
def test_what_was_taken_is_given_back_however_the_store_writes_the_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, moment: float
) -> None:
    """Valkey writes a few of a thousand moments with an exponent."""
    HeldClock(monkeypatch, moment)
    offer(desk, "game", "caller")
    finish(take(desk), again=LATER)
    assert take(desk).item == "game"


def test_what_is_done_calls_for_what_still_waits(desk: Desk) -> None:
    offer(desk, "a", "caller")
    offer(desk, "b", "caller")
    desk.store.redis.delete(keys.jobs(TURNS))
    finish(take(desk))
    assert desk.store.redis.llen(keys.jobs(TURNS)) == 1


def test_what_is_offered_while_a_worker_has_it_waits_when_they_are_done(desk: Desk) -> None:
    """The worker may have looked before there was anything to do."""
    offer(desk, "game", "caller")
    taken = take(desk)
    assert not offer(desk, "game", "caller", SOON)
    assert waiting.take(desk.store, TURNS) is None
    finish(taken)
    assert (take(desk).item, desk.store.redis.hlen("turns:again")) == ("game", 0)


def test_what_a_dead_worker_had_waits_again_and_is_as_old_as_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    offer(desk, "game", "caller")
    dead = take(desk)
    monkeypatch.setattr(clock, "now", lambda: now + waiting.LEASE_SECONDS + 1)
    assert waiting.recover(desk.store, TURNS) == 1
    assert metrics.queue_facts(desk.store)["oldest"] == pytest.approx(waiting.LEASE_SECONDS + 1, abs=0.01)
    other = take(desk)
    finish(dead, again=LATER)  # it was only slow
    assert waiting.is_taken(desk.store.redis, TURNS, "game"), "what another has is not the late one's to give back"
    finish(other)
    assert waiting.take(desk.store, TURNS) is None


def test_a_lease_is_renewed_while_its_worker_lives(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LEASE_SECONDS", 0.3)
    offer(desk, "game", "caller")
    with take(desk):
        first = desk.store.redis.zscore("turns:leases", "game")
        ends = time.monotonic() + 30
        while desk.store.redis.zscore("turns:leases", "game") == first:
            assert time.monotonic() < ends, "nobody renews it"
            time.sleep(0.01)


def test_a_worker_who_comes_late_renews_no_lease_of_another(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    offer(desk, "game", "caller")
    late = take(desk)
    assert late.renew()
    monkeypatch.setattr(clock, "now", lambda: now + waiting.LEASE_SECONDS + 1)
    waiting.recover(desk.store, TURNS)
    assert not late.renew(), "it waits again, and is nobody's"
    other = take(desk)
    ends = desk.store.redis.zscore("turns:leases", "game")
    assert ends is not None
    monkeypatch.setattr(clock, "now", lambda: now + waiting.LEASE_SECONDS + 2)
    assert not late.renew()
    assert desk.store.redis.zscore("turns:leases", "game") == ends
    assert other.renew()
    assert desk.store.redis.zscore("turns:leases", "game") == pytest.approx(ends + 1, abs=0.01)


def test_a_question_that_takes_its_workers_down_is_dropped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting.offer(desk.store.queue, ADVICE, "advise:game:1", SOON, "caller")
    now = clock.now()
    for death in range(waiting.MOST_DEATHS + 1):
        monkeypatch.setattr(clock, "now", lambda death=death: now + 10 * death)
        assert waiting.take(desk.store, ADVICE) is not None
        monkeypatch.setattr(clock, "now", lambda death=death: now + 10 * death + 9)
        waiting.recover(desk.store, ADVICE)
    assert waiting.take(desk.store, ADVICE) is None
    assert desk.store.redis.zcard("advice:leases") == 0


def test_a_deleted_game_waits_no_longer(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    assert metrics.queue_facts(desk.store)["depths"][TURNS] == 1
    game.host.delete(game.path)
    assert metrics.queue_facts(desk.store)["depths"][TURNS] == 0
    assert waiting.take(desk.store, TURNS) is None


def test_what_is_over_leaves_nothing_behind(desk: Desk) -> None:
    for number in range(20):
        offer(desk, f"game {number}", f"caller {number}")
    while taken := waiting.take(desk.store, TURNS):
        finish(taken)
    left = set(desk.store.redis.keys("turns:*"))
    assert left <= {b"turns:floor", b"turns:calls", b"turns:served", b"turns:used"}
    assert desk.store.redis.zcard("turns:used") <= 20
    offer(desk, "last", "one more")
    finish(take(desk), 1000.0)
    offer(desk, "last", "one more")
    finish(take(desk))
    assert desk.store.redis.zcard("turns:used") <= 1, "who used no more than others is forgotten"


def test_worker_time_is_charged_to_the_budget_of_the_caller(desk: Desk) -> None:
    limit = Limit(60_000, 60)
    assert not desk.store.redis.exists(work_key(desk.store.redis, "who is charged", limit))
    desk.store = Store(desk.store.redis, Config(limits={"work": limit}))
    offer(desk, "game", "who is charged")
    before = work_key(desk.store.redis, "who is charged", limit)
    finish(take(desk), 1.5)
    keys = {before, work_key(desk.store.redis, "who is charged", limit)}
    assert sum(int(desk.store.redis.get(key) or 0) for key in keys) == 1500
    assert all(desk.store.redis.ttl(key) != -1 for key in keys)
    desk.store.redis.delete(*keys)


def test_a_game_remembers_its_creator_and_tells_nobody(desk: Desk) -> None:
    game = new_game(desk.api, seats=["open", "sailor", "sailor"])
    creator = desk.table(game.path).creator
    assert creator == origin_of("127.0.0.1", None, {})
    for viewer in (desk.api, game.host, *game.players):
        for path in ("", "/events", "/legal-moves"):
            assert creator not in str(viewer.get(game.path + path).body)
    fork = game.players[0].post(f"{game.path}/forks")
    assert desk.table(fork.headers["location"]).creator == creator


def test_a_game_of_a_release_that_noted_no_creator_goes_on(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    id_ = game.path.rpartition("/")[2]
    desk.clear_queues()
    desk.store.redis.hdel(f"game:{id_}", "creator")
    call_worker(desk.store, desk.table(game.path))
    assert take(desk).caller == id_


def test_who_asks_for_odds_all_day_delays_no_advice(desk: Desk) -> None:
    """Odds are for nobody in particular, and their asker's share is as large as anybody's."""
    games = [new_game(desk.api) for _ in range(6)]
    flooder = asker(desk, "203.0.113.9")
    for game in games:
        assert flooder.get(f"{game.path}/odds").status == 200
    decider = games[0].decider()
    assert decider.post(f"{games[0].path}/advice").status == 202
    first = waiting.take(desk.store, ADVICE)
    assert first is not None
    assert first.item.startswith("advise:")


def test_a_worker_has_as_much_time_for_games_as_for_questions(redis_url: str) -> None:
    worker = TurnWorker(client_for_rq(redis_url), [TURNS, ADVICE, MATCHES], Deadline())
    spent = {TURNS: 0.0, ADVICE: 0.0}
    for _ in range(200):
        first = worker._ordered_queues[0].name
        seconds = {TURNS: 0.25, ADVICE: 1.0}[first]
        spent[first] += seconds
        worker.note_share(first, seconds)
    assert abs(spent[TURNS] - spent[ADVICE]) <= 1
    assert worker._ordered_queues[-1].name == MATCHES
    for _ in range(1000):
        worker.note_share(ADVICE, 1.0)
    begun: Counter[str] = Counter()
    for _ in range(100):
        first = worker._ordered_queues[0].name
        begun[first] += 1
        worker.note_share(first, 1.0)
    assert begun[ADVICE] > 40, "games saved nothing up while nobody played"
    worker.connection.connection_pool.disconnect()


def asker(desk: Desk, address: str) -> Client:
    return InProcess("", None, {"X-Forwarded-For": address}, app=desk.api.app)


def test_others_play_while_one_caller_floods_the_bots() -> None:
    """However slow the machine is: who comes anew waits a small part of what the flood itself waits."""
    met = starve(games=30, moves=8, workers=1)
    assert met.worst < met.oldest / 2
    assert met.advice > 0, "a question is answered, too"
    assert met.jobs <= waiting.MOST_CALLS


@pytest.mark.soak
def test_of_178_games_of_admirals_others_notice_little() -> None:
    met = starve(games=178, moves=200)
    assert met.worst <= 2.0
    assert met.probe <= 5.0
