"""Whoever can write into RQ's queues can call workers, and make them do nothing else."""

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import redis
from redis.exceptions import NoPermissionError
from rq import Callback, Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.webhook import Webhook

from service.store.redis_client import Client
from service.workers.rq_jobs import OwnJob, own_queue
from tests.support.serving import as_user, running_redis, running_workers

PATIENCE = 60.0
GAME = "aaaaaaaaaaaaaaaa"
OURS = ("turns-1f", "advice-2", f"match-{GAME}-0123456789ab")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url, running_workers(url, LOG_FORMAT="text"):
        yield url


@pytest.fixture(scope="module")
def heard() -> Iterator[tuple[str, list[str]]]:
    """Somebody who waits to be called by a webhook."""
    calls: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            calls.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", calls
    server.shutdown()
    server.server_close()


Attack = Callable[[Queue, Path, str], Any]


def touch(place: Path) -> tuple[str, list[str]]:
    return "os.system", [f"touch {place}"]


def own(queue: Queue, id_: str, **more: Any) -> Job:
    """A job by an id of ours, with whatever else RQ would do about it."""
    return queue.enqueue_call("service.workers.jobs.take_turns", (), job_id=id_, result_ttl=60, **more)


ATTACKS: dict[str, Attack] = {
    "a function": lambda queue, place, _: queue.enqueue_call(*touch(place)),
    "a function under an id of ours": lambda queue, place, _: queue.enqueue_call(*touch(place), job_id="turns-77"),
    "arguments for a function of ours": lambda queue, place, _: queue.enqueue_call(
        "service.workers.jobs.take_turns", [f"{place}"], job_id="turns-78"
    ),
    "called back on success": lambda queue, place, _: own(
        queue, "turns-79", on_success=Callback("shutil.rmtree"), meta={"place": str(place)}
    ),
    "called back on failure": lambda queue, place, _: own(queue, "turns-7a", on_failure=Callback("shutil.rmtree")),
    "called back when stopped": lambda queue, place, _: own(queue, "turns-7b", on_stopped=Callback("shutil.rmtree")),
    "a webhook": lambda queue, place, hook: own(
        queue, "turns-7c", webhooks=[Webhook(hook, state) for state in ("finished", "failed")]
    ),
    "a job that waits for ours": lambda queue, place, _: queue.enqueue_call(
        *touch(place), depends_on=own(queue, "turns-7d")
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_worker_does_nothing_that_a_job_says(
    url: str, heard: tuple[str, list[str]], tmp_path: Path, attack: str
) -> None:
    """By somebody who may write anything; the users of the service may not even write jobs."""
    place, (hook, calls) = tmp_path / "been", heard
    with redis.Redis.from_url(url) as store:
        ATTACKS[attack](Queue("turns", connection=store, serializer=JSONSerializer), place, hook)
        until_idle(store)
        assert not place.exists()
        assert calls == []


def until_idle(store: "redis.Redis") -> None:
    """The worker took all there is, and one more call after it."""
    store.hset("turns:probe", mapping={"asked": time.time()})
    store.hdel("turns:probe", "answered")
    ends = time.monotonic() + PATIENCE
    while store.llen("rq:queue:turns") or store.hget("turns:probe", "answered") is None:
        assert time.monotonic() < ends, "the worker does not go on"
        time.sleep(0.05)


def test_the_api_may_write_no_jobs_and_calls_workers_all_the_same(url: str) -> None:
    with redis.Redis.from_url(as_user(url, "api")) as api:
        for command in (("HSET", "rq:job:x", "data", "x"), ("SADD", "rq:job:x:dependents", "y"), ("GET", "rq:job:x")):
            with pytest.raises(NoPermissionError):
                api.execute_command(*command)
        assert api.rpush("rq:queue:turns", "turns-1") >= 1


@pytest.mark.parametrize("id_", OURS)
def test_an_id_says_what_is_to_be_done(url: str, id_: str) -> None:
    with redis.Redis.from_url(url) as store:
        job = OwnJob.fetch(id_, connection=store, serializer=JSONSerializer)
        assert str(job.func_name).startswith("service.")
        assert callable(job.func)
        assert job.args == ([GAME] if GAME in id_ else [])
        assert (job.kwargs, job.instance, job.webhooks, job._dependency_ids) == ({}, None, [], [])


@pytest.mark.parametrize(
    "id_",
    ["x", "turns-", "turns-1g", "turns-1-2", "TURNS-1", "match-1", f"match-{GAME}-", "os.system", "turns-1\n", "é"],
)
def test_any_other_id_is_refused(url: str, id_: str) -> None:
    with Client.connect(url) as store, pytest.raises((NoSuchJobError, ValueError)):
        OwnJob.fetch(id_, connection=store, serializer=JSONSerializer)


@pytest.mark.parametrize(
    ("id_", "argument"),
    [
        (f"bot-{GAME}-12-first", GAME),
        (f"bot-a1-{GAME}-12-sweep99", f"a1-{GAME}"),
        (f"advice-{GAME}-0123456789abcdef", f"advise:{GAME}:0123456789abcdef"),
        (f"odds-{GAME}-12", f"odds:{GAME}"),
    ],
)
def test_jobs_of_the_release_before_are_done(url: str, id_: str, argument: str) -> None:
    with redis.Redis.from_url(url) as store:
        assert OwnJob.fetch(id_, connection=store, serializer=JSONSerializer).args == [argument]


def test_nothing_waits_for_a_job_of_ours(url: str) -> None:
    with redis.Redis.from_url(url) as store:
        store.sadd("rq:job:turns-5:dependents", "evil")
        store.hset(
            "rq:job:evil", mapping={"data": json.dumps(["os.system", None, ["false"], {}]), "status": "deferred"}
        )
        queue = own_queue(store, "turns")
        queue.enqueue_dependents(OwnJob.fetch("turns-5", connection=store, serializer=JSONSerializer))
        assert store.lrange("rq:queue:turns", 0, -1).count(b"evil") == 0
        store.delete("rq:job:turns-5:dependents", "rq:job:evil")
