"""`red-november`: the command line."""

import argparse
import sys
from typing import NoReturn

from bots.match import add_match
from engine.cli import add_compile, add_verify
from service.backup import add_backup
from service.doctor import add_doctor
from service.match_client import add_server
from service.serve import add_serve
from service.terminal.commands import add_play, add_watch
from service.worker import add_worker


class _Parser(argparse.ArgumentParser):
    """Refuses bad arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    parser = _Parser(prog="red-november", description="The rules of Red November, and the gnomes that play it.")
    commands = parser.add_subparsers(required=True, metavar="command")
    add_serve(commands)
    add_play(commands)
    add_watch(commands)
    add_worker(commands)
    add_doctor(commands)
    add_backup(commands)
    add_match(commands)
    add_server(commands)
    add_verify(commands)
    add_compile(commands, ["engine", "bots"])
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
