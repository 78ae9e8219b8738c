"""What every view shares: the caller, the answer, reading a body, documenting problems."""

from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
from flask import Response, current_app, request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE, Schema
from webargs.flaskparser import FlaskParser

from service.access import Answer, Caller
from service.config import Config, Limit
from service.contract import CODES_OF, HEADERS_OF, MAX_KEY
from service.errors import Problem
from service.feed import Hub
from service.limits import Meter
from service.store import Retry, Store
from service.tokens import digest

Wire = dict[str, Any]

JSON = "application/json"
MAX_DEPTH = 12
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

    def parse(self, argmap: Any, req: Any = None, *, location: str | None = None, **options: Any) -> Any:
        """Most polls come without a query: nothing to parse then, only what stands for nothing."""
        if location == "query" and not request.query_string:
            return dict(_defaults(argmap))
        return super().parse(argmap, req, location=location, **options)


@cache
def _defaults(schema: type[Schema]) -> Wire:
    return schema().load({})


def _documenting(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keeps what the decorator writes down about a view, not the wrapper that it puts around it."""

    def document(view: Any) -> Any:
        view._apidoc = decorate(view)._apidoc
        return view

    return document


class Blueprint(SmorestBlueprint):
    """Our views answer with Responses: nothing is left for flask-smorest to do with them but to document them."""

    ARGUMENTS_PARSER = Parser()

    def response(self, *args: Any, **more: Any) -> Any:
        return _documenting(super().response(*args, **more))

    def alt_response(self, *args: Any, **more: Any) -> Any:
        return _documenting(super().alt_response(*args, **more))

    @staticmethod
    def doc(**more: Any) -> Any:
        return _documenting(SmorestBlueprint.doc(**more))


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
    address = request.remote_addr or "nobody"
    who = token or address
    # Where a token proves nothing, or is easily had, making one up must not escape the limit.
    counted = who if kind != "create" and "game_id" in (request.view_args or {}) else address
    meter = Meter(kind, config().limits.get(kind, NO_LIMIT), digest(counted)[:24])
    request.environ["meter"] = meter
    key = request.headers.get("Idempotency-Key")
    if key is None or request.method != "POST":
        return Caller(token, meter)
    if not 0 < len(key) <= MAX_KEY or not (key.isascii() and key.isprintable()):
        raise Problem("bad_request", f"Idempotency-Key: must be 1 to {MAX_KEY} printable ASCII characters")
    scope = token or f"{address} {request.path}"  # an address may be that of many
    return Caller(token, meter, Retry.of(scope, key, request.method, request.path, request.get_data()), key)


def _token() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip() or not token.isascii():
        raise Problem("bad_token", "Send `Authorization: Bearer rn_…`.", headers={"WWW-Authenticate": "Bearer"})
    return token.strip()


def accepted(*offered: str) -> str:
    """The media type to answer with; the first one, if nothing is asked for."""
    wanted = request.accept_mimetypes
    form = wanted.best_match(offered) if wanted else offered[0]
    if form is None:
        raise Problem("not_acceptable", f"Accept {', '.join(offered[:-1])} or {offered[-1]}.")
    return form


def last_event_id() -> int | None:
    """Of a stream that is resumed."""
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isdecimal() and len(given) < 12 else None


def reply(answer: Answer) -> Response:
    if answer.status == 204:
        return Response(status=204)
    return Response(orjson.dumps(answer.body), answer.status, answer.headers, mimetype=JSON)


def problems(*codes: str) -> Callable[[Any], Any]:
    """Documents what an operation may refuse with, beside what goes for all of its kind (see `contract.py`)."""
    return Blueprint.doc(**{CODES_OF: list(codes)})


def header(name: str, what: str) -> Wire:
    """No example: the page to try the contract on would send it."""
    return {"in": "header", "name": name, "schema": {"type": "string"}, "description": what}


def operation(id_: str, summary: str, *headers: Wire, **more: Any) -> Callable[[Any], Any]:
    """Documents an operation's name, purpose and request headers; the view's docstring is its description."""

    def document(view: Any) -> Any:
        what = " ".join((view.__doc__ or "").split())
        told = {"operationId": id_, "summary": summary, "description": what, HEADERS_OF: list(headers)}
        return Blueprint.doc(**told, **more)(view)

    return document
