"""Add to the contract what many operations share, by rule: problems, headers, parameters, links."""

from collections.abc import Iterator
from typing import Any

from engine.enums import SEATS
from engine.rules import MIN_GNOMES
from service.api.problems import CODES, MEDIA_TYPE
from service.api.schemas import MAX_NUMBER
from service.api.web import CODES_OF, HEADERS_OF, JSON, MAX_KEY
from service.contract import deprecations, example_matches, example_problems, examples
from service.matches.plan import LINE_UPS
from service.store.store import ID_PATTERN

Wire = dict[str, Any]

_ALWAYS = (
    "bad_token", "too_slow", "uri_too_long", "too_many_requests", "too_many_connections", "headers_too_large",
    "internal", "unavailable",
)  # fmt: skip
_OF_POSTS = ("bad_request", "key_reused", "weak_key")
_READING_POSTS = ("streamGames",)  # whose bodies only say what is to be read
_OF_BODIES = ("bad_json", "body_too_large", "unsupported_media_type", "invalid")
_OF_GAMES = ("token_revoked", "no_such_game", "newer_game")
_OF_MATCHES = ("no_such_match",)
_OF_WRITES = ("unconfirmed", "store_full", "store_read_only")

_PATH_PARAMETERS: dict[str, Wire] = {
    "game_id": {
        "schema": {"type": "string", "pattern": f"^{ID_PATTERN}$"},
        "description": "The game's id, as its creation answered.",
        "example": examples.ID,
    },
    "match_id": {
        "schema": {"type": "string", "pattern": f"^{ID_PATTERN}$"},
        "description": "The match's id, as its creation answered.",
        "example": example_matches.ID,
    },
    "gnomes": {
        "schema": {"type": "integer", "minimum": MIN_GNOMES, "maximum": SEATS},
        "description": "How many there are in the game: the series that it belongs to.",
        "example": 3,
    },
    "line_up": {
        "schema": {"type": "string", "enum": list(LINE_UPS)},
        "description": "Which crew plays it.",
        "example": "crew",
    },
    "number": {
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER},
        "description": "Of the game in its series, from 0.",
        "example": 4,
    },
    "advice_id": {
        "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        "description": "As the answer to the question told.",
        "example": examples.ADVICE_ID,
    },
    "player_id": {
        "schema": {"type": "string", "pattern": "^p[1-9][0-9]*$"},
        "description": "The player's id in the game.",
        "example": "p1",
    },
    "seat": {
        "schema": {"type": "integer", "minimum": 0, "maximum": SEATS - 1},
        "description": "A gnome's number, from 0.",
        "example": 1,
    },
}
PARAMETERS: dict[str, Wire] = {
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]([ -~]*[!-~])?$"},
        "description": (
            "Yours to choose, another for each thing that you want done. Send the request again with the same key "
            "until you have an answer: it is done once, and answered the same each time. Without a token of the game "
            "it must have 20 characters or more, best at random: whoever knows it is told the answer, too."
        ),
    },
}


def _header(what: str, example: str, always: bool = False) -> Wire:
    return {"description": what, "required": always, "schema": {"type": "string"}, "example": example}


HEADERS: dict[str, Wire] = {
    "ETag": _header("Version, epoch and view together, for `If-None-Match` and `If-Match`.", '"7-5a0c9e2f-p1"', True),
    "Location": _header("Where it is.", f"/v1/games/{examples.ID}", True),
    "Idempotency-Replayed": _header("`true`: this is the answer to an earlier request with that key.", "true"),
    "Read-Only": _header(
        "The store takes no changes: they would be refused with this code. What is told may be old.", "store_read_only"
    ),
    "Preference-Applied": _header("The preference that was followed.", "return=minimal"),
    "RateLimit": _header("How many requests are left, and in how many seconds there are more.", '"move";r=1188;t=42'),
    "RateLimit-Policy": _header("How many requests there may be in so many seconds.", '"move";q=1200;w=60'),
    "Retry-After": {
        "description": "Seconds to wait.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
        "example": 5,
    },
    "WWW-Authenticate": _header("What is asked for.", 'Bearer error="invalid_token"'),
}
_METERED = ("RateLimit", "RateLimit-Policy")
_VERSIONED = {
    "Game", "CreatedGame", "JoinedGame", "LegalMoves", "PlayedMoves", "Previews", "Replay",
    "Match", "CreatedMatch", "MatchGames",
}  # fmt: skip
_VERSIONED_FILES = {"streamMatch", "getMatchGamesNdjson", "getMatchGamesCsv"}
_OF_STATUS = {
    "201": ("Location",),
    "202": ("Location",),
    "304": ("ETag",),
    "401": ("WWW-Authenticate",),
    "412": ("ETag",),
    "429": (*_METERED, "Retry-After"),
    "503": ("Retry-After",),
}

_CREATED = {"game_id": "$response.body#/id"}
_SAME_GAME = {"game_id": "$request.path.game_id"}
_AFTER_CREATION = ("getGame", "joinGame", "startGame", "deleteGame", "listEvents", "forkGame")
_AFTER_MATCH_CREATION = ("getMatch", "updateMatch", "listMatchGames", "deleteMatch")
_LINKS: dict[str, dict[str, Wire]] = {
    "createGame": {name: {"parameters": _CREATED} for name in _AFTER_CREATION},
    "forkGame": {name: {"parameters": _CREATED} for name in _AFTER_CREATION},
    "joinGame": {
        "getGame": {"parameters": _SAME_GAME},
        "listLegalMoves": {"parameters": _SAME_GAME},
        "leaveGame": {"parameters": _SAME_GAME | {"player_id": "$response.body#/player"}},
        "setSeatController": {"parameters": _SAME_GAME | {"seat": "$response.body#/seats/0"}},
    },
    "startGame": {name: {"parameters": _SAME_GAME} for name in ("getGame", "listLegalMoves", "listEvents")},
    "listLegalMoves": {name: {"parameters": _SAME_GAME} for name in ("playMoves", "previewMoves")},
    "previewMoves": {"playMoves": {"parameters": _SAME_GAME}},
    "playMoves": {name: {"parameters": _SAME_GAME} for name in ("listLegalMoves", "getReplay", "forkGame")},
    "createMatch": {name: {"parameters": {"match_id": "$response.body#/match/id"}} for name in _AFTER_MATCH_CREATION},
    "openMatchGame": {"getGame": {"parameters": {"game_id": "$response.body#/game_id"}}},
    "listMatches": {"listMatches": {"parameters": {"cursor": "$response.body#/next"}}},
    "listGames": {"listGames": {"parameters": {"cursor": "$response.body#/next"}}},
}

_OF_FLASK_SMOREST = ("Error", "PaginationMetadata")
_ORDER = (
    "tags",
    "summary",
    "description",
    "operationId",
    "deprecated",
    "security",
    "parameters",
    "requestBody",
    "responses",
)


def finish(document: Wire) -> Wire:
    """Return the whole document, made of what the views and schemas say about themselves."""
    components = document["components"]
    for unused in _OF_FLASK_SMOREST:
        components["schemas"].pop(unused, None)
    components["parameters"] = PARAMETERS
    components["headers"] = HEADERS
    components["responses"] = {code: _refusal([code]) for code in CODES}
    components["examples"] = example_problems.problems()
    for path, item in document["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter |= _PATH_PARAMETERS.get(parameter["name"], {})
        for method, operation in operations(item):
            _finish(operation, path, method)
            if operation.get("deprecated"):
                deprecations.declare(operation, components)
            item[method] = {name: operation[name] for name in _ORDER if name in operation}
    order = ("openapi", "info", "servers", "tags", "paths", "components")
    return {name: document[name] for name in order}


def operations(item: Wire) -> Iterator[tuple[str, Wire]]:
    """Yield the methods and operations of a path."""
    for method in ("get", "post", "put", "patch", "delete"):
        if method in item:
            yield method, item[method]


def _finish(operation: Wire, path: str, method: str) -> None:
    codes = _codes(operation, path, method)
    operation["security"] = _security(path, codes)
    parameters = [*operation.get("parameters", ()), *operation.pop(HEADERS_OF, ())]
    if method == "post" and operation["operationId"] not in _READING_POSTS:
        parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    if parameters:
        operation["parameters"] = parameters
    if "requestBody" in operation:
        shown = examples.requests().get(operation["operationId"], {})
        operation["requestBody"]["content"][JSON]["examples"] = shown
    answers = operation.pop("responses")
    for status, answer in answers.items():
        _finish_answer(answer, operation["operationId"], status, method)
    operation["responses"] = dict(sorted((answers | _refusals(codes)).items()))


def _codes(operation: Wire, path: str, method: str) -> list[str]:
    """Return the codes that an operation may refuse with, in the order of all codes."""
    own = set(operation.pop(CODES_OF, ())).union(_ALWAYS)
    changes = method != "get" and operation["operationId"] not in _READING_POSTS
    if changes:
        own.update(_OF_WRITES)
    if changes and method == "post":
        own.update(_OF_POSTS)
    if "requestBody" in operation:
        own.update(_OF_BODIES)
    if "{game_id}" in path:
        own.update(_OF_GAMES)
    if "{match_id}" in path:
        own.update(_OF_MATCHES)
    return [code for code in CODES if code in own]


def _security(path: str, codes: list[str]) -> list[Wire]:
    """Return which credentials an operation takes: a token where one is needed, or where one shows more."""
    if "no_token" in codes:
        return [{"token": []}]
    ways: list[Wire] = [{"token": []}] if "{game_id}" in path else []
    if "no_api_key" in codes:
        ways += [{"api_key": []}, *({**way, "api_key": []} for way in ways)]
    return [*ways, {}] if ways else []


def _refusals(codes: list[str]) -> Wire:
    """Return the refusals by status; a status with only one code has the answer that all operations share."""
    by_status: dict[str, list[str]] = {}
    for code in codes:
        by_status.setdefault(str(CODES[code][0]), []).append(code)
    return {
        status: _refusal(names) if len(names) > 1 else {"$ref": f"#/components/responses/{names[0]}"}
        for status, names in by_status.items()
    }


def _refusal(codes: list[str]) -> Wire:
    """Return the answer with the problems of one status."""
    shown = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {
        "description": "; ".join(f"`{code}`: {CODES[code][1]}" for code in codes),
        **_with_headers(_OF_STATUS.get(str(CODES[codes[0]][0]), ())),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": shown}},
    }


def _finish_answer(answer: Wire, operation_id: str, status: str, method: str) -> None:
    reads = method == "get" or operation_id in _READING_POSTS
    headers = [*_OF_STATUS.get(status, ()), *_METERED, *(("Read-Only",) if reads else ())]
    content = answer.get("content", {})
    shapes = str(content.get(JSON, {}).get("schema"))
    is_versioned = (
        any(f"/{shape}'" in shapes for shape in _VERSIONED)
        or any(map(_is_picture, content))
        or operation_id in _VERSIONED_FILES
    )
    if "ETag" not in headers and is_versioned:
        headers.insert(0, "ETag")
    if method == "post" and not reads:
        headers.append("Idempotency-Replayed")
    if "/PlayedMoves'" in shapes:
        headers.append("Preference-Applied")
    answer |= _with_headers(headers)
    if content:
        answer["content"] = answer.pop("content")
    for kind, media in content.items():
        media["examples"] = examples.answers().get(operation_id, {}).get(kind, {})
    links = _LINKS.get(operation_id)
    if links and status.startswith("2"):
        answer["links"] = {name: {"operationId": name, **link} for name, link in links.items()}


def _is_picture(kind: str) -> bool:
    return kind.startswith("image/")


def _with_headers(names: Any) -> Wire:
    return {"headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names}} if names else {}
