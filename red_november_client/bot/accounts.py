"""`register`, `show`, `pause`, `resume`, `token`, `delete`: the account of a bot at a service."""

import argparse
import json
import sys

from red_november_client.blocking import Client
from red_november_client.bot.kept import Kept
from red_november_client.wire import Wire


def register(client: Client, kept: Kept, options: argparse.Namespace) -> int:
    """Open an account, and keep its token."""
    wanted: Wire = {"name": options.name, "open": options.open, "seconds": options.seconds, "accepts": options.accepts}
    wanted |= {field: getattr(options, field) for field in ("description", "version") if getattr(options, field)}
    told = client.post("/bots", wanted)
    kept.keep(client.server, options.name, told["token"])
    seat = told["bot"]["bot"]
    print(f"{options.name} is registered at {client.server}; its token is kept for you.")
    print(f"Let it play:  {options.program} run my_bot:choose --name {options.name} --server {client.server}")
    print(f"""Seat it:      curl {client.server}/v1/games --json '{{"seats": ["open", "{seat}", "{seat}"]}}'""")
    return 0


def show(client: Client, kept: Kept, options: argparse.Namespace) -> int:
    """Print what the service knows of it, and the games that it plays."""
    told = client.get(f"/bots/{options.name}")
    if client.token:
        told["games"] = client.get(f"/bots/{options.name}/games")["games"]
    print(json.dumps(told, indent=2, ensure_ascii=False))
    return 0


def change(client: Client, kept: Kept, options: argparse.Namespace) -> int:
    """Pause it, or let it go on."""
    client.patch(f"/bots/{options.name}", {"paused": options.paused})
    print(f"{options.name} {'pauses: stand-ins have its seats' if options.paused else 'plays when it is connected'}.")
    return 0


def renew(client: Client, kept: Kept, options: argparse.Namespace) -> int:
    """Ask for another token, and keep it."""
    kept.keep(client.server, options.name, client.post(f"/bots/{options.name}/token")["token"])
    print(f"The token of {options.name} is another one now, and kept for you.")
    return 0


def delete(client: Client, kept: Kept, options: argparse.Namespace) -> int:
    client.delete(f"/bots/{options.name}")
    kept.keep(client.server, options.name, None)
    print(f"{options.name} is deleted.", file=sys.stderr)
    return 0
