"""`red-november match --server URL` plays a match on a service, with the tables and files of the local command."""

import argparse
import json
import os
import sys
from collections.abc import Iterator

from bots.arena.league import named_tallies
from bots.arena.match import BAD_ARGUMENTS, FAILED, INTERRUPTED, league_of
from bots.arena.match import add_match as add_local_match
from bots.arena.progress import Progress
from bots.arena.report import report
from red_november_client.addresses import parse_address
from red_november_client.errors import Refused, Unreachable
from red_november_client.matches import Gone, MatchService
from service.matches.model import MatchStatus
from service.matches.plan import KEEP
from service.wire import Wire

API_KEY = "RED_NOVEMBER_API_KEY"
_OPTIONS = ("players", "edition", "less_deadly_dying", "hidden_hands", "crazed_gnomes", "greater_challenge")
_FIELDS = ("seed", "crew", "rescued", "cause", "deaths", "turns", "minutes_left", "seats", "thinking")  # of a line


class _Renamed(argparse.Action):
    """Refuses an option by the name that it had before."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(f"{self.option_strings[0]} is called {self.const} now")


def add_match(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the local command, and those of a match that is played elsewhere."""
    add_local_match(parser)
    here = parser.get_default("run")
    group = parser.add_argument_group("on a service", "whose workers play instead of --processes")
    group.add_argument("--server", "--url", metavar="URL", help="of the service, as http://127.0.0.1:8000")
    group.add_argument("--api-key", default=os.environ.get(API_KEY), help=f"where it wants one (${API_KEY})")
    group.add_argument("--name", default="", help="to tell it from other matches")
    group.add_argument("--label", action=_Renamed, const="--name", help=argparse.SUPPRESS)
    group.add_argument("--keep-replays", choices=KEEP, default=KEEP[0], help="of which games to keep the moves (none)")
    group.add_argument("--detach", action="store_true", help="begin it, tell where it is, and leave it to the service")
    parser.set_defaults(run=lambda options: run(options) if options.server else here(options))


def run(options: argparse.Namespace) -> int:
    """Run a match, and return the exit code of the local command: 1 for a failure, 2 for bad input, 130 for Ctrl-C."""
    if not options.server.startswith(("http://", "https://")):
        return _complain(BAD_ARGUMENTS, f"--server wants an address with http:// or https://, not {options.server}")
    try:
        league_of(options)
        service = MatchService(parse_address(options.server), options.api_key)
    except ValueError as error:
        return _complain(BAD_ARGUMENTS, f"--server: {error}")
    try:
        for path in filter(None, (options.json, options.ndjson)):
            path.open("a").close()  # better refused now than when all is played
        created = service.create(_request_of(options))
        match_id = created["match"]["id"]
    except (Refused, OSError) as error:
        return _complain(BAD_ARGUMENTS, str(error))
    except Unreachable as error:
        return _complain(FAILED, str(error))
    print(f"match {service.address_of(match_id)}", file=sys.stderr)
    if options.detach:
        print(json.dumps({"url": service.address_of(match_id), "token": created["token"]}))
        return 0
    try:
        return _follow(service, created, options)
    except (Gone, Refused, Unreachable, OSError) as error:
        return _complain(FAILED, str(error))
    except KeyboardInterrupt:  # the second one
        return _complain(INTERRUPTED, "interrupted; nobody knows whether the match goes on")


def _complain(code: int, reason: str) -> int:
    print(f"red-november match: {reason}", file=sys.stderr)
    return code


def _request_of(options: argparse.Namespace) -> Wire:
    wanted: Wire = {
        "games": options.games,
        "gnomes": options.gnomes,
        "rules": {name: getattr(options, name) for name in _OPTIONS if getattr(options, name) is not None},
        **({"crews": options.crews} if options.crews else {"crew": options.crew}),
        "seeds": {"from": options.seed},
    }
    if options.keep_replays != KEEP[0]:
        wanted["keep_replays"] = options.keep_replays
    if options.against is not None:
        wanted["against"] = options.against
    if options.baseline is not None:
        wanted["baseline"] = options.baseline
    if options.sprt is not None:
        wanted["stop"] = {"sprt": {"margin": options.sprt}}
    if options.name:
        wanted["name"] = options.name
    return wanted


def _follow(service: MatchService, created: Wire, options: argparse.Namespace) -> int:
    """Follow a match to its end, and report it. Ctrl-C cancels it."""
    match, code = created["match"], 0
    match_id = match["id"]
    progress = Progress(match["total"], "games", sys.stderr)
    try:
        for match in service.states(match_id):
            progress.done = match["played"]
            progress.show(_standing(match))
    except KeyboardInterrupt:
        match, code = service.cancel(match_id, created["token"]), INTERRUPTED
    finally:
        progress.close()
    reason = "interrupted" if code else _failure_of(match)
    if reason:
        code = _complain(code or FAILED, f"{reason}; the results so far:")
    begun = [series for series in match["series"] if series["crew"]["games"]]
    print("\n".join(map(report, begun)), end="")
    if options.json:
        options.json.write_text(json.dumps({"complete": code == 0, "matches": begun}, indent=2) + "\n")
    if options.ndjson:
        with options.ndjson.open("w") as lines:
            lines.writelines(json.dumps(line) + "\n" for line in _lines(service.games(match_id), begun))
    return code


def _failure_of(match: Wire) -> str:
    if match["status"] == MatchStatus.FAILED:
        error = match["error"]
        return f"game {error['number']} of {error['gnomes']} gnomes, seed {error['seed']}, failed: {error['error']}"
    return "it was cancelled" if match["status"] == MatchStatus.CANCELLED else ""


def _standing(match: Wire) -> str:
    """Describe how the series that is being played stands."""
    if match["status"] in (MatchStatus.QUEUED, MatchStatus.PAUSED):
        return str(match["status"])
    begun = [series for series in match["series"] if series["crew"]["games"]] or match["series"][:1]
    tallies = named_tallies(begun[-1]).values()
    rates = " to ".join(f"{100 * tally['rescue_rate']:.1f} %" for tally in tallies)
    return f"{begun[-1]['rules']['gnomes']} gnomes: {rates}"


def _lines(games: Iterator[Wire], reports: list[Wire]) -> Iterator[Wire]:
    """Yield the games as the local command writes them."""
    rules = {series["rules"]["gnomes"]: series["rules"] for series in reports}
    faults: dict[tuple[int, str, str], list[Wire]] = {}
    for series in reports:
        for name, tally in named_tallies(series).items():
            for fault in tally["faults"]["first"]:
                key = (series["rules"]["gnomes"], name, fault["seed"])
                faults.setdefault(key, []).append({part: fault[part] for part in fault if part != "seed"})
    for game in games:
        yield {
            "rules": rules[game["gnomes"]],
            "number": game["number"],
            "line_up": game["line_up"],
            **{name: game[name] for name in _FIELDS},
            "faults": faults.get((game["gnomes"], game["line_up"], game["seed"]), []),
        }
