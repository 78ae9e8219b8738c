"""Results in so many bytes a game: games of a series stand one after the other, by number, and an unplayed one is all
zeros. Writing one twice is harmless."""

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from bots.arena.game import GameResult
from engine.enums import Cause, Condition

UNPLAYED = int(Cause.NONE)
RESCUED = int(Cause.RESCUED)
FORFEIT = 0x80  # beside the cause of a game that an outside bot broke: it is no rescue, however it ended
_CAUSES = [cause.name.lower() for cause in Cause]
_STATES = [condition.name.lower() for condition in Condition]
_SEAT_BITS, _WON = 3, 4  # of a seat: its gnome's condition, and whether it won
_NUMBER_OF_CAUSE = {name: number for number, name in enumerate(_CAUSES)}
_NUMBER_OF_STATE = {name: number for number, name in enumerate(_STATES)}

Table = np.ndarray[Any, np.dtype[Any]]  # a row a game, with the fields of `layout`
Row = Any  # of a table: numpy has no static type for one


class SeatResult(TypedDict):
    """The end of a game for a seat."""

    bot: str
    result: str
    state: str


class Spent(TypedDict):
    """What a bot spent in a game."""

    turns: int
    seconds: float


class GameSummary(TypedDict):
    """The end of a game."""

    rescued: bool
    cause: str
    deaths: int
    turns: int
    minutes_left: int
    forfeit: bool
    seats: list[SeatResult]
    thinking: dict[str, Spent]
    faults: int


def bots_of(crew: Sequence[str]) -> list[str]:
    """Return each bot once, in the order of their first seats."""
    return list(dict.fromkeys(crew))


def layout(crew: Sequence[str]) -> np.dtype[Any]:
    """Return the layout of a game's result, with turns and seconds for each of its bots."""
    bots = len(bots_of(crew))
    return np.dtype(
        [
            ("cause", "u1"),
            ("minutes_left", "u1"),
            ("deaths", "<u2"),
            ("turns", "<u2"),
            ("faults", "<u2"),
            ("seats", "<u4"),
            ("bot_turns", "<u2", (bots,)),
            ("bot_seconds", "<f4", (bots,)),
        ]
    )


def pack(results: Sequence[GameResult], crew: Sequence[str], *, is_forfeit: bool = False) -> bytes:
    """Write results one after the other."""
    mark = FORFEIT if is_forfeit else 0
    bots = bots_of(crew)
    most = np.iinfo(np.uint16).max
    rows = [
        (
            _NUMBER_OF_CAUSE[result.cause] | mark,
            result.minutes_left,
            min(result.deaths, most),
            min(result.turns, most),
            min(len(result.faults), most),
            _seats(result),
            [min(result.thinking[bot].turns, most) for bot in bots],
            [result.thinking[bot].seconds for bot in bots],
        )
        for result in results
    ]
    return np.array(rows, layout(crew)).tobytes()


def _seats(result: GameResult) -> int:
    packed = 0
    for number, seat in enumerate(result.seats):
        packed |= (_NUMBER_OF_STATE[seat.state] | (_WON if seat.result == "won" else 0)) << (_SEAT_BITS * number)
    return packed


def unpack(stored: bytes | None, crew: Sequence[str], games: int) -> Table:
    """Read so many games, a row each. What is not stored is not played."""
    kind = layout(crew)
    return np.frombuffer((stored or b"").ljust(games * kind.itemsize, b"\0"), kind, games)


def check(rows: Table, seats: int) -> None:
    """Check that rows that somebody else has written can be described. Raises ValueError."""
    if ((rows["cause"] & ~np.uint8(FORFEIT)) >= len(_CAUSES)).any():
        raise ValueError("a game ended for no known cause")
    for seat in range(seats):
        if ((rows["seats"] >> (_SEAT_BITS * seat) & (_WON - 1)) >= len(_STATES)).any():
            raise ValueError("a gnome came to no known end")


def describe(row: Row, crew: Sequence[str]) -> GameSummary:
    """Return the result of a game that was played, as JSON."""
    cause = int(row["cause"])
    is_forfeit, seats = cause & FORFEIT > 0, int(row["seats"])
    return {
        "rescued": cause == RESCUED,
        "cause": _CAUSES[cause & ~FORFEIT],
        "deaths": int(row["deaths"]),
        "turns": int(row["turns"]),
        "minutes_left": int(row["minutes_left"]),
        "forfeit": is_forfeit,
        "seats": [_seat(bot, seats >> (_SEAT_BITS * number)) for number, bot in enumerate(crew)],
        "thinking": {
            bot: {"turns": int(turns), "seconds": float(seconds)}
            for bot, turns, seconds in zip(bots_of(crew), row["bot_turns"], row["bot_seconds"], strict=True)
        },
        "faults": int(row["faults"]),
    }


def _seat(bot: str, packed: int) -> SeatResult:
    return {"bot": bot, "result": "won" if packed & _WON else "lost", "state": _STATES[packed & (_WON - 1)]}


def cause_name(number: int) -> str:
    return _CAUSES[number]
