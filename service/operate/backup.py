"""`red-november export` and `import`: write games, matches and outside bots as NDJSON, a line each, and read them back.

The first line says what it is, the last one how many lines there are between, so that a file that was cut short is
noticed. Each game and match is as it was at one moment, while the service goes on. What lives a day at the most is left
out: answers kept for an Idempotency-Key, limits, open streams, advice, the workers' queues.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from redis.exceptions import NoPermissionError, RedisError

from service import clock
from service.accounts import accounts
from service.accounts.names import is_seated, seated
from service.config import BadConfig
from service.games.tables import stamp
from service.locate import UNREADABLE_ADDRESS, add_redis_url, config_of
from service.matches.repository import MatchRepository
from service.operate.kept import Kept, Unreadable
from service.operate.kept_bot import KeptBot
from service.operate.kept_match import KeptMatch
from service.release import RELEASE
from service.store import keys, layouts
from service.store.ids import is_id
from service.store.layouts import NewerLayout
from service.store.store import STATUSES, Conflict, Store
from service.wire import Wire

FORMAT, VERSION = "red-november-backup", 2
FIRST_FORMAT = "red-november-games"  # of files without matches, which have no version
STREAM = "-"
PRIVATE = 0o600
LONGEST_LINE = 512 * 2**20  # bytes; a match of ten million games has that, the longest games a thousandth
_LONGEST_RELEASE = 20  # characters, to be told
_SECRETS = "The file holds the games' seeds and the hashes of tokens: keep it as you keep the database."


Entry = Kept | KeptMatch | KeptBot
_NOUNS: dict[type[Entry], str] = {Kept: "game", KeptMatch: "match", KeptBot: "bot"}
_MARKED: dict[str, type[KeptMatch] | type[KeptBot]] = {"match": KeptMatch, "bot": KeptBot}  # a game is a line as it is


class NoBackup(Exception):
    """The file cannot be read, or not any further."""


def add_export(export: argparse.ArgumentParser) -> None:
    export.description = _SECRETS
    export.add_argument("ids", nargs="*", metavar="ID", help="of a game or match (all)")
    export.add_argument("--output", default=STREAM, metavar="FILE", help="only its owner may read it (standard output)")
    export.add_argument("--status", choices=STATUSES, help="only such games, and no matches or bots (all)")
    add_redis_url(export)
    export.set_defaults(run=run_export)


def add_import(restore: argparse.ArgumentParser) -> None:
    restore.description = _SECRETS
    restore.add_argument("file", metavar="FILE", help="- for standard input")
    add_redis_url(restore)
    restore.set_defaults(run=run_import)


def run_export(options: argparse.Namespace) -> int:
    if bad := next((each for each in options.ids if not is_id(each)), None):
        return _complain(f"{bad} is no id of a game or match", 2)
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
        store.check_games()
        return act(store)
    except NoPermissionError as error:
        return _complain(f"{error}: use the URL of a user who may, as that of deploy/make-secrets' admin.env")
    except (BadConfig, RedisError, NoBackup, OSError) as error:
        return _complain(str(error))


def _complain(reason: str, code: int = 1) -> int:
    print(f"red-november: {reason}", file=sys.stderr)
    return code


def _export(store: Store, options: argparse.Namespace) -> int:
    written, faults = Counter[type[Entry]](), 0
    with _opened_to_write(options.output) as file:
        file.write(orjson.dumps(_head()) + b"\n")
        for kind, id_ in _wanted(store, options):
            try:
                kept = kind.read(store, id_)
                if kept is None:
                    if options.ids:
                        raise Unreadable("is not there")
                    continue
                status = kept.check()
            except (Unreadable, NewerLayout) as error:
                faults += 1
                _complain(f"{_NOUNS[kind]} {id_} {error}")
                continue
            if options.status in (None, status):
                file.write(kept.line() + b"\n")
                written[kind] += 1
                _progress(written.total())
        file.write(orjson.dumps({"end": written.total()}) + b"\n")
    left_out = f", {faults} left out" if faults else ""
    bots = f", {written[KeptBot]} bots" if written[KeptBot] else ""
    print(f"{written[Kept]} games and {written[KeptMatch]} matches{bots} exported{left_out}", file=sys.stderr)
    return 1 if faults else 0


def _head() -> Wire:
    head = {"format": FORMAT, "version": VERSION, "layout": layouts.of_game(has_outsiders=False)}
    return head | {"release": RELEASE, "at": stamp(clock.now())}


def _wanted(store: Store, options: argparse.Namespace) -> Iterator[tuple[type[Entry], str]]:
    """Yield the ids to be exported, and what each is of."""
    for id_ in options.ids:
        (is_match,) = store.redis.ask(("EXISTS", store.names.match.hash_of(id_)))
        yield KeptMatch if is_match else Kept, id_
    if options.ids:
        return
    for game_id in _scanned(store):
        yield Kept, game_id
    if options.status is None:
        for place in MatchRepository(store).places():
            yield KeptMatch, place
        for name in accounts.all_names(store):
            yield KeptBot, name


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
            for number, told in _entries(file):
                try:
                    _entry(told).put(store, clock.now())
                except Conflict:
                    there += 1
                except (Unreadable, NewerLayout) as error:
                    faults += 1
                    _complain(f"line {number}: {_shown(told)} {error}")
                else:
                    imported += 1
                    _progress(imported)
    finally:
        left_out = f", {faults} refused" if faults else ""
        print(f"{imported} imported, {there} were there already{left_out}", flush=True)
    return 1 if faults else 0


def _entry(told: Any) -> Entry:
    kind, within = _opened(told)
    return kind.of_line(within)


def _opened(told: Any) -> tuple[type[Entry], Any]:
    """Return what a line is of, and what it says of that."""
    mark = next(iter(told)) if isinstance(told, dict) and len(told) == 1 else ""
    return (_MARKED[mark], told[mark]) if mark in _MARKED else (Kept, told)


def _shown(told: Any) -> str:
    kind, within = _opened(told)
    id_ = within.get("id") if isinstance(within, dict) else None
    is_name = isinstance(id_, str) and (is_seated(seated(id_)) if kind is KeptBot else is_id(id_))
    return f"{_NOUNS[kind]} {id_}" if is_name else f"the {_NOUNS[kind]}"


@contextmanager
def _opened_to_read(name: str) -> Iterator[BinaryIO]:
    if name == STREAM:
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as file:
            yield file


def _entries(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Yield each line with its number. Raises NoBackup at the first line that is none, or where the end is missing."""
    lines = _lines(file)
    _check_head(next(lines, (1, None))[1])
    number = 1
    for number, told in lines:
        if isinstance(told, dict) and told.keys() == {"end"}:
            if told["end"] != number - 2:
                raise NoBackup(f"line {number}: there should be {told['end']} before it, and there are {number - 2}")
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
    version = _version(head)
    if version is None or type(head.get("layout")) is not int:
        raise NoBackup("line 1: this is no file that `red-november export` wrote")
    for what, told, known in (("format", version, VERSION), ("layout", head["layout"], layouts.LAYOUT)):
        if told > known:
            release = str(head.get("release"))[:_LONGEST_RELEASE]
            raise NoBackup(f"line 1: release {release} wrote it, in {what} {told}: this one knows {known}")


def _version(head: Any) -> int | None:
    """Return the version of the format that a file has; None for a file that is none of ours."""
    if not isinstance(head, dict):
        return None
    if head.get("format") == FIRST_FORMAT:
        return 1
    version = head.get("version")
    return version if head.get("format") == FORMAT and type(version) is int else None


def _progress(lines: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{lines} ", end="", file=sys.stderr, flush=True)
