"""Call workers by RQ's queues. A job is its id, and nothing else: whoever may write jobs can call workers, no more.

`turns-…` and `advice-…` say "take one", of what waits (see `waiting.py`); `match-ID-…` says which match it is about.
What workers do about an id is written in `rq_jobs.py`.
"""

import secrets

from service.store import keys
from service.store.redis_client import Client

TURNS, ADVICE, MATCHES = "turns", "advice", "matches"
QUEUES = (TURNS, ADVICE, MATCHES)
_ID_BYTES = 6


def call(queue: Client, name: str, prefix: str, jobs: int = 1) -> None:
    if jobs > 0:
        queue.ask(("RPUSH", keys.jobs(name), *(f"{prefix}-{secrets.token_hex(_ID_BYTES)}" for _ in range(jobs))))
