"""One address takes all that it can get: how its neighbours fare, compared with the time just before."""

import time
from collections.abc import Iterable
from statistics import median

from tests.drills import junk
from tests.drills.crowding import MANY, Fared, attacking, fare, service
from tests.drills.hold import KINDS

NEIGHBOURS = 0.8  # of their rate without the attack
HEALTH_SECONDS = 0.1  # at the median
_SETTLE_SECONDS = 0.5
_SHORTEST = 1.0


def run(seconds: float, kinds: Iterable[str] = (*KINDS, *junk.KINDS), connections: int = MANY) -> bool:
    """Returns whether nobody was refused, and the service was heard of in time. The rate is told, and marked when it is
    low: where the attack is sent from the same machine it takes processors from all others."""
    kinds = [*kinds]
    each = max(_SHORTEST, seconds / len(kinds) / 3)
    print(f"\nhostile connections: up to {connections} of one address, {each:.1f} s of each kind")
    print(f"  {'kind':16} {'of the idle rate':>16} {'refused':>8} {'health':>9} {'ops':>9}   (medians)")
    is_good = True
    with service() as (web, target):
        for kind in kinds:
            before = fare(web, target.game, each)
            with attacking(target, kind, connections):
                time.sleep(_SETTLE_SECONDS)
                during = fare(web, target.game, each)
            after = fare(web, target.game, each)
            idle = (before.rate + after.rate) / 2
            good = _told(kind, during, idle)
            is_good &= good
    return is_good


def _told(kind: str, fared: Fared, idle: float) -> bool:
    signs, operators = median(fared.signs), median(fared.operators)
    good = max(signs, operators) <= HEALTH_SECONDS and not fared.refused and fared.answers > 0
    mark = "!" if not good else " " if fared.rate >= NEIGHBOURS * idle else "-"
    print(
        f"{mark} {kind:16} {100 * fared.rate / idle:14.0f} % {fared.refused:8} "
        f"{1000 * signs:6.0f} ms {1000 * operators:6.0f} ms",
        flush=True,
    )
    return good
