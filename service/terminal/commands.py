"""`red-november play` and `red-november watch` on the command line."""

import argparse
import getpass
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bots.roster import ROSTER
from engine import GameError
from engine.rules import CHALLENGES, EDITIONS
from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from red_november_client.probing import check_service
from service.accounts.names import PREFIX, is_seated
from service.config import BadConfig
from service.locate import DEFAULT_ADDRESS, add_data, address_of
from service.store.data_folder import BadFolder
from service.terminal.finding import DEFAULT_BOT, CannotPlay, Finder, read_address
from service.terminal.keyboard import Keyboard
from service.terminal.own_service import ServiceFailed
from service.terminal.playing import INTERRUPTED, Play
from service.terminal.saved import SavedGames
from service.terminal.screen import Screen, is_plain
from service.terminal.texts import TEXTS, harmless, language
from service.terminal.watching import Watch
from service.words import UnknownLanguage, clean_name
from service.words.catalogue import Catalogue

FAILED, BAD_ARGUMENTS = 1, 2
_OPEN = "open"


def add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server",
        "--url",
        help="address of the service (that of a `serve` in this folder, or one of your own)",
    )
    parser.add_argument("--gnomes", type=int, default=4, help="3 to 8 (4)")
    bots = f"{', '.join(ROSTER)}, or {PREFIX}NAME"
    parser.add_argument(
        "--bots", type=_bot, default=DEFAULT_BOT, metavar="BOT", help=f"for the other seats: {bots} ({DEFAULT_BOT})"
    )
    parser.add_argument("--seats", type=_seats, metavar="WHO,…", help=f"each of them: open, {bots}")
    parser.add_argument("--name", type=_name, default=_login(), help="yours, for the others to see")
    parser.add_argument("--players", type=int, help="1: you have all gnomes; 2: two each of four (as many as gnomes)")
    parser.add_argument("--edition", choices=EDITIONS, default=EDITIONS[0])
    parser.add_argument("--less-deadly-dying", action="store_true", help="newcomers take the places of the dead")
    parser.add_argument("--hidden-hands", action="store_true", default=None, help="nobody sees what others hold")
    parser.add_argument(
        "--crazed-gnomes", action="store_true", help="gnomes may attack each other; implies hidden hands"
    )
    parser.add_argument("--greater-challenge", choices=CHALLENGES, default=CHALLENGES[0])
    parser.add_argument("--turn-seconds", type=int, help="for each decision (any time)")
    parser.add_argument("--private", action="store_true", help="strangers don't see the game")
    parser.add_argument("--join", metavar="ID", help="a game that is there already")
    parser.add_argument("--token", help="to join a private game: its host's; or yours, to go on with a game")
    parser.add_argument("--seat", type=int, metavar="N", help="the gnome you want, from 1 (the first that is free)")
    parser.add_argument("--resume", action="store_true", help="go on with the game that you left")
    parser.add_argument(
        "--data", type=Path, help="the service on this folder; if none runs there, one of your own is started"
    )
    parser.add_argument("--api-key", help="where the operator has given out keys")
    _add_common(parser)
    parser.set_defaults(run=run_play)


def add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="ID", help="the game's id")
    parser.add_argument(
        "--server", "--url", help=f"address of the service (that of a `serve` on --data; {DEFAULT_ADDRESS})"
    )
    add_data(parser)
    parser.add_argument("--token", help="for a private game, or to see what your seat may see")
    parser.add_argument("--from-start", action="store_true", help="tell it from its beginning")
    parser.add_argument("--pace", type=_pace, default=1.0, metavar="SECONDS", help="a turn, with --from-start (1)")
    _add_common(parser)
    parser.set_defaults(run=run_watch)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", metavar="en|de|ru", help="language (that of your system, or English)")
    parser.add_argument("--plain", action="store_true", help="lines without colours and drawings, for scripts and ears")


def _seats(text: str) -> list[str]:
    seats = [seat.strip() for seat in text.split(",")]
    if _OPEN not in seats:
        raise argparse.ArgumentTypeError("one of them must be open, for you")
    return [seat if seat == _OPEN else _bot(seat) for seat in seats]


def _bot(text: str) -> str:
    """Return a bot of ours, or of somebody else's: whether there is that one is for the service to say."""
    if text in ROSTER or is_seated(text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(ROSTER)}, nor {PREFIX} and a name")


def _pace(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError("must be 0 to 60 seconds")
    return seconds


def _name(text: str) -> str:
    """Leave out what can't be shown, which the service would refuse."""
    name = clean_name(text)
    if not name:
        raise argparse.ArgumentTypeError("has no letter that can be shown")
    return name


def _login() -> str:
    try:
        return clean_name(getpass.getuser()) or "Gnome"
    except (KeyError, OSError):  # an account without a name
        return "Gnome"


def run_play(options: argparse.Namespace) -> int:
    """Play a game. Return 0, also when it was left; 1 if it can't be played, 2 for bad arguments, 130 after Ctrl-C."""
    games = SavedGames()

    def play(screen: Screen, texts: Catalogue) -> int:
        finder, over = Finder(options, screen, texts, games), False
        try:
            game = Play(finder.seat(), screen, texts, Keyboard(), games)
            code = game.run()
            over = game.is_over
            return code
        finally:
            finder.close(over)

    return _run(options, play)


def run_watch(options: argparse.Namespace) -> int:
    """Watch a game. Return 0 at its end, 1 if it can't be watched, 2 for bad arguments, 130 after Ctrl-C."""

    def watch(screen: Screen, texts: Catalogue) -> int:
        server = read_address(options.server or address_of(options.data), texts)
        check_service(server)
        client = Client(server, options.token, on_wait=lambda: screen.passing(texts("waiting_for_service")))
        return Watch(client, options.game, screen, texts).run(options.pace if options.from_start else None)

    return _run(options, watch)


def _run(options: argparse.Namespace, command: Callable[[Screen, Catalogue], int]) -> int:
    """Run a command, and turn what it raises into a line and an exit code."""
    try:
        texts = TEXTS[language(options.lang)]
    except UnknownLanguage as error:
        print(f"red-november: --lang: {error}", file=sys.stderr)
        return BAD_ARGUMENTS
    screen = Screen(is_plain(options.plain, sys.stdout))
    try:
        with _signals_as_interrupts():
            return command(screen, texts)
    except Unreachable as error:
        reason, code = texts("unreachable", server=error.server, reason=error.reason), FAILED
    except ServiceFailed as error:
        reason, code = texts("service_failed", reason=error), FAILED
    except (GameError, BadConfig, BadFolder) as error:
        reason, code = str(error), BAD_ARGUMENTS
    except (CannotPlay, Refused, OSError) as error:
        reason, code = str(error), FAILED
    except KeyboardInterrupt:
        screen.erase_note()
        return INTERRUPTED
    screen.erase_note()
    print(f"red-november: {harmless(reason)}", file=sys.stderr)
    return code


@contextmanager
def _signals_as_interrupts() -> Iterator[None]:
    """Treat a closed terminal and a system that shuts down like Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
