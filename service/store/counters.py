"""Counters that all processes share, in one Redis hash, and which workers were heard of when."""

from service.store.redis_client import Client, Command

SILENT_SECONDS = 15  # after which a worker counts no more
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds


def turn_noted(key: str, bot: str, seconds: float) -> list[Command]:
    """Return the commands that count a bot's decision and the time that it took."""
    bucket = next((str(limit) for limit in BUCKETS if seconds <= limit), "+Inf")
    return [
        ("HINCRBY", key, f"turns:{bot}:{bucket}", 1),
        ("HINCRBYFLOAT", key, f"turn_seconds:{bot}", f"{seconds:.6f}"),
    ]


def count(client: Client, name: str) -> None:
    client.ask(("HINCRBY", client.names.counters(), f"count:{name}", 1))
