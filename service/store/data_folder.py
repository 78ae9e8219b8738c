"""The folder in which `red-november serve` keeps its data: ours alone, and one service's at a time.

`lock` is locked for as long as anybody uses the folder. The server of the data holds the lock, too, through a file
descriptor that it inherits: a second service never starts beside one that was left over. `service.json` says what the
folder is, and, while a service runs, where other commands find it.
"""

import fcntl
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from service.store.layouts import LAYOUT, of_game
from service.wire import Wire

FORMAT = "red-november-data"
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_LOCK, _MARK = "lock", "service.json"
# What a release that did not mark its folders left in them, and what every release makes before the mark.
_OURS = {
    _LOCK,
    _MARK,
    f"{_MARK}.new",
    "redis.sock",
    "redis.log",
    "service.log",
    "appendonly.aof",
    "appendonlydir",
    "dump.rdb",
}


class BadFolder(Exception):
    """Why a folder can't hold the data, and what to do about it."""


@dataclass(frozen=True)
class Running:
    """A service that runs on a folder."""

    pid: int
    address: str | None  # None until it is up
    redis_url: str
    ops: str | None = None  # where operators ask


class DataFolder:
    def __init__(self, path: Path, release: str):
        self.path, self._release = path, release
        self._descriptor: int | None = None

    @property
    def lock(self) -> int:
        """Return the descriptor to be inherited by whoever writes in the folder."""
        assert self._descriptor is not None, "the folder is not open"
        return self._descriptor

    def open(self) -> bool:
        """Make the folder if need be, and lock it. Raises BadFolder, and then has changed nothing in it.

        False when no mark tells that what is in it is ours.
        """
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            is_marked = self._check_contents([each.name for each in self.path.iterdir()])
            self._lock()
            self.path.chmod(PRIVATE_FOLDER)
        except OSError as error:
            raise BadFolder(
                f"the data folder {self.path} can't be written ({error.strerror}): name another with --data"
            ) from error
        return is_marked

    def _check_contents(self, names: Sequence[str]) -> bool:
        mark = _read(self.path)
        if mark is None:
            strange = sorted(name for name in names if name not in _OURS and not name.startswith("temp-"))
            if strange:
                raise BadFolder(
                    f"the folder {self.path} holds {strange[0]}, which is not ours: name another with --data"
                )
        elif mark.get("layout", 0) > LAYOUT:
            raise BadFolder(
                f"the data in {self.path} is of release {mark.get('release')}, in layout {mark['layout']}, and this "
                f"one knows {LAYOUT}: install that release, or name another folder with --data"
            )
        return mark is not None

    def _lock(self) -> None:
        descriptor = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise BadFolder(_used(self.path)) from error
        self._descriptor = descriptor

    def tell(self, redis_url: str, address: str | None, ops: str | None = None) -> None:
        """Write down that this process runs a service on the folder, and where it is."""
        self._write(pid=os.getpid(), redis_url=redis_url, address=address, ops=ops)

    def _write(self, **facts: Any) -> None:
        growing = self.path / f"{_MARK}.new"
        descriptor = os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            marked = {"format": FORMAT, "layout": of_game(has_outsiders=False), "release": self._release}
            file.write(orjson.dumps(marked | facts) + b"\n")
        growing.replace(self.path / _MARK)

    def close(self) -> None:
        """Unlock the folder, when nobody of this service uses it any more."""
        if self._descriptor is not None:
            if (self.path / _MARK).exists():
                self._write()
            os.close(self._descriptor)
            self._descriptor = None


def running_on(path: Path) -> Running | None:
    """Return the service that runs on a folder; None if there is none."""
    try:
        mark = _read(path)
    except OSError:  # of another user
        return None
    if mark is None or "pid" not in mark or not _is_locked(path):
        return None
    return Running(mark["pid"], mark.get("address"), mark["redis_url"], mark.get("ops"))


def _used(path: Path) -> str:
    running = running_on(path)
    if running is None:
        return f"the data folder {path} is used by a service that is starting: wait for it, or name another with --data"
    if not _lives(running.pid):
        return (
            f"the data folder {path} is still used by the store of a service that was killed (process {running.pid}): "
            f"end it with `redis-cli -u {running.redis_url} shutdown`, or name another with --data"
        )
    where = f"at {running.address}" if running.address else "that is starting"
    return (
        f"the data folder {path} is used by a service {where} (process {running.pid}): stop it first, or name another "
        "with --data"
    )


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def _is_locked(path: Path) -> bool:
    try:
        descriptor = os.open(path / _LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _read(path: Path) -> Wire | None:
    """Return what the mark says; None where there is none. Raises BadFolder for one that is not ours."""
    try:
        mark = orjson.loads((path / _MARK).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except orjson.JSONDecodeError:
        mark = None
    if not isinstance(mark, dict) or mark.get("format") != FORMAT:
        raise BadFolder(f"{path / _MARK} is not ours: name another folder with --data")
    return mark
