"""What every suite shares: medians, fresh processes, and a table to print."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

REPEATS = 5


def median_rate(work: Callable[[], int], repeats: int = REPEATS) -> float:
    """Units a second of `work`, which returns how many units it did: the median, so that one hiccup decides nothing."""
    rates = []
    for _ in range(repeats):
        start = perf_counter()
        units = work()
        rates.append(units / (perf_counter() - start))
    return statistics.median(rates)


def fresh_process(*arguments: str, env: Mapping[str, str] | None = None) -> Any:
    """Run Python with these arguments and read the JSON of its last line of output."""
    process = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise RuntimeError(process.stderr.strip() or f"ended with {process.returncode}")
    return json.loads(process.stdout.splitlines()[-1])


def say(what: str) -> None:
    """Tell what is being waited for, apart from the results."""
    print(f"{what} ...", file=sys.stderr, flush=True)


def measure_peer(name: str, module: str) -> Any | None:
    """What the peer's module measured; without the peer, None and a line that says how to get it."""
    say(f"measuring {name}")
    try:
        return fresh_process("-m", module)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1]
        print(f"{name} was not measured ({reason}); to install it: pip install -e '.[bench]'\n")
        return None


def number(value: float) -> str:
    """Three digits and a unit, as in 7.29 M."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """The first column is text, the others align to the right; floats print with three digits."""
    table = [list(columns)]
    table += [[number(cell) if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    print(title)
    for label, *cells in table:
        aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        print("  " + "  ".join([label.ljust(widths[0]), *aligned]).rstrip())
    print()
