"""`red-november doctor`: check this installation, and say what to do about what is wrong.

Nothing it prints is a secret, and it leaves everything as it was.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numba
import orjson
from numba.core.registry import CPUDispatcher
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from redis.exceptions import RedisError

from engine import cache_folder
from red_november_client.addresses import is_this_machine
from red_november_client.blocking import fetch
from red_november_client.errors import Unreachable
from service import clock
from service.config import ANYBODY, CLOSED, BadConfig, Config
from service.locate import UNREADABLE_ADDRESS, add_redis_url, address_of, config_of, ops_of
from service.operate import redis_checks
from service.operate.findings import FAIL, Finding, fail, ok, warn
from service.operate.redis_server import PACKAGE
from service.release import RELEASE
from service.server import binds
from service.store import keys
from service.store.counters import SILENT_SECONDS
from service.store.redis_client import shown
from service.store.store import Store

US = "red-november"
COMPILED = ("engine", "bots")
LITTLE_ROOM = 100 * 2**20  # bytes
_API_SECONDS = 5.0
_RELEASE_LINE = b"\n  version: "


def add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--url", help="of the API (that of a `serve` on --data, or the usual one, if it answers)")
    parser.add_argument("--ops-url", help="where the API tells whether it is ready (OPS_BIND, or its next port)")
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
        since = clock.now() - SILENT_SECONDS
        heard = [
            each for queue in store.queues for each in queue.ask(("ZRANGEBYSCORE", keys.WORKERS, since, "+inf"))[0]
        ]
    except BadConfig as error:
        reason = _reason_without_secrets(error)
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
    """Return the store. Raises ValueError for an address that is none."""
    store = Store.connect(config, redis_checks.PATIENCE)
    clock.follow(store.redis)
    return store


def _reason_without_secrets(error: BadConfig) -> str:
    """Return the reason without its value: somebody may have written a key where its hash belongs."""
    name, _, reason = str(error).partition(":")
    return f"{name}: an entry is no holder:sha256" if name == "API_KEYS" else f"{name}:{reason}"


def _registering(config: Config) -> Finding:
    """Tell who may register bots of their own."""
    if config.bot_accounts == ANYBODY:
        return warn("anybody may register bots", "set BOT_ACCOUNTS=keys where others than this machine can ask")
    nobody = config.bot_accounts == CLOSED or not config.api_keys
    return ok(f"{'nobody' if nobody else 'whoever has an API key'} may register bots (BOT_ACCOUNTS)")


def _findings(options: argparse.Namespace) -> Iterator[Finding]:
    yield _python()
    yield from _packages()
    for package in COMPILED:
        yield _compiled(package)
    try:
        config = config_of(options)
        address, ops_url = options.url or address_of(options.data), options.ops_url or ops_of(options)
    except BadConfig as error:
        yield fail(f"the settings can't be: {_reason_without_secrets(error)}", "correct that variable (see README.md)")
    else:
        yield ok("the settings can be read")
        yield _registering(config)
        yield from _redis(config)
        yield from _api(address, ops_url, is_named=bool(options.url or options.data))


def _python() -> Finding:
    running = ".".join(map(str, sys.version_info[:3]))
    wanted = metadata.metadata(US)["Requires-Python"]
    if not SpecifierSet(wanted).contains(running, prereleases=True):
        return fail(f"Python is {running}", f"install one that is {wanted}")
    return ok(f"Python {running}, Red November {RELEASE}")


def _packages() -> Iterator[Finding]:
    wrong = 0
    for requirement in map(Requirement, metadata.requires(US) or []):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            installed = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            if requirement.name == PACKAGE:  # as in the image
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
    """Check where the compiled rules came from: they are loaded by now."""
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
    """Tell whether this process found no code for its processor, and had to compile some."""
    return any(any(door.stats.cache_misses.values()) for door in _doors(package))


def _doors(package: str) -> Iterator[Any]:
    """Return the functions through which Python enters compiled code."""
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


def _api(address: str, ops_url: str | None, is_named: bool) -> Iterator[Finding]:
    """Check the API. If nobody named one, a machine without an API is fine, too."""
    base = address.rstrip("/")
    try:
        health = fetch(f"{base}/healthz", _API_SECONDS)
    except Unreachable as error:
        if is_named:
            yield fail(f"the API does not answer at {shown(base)}: {error.reason}", "start it, or correct --url")
        return
    if health.status != 200 or b'"ok"' not in health.body:
        if is_named:
            yield fail(f"what answers at {shown(base)} is not our API", "correct --url")
        return
    yield ok(f"the API answers at {shown(base)}")
    try:
        yield _ready(ops_url or _ops_url(base))
        yield _contract(base)
    except Unreachable as error:
        yield fail(f"the API answers what can't be read: {error.reason}", "look into its log")
    except ValueError as error:
        yield fail(f"the API answers what can't be read: {error}", "look into its log")


def _ops_url(base: str) -> str | None:
    """Return where the operators of a service on this machine ask; those of another machine must say."""
    parts = urlsplit(base)
    if not is_this_machine(parts.hostname or ""):
        return None
    address = binds.every(os.environ.get("OPS_BIND") or binds.next_to(parts.netloc))[0]
    return None if binds.port_of(address) is None else f"http://{address}"


def _ready(url: str | None) -> Finding:
    advice = "name OPS_BIND's address with --ops-url"
    if url is None:
        return warn("whether the API is ready is told to its operators only", advice)
    try:
        reply = fetch(f"{url.rstrip('/')}/readyz", _API_SECONDS)
    except Unreachable as error:
        return warn(f"nobody tells at {shown(url)} whether the API is ready: {error.reason}", advice)
    told = orjson.loads(reply.body)
    status = told.get("status") if isinstance(told, dict) else None
    if reply.status != 200:
        return fail(f"the API is not ready: {status}", "see that it can reach its Redis")
    if status != "ok":
        return warn(f"the API is ready, but: {status}", f"start more workers (`{US} worker`)")
    return ok("the API is ready")


def _contract(base: str) -> Finding:
    text = fetch(f"{base}/openapi.yaml", _API_SECONDS).body
    theirs = text.partition(_RELEASE_LINE)[2].partition(b"\n")[0].decode()
    if theirs != RELEASE:
        return warn(f"the API is of release {theirs}, this installation of {RELEASE}", "run the same release in both")
    return ok(f"the API is of release {theirs}")
