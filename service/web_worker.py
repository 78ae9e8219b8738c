"""gunicorn's gevent worker, which answers with our problems what it can't read as a request."""

from typing import Any

import orjson
from gunicorn import util
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.workers.ggevent import GeventWorker

from service.errors import MEDIA_TYPE, Problem


class Worker(GeventWorker):  # type: ignore[misc]
    """Used by its name, in `gunicorn_conf.py`."""

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
