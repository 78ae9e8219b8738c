"""Serve one connection: its requests, one after another, each read whole before anything is done for it.

It takes the place of gunicorn's loop, which hands requests on as soon as their head is there, and then obeys what has
half arrived. What can't be read is refused in our own shape, and ends the connection: nobody knows where the next
request would begin.
"""

import errno
from typing import Any
from urllib.parse import unquote

import orjson
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, NoMoreData, ParseException

from service.api.problems import MEDIA_TYPE, STATUS_OF, body_of, headers_of
from service.callers.door import CONNECTIONS, GUEST, HUNG_UP, NOT_COUNTED, Door, Guest
from service.callers.origin import network_of
from service.refusals import Problem
from service.server.addresses import forwarded_for
from service.server.gateway import Gateway
from service.server.heads import Parser
from service.server.reading import Late, Reader, linger, read_body, read_head

_CODES = {LimitRequestLine: "uri_too_long", LimitRequestHeaders: "headers_too_large"}
_GOOD = {409, 412, 429, HUNG_UP}  # refusals that befall whoever plays by the rules, and hangups
_HANGUPS = (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN, errno.ETIMEDOUT, errno.EBADF)


class Connection:
    def __init__(self, worker: Any, door: Door, listener: Any, client: Any, peer: Any, address: str, app: Any):
        """`address` tells whose the connection is; behind proxies each request tells that."""
        self._worker, self._door, self._app = worker, door, app
        self._client, self._peer = client, peer
        self._whose = self._address = address
        self._gateway = Gateway(worker.settings, client, peer, listener.getsockname())
        self._request: Any = None

    def serve(self) -> None:
        config, keepalive = self._worker.config, self._worker.settings.keepalive
        parser = Parser(self._worker.settings, self._client, self._peer)
        parser.unreader = reader = Reader(self._client)
        seconds = config.head_seconds
        try:
            while self._begins(reader, seconds):
                self._request, self._address = None, self._whose
                self._request = request = read_head(parser, config.head_seconds)
                guest = self._guest(request)
                try:
                    read_body(request, reader, config.max_body_bytes, config.body_seconds)
                    if not self._answer(request, guest):
                        return
                finally:
                    guest.leave()
                seconds = keepalive
        except StopIteration:
            return
        except NoMoreData as error:
            self._worker.log.debug("hung up amid a request: %s", error)
        except Late:
            self.refuse(Problem("too_slow", "It must not take so long."))
        except ParseException as error:
            self.refuse(Problem(_CODES.get(type(error), "bad_request"), str(error)))
        except Problem as problem:
            self.refuse(problem)
        except OSError as error:
            if error.errno not in _HANGUPS:
                self._worker.log.exception("a connection failed")

    def _begins(self, reader: Reader, seconds: float) -> bool:
        idle = self._worker.idle
        idle[self._client] = self._door is self._worker.door
        try:
            return reader.begins(seconds)
        finally:
            idle.pop(self._client, None)

    def _guest(self, request: Any) -> Guest:
        """Let a request in; refuse it if its address had too many refused, or holds too much already."""
        proxies = self._worker.config.proxies if self._door is self._worker.door else 0
        if proxies:
            client = forwarded_for(request.headers, proxies) or (self._peer[0] if self._peer else "")
            self._address = network_of(client) if client else NOT_COUNTED
        self._door.refusals.check(self._address)
        guest = Guest(self._door, self._address, self._client._sock.recv)
        if proxies:
            guest.take(CONNECTIONS)
        return guest

    def _answer(self, request: Any, guest: Guest) -> bool:
        """Answer a request; return whether another may follow."""
        worker, client = self._worker, self._client
        client.settimeout(None)
        response, environ = self._gateway.answer(request), self._gateway.environ(request)
        environ[GUEST] = guest
        worker.nr += 1
        if worker.nr >= worker.max_requests:
            worker.alive = False
        answer: Any = None
        try:
            guest.work()
            answer = self._app(environ, response.start_response)
            guest.rest()
            if guest.released or not worker.alive:
                response.force_close()
            if isinstance(answer, environ["wsgi.file_wrapper"]):
                response.write_file(answer)
            else:
                for piece in answer:
                    response.write(piece)
            response.close()
        except OSError:
            raise
        except Exception:
            worker.log.exception("an answer failed")
            if response.headers_sent:
                return False
            raise Problem("internal", "This is our fault, and it has been written down.") from None
        finally:
            if hasattr(answer, "close"):
                answer.close()
        if guest.fled or (400 <= response.status_code < 500 and response.status_code not in _GOOD):
            self._door.refusals.count(self._address)
        return not response.should_close()

    def refuse(self, problem: Problem, briefly: bool = False) -> None:
        """Refuse what came, as the last answer on this connection.

        `briefly` does not wait for more to arrive: for refusals that may be many, on connections most of which sent
        nothing yet that a reset could follow upon.
        """
        method = self._request.method if self._request else ""
        status = STATUS_OF[problem.code]
        if status not in _GOOD or problem.code == "too_many_requests":
            self._door.refusals.count(self._address)
        self._worker.traffic.count_refusal(method, status)
        self._client.settimeout(0)
        try:
            self._client.send(_written(problem, self._request))
        except OSError as error:
            self._worker.log.debug("not answered: %s", error)
            return
        if not briefly:
            linger(self._client)


def _written(problem: Problem, request: Any) -> bytes:
    body = orjson.dumps(body_of(problem, unquote(request.path) if request else "/"))
    headers = {
        "Connection": "close",
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
        "Content-Type": MEDIA_TYPE,
        "Content-Length": len(body),
        **headers_of(problem),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {STATUS_OF[problem.code]} {problem.title}\r\n{lines}\r\n".encode("latin-1", "replace")
    return head if request and request.method == "HEAD" else head + body
