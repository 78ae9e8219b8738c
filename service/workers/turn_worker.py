"""Run RQ's worker: it runs only our jobs, in its own process, and outlives a Redis that hangs, moves or comes back.

RQ forks for each job and keeps a record of each, which costs more than a bot's turn. Ours does neither: a job
is a hint, and games tell what was done about it. RQ also ends a worker whose Redis does not answer, waits longer and
longer for one that is gone, and takes leave of it at length. Ours tries again every half second, warm as it is, so that
bots play as soon as there is a Redis.
"""

import contextlib
import logging
import time
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from service.queue.queueing import MATCHES
from service.store.redis_client import ANSWER_SECONDS
from service.workers.rq_jobs import OwnJob, OwnQueue, RqClient, own_queue
from service.workers.work_process import Deadline

log = logging.getLogger(__name__)

WAIT_SECONDS = 5  # for a job, before RQ looks around
WAIT_ANSWER_SECONDS = 8.0  # that Redis may take to say that there is none
RETRY_SECONDS = 0.5
FAREWELL_SECONDS = 1.0
MOST_SAVED_SECONDS = 2.0
WORKER_TTL = 60  # seconds until RQ gives a silent worker up
HEARTBEAT_SECONDS = 5.0  # between RQ's heartbeats


def client_for_rq(redis_url: str) -> RqClient:
    """Return a client for RQ alone: it waits for jobs longer than the service waits for any answer."""
    return RqClient.connect(redis_url, WAIT_ANSWER_SECONDS)


class TurnWorker(SimpleWorker):
    """A worker that does jobs in its own process, and logs nothing but trouble."""

    job_class = OwnJob
    queue_class = OwnQueue
    max_connection_wait_time = RETRY_SECONDS

    def __init__(self, client: "Redis", names: list[str], deadline: Deadline):
        self._is_cut_off = False
        self._deadline = deadline
        self._beat_at = 0.0
        self._spent = dict.fromkeys(names, 0.0)  # seconds on each queue
        super().__init__(
            [own_queue(client, name) for name in names],
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            log_job_description=False,
            maintenance_interval=60,
        )

    @property
    def dequeue_timeout(self) -> int:
        return WAIT_SECONDS

    @property
    def connection_timeout(self) -> float:  # type: ignore[override]
        return ANSWER_SECONDS

    def subscribe(self) -> None:
        """Subscribe to nothing: we give workers no orders, and nobody else shall."""

    def check_for_suspension(self, burst: bool) -> None:
        """Do nothing: we suspend no workers."""

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        while True:
            try:
                found = super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
            except RedisError as error:
                self._wait(error)
            else:
                self._is_cut_off = False
                return found

    def _wait(self, error: RedisError) -> None:
        if not self._is_cut_off:  # once is enough
            log.warning("no jobs for now, trying again: %s", error)
        self._is_cut_off = True
        if self._stop_requested:
            raise StopRequested
        time.sleep(RETRY_SECONDS)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do what a job's id says. Who watches this process kills it when that takes too long."""
        began = time.monotonic()
        self.set_state(WorkerStatus.BUSY)
        self._deadline.begin(job.timeout or 0)
        try:
            job.func(*job.args)
        except RedisError as error:
            self._wait(error)
        except Exception:
            log.exception("job %s failed", job.id)
        finally:
            self._deadline.end()
            self.set_state(WorkerStatus.IDLE)
            self.note_share(queue.name, time.monotonic() - began)

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Note the state, by which RQ knows whether it may stop at once. Nobody else asks for it."""
        self._state = state

    def note_share(self, name: str, seconds: float) -> None:
        """Share this worker out evenly between games and questions when both wait, and give matches what is left.

        Otherwise the queue that comes first would leave nothing for the other. A queue that was empty for a while saves
        little up.
        """
        spent = self._spent[name] + seconds
        self._spent = {each: max(had, spent - MOST_SAVED_SECONDS) for each, had in self._spent.items()} | {name: spent}
        self._ordered_queues.sort(key=lambda queue: (queue.name == MATCHES, self._spent[queue.name]))

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Send RQ's heartbeat now and then, for its own lists: ours is another."""
        if time.monotonic() - self._beat_at < HEARTBEAT_SECONDS:
            return
        self._beat_at = time.monotonic()
        with contextlib.suppress(RedisError):
            super().heartbeat(timeout, pipeline)

    def set_shutdown_requested_date(self) -> None:
        """Tell nobody: whoever asked knows."""

    def run_maintenance_tasks(self) -> None:
        with contextlib.suppress(RedisError):
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        """End without telling a Redis that does not answer."""
        if self._is_cut_off:
            return
        pool: Any = self.connection.connection_pool
        pool.disconnect()
        pool.connection_kwargs["socket_timeout"] = FAREWELL_SECONDS
        with contextlib.suppress(RedisError):
            super().teardown()  # type: ignore[no-untyped-call]
