"""What operators see is told at a door of their own, and names and headers open no other."""

import os
import socket
import subprocess
import sys

import pytest

from service.config import BadConfig, from_environment
from service.server import binds
from tests.drills.raw import ask, head
from tests.support.answers import refused
from tests.support.serving import DEPLOY, PATIENCE, UNLIMITED, Client, as_user, free_port, running_web

OPERATORS_ONLY = [
    "/metrics", "/metrics/", "//metrics", "/metrics//", "/./metrics", "/x/../metrics", "/%6detrics", "/metrics%2f",
    "/metrics;x", "/metrics?x", "/x/metrics", "/readyz", "/readyz/", "//readyz", "http://127.0.0.1/metrics",
]  # fmt: skip


@pytest.mark.parametrize("path", OPERATORS_ONLY)
@pytest.mark.parametrize("header", [{}, {"SCRIPT_NAME": "/x"}, {"Script_Name": "/x"}, {"PATH_INFO": "/metrics"}])
def test_metrics_and_readiness_are_not_told_to_everybody(api: Client, path: str, header: dict[str, str]) -> None:
    (told,) = ask(api.base, head("GET", path, Connection="close", **header))
    assert told.status == 404
    assert b"red_november_" not in told.body


def test_operators_are_told_at_their_door_and_nothing_else_is_there(api: Client) -> None:
    for path, status in {"/healthz": 200, "/readyz": 200, "/metrics": 200, "/v1/games": 404, "/": 404}.items():
        assert api.operator.get(path).status == status, path
    assert api.get("/healthz").status == 200
    refused(api.operator.get("/v1/rules"), "not_found")
    refused(api.operator.post("/metrics"), "method_not_allowed")


def test_no_path_leads_to_another_host(api: Client) -> None:
    for path in ("/v1//games", "//evil.example/v1/games", "/v1/games//", "/docs/assets//swagger-ui.css"):
        (told,) = ask(api.base, head("GET", path, Host="evil.example", Connection="close"))
        assert told.status in (200, 404), path
        assert "location" not in told.headers


def test_a_header_that_no_proxy_of_ours_wrote_says_nothing_about_the_scheme(api: Client) -> None:
    for headers in ({"X-Forwarded-Proto": "https"}, {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "off"}):
        (told,) = ask(api.base, head("GET", "/", Connection="close", **headers))
        assert told.status == 200
        assert b"https://games.example.org" not in told.body
        assert b"http://games.example.org" in told.body


def test_names_that_are_not_ours_are_refused_if_there_is_a_list(redis_url: str) -> None:
    with running_web(
        redis_url, workers=1, PUBLIC_HOSTS="games.example.org, .example.net, 127.0.0.1", **UNLIMITED
    ) as web:
        for host, status in {
            "games.example.org": 200, "games.example.org:8000": 200, "a.example.net": 200, "example.net": 200,
            "evil.example": 400, "games.example.org.evil.example": 400, "notexample.net": 400, "": 400,
        }.items():  # fmt: skip
            (told,) = ask(web.base, head("GET", "/v1/rules", Host=host, Connection="close"))
            assert told.status == status, host
            if status == 400:
                assert told.json["code"] == "bad_request"
        assert ask(web.ops, head("GET", "/readyz", Host="10.0.0.7:8001", Connection="close"))[0].status == 200


@pytest.mark.parametrize("names", ["games.example.org/", "https://games.example.org", "a b", "*.example.org", ","])
def test_a_list_of_names_that_cant_be_is_told(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    monkeypatch.setenv("PUBLIC_HOSTS", names)
    with pytest.raises(BadConfig, match="PUBLIC_HOSTS"):
        from_environment()


@pytest.mark.parametrize(
    ("bind", "ops"),
    [
        ("", "127.0.0.1:8001"),
        ("127.0.0.1:9000", "127.0.0.1:9001"),
        ("0.0.0.0:8000", "127.0.0.1:8001"),
        ("[::]:8000,0.0.0.0:8000", "127.0.0.1:8001"),
        ("127.0.0.1:0", "127.0.0.1:0"),
        ("unix:/run/red-november.sock", "127.0.0.1:8001"),
    ],
)
def test_operators_ask_at_the_next_port_of_this_machine(monkeypatch: pytest.MonkeyPatch, bind: str, ops: str) -> None:
    monkeypatch.delenv("OPS_BIND")
    monkeypatch.setenv("BIND", bind)
    assert binds.ops_bind() == ops
    monkeypatch.setenv("OPS_BIND", "10.0.0.1:7000")
    assert binds.ops_bind() == "10.0.0.1:7000"


def test_after_the_last_port_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPS_BIND")
    monkeypatch.setenv("BIND", "127.0.0.1:65535")
    with pytest.raises(BadConfig, match="OPS_BIND"):
        binds.ops_bind()


def test_operators_may_ask_at_a_socket_in_a_folder(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ops") / "sock"
    with running_web(redis_url, workers=1, OPS_BIND=f"unix:{path}", **UNLIMITED) as web:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(head("GET", "/readyz", Connection="close"))
            told = b"".join(iter(lambda: client.recv(65536), b""))
        assert told.startswith(b"HTTP/1.1 200")
        assert web.get("/readyz").status == 404


def test_a_port_for_operators_that_somebody_has_is_told(redis_url: str) -> None:
    """Or the kernel would share it out between the two, and send strangers to our operators' door."""
    with socket.socket() as somebody:
        somebody.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        somebody.bind(("127.0.0.1", 0))
        somebody.listen()
        taken = f"127.0.0.1:{somebody.getsockname()[1]}"
        ours = {"REDIS_URL": as_user(redis_url, "api"), "BIND": f"127.0.0.1:{free_port()}", "OPS_BIND": taken}
        ended = subprocess.run(
            [sys.executable, "-m", "gunicorn", "--config", DEPLOY / "gunicorn.conf.py"],
            env=os.environ | ours, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert ended.returncode != 0
    assert f"OPS_BIND {taken} is taken" in ended.stderr
