"""A match as JSON."""

from typing import Any

import orjson

from service import views
from service.matches import results
from service.matches.shelf import RUNNING, Match, Shelf
from service.tables import stamp

Wire = dict[str, Any]

LEAST_SECONDS = 0.5  # of play, before which nobody knows how fast it goes


def card(match: Match) -> Wire:
    """What is known without a look at its games."""
    plan = match.plan
    rate = _rate(match)
    left = plan.total - int(match.number("played")) - _needless(match)
    error = match.facts.get("error")
    return {
        "id": match.id,
        "version": match.version,
        "epoch": match.epoch,
        "label": plan.label,
        "state": match.state,
        "created_at": stamp(match.number("created")),
        "changed_at": stamp(match.number("changed")),
        "started_at": _stamp(match, "started"),
        "ended_at": _stamp(match, "ended"),
        "games": plan.games,
        "gnomes": plan.gnomes,
        "rules": plan.rules,
        "crew": plan.crew,
        "against": plan.against,
        "seeds": {"from": plan.seed},
        "stop": {"sprt": {"margin": plan.margin}} if plan.margin is not None else None,
        "keep_replays": plan.keep,
        "played": int(match.number("played")),
        "total": plan.total,
        "games_per_second": rate,
        "eta_seconds": round(max(0, left) / rate, 1) if rate and match.state == RUNNING else None,
        "error": _error(match, error) if error else None,
    }


def whole(shelf: Shelf, match: Match) -> Wire:
    """With what it has come to so far."""
    return card(match) | {"series": results.read(shelf, match).told}


def etag(match: Match) -> str:
    return f'"{tag(match.version, match.epoch)}"'


def tag(version: int, epoch: str) -> str:
    return views.tag(version, epoch, "all")


def _stamp(match: Match, name: str) -> str | None:
    return stamp(match.number(name)) if name in match.facts else None


def _rate(match: Match) -> float | None:
    """Games a second: of late while it is being played, all in all when it is not."""
    if match.state == RUNNING:
        seconds = match.number("changed") - match.number("mark_before")
        games = match.number("played") - match.number("marked_before")
    else:
        seconds, games = match.number("ran"), match.number("played")
    return round(games / seconds, 3) if games and seconds >= LEAST_SECONDS else None


def _needless(match: Match) -> int:
    """Games that need not be played any more, as a verdict came before them."""
    line_ups = len(match.plan.line_ups)
    needless = 0
    for series in range(len(match.plan.gnomes)):
        if f"stop:{series}" in match.facts:
            needless += max(0, match.plan.games * line_ups - int(match.number(f"played:{series}")))
    return needless


def _error(match: Match, stored: str) -> Wire:
    told = orjson.loads(stored)
    return {
        "gnomes": match.plan.gnomes[told["series"]],
        "number": told["number"],
        "seed": results.seed_of(match.plan, told["number"]),
        "error": told["error"],
    }
