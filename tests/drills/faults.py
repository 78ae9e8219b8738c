"""What can happen to a service: each as a function that harms a site and returns when the harm itself is over."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit

import redis

from service.workers.leading import LEASE_SECONDS
from service.workers.sweeper import SWEEP_SECONDS
from tests.drills.proxy import Proxy
from tests.drills.site import Site, until
from tests.support.serving import ROOT

AHEAD = Path(__file__).parent / "ahead"  # whose sitecustomize.py puts a process' clock forward
_FAILOVER_SECONDS = 60.0
_LEADING_SECONDS = LEASE_SECONDS + 2 * SWEEP_SECONDS

Fault = Callable[[Site, random.Random], None]


@dataclass(frozen=True)
class Kind:
    do: Fault
    weight: int
    is_heavy: bool = False  # what it leaves takes seconds to come back


def _send(pids: list[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _processes(site: Site, what: str, chance: random.Random) -> list[int]:
    """Of a kind: one, if there are several."""
    if what == "web process":
        found = site.below("web")
    elif what == "horse":
        found = [pid for name in site.children if name.startswith("worker") for pid in site.below(name)]
    elif what == "worker":
        found = [pid for name in site.children if name.startswith("worker") and (pid := site.pid(name))]
    elif what == "master":
        found = [pid for pid in [site.pid(site.master)] if pid]
    elif what == "replica":
        found = [pid for name in site.ways if name != site.master and (pid := site.pid(name))]
    else:
        found = [pid for pid in [site.pid(what)] if pid]
    return [chance.choice(found)] if found else []


def kill(what: str) -> Fault:
    def do(site: Site, chance: random.Random) -> None:
        _restart_at_once(site)
        _send(_processes(site, what, chance), signal.SIGKILL)

    return do


def end(what: str) -> Fault:
    """In order, as for an upgrade."""

    def do(site: Site, chance: random.Random) -> None:
        _restart_at_once(site)
        _send(_processes(site, what, chance), signal.SIGTERM)

    return do


def _restart_at_once(site: Site) -> None:
    for name in site.children:
        site.soon(name)


def stop(what: str, longest: float = 3.0) -> Fault:
    def do(site: Site, chance: random.Random) -> None:
        pids = _processes(site, what, chance)
        _send(pids, signal.SIGSTOP)
        time.sleep(chance.uniform(0.2, longest))
        _send(pids, signal.SIGCONT)

    return do


def all_workers(site: Site, chance: random.Random) -> None:
    _restart_at_once(site)
    for name in site.children:
        if name.startswith("worker"):
            _send([pid for pid in [site.pid(name)] if pid], signal.SIGKILL)


def held(way: Callable[[Site], Proxy], longest: float) -> Fault:
    """What is sent arrives late, also what was given up."""

    def do(site: Site, chance: random.Random) -> None:
        there = way(site)
        there.hold()
        time.sleep(chance.uniform(0.1, longest))
        there.mend()

    return do


def dropped(way: Callable[[Site], Proxy]) -> Fault:
    """Answers are lost on their way: who asked does not know what was done."""
    return lambda site, _: way(site).drop()


def lost_for(way: Callable[[Site], Proxy], longest: float) -> Fault:
    """Nothing arrives, and then all connections end."""

    def do(site: Site, chance: random.Random) -> None:
        there = way(site)
        there.cut()
        time.sleep(chance.uniform(0.2, longest))
        there.drop()
        there.mend()

    return do


def _front(site: Site) -> Proxy:
    return site.front


def _store(site: Site) -> Proxy:
    return site.ways[site.master]


def command(*words: str) -> Fault:
    def do(site: Site, chance: random.Random) -> None:
        with site.operator() as store, suppress(redis.RedisError):
            store.execute_command(*words)

    return do


def pause(site: Site, chance: random.Random) -> None:
    seconds = chance.uniform(0.1, 2.0)
    command("CLIENT", "PAUSE", str(int(1000 * seconds)), chance.choice(["ALL", "WRITE"]))(site, chance)
    time.sleep(seconds)


def full_memory(site: Site, chance: random.Random) -> None:
    with site.operator() as store, suppress(redis.RedisError):
        before = store.config_get("maxmemory")["maxmemory"]
        store.config_set("maxmemory", 1)
        time.sleep(chance.uniform(0.2, 2.0))
        with _until_it_answers(site):
            store.config_set("maxmemory", before)


def full_disk(site: Site, chance: random.Random) -> None:
    """Its files can't grow; the log of changes is broken off in the middle of a line, and mended later."""
    pid = site.pid(site.master)
    if pid is None:
        return
    with suppress(ProcessLookupError):
        prlimit(pid, RLIMIT_FSIZE, (1, RLIM_INFINITY))
        time.sleep(chance.uniform(0.5, 3.0))
        prlimit(pid, RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))


@contextmanager
def _until_it_answers(site: Site) -> Iterator[None]:
    def answers() -> bool:
        with suppress(redis.RedisError), site.operator() as store:
            return bool(store.ping())
        return False

    until(answers, "Redis does not answer its operator")
    yield


def jump(site: Site, chance: random.Random) -> None:
    """The clock of Redis is set, by more than any turn lasts, and nobody may notice: not while the sweeper, which takes
    it back, is itself about to be replaced."""
    site.until_whole()
    until(lambda: _has_led(site), "nobody sweeps")
    before = site.jumps()
    site.jump(chance.choice([-1, 1]) * chance.randint(60, 5000))
    until(lambda: site.jumps() > before, "nobody takes the jump back")


def _has_led(site: Site) -> bool:
    """Long enough to have seen the right time."""
    led = []
    for pause in (_LEADING_SECONDS, 0.0):
        with site.operator() as store:
            led.append((store.get("sweeper") or b"").split()[:1])
        time.sleep(pause)
    return led[0] == led[1] != []


def wrong_clock(site: Site, chance: random.Random) -> None:
    """A process is started again on a machine whose clock is wrong."""
    name = chance.choice([name for name in site.children if name == "web" or name.startswith("worker")])
    wrong = chance.choice([-1, 1]) * chance.randint(60, 5000)
    child = site.children[name]
    child.environment = {**child.environment, "PYTHONPATH": f"{AHEAD}:{ROOT}", "AHEAD_SECONDS": str(wrong)}
    _restart_at_once(site)
    _send([pid for pid in [site.pid(name)] if pid], signal.SIGTERM)


def _is_another(site: Site, name: str, pid: int | None) -> bool:
    return site.pid(name) not in (None, pid)


def next_release(site: Site, chance: random.Random) -> None:
    """Processes of a release to come take the place of today's one after another; for a while both are there."""
    for name in ("worker 1", "web", "worker 2"):
        child, words = site.children[name], list(site.children[name].command)
        at = words.index("gunicorn") if name == "web" else words.index("worker")
        if "tests.drills.later" in words:
            return
        child.command = [*words[: words.index(sys.executable)], sys.executable, "-m", "tests.drills.later", *words[at:]]
        site.soon(name)
        pid = site.pid(name)
        _send([pid] if pid else [], signal.SIGTERM)
        until(partial(_is_another, site, name, pid), f"{name} does not come back")
        time.sleep(chance.uniform(0.5, 2.0))
    site.until_whole()


def fail_over(how: str, loses: bool = False) -> Fault:
    """The master is killed, stands still or is cut off until the copy has taken over. With `loses` the copy has missed
    the last moment."""

    def do(site: Site, chance: random.Random) -> None:
        site.until_whole()
        master = site.master
        (copy,) = (name for name in site.ways if name != master)
        behind, pid = site.pid(copy), site.pid(master)
        if behind is None or pid is None:
            return
        if loses:
            _send([behind], signal.SIGSTOP)
            time.sleep(chance.uniform(0.3, 1.5))
        if how == "partition":
            site.ways[master].hold()
        else:
            _keep_away(site, master)
            _send([pid], signal.SIGKILL if how == "kill" else signal.SIGSTOP)
        if loses:
            _send([behind], signal.SIGCONT)
        try:
            until(lambda: site.master != master, "nobody takes over", _FAILOVER_SECONDS)
        finally:
            site.ways[master].mend()
            _send([pid], signal.SIGCONT)
            site.children[master].due = 0.0
        site.until_whole()

    return do


def _keep_away(site: Site, name: str) -> None:
    """It does not come back before another has taken over. What had been up for long would be back at once."""
    child = site.children[name]
    child.started, child.pause = time.monotonic(), _FAILOVER_SECONDS


EVERYWHERE: dict[str, Kind] = {
    "kill a worker's fork": Kind(kill("horse"), 30),
    "kill a worker": Kind(kill("worker"), 2, True),
    "kill all workers": Kind(all_workers, 1, True),
    "kill an API process": Kind(kill("web process"), 2, True),
    "kill gunicorn": Kind(kill("web"), 1, True),
    "stop a worker in order": Kind(end("worker"), 1, True),
    "stop gunicorn in order": Kind(end("web"), 1, True),
    "freeze a worker's fork": Kind(stop("horse"), 3),
    "freeze a worker": Kind(stop("worker"), 3),
    "freeze an API process": Kind(stop("web process"), 4),
    "freeze gunicorn": Kind(stop("web"), 2),
    "freeze Redis": Kind(stop("master", 0.8), 4),
    "network to the API: late": Kind(held(_front, 2.0), 4),
    "network to the API: dropped": Kind(dropped(_front), 30),
    "network to the API: silent, dropped": Kind(lost_for(_front, 1.0), 4),
    "network to Redis: late": Kind(held(_store, 0.8), 4),
    "network to Redis: dropped": Kind(dropped(_store), 30),
    "network to Redis: silent, dropped": Kind(lost_for(_store, 0.8), 4),
    "CLIENT KILL normal": Kind(command("CLIENT", "KILL", "TYPE", "normal"), 30),
    "CLIENT KILL pubsub": Kind(command("CLIENT", "KILL", "TYPE", "pubsub"), 30),
    "CLIENT PAUSE": Kind(pause, 5),
    "SCRIPT FLUSH": Kind(command("SCRIPT", "FLUSH"), 30),
    "full memory": Kind(full_memory, 4),
    "full disk": Kind(full_disk, 3),
    "wrong clock of a process": Kind(wrong_clock, 1, True),
}
OF_ONE_STORE: dict[str, Kind] = EVERYWHERE | {
    "kill Redis": Kind(kill("master"), 3, True),
    "freeze Redis for long": Kind(stop("master", 6.0), 1, True),
    "network to Redis: late for long": Kind(held(_store, 6.0), 1, True),
    "jump of Redis' clock": Kind(jump, 1, True),
    "next release": Kind(next_release, 1, True),
}
_STEADY: dict[str, Kind] = {name: EVERYWHERE[name] for name in EVERYWHERE if not name.startswith("full")} | {
    "kill the replica": Kind(kill("replica"), 2, True),
    "freeze the replica": Kind(stop("replica"), 4),
    "kill the Sentinel": Kind(kill("sentinel"), 3),
}
SAFE: dict[str, Kind] = _STEADY | {
    "failover: master killed": Kind(fail_over("kill"), 4, True),
    "failover: master hangs": Kind(fail_over("hang"), 4, True),
    "failover: master cut off": Kind(fail_over("partition"), 4, True),
}
LOSING: dict[str, Kind] = _STEADY | {
    "failover that loses: killed": Kind(fail_over("kill", loses=True), 4, True),
    "failover that loses: hangs": Kind(fail_over("hang", loses=True), 4, True),
    "failover that loses: cut off": Kind(fail_over("partition", loses=True), 4, True),
}
