"""gunicorn's gevent worker, which answers with our problems what it can't read as a request, and stops promptly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
import orjson
from gunicorn import glogging, util
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, NoMoreData, ParseException
from gunicorn.workers.ggevent import GeventWorker

from service.errors import MEDIA_TYPE, Problem


class Logger(glogging.Logger):  # type: ignore[misc]
    def access(self, *_: Any) -> None:
        """`traffic.py` writes about requests."""


class Worker(GeventWorker):  # type: ignore[misc]
    """Used by its name, in `gunicorn_conf.py`."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self._idle: set[Any] = set()

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Around the wait for the next request of a connection."""
        me = gevent.getcurrent()
        self._idle.add(me)
        try:
            with gevent.Timeout(self.cfg.keepalive, False):
                yield
        finally:
            self._idle.discard(me)

    def let_idle_go(self) -> None:
        """Ends the connections that wait for a next request, as if their clients had."""
        for connection in list(self._idle):
            connection.kill(NoMoreData(), block=False)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        self.log.info("unreadable request from %s: %s", addr and addr[0], exc)
        try:
            util.write_nonblock(client, _answer(exc))
        except OSError as error:
            self.log.debug("not answered: %s", error)


def _answer(exc: ParseException) -> bytes:
    codes = {LimitRequestLine: "uri_too_long", LimitRequestHeaders: "headers_too_large"}
    problem = Problem(codes.get(type(exc), "bad_request"), str(exc))
    body = orjson.dumps(problem.to_dict("/"))
    head = (
        f"HTTP/1.1 {problem.status} {problem.title}\r\nConnection: close\r\nAccess-Control-Allow-Origin: *\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
