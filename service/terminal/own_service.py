"""A service for one table, where none is running."""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from service.terminal.client import answers

START_SECONDS = 120  # the first time on a machine, the rules are compiled
STOP_SECONDS = 60


class ServiceFailed(Exception):
    """The last that it said."""


class OwnService:
    """`red-november serve` on a free port, in its own session: Ctrl-C is for us, and it stops when we say so."""

    def __init__(self, data: Path):
        self.data = data
        self.server = f"http://127.0.0.1:{_free_port()}"
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def new_folder(place: Path) -> Path:
        """For a game that may be left and gone on with."""
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="service-", dir=place))

    def start(self, tick: Callable[[], None] = lambda: None) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        port = self.server.rpartition(":")[2]
        command = [
            sys.executable, "-m", "service.terminal.tether",
            "--port", port, "--data", str(self.data), "--workers", "1", "--web-workers", "1",
        ]  # fmt: skip
        log = self.data / "service.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        ends = time.monotonic() + START_SECONDS
        while not answers(self.server):
            if self._process.poll() is not None or time.monotonic() > ends:
                said = log.read_text(errors="replace").strip().splitlines()
                self.stop()
                raise ServiceFailed(said[-1] if said else "")
            tick()
            time.sleep(0.1)

    def stop(self) -> None:
        """Its end of the pipe is what it waits for; a second signal would only disturb it."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()

    def forget(self) -> None:
        """All that it had is gone."""
        shutil.rmtree(self.data, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
