"""Every error leaves as `application/problem+json` (RFC 9457), in one shape, from one place."""

import logging
from collections.abc import Iterator
from typing import Any

import orjson
from flask import Flask, Response, request
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException

from engine import BadPosition, BadRules, BadSeed, GameError, IllegalMove
from service.layouts import NewerLayout
from service.redis_client import is_full

Wire = dict[str, Any]
log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

# code → (status, title). The code is what clients branch on; titles never change for a code.
CODES = {
    "bad_request": (400, "The request can't be read"),
    "bad_json": (400, "The body is not JSON"),
    "no_token": (401, "A token is needed"),
    "bad_token": (401, "The token is not one of this game"),
    "no_api_key": (401, "An API key is needed to create games"),
    "forbidden": (403, "This token may not do that"),
    "not_found": (404, "There is nothing here"),
    "no_such_game": (404, "There is no such game"),
    "no_such_match": (404, "There is no such match"),
    "method_not_allowed": (405, "This method is not for here"),
    "not_acceptable": (406, "None of the accepted media types is offered"),
    "version_conflict": (409, "The game has moved on"),
    "not_your_turn": (409, "Somebody else must decide"),
    "not_started": (409, "The game has not started"),
    "already_started": (409, "The game has started already"),
    "game_over": (409, "The game is over"),
    "not_over": (409, "The game is not over"),
    "seat_taken": (409, "The seat is taken"),
    "seats_open": (409, "There are open seats"),
    "no_player": (409, "The seat has no player"),
    "bot_plays": (409, "A bot plays this seat"),
    "match_over": (409, "The match is over"),
    "played_otherwise": (409, "This release plays that game otherwise"),
    "precondition_failed": (412, "The game has another version"),
    "body_too_large": (413, "The body is too large"),
    "uri_too_long": (414, "The address is too long"),
    "unsupported_media_type": (415, "The body must be JSON"),
    "invalid": (422, "The request has invalid fields"),
    "illegal_move": (422, "The move is illegal"),
    "key_reused": (422, "The Idempotency-Key was used for another request"),
    "too_many_requests": (429, "Too many requests"),
    "too_many_streams": (429, "Too many open streams"),
    "headers_too_large": (431, "The headers are too large"),
    "internal": (500, "The service failed"),
    "unconfirmed": (503, "The change is made, but not yet safe"),
    "overloaded": (503, "The bots have too much to do"),
    "newer_game": (503, "A later release plays this game"),
    "store_full": (503, "The service's store is full"),
    "unavailable": (503, "The service can't reach its store"),
}
_CODE_OF_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid",
}


class Problem(Exception):
    """Something that the caller must hear of. `facts` become members of the answer beside the standard ones."""

    def __init__(
        self,
        code: str,
        detail: str,
        errors: list[Wire] | None = None,
        headers: dict[str, str] | None = None,
        **facts: Any,
    ):
        super().__init__(detail)
        self.code, self.detail = code, detail
        self.status, self.title = CODES[code]
        self.errors = errors or []
        self.headers = headers or {}
        self.facts = facts

    def to_dict(self, instance: str) -> Wire:
        return {
            "type": f"/docs/problems#{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": instance,
            "code": self.code,
            "errors": self.errors,
            **self.facts,
        }


def invalid(pointer: str, detail: str) -> Problem:
    """A field that can't be as it is; the pointer is a JSON Pointer into the body."""
    return Problem("invalid", f"{pointer or 'The body'}: {detail}", [{"pointer": pointer, "detail": detail}])


def bad_parameter(name: str, detail: str) -> Problem:
    """Likewise, of the query."""
    return Problem("invalid", f"{name}: {detail}", [{"parameter": name, "detail": detail}])


def of_engine(error: GameError, under: str = "") -> Problem:
    """The engine names the field at fault as a path; `under` says where in the body its object stood."""
    code = "illegal_move" if isinstance(error, IllegalMove) else "invalid"
    pointer = under + ("/" + error.field if error.field else "")
    return Problem(code, str(error), [{"pointer": pointer, "detail": error.reason}])


def of_messages(messages: Any, location: str = "json") -> Problem:
    """Marshmallow's nested messages, flat."""
    errors = [{"pointer": pointer, "detail": detail} for pointer, detail in _flat(messages)]
    if location != "json":
        errors = [{"parameter": error["pointer"].lstrip("/"), "detail": error["detail"]} for error in errors]
    first = errors[0] if errors else {"detail": "invalid"}
    name = first.get("pointer") or first.get("parameter") or "The body"
    return Problem("invalid", f"{name}: {first['detail']}", errors)


def _flat(messages: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _flat(inner, pointer + step)
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flat(inner, pointer)
    else:
        yield pointer, str(messages)


def answer(problem: Problem) -> Response:
    return Response(orjson.dumps(problem.to_dict(request.path)), problem.status, problem.headers, MEDIA_TYPE)


def register(app: Flask) -> None:
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(RedisError, _of_redis)
    app.register_error_handler(NewerLayout, _of_newer)
    app.register_error_handler(Exception, _of_bug)


def _of_http(error: HTTPException) -> Response:
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
    return answer(Problem(code, str(error.description), headers=headers))


def _of_redis(error: RedisError) -> Response:
    log.error("the store failed: %s", error)
    if is_full(error):
        detail = "Games can be read, but not changed. The operator must make room."
        return answer(Problem("store_full", detail, headers={"Retry-After": "30"}))
    return answer(Problem("unavailable", "Try again in a moment.", headers={"Retry-After": "1"}))


def _of_newer(error: NewerLayout) -> Response:
    """While releases change one request may meet the old one, the next one the new."""
    return answer(Problem("newer_game", f"The game {error}.", headers={"Retry-After": "5"}))


def _of_bug(error: Exception) -> Response:
    id_ = request.environ["request_id"]
    log.exception("unhandled", extra={"request": id_, "path": request.path})
    return answer(Problem("internal", f"This is our fault, and it has been written down as {id_}."))


__all__ = ["CODES", "MEDIA_TYPE", "BadPosition", "BadRules", "BadSeed", "Problem", "invalid", "of_engine", "register"]
