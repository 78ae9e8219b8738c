"""`python -m tests.drills [SECONDS] [--seed SEED]`: faults of every kind while hundreds of games are played, and then
hostile connections, and bad input. What `make drills` runs; it ends with 1 when anything was lost or wrong (lines with
`!`), not when neighbours of an attacker were slowed down on this machine (`-`)."""

import argparse
import os
import sys
from secrets import token_hex

from tests.drills import bad_input, churn, hostile, storm
from tests.drills.storm import STORMS, Report

SHARES = {"one Redis": 0.45, "a replica that must have it": 0.2, "a replica that may lag": 0.15}
HOSTILE_SHARE, BAD_SHARE = 0.12, 0.08
LONG = 600.0
BAD_INPUTS = 100_000  # of a run of ten minutes or more


def show(report: Report) -> None:
    print(f"\n{report.storm}: {report.faults} faults in {report.seconds:.0f} s (seed {report.seed})")
    print(f"  {'fault':36} {'times':>5}  {'whole again within':>18}")
    for name, thrown in sorted(report.thrown.items()):
        print(f"  {name:36} {thrown.times:5}  {thrown.longest:16.1f} s")
    counts, found = report.counts, report.found
    for line in (
        f"games {counts.games}: {counts.finished} finished, {found.replayed} replayed",
        f"moves acknowledged {counts.acknowledged}: {counts.with_key} with a key; {counts.races} races, in doubt "
        f"{counts.doubtful}; requests {counts.asked}, sent again {counts.again}",
        f"lost {len(found.lost)}, doubled {len(found.doubled)}, told otherwise {len(found.differing)} (of "
        f"{found.compared} events, {found.repeated} repeated answers), stuck {len(counts.stuck)}, rolled back and told "
        f"{found.rolled_back}",
        f"bots of others were told {dict(report.guests)}; one of them did {dict(report.whims)}",
        f"longest silence {counts.silence:.1f} s, {counts.calm_silence:.1f} s of it in calm",
        f"keys {report.keys}, without an end {len(found.lasting)}",
        f"answers that should not be {len(counts.strange)}; tracebacks in the logs {report.tracebacks.total()}",
    ):
        print(f"  {line}")
    for line, times in report.tracebacks.most_common(5):
        print(f"    {times} × {line}")
    for complaint in report.complaints[:20]:
        print(f"  ! {complaint[:600]}")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make drills", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=float(os.environ.get("DRILLS_SECONDS", LONG)))
    parser.add_argument("--seed", default=token_hex(4))
    parser.add_argument("--games", type=int, default=200, help="at a time (200)")
    parser.add_argument("--only", choices=["storms", "hostile", "bad", "churn"], help="this part alone")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.seconds:.0f} s", flush=True)
    is_good = True
    for each in STORMS if options.only in (None, "storms") else ():
        report = storm.run(each, options.seconds * SHARES[each.name], options.games, options.seed)
        show(report)
        is_good &= report.is_good
    if options.only in (None, "hostile"):
        is_good &= hostile.run(options.seconds * HOSTILE_SHARE)
    if options.only in (None, "bad"):
        share = options.seconds if options.only else options.seconds * BAD_SHARE
        is_good &= bad_input.run(share, BAD_INPUTS if options.seconds >= LONG else 1000, options.seed)
    if options.only == "churn":
        is_good &= churn.run(options.seconds)
    print("\nnothing was lost" if is_good else "\nNOT GOOD: see the lines with !")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
