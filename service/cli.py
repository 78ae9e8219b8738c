"""`red-november`: the command line. A command is loaded only when it is used, so that help is quick."""

import argparse
import sys
from importlib import import_module
from typing import NoReturn

from service.release import RELEASE

# name → (module and function that add its arguments, help)
COMMANDS = {
    "serve": ("service.operate.serve:add_serve", "run the whole service on this machine"),
    "play": ("service.terminal.commands:add_play", "play a game here in the terminal"),
    "watch": ("service.terminal.commands:add_watch", "follow a game in the terminal"),
    "worker": ("service.workers.worker:add_worker", "play for bots, give advice: work through the queues of a service"),
    "doctor": ("service.operate.doctor:add_doctor", "check this installation, and say what is wrong"),
    "export": ("service.operate.backup:add_export", "write games and matches to a file, while they are played"),
    "import": ("service.operate.backup:add_import", "read games and matches from a file that `export` wrote"),
    "repartition": ("service.operate.repartition:add_repartition", "prepare a stopped service's Redis for a cluster"),
    "match": ("service.client.match_command:add_match", "play many games between bots, and say how they did"),
    "bot": ("service.client.bot_command:add_bot", "bring a bot of your own: register, run, check and bench it"),
    "verify": ("engine.cli:add_verify", "play a replay again, check its dice and print how the game ended"),
    "compile": ("bots.cli:add_compile", "compile the rules for this machine now, and say where they are kept"),
}


class _Parser(argparse.ArgumentParser):
    """Refuses bad arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = _Parser(prog="red-november", description="The rules of Red November, and the gnomes that play it.")
    parser.add_argument("--version", action="version", version=f"red-november {RELEASE}")
    commands = parser.add_subparsers(required=True, metavar="command")
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, (place, told) in COMMANDS.items():
        command = commands.add_parser(name, help=told)
        if name == chosen:
            module, _, function = place.partition(":")
            getattr(import_module(module), function)(command)
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
