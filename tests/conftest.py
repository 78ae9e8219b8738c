"""Processes that many tests share: they start once a session."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterator

import pytest
import redis

from service import clock
from service.matches import opening, slices
from service.workers import jobs
from tests.support.matching import MatchDesk
from tests.support.serving import UNLIMITED, Client, refusals, running_redis, running_web

os.environ.setdefault("OPS_BIND", "127.0.0.1:0")  # any port, where a test does not choose one


# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Rooms whose files take longest come first, so that at the end no process is left alone with one.
LONGEST = (
    "system", "operate", "pages", "contract", "matches", "server", "store", "terminal", "api", "outside", "client",
    "deploy", "workers", "games", "bots", "queue", "engine", "callers",
)  # fmt: skip
SLOW_SECONDS, TOLD = 10.0, 15  # what a file takes that is told at the end, and how many of them are


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {room: number for number, room in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.parent.name, len(rank)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell which files took longest: one file is run by one process, which the others may have to wait for."""
    took: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                took[report.nodeid.partition("::")[0]] += report.duration
    slowest = sorted((file for file in took if took[file] >= SLOW_SECONDS), key=took.__getitem__, reverse=True)
    if slowest:
        terminalreporter.section("slowest files")
    for file in slowest[:TOLD]:
        terminalreporter.write_line(f"{took[file]:6.0f} s  {file}")


def pytest_xdist_auto_num_workers() -> int:
    """Return two processes more than there are cores: much of the time is waiting for what tests start."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """At the end nothing may have been refused: the users of deploy/ can do all that the service does."""
    # Nobody pulls this one's plug, and a busy disk would hold up every write for seconds.
    with running_redis(options=("--appendfsync", "no")) as url:
        _shared.append(url)
        yield url
        assert refusals(url) == []


_shared: list[str] = []  # addresses of what the files of this process share


@pytest.fixture(scope="module", autouse=True)
def nothing_of_other_files() -> None:
    """Begin each file with an empty Redis and a clock of its own, whichever files this process ran before it."""
    clock.follow(None)
    for url in _shared:
        with redis.Redis.from_url(url) as store:
            store.flushdb()


@pytest.fixture(scope="session")
def api(redis_url: str) -> Iterator[Client]:
    """The service without limits, two gunicorn workers over a real Redis."""
    with running_web(redis_url, **UNLIMITED) as client:
        yield client


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> MatchDesk:
    """Where this process does what workers do about matches."""
    made = MatchDesk(redis_url)
    for module in (jobs, slices, opening):
        monkeypatch.setattr(module, "own_store", lambda: made.store)
    return made
