"""What happens to a match, as pure functions: each takes a match and returns the match after it.

`matches.lua` makes the same moves in Redis, where workers meet; `tests/matches/test_match_script.py` compares the two
over random histories. Every move counts the version up by one, even one that only brings games that are known already.
"""

import msgspec

from service.matches.model import GameFailure, Mark, Match, MatchStatus, Outside, Run, SeriesProgress
from service.matches.plan import Plan

MARK_SECONDS = 10.0  # between the marks that the recent pace is measured by


class MatchOver(Exception):
    """Refuses a change, because the match is over."""

    def __init__(self, status: MatchStatus):
        self.status = status
        super().__init__(f"the match is {status}")


def create(
    match_id: str,
    plan: Plan,
    *,
    holder: str,
    keep_seconds: int,
    epoch: str,
    now: float,
    outside: Outside | None = None,
) -> Match:
    """Return a new match, which waits for its first worker."""
    return Match(
        id=match_id,
        epoch=epoch,
        plan=plan,
        holder=holder,
        keep_seconds=keep_seconds,
        created_at=now,
        changed_at=now,
        series=tuple(SeriesProgress() for _ in plan.gnomes),
        outside=outside,
    )


def take_games(match: Match, series: int, upto: int, now: float) -> Match:
    """Note that a worker took the numbers below `upto`. The first one starts the match; others change no version."""
    progress = match.series[series]
    taken = _with_series(match, series, msgspec.structs.replace(progress, taken=max(progress.taken, upto)))
    if match.status != MatchStatus.QUEUED:
        return taken
    started_at = now if match.started_at is None else match.started_at
    return _changed(_enter(msgspec.structs.replace(taken, started_at=started_at), MatchStatus.RUNNING, now), now)


def record_games(match: Match, series: int, numbers: int, seconds_per_number: float, now: float) -> Match:
    """Count games that were played, so many for each line-up. The last ones finish the match."""
    if match.is_over:
        return match
    if numbers:
        games = numbers * len(match.plan.line_ups)
        played = match.series[series].played + games
        progress = msgspec.structs.replace(match.series[series], played=played, seconds_per_number=seconds_per_number)
        match = _with_series(match, series, progress)
        match = msgspec.structs.replace(match, played=match.played + games)
        match = msgspec.structs.replace(match, run=_marked(match.run, now, match.played))
    return _changed(_finished_if_complete(match, now), now)


def settle_series(match: Match, series: int, numbers: int, now: float) -> Match:
    """Note that so many numbers of a series give its verdict. The first verdict stands."""
    if match.is_over or match.series[series].settled_after is not None:
        return match
    settled = msgspec.structs.replace(match.series[series], settled_after=numbers)
    return _changed(_finished_if_complete(_with_series(match, series, settled), now), now)


def fail(match: Match, failure: GameFailure, now: float) -> Match:
    """End a match at a game that can't be played."""
    if match.is_over:
        return match
    return _changed(_enter(msgspec.structs.replace(match, failure=failure), MatchStatus.FAILED, now), now)


def change_status(match: Match, wanted: MatchStatus, now: float) -> Match:
    """Pause, resume or cancel a match, as its owner asks. Raises MatchOver.

    A match that no worker has come to waits again when it is resumed. Asking for the status that it is in changes
    nothing, and cancelling twice is no error.
    """
    resumed = MatchStatus.QUEUED if match.started_at is None else MatchStatus.RUNNING
    after = resumed if wanted == MatchStatus.RUNNING else wanted
    if match.status in (wanted, after):
        return match
    if match.is_over:
        raise MatchOver(match.status)
    return _changed(_enter(match, after, now), now)


def _enter(match: Match, status: MatchStatus, now: float) -> Match:
    ran = match.ran_seconds + (now - match.run.since if match.run else 0.0)
    mark = Mark(now, match.played)
    return msgspec.structs.replace(
        match,
        status=status,
        ran_seconds=ran,
        run=Run(now, mark, mark) if status == MatchStatus.RUNNING else None,
        ended_at=now if status.is_over else match.ended_at,
    )


def _finished_if_complete(match: Match, now: float) -> Match:
    return _enter(match, MatchStatus.FINISHED, now) if match.is_complete else match


def _marked(run: Run | None, now: float, played: int) -> Run | None:
    if run is None or now - run.mark.at < MARK_SECONDS:
        return run
    return Run(run.since, Mark(now, played), run.mark)


def _with_series(match: Match, number: int, progress: SeriesProgress) -> Match:
    series = (*match.series[:number], progress, *match.series[number + 1 :])
    return msgspec.structs.replace(match, series=series)


def _changed(match: Match, now: float) -> Match:
    return msgspec.structs.replace(match, version=match.version + 1, changed_at=now)
