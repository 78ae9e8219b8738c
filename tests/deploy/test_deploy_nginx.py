"""deploy/nginx.conf before a real service: streams and long polls pass at once, and callers are told apart."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.drills.raw import ask, head
from tests.server.test_ops_door import OPERATORS_ONLY
from tests.support.answers import NDJSON, SSE, lines, listening, messages, refused, scene
from tests.support.serving import DEPLOY, PATIENCE, Client, Seated, free_port, new_game
from tests.support.tools import need

AT_ONCE = 5.0  # seconds, before the first sign of life; a buffer would keep an event until there are some kB of them
HATCH = {"type": "open_hatch", "to": 7}
WHOLE = """
daemon off;
{user}
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def site(folder: Path, upstream: str, port: int, connections: int = 512) -> list[str | Path]:
    """Our file as it is, but for addresses, names, the certificate and a number; and how to start nginx with it.

    It answers the tests of what it does with and without TLS at the same port, but for those of TLS itself.
    """
    return configured(
        folder,
        {
            "server 127.0.0.1:8000;": f"server {upstream};",
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen 80 default_server;": f"listen 127.0.0.1:{port} default_server;",
            "listen 443 ssl;": f"listen 127.0.0.1:{port};",
            "listen 443 ssl default_server;": "",
            "ssl_reject_handshake on;": "",
            **dict.fromkeys(CERTIFICATE, ""),
            "limit_conn households 512;": f"limit_conn households {connections};",
        },
    )


CERTIFICATE = (
    "ssl_certificate /etc/letsencrypt/live/games.example.org/fullchain.pem;",
    "ssl_certificate_key /etc/letsencrypt/live/games.example.org/privkey.pem;",
)


def configured(folder: Path, changes: Mapping[str, str], name: str = "127.0.0.1") -> list[str | Path]:
    """Write our file with those changes for nginx, and return how to start it."""
    nginx = need("nginx", "the nginx example", "`apt-get install nginx-light`")
    text = (DEPLOY / "nginx.conf").read_text()
    for ours, here in changes.items():
        assert text.count(ours) == 1, ours
        text = text.replace(ours, here)
    text = text.replace("server_name games.example.org;", f"server_name {name};")
    (folder / "site.conf").write_text(text)
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, user=user))
    return [nginx, "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"]


@contextmanager
def running_nginx(folder: Path, upstream: str, connections: int = 512) -> Iterator[Client]:
    port = free_port()
    client = Client(f"http://127.0.0.1:{port}")
    with started(folder, site(folder, upstream, port, connections), client):
        yield client


@contextmanager
def started(folder: Path, command: Sequence[str | Path], client: Client) -> Iterator[None]:
    """Surround a test with nginx, from when it answers that client."""
    process = subprocess.Popen(command)
    try:
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                client.get("/healthz")
                break
            except OSError:
                assert process.poll() is None, (folder / "error.log").read_text()
                assert time.monotonic() < ends, "nginx does not answer"
                time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def behind(api: Client, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with running_nginx(tmp_path_factory.mktemp("nginx"), urlsplit(api.base).netloc) as client:
        yield client


@pytest.fixture
def game(behind: Client) -> Seated:
    return new_game(behind, position=scene())


def test_nginx_takes_the_file(tmp_path: Path) -> None:
    told = subprocess.run([*site(tmp_path, "127.0.0.1:8000", 8080), "-t"], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "[warn]" not in told.stderr


@pytest.mark.parametrize(("accept", "read"), [(NDJSON, lines), (SSE, messages)])
def test_a_stream_passes_nginx_at_once(behind: Client, game: Seated, accept: str, read: Callable[..., Any]) -> None:
    began = time.monotonic()
    with listening(behind, f"{game.path}/events/stream", accept) as stream:
        assert len(read(stream, 1)) == 1
        assert time.monotonic() - began < AT_ONCE
        moved = time.monotonic()
        assert game.players[0].play(game.path, HATCH).status == 200
        assert len(read(stream, 1)) == 1
        assert time.monotonic() - moved < AT_ONCE


def test_a_long_poll_is_answered_when_something_happens(behind: Client, game: Seated) -> None:
    heard: list[tuple[float, int]] = []

    def wait() -> None:
        reply = behind.get(f"{game.path}?after={game.state['version']}&wait=20")
        heard.append((time.monotonic(), reply.body["version"]))

    before = game.state["version"]
    waiter = threading.Thread(target=wait)
    waiter.start()
    time.sleep(0.3)
    assert not heard
    moved = time.monotonic()
    assert game.players[0].play(game.path, HATCH).status == 200
    waiter.join()
    ((at, version),) = heard
    assert at - moved < AT_ONCE
    assert version > before


def test_what_is_too_long_is_refused_by_the_service(behind: Client) -> None:
    assert behind.post("/v1/games", b"x" * 100_000).body["code"] == "body_too_large"


def test_an_address_has_its_share_of_connections(api: Client, tmp_path: Path) -> None:
    with running_nginx(tmp_path, urlsplit(api.base).netloc, connections=2) as client:
        game = new_game(client, position=scene())
        stream = f"{game.path}/events/stream"
        with listening(client, stream) as first, listening(client, stream) as second:
            assert len(lines(first, 1)) == len(lines(second, 1)) == 1
            reply = client.get(game.path)
            refused(reply, "too_many_connections")
            assert reply.headers["retry-after"] == "5"
            asked = head("GET", game.path, Host=urlsplit(client.base).netloc, Connection="close")
            assert ask(client.base, asked, source="127.0.0.2")[0].status == 200


def test_whoever_asks_for_another_name_is_told_nothing(behind: Client) -> None:
    assert ask(behind.base, head("GET", "/healthz")) == []


@pytest.mark.parametrize("path", OPERATORS_ONLY)
def test_what_is_for_operators_is_not_to_be_had(behind: Client, path: str) -> None:
    told = ask(behind.base, head("GET", path, Host=urlsplit(behind.base).netloc, SCRIPT_NAME="/x", Connection="close"))
    assert told[0].status in (400, 404)
    assert b"red_november_" not in told[0].body
    assert b"depths" not in told[0].body


class _Upstream(BaseHTTPRequestHandler):
    """Answers with the headers that it got; a stream with two lines, and a while between them."""

    heard = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if self.path == "/stream":
            self.wfile.write(b"1\n")
            self.heard.wait(3 * AT_ONCE)
            self.wfile.write(b"2\n")
        else:
            self.wfile.write(json.dumps(dict(self.headers)).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def before_upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with HTTPServer(("127.0.0.1", 0), _Upstream) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with running_nginx(tmp_path_factory.mktemp("nginx"), f"127.0.0.1:{server.server_port}") as client:
            yield client
        server.shutdown()


def test_the_service_is_told_who_calls(before_upstream: Client) -> None:
    """The last address is nginx' own word; what stands before it anybody may have written."""
    for path in ("/v1/games", "/metrics"):
        told = before_upstream.get(path, X_Forwarded_For="6.6.6.6", X_Forwarded_Proto="gopher").body
        assert told["X-Forwarded-For"] == "6.6.6.6, 127.0.0.1"
        assert told["X-Forwarded-Proto"] == "http"
        assert told["Host"] == urlsplit(before_upstream.base).netloc


def test_nothing_is_held_back_even_if_the_service_would_not_ask_for_it(before_upstream: Client) -> None:
    """Ours does, with X-Accel-Buffering, which another proxy in between may swallow."""
    began = time.monotonic()
    with listening(before_upstream, "/stream") as stream:
        assert stream.readline() == b"1\n"
        assert time.monotonic() - began < AT_ONCE
        _Upstream.heard.set()
        assert stream.readline() == b"2\n"
