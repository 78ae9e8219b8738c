"""`red-november-bot`: bring a bot of your own. `red-november bot` is the same, and plays without a service, too."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

from red_november_client.addresses import parse_address
from red_november_client.blocking import Client
from red_november_client.bot import accounts, bench, check, mouths
from red_november_client.bot.answers import BotFailed, shortened
from red_november_client.bot.kept import Kept
from red_november_client.bot.mouths import Mouth, Relay
from red_november_client.bot.recorded import decisions
from red_november_client.bot.runner import Replaced, Runner
from red_november_client.connections import connections
from red_november_client.errors import Refused, Unreachable

DEFAULT_ADDRESS = "http://127.0.0.1:8000"
API_KEY, TOKEN = "RED_NOVEMBER_API_KEY", "RED_NOVEMBER_BOT_TOKEN"
FAILED, BAD_ARGUMENTS, INTERRUPTED = 1, 2, 130
FORMS = "state", "vector"
Local = Callable[[argparse.Namespace, Mouth, int], int]


def add_bot(
    parser: argparse.ArgumentParser,
    add_local: Callable[[argparse.ArgumentParser], None] = lambda _: None,
    local: Local | None = None,
    server: Callable[[], str] = lambda: DEFAULT_ADDRESS,
) -> None:
    """Add the commands. With the engine beside, `local` plays games without a service."""
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, told: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=told, description=told)
        added.set_defaults(run=run, program=parser.prog, find_server=server, local=None)
        return added

    running = command("run", "let a bot play its games at a service", _run)
    _add_mouths(running)
    _add_service(running)
    running.add_argument("--name", help="of the bot (the one whose token is kept)")
    running.add_argument("--version", help="of the bot, as others are told")
    running.add_argument(
        "--form", choices=FORMS, default=FORMS[0], help="`vector`: decisions in numbers, for nets (state)"
    )
    if local is not None:
        running.add_argument("--local", dest="local", action="store_const", const=local, help="play without a service")
        running.add_argument("--json", type=Path, metavar="FILE", help="write the results of --local")
        add_local(running)
    checking = command("check", "try a bot on recorded decisions of every kind, without a service", _check)
    _add_mouths(checking)
    checking.add_argument(
        "--most", type=int, default=5, metavar="N", help="lines of a kind of fault that are shown (5)"
    )
    benching = command("bench", "measure how many decisions a bot makes in a second", _bench)
    _add_mouths(benching)
    benching.add_argument("--for", dest="length", type=float, default=5.0, metavar="SECONDS", help="how long (5)")
    benching.add_argument("--server", metavar="URL", help="also measure the way there and back")
    _add_accounts(command)


def _add_accounts(command: Callable[..., argparse.ArgumentParser]) -> None:
    def account(name: str, told: str, do: Callable[..., int], **more: Any) -> argparse.ArgumentParser:
        added = command(name, told, _on_account)
        added.add_argument("name", help="of the bot: a to z, 0 to 9, - and _, from 3 to 32 letters")
        _add_service(added)
        added.set_defaults(do=do, **more)
        return added

    registering = account("register", "open an account for a bot at a service", accounts.register)
    registering.add_argument("--description", help="how it plays, for others to read")
    registering.add_argument("--version", help="which version of it plays")
    registering.add_argument("--open", type=int, default=16, help="decisions that it may have at once (16)")
    registering.add_argument("--seconds", type=int, default=5, help="that it may take for each (5)")
    registering.add_argument("--accepts", choices=("anybody", "owner"), default="anybody", help="who may seat it")
    account("show", "print what a service knows of a bot, and its games", accounts.show)
    account("pause", "have stand-ins play for a bot", accounts.change, paused=True)
    account("resume", "let a bot play again that was paused", accounts.change, paused=False)
    account("token", "renew the token of a bot", accounts.renew)
    account("delete", "delete a bot", accounts.delete)


def _add_service(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--server", "--url", metavar="URL", help=f"of the service ({DEFAULT_ADDRESS})")
    parser.add_argument(
        "--token", default=os.environ.get(TOKEN), help=f"of the bot (the one that is kept, or ${TOKEN})"
    )
    parser.add_argument("--api-key", default=os.environ.get(API_KEY), help=f"where it wants one (${API_KEY})")


def _add_mouths(parser: argparse.ArgumentParser) -> None:
    ways = parser.add_mutually_exclusive_group(required=True)
    ways.add_argument("function", nargs="?", metavar="MODULE:FUNCTION", help="a function in Python, in processes")
    ways.add_argument("--command", metavar="COMMAND", help="a program: a line of JSON in, one out")
    ways.add_argument("--relay", metavar="URL", help="a server of yours: decisions are POSTed to it")
    parser.add_argument("--at-once", type=int, metavar="N", help="decisions at once (as many as cores; --relay: 16)")
    parser.add_argument("--seconds", type=float, default=5.0, help="for a decision, where no service says it (5)")


def _mouth(options: argparse.Namespace) -> tuple[Mouth, int]:
    """Return the bot that is meant, and how many decisions it gets at once. Raises ValueError."""
    usual = 16 if options.relay else min(os.cpu_count() or 1, 8)
    at_once = usual if options.at_once is None else options.at_once
    if at_once < 1:
        raise ValueError("--at-once must be 1 or more")
    if options.relay:
        if not options.relay.startswith(("http://", "https://")):
            raise ValueError(f"--relay wants an address with http:// or https://, not {options.relay}")
        return Relay(options.relay), at_once
    if options.command:
        return mouths.command(options.command, at_once), at_once
    return mouths.function(options.function, at_once), at_once


def _server(options: argparse.Namespace) -> str:
    return parse_address(options.server or options.find_server())


def _on_account(options: argparse.Namespace) -> int:
    def work() -> int:
        server, kept = _server(options), Kept()
        token = options.token or kept.token(server, options.name)
        return int(options.do(Client(server, token, options.api_key), kept, options))

    return _told(work)


def _run(options: argparse.Namespace) -> int:
    def work() -> int:
        mouth, at_once = _mouth(options)
        if options.local is not None:
            return int(options.local(options, mouth, at_once))
        server, kept = _server(options), Kept()
        name = options.name or _name_of(options.token) or _only_one(kept.names(server), server)
        token = options.token or kept.token(server, name)
        if token is None:
            raise ValueError(f"no token of {name} at {server} is kept: `{options.program} register {name}` gets one")
        client = Client(server, token, options.api_key).aio
        runner = Runner(client, name, mouth, _say, options.version, options.form)
        _say(f"{name} plays at {server}; Ctrl-C ends it")
        try:
            return _until_interrupted(runner.run(), mouth)
        finally:
            _say(str(runner.tally))

    return _told(work)


def _name_of(token: str | None) -> str | None:
    """Return the name that a bot's token begins with."""
    name, dot, _ = (token or "").removeprefix("rn_").partition(".")
    return name if dot else None


def _only_one(names: list[str], server: str) -> str:
    if len(names) != 1:
        known = f"which: {', '.join(names)}" if names else f"none is registered at {server} that is kept here"
        raise ValueError(f"--name of the bot is needed, {known}")
    return names[0]


def _check(options: argparse.Namespace) -> int:
    async def work(mouth: Mouth, at_once: int) -> int:
        found = await check.check(mouth, decisions(), options.seconds, at_once)
        for line in check.report(found, options.most):
            print(shortened(line, 400))
        return 0 if found.is_clean else FAILED

    return _with_mouth(options, work)


def _bench(options: argparse.Namespace) -> int:
    async def work(mouth: Mouth, at_once: int) -> int:
        times = await bench.measure(mouth, decisions(), options.length, at_once, options.seconds)
        print(bench.told(f"thought and pipe, {at_once} at once", times))
        if not options.relay:
            pipe = await bench.pipe(decisions(), options.length, at_once, options.seconds)
            print(bench.told("the pipe alone", pipe))
            print(bench.told_apart("thought alone", times, pipe))
        if times.failures:
            print(f"{times.failures} were not answered: `{options.program} check` tells why")
        if options.server:
            client = Client(parse_address(options.server), patience=0).aio
            print(bench.told(f"the way to {client.server} and back", await bench.round_trips(client)))
        return FAILED if times.failures else 0

    return _with_mouth(options, work)


def _with_mouth(options: argparse.Namespace, work: Callable[[Mouth, int], Coroutine[Any, Any, int]]) -> int:
    def done() -> int:
        mouth, at_once = _mouth(options)
        return _until_interrupted(work(mouth, at_once), mouth)

    return _told(done)


def _until_interrupted(work: Coroutine[Any, Any, int | None], mouth: Mouth) -> int:
    """Work with a bot, and end it, whatever happens: also when we are asked to end."""

    async def main() -> int:
        task = asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        try:
            await mouth.open()
            return await work or 0
        finally:
            work.close()
            await mouth.close()
            await connections().close()

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        return INTERRUPTED


def _told(work: Callable[[], int]) -> int:
    """Do it, and turn what it raises into a line and an exit code."""
    try:
        return work()
    except BotFailed as failed:
        return _complain(BAD_ARGUMENTS, f"the bot {failed}")
    except ValueError as error:
        return _complain(BAD_ARGUMENTS, str(error))
    except Unreachable as error:
        return _complain(FAILED, f"{error.server} does not answer: {error.reason}")
    except (Refused, Replaced, OSError) as error:
        return _complain(FAILED, _detail(error))
    except KeyboardInterrupt:
        return INTERRUPTED


def _detail(error: Exception) -> str:
    """Say what was refused, and each field that is wrong, if that is not said already."""
    faults = error.body.get("errors", []) if isinstance(error, Refused) else []
    told = [f"{fault.get('pointer', '')} {fault.get('detail', '')}".strip() for fault in faults]
    said = str(error).removesuffix(".")
    return "; ".join([said, *(each for each in told if each.replace(" ", ": ", 1) not in said)])


def _complain(code: int, reason: str) -> int:
    print(f"red-november bot: {shortened(reason, 400)}", file=sys.stderr)
    return code


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    """Refuses bad arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_ARGUMENTS, f"{self.prog}: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    parser = _Parser(prog="red-november-bot", description="Bring a bot of your own to a Red November service.")
    add_bot(parser)
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
