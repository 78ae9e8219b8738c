"""Redis servers that games and matches leave and come to by `red-november export` and `import`."""

import json
from pathlib import Path

import orjson
from redis import Redis

from service.cli import main
from tests.support.desk import Desk
from tests.support.serving import Wire


class Place:
    """A Redis with games, and the application over it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.redis = Redis.from_url(url)
        self.redis.flushdb()
        self.desk = Desk(url, bot_accounts="anybody")

    def export(self, file: Path, *more: str) -> int:
        return main(["export", "--redis-url", self.url, "--output", str(file), *more])

    def take(self, file: Path) -> int:
        return main(["import", "--redis-url", self.url, str(file)])

    def game(self, id_: str) -> bytes:
        return bytes(self.redis.dump(f"game:{id_}") or b"")


def lines(file: Path) -> list[Wire]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def rewritten(file: Path, changed: list[Wire]) -> Path:
    file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in changed))
    return file
