"""deploy/nginx.conf with a certificate: TLS before a real service, and nothing without it."""

import json
import socket
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.deploy.test_deploy_nginx import CERTIFICATE, configured, started
from tests.drills.raw import ask, head
from tests.support.answers import NDJSON
from tests.support.serving import PATIENCE, Client, free_port, new_game
from tests.support.tools import need

NAME = "localhost"


@dataclass
class Front:
    plain: Client
    port: int  # with TLS
    trusting: ssl.SSLContext  # whoever trusts who made the certificate, as this test has

    def get(self, path: str, accept: str = "*/*") -> Any:
        request = urllib.request.Request(f"https://{NAME}:{self.port}{path}", headers={"Accept": accept})
        return urllib.request.urlopen(request, context=self.trusting, timeout=PATIENCE)

    def shake(self, name: str) -> str | None:
        """Return the version of TLS that comes of asking for that name."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        place = ("127.0.0.1", self.port)
        with (
            socket.create_connection(place, PATIENCE) as connection,
            context.wrap_socket(connection, server_hostname=name) as secured,
        ):
            return secured.version()


@pytest.fixture(scope="module")
def front(api: Client, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp("nginx")
    openssl = need("openssl", "TLS in the nginx example", "`apt-get install openssl`")
    chain, key = folder / "chain.pem", folder / "key.pem"
    made: list[str | Path] = [
        openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", chain,
    ]  # fmt: skip
    subprocess.run(made, check=True, capture_output=True)
    plain, port = free_port(), free_port()
    changes = {
        "server 127.0.0.1:8000;": f"server {urlsplit(api.base).netloc};",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 80 default_server;": f"listen 127.0.0.1:{plain} default_server;",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen 443 ssl default_server;": f"listen 127.0.0.1:{port} ssl default_server;",
        CERTIFICATE[0]: f"ssl_certificate {chain};",
        CERTIFICATE[1]: f"ssl_certificate_key {key};",
    }
    client = Client(f"http://{NAME}:{plain}")
    command = configured(folder, changes, NAME)
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr
    probe = Client(f"http://{NAME}:{plain}/.well-known/acme-challenge")
    with started(folder, command, probe):
        yield Front(client, port, ssl.create_default_context(cafile=str(chain)))


def test_games_are_had_with_tls_and_a_stream_comes_at_once(api: Client, front: Front) -> None:
    game = new_game(api)
    with front.get(game.path) as reply:
        assert json.load(reply)["id"] == game.state["id"]
        assert reply.headers["Strict-Transport-Security"]
    with front.get(f"{game.path}/events/stream", NDJSON) as stream:
        assert json.loads(stream.readline())


def test_whoever_comes_without_tls_is_sent_on_and_told_nothing(front: Front) -> None:
    path = "/v1/games?status=playing"
    asked = head("GET", path, Host=f"{NAME}:1", Connection="close")
    (told,) = ask(front.plain.base.replace(NAME, "127.0.0.1"), asked)
    assert told.status == 308
    assert f"https://{NAME}{path}".encode() in (told.headers["location"].encode(), told.body)
    assert b"games" not in told.body


def test_another_name_gets_no_certificate(front: Front) -> None:
    assert front.shake(NAME) == "TLSv1.3"
    with pytest.raises((ssl.SSLError, OSError)):
        front.shake("elsewhere.example.org")
