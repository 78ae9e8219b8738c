"""Find the service that a command means: its Redis and its address."""

import argparse
import os
from dataclasses import replace
from pathlib import Path

from service.config import BadConfig, Config, from_environment
from service.store.data_folder import BadFolder, Running, running_on

DATA = Path("data")  # where `red-november serve` keeps its data by default
DEFAULT_ADDRESS = "http://127.0.0.1:8000"

# What Python says of a bad address may have part of its password in it.
UNREADABLE_ADDRESS = "the address of Redis can't be read: special characters of a password are written as %XX"


def add_redis_url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--redis-url",
        help="(REDIS_URL; without that, the Redis of a `serve` on --data, or the one on this machine)",
    )
    add_data(parser)


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help=f"folder of the `serve` that is meant ({DATA})")


def running(data: Path | None) -> Running | None:
    """Return the service that runs on the folder that is named, or on the usual one here. Raises BadConfig if one is
    named and no service runs on it."""
    try:
        found = running_on(data or DATA)
    except BadFolder:
        if data is not None:
            raise BadConfig(f"--data: {data} holds no data of ours") from None
        return None
    if found is None and data is not None:
        raise BadConfig(f"--data: no service runs on {data}: start it with `red-november serve --data {data}`")
    return found


def config_of(options: argparse.Namespace) -> Config:
    """Return the settings, with the Redis that the command names or finds. Raises BadConfig."""
    config = from_environment()
    if options.redis_url:
        return replace(config, redis_url=options.redis_url)
    if os.environ.get("REDIS_URL") and options.data is None:
        return config
    found = running(options.data)
    return replace(config, redis_url=found.redis_url) if found else config


def ops_of(options: argparse.Namespace) -> str | None:
    """Return where operators of the service on a folder ask; None if it is not known. Raises BadConfig."""
    found = running(options.data) if not options.url else None
    return f"http://{found.ops}" if found and found.ops else None


def address_of(data: Path | None) -> str:
    """Return the address of the service that runs on a folder; the usual one if none is named and none runs here.
    Raises BadConfig."""
    found = running(data)
    return (found and found.address) or DEFAULT_ADDRESS
