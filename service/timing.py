"""Whose time runs, and who plays for those who let it run out."""

from dataclasses import dataclass
from typing import Any

from bots.roster import ROSTER
from engine import Game

Wire = dict[str, Any]

OPEN, PLAYER, BOT = "open", "player", "bot"  # who decides for a seat

STAND_IN = "captain"  # plays for those who are away, and the seats of those who left
AWAY_SECONDS = 3.0  # that a player who is away is waited for: he may be back
REMIND_SHARE = 0.25  # of his time left when a player is reminded
SHORTEST_TO_REMIND = 10  # seconds; of less he needs no reminder
GRACE_SECONDS = 1.5  # after which a bot's decision that nobody took up is hinted at again


@dataclass(frozen=True)
class Stand:
    """A bot that plays a seat just now, and whether because its player is away."""

    seat: int
    bot: str
    away: bool = False


def set_clock(about: Wire, game: Game, at: float) -> None:
    """A new decision starts the clock of whoever must decide; called before every commit."""
    seat = _decider(about, game)
    of = None if seat is None else [game.version, seat, about["seats"][seat]["kind"]]
    if about["clock"] and about["clock"]["of"] == of:
        return
    about["clock"] = {"of": of, "deadline": None, "remind": None}
    seconds = about["turn_seconds"]
    if seat is not None and seconds and about["seats"][seat]["kind"] == PLAYER:
        allowed = min(seconds, AWAY_SECONDS) if about["seats"][seat]["away"] else seconds
        about["clock"]["deadline"] = at + allowed
        if allowed >= SHORTEST_TO_REMIND:
            about["clock"]["remind"] = at + allowed * (1 - REMIND_SHARE)


def _decider(about: Wire, game: Game) -> int | None:
    return game.decider if about["status"] == "playing" else None


def due(about: Wire, game: Game, at: float) -> float | None:
    """When somebody should look after the game, if nothing happens before."""
    seat = _decider(about, game)
    if seat is None:
        return None
    if about["seats"][seat]["kind"] == BOT:
        return at + GRACE_SECONDS
    clock = about["clock"]
    return clock["remind"] or clock["deadline"]


def is_for_bot(about: Wire, game: Game) -> bool:
    seat = _decider(about, game)
    return seat is not None and about["seats"][seat]["kind"] == BOT


def stand(about: Wire, game: Game, at: float) -> Stand | None:
    """Who must be played for now; None while a player may decide himself."""
    seat = _decider(about, game)
    if seat is None:
        return None
    if about["seats"][seat]["kind"] == BOT:
        return Stand(seat, about["seats"][seat]["bot"])
    deadline = about["clock"]["deadline"]
    return Stand(seat, STAND_IN, away=True) if deadline is not None and at >= deadline else None


def reminder(about: Wire, game: Game, at: float) -> Wire | None:
    """An event for a player whose time is getting short, once a decision."""
    clock = about["clock"]
    if _decider(about, game) is None or not clock["remind"] or at < clock["remind"]:
        return None
    clock["remind"] = None
    left = max(0, round(clock["deadline"] - at))
    return {"type": "time_is_short", "seat": game.decider, "seconds": left}


def thinks(bot: str) -> bool:
    return ROSTER[bot].playouts > 0
