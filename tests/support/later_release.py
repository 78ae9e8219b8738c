"""The service as a later release might be: a proxy that adds to answers whatever the contract leaves open."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.support.contract import document
from tests.support.serving import PATIENCE

MEMBER, BOT, KNOWN_BOT = "told_of_late", "stowaway", "sailor"
_SKIPPED = {"transfer-encoding", "content-length", "connection", "server", "date"}
_STREAMS = ("application/x-ndjson", "text/event-stream")


def later_code(code: str) -> str:
    """A problem's code as the later release has it."""
    return f"{code}_of_late"


def _maps() -> set[str]:
    """Names of fields whose objects are maps: members that are added to these would be keys."""
    shapes = document()["components"]["schemas"]
    maps = {name for name, shape in shapes.items() if isinstance(shape.get("additionalProperties"), dict)}
    return {
        field
        for shape in shapes.values()
        for field, part in shape.get("properties", {}).items()
        if isinstance(part.get("additionalProperties"), dict) or any(f"/{name}'" in str(part) for name in maps)
    }


def later(value: Any, maps: set[str], name: str = "") -> Any:
    """What this release answers, as the later one would."""
    if isinstance(value, list):
        return [later(each, maps, name) for each in value]
    if not isinstance(value, dict):
        return value
    told = {key: later(each, maps, key) for key, each in value.items()}
    if name in maps or name == "client_data":
        return told
    if "instance" in told:
        told["code"] = later_code(told["code"])
    if told.get("bot", "") in (None, KNOWN_BOT):
        told["bot"] = BOT
    return {MEMBER: {"since": "1.1"}} | told


def _as_taken(value: Any) -> Any:
    """What was sent to the later release, which takes back what it told, as this one takes it."""
    if isinstance(value, list):
        return [_as_taken(each) for each in value]
    if isinstance(value, dict):
        return {key: _as_taken(each) for key, each in value.items() if key != MEMBER}
    return value


class _Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    behind: str
    maps: set[str]

    def _pass_on(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps(_as_taken(json.loads(sent))).encode() if sent else None
        ours = ("host", "content-length", "accept-encoding")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ours}
        connection = http.client.HTTPConnection(self.behind, timeout=PATIENCE)
        try:
            connection.request(self.command, self.path, body, headers | {"Accept-Encoding": "identity"})
            self._tell(connection.getresponse())
        except OSError:
            self.close_connection = True
        finally:
            connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _pass_on  # noqa: N815

    def _tell(self, reply: http.client.HTTPResponse) -> None:
        kind = reply.headers.get_content_type()
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() not in _SKIPPED:
                self.send_header(name, value)
        if kind in _STREAMS:
            self.close_connection = True
            self.end_headers()
            for line in reply:
                self.wfile.write(self._later_line(line))
            return
        body = reply.read()
        if kind.endswith("json") and body:
            body = json.dumps(later(json.loads(body), self.maps)).encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _later_line(self, line: bytes) -> bytes:
        start = line.find(b"{")
        if start < 0:
            return line
        return line[:start] + json.dumps(later(json.loads(line[start:]), self.maps)).encode() + b"\n"

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def later_release(base: str) -> Iterator[str]:
    """The address of the service at `base`, as the later release would serve it."""
    members = {"behind": urlsplit(base).netloc, "maps": _maps()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Proxy", (_Proxy,), members))
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
