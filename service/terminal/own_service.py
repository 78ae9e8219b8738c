"""A service for one table, where none is running."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from red_november_client.probing import is_service

START_SECONDS = 120  # the first time on a machine, the rules are compiled
STOP_SECONDS = 60


class ServiceFailed(Exception):
    """Says why a service did not start: the last line of its log."""


class OwnService:
    """Runs `red-november serve` on a free port, in a session of its own: Ctrl-C is for the game only."""

    def __init__(self, data: Path):
        self.data = data
        self.server = f"http://127.0.0.1:{_free_port()}"
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def new_folder(place: Path) -> Path:
        """Make a folder for the data of a game that may be left and resumed."""
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="service-", dir=place))

    def start(self) -> None:
        """Start the service, and wait until it answers. Raises ServiceFailed."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        port = self.server.rpartition(":")[2]
        command = [
            sys.executable, "-m", "service.terminal.attached_service",
            "--port", port, "--data", str(self.data), "--workers", "1", "--web-workers", "1",
        ]  # fmt: skip
        log = self.data / "service.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                env={**os.environ, "OPS_BIND": "127.0.0.1:0"},
            )  # fmt: skip
        ends = time.monotonic() + START_SECONDS
        while not is_service(self.server):
            if self._process.poll() is not None or time.monotonic() > ends:
                log_lines = log.read_text(errors="replace").strip().splitlines()
                self.stop()
                raise ServiceFailed(log_lines[-1] if log_lines else "")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the service by closing the pipe that it waits for; a second signal would only disturb it."""
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

    def delete_data(self) -> None:
        """Delete the data of the service."""
        shutil.rmtree(self.data, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
