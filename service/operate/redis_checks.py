"""Check that Redis is there, set up so that no game is lost, and looked after by workers."""

import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import orjson
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from service import clock
from service.api import metrics
from service.config import BadConfig, Config
from service.operate import cluster_checks
from service.operate.findings import Finding, fail, ok, warn
from service.queue.queueing import TURNS
from service.store import keys
from service.store.cluster import ClusterClient
from service.store.counters import SILENT_SECONDS
from service.store.redis_client import Command, TooOld, shown
from service.store.redis_faults import disbelief_of
from service.store.store import Store
from service.wire import Wire

Info = Wire

PATIENCE = 3.0  # seconds for an answer
CLUSTER_PATIENCE = 1.0  # with a cluster that rearranges itself: what is wrong with it at the moment is to be told
SLOW_MS = 10.0
CLOCK_WARN, CLOCK_FAIL = 2.0, 30.0  # seconds apart
FULL, NEARLY_FULL = 1.0, 0.9
REPORT_SECONDS = 86400
LUA_FAULT = "CVE-2025-49844"
MENDED_REDIS = {(6, 2): 20, (7, 2): 11, (7, 4): 6, (8, 0): 4, (8, 2): 2}  # release lines: the first patch without it
MENDED_VALKEY = {(7, 2): 11, (8, 0): 6, (8, 1): 4, (9, 0): 0}
_PINGS = 5
_TRACE_SECONDS = 10  # that a key of ours stays if we are stopped before we delete it
_LONGEST_TOLD = 120  # characters of an error


def check(store: Store, config: Config) -> Iterator[Finding]:
    where = shown(config.redis_url)
    if isinstance(store.redis, ClusterClient):
        store.redis.patience = min(store.redis.patience, CLUSTER_PATIENCE)
    try:
        store.redis.ping()
    except AuthenticationError as error:
        yield fail(f"Redis at {where} refuses its user or password: {error}", "correct REDIS_URL")
        return
    except RedisError as error:
        yield _silent(f"Redis does not answer at {where}", error, "start it, or correct REDIS_URL")
        return
    yield from _fits(store)
    if isinstance(store.redis, ClusterClient):
        for address, master in cluster_checks.masters(store.redis):
            try:
                for finding in _of_server(master, config, address):
                    yield replace(finding, what=f"{address}: {finding.what}")
            except RedisError as error:
                advice = "start it, or make a replica of it master (CLUSTER FAILOVER TAKEOVER)"
                yield _silent(f"{address}: this master does not answer, and its games are out of reach", error, advice)
        yield cluster_checks.partial_service(store.redis)
    else:
        yield from _of_server(store.redis, config, where)
    yield from _beside(store, config)
    for look in (_latency, _rights, _workers, _queues, _reports):
        yield from _tried(look, store)


def _silent(what: str, error: RedisError, advice: str) -> Finding:
    """Tell of a server that does not answer; if its certificate is not believed, say that and what to do about it."""
    told, do = disbelief_of(error) or (_brief(error), advice)
    return fail(f"{what}: {told}", do)


def _beside(store: Store, config: Config) -> Iterator[Finding]:
    """Check that each Redis answers in which jobs wait, where that is another one."""
    for url, queue in zip(config.queue_urls, store.queues):
        try:
            queue.ping()
        except RedisError as error:
            yield _silent(f"no jobs can wait at {shown(url)}", error, "start that Redis, or correct QUEUE_URL")
        else:
            yield ok(f"jobs wait at {shown(url)}")


def _fits(store: Store) -> Iterator[Finding]:
    """Check that the settings fit what answers, as a start does."""
    try:
        store.check()
    except BadConfig as error:
        yield fail(str(error), "correct that variable, or what it names")
    except TooOld as error:
        yield fail(str(error), "install a newer one, or for WAIT_DISK do without it")
    except NoPermissionError:
        return
    except RedisError as error:
        yield fail(f"what is stored can't be looked at: {_brief(error)}", "see below which server does not answer")


def _of_server(server: "Redis", config: Config, where: str) -> Iterator[Finding]:
    """Check one server: the Redis, or a master of the cluster."""
    before = time.time()
    try:
        info: Info = server.info()
    except NoPermissionError:
        yield warn("what Redis tells of itself is not for this user to see", "run this as a user who may call INFO")
        return
    yield _clock(info, (before + time.time()) / 2)
    yield ok(f"Redis {info['redis_version']} at {where}")
    yield _mended(info)
    yield _role(info)
    yield _eviction(info)
    yield from _durability(info)
    yield _memory(info)
    yield _replicas(info, config)


def _tried(look: Callable[[Store], Finding], store: Store) -> Iterator[Finding]:
    try:
        yield look(store)
    except NoPermissionError:
        return  # not for this user to see: `_rights` looks at what everybody needs
    except RedisError as error:
        yield fail(f"Redis refused what must work: {_brief(error)}", "look into its log")


def _brief(error: object) -> str:
    return str(error)[:_LONGEST_TOLD]


def _mended(info: Info) -> Finding:
    """Check that the server has the mended Lua: in others, whoever may run scripts can run anything."""
    server, known = ("Valkey", MENDED_VALKEY) if "valkey_version" in info else ("Redis", MENDED_REDIS)
    version = str(info.get("valkey_version") or info.get("redis_version"))
    major, minor, patch = [*(int(part) for part in re.findall(r"\d+", version)), 0, 0, 0][:3]
    mended = known.get((major, minor), 0 if (major, minor) > max(known) else None)
    if mended is not None and patch >= mended:
        return ok(f"{server} {version} has the mended Lua ({LUA_FAULT})")
    advice = f"install {', '.join('.'.join(map(str, (*line, patch))) for line, patch in known.items())} or newer"
    return warn(
        f"{server} {version} may run what a script smuggles in ({LUA_FAULT})",
        f"{advice}, unless your distribution mended it under that number",
    )


def _clock(info: Info, now: float) -> Finding:
    if "server_time_usec" not in info:
        return warn("the time of Redis can't be read", "see that its machine's clock is right, for deadlines")
    apart = abs(info["server_time_usec"] / 1e6 - now)
    if apart <= CLOCK_WARN:
        return ok("the clocks of this machine and of Redis agree")
    level = fail if apart > CLOCK_FAIL else warn
    return level(f"the clocks of this machine and of Redis are {apart:.0f} s apart", "run NTP on both, for deadlines")


def _role(info: Info) -> Finding:
    if info.get("role") != "master":
        return fail(f"Redis is a {info.get('role')}, and takes no changes", "let REDIS_URL name the master")
    return ok("Redis takes changes: it is a master")


def _eviction(info: Info) -> Finding:
    policy = info.get("maxmemory_policy")
    if policy is None:
        return warn("whether Redis evicts games can't be read", "see that its maxmemory-policy is noeviction")
    if policy != "noeviction":
        return fail(f"Redis evicts games when it is full ({policy})", "set maxmemory-policy noeviction")
    return ok("Redis evicts no games")


def _durability(info: Info) -> Iterator[Finding]:
    if not info.get("aof_enabled"):
        age = time.time() - info.get("rdb_last_save_time", 0)
        lost = f"what happened since its last save, {age / 60:.0f} minutes ago"
        yield warn(f"Redis keeps no log of changes: a crash would lose {lost}", "set appendonly yes")
    else:
        yield ok("Redis keeps a log of changes")
    for name, what in (
        ("aof_last_write_status", "write of the log of changes"),
        ("aof_last_bgrewrite_status", "rewrite of the log of changes"),
        ("rdb_last_bgsave_status", "save"),
    ):
        if info.get(name, "ok") != "ok":
            yield fail(f"the last {what} failed", "see that Redis' disk has room and can be written; look into its log")


def _memory(info: Info) -> Finding:
    used, most = info.get("used_memory", 0), info.get("maxmemory", 0)
    if not most:
        return ok(f"Redis uses {used / 2**20:.0f} MB, and has no limit")
    usage = f"Redis uses {used / 2**20:.0f} of {most / 2**20:.0f} MB"
    advice = "raise maxmemory, or keep games for a shorter time (GAME_IDLE_SECONDS, GAME_FINISHED_SECONDS)"
    if used >= FULL * most:
        return fail(f"{usage}: no game can change", advice)
    return warn(usage, advice) if used >= NEARLY_FULL * most else ok(usage)


def _replicas(info: Info, config: Config) -> Finding:
    connected = info.get("connected_slaves", 0)
    if connected < config.wait_replicas:
        replicas = f"{connected} replicas are connected, and changes wait for {config.wait_replicas}"
        return fail(replicas, "connect them, or lower WAIT_REPLICAS")
    return ok(f"{connected} replicas are connected")


def _latency(store: Store) -> Finding:
    """Measure the quickest of a few pings: the others met something else."""
    taken = []
    for _ in range(_PINGS):
        began = time.perf_counter()
        store.redis.ping()
        taken.append(1000 * (time.perf_counter() - began))
    speed = f"Redis answers in {min(taken):.1f} ms"
    return warn(speed, "bring it nearer: every request waits for it") if min(taken) > SLOW_MS else ok(speed)


def _rights(store: Store) -> Finding:
    """Try what every process of ours needs, on keys that nobody else reads."""
    key = store.names.advice("doctor", secrets.token_hex(8))
    number, table, queue, order = (f"{key}:{kind}" for kind in "abcd")
    made = (number, table, queue, order)
    script = "return redis.call('EXPIRE', KEYS[1], ARGV[1])"
    turn = keys.queue(TURNS, f"doctor:{secrets.token_hex(8)}")
    refused: list[str] = []
    of_games: list[Command] = [
        ("INCR", number),
        ("HSET", table, "field", "value"),
        ("RPUSH", queue, "value"),
        ("ZADD", order, 1, "value"),
        ("HMGET", table, "field"),
        ("LRANGE", queue, 0, -1),
        ("ZRANGEBYSCORE", order, "-inf", "+inf"),
        *(("EXPIRE", each, _TRACE_SECONDS) for each in made),
        ("EVAL", script, 1, number, _TRACE_SECONDS),
        store.telling(store.names.topic("doctor"), "hello"),
        ("TIME",),
        ("GET", keys.CLOCK_OFFSET),
        ("DEL", *made),
    ]
    of_work: list[Command] = [
        ("ZADD", turn, 1, "value"),
        ("EXPIRE", turn, _TRACE_SECONDS),
        ("LLEN", keys.jobs(TURNS)),
        ("DEL", turn),
    ]
    for client, command in [(store.redis, each) for each in of_games] + [
        (queue, each) for queue in store.queues for each in of_work
    ]:
        try:
            client.ask(command)
        except NoPermissionError:
            refused.append(str(command[0]))
    if refused:
        missing = ", ".join(dict.fromkeys(refused))
        return fail(f"this user of Redis may not {missing}", "give it the rights in deploy/users.acl.template")
    return ok("this user of Redis may do what we need")


def _workers(store: Store) -> Finding:
    facts = metrics.queue_facts(store)
    if not facts["workers"]:
        silent = f"in the last {SILENT_SECONDS} seconds"
        return warn(f"no worker was heard of {silent}: bots do not play", "start `red-november worker`")
    return ok(f"{facts['workers']} workers, {facts['busy']} of them busy")


def _queues(store: Store) -> Finding:
    facts = metrics.queue_facts(store)
    state = f"{facts['due']} games wait for a worker, the oldest for {facts['oldest']:.0f} s"
    return warn(state, "start more workers") if facts["oldest"] > metrics.STALE_QUEUE_SECONDS else ok(state)


def _reports(store: Store) -> Finding:
    stored: Any = store.redis.lrange(keys.REPORTS, 0, -1)
    since = clock.now() - REPORT_SECONDS
    lately = [report for report in map(orjson.loads, stored) if report["at"] > since]
    if not lately:
        return ok("no bot failed in the last day")
    last = lately[0]
    what = f"the last one {last['bot']}, in game {last['game']}: {_brief(last['error'])}"
    return warn(f"bots failed {len(lately)} times in the last day, {what}", "report it: their games went on")
