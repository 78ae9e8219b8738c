"""Play games between bots with a worker's code in this process, and tell what a turn takes: `python -m` prints JSON.

All times are those that a process had a core for, so that whatever else the machine does adds little to them.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

from bots.warm import warm_up
from service.queue import waiting
from service.workers import jobs
from tests.bench.harness import fresh_process
from tests.support.desk import Desk
from tests.support.serving import Seated, new_game

SEATS = 3
AT_ONCE = 600.0  # seconds of a slice, so that each game is played in one


@dataclass(frozen=True)
class Turns:
    """What turns of one bot took, by a worker and by Redis; seconds of a processor."""

    bot: str
    turns: int
    decisions: int
    search: float
    worker: float  # with the search
    redis: float
    commands: int
    trips: int

    @property
    def else_of_worker(self) -> float:
        """Seconds of a turn besides the search."""
        return (self.worker - self.search) / self.turns

    def rate(self, cores: int) -> float:
        """Turns a second that so many cores have the time for, Redis' included."""
        return cores * self.turns / (self.worker + self.redis)


def measured(url: str, bot: str, games: int) -> Turns:
    """Measure in a fresh process."""
    return Turns(**fresh_process("-m", "tests.bench.turns", url, bot, str(games)))


class _Stopwatch:
    """Adds up the time of the processor that a function takes."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self._work = work
        self.seconds, self.calls = 0.0, 0

    def __call__(self, *arguments: Any) -> Any:
        began = time.process_time()
        try:
            return self._work(*arguments)
        finally:
            self.seconds += time.process_time() - began
            self.calls += 1


def played(url: str, bot: str, games: int) -> Turns:
    desk, search = Desk(url), _Stopwatch(jobs._choose)
    waiting.SLICE_SECONDS.update(dict.fromkeys(waiting.SLICE_SECONDS, AT_ONCE))
    warm_up()
    with patch.object(jobs, "own_store", lambda: desk.store), patch.object(jobs, "_choose", search):
        _play([new_game(desk.api, seats=[bot] * SEATS) for _ in range(2)])  # so that all is warm
        return _measured(desk, search, bot, games)


def _measured(desk: Desk, search: _Stopwatch, bot: str, games: int) -> Turns:
    search.seconds, search.calls = 0.0, 0
    made = [new_game(desk.api, seats=[bot] * SEATS, seed=number.to_bytes(32).hex()) for number in range(games)]
    before, began = _spent(desk), time.process_time()
    _play(made)
    worker, after = time.process_time() - began, _spent(desk)
    redis, commands, trips = (now - then for now, then in zip(after, before, strict=True))
    ends = [game.state for game in made]
    assert all(state["result"] for state in ends), "a game is not over"
    turns = sum(state["turn"] for state in ends)
    return Turns(bot, turns, search.calls, search.seconds, worker, redis, int(commands), int(trips))


def beside(url: str, rounds: int = 40) -> tuple[float, float, float]:
    """Return the commands of Redis and the round trips of a decision of two sailors beside a person, and how many
    decisions a round has there: what it takes to get hold of the game and to let it go is for so few."""
    desk, search = Desk(url), _Stopwatch(jobs._choose)
    commands = trips = done = 0
    warm_up()
    with patch.object(jobs, "own_store", lambda: desk.store), patch.object(jobs, "_choose", search):
        while done < rounds:
            game = new_game(desk.api, seats=["open", *["sailor"] * (SEATS - 1)], seed=done.to_bytes(32).hex())
            while done < rounds and _until_a_bot_decides(game):
                before = _spent(desk)
                jobs.take_turns()
                after = _spent(desk)
                done += 1
                commands += int(after[1] - before[1]) - 1  # for the look itself
                trips += int(after[2] - before[2]) - 1
    return commands / search.calls, trips / search.calls, search.calls / done


def _until_a_bot_decides(game: Seated) -> bool:
    """Let the person play; return False if the game is over."""
    me = game.players[0]
    while (state := me.get(game.path).body)["legal_moves"]:
        me.play(game.path, state["legal_moves"][-1])
    return not state["result"]


def _play(games: Sequence[Seated]) -> None:
    for _ in games:
        jobs.take_turns()


def _spent(desk: Desk) -> tuple[float, int, int]:
    """Return Redis' time of a processor, its commands, those of scripts included, and how often it was asked."""
    info: Any = desk.store.redis.info("all")
    commands = sum(each["calls"] for name, each in info.items() if name.startswith("cmdstat_"))
    return info["used_cpu_user"] + info["used_cpu_sys"], commands, info["total_reads_processed"]


if __name__ == "__main__":
    print(json.dumps(asdict(played(sys.argv[1], sys.argv[2], int(sys.argv[3])))))
