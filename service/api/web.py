"""Share among views: the caller, the answer, reading a body, documenting problems."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import orjson
from flask import Request, current_app, request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE, Schema
from webargs.flaskparser import FlaskParser

from service.api.application import Response
from service.api.fields import UNKNOWN
from service.api.problems import NotBearer, of_messages
from service.callers.caller import Caller
from service.callers.door import Attendance, Guest, guest_of
from service.callers.limits import Meter, Work
from service.callers.origin import origin_of
from service.callers.tokens import digest
from service.config import NO_LIMIT, Config
from service.games.access import Answer
from service.refusals import Problem, bad_header, invalid
from service.store.answers import Retry
from service.store.store import Store
from service.wire import Wire
from service.words import choose

Loaded = Wire  # what a schema of `schemas.py` has validated: its fields, by name

JSON = "application/json"
CODES_OF, HEADERS_OF = "x-codes", "x-headers"  # where a view's documentation names its own
READS_ONLY = "x-reads-only"  # in the documentation of a POST whose body only says what is to be read
MAX_DEPTH = 12
_EXACT = 2**53  # from there on, a float is not the whole number that was written
MAX_KEY = 200  # characters of an Idempotency-Key
WEAK_KEY = 20  # characters, below which a key may be guessed


def store() -> Store:
    return current_app.extensions["store"]


def guest() -> Guest:
    return guest_of(request.environ)


def hub() -> Attendance:
    return Attendance(current_app.extensions["hub"], guest())


def config() -> Config:
    return current_app.extensions["config"]


class Parser(FlaskParser):
    """Reads bodies with orjson; refuses what is not JSON, too deep, or unknown."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": RAISE, "query": RAISE}  # noqa: RUF012 - so it is in webargs

    def load_json(self, req: Any, schema: Any) -> Any:
        return read_json()

    def parse(self, argmap: Any, req: Any = None, *, location: str | None = None, **options: Any) -> Any:
        """Parse the request. Most polls come without a query, and get its defaults at no cost."""
        if location == "query" and not request.query_string:
            return dict(_defaults(argmap))
        return super().parse(_schema(argmap), req, location=location, **options)


@cache
def _schema(of: type[Schema]) -> Schema:
    """Return the schema of that class: to make one takes longer than to load with it."""
    return of()


@cache
def _defaults(schema: type[Schema]) -> Wire:
    return _schema(schema).load({})


def _documenting(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keep the documentation that a decorator adds to a view, not the wrapper that it puts around it."""

    def document(view: Any) -> Any:
        view._apidoc = decorate(view)._apidoc
        return view

    return document


class Blueprint(SmorestBlueprint):
    """A blueprint whose views answer with Responses: flask-smorest documents them, and serialises nothing.

    A view without a schema for its query takes no parameters in it.
    """

    ARGUMENTS_PARSER = Parser()

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.before_request(self._refuse_query)

    def arguments(self, schema: Any, *, location: str = "json", **more: Any) -> Any:
        decorate = super().arguments(schema, location=location, **more)

        def take(view: Any) -> Any:
            taking = decorate(view)
            taking.takes_query = location == "query" or getattr(view, "takes_query", False)
            return taking

        return take

    @staticmethod
    def _refuse_query() -> None:
        """Refuse a query where none is taken; where one is, its schema tells what it may hold."""
        if request.query_string:
            view = current_app.view_functions[request.endpoint or ""]
            if not getattr(view, "takes_query", False):
                raise of_messages({name: [UNKNOWN] for name in request.args}, "query")

    def response(self, *args: Any, **more: Any) -> Any:
        return _documenting(super().response(*args, **more))

    def alt_response(self, *args: Any, **more: Any) -> Any:
        return _documenting(super().alt_response(*args, **more))

    @staticmethod
    def doc(**more: Any) -> Any:
        return _documenting(SmorestBlueprint.doc(**more))


def read_json() -> Any:
    """Return the body; an empty one is an empty object."""
    data = request.get_data()
    if not data:
        return {}
    if request.mimetype != JSON:
        detail = f"Send {JSON}, not {request.mimetype or 'an unnamed type'}."
        raise bad_header("unsupported_media_type", "Content-Type", "value", detail)
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Problem("bad_json", str(error)) from error
    if not isinstance(body, dict):
        raise invalid("", "type", "must be an object")
    return _with_whole_numbers(body)


def _with_whole_numbers(value: Any, depth: int = 0) -> Any:
    """Return a value of JSON with 5 for 5.0, as clients write it whose numbers are all floats."""
    if depth > MAX_DEPTH:
        raise invalid("", "format", f"is nested more than {MAX_DEPTH} deep")
    if isinstance(value, dict):
        return {name: _with_whole_numbers(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(inner, depth + 1) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


def caller(kind: str, work: int | None = None, *, makes_another: bool = False) -> Caller:
    """Return who asks. `kind` names the limit that counts the request, `work` is what it costs in milliseconds of a
    processor: 0 where workers will tell, None where it costs nothing worth counting. `makes_another` tells that the
    game in the path stays as it is."""
    asked, settings = _asked(), config()
    environ, token = asked.environ, _token(asked.environ)
    limits, keys = settings.limits, settings.api_keys
    address = origin = origin_of(asked.remote_addr, None, keys)
    if keys:
        origin = origin_of(asked.remote_addr, environ.get("HTTP_X_API_KEY"), keys)
    is_in_game = "game_id" in (asked.view_args or {})
    # A token proves nothing where there is no game to know it; and forks count as games do, whoever makes them.
    shown = digest(token) if token else ""
    counted = shown if is_in_game and kind != "create" else ""
    budget = Work(origin, limits.get("work", NO_LIMIT), work)
    meter = Meter(kind, limits.get(kind, NO_LIMIT), address, counted, budget)
    environ["meter"] = meter
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None or asked.method != "POST":
        return Caller(token, meter, origin=origin, digest=shown)
    if not 0 < len(key) <= MAX_KEY or not (key.isascii() and key.isprintable()):
        detail = f"Idempotency-Key: must be 1 to {MAX_KEY} printable ASCII characters"
        raise bad_header("bad_request", "Idempotency-Key", "format", detail)
    if len(key) < WEAK_KEY and not (token and is_in_game):
        why = "where no token says whose it is: whoever guesses it is told the answer"
        detail = f"Idempotency-Key: must have at least {WEAK_KEY} characters {why}."
        raise bad_header("weak_key", "Idempotency-Key", "length", detail)
    scope = token or f"{origin} {request.path}"  # an address may be that of many
    about = "" if makes_another else _in_path()
    retry = Retry.of(scope, key, request.method, request.path, request.get_data(), about=about)
    return Caller(token, meter, retry, key, origin=origin, digest=shown)


def _in_path() -> str:
    """Return the id of the game or match in the path; "" where there is none."""
    named = request.view_args or {}
    return named.get("game_id") or named.get("match_id") or ""


def _asked() -> Request:
    """Return the request itself: each look through its proxy costs as much as what is looked at."""
    return request._get_current_object()  # type: ignore[attr-defined]


def _token(environ: Wire) -> str | None:
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip() or not token.isascii():
        raise NotBearer
    return token.strip()


def language(query: Loaded) -> str | None:
    """Return the language that the query asks for; None where it asks for none."""
    return choose(query["lang"], None) if "lang" in query else None


def accepted(*offered: str) -> str:
    """Return the media type to answer with; the first one, if nothing is asked for."""
    wanted = request.accept_mimetypes
    form = wanted.best_match(offered) if wanted else offered[0]
    if form is None:
        raise bad_header("not_acceptable", "Accept", "value", f"Accept {', '.join(offered[:-1])} or {offered[-1]}.")
    return form


def need_json(elsewhere: Mapping[str, str]) -> None:
    """Refuse whoever accepts no JSON; whoever wants a form that has an address of its own is told that address."""
    form = accepted(JSON, *elsewhere)
    if form != JSON:
        raise Problem("not_acceptable", f"{form} is what GET {elsewhere[form]} answers.")


def last_event_id() -> int | None:
    """Return the last event that the client of a resumed stream has."""
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isdecimal() and len(given) < 12 else None


def reply(answer: Answer) -> Response:
    if answer.status == 204:
        return Response(status=204)
    return Response(orjson.dumps(answer.body), answer.status, answer.headers, mimetype=JSON)


def problems(*codes: str) -> Callable[[Any], Any]:
    """Document what an operation may refuse with, beside what the contract adds for all of its kind."""
    return Blueprint.doc(**{CODES_OF: list(codes)})


def header(name: str, what: str, **schema: str) -> Wire:
    """Document a request header, without an example: the page to try the contract on would send it."""
    return {"in": "header", "name": name, "schema": {"type": "string", **schema}, "description": what}


def operation(id_: str, summary: str, *headers: Wire, **more: Any) -> Callable[[Any], Any]:
    """Document an operation's name, purpose and request headers; the view's docstring is its description."""

    def document(view: Any) -> Any:
        what = " ".join((view.__doc__ or "").split())
        documented = {"operationId": id_, "summary": summary, "description": what, HEADERS_OF: list(headers)}
        return Blueprint.doc(**documented, **more)(view)

    return document
