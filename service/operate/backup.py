"""`red-november export` and `import`: write games as NDJSON, a line each, and read them back into a Redis.

The first line says what it is, the last one how many games there are, so that a file that was cut short is noticed.
Each game is as it was at one moment, while the service goes on. What lives a day at the most is left out: answers kept
for an Idempotency-Key, limits, open streams, advice, the workers' queues.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from redis.exceptions import NoPermissionError, RedisError

from service import clock
from service.config import BadConfig
from service.games.tables import stamp
from service.locate import UNREADABLE_ADDRESS, add_redis_url, config_of
from service.operate.kept import Kept, Unreadable
from service.release import RELEASE
from service.store import keys, layouts
from service.store.ids import is_id
from service.store.layouts import NewerLayout
from service.store.store import STATUSES, Conflict, Store
from service.wire import Wire

FORMAT = "red-november-games"
STREAM = "-"
PRIVATE = 0o600
LONGEST_LINE = 64 * 2**20  # bytes; the longest games have a hundredth of that
_LONGEST_RELEASE = 20  # characters, to be told
_SECRETS = "The file holds the games' seeds and the hashes of tokens: keep it as you keep the database."


class NoBackup(Exception):
    """The file cannot be read, or not any further."""


def add_export(export: argparse.ArgumentParser) -> None:
    export.description = _SECRETS
    export.add_argument("ids", nargs="*", metavar="ID", help="of a game (all)")
    export.add_argument("--output", default=STREAM, metavar="FILE", help="only its owner may read it (standard output)")
    export.add_argument("--status", choices=STATUSES, help="only those (all)")
    add_redis_url(export)
    export.set_defaults(run=run_export)


def add_import(restore: argparse.ArgumentParser) -> None:
    restore.description = _SECRETS
    restore.add_argument("file", metavar="FILE", help="- for standard input")
    add_redis_url(restore)
    restore.set_defaults(run=run_import)


def run_export(options: argparse.Namespace) -> int:
    if bad := next((each for each in options.ids if not is_id(each)), None):
        return _complain(f"{bad} is no game's id", 2)
    return _reaching(options, lambda store: _export(store, options))


def run_import(options: argparse.Namespace) -> int:
    return _reaching(options, lambda store: _import(store, options.file))


def _reaching(options: argparse.Namespace, act: Callable[[Store], int]) -> int:
    """Act on the Redis of those options. Report whatever goes wrong in one line."""
    try:
        store = Store.connect(replace(config_of(options), wait_replicas=0, wait_disk=False))  # one can do it again
    except BadConfig as error:
        return _complain(str(error))
    except ValueError:
        return _complain(UNREADABLE_ADDRESS)
    clock.follow(store.redis)
    try:
        return act(store)
    except NoPermissionError as error:
        return _complain(f"{error}: use the URL of a user who may, as that of deploy/make-secrets' admin.env")
    except (RedisError, NoBackup, OSError) as error:
        return _complain(str(error))


def _complain(reason: str, code: int = 1) -> int:
    print(f"red-november: {reason}", file=sys.stderr)
    return code


def _export(store: Store, options: argparse.Namespace) -> int:
    written = faults = 0
    with _opened_to_write(options.output) as file:
        file.write(orjson.dumps(_head()) + b"\n")
        for game_id in options.ids or _scanned(store):
            try:
                kept = Kept.read(store, game_id)
                if kept is None:
                    if options.ids:
                        raise Unreadable("is not there")
                    continue
                status = kept.table().status
            except (Unreadable, NewerLayout) as error:
                faults += 1
                _complain(f"game {game_id} {error}")
                continue
            if options.status in (None, status):
                file.write(kept.line() + b"\n")
                written += 1
                _progress(written)
        file.write(orjson.dumps({"end": written}) + b"\n")
    left_out = f", {faults} left out" if faults else ""
    print(f"{written} games exported{left_out}", file=sys.stderr)
    return 1 if faults else 0


def _head() -> Wire:
    return {"format": FORMAT, "layout": layouts.LAYOUT, "release": RELEASE, "at": stamp(clock.now())}


def _scanned(store: Store) -> Iterator[str]:
    """Yield every game that is there during the whole scan. One may come twice: an import takes it once."""
    for key in store.redis.keys_like(f"{keys.GAME}*"):
        game_id = key.decode(errors="replace").rpartition(":")[2]
        if is_id(game_id):
            yield game_id


@contextmanager
def _opened_to_write(name: str) -> Iterator[BinaryIO]:
    """Open a file to write. It replaces an earlier backup of that name when it is complete."""
    if name == STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    place = Path(name)
    if place.exists() and not place.is_file():  # a pipe or a device
        with place.open("wb") as stream:
            yield stream
        return
    growing = place.with_name(f"{place.name}.part")
    growing.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        growing.replace(place)
    finally:
        growing.unlink(missing_ok=True)


def _import(store: Store, name: str) -> int:
    imported = there = faults = 0
    try:
        with _opened_to_read(name) as file:
            for number, told in _games(file):
                try:
                    Kept.of_line(told).put(store, clock.now())
                except Conflict:
                    there += 1
                except (Unreadable, NewerLayout) as error:
                    faults += 1
                    _complain(f"line {number}: {_shown_id(told)} {error}")
                else:
                    imported += 1
                    _progress(imported)
    finally:
        left_out = f", {faults} refused" if faults else ""
        print(f"{imported} imported, {there} were there already{left_out}", flush=True)
    return 1 if faults else 0


def _shown_id(told: Any) -> str:
    id_ = told.get("id") if isinstance(told, dict) else None
    return f"game {id_}" if isinstance(id_, str) and is_id(id_) else "the game"


@contextmanager
def _opened_to_read(name: str) -> Iterator[BinaryIO]:
    if name == STREAM:
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as file:
            yield file


def _games(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Yield each line with its number. Raises NoBackup at the first line that is none, or where the end is missing."""
    lines = _lines(file)
    _check_head(next(lines, (1, None))[1])
    number = 1
    for number, told in lines:
        if isinstance(told, dict) and told.keys() == {"end"}:
            if told["end"] != number - 2:
                raise NoBackup(f"line {number}: there should be {told['end']} games, and there are {number - 2}")
            if next(lines, None):
                raise NoBackup(f"line {number + 1}: goes on after the end")
            return
        yield number, told
    raise NoBackup(f"the file is cut short after line {number}: what was read is imported")


def _lines(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    read: Iterable[bytes] = iter(lambda: file.readline(LONGEST_LINE), b"")
    for number, line in enumerate(read, 1):
        try:
            yield number, orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise NoBackup(f"line {number}: is cut short, or was never JSON: {error}") from error


def _check_head(head: Any) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT or type(head.get("layout")) is not int:
        raise NoBackup("line 1: this is no file that `red-november export` wrote")
    if head["layout"] > layouts.LAYOUT:
        release = str(head.get("release"))[:_LONGEST_RELEASE]
        raise NoBackup(
            f"line 1: release {release} wrote it, in layout {head['layout']}: this one knows {layouts.LAYOUT}"
        )


def _progress(games: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{games} games ", end="", file=sys.stderr, flush=True)
