"""Keep processes running: what dies is started again, and all stop together, also when this process is killed."""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from service.processes import end_with_parent

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.2
STOP_SECONDS = 30
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
STEADY_SECONDS = 30  # up for so long, and the next pause is the first again


@dataclass
class Child:
    """A process that the supervisor keeps running."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: Sequence[int] = ()  # that it inherits
    umask: int = -1  # of the files that it makes; -1 for ours
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    due: float = 0.0

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process in a session of its own: Ctrl-C reaches only the supervisor, which stops all in order."""
        self.process = subprocess.Popen(
            self.command, env={**os.environ, **self.environment}, start_new_session=True,
            pass_fds=self.descriptors, umask=self.umask, preexec_fn=end_with_parent(),  # noqa: PLW1509 - no threads here
        )  # fmt: skip
        self.started = time.monotonic()
        return self.process

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            log.warning("%s does not stop, and is killed", self.name)
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Supervisor:
    def __init__(self) -> None:
        self._children: list[Child] = []
        self._stopping = False

    def add(self, child: Child) -> "subprocess.Popen[bytes]":
        self._children.append(child)
        return child.start()

    def stop_on_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop_soon)

    def stop_soon(self, *_: object) -> None:
        self._stopping = True

    @property
    def stopping(self) -> bool:
        return self._stopping

    def run(self, tick: Callable[[], None] = lambda: None) -> None:
        """Run until a signal asks to stop."""
        while not self._stopping:
            for child in self._children:
                self._look_after(child)
            tick()
            time.sleep(LOOK_SECONDS)

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.due:
                child.start()
        elif child.process.poll() is not None:
            if now - child.started > STEADY_SECONDS:
                child.pause = FIRST_PAUSE
            log.warning("%s ended with %s, starting it again", child.name, child.process.returncode)
            child.process, child.due = None, now + child.pause
            child.pause = min(2 * child.pause, LONGEST_PAUSE)

    def stop(self) -> None:
        """Stop all in the reverse order: what others depend on stops last."""
        for child in reversed(self._children):
            child.stop()
