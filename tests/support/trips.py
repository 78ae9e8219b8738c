"""How often Redis is asked, and for how much."""

import threading
from typing import Any

import pytest

from service import clock
from tests.support.desk import Desk


class Trips:
    """The round trips that were made, each with its thread, besides those that read the time; and their commands."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch):
        self.made: list[str] = []
        self.commands = 0
        ask = desk.store.redis.ask

        def noted(*commands: Any, **more: Any) -> Any:
            self.made.append(threading.current_thread().name)
            self.commands += len(commands)
            return ask(*commands, **more)

        monkeypatch.setattr(desk.store.redis, "ask", noted)
        clock.now()
        monkeypatch.setattr(clock, "READ_SECONDS", 1e9)

    def of(self, thread: str) -> int:
        return self.made.count(thread)
