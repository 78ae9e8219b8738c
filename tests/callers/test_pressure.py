"""Who is told that the bots have too much to do, and who a caller is."""

from collections.abc import Iterator

import pytest

from service import clock
from service.api import metrics
from service.callers.origin import network_of, origin_of
from service.callers.tokens import digest
from service.config import Config
from service.queue import pressure, probe, waiting
from service.queue.queueing import TURNS
from service.queue.waiting import LATER
from service.store import keys
from service.workers import jobs
from tests.support.desk import Desk


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(redis_url)
    made.clear_queues()
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    yield made
    made.clear_queues()


def offer(desk: Desk, item: str, caller: str) -> bool:
    return waiting.offer(desk.store.queue, TURNS, item, LATER, caller)


def taken_item(desk: Desk) -> str:
    taken = waiting.take(desk.store, TURNS)
    assert taken is not None
    return taken.item


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("unknown", "unknown"),
        ("unix:", "unix:"),
        ("", "nobody"),
        (None, "nobody"),
    ],
)
def test_whoever_has_one_address_of_a_network_has_all_of_them(address: str | None, network: str) -> None:
    assert network_of(address) == network


def test_a_key_counts_only_if_the_operator_gave_it_out() -> None:
    given = {digest("mine"): "me"}
    assert origin_of("192.0.2.7", "mine", given) == origin_of("192.0.2.8", "mine", given)
    assert origin_of("192.0.2.7", "made up", given) == origin_of("192.0.2.7", None, given)
    assert origin_of("192.0.2.7", "mine", {}) == origin_of("192.0.2.7", None, {})


def test_only_whoever_waits_is_told_that_the_bots_have_too_much_to_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pressure, "LOOK_SECONDS", -1.0)
    monkeypatch.setattr(desk.store, "_config", Config(max_queue_seconds=60))
    offer(desk, "game", "busy")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 61)
    assert pressure.is_behind(desk.store, "busy")
    assert not pressure.is_behind(desk.store, "another")


def test_everybody_is_told_when_somebody_who_comes_anew_would_wait(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pressure, "LOOK_SECONDS", -1.0)
    monkeypatch.setattr(desk.store, "_config", Config(max_queue_seconds=60))
    now = clock.now()
    probe.ask(desk.store)
    monkeypatch.setattr(clock, "now", lambda: now + 61)
    assert pressure.is_behind(desk.store, "another")


def test_the_probe_tells_how_long_a_newcomer_waits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    assert metrics.queue_facts(desk.store)["probe"] == 0
    probe.ask(desk.store)
    probe.ask(desk.store)
    assert metrics.queue_facts(desk.store)["depths"][TURNS] == 1
    monkeypatch.setattr(clock, "now", lambda: now + 3)
    assert metrics.queue_facts(desk.store)["probe"] == pytest.approx(3, abs=0.01)
    jobs.take_turns()
    monkeypatch.setattr(clock, "now", lambda: now + 4)
    probe.ask(desk.store)
    assert metrics.queue_facts(desk.store)["probe"] == pytest.approx(3, abs=0.01)
    assert metrics.queue_facts(desk.store)["depths"][TURNS] == 0
    monkeypatch.setattr(clock, "now", lambda: now + 100)
    assert metrics.queue_facts(desk.store)["probe"] == pytest.approx(100, abs=0.01), "nobody asks any more"


def test_a_probe_that_the_queue_lost_is_offered_again(desk: Desk) -> None:
    probe.ask(desk.store)
    desk.store.redis.delete(keys.jobs(TURNS), "turns:waiting", "turns:since", "turns:soon", "turns:soon:probe")
    probe.ask(desk.store)
    assert taken_item(desk) == probe.ITEM
