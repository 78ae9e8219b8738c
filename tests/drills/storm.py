"""Faults at random, from a seed, while people and bots play; then everything is looked at."""

import logging
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis

from tests.drills.faults import LOSING, OF_ONE_STORE, SAFE, Kind
from tests.drills.guests import Guests, guests_at
from tests.drills.inquest import Findings, examine, examine_keys
from tests.drills.players import STUCK_SECONDS, TABLES, Counts, Crew, Game, at_sea
from tests.drills.site import Site, running_site

CREWS = 8
CALM_SECONDS = STUCK_SECONDS + 5.0  # at the end, and now and then: who is stuck shows
_TOGETHER = 40  # faults at the most until everything must be whole again
_MEANWHILE = 8  # light ones, while heavier ones are got over


@dataclass(frozen=True)
class Storm:
    """One way to run the service, and what happens to it."""

    name: str
    kinds: Mapping[str, Kind]
    copies: bool = False
    may_roll_back: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    calm: float = CALM_SECONDS

    @property
    def must_be_copied(self) -> bool:
        return self.copies and not self.may_roll_back


STORMS = (
    Storm("one Redis", OF_ONE_STORE),
    Storm("a replica that must have it", SAFE, copies=True, settings={"WAIT_REPLICAS": "1", "WAIT_MS": "3000"}),
    Storm("a replica that may lag", LOSING, copies=True, may_roll_back=True),
)


@dataclass
class Thrown:
    times: int = 0
    longest: float = 0.0  # seconds until everything was whole again, with what happened together with it


@dataclass
class Report:
    storm: str
    seed: str
    seconds: float = 0.0
    counts: Counts = field(default_factory=Counts)
    found: Findings = field(default_factory=Findings)
    guests: Counter[str] = field(default_factory=Counter)  # what became of answers of bots of others
    whims: Counter[str] = field(default_factory=Counter)  # what one of them did that it should not
    thrown: dict[str, Thrown] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    keys: int = 0
    tracebacks: Counter[str] = field(default_factory=Counter)  # last lines of those in the logs of API and workers

    @property
    def faults(self) -> int:
        return sum(each.times for each in self.thrown.values())

    @property
    def complaints(self) -> list[str]:
        found, counts = self.found, self.counts
        lasting = [f"key without an end: {key}" for key in found.lasting]
        return [*self.errors, *found.lost, *found.doubled, *found.differing, *counts.stuck, *counts.strange, *lasting]

    @property
    def is_good(self) -> bool:
        return not self.complaints


def run(storm: Storm, seconds: float, games: int, seed: str) -> Report:
    report = Report(storm.name, seed)
    folder = tempfile.TemporaryDirectory(prefix="rn-")
    with _quiet(), folder as place, running_site(Path(place), storm.copies, **storm.settings) as site:
        if storm.must_be_copied:
            _wait_for_copies(site)
        began = time.monotonic()
        _play(site, storm, seconds, games, report)
        report.seconds = time.monotonic() - began
        report.tracebacks = _tracebacks(site.log.read_text(errors="replace"))
    return report


def _tracebacks(log: str) -> Counter[str]:
    """Alone, or told in a line of JSON."""
    found: Counter[str] = Counter()
    for piece in log.replace("\\n", "\n").split("Traceback (most recent call last)")[1:]:
        ends = (line for line in piece.split("\n")[1:] if line and not line.startswith(" "))
        found[next(ends, "").partition('"')[0][:150]] += 1
    return found


@contextmanager
def _quiet() -> Iterator[None]:
    """That processes end is no news here."""
    log = logging.getLogger("service.operate.supervisor")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def _wait_for_copies(site: Site) -> None:
    """Each master takes nothing that its replica does not have soon."""
    for name in site.urls:
        with site.operator(name) as store:
            store.config_set("min-replicas-to-write", 1)
            store.config_rewrite()


def _play(site: Site, storm: Storm, seconds: float, games: int, report: Report) -> None:
    with guests_at(site.client, f"{report.seed}-{storm.name}") as guests:
        crews = [
            Crew(
                site.base, site.weather, report.counts, f"{report.seed}-{storm.name}-{n}", storm.may_roll_back,
                (*TABLES, *guests.tables),
            )
            for n in range(CREWS)
        ]  # fmt: skip
        with suppress(threading.BrokenBarrierError), at_sea(crews, games, report.errors) as tables:
            try:
                _throw(site, storm, seconds, report)
                site.until_whole()
                time.sleep(storm.calm)
            except AssertionError as error:
                report.errors.append(str(error))
                for crew in crews:
                    crew.ends.set()
    report.guests, report.whims = guests.outcomes, guests.odd.whims
    if not report.errors:
        _examine(site, storm, crews, tables, guests, report)
    for crew in crews:
        crew.close()
    if not report.errors:
        with site.operator() as store:
            report.keys = examine_keys(store, report.found)


def _throw(site: Site, storm: Storm, seconds: float, report: Report) -> None:
    chance = random.Random(f"{report.seed}-{storm.name}")
    ends = time.monotonic() + seconds
    names = [name for name, kind in storm.kinds.items() for _ in range(kind.weight)]
    once = {"next release"}
    together: Counter[str] = Counter()
    began, heavy, meanwhile = time.monotonic(), 0, 0
    first = list(storm.kinds)  # each of them happens at least once, if there is time
    chance.shuffle(first)
    while time.monotonic() < ends:
        name = first.pop() if first else chance.choice(names)
        if name in once and name in report.thrown:
            continue
        kind = storm.kinds[name]
        with site.weather.fault(), suppress(redis.RedisError):  # what was to be harmed may be away already
            kind.do(site, chance)
        report.thrown.setdefault(name, Thrown()).times += 1
        together[name] += 1
        time.sleep(chance.uniform(0.0, 0.2))
        if kind.is_heavy:
            heavy, meanwhile = heavy + 1, 0
        meanwhile += heavy > 0
        if heavy >= 3 or meanwhile > _MEANWHILE or together.total() >= _TOGETHER:
            site.until_whole()
            for each in together:
                report.thrown[each].longest = max(report.thrown[each].longest, time.monotonic() - began)
            time.sleep(chance.choice([0.0] * 8 + [1.0] * 4 + [storm.calm]))
            together, began, heavy, meanwhile = Counter(), time.monotonic(), 0, 0


def _examine(
    site: Site, storm: Storm, crews: list[Crew], tables: list[list[Game]], guests: Guests, report: Report
) -> None:
    def look(crew: Crew, mine: list[Game]) -> None:
        try:
            if not storm.may_roll_back:
                report.found.lost += guests.complaints(site.client, mine)
            for game in mine:
                examine(crew, game, report.found, storm.may_roll_back)
        except Exception as error:  # noqa: BLE001 - for the report
            report.errors.append(f"{type(error).__name__}: {error}")

    if not storm.may_roll_back:  # else their accounts may be gone
        report.counts.strange += guests.strange
    threads = [threading.Thread(target=look, args=each) for each in zip(crews, tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
