"""`red-november match`: crews of bots play against the submarine, on all cores of this machine."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

from bots.arena.game import GameResult
from bots.arena.guests import GROUP, with_guests
from bots.arena.league import LEAST_CREWS, MOST_CREWS, League
from bots.arena.pool import JobFailed, all_cores
from bots.arena.progress import Progress
from bots.arena.report import report
from bots.arena.series import Series
from bots.roster import ROSTER
from engine import GameError, Rules
from engine.rules import CHALLENGES, EDITIONS

INTERRUPTED = 130
BAD_ARGUMENTS = 2
FAILED = 1


def add_match(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    bots = ", ".join(ROSTER)
    parser.add_argument("--games", type=_count, default=100, help="games a crew (100)")
    parser.add_argument("--gnomes", type=_counts, default=[4], metavar="N,…", help="3 to 8; several: a match each (4)")
    parser.add_argument(
        "--crew",
        type=_names,
        metavar="BOT,…",
        help=f"one for all seats, or each: {bots}, or an entry point of {GROUP}",
    )
    parser.add_argument("--against", type=_names, metavar="BOT,…", help="another crew, on the same seeds")
    parser.add_argument(
        "--crews",
        type=_names,
        nargs="+",
        metavar="BOT,…",
        help=f"a league instead: up to {MOST_CREWS} crews on the same seeds, each compared with each other",
    )
    parser.add_argument("--baseline", metavar="NAME", help="compare each only with this one of --crews, as crew-1")
    parser.add_argument(
        "--sprt", type=_margin, metavar="MARGIN", help="stop when it is clear whether --crew is stronger"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same games (1)")
    parser.add_argument("--processes", type=_count, default=all_cores(), help="(all cores)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results")
    parser.add_argument("--ndjson", type=Path, metavar="FILE", help="write a line for each game, as it ends")
    parser.add_argument("--players", type=_count, help="(as many as gnomes)")
    parser.add_argument("--edition", choices=EDITIONS, default="revised")
    parser.add_argument("--less-deadly-dying", action="store_true")
    parser.add_argument("--hidden-hands", action="store_true", default=None)
    parser.add_argument("--crazed-gnomes", action="store_true")
    parser.add_argument("--greater-challenge", choices=CHALLENGES, default="off")
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _counts(text: str) -> list[int]:
    return [_count(part) for part in text.split(",")]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _margin(text: str) -> float:
    margin = float(text)
    if not 0 < margin < 1:
        raise argparse.ArgumentTypeError("must lie between 0 and 1, as 0.02 for two games in a hundred")
    return margin


def run(options: argparse.Namespace) -> int:
    """Play and print; return 0, or 1 if a game or a file failed, 2 for bad arguments, 130 after Ctrl-C."""
    try:
        series = _series(options)
        for path in filter(None, (options.json, options.ndjson)):
            path.open("a").close()  # better refused now than when all is played
    except (GameError, ValueError, OSError) as error:
        return _complain(BAD_ARGUMENTS, str(error))
    try:
        with options.ndjson.open("w", buffering=1) if options.ndjson else nullcontext() as lines:
            match = Match(series, options.processes, lines)
            code = match.play()
            results = [series.to_dict() for series in match.begun]
            print("\n".join(map(report, results)), end="")
            if options.json:
                options.json.write_text(json.dumps({"complete": code == 0, "matches": results}, indent=2) + "\n")
            return code
    except OSError as error:
        return _complain(FAILED, str(error))


def _complain(code: int, reason: str) -> int:
    print(f"red-november match: {reason}", file=sys.stderr)
    return code


def _series(options: argparse.Namespace) -> list[Series]:
    league = league_of(options)
    crews = [crew for crew in (*(options.crews or ()), options.crew, options.against) if crew]
    roster = with_guests([bot for crew in crews for bot in crew])
    return [
        Series(
            Rules(
                gnomes,
                options.players,
                edition=options.edition,
                less_deadly_dying=options.less_deadly_dying,
                hidden_hands=options.hidden_hands,
                crazed_gnomes=options.crazed_gnomes,
                greater_challenge=options.greater_challenge,
            ),
            options.crew or (),
            options.against,
            options.games,
            options.seed,
            options.sprt,
            roster,
            league,
        )
        for gnomes in options.gnomes
    ]


def league_of(options: argparse.Namespace) -> League | None:
    """Return the league that is asked for, None for a match. Raises ValueError when that is unclear."""
    if (options.crew is None) == (options.crews is None):
        raise ValueError("name a --crew, or the --crews of a league")
    if options.sprt is not None and options.against is None:
        raise ValueError("--sprt compares two crews: name the other one with --against")
    if options.crews is None:
        if options.baseline is not None:
            raise ValueError("--baseline goes with --crews")
        return None
    league = League(options.crews, options.baseline)
    if options.against is not None:
        raise ValueError("--against goes with --crew, and not with --crews")
    if not LEAST_CREWS <= len(options.crews) <= MOST_CREWS:
        raise ValueError(f"--crews takes {LEAST_CREWS} to {MOST_CREWS} crews")
    if options.baseline not in (None, *league.names):
        raise ValueError(f"--baseline must be one of {', '.join(league.names)}")
    return league


class Match:
    """Series that are played one after the other, with a progress bar. `begun` keeps those that have begun."""

    def __init__(self, series: list[Series], processes: int, lines: TextIO | None):
        self.begun: list[Series] = []
        self._series, self._processes, self._lines = series, processes, lines
        games = sum(each.games * len(each.tallies) for each in series)
        self._progress = Progress(games, "games", sys.stderr)

    def play(self) -> int:
        """Play all series, as far as possible; return the exit code."""
        try:
            with _interrupts_noted() as check:
                for series in self._series:
                    self.begun.append(series)
                    self._play(series, check)
        except KeyboardInterrupt:
            code, reason = INTERRUPTED, "interrupted"
        except (JobFailed, OSError) as error:
            code, reason = FAILED, str(error)
        else:
            return 0
        finally:
            self._progress.close()
        return _complain(code, f"{reason}; the results so far:")

    def _play(self, series: Series, check: Callable[[], None]) -> None:
        def tick() -> None:
            check()
            self._progress.show(_standing(series))

        with closing(series.play(self._processes, tick)) as games:
            for number, results in enumerate(games):
                self._write(series, number, results)
                self._progress.done += len(results)
                tick()
        left = series.games - series.tallies[0].games
        self._progress.total -= left * len(series.tallies)

    def _write(self, series: Series, number: int, results: list[GameResult]) -> None:
        if self._lines:
            for name, result in zip(series.names, results):
                line = {"rules": series.rules.to_dict(), "number": number, "line_up": name, **result.to_dict()}
                self._lines.write(json.dumps(line) + "\n")


def _standing(series: Series) -> str:
    rates = " to ".join(f"{100 * tally.rescues / max(1, tally.games):.1f} %" for tally in series.tallies)
    return f"{series.rules.gnomes} gnomes: {rates}"


@contextmanager
def _interrupts_noted() -> Iterator[Callable[[], None]]:
    """Hold a Ctrl-C back until the caller checks for it, so that no result is torn; a second one acts at once."""
    noted: list[int] = []

    def note(number: int, frame: object) -> None:
        noted.append(number)
        if len(noted) > 1:
            check()

    def check() -> None:
        if noted:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
