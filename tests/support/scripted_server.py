"""A small HTTP server that answers what a test has put down for it, one request after the other."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.serving import Wire

Answer = Callable[["Handler"], None]
Asked = list[tuple[str, str, Wire]]  # method, path, headers


class Handler(BaseHTTPRequestHandler):
    """Says what comes next in its script."""

    script: list[Answer]
    asked: Asked

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.command, self.path, dict(self.headers)))
        self.script.pop(0)(self)

    do_GET = do_POST = do_PATCH = _answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


def says(status: int, body: Any = None, **headers: str) -> Answer:
    def answer(handler: Handler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def hangs_up(handler: Handler) -> None:
    """End the connection without a word."""
    handler.close_connection = True
    handler.connection.close()


def cuts(body: bytes, after: int) -> Answer:
    """Announce a whole answer, and hang up in the middle of it."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:after])
        handler.close_connection = True

    return answer


def streams(*lines: Wire, ends: bool = True) -> Answer:
    """Send lines as gunicorn does, a chunk each; where the stream does not end, hang up without the last chunk."""

    def answer(handler: Handler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Content-Type", "application/x-ndjson")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for line in lines:
            data = json.dumps(line).encode() + b"\n"
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        if ends:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    return answer


@contextmanager
def scripted(*script: Answer) -> Iterator[tuple[str, Asked]]:
    """Run a server with that script. Yields its address and what it was asked, which grows."""
    asked: Asked = []
    handler = type("Scripted", (Handler,), {"script": list(script), "asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}", asked
        finally:
            running.shutdown()
            thread.join()
