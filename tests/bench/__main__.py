"""`python -m tests.bench [suite …]`: all suites, or those named."""

import argparse

from tests.bench import (
    api_suite,
    bots_suite,
    capacity_suite,
    engine_suite,
    guests_suite,
    jobs_suite,
    learn_suite,
    masters_suite,
    matches_suite,
)

SUITES = {
    "engine": engine_suite.run,
    "learn": learn_suite.run,
    "bots": bots_suite.run,
    "api": api_suite.run,
    "jobs": jobs_suite.run,
    "capacity": capacity_suite.run,
    "masters": masters_suite.run,
    "guests": guests_suite.run,
    "matches": matches_suite.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("suite", nargs="*", help=", ".join(SUITES))
    names = parser.parse_args().suite or list(SUITES)
    if unknown := [name for name in names if name not in SUITES]:
        parser.error(f"no such suite: {', '.join(unknown)} (there is: {', '.join(SUITES)})")
    for name in names:
        SUITES[name]()


if __name__ == "__main__":
    main()
