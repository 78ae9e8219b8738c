"""`red-november doctor`: is this installation well, and what to do about it if it is not.

Nothing it prints is a secret, and it leaves everything as it was.
"""

import argparse
import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numba
import orjson
from numba.core.registry import CPUDispatcher
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from redis.exceptions import RedisError

from engine.jit import cache_folder
from service import clock, redis_checks, spec
from service.config import BadConfig, Config
from service.findings import FAIL, Finding, fail, ok, warn
from service.metrics import SILENT_SECONDS, WORKERS
from service.reach import UNREADABLE_ADDRESS, add_redis_url, config_of
from service.redis_client import shown
from service.redis_server import SHIPPED
from service.store import Store

US = "red-november"
COMPILED = ("engine", "bots")
LITTLE_ROOM = 100 * 2**20  # bytes
DEFAULT_URL = "http://127.0.0.1:8000"
_API_SECONDS = 5
_VERSION_LINE = b"\n  version: "


def add_doctor(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="check this installation, and say what is wrong")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--url", help=f"of the API ({DEFAULT_URL}, if it answers)")
    parser.add_argument(
        "--worker", action="store_true", help="only tell, by the exit code, whether a worker of this host is alive"
    )
    add_redis_url(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.worker:
        return _worker(options)
    found: list[Finding] = []
    for finding in _findings(options):
        found.append(finding)
        if not options.json:
            print(finding.line, flush=True)
    failed = any(finding.level == FAIL for finding in found)
    if options.json:
        print(orjson.dumps({"ok": not failed, "checks": [finding.to_dict() for finding in found]}).decode())
    return 1 if failed else 0


def _worker(options: argparse.Namespace) -> int:
    host = os.uname().nodename
    try:
        store = _store(config_of(options))
        heard: Any = store.redis.zrangebyscore(WORKERS, clock.now() - SILENT_SECONDS, "+inf")
    except BadConfig as error:
        reason = _told(error)
    except ValueError:
        reason = UNREADABLE_ADDRESS
    except RedisError as error:
        reason = str(error)
    else:
        if any(worker.decode().rpartition(":")[0] == host for worker in heard):
            return 0
        reason = f"no worker of {host} was heard of in the last {SILENT_SECONDS} seconds"
    print(f"{US}: {reason}", file=sys.stderr)
    return 1


def _store(config: Config) -> Store:
    """Raises ValueError for an address that is none."""
    return Store.connect(config, redis_checks.PATIENCE)


def _told(error: BadConfig) -> str:
    """Somebody may have written a key where its hash belongs."""
    name, _, reason = str(error).partition(":")
    return f"{name}: an entry is no holder:sha256" if name == "API_KEYS" else f"{name}:{reason}"


def _findings(options: argparse.Namespace) -> Iterator[Finding]:
    yield _python()
    yield from _packages()
    for package in COMPILED:
        yield _compiled(package)
    try:
        config = config_of(options)
    except BadConfig as error:
        yield fail(f"the settings can't be: {_told(error)}", "correct that variable (see README.md)")
    else:
        yield ok("the settings can be read")
        yield from _redis(config)
    yield from _api(options.url)


def _python() -> Finding:
    running = ".".join(map(str, sys.version_info[:3]))
    wanted = metadata.metadata(US)["Requires-Python"]
    if not SpecifierSet(wanted).contains(running, prereleases=True):
        return fail(f"Python is {running}", f"install one that is {wanted}")
    return ok(f"Python {running}, Red November {metadata.version(US)}")


def _packages() -> Iterator[Finding]:
    wrong = 0
    for requirement in map(Requirement, metadata.requires(US) or []):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            installed = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            if requirement.name in SHIPPED:  # only for `serve`, where the machine has no Redis
                continue
            told = f"the package {requirement.name} is not installed"
        else:
            if requirement.specifier.contains(installed, prereleases=True):
                continue
            told = f"the package {requirement.name} is {installed}"
        wrong += 1
        yield fail(told, f"pip install '{requirement}'")
    if not wrong:
        yield ok("the packages are those we need")


def _compiled(package: str) -> Finding:
    """The rules are loaded by now: what is asked is where they came from."""
    if numba.config.DISABLE_JIT:
        return warn(f"{package}: runs uncompiled, a hundred times slower", "unset NUMBA_DISABLE_JIT")
    folder = cache_folder(package)
    if folder is None:
        advice = f"let RED_NOVEMBER_CACHE name a folder that can be written, and run `{US} compile`"
        return warn(f"{package}: compiled anew by every process, for there is nowhere to keep the code", advice)
    if _compiled_now(package) and not os.access(folder, os.W_OK):
        told = f"{package}: the code in {folder} is another machine's, and can't be replaced"
        return warn(told, f"let RED_NOVEMBER_CACHE name a folder that can be written, and run `{US} compile`")
    if (free := shutil.disk_usage(folder).free) < LITTLE_ROOM:
        return warn(f"{package}: {free / 2**20:.0f} MB are left on the disk of {folder}", "make room")
    stale = [each for each in folder.parent.glob("compiled-*") if each != folder]
    besides = f", beside {_megabytes(*stale)} of other releases, to be deleted at will" if stale else ""
    return ok(f"{package}: compiled, {_megabytes(folder)} in {folder}{besides}")


def _compiled_now(package: str) -> bool:
    """Whether this process found no code for its processor, and had to make some."""
    return any(any(door.stats.cache_misses.values()) for door in _doors(package))


def _doors(package: str) -> Iterator[Any]:
    """What Python enters compiled code through."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            yield from (door for door in vars(module).values() if isinstance(door, CPUDispatcher))


def _megabytes(*folders: Path) -> str:
    used = sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())
    return f"{used / 2**20:.0f} MB"


def _redis(config: Config) -> Iterator[Finding]:
    try:
        store = _store(config)
    except ValueError:
        yield fail(UNREADABLE_ADDRESS, "correct REDIS_URL")
        return
    yield from redis_checks.check(store, config)


def _api(url: str | None) -> Iterator[Finding]:
    """Where no address is given, a machine without an API is as well."""
    base = (url or DEFAULT_URL).rstrip("/")
    try:
        status, body = _ask(f"{base}/healthz")
    except (OSError, ValueError) as error:
        if url:
            yield fail(f"the API does not answer at {shown(base)}: {error}", "start it, or correct --url")
        return
    if status != 200 or b'"ok"' not in body:
        if url:
            yield fail(f"what answers at {shown(base)} is not our API", "correct --url")
        return
    yield ok(f"the API answers at {shown(base)}")
    try:
        yield from _ready(base)
        yield _contract(base)
    except (OSError, ValueError) as error:
        yield fail(f"the API answers what can't be read: {error}", "look into its log")


def _ready(base: str) -> Iterator[Finding]:
    status, body = _ask(f"{base}/readyz")
    told = orjson.loads(body).get("status")
    if status != 200:
        yield fail(f"the API is not ready: {told}", "see that it can reach its Redis")
    elif told != "ok":
        yield warn(f"the API is ready, but: {told}", f"start more workers (`{US} worker`)")
    else:
        yield ok("the API is ready")


def _contract(base: str) -> Finding:
    text = _ask(f"{base}/openapi.yaml")[1]
    theirs = text.partition(_VERSION_LINE)[2].partition(b"\n")[0].decode()
    if theirs != spec.VERSION:
        return warn(
            f"the API speaks version {theirs}, this installation {spec.VERSION}", "run the same release in both"
        )
    return ok(f"the API speaks version {theirs}")


def _opener(url: str) -> urllib.request.OpenerDirector:
    """No proxy leads to this machine."""
    return urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if url.startswith(DEFAULT_URL) else []))


def _ask(url: str) -> tuple[int, bytes]:
    try:
        with _opener(url).open(url, timeout=_API_SECONDS) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
