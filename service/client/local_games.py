"""Games of an outside bot on one's own machine, without a service: dealt, played and counted as in a match."""

import argparse
import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

from bots.arena.match import BAD_ARGUMENTS, INTERRUPTED
from bots.arena.progress import Progress
from bots.arena.report import report
from bots.arena.series import Series
from bots.roster import ROSTER
from bots.safety import Chooser
from engine import Game, GameError, Rules
from engine.rules import CHALLENGES, EDITIONS
from engine.shapes import Move
from engine.vector import move_of
from red_november_client.blocking import wait_for
from red_november_client.bot.answers import BotFailed, illegal
from red_november_client.bot.asking import ask_in_time
from red_november_client.bot.mouths import Mouth
from service.client.told import decision
from service.outside.lines import STATE, Form

BOT = "bot"  # what it is called among ours
Result = TypeVar("Result")


class OutsideBot:
    """Asks an outside bot, as a service would."""

    def __init__(self, mouth: Mouth, seconds: float, form: Form = STATE):
        self._mouth, self._seconds, self._form = mouth, seconds, form

    def choose(self, observation: Game, *_: Any, seed: int = 0, **__: Any) -> list[Move]:
        """Return its moves. Raises BotFailed."""
        milliseconds = round(1000 * self._seconds)
        line = decision(observation, "testgameatmyhaus", milliseconds, self._form) | {"seed": seed % 2**48}
        answer = wait_for(ask_in_time(self._mouth, line, self._seconds))
        if "moves" in answer:
            return answer["moves"]
        if wrong := illegal(line, answer):
            raise BotFailed(wrong)
        return [move_of(answer["action"])]


def add_local(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of games without a service."""
    group = parser.add_argument_group("with --local", "games on this machine, as `red-november match` plays them")
    group.add_argument("--games", type=int, default=100, help="how many (100)")
    group.add_argument("--seed", type=int, default=1, help="the same seed makes the same games (1)")
    group.add_argument("--gnomes", type=int, default=4, help="3 to 8 (4)")
    group.add_argument("--crew", default=BOT, metavar="BOT,…", help=f"who plays, yours being `{BOT}` ({BOT})")
    group.add_argument("--against", metavar="BOT,…", help="another crew, on the same seeds")
    group.add_argument("--players", type=int, help="(as many as gnomes)")
    group.add_argument("--edition", choices=EDITIONS, default=EDITIONS[0])
    group.add_argument("--less-deadly-dying", action="store_true")
    group.add_argument("--hidden-hands", action="store_true", default=None)
    group.add_argument("--crazed-gnomes", action="store_true")
    group.add_argument("--greater-challenge", choices=CHALLENGES, default=CHALLENGES[0])


def play_local(options: argparse.Namespace, mouth: Mouth, at_once: int) -> int:
    """Play, and print how the crews did; return 0, 2 for bad arguments, 130 after Ctrl-C. Raises BotFailed if the bot
    can't begin."""
    roster: Mapping[str, Chooser] = {**ROSTER, BOT: OutsideBot(mouth, options.seconds, options.form)}
    try:
        series = _series(options, roster)
    except (GameError, ValueError) as error:
        print(f"red-november bot: {error}", file=sys.stderr)
        return BAD_ARGUMENTS
    progress, code = Progress(series.games * len(series.tallies), "games", sys.stderr), 0
    try:
        wait_for(mouth.open())
        with closing(series.play(at_once, run=in_threads)) as games:
            for played in games:
                progress.done += len(played)
                progress.show("")
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        wait_for(mouth.close())
        progress.close()
    results = series.to_dict()
    if code:
        print("red-november bot: interrupted; the results so far:", file=sys.stderr)
    print(report(results), end="")
    if options.json:
        options.json.write_text(json.dumps({"complete": code == 0, "matches": [results]}, indent=2) + "\n")
    return code


def _series(options: argparse.Namespace, roster: Mapping[str, Chooser]) -> Series:
    rules = Rules(
        options.gnomes,
        options.players,
        edition=options.edition,
        less_deadly_dying=options.less_deadly_dying,
        hidden_hands=options.hidden_hands,
        crazed_gnomes=options.crazed_gnomes,
        greater_challenge=options.greater_challenge,
    )
    if options.games < 1:
        raise ValueError("--games must be 1 or more")
    against = _names(options.against) if options.against else None
    return Series(rules, _names(options.crew), against, options.games, options.seed, roster=roster)


def _names(text: str) -> Sequence[str]:
    return [name.strip() for name in text.split(",")]


def in_threads(
    job: Callable[[int], Result], count: int, threads: int, tick: Callable[[], None] = lambda: None
) -> Generator[Result]:
    """Yield the results of jobs 0 to count - 1 in their order: a bot has processes of its own, and games wait for it.

    Closing the generator begins no other job.
    """
    pool = ThreadPoolExecutor(threads)
    try:
        for result in [pool.submit(job, number) for number in range(count)]:
            yield result.result()
            tick()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
