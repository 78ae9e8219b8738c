"""Describe the headers of answers, and tell which answer sends which."""

from collections.abc import Iterable

from service.contract import example_table
from service.wire import Wire


def _header(what: str, example: str, always: bool = False) -> Wire:
    return {"description": what, "required": always, "schema": {"type": "string"}, "example": example}


def _seconds(what: str, always: bool) -> Wire:
    return {"description": what, "required": always, "schema": {"type": "integer", "minimum": 0}, "example": 5}


_ETAG = "Version, epoch and view together, for `If-None-Match` and `If-Match`."
_TAG = 'W/"7-5a0c9e2f-p1"'
COMPONENTS: dict[str, Wire] = {
    "ETag": _header(_ETAG, _TAG, True),
    "Location": _header("Where it is.", f"/v1/games/{example_table.ID}", True),
    "Idempotency-Replayed": _header("`true`: this is the answer to an earlier request with that key.", "true"),
    "Read-Only": _header(
        "The store takes no changes: they would be refused with this code. What is told may be old.", "store_read_only"
    ),
    "Preference-Applied": _header("The preference that was followed.", "return=minimal"),
    "RateLimit": _header("How many requests are left, and in how many seconds there are more.", '"move";r=1188;t=42'),
    "RateLimit-Policy": _header("How many requests there may be in so many seconds.", '"move";q=1200;w=60'),
    "Retry-After": _seconds("Seconds to wait.", True),
    "Retry-After-If-Unfinished": _seconds("Seconds to wait for more; left out when nothing is missing.", False),
    "Retry-After-If-Busy": _seconds("Seconds to wait, with 429 and 503.", False),
    "WWW-Authenticate": _header("What is asked for.", 'Bearer error="invalid_token"', True),
    "WWW-Authenticate-If-Asked": _header("What is asked for, with 401.", 'Bearer error="invalid_token"'),
    "X-Request-ID": _header("Yours, or one of ours; the log has it, too.", "5f0c1e7a9b3d4c82", True),
    "X-Request-ID-If-Read": _header(
        "Yours, or one of ours; left out where the request was not read to its end.", "5f0c1e7a9b3d4c82"
    ),
}
_ALWAYS = ("RateLimit", "RateLimit-Policy", "Read-Only")
_UNREAD = "X-Request-ID-If-Read"
_OF_STATUS = {
    "201": ("Location",),
    "202": ("Location",),
    "304": ("ETag",),
    "401": ("WWW-Authenticate",),
    "412": ("ETag",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}
_VERSIONED = {
    "Game", "CreatedGame", "JoinedGame", "RematchedGame", "LegalMoveList", "PlayedMoves", "PreviewList", "Reach",
    "Replay", "SignalList", "Match", "CreatedMatch", "MatchGames", "MatchGame", "MatchLine",
}  # fmt: skip
_FILES = ("image/", "text/csv")
_AWAITED = {"Advice", "Odds", "OpenedGame"}
_TELLING = _VERSIONED | _AWAITED


def of_answer(answer: Wire, status: str, method: str) -> Wire:
    """Return the headers of an answer that is no refusal."""
    content = answer.get("content", {})
    schemas = str([media.get("schema") for media in content.values()])
    shapes = {shape for shape in _TELLING if f"/{shape}'" in schemas}
    found = [*_OF_STATUS.get(status, ()), *_ALWAYS, "X-Request-ID"]
    if "ETag" not in found and (shapes & _VERSIONED or any(kind.startswith(_FILES) for kind in content)):
        found.insert(0, "ETag")
    if method == "post":
        found.append("Idempotency-Replayed")
    if "PlayedMoves" in shapes:
        found.append("Preference-Applied")
    if shapes & _AWAITED:
        found += {"200": ["Retry-After-If-Unfinished"], "202": ["Retry-After"]}.get(status, [])
    return _named(found)


def of_refusal(status: int) -> Wire:
    """Return the headers of the refusals with that status."""
    return _named((*_OF_STATUS.get(str(status), ()), *_ALWAYS, _UNREAD))


def of_any_problem() -> Wire:
    """Return the headers of refusals, whatever their status."""
    return _named(("Retry-After-If-Busy", "WWW-Authenticate-If-Asked", *_ALWAYS, _UNREAD))


def _named(names: Iterable[str]) -> Wire:
    """Return references by the name that is sent, which is that of the component up to its condition."""
    return {name.partition("-If-")[0]: {"$ref": f"#/components/headers/{name}"} for name in names}
