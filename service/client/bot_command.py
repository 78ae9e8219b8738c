"""`red-november bot`: the client package's commands, with the engine beside them and the service that runs here."""

import argparse

from red_november_client.bot.cli import add_bot as add_commands
from service.client.local_games import add_local, play_local
from service.locate import address_of


def add_bot(parser: argparse.ArgumentParser) -> None:
    add_commands(parser, add_local, play_local, lambda: address_of(None))
