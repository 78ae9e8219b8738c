"""Every refusal is a problem in one shape; and web pages of any origin may read it."""

import http.client
import json
from urllib.parse import urlsplit

import pytest
import redis

from tests.support.answers import refused, scene
from tests.support.serving import PATIENCE, Client, new_game

JSON = "application/json"


def nested(depth: int) -> bytes:
    return b'{"name":' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/v1", "/v2/games", "/v1/game", "/v1/games/aaaaaaaaaaaaaaaa/nothing", "/v1/%FF%00", "/v1/../etc"],
)
def test_an_unknown_route_is_not_found(api: Client, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        told = refused(api.call(method, path), "not_found")
        assert told["instance"].startswith("/")
        assert "/docs" in told["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/games", {"GET", "HEAD", "OPTIONS", "POST"}),
        ("PUT", "/v1/games/aaaaaaaaaaaaaaaa", {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH"}),
        ("GET", "/v1/games/aaaaaaaaaaaaaaaa/start", {"OPTIONS", "POST"}),
        ("DELETE", "/v1/rules", {"GET", "HEAD", "OPTIONS"}),
        ("BREW", "/v1/bots", {"GET", "HEAD", "OPTIONS", "POST"}),
    ],
)
def test_a_method_that_is_not_for_here_is_refused_with_those_that_are(
    api: Client, method: str, path: str, allowed: set[str]
) -> None:
    reply = api.call(method, path)
    assert all(each in refused(reply, "method_not_allowed")["detail"] for each in allowed)
    assert set(reply.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    "body", [b"{", b"nonsense", b'{"name": NaN}', b'{"name": "\xff"}', b'{"name": "\\ud800"}', b"{} {}", nested(5000)]
)
@pytest.mark.parametrize("path", ["", "/{id}/players", "/{id}/moves", "/{id}/start", "/{id}/forks"])
def test_what_is_not_json_is_refused(api: Client, body: bytes, path: str) -> None:
    made = api.post("/v1/games").body
    host = api.be(made["token"])
    refused(host.call("POST", "/v1/games" + path.format(id=made["game"]["id"]), body, Content_Type=JSON), "bad_json")


@pytest.mark.parametrize("body", [b"[]", b"5", b'"text"', b"null", b"true"])
def test_a_body_that_is_no_object_is_refused(api: Client, body: bytes) -> None:
    refused(api.call("POST", "/v1/games", body, Content_Type=JSON), "invalid", "")


@pytest.mark.parametrize("depth", [13, 200])
def test_a_body_nested_too_deep_is_refused(api: Client, depth: int) -> None:
    body = refused(api.call("POST", "/v1/games", nested(depth), Content_Type=JSON), "invalid", "")
    assert "deep" in body["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"])
def test_a_body_of_another_media_type_is_refused(api: Client, kind: str) -> None:
    refused(api.call("POST", "/v1/games", b'{"name": "x"}', Content_Type=kind), "unsupported_media_type")


def test_json_may_say_its_charset_and_an_empty_body_needs_no_type(api: Client) -> None:
    assert api.call("POST", "/v1/games", b'{"name": "x"}', Content_Type=f"{JSON}; charset=utf-8").status == 201
    assert api.call("POST", "/v1/games").status == 201


def test_a_body_that_is_too_large_is_refused(api: Client) -> None:
    for path in ("/v1/games", f"/v1/games/{api.post('/v1/games').body['game']['id']}/players"):
        refused(api.call("POST", path, b'{"name": "' + b"x" * 70_000 + b'"}', Content_Type=JSON), "body_too_large")
        refused(api.call("POST", path, b" " * 70_000, Content_Type=JSON, Idempotency_Key="large"), "body_too_large")


def test_a_failure_of_ours_is_told_without_its_inside(api: Client, redis_url: str) -> None:
    """Whatever it was: here, a game that somebody damaged."""
    game = new_game(api, position=scene())
    with redis.Redis.from_url(redis_url) as store:
        store.hset(f"game:{game.path.rsplit('/', 1)[1]}", "record", b"damaged")
    for reply in (game.host.get(game.path), game.players[0].play(game.path, {"type": "enter"})):
        body = refused(reply, "internal")
        assert "damaged" not in json.dumps(body)
        assert "Traceback" not in json.dumps(body)


def test_every_kind_of_problem_has_an_explanation_where_its_type_points(api: Client) -> None:
    body = refused(api.get("/v1/nothing"), "not_found")
    page = api.get(body["type"].split("#")[0])
    assert page.status == 200
    assert f'id="{body["code"]}"'.encode() in page.body


def test_a_problem_needs_no_body_where_nobody_reads_one(api: Client) -> None:
    connection = http.client.HTTPConnection(urlsplit(api.base).netloc, timeout=PATIENCE)
    for path, status in (("/v1/nothing", 404), ("/v1/games", 200)):
        connection.request("HEAD", path)
        with connection.getresponse() as reply:
            assert (reply.status, reply.read()) == (status, b"")
    connection.close()


ORIGIN = {"Origin": "https://gnomes.example"}
USEFUL = {"etag", "location", "retry-after", "ratelimit", "ratelimit-policy", "idempotency-replayed"}


@pytest.mark.parametrize("path", ["/v1/games", "/v1/rules", "/v1/nothing", "/v1/games/none", "/openapi.yaml"])
def test_web_pages_of_any_origin_may_read_answers_and_errors(api: Client, path: str) -> None:
    for method in ("GET", "POST"):
        headers = api.call(method, path, **ORIGIN).headers
        assert headers["access-control-allow-origin"] == "*"
        assert {name.strip().lower() for name in headers["access-control-expose-headers"].split(",")} >= USEFUL
        assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/games", "POST"), ("/v1/games/aaaaaaaaaaaaaaaa", "DELETE"), ("/v1/games/aaaaaaaaaaaaaaaa/moves", "POST"),
        ("/v1/games/aaaaaaaaaaaaaaaa/seats/0/controller", "PUT"), ("/v1/games/aaaaaaaaaaaaaaaa/events", "GET"),
    ],
)  # fmt: skip
def test_a_preflight_allows_what_a_page_needs(api: Client, path: str, method: str) -> None:
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
    reply = api.call("OPTIONS", path, **ORIGIN, **asked)
    assert reply.status in (200, 204)
    assert method in reply.headers["access-control-allow-methods"].split(", ")
    allowed = {name.strip().lower() for name in reply.headers["access-control-allow-headers"].split(",")}
    assert allowed >= {"authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "last-event-id"}
    assert allowed >= {"traceparent", "tracestate", "baggage", "sentry-trace"}, "pages that trace their requests fail"
    assert int(reply.headers["access-control-max-age"]) > 0
