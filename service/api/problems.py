"""Every error leaves as `application/problem+json` (RFC 9457), in one shape, from one place."""

import logging
from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
from flask import Flask, Response, current_app, request
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from service.api.former import present_address
from service.refusals import TITLES, Fault, Problem, Reason
from service.store import redis_faults
from service.store.layouts import NewerLayout
from service.store.redis_faults import fault_of
from service.wire import Wire

log = logging.getLogger(__name__)

MOST_ERRORS = 20  # in one answer: whoever mends these will see the others
_LONGEST_POINTER = 200
MEDIA_TYPE = "application/problem+json"

_CODES_OF_STATUS: dict[int, tuple[str, ...]] = {
    400: ("bad_request", "bad_json"),
    401: ("no_token", "bad_token", "token_revoked", "no_api_key"),
    403: ("forbidden", "bad_invitation", "bots_closed"),
    404: ("not_found", "no_such_game", "no_such_match", "no_such_bot"),
    405: ("method_not_allowed",),
    406: ("not_acceptable",),
    408: ("too_slow",),
    409: (
        "version_conflict", "not_your_turn", "not_started", "already_started", "game_over", "not_over", "seat_taken",
        "seats_open", "no_player", "bot_plays", "match_over", "played_otherwise", "invitation_used",
        "invitation_revoked", "too_many_invitations", "name_taken", "advice_off",
    ),
    412: ("precondition_failed",),
    413: ("body_too_large",),
    414: ("uri_too_long",),
    415: ("unsupported_media_type",),
    422: ("invalid", "illegal_move", "key_reused", "weak_key"),
    429: (
        "too_many_requests", "too_many_streams", "too_many_games", "too_much_work", "too_many_waits",
        "too_many_connections",
    ),
    431: ("headers_too_large",),
    500: ("internal",),
    503: (
        "unconfirmed", "overloaded", "newer_game", "store_full", "store_read_only", "crowded", "unavailable",
    ),
}  # fmt: skip
STATUS_OF = {code: status for status, codes in _CODES_OF_STATUS.items() for code in codes}
# code → (status, title), in the order in which they are documented.
CODES = {code: (STATUS_OF[code], title) for code, title in TITLES.items()}
# What Flask, Werkzeug and webargs refuse by a status alone.
_CODE_OF_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid",
}
# What each 401 asks for, as RFC 9110 wants every one of them to.
_CHALLENGES = {
    "no_token": "Bearer",
    "bad_token": 'Bearer error="invalid_token"',
    "token_revoked": 'Bearer error="invalid_token"',
    "no_api_key": 'ApiKey header="X-API-Key"',
}


class NotBearer(Problem):
    """An Authorization header that holds no bearer token: nothing is known of a token that could be invalid."""

    def __init__(self) -> None:
        super().__init__("bad_token", "Send `Authorization: Bearer rn_…`.")


def body_of(problem: Problem, instance: str) -> Wire:
    """Return the members of RFC 9457, and ours; `instance` is the path that was asked for."""
    return {
        "type": f"/docs/problems#{problem.code}",
        "title": problem.title,
        "status": STATUS_OF[problem.code],
        "detail": problem.detail,
        "instance": instance,
        "code": problem.code,
        "errors": problem.errors,
        **problem.facts,
        **({"violated-policies": [problem.policy]} if problem.policy else {}),
    }


def headers_of(problem: Problem) -> dict[str, str]:
    """Return what HTTP tells about a refusal beside its body."""
    headers = {}
    if problem.retry_seconds is not None:
        headers["Retry-After"] = str(problem.retry_seconds)
    if problem.code in _CHALLENGES:
        headers["WWW-Authenticate"] = "Bearer" if isinstance(problem, NotBearer) else _CHALLENGES[problem.code]
    if problem.tag:
        headers["ETag"] = problem.tag
    return headers


def answer(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    body = orjson.dumps(body_of(problem, request.path))
    return Response(body, STATUS_OF[problem.code], headers_of(problem) | (headers or {}), MEDIA_TYPE)


def of_messages(messages: Any, location: str = "json") -> Problem:
    """Return the refusal that marshmallow's nested messages mean, with a fault for each message."""
    found = islice(_flat(messages), MOST_ERRORS)
    errors: list[Fault] = (
        [{"pointer": pointer, "code": code, "detail": detail} for pointer, (code, detail) in found]
        if location == "json"
        else [{"parameter": name.lstrip("/"), "code": code, "detail": detail} for name, (code, detail) in found]
    )
    name = errors[0].get("pointer") or errors[0].get("parameter") or "The body"
    return Problem("invalid", f"{name}: {errors[0]['detail']}", errors)


def _flat(messages: Any, pointer: str = "") -> Iterator[tuple[str, Reason]]:
    """Yield a JSON Pointer and a reason for each."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _flat(inner, _short(pointer + step))
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flat(inner, pointer)
    else:
        yield pointer, messages if isinstance(messages, Reason) else Reason("format", str(messages))


def _short(pointer: str) -> str:
    """Cut a pointer off: the names in it are the caller's, and may be of any length."""
    return pointer if len(pointer) <= _LONGEST_POINTER else f"{pointer[:_LONGEST_POINTER]}…"


def register(app: Flask) -> None:
    """Answer with a problem whatever a view or its libraries raise."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(RedisError, _of_redis)
    app.register_error_handler(NewerLayout, _of_newer)
    app.register_error_handler(Exception, _of_bug)


def of_http(error: HTTPException) -> Response:
    """Answer what Flask or Werkzeug refuse, and what webargs finds wrong with the body or the query."""
    status = error.code or 500
    if 300 <= status < 400:
        response = error.get_response()
        assert isinstance(response, Response)
        return response
    code = _CODE_OF_STATUS.get(status, "bad_request" if status < 500 else "internal")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    messages = (getattr(error, "data", None) or {}).get("messages")
    if status == 422 and isinstance(messages, dict):
        ((location, inner),) = messages.items()
        return answer(of_messages(inner, location))
    return answer(Problem(code, present_address(request.method, request.path) or _detail(error)), headers)


def _detail(error: HTTPException) -> str:
    """Return in our words what Flask and Werkzeug refuse most often; the rest in theirs."""
    match error:
        case NotFound():
            return "No operation and no page has this address. `/docs` lists those that there are."
        case MethodNotAllowed(valid_methods=methods):
            return f"This address takes {', '.join(sorted(methods or ()))}, and no other method."
        case RequestEntityTooLarge():
            return f"At most {current_app.config['MAX_CONTENT_LENGTH']} bytes."
        case _:
            return str(error.description)


# What a fault of the store means for a client: code, detail, seconds until it is worth another try.
_OF_FAULTS: dict[redis_faults.Fault | None, tuple[str, str, int]] = {
    redis_faults.Fault.FULL: ("store_full", "Games can be read, but not changed. The operator must make room.", 30),
    redis_faults.Fault.READ_ONLY: ("store_read_only", "Games can be read, but not changed for now.", 5),
    redis_faults.Fault.LOADING: ("unavailable", "The store has just started and reads its data.", 2),
    redis_faults.Fault.DENIED: (
        "unavailable", "The store does not let the service in. The operator must correct that.", 30,
    ),
}  # fmt: skip
_OF_ANY_FAULT = ("unavailable", "Try again in a moment.", 1)


def _of_redis(error: RedisError) -> Response:
    fault = fault_of(error)
    log.error("the store failed%s: %s", f" ({fault.name})" if fault else "", error)
    code, detail, seconds = _OF_FAULTS.get(fault, _OF_ANY_FAULT)
    return answer(Problem(code, detail, retry_seconds=seconds))


def _of_newer(error: NewerLayout) -> Response:
    """Ask the client to try again: while releases change, one request may meet the old one and the next the new."""
    return answer(Problem("newer_game", f"The game {error}.", retry_seconds=5))


def _of_bug(error: Exception) -> Response:
    """Answer with the id under which the log has the details, and with none of them."""
    id_ = request.environ["request_id"]
    log.exception("unhandled", extra={"request": id_, "path": request.path})
    return answer(Problem("internal", f"This is our fault, and it has been written down as {id_}."))
