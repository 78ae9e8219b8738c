"""One clock for all: Redis', without its jumps, whatever the clocks of others say."""

import time
from collections.abc import Iterator
from typing import Any, cast

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from service import clock
from service.clock import DOUBT_SECONDS, JUMP_SECONDS, OFFSET, Keeper
from service.config import Config
from service.games.tables import stamp
from service.store.redis_client import Client
from service.store.scripts import call
from service.store.store import Store
from service.workers import leading
from tests.drills import clocks
from tests.support.serving import running_redis


class Wrong:
    """A client of a Redis whose clock is set as the test likes."""

    def __init__(self, client: Client) -> None:
        self._client, self.ahead, self.is_away = client, 0.0, False

    def ask(self, *commands: Any, **options: Any) -> Any:
        if self.is_away:
            raise RedisConnectionError
        (seconds, micros), *rest = self._client.ask(*commands, **options)
        return [[int(seconds) + round(self.ahead), micros], *rest]

    def eval(self, *arguments: Any) -> Any:
        return self._client.eval(*arguments)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def wrong(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wrong]:
    client = Client.connect(url)
    client.delete(OFFSET)
    made = Wrong(client)
    monkeypatch.setattr(clock, "_shared", clock._Shared())
    monkeypatch.setattr(clock, "READ_SECONDS", 0.0)
    clock.follow(made)
    yield made
    client.connection_pool.disconnect()


def drift() -> float:
    """How far the time is from this machine's, which is right."""
    return clock.now() - time.time()


def test_the_time_is_that_of_redis_whatever_our_own_clock_says(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + 300)
    assert clock.now() - true() == pytest.approx(0, abs=5)


def test_who_has_read_no_time_yet_trusts_no_clock_of_their_own(wrong: Wrong) -> None:
    wrong.is_away = True
    for _ in range(2):
        with pytest.raises(RedisError):
            clock.now()
    wrong.is_away = False
    assert drift() == pytest.approx(0, abs=5)
    wrong.is_away = True
    assert drift() == pytest.approx(0, abs=5), "the time goes on without Redis"


@pytest.mark.parametrize("jump", [600, -600])
def test_a_jump_is_taken_back_before_anybody_believes_it(wrong: Wrong, jump: float) -> None:
    keeper = Keeper(wrong)
    keeper.keep(leads=True)
    assert drift() == pytest.approx(0, abs=5)
    wrong.ahead = jump
    assert drift() == pytest.approx(0, abs=5), "it is believed at once"
    assert keeper.keep(leads=True) == pytest.approx(jump, abs=1)
    assert keeper.keep(leads=True) == 0
    assert drift() == pytest.approx(0, abs=5)
    wrong.ahead = 0
    assert keeper.keep(leads=True) == pytest.approx(-jump, abs=1)
    assert drift() == pytest.approx(0, abs=5)


def test_a_jump_that_nobody_takes_back_is_believed_in_the_end(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    assert drift() == pytest.approx(0, abs=5)
    wrong.ahead = 600
    assert drift() == pytest.approx(0, abs=5)
    true = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: true() + DOUBT_SECONDS + 1)
    clock.now()
    assert clock._shared.base is not None
    assert clock._shared.base + true() - time.time() == pytest.approx(600 - DOUBT_SECONDS - 1, abs=2)


def test_of_two_who_see_a_jump_one_takes_it_back(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    keepers = [Keeper(wrong), Keeper(wrong)]
    for keeper in keepers:
        keeper.keep(leads=True)
    wrong.ahead = 600
    assert [keeper.keep(leads=True) != 0 for keeper in keepers] == [True, False]
    stale = clock.reading(wrong)
    wrong.ahead = 1200
    assert keepers[0].keep(leads=True) != 0
    monkeypatch.setattr(clock, "reading", lambda _: (stale[0] + 600, stale[1]))
    assert keepers[1].keep(leads=True) == 0, "it had read the offset before the other replaced it"
    monkeypatch.undo()
    assert keepers[1].keep(leads=True) == 0


def test_whoever_does_not_lead_takes_nothing_back(wrong: Wrong) -> None:
    """It may be their own clock that stood still; and they do not quarrel about what the leader did."""
    leader, other = Keeper(wrong), Keeper(wrong)
    for keeper in (leader, other):
        keeper.keep(leads=True)
    assert other._last is not None
    told, offset, ours = other._last
    other._last = told, offset, ours + 600  # it slept, and knows nothing of it
    assert other.keep(leads=False) == 0
    assert other.keep(leads=True) == 0, "what is past is past"
    wrong.ahead = 600
    assert leader.keep(leads=True) != 0
    assert [other.keep(leads=True), leader.keep(leads=True), other.keep(leads=True)] == [0, 0, 0]
    assert drift() == pytest.approx(0, abs=5)


def test_who_leads_is_known_whichever_way_the_clock_jumps(url: str) -> None:
    store = Store.connect(Config(redis_url=url))

    def leads(who: str) -> bool:
        return bool(call(store.queue, leading._LEAD, ["sweeper"], [who, leading.LEASE_SECONDS]))

    assert leads("a")
    assert leads("a")
    assert not leads("b")
    for moved in (-600, 600):  # the lock is older or younger than a lock can be
        who, till = cast(bytes, store.redis.get("sweeper")).split()
        store.redis.set("sweeper", b"%s %.3f" % (who, float(till) - moved))
        assert leads("b")
        assert not leads("a")
        store.redis.delete("sweeper")
        assert leads("a")
    assert 0 < store.redis.ttl("sweeper") <= 30, "a release before this one waits for its end"
    store.redis.connection_pool.disconnect()


def test_small_differences_are_followed_and_no_jump(wrong: Wrong) -> None:
    keeper = Keeper(wrong)
    keeper.keep(leads=True)
    clock.now()
    before = clock._shared.base
    wrong.ahead = JUMP_SECONDS - 1
    assert keeper.keep(leads=True) == 0
    clock.now()
    assert clock._shared.base is not None
    assert before is not None
    assert clock._shared.base - before == pytest.approx(JUMP_SECONDS - 1, abs=0.5)


def test_the_time_goes_on_while_redis_is_away(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    clock.now()

    def gone(*_: Any, **__: Any) -> Any:
        raise RedisError

    monkeypatch.setattr(wrong, "ask", gone)
    before = clock.now()
    time.sleep(0.05)
    assert 0.04 < clock.now() - before < 10
    assert drift() == pytest.approx(0, abs=5)


def test_people_are_told_times_by_the_clock_as_it_is(wrong: Wrong) -> None:
    """They have clocks of their own to compare with."""
    keeper = Keeper(wrong)
    keeper.keep(leads=True)
    wrong.ahead = 600
    keeper.keep(leads=True)
    assert stamp(clock.now())[:15] in {stamp_of_wall(600), stamp_of_wall(599)}


def stamp_of_wall(ahead: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + ahead))[:15]


def test_a_worker_whose_clock_is_ahead_plays_for_nobody_early() -> None:
    with clocks.site(ahead=300) as here:
        game = clocks.a_person_with_time(here)
        before = game.state
        here.until_looked_at(game)
        assert game.state["version"] == before["version"]
        assert not game.state["seats"][before["decision"]["seat"]]["away"]


@pytest.mark.parametrize(
    ("rounds", "is_set"),
    [(1, False), pytest.param(10, True, marks=pytest.mark.soak)],
    ids=["as it is read", "in earnest, again and again"],
)
def test_neither_way_of_a_jump_plays_for_a_person_early_or_stalls_what_was_lost(rounds: int, is_set: bool) -> None:
    with clocks.site(is_set=is_set) as here:
        person = clocks.a_person_with_time(here)
        before = person.state["version"]
        here.until_looked_at(person)  # the sweeper has taken the time by now
        for number, seconds in enumerate((-600, 600) * rounds, 1):
            lost = clocks.a_lost_hint(here)
            here.jump(seconds)
            here.until(lambda number=number: here.jumps() >= number, "nobody takes the jump back")
            here.until(lambda lost=lost: lost.state["result"] is not None, "the game that was lost waits it out")
            here.until_looked_at(person)
            assert person.state["version"] == before
