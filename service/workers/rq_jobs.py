"""Limit what RQ does in our workers: a job is its id, and nothing else.

RQ would run whatever function a job's hash names, call back what it names, send what it says to any address, and then
enqueue what waits for it. Ours reads none of that: the id says what is to be done, and an id that is none of ours is
refused.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, cast

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from service.queue.queueing import ADVICE, MATCHES, TURNS
from service.store import counters
from service.store.ids import ID_PATTERN
from service.store.redis_client import ANSWER_SECONDS, Client

log = logging.getLogger(__name__)

JOB_SECONDS = 120  # after which a job is stopped
SLICE_LIMIT_SECONDS = 600  # of a match's slice, a single game of which may be long

_GAME = f"(?P<game>{ID_PATTERN})"
# id → queue, function, arguments out of the id, seconds. The last four are jobs of the release before, whose ids name
# what is to be done; there is nothing to be kept of them but that.
_KINDS = [
    (re.compile(pattern), queue, function, argument, seconds)
    for pattern, queue, function, argument, seconds in (
        (r"turns-[0-9a-f]{1,16}", TURNS, "service.workers.jobs.take_turns", "", JOB_SECONDS),
        (r"advice-[0-9a-f]{1,15}", ADVICE, "service.workers.questions.take_question", "", JOB_SECONDS),
        (rf"match-{_GAME}-[0-9a-f]{{12}}", MATCHES, "service.matches.slices.play_slice", "{game}", SLICE_LIMIT_SECONDS),
        (rf"bot-{_GAME}-\d+-\w+", TURNS, "service.workers.jobs.take_turns", "{game}", JOB_SECONDS),
        (
            rf"advice-{_GAME}-(?P<advice>[0-9a-f]{{16}})", ADVICE, "service.workers.questions.take_question",
            "advise:{game}:{advice}", JOB_SECONDS,
        ),
        # Whoever waits for a game to be opened asks again.
        (rf"open-{_GAME}", ADVICE, "service.workers.questions.take_question", "", JOB_SECONDS),
        (rf"odds-{_GAME}-\d+", ADVICE, "service.workers.questions.take_question", "odds:{game}", JOB_SECONDS),
    )
]  # fmt: skip
_FIRST_JOB = """
for _, queue in ipairs(KEYS) do
  local job = redis.call("LPOP", queue)
  if job then return {queue, job} end
end
return false
"""
_LONGEST_TOLD = 60  # characters of an id that is none of ours


class OwnJob(Job):
    """A job that can only be one of ours."""

    def refresh(self) -> None:
        self.restore({})

    def restore(self, raw_data: Mapping[Any, Any]) -> None:
        """Restore a job by its id alone. Raises NoSuchJobError for one that is none of ours, which RQ then skips."""
        for pattern, queue, function, argument, seconds in _KINDS:
            if named := pattern.fullmatch(self.id):
                self.origin, self._func_name, self.timeout = queue, function, seconds
                self._instance, self._kwargs = None, {}
                self._args = [argument.format(**named.groupdict())] if argument else []
                self.description = self.id
                return
        log.warning("a job that is none of ours is refused: %.*s", _LONGEST_TOLD, self.id)
        with suppress(RedisError):
            counters.count(cast(Client, self.connection), "job_refused")
        raise NoSuchJobError(f"{self.id[:_LONGEST_TOLD]} is none of our jobs")


class RqClient(Client):
    """A client that lets RQ wait for jobs on another one, whose Redis may take long to answer."""

    waiting: Client

    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> Self:
        made = super().connect(url, ANSWER_SECONDS)
        made.waiting = Client.connect(url, patience)
        return made


class OwnQueue(Queue):
    job_class = OwnJob

    def enqueue_dependents(self, *_: Any, **__: Any) -> None:
        """Do nothing: no job waits for one of ours."""

    @classmethod
    def lpop(cls, queue_keys: Sequence[str], timeout: int | None, connection: Any = None) -> Any:
        """Take the first job of the first queue that has one; without a timeout in one round trip."""
        if timeout is None and isinstance(connection, Client):
            return connection.ask(("EVAL", _FIRST_JOB, len(queue_keys), *queue_keys))[0]
        return super().lpop(queue_keys, timeout, getattr(connection, "waiting", connection))

    @classmethod
    def lmove(cls, connection: Any, queue_key: str, timeout: int | None) -> Any:
        """Take a job off its queue for good: RQ would put it on a second list, and we keep no record of jobs."""
        return cls.lpop([queue_key], timeout, connection)


def own_queue(client: "Redis", name: str) -> OwnQueue:
    return OwnQueue(name, connection=client, serializer=JSONSerializer, default_timeout=JOB_SECONDS, job_class=OwnJob)
