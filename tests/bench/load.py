"""Servers to measure, and wrk to load them."""

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.serving import free_port

CONNECTIONS = 64
SECONDS = 2
_MICROSECONDS = {"us": 1.0, "ms": 1e3, "s": 1e6}
_START_SECONDS = 300


@dataclass(frozen=True)
class Load:
    """What came of a run."""

    requests: int
    rate: float  # requests a second
    p99: float  # microseconds
    processor: float = 0.0  # microseconds that the watched processes had of it for each request


@dataclass(frozen=True)
class Server:
    base: str
    pid: int

    @property
    def workers(self) -> list[int]:
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def memory(self) -> int:
        """Bytes of its workers; what they share counts once."""
        return sum(_proportional_set(pid) for pid in self.workers)


def _proportional_set(pid: int) -> int:
    found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found, "the kernel does not tell"
    return int(found[1]) * 1024


@contextmanager
def running(command: list[str], base: str, ready: str = "/", **environment: str) -> Iterator[Server]:
    """A server, once it answers with anything at all."""
    process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + _START_SECONDS
        while not _answers(base + ready):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError(f"{command[0]} did not start")
            time.sleep(0.1)
        yield Server(base, process.pid)
    finally:
        process.terminate()
        process.wait(60)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


@contextmanager
def gunicorn(app: str, config: str, ready: str, **environment: str) -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", f"python:{config}", "--log-level", "error", app]
    environment = {"WEB_WORKERS": "2", **environment, "BIND": f"127.0.0.1:{port}"}
    with running(command, f"http://127.0.0.1:{port}", ready, **environment) as server:
        yield server


def microseconds(pid: int) -> float:
    """Return how long a process had a core, with its children: those that have ended, and those of a worker that have
    not."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
    except FileNotFoundError:  # it has ended just now, and is counted by its parent
        return 0.0
    return 1e6 * sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def wrk(
    url: str,
    *headers: str,
    connections: int = CONNECTIONS,
    script: Path | None = None,
    arguments: Sequence[str] = (),
    watched: Sequence[int] = (),
) -> Load:
    """Raises when a single request failed. One connection is heard for a second, many for longer."""
    command = ["wrk", "--latency", "-t1", f"-c{connections}", f"-d{SECONDS if connections > 1 else 1}s"]
    for header in headers:
        command += ["-H", header]
    if script:
        command += ["-s", str(script)]
    before = sum(map(microseconds, watched))
    process = subprocess.run([*command, url, "--", *arguments], capture_output=True, text=True, check=False)
    spent = sum(map(microseconds, watched)) - before
    output = process.stdout
    if process.returncode or "Non-2xx" in output or "Socket errors" in output or process.stderr:
        raise RuntimeError(f"wrk met errors at {url}:\n{output}{process.stderr}")
    requests = re.search(r"(\d+) requests in", output)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", output)
    if not (requests and rate and p99):
        raise RuntimeError(f"wrk says what we don't understand:\n{output}")
    done = int(requests[1])
    return Load(done, float(rate[1]), float(p99[1]) * _MICROSECONDS[p99[2]], spent / max(1, done))
