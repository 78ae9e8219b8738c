"""The life of a match without a store: given a match, when something happens to it, then it is another one."""

from typing import Any, cast

import msgspec
import pytest

from service.config import Config
from service.matches import records, transitions
from service.matches.model import GameFailure, Match, MatchStatus
from service.matches.opening import Which
from service.matches.plan import MatchRequest, Plan
from service.matches.transitions import MatchOver
from service.store.partitions import Partitions

BEGAN = 1_780_000_000.0
WANTED = {"games": 10, "gnomes": [3, 4], "crew": ["sailor"], "against": ["cabin_boy"]}
NOWHERE = GameFailure(0, 3, "ZeroDivisionError: out of rum")


def new_match(**wanted: Any) -> Match:
    plan = Plan.from_request(cast(MatchRequest, WANTED | wanted), Config())
    return transitions.create("aaaaaaaaaaaaaaaa", plan, holder="f00d", keep_seconds=60, epoch="e", now=BEGAN)


def running_match(**wanted: Any) -> Match:
    return transitions.take_games(new_match(**wanted), 0, 4, BEGAN + 1)


def with_status(status: MatchStatus) -> Match:
    if status == MatchStatus.QUEUED:
        return new_match()
    if status == MatchStatus.FAILED:
        return transitions.fail(running_match(), NOWHERE, BEGAN + 2)
    if status == MatchStatus.FINISHED:
        settled = transitions.settle_series(running_match(), 0, 1, BEGAN + 2)
        return transitions.settle_series(settled, 1, 1, BEGAN + 2)
    return transitions.change_status(running_match(), status, BEGAN + 2)


OVER = [status for status in MatchStatus if status.is_over]


def test_a_new_match_waits_for_its_first_worker() -> None:
    match = new_match()
    assert (match.status, match.version, match.played, match.started_at) == ("queued", 1, 0, None)
    assert [each.taken for each in match.series] == [0, 0]


def test_the_first_games_that_a_worker_takes_start_it() -> None:
    match = new_match()
    after = transitions.take_games(match, 0, 4, BEGAN + 1)
    assert (after.status, after.started_at, after.series[0].taken, after.version) == ("running", BEGAN + 1, 4, 2)


def test_games_that_are_taken_later_are_no_news() -> None:
    match = running_match()
    after = transitions.take_games(match, 0, 8, BEGAN + 2)
    assert (after.series[0].taken, after.version, after.changed_at) == (8, match.version, match.changed_at)


def test_a_range_that_is_taken_again_gives_no_games_back() -> None:
    match = running_match()
    after = transitions.take_games(match, 0, 2, BEGAN + 2)
    assert after == match


def test_games_count_for_each_line_up() -> None:
    match = running_match()
    after = transitions.record_games(match, 0, 3, 0.5, BEGAN + 2)
    assert (after.played, after.series[0].played, after.series[1].played, after.status) == (6, 6, 0, "running")


def test_the_last_game_finishes_it() -> None:
    match = transitions.record_games(running_match(), 0, 10, 0.5, BEGAN + 2)
    after = transitions.record_games(match, 1, 10, 0.5, BEGAN + 4)
    assert (after.status, after.played, after.ended_at, after.ran_seconds) == ("finished", 40, BEGAN + 4, 3.0)


def test_a_verdict_makes_the_other_games_of_its_series_needless() -> None:
    match = transitions.record_games(running_match(), 0, 4, 0.5, BEGAN + 2)
    after = transitions.settle_series(match, 0, 3, BEGAN + 3)
    assert (after.series[0].settled_after, after.needless_games, after.status) == (3, 12, "running")


def test_the_first_verdict_stands() -> None:
    match = transitions.settle_series(running_match(), 0, 3, BEGAN + 2)
    after = transitions.settle_series(match, 0, 5, BEGAN + 3)
    assert after == match


def test_verdicts_for_all_series_finish_it() -> None:
    match = transitions.settle_series(running_match(), 0, 3, BEGAN + 2)
    after = transitions.settle_series(match, 1, 3, BEGAN + 3)
    assert after.status == "finished"


def test_a_game_that_cannot_be_played_fails_it() -> None:
    match = running_match()
    after = transitions.fail(match, NOWHERE, BEGAN + 2)
    assert (after.status, after.failure, after.ended_at) == ("failed", NOWHERE, BEGAN + 2)


def test_a_match_paused_before_its_first_game_waits_again() -> None:
    match = transitions.change_status(new_match(), MatchStatus.PAUSED, BEGAN + 1)
    after = transitions.change_status(match, MatchStatus.RUNNING, BEGAN + 2)
    assert (match.status, after.status, after.started_at) == ("paused", "queued", None)


def test_a_pause_does_not_count_as_play() -> None:
    paused = transitions.change_status(running_match(), MatchStatus.PAUSED, BEGAN + 3)
    resumed = transitions.change_status(paused, MatchStatus.RUNNING, BEGAN + 60)
    after = transitions.change_status(resumed, MatchStatus.CANCELLED, BEGAN + 65)
    assert (paused.run, resumed.run is None, after.ran_seconds) == (None, False, 7.0)


def test_what_a_worker_had_when_it_was_paused_counts() -> None:
    paused = transitions.change_status(running_match(), MatchStatus.PAUSED, BEGAN + 3)
    after = transitions.record_games(paused, 0, 4, 0.5, BEGAN + 4)
    assert (after.status, after.played) == ("paused", 8)


def test_the_recent_pace_is_measured_from_the_mark_before_the_latest() -> None:
    match = running_match(games=100)
    for second in range(2, 35):
        match = transitions.record_games(match, 0, 1, 0.5, BEGAN + second)
    assert match.run is not None
    assert (match.run.mark.at - BEGAN, match.run.mark_before.at - BEGAN) == (31, 21)


@pytest.mark.parametrize("status", MatchStatus)
def test_asking_for_the_status_that_it_is_in_changes_nothing(status: MatchStatus) -> None:
    match = with_status(status)
    after = transitions.change_status(match, status, BEGAN + 9)
    assert (match.status, after) == (status, match)


@pytest.mark.parametrize("wanted", [MatchStatus.PAUSED, MatchStatus.RUNNING, MatchStatus.CANCELLED])
@pytest.mark.parametrize("status", OVER)
def test_a_match_that_is_over_stays_as_it_is(status: MatchStatus, wanted: MatchStatus) -> None:
    match = with_status(status)
    if wanted == status:
        return
    with pytest.raises(MatchOver, match=status):
        transitions.change_status(match, wanted, BEGAN + 9)


@pytest.mark.parametrize("status", OVER)
def test_nothing_happens_to_a_match_that_is_over(status: MatchStatus) -> None:
    match = with_status(status)
    assert transitions.record_games(match, 0, 2, 0.5, BEGAN + 9) is match
    assert transitions.settle_series(match, 0, 2, BEGAN + 9) is match
    assert transitions.fail(match, NOWHERE, BEGAN + 9) is match


def test_a_match_cannot_be_changed_in_place() -> None:
    match = new_match()
    with pytest.raises(AttributeError):
        match.status = MatchStatus.RUNNING  # type: ignore[misc]


def test_a_plan_with_a_field_that_nobody_knows_is_refused() -> None:
    stored = msgspec.json.encode(new_match().plan)
    assert Plan.from_stored(stored) == new_match().plan
    with pytest.raises(msgspec.ValidationError, match="hurry"):
        Plan.from_stored(stored[:-1] + b',"hurry":true}')


def test_a_plan_of_a_release_with_fewer_options_gets_the_others_defaults() -> None:
    stored = msgspec.json.encode(msgspec.structs.replace(new_match().plan, rules={"edition": "original"}))
    assert Plan.from_stored(stored).rules == new_match(rules={"edition": "original"}).plan.rules


def test_a_match_is_read_as_it_was_written() -> None:
    match = new_match(name="Nothing against ourselves", stop={"sprt": {"margin": 0.02}})
    reply = [_bytes(part) for pair in records.encode_new(match).items() for part in pair]
    assert records.decode(match.id, reply, "e") == match


def _bytes(part: str | bytes) -> bytes:
    return part.encode() if isinstance(part, str) else part


# Written by the release before this one: its bytes are read for as long as matches are kept.
STORED = (
    b"keep", b"2592000", b"games", b"20", b"series", b"1", b"played", b"17", b"version", b"5",
    b"created", b"1780000000.250", b"changed", b"1780000003.500", b"ran", b"1.75", b"state", b"failed",
    b"next:0", b"20", b"started", b"1780000001.000", b"since", b"1780000001.000", b"mark", b"1780000001.000",
    b"marked", b"0", b"mark_before", b"1780000001.000", b"marked_before", b"0", b"pace:0", b"0.000250000",
    b"played:0", b"17", b"ended", b"1780000003.500",
    b"error", b'{"number":17,"error":"ZeroDivisionError: out of rum","series":0}', b"holder", b"f00d",
    b"plan", b'{"games":20,"gnomes":[3],"rules":{"edition":"revised","less_deadly_dying":false,'
    b'"hidden_hands":false,"crazed_gnomes":false,"greater_challenge":"off"},"crew":["sailor"],"against":null,'
    b'"seed":1,"margin":null,"keep":"none","label":"Sailors"}',
)  # fmt: skip


def test_a_match_of_the_release_before_is_read() -> None:
    match = records.decode("a1-aaaaaaaaaaaaaaaa", STORED, "e")
    assert match is not None
    assert (match.status, match.played, match.ran_seconds, match.run) == ("failed", 17, 1.75, None)
    assert match.failure == GameFailure(0, 17, "ZeroDivisionError: out of rum")
    assert records.encode_time(match.created_at) == "1780000000.250"
    assert Which(match, 0, 0, 3).game_id(Partitions()) == "a1-y4yik4k47j9x3s5i", "a game that was opened is found again"
    assert msgspec.json.encode(match.plan) == STORED[-1]
