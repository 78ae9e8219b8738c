"""Tell what a game at a table came to, as its history has it, and whether an outside bot broke it."""

import dataclasses
from collections import Counter
from collections.abc import Sequence

import orjson

from bots.arena.game import GameResult, Playing, Thinking
from bots.roster import ROSTER
from bots.safety import Fault
from service.games import history, timing
from service.games.model import Table
from service.store.store import Store

BREAKING_MISSES = 3  # decisions in a row that a stand-in made for one seat
_MISSED = "no legal answer in time"


def of_table(store: Store, table: Table, crew: Sequence[str]) -> tuple[GameResult, bool]:
    """Return the result of a table that is over, and whether a bot missed so many decisions in a row as break it."""
    deaths, moves, thinking = 0, 0, {bot: Thinking() for bot in crew}
    away, missed = set[int](), list[Fault]()
    in_a_row, is_broken = Counter[int](), False  # by seat
    for told in history.events(store, table):
        event = orjson.loads(told)
        match event["type"]:
            case "gnome_died":
                deaths += 1
            case "turn_began":
                thinking[crew[event["seat"]]].turns += 1
            case "player_away":
                away.add(event["seat"])
            case "player_back":
                away.discard(event["seat"])
            case "choice" if not event["automatic"]:
                seat = event["seat"]
                if seat in away:
                    missed.append(Fault(crew[seat], seat, moves, _MISSED, timing.STAND_IN))
                in_a_row[seat] = in_a_row[seat] + 1 if seat in away else 0
                is_broken |= in_a_row[seat] >= BREAKING_MISSES
                moves += 1
    over = Playing(table.game, list(crew), bytes.fromhex(table.secrets.seed), ROSTER).to_the_end()
    return dataclasses.replace(over, deaths=deaths, thinking=thinking, faults=missed), is_broken
