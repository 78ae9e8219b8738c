"""Matches, worked through by hand: what they come to, whatever becomes of their slices; and what callers may ask."""

import itertools
import random
from typing import Any, cast

import pytest

from bots.arena.game import play_game
from bots.arena.series import game_seed
from bots.roster import ROSTER
from engine import Rules
from service import clock
from service.app import create_app
from service.config import Config
from service.matches import repository as repository_module
from service.matches import scheduling, slices
from tests.support.answers import refused
from tests.support.desk import Desk, InProcess
from tests.support.matching import (
    QUEUE,
    check_game,
    id_of,
    keys_of,
    local,
    new_match,
    repository_of,
    timeless,
    work,
)
from tests.support.serving import Wire


def test_a_match_comes_to_what_the_local_command_comes_to(desk: Desk) -> None:
    path, _ = new_match(desk.api, gnomes=[4, 3], against=["cabin_boy"], games=20, seeds={"from": 5})
    match = work(desk, path)
    assert match["status"] == "finished"
    assert match["played"] == match["total"] == 80
    wanted = [local(gnomes, against="cabin_boy", games=20, seed=5) for gnomes in (4, 3)]
    assert timeless(match["series"]) == wanted


def test_a_crew_may_be_named_seat_by_seat_and_rules_be_chosen(desk: Desk) -> None:
    crew = ["sailor", "cabin_boy", "sailor", "cabin_boy"]
    rules = {"players": 2, "crazed_gnomes": True, "greater_challenge": "storm"}
    path, _ = new_match(desk.api, gnomes=[4], crew=crew, rules=rules, games=3, name="Mixed")
    match = work(desk, path)
    (series,) = match["series"]
    assert match["name"] == "Mixed"
    assert series["rules"] == {
        "gnomes": 4,
        "edition": "revised",
        "less_deadly_dying": False,
        "hidden_hands": True,
        **rules,
    }
    assert series["crew"]["crew"] == crew
    assert set(series["crew"]["bots"]) == {"sailor", "cabin_boy"}
    assert sum(bot["turns"] for bot in series["crew"]["bots"].values()) == 3 * series["crew"]["turns_per_game"]


def test_each_game_is_told_in_pages(desk: Desk) -> None:
    path, _ = new_match(desk.api, gnomes=[3, 4], against=["cabin_boy"], games=5)
    work(desk, path)
    told: list[Wire] = []
    cursor: str | None = ""
    while cursor is not None:
        page = desk.api.get(f"{path}/games?limit=3{cursor and '&cursor='}{cursor}").body
        assert len(page["games"]) <= 3
        told += page["games"]
        cursor = page["next"]
    places = [(game["gnomes"], game["number"], game["line_up"]) for game in told]
    assert places == [(g, n, name) for g in (3, 4) for n in range(5) for name in ("crew", "against")]
    for game in told:
        check_game(game)
    lost = desk.api.get(f"{path}/games?gnomes=4&line_up=crew&result=lost").body["games"]
    assert lost == [g for g in told if g["gnomes"] == 4 and g["line_up"] == "crew" and not g["rescued"]]


FOR_EVER = 1e6  # seconds


def held_ranges(desk: Desk, path: str, size: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Any]]:
    """Take everything at once, in ranges of that size, for workers who have all the time in the world."""
    monkeypatch.setattr(slices, "SLICE_SECONDS", FOR_EVER)
    monkeypatch.setattr(repository_module, "LEASE_SECONDS", FOR_EVER)
    repository, id_ = repository_of(desk), id_of(path)
    monkeypatch.setattr("service.matches.repository.FIRST_TAKE", size)
    monkeypatch.setattr(slices, "SLICE_SECONDS", 600.0)  # however slow the machine is
    held = []
    while (taken := repository.take_games(id_, 0.0, 1)) is not None:
        held.append(taken)
    match = repository.fetch(id_)
    return slices._Slice(repository, match), held  # type: ignore[arg-type]


@pytest.mark.parametrize("order", range(3))
def test_the_test_has_the_same_verdict_in_whatever_order_slices_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    wanted = local(against="cabin_boy", games=60, margin=0.1)
    counted = wanted["crew"]["games"]
    assert wanted["pairs"]["sprt"]["verdict"] == "stronger"
    assert 8 < counted < 52
    path, _ = new_match(desk.api, against=["cabin_boy"], games=60, stop={"sprt": {"margin": 0.1}})
    monkeypatch.setattr(scheduling, "slice_limit", lambda _: 1)
    slice_, held = held_ranges(desk, path, 6, monkeypatch)
    assert len(held) > 5
    random.Random(order).shuffle(held)
    if order == 1:
        held.sort(key=lambda taken: taken.first, reverse=True)
    for taken in held:
        slice_._play(slices._Lease(repository_of(desk), id_of(path), taken))
    match = desk.api.get(path).body
    assert match["status"] == "finished"
    assert timeless(match["series"]) == [wanted]
    games = desk.api.get(f"{path}/games?limit=1000").body["games"]
    assert [game["number"] for game in games if game["line_up"] == "crew"] == list(range(counted))


def test_a_verdict_ends_a_match_before_all_games_are_played(desk: Desk) -> None:
    path, _ = new_match(desk.api, against=["cabin_boy"], games=3000, stop={"sprt": {"margin": 0.1}})
    match = work(desk, path)
    assert match["status"] == "finished"
    assert match["played"] < 2000 < match["total"] == 6_000
    assert timeless(match["series"]) == [local(against="cabin_boy", games=3000, margin=0.1)]


def test_slices_that_are_doubled_late_or_repeated_change_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = new_match(desk.api, games=60)
    slice_, held = held_ranges(desk, path, 6, monkeypatch)
    for taken in (*held[:3], *held[:2], *reversed(held), held[0]):
        slice_._play(slices._Lease(repository_of(desk), id_of(path), taken))
    match = desk.api.get(path).body
    assert (match["status"], match["played"]) == ("finished", 60)
    assert timeless(match["series"]) == [local(games=60)]


class Mutineer:
    """Fails in every game, but not in the head of whoever asks."""

    def choose(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("mutiny")


def test_bots_that_fail_are_counted_and_listed_as_they_are_locally(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTER, "cabin_boy", Mutineer())
    path, _ = new_match(desk.api, crew=["cabin_boy"], games=6)
    slice_, held = held_ranges(desk, path, 1, monkeypatch)
    for taken in reversed(held):
        slice_._play(slices._Lease(repository_of(desk), id_of(path), taken))
    match = desk.api.get(path).body
    wanted = local(crew="cabin_boy", games=6, seed=1, margin=None)
    assert match["status"] == "finished"
    assert wanted["crew"]["faults"]["count"] > 10
    assert timeless(match["series"]) == [wanted]


def test_a_match_is_paused_and_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(10**6))
    monkeypatch.setattr(slices._Slice, "_must_end", lambda _: next(looks) % 20 == 19)  # after some games
    path, owner = new_match(desk.api, games=1200)
    slices.play_slice(id_of(path))
    assert owner.patch(path, {"status": "paused"}).body["status"] == "paused"
    assert owner.patch(path, {"status": "paused"}).status == 200
    played = desk.api.get(path).body["played"]
    assert 0 < played < 1200
    desk.store.redis.delete(QUEUE)
    slices.play_slice(id_of(path))
    assert desk.api.get(path).body["played"] == played
    assert desk.store.redis.llen(QUEUE) == scheduling.schedule(repository_of(desk), id_of(path)) == 0
    assert owner.patch(path, {"status": "running"}).body["status"] == "running"
    assert desk.store.redis.llen(QUEUE) > 0
    assert timeless(work(desk, path)["series"]) == [local(games=1200)]


def test_what_a_worker_has_when_a_match_is_paused_is_given_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "MERGE_SECONDS", 0.0)
    path, owner = new_match(desk.api, games=60)
    slice_, held = held_ranges(desk, path, 20, monkeypatch)
    assert owner.patch(path, {"status": "paused"}).status == 200
    assert slice_._play(slices._Lease(repository_of(desk), id_of(path), held[0])) is False
    assert owner.patch(path, {"status": "running"}).body["played"] == 1
    again = repository_of(desk).take_games(id_of(path), 9.0, 1)
    assert again is not None
    assert (again.first, again.died) == (1, 0)


def test_a_match_paused_before_its_first_game_waits_again(desk: Desk) -> None:
    path, owner = new_match(desk.api)
    assert owner.patch(path, {"status": "paused"}).body["status"] == "paused"
    assert owner.patch(path, {"status": "running"}).body["status"] == "queued"
    assert work(desk, path)["status"] == "finished"


def test_a_match_is_cancelled_in_the_middle(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path, owner = new_match(desk.api, games=60)
    slice_, held = held_ranges(desk, path, 6, monkeypatch)
    lease = slices._Lease(repository_of(desk), id_of(path), held[0])
    slice_._play(lease)
    cancelled = owner.patch(path, {"status": "cancelled"}).body
    assert (cancelled["status"], cancelled["played"]) == ("cancelled", 6)
    assert slice_._play(slices._Lease(repository_of(desk), id_of(path), held[1])) is False
    slices.play_slice(id_of(path))
    after = desk.api.get(path).body
    assert after == cancelled
    assert [game["number"] for game in desk.api.get(f"{path}/games").body["games"]] == list(range(6))
    refused(owner.patch(path, {"status": "running"}), "match_over")
    assert owner.patch(path, {"status": "cancelled"}).status == 200


def test_live_games_are_served_between_the_decisions_of_a_matchs_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions, served = itertools.count(), itertools.count()
    crew, rules = ["bosun", "sailor", "sailor"], Rules(gnomes=3)
    play_game(crew, rules, game_seed(5, 0), between=lambda: next(decisions))
    monkeypatch.setattr(slices, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(slices, "_live_games", slices._LiveGames())
    slices.serve_live_games_by(lambda: next(served))
    path, _ = new_match(desk.api, crew=crew, games=1, seeds={"from": 5}, keep_replays="none")
    slices.play_slice(id_of(path))
    assert desk.api.get(path).body["played"] == 1
    assert next(served) >= next(decisions) > 20


def test_there_are_enough_slices_and_no_more(desk: Desk) -> None:
    path, _ = new_match(desk.api, games=10_000)
    redis = desk.store.redis
    redis.delete("workers")  # those of other tests are remembered for a while
    redis.zadd("workers", {f"worker {number}": clock.now() for number in range(3)})
    try:
        assert redis.llen(QUEUE) == scheduling.MIN_SLICES
        assert scheduling.schedule(repository_of(desk), id_of(path)) == 4
        assert scheduling.schedule(repository_of(desk), id_of(path)) == 0
        assert redis.llen(QUEUE) == 6
        redis.delete(QUEUE)
        scheduling.schedule_all(repository_of(desk), [0])
        assert redis.llen(QUEUE) == 6, "the sweeper replaces what the queue lost"
        small, _ = new_match(desk.api, games=1)
        jobs = cast(list[bytes], redis.lrange(QUEUE, 0, -1))
        assert sum(job.startswith(f"match-{id_of(small)}".encode()) for job in jobs) == 1
    finally:
        redis.delete("workers", QUEUE)


def test_a_deleted_match_leaves_nothing_behind(desk: Desk) -> None:
    path, owner = new_match(desk.api, against=["cabin_boy"], games=5, keep_replays="all")
    work(desk, path)
    assert keys_of(desk, path)
    assert owner.delete(path).status == 204
    assert keys_of(desk, path) == []
    refused(desk.api.get(path), "no_such_match")
    slices.play_slice(id_of(path))
    assert keys_of(desk, path) == []


def test_a_match_deleted_while_it_is_played_stays_deleted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path, owner = new_match(desk.api, games=60)
    slice_, held = held_ranges(desk, path, 6, monkeypatch)
    assert owner.delete(path).status == 204
    assert slice_._play(slices._Lease(repository_of(desk), id_of(path), held[0])) is False
    assert keys_of(desk, path) == []


def test_matches_are_forgotten_in_time(desk: Desk, redis_url: str) -> None:
    config = Config(redis_url, limits={}, match_keep_seconds=1234)
    api = InProcess("", app=create_app(config, desk.store))
    path, _ = new_match(api, against=["cabin_boy"], games=5, keep_replays="all")
    work(desk, path)
    left = {key: desk.store.redis.ttl(key) for key in keys_of(desk, path) if key != b"matches"}
    assert len(left) >= 5
    assert all(1200 < seconds <= 1234 for seconds in left.values()), left
    desk.store.redis.delete(*left)  # as time does
    refused(api.get(path), "no_such_match")
    assert id_of(path) not in [match["id"] for match in api.get("/v1/matches").body["matches"]]
    assert keys_of(desk, path) == []


def test_ten_thousand_games_take_less_than_a_megabyte(desk: Desk) -> None:
    path, _ = new_match(desk.api, games=10_000)
    assert work(desk, path)["played"] == 10_000
    redis = desk.store.redis
    size = sum(redis.memory_usage(key, samples=0) or 0 for key in redis.keys(f"match:{id_of(path)}*"))
    assert 100_000 < size < 1_000_000
