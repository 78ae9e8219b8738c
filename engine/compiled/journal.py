"""The journal: what the rules do in the course of a move, row by row, for the events that clients get.

A row is a kind and four facts. A journal that does not listen stays empty, which makes playouts cheap.
"""

import numba
import numpy as np

from engine.compiled.jit import jit
from engine.compiled.state import Journal, Journals

CAPACITY = 4096  # rows, far more than the longest turn writes
ROOM_DIE, NEWCOMER_DIE = -1, -2  # instead of an action, when the die decides on a room
JOURNAL = np.dtype((np.record, [("listening", np.int8), ("count", np.int16), ("rows", np.int16, (CAPACITY, 5))]))
JOURNALS = numba.types.Array(numba.from_dtype(JOURNAL), 1, "C")  # the type of a journal in signatures
SILENT: Journals = np.zeros(1, JOURNAL)


def new_journal() -> np.ndarray:
    """Return a journal that listens. What its rows held before does not matter."""
    journal = np.empty(1, JOURNAL)
    journal["listening"] = 1
    journal["count"] = 0
    return journal


def rows(journal: np.ndarray) -> list[list[int]]:
    """Return what was written, a row for each event: its kind and four facts."""
    return journal["rows"][0, : journal["count"][0]].tolist()


@jit
def log(journal: Journal, row: int, a: int, b: int, c: int, d: int) -> None:
    if journal.listening == 0 or journal.count == CAPACITY:
        return
    facts = journal.rows[journal.count]
    facts[0] = row
    facts[1] = a
    facts[2] = b
    facts[3] = c
    facts[4] = d
    journal.count += 1
