"""The Redis that an operator's command means."""

import argparse
import os
from dataclasses import replace
from pathlib import Path

from service import redis_server
from service.config import Config, from_environment

EMBEDDED = Path("data") / "redis.sock"  # where `red-november serve` puts it by default

# What Python says of a bad address may have part of its password in it.
UNREADABLE_ADDRESS = "the address of Redis can't be read: special characters of a password are written as %XX"


def add_redis_url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--redis-url",
        help="(REDIS_URL; without that, the Redis of a `serve` in this folder, or the one on this machine)",
    )


def config_of(options: argparse.Namespace) -> Config:
    """Raises BadConfig."""
    config = from_environment()
    if options.redis_url:
        return replace(config, redis_url=options.redis_url)
    if not os.environ.get("REDIS_URL") and EMBEDDED.is_socket():
        return replace(config, redis_url=redis_server.url_of(EMBEDDED.resolve()))
    return config
