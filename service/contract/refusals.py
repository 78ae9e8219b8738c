"""Describe what operations refuse with.

An operation lists the statuses for which it has codes of its own. What any operation may be refused with is one answer
that all share, `default`; the codes that an operation may come to stand beside it, as `x-problem-codes`.
"""

from collections.abc import Iterable

from service.api.problems import CODES, MEDIA_TYPE, STATUS_OF
from service.api.web import CODES_OF
from service.contract import headers
from service.wire import Wire

CODES_TOLD = "x-problem-codes"
_ALWAYS = (
    "bad_token", "too_slow", "uri_too_long", "too_many_requests", "too_many_connections", "headers_too_large",
    "internal", "unavailable",
)  # fmt: skip
_OF_POSTS = ("bad_request", "key_reused", "weak_key")
_OF_BODIES = ("bad_json", "body_too_large", "unsupported_media_type")
_OF_GAMES = ("token_revoked", "no_such_game", "newer_game")
_OF_MATCHES = ("no_such_match",)
_OF_BOTS = ("no_such_bot",)
_OF_WRITES = ("unconfirmed", "store_full", "store_read_only")
_ANY = "Problem"


def describe(operation: Wire, path: str, method: str) -> Wire:
    """Return the refusals of an operation by status, and note on it all codes that it may refuse with."""
    own = set(operation.pop(CODES_OF, ())) | ({"invalid"} if "requestBody" in operation else set())
    codes = own.union(_ALWAYS, *_of_kind(operation, path, method))
    operation[CODES_TOLD] = [code for code in CODES if code in codes]
    listed = {STATUS_OF[code] for code in own}
    told = {
        str(status): _answer(status, [code for code in operation[CODES_TOLD] if STATUS_OF[code] == status])
        for status in sorted(listed)
    }
    return told | {"default": {"$ref": f"#/components/responses/{_ANY}"}}


def _of_kind(operation: Wire, path: str, method: str) -> Iterable[tuple[str, ...]]:
    if method != "get":
        yield _OF_WRITES
    if method == "post":
        yield _OF_POSTS
    if "requestBody" in operation:
        yield _OF_BODIES
    if "{game_id}" in path:
        yield _OF_GAMES
    if "{match_id}" in path:
        yield _OF_MATCHES
    if "{bot_name}" in path:
        yield _OF_BOTS


def components() -> dict[str, Wire]:
    """Return the answer that all operations share."""
    any_of_them = {*_ALWAYS, *_OF_POSTS, *_OF_BODIES, *_OF_GAMES, *_OF_MATCHES, *_OF_BOTS, *_OF_WRITES}
    codes = [code for code in CODES if code in any_of_them]
    what = "Any other problem: `code` tells which, of those that the operation names in `x-problem-codes`."
    return {_ANY: {"description": what, "headers": headers.of_any_problem(), "content": _content(codes)}}


def _answer(status: int, codes: list[str]) -> Wire:
    what = "; ".join(f"`{code}`: {CODES[code][1]}" for code in codes)
    return {"description": what, "headers": headers.of_refusal(status), "content": _content(codes)}


def _content(codes: list[str]) -> Wire:
    shown = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": shown}}
