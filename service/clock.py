"""The time of day, from one place, so that tests can hold it."""

import time


def now() -> float:
    return time.time()
