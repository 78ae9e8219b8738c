"""What every view shares: the caller, the answer, reading a body, documenting problems."""

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, current_app, request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser

from service.access import Answer, Caller
from service.config import Config, Limit
from service.errors import CODES, Problem
from service.feed import Hub
from service.limits import Meter
from service.store import Retry, Store

Wire = dict[str, Any]

JSON = "application/json"
MAX_DEPTH = 12
MAX_KEY = 200
NO_LIMIT = Limit(0, 1)


def store() -> Store:
    return current_app.extensions["store"]


def hub() -> Hub:
    return current_app.extensions["hub"]


def config() -> Config:
    return current_app.extensions["config"]


class Parser(FlaskParser):
    """Reads with orjson, refuses what is not JSON, too deep, or unknown."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": RAISE, "query": RAISE}  # noqa: RUF012 - so it is in webargs

    def load_json(self, req: Any, schema: Any) -> Any:
        return read_json()


class Blueprint(SmorestBlueprint):
    ARGUMENTS_PARSER = Parser()


def read_json() -> Any:
    """The body; an empty one is an empty object."""
    data = request.get_data()
    if not data:
        return {}
    if request.mimetype != JSON:
        raise Problem("unsupported_media_type", f"Send {JSON}, not {request.mimetype or 'an unnamed type'}.")
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Problem("bad_json", str(error)) from error
    if not isinstance(body, dict):
        raise Problem("invalid", "The body must be an object.", [{"pointer": "", "detail": "must be an object"}])
    _check_depth(body)
    return body


def _check_depth(value: Any, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise Problem(
            "invalid", f"The body is nested more than {MAX_DEPTH} deep.", [{"pointer": "", "detail": "too deep"}]
        )
    if isinstance(value, dict):
        for inner in value.values():
            _check_depth(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check_depth(inner, depth + 1)


def caller(kind: str) -> Caller:
    """Who asks; `kind` names the limit that he is held to."""
    token = _token()
    who = token or request.remote_addr or "nobody"
    meter = Meter(kind, config().limits.get(kind, NO_LIMIT), Retry.of(who, "").key[:24])
    request.environ["meter"] = meter
    key = request.headers.get("Idempotency-Key", "")
    if not key or request.method != "POST":
        return Caller(token, meter)
    if len(key) > MAX_KEY or not key.isprintable():
        raise Problem("bad_request", f"Idempotency-Key: must be 1 to {MAX_KEY} printable characters")
    return Caller(token, meter, Retry.of(who, key, request.method, request.path, request.get_data()), key)


def _token() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip() or not token.isascii():
        raise Problem("bad_token", "Send `Authorization: Bearer rn_…`.", headers={"WWW-Authenticate": "Bearer"})
    return token.strip()


def reply(answer: Answer) -> Response:
    if answer.status == 204:
        return Response(status=204)
    return Response(orjson.dumps(answer.body), answer.status, answer.headers, mimetype=JSON)


def problems(*codes: str) -> Callable[[Any], Any]:
    """Documents what an operation may refuse with; some go for all."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, "too_many_requests", "internal", "unavailable"):
        by_status.setdefault(CODES[code][0], []).append(code)

    def document(view: Any) -> Any:
        for status, names in sorted(by_status.items()):
            what = "; ".join(f"`{name}`: {CODES[name][1]}" for name in names)
            view = Blueprint.alt_response(
                _ANY, status, schema="Problem", content_type="application/problem+json", description=what
            )(view)
        return view

    return document


_ANY = Blueprint("any", __name__)


def header(name: str, schema: Wire, what: str) -> Wire:
    return {"in": "header", "name": name, "schema": schema, "description": what}


def operation(id_: str, summary: str, secured: bool = True, **more: Any) -> Callable[[Any], Any]:
    """Documents an operation's name and purpose."""
    security: list[Wire] = [{"token": []}, {}] if secured else []

    def document(view: Any) -> Any:
        return Blueprint.doc(operationId=id_, summary=summary, security=security, **more)(view)

    return document
