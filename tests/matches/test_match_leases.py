"""Ranges of games that workers have leased: what becomes of them when a worker dies, is slow, or fails at a game."""

from typing import Any, cast

import pytest
from redis import exceptions

from bots.arena.game import play_game
from bots.arena.series import game_seed
from service.matches import repository as repository_module
from service.matches import slices
from tests.support.answers import eventually, refused
from tests.support.desk import Desk, HeldClock
from tests.support.matching import id_of, local, new_match, repository_of, timeless, work


def test_what_a_dead_worker_had_is_played_by_another(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = new_match(desk.api)
    repository, held = repository_of(desk), HeldClock(monkeypatch)
    lost = repository.take_games(id_of(path), 1.0, 1)
    assert lost is not None
    while repository.count_open(id_of(path)).games:
        slices.play_slice(id_of(path))
    assert desk.api.get(path).body["played"] == 40 - (lost.last - lost.first)
    held.move(60)
    match = work(desk, path)
    assert (match["played"], timeless(match["series"])) == (40, [local()])


def lease_ends(desk: Desk, path: str) -> float:
    """Return when the only lease of a match ends."""
    leases = cast(
        list[tuple[bytes, float]], desk.store.redis.zrange(f"match:{id_of(path)}:open", 0, -1, withscores=True)
    )
    (score,) = (score for _, score in leases if score)
    return float(score)


def test_a_long_game_is_left_to_whoever_is_at_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldClock(monkeypatch)
    monkeypatch.setattr(slices, "LEASE_SECONDS", 0.1)  # as often as it renews; the lease itself goes by the clock
    path, _ = new_match(desk.api)
    repository = repository_of(desk)
    mine = repository.take_games(id_of(path), 1.0, 1)
    assert mine is not None
    with slices._Lease(repository, id_of(path), mine):
        for _ in range(3):
            held.move(0.8 * repository_module.LEASE_SECONDS)
            eventually(lambda: lease_ends(desk, path) == held.at + repository_module.LEASE_SECONDS)
        other = repository.take_games(id_of(path), 1.0, 1)
    assert other is not None
    assert other.first == mine.last
    held.move(1.1 * repository_module.LEASE_SECONDS)
    late = repository.take_games(id_of(path), 1.0, 1)
    assert late is not None
    assert (late.first, late.died) == (0, 1)


def test_a_lease_outlives_a_moment_without_redis(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldClock(monkeypatch)
    monkeypatch.setattr(slices, "LEASE_SECONDS", 0.1)
    path, _ = new_match(desk.api)
    repository = repository_of(desk)
    mine = repository.take_games(id_of(path), 1.0, 1)
    assert mine is not None
    renew, failures = (
        repository.renew_lease,
        iter([exceptions.ConnectionError("away"), exceptions.TimeoutError("slow")]),
    )

    def renew_in_the_end(match_id: str, taken: Any) -> None:
        for failure in failures:
            raise failure
        renew(match_id, taken)

    monkeypatch.setattr(repository, "renew_lease", renew_in_the_end)
    with slices._Lease(repository, id_of(path), mine):
        held.move(1.0)
        eventually(lambda: lease_ends(desk, path) == held.at + repository_module.LEASE_SECONDS)


def test_a_range_that_ends_its_workers_again_and_again_fails_the_match(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = new_match(desk.api)
    repository, held = repository_of(desk), HeldClock(monkeypatch)
    sizes = []
    for _ in range(20):
        taken = repository.take_games(id_of(path), 1.0, 1)
        if taken is None:
            break
        assert taken.first == 0
        sizes.append(taken.last)
        held.move(60)
    assert sizes[0] > 1
    assert sizes[-1] == 1, "in the end it is played alone, to find out which game it is"
    match = desk.api.get(path).body
    assert (match["status"], match["error"]["number"]) == ("failed", 0)


def test_a_game_that_raises_three_times_fails_the_match(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def break_at_17(crew: Any, rules: Any, seed: bytes, **_: Any) -> Any:
        if seed == bad:
            seen.append(seed)
            raise ZeroDivisionError("out of rum")
        return play_game(crew, rules, seed)

    bad = game_seed(1, 17)
    monkeypatch.setattr(slices, "play_game", break_at_17)
    path, owner = new_match(desk.api)
    match = work(desk, path)
    assert match["status"] == "failed"
    assert len(seen) == 3
    assert match["error"] == {
        "gnomes": 3, "number": 17, "seed": bad.hex(), "error": "ZeroDivisionError: out of rum",
    }  # fmt: skip
    assert match["played"] >= 17
    assert desk.api.get(f"{path}/games").body["games"][16]["number"] == 16
    refused(owner.patch(path, {"status": "running"}), "match_over")
