"""A match as JSON."""

from typing import TypedDict

from service.accounts.names import seated
from service.games import views
from service.games.tables import stamp
from service.matches.model import Match, MatchStatus
from service.matches.plan import Options
from service.matches.results import Report, Results

LEAST_SECONDS = 0.5  # of play, before which nobody knows how fast it goes


class MatchError(TypedDict):
    """Why a match failed: a game that can't be played."""

    gnomes: int
    number: int
    seed: str
    error: str


class WaitedFor(TypedDict):
    """An outside bot that a match waits for."""

    bot: str
    reason: str
    since: str


class MatchSummary(TypedDict):
    """What is known of a match without a look at its games."""

    id: str
    version: int
    epoch: str
    name: str | None
    status: str
    created_at: str
    changed_at: str
    started_at: str | None
    ended_at: str | None
    games: int
    gnomes: list[int]
    rules: Options
    crew: list[str]
    against: list[str] | None
    crews: list[list[str]] | None
    baseline: str | None
    seeds: dict[str, int]
    stop: dict[str, dict[str, float]] | None
    keep_replays: str
    reproducible: bool
    waiting_for: list[WaitedFor]
    played: int
    total: int
    games_per_second: float | None
    eta_seconds: float | None
    error: MatchError | None


class MatchView(MatchSummary):
    """A match with what it has come to so far."""

    series: list[Report]


def summary(match: Match) -> MatchSummary:
    """Describe a match for a list."""
    plan = match.plan
    rate = _games_per_second(match)
    left = plan.total - match.played - match.needless_games
    return {
        "id": match.id,
        "version": match.version,
        "epoch": match.epoch,
        "name": plan.name or None,
        "status": match.status.value,
        "created_at": stamp(match.created_at),
        "changed_at": stamp(match.changed_at),
        "started_at": _stamp(match.started_at),
        "ended_at": _stamp(match.ended_at),
        "games": plan.games,
        "gnomes": plan.gnomes,
        "rules": plan.rules,
        "crew": plan.crew,
        "against": plan.against,
        "crews": plan.crews,
        "baseline": plan.baseline,
        "seeds": {"from": plan.seed},
        "stop": {"sprt": {"margin": plan.margin}} if plan.margin is not None else None,
        "keep_replays": plan.keep,
        "reproducible": match.outside is None,
        "waiting_for": [
            {"bot": seated(account), "reason": absence.why, "since": stamp(absence.since)}
            for account, absence in sorted(match.absences.items())
            if absence.is_told and not match.is_over
        ],
        "played": match.played,
        "total": plan.total,
        "games_per_second": rate,
        "eta_seconds": round(max(0, left) / rate, 1) if rate and match.status == MatchStatus.RUNNING else None,
        "error": _error(match),
    }


def whole(match: Match, results: Results) -> MatchView:
    """Describe a match and its results."""
    return {**summary(match), "series": results.reports}


def etag(match: Match) -> str:
    return f'"{tag(match.version, match.epoch)}"'


def tag(version: int, epoch: str) -> str:
    return views.tag(version, epoch, "all")


def _stamp(moment: float | None) -> str | None:
    return None if moment is None else stamp(moment)


def _games_per_second(match: Match) -> float | None:
    """Return the recent pace of a match that is running, and the pace of all its runs when it is not."""
    if match.run:
        seconds = match.changed_at - match.run.mark_before.at
        games = match.played - match.run.mark_before.played
    else:
        seconds, games = match.ran_seconds, match.played
    return round(games / seconds, 3) if games and seconds >= LEAST_SECONDS else None


def _error(match: Match) -> MatchError | None:
    failure = match.failure
    if failure is None:
        return None
    return {
        "gnomes": match.plan.gnomes[failure.series],
        "number": failure.number,
        "seed": match.seed_of(failure.number).hex(),
        "error": failure.error,
    }
