"""A claim keeps two workers from thinking about one game at once. It saves work, and nothing depends on it: commits
compare versions."""

import secrets
import threading
from types import TracebackType

from redis import Redis
from redis.exceptions import RedisError

LEASE_SECONDS = 3.0
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"


class Claim:
    """Held while it is renewed; the claim of a worker who died runs out by itself."""

    def __init__(self, client: "Redis", name: str, lease_seconds: float = LEASE_SECONDS):
        self._redis, self._key = client, f"claim:{name}"
        self._mine = secrets.token_hex(8)
        self._lease = int(lease_seconds * 1000)
        self._done = threading.Event()
        self.held = False

    def __enter__(self) -> "Claim":
        self.held = bool(self._redis.set(self._key, self._mine, nx=True, px=self._lease))
        if self.held:
            threading.Thread(target=self._renew, daemon=True, name=self._key).start()
        return self

    def _renew(self) -> None:
        """Searches come up for air often enough for this thread to have its turn."""
        while not self._done.wait(self._lease / 3000):
            try:
                self._redis.set(self._key, self._mine, xx=True, px=self._lease)
            except RedisError:
                return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self.held:
            try:
                self._redis.eval(_RELEASE, 1, self._key, self._mine)
            except RedisError:
                if error is None:
                    raise


def is_claimed(client: "Redis", name: str) -> bool:
    return bool(client.exists(f"claim:{name}"))
