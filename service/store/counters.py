"""Counters that all processes share, in one Redis hash, and which workers were heard of when."""

from collections import Counter, defaultdict

from service.store.redis_client import Client, Command

SILENT_SECONDS = 15  # after which a worker counts no more
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds


class Thoughts:
    """Bots' decisions that are counted together: how many took how long."""

    def __init__(self) -> None:
        self._decisions: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def note(self, bot: str, seconds: float) -> None:
        bucket = next((str(limit) for limit in BUCKETS if seconds <= limit), "+Inf")
        self._decisions[f"turns:{bot}:{bucket}"] += 1
        self._seconds[f"turn_seconds:{bot}"] += seconds

    def commands(self, key: str) -> list[Command]:
        """Return the commands that count them under a key."""
        decisions: list[Command] = [("HINCRBY", key, *each) for each in self._decisions.items()]
        return decisions + [("HINCRBYFLOAT", key, name, f"{seconds:.6f}") for name, seconds in self._seconds.items()]


def count(client: Client, name: str, times: int = 1) -> None:
    """Count what happened. Where the counters are out of reach, or full, it goes uncounted, and nothing else fails."""
    client.ask(("HINCRBY", client.names.counters(), f"count:{name}", times), optional=1)
