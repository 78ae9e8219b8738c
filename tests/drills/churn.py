"""Games come and go for minutes on end: does anything grow that should not?"""

import itertools
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from tests.drills.players import Counts, Crew
from tests.drills.site import Site, running_site

CREWS = 3
GROWTH = 0.10  # that is no leak: of what it was in the second quarter
ROOM = 8.0  # MB, likewise
SHORT: dict[str, Any] = {"IDEMPOTENCY_SECONDS": "20"}  # kept answers go while it runs, too
_LOOK_SECONDS = 2.0
_STEPS = 12  # of a game, before it is deleted


def run(seconds: float) -> bool:
    """Returns whether memory stays flat, comparing the last quarter of the time with the second."""
    with tempfile.TemporaryDirectory(prefix="rn-") as folder, running_site(Path(folder), **SHORT) as site:
        enough, counts = threading.Event(), Counts()
        crews = [Crew(site.base, site.weather, counts, f"churn {number}") for number in range(CREWS)]
        threads = [threading.Thread(target=_come_and_go, args=(crew, enough)) for crew in crews]
        for thread in threads:
            thread.start()
        seen: dict[str, list[float]] = defaultdict(list)
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for name, megabytes in _memory(site).items():
                seen[name].append(megabytes)
            time.sleep(_LOOK_SECONDS)
        enough.set()
        for thread in threads:
            thread.join()
        for crew in crews:
            crew.close()
    print(f"\nchurn: {counts.games} games came and went in {seconds:.0f} s, {counts.acknowledged} moves")
    flat = [_is_flat(name, sizes) for name, sizes in sorted(seen.items())]
    return all(flat)


def _is_flat(name: str, sizes: list[float]) -> bool:
    quarter = max(1, len(sizes) // 4)
    early, late = median(sizes[quarter : 2 * quarter] or sizes), median(sizes[-quarter:])
    good = late <= early * (1 + GROWTH) + ROOM
    print(
        f"{' ' if good else '!'} {name:14} {early:7.1f} MB in the second quarter, {late:7.1f} in the last", flush=True
    )
    return good


def _come_and_go(crew: Crew, enough: threading.Event) -> None:
    for number in itertools.count():
        if enough.is_set():
            return
        game = crew.open_game(number)
        for _ in range(_STEPS):
            if not game.over:
                crew.step(game)
        crew.insist("DELETE", game.path, game.host)


def _memory(site: Site) -> dict[str, float]:
    found = {name: _resident(pid) for name in site.children if (pid := site.pid(name))}
    for number, pid in enumerate(sorted(site.below("web")), 1):
        found[f"web process {number}"] = _resident(pid)
    with site.operator() as store:
        found["Redis' data"] = int(store.info("memory")["used_memory"]) / 2**20
    return found


def _resident(pid: int) -> float:
    """In MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024
