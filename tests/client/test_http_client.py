"""The HTTP client: retries that do nothing twice, secrets that go nowhere else."""

import email.utils
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path

import pytest

from red_november_client.addresses import is_same_origin, is_this_machine, parse_address
from red_november_client.blocking import Client, fetch
from red_november_client.errors import Refused, Unreachable
from red_november_client.probing import check_service
from red_november_client.service_clock import ServiceClock, retry_after
from tests.client.conftest import server
from tests.support.scripted_server import Asked, cuts, hangs_up, says, scripted


def test_a_request_is_sent_again_as_the_same_one() -> None:
    notes: list[str] = []
    busy = says(503, {"code": "unavailable", "detail": "Try again."}, Retry_After="0")
    with server(busy, hangs_up, says(502, b"<html>"), says(201, {"id": "x"})) as (client, asked):
        told = Client(client.server, "rn_secret", patience=5, on_wait=lambda: notes.append("wait"))
        assert told.post("/games", {"seats": []}) == {"id": "x"}
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 1
    assert len(asked) == 4
    assert notes == ["wait"]
    assert {headers["Authorization"] for _, _, headers in asked} == {"Bearer rn_secret"}


def test_other_requests_are_others() -> None:
    with server(says(200), says(200)) as (client, asked):
        client.post("/a")
        client.post("/a")
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 2


def test_a_refusal_is_told_at_once_in_its_own_words() -> None:
    problem = {"code": "not_your_turn", "detail": "Seat 1 must decide.", "title": "Somebody else must decide"}
    with server(says(409, problem), says(503, {"code": "store_full", "detail": "Full."}, Retry_After="1")) as (
        client,
        _,
    ):
        with pytest.raises(Refused, match=r"^Seat 1 must decide\.$") as refusal:
            client.post("/a")
        assert refusal.value.code == "not_your_turn"
        with pytest.raises(Refused, match="Full"):
            client.post("/a")


def test_waiting_has_an_end() -> None:
    busy = says(429, {"code": "too_many_requests", "detail": "At most 3."}, Retry_After="60")
    with server(busy) as (client, _), pytest.raises(Refused, match="At most 3"):
        client.get("/a")
    with pytest.raises(Unreachable, match="refused"):
        Client("http://127.0.0.1:1", patience=0.1).get("/a")


def test_a_token_follows_nobody() -> None:
    with server(says(302, Location="http://127.0.0.1:1/elsewhere")) as (client, asked):
        with pytest.raises(Refused, match="HTTP 302"):
            client.get("/a")
        assert len(asked) == 1


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with server(says(200, {"rooms": []})) as (client, _):
        check_service(client.server)


def test_something_else_at_the_address_is_no_service() -> None:
    with server(says(200, b"<html>hello</html>"), says(200, {"hello": 1}), says(404, b"gone")) as (client, _):
        for _ in range(3):
            with pytest.raises(Unreachable):
                check_service(client.server, 0)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("https://rn.example/v1/", "https://rn.example"),
        ("http://[::1]:9/games/", "http://[::1]:9/games"),
    ],
)
def test_addresses_as_people_type_them(typed: str, expected: str) -> None:
    assert parse_address(typed) == expected


@pytest.mark.parametrize("typed", ["", "ftp://x", "http://", "http://x:port", "http://x?y", "file:///etc/passwd"])
def test_what_is_no_address(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_address(typed)


def test_deadlines_are_those_of_the_services_clock() -> None:
    clock = ServiceClock()
    fast = datetime.now(UTC) + timedelta(hours=1)
    clock.note(fast.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    assert 28 <= clock.seconds_left((fast + timedelta(seconds=30)).isoformat()) <= 31
    assert clock.seconds_left("2020-01-01T00:00:00.000Z") == 0


def test_an_answer_that_is_cut_in_the_middle_is_asked_for_again() -> None:
    whole = b'{"id": "a game of thirty letters"}'
    with server(cuts(whole, 12), says(200, whole)) as (client, asked):
        assert client.post("/games")["id"] == "a game of thirty letters"
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 1


def date(seconds: float) -> str:
    return email.utils.formatdate(seconds, usegmt=True)


@pytest.mark.parametrize(
    ("asked_for", "by", "expected"),
    [
        ("7", None, 7),
        ("0", None, 0),
        (date(1_780_000_030), date(1_780_000_000), 30),  # by the service's clock, whatever ours says
        (date(1_780_000_000), date(1_780_000_030), 0),
        ("soon", None, None),
        ("-1", None, None),
        ("1.5", None, None),
        ("\u0663", None, None),  # a digit, but not HTTP's
        ("Mon, 99 Foo 99999 25:61:61 GMT", None, None),
        (None, None, None),
    ],
)
def test_a_service_says_when_to_come_back(asked_for: str | None, by: str | None, expected: float | None) -> None:
    headers = Message()
    if asked_for is not None:
        headers["Retry-After"] = asked_for
    if by is not None:
        headers["Date"] = by
    assert retry_after(headers) == expected


def test_without_a_date_of_its_own_ours_counts() -> None:
    headers = Message()
    headers["Retry-After"] = date(time.time() + 30)
    assert 27 <= (retry_after(headers) or 0) <= 30


def test_a_503_with_a_date_is_waited_for() -> None:
    """`send_response` adds the Date of this machine."""
    busy = says(503, {"code": "unavailable", "detail": "Soon."}, Retry_After=date(time.time() + 2))
    with server(busy, says(200, {"id": "x"})) as (client, asked):
        began = time.monotonic()
        assert client.get("/a") == {"id": "x"}
        assert time.monotonic() - began > 0.5
    with server(says(503, {"detail": "Later."}, Retry_After=date(time.time() + 3600))) as (client, asked):
        with pytest.raises(Refused, match="Later"):
            client.get("/a")
        assert len(asked) == 1


SECRETS = {"Authorization", "X-Api-Key"}


def sent_secrets(asked: Asked) -> list[set[str]]:
    return [SECRETS & {name.title() for name in headers} for _, _, headers in asked]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("client", [Client("", token="rn_secret"), Client("", api_key="key")])
def test_neither_key_nor_token_goes_to_another_origin(status: int, client: Client) -> None:
    with scripted() as (elsewhere, asked_elsewhere), scripted(says(status, Location=f"{elsewhere}/x")) as (here, asked):
        with pytest.raises(Refused, match=f"HTTP {status}: it leads to {elsewhere}/x"):
            replace(client, server=here).get("/a")
        assert sent_secrets(asked) != [set()]
        assert asked_elsewhere == []


def test_a_redirect_within_the_service_is_followed_with_everything() -> None:
    with server(says(307, Location="/v1/b"), says(201, {"id": "x"})) as (client, asked):
        assert client.post("/a", {"seats": []}) == {"id": "x"}
    assert [(method, path) for method, path, _ in asked] == [("POST", "/v1/a"), ("POST", "/v1/b")]
    assert sent_secrets(asked) == [{"Authorization"}] * 2
    assert len({headers["Idempotency-Key"] for _, _, headers in asked}) == 1


def test_a_post_is_never_made_a_get() -> None:
    with server(says(302, Location="/v1/b")) as (client, asked):
        with pytest.raises(Refused, match="HTTP 302"):
            client.post("/a")
        assert len(asked) == 1


def test_what_anybody_may_ask_may_be_asked_elsewhere() -> None:
    with scripted(says(200, {"rooms": []})) as (elsewhere, asked), scripted(says(301, Location=elsewhere)) as (here, _):
        assert Client(here).get("/rules") == {"rooms": []}
        assert sent_secrets(asked) == [set()]


def test_redirects_in_a_circle_have_an_end() -> None:
    with server(*[says(302, Location="/v1/a")] * 9) as (client, asked):
        with pytest.raises(Refused, match="HTTP 302"):
            client.get("/a")
        assert len(asked) <= 7


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "//", "http://[", "http://x:port/"])
def test_a_redirect_to_something_else_is_refused(target: str) -> None:
    with scripted(says(302, Location=target)) as (here, _), pytest.raises((Refused, Unreachable)):
        Client(here, patience=0).get("/a")


def test_a_refusal_cannot_write_on_the_terminal() -> None:
    with server(says(409, {"detail": "\x1b[2Jaway\r\n"})) as (client, _), pytest.raises(Refused) as refusal:
        client.get("/a")
    assert str(refusal.value) == "[2Jaway"


def test_a_single_question_is_answered_whatever_the_answer() -> None:
    with scripted(says(503, {"status": "down"}, Retry_After="1"), hangs_up) as (here, asked):
        reply = fetch(f"{here}/readyz", 5)
        assert (reply.status, reply.body) == (503, b'{"status": "down"}')
        with pytest.raises(Unreachable):
            fetch(f"{here}/readyz", 5)
        assert len(asked) == 2
    for wrong in ("", "http://", "http://user:pass@host:x/"):
        with pytest.raises(Unreachable):
            fetch(wrong, 1)


def test_the_same_origin_has_the_same_scheme_host_and_port() -> None:
    assert is_same_origin("http://rn.example/a", "http://RN.example:80/b")
    for other in ("https://rn.example/a", "http://rn.example:81/", "http://rn.example.org/", "http://rn.example@x/"):
        assert not is_same_origin("http://rn.example/a", other)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("localhost", True), ("::1", True), ("[::1]", True), ("0.0.0.0", True)]
    + [("rn.example", False), ("10.0.0.1", False), ("localhost.example", False), ("", False)],
)
def test_which_hosts_are_this_machine(host: str, expected: bool) -> None:
    assert is_this_machine(host) is expected


def test_nobody_else_speaks_http_to_the_service() -> None:
    root = Path(__file__).parents[2]
    asking = re.compile(
        r"^\s*(import|from) (urllib\.(request|error)|http\.client|httpx|requests|aiohttp)\b", re.MULTILINE
    )
    found = {
        str(path.relative_to(root))
        for room in ("service", "bots", "engine", "red_november_client")
        for path in (root / room).rglob("*.py")
        if asking.search(path.read_text())
    }
    assert found == {"red_november_client/connections.py"}
