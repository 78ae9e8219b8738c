"""What the service refuses to do, and why. HTTP gives each refusal a status and a form: see `api/problems.py`."""

from typing import NamedTuple, Required, TypedDict, Unpack

from engine import GameError
from engine.shapes import Move

# What is wrong with a field, a parameter or a header: code → what it means. The engine's are among them.
FAULTS = {
    "required": "It is missing.",
    "unknown": "There is none of that name.",
    "type": "It is of another type.",
    "range": "The number is too small or too large.",
    "length": "The text or list is too short or too long.",
    "value": "It is none of the values that there are.",
    "format": "The text is not written as it must be.",
    "conflict": "It does not go with the rest of the request, or with what is there.",
    "illegal": "The move is one, and not legal now.",
}


class Reason(NamedTuple):
    """What is wrong with something: a code of `FAULTS`, and words for people."""

    code: str
    detail: str


class Fault(TypedDict, total=False):
    """What is wrong with one thing that was sent, which is a field of the body, a parameter or a header."""

    code: Required[str]
    detail: Required[str]
    pointer: str  # a JSON Pointer
    parameter: str
    header: str


# code → title. The code is what clients branch on; titles never change for a code.
TITLES = {
    "bad_request": "The request can't be read",
    "bad_json": "The body is not JSON",
    "no_token": "A token is needed",
    "bad_token": "The token is not one of this game",
    "token_revoked": "The token is revoked",
    "no_api_key": "An API key is needed to create games",
    "forbidden": "This token may not do that",
    "not_found": "There is nothing here",
    "no_such_game": "There is no such game",
    "no_such_match": "There is no such match",
    "no_such_bot": "There is no such bot",
    "bots_closed": "No bots can be registered",
    "name_taken": "The name is taken",
    "method_not_allowed": "This method is not for here",
    "not_acceptable": "None of the accepted media types is offered",
    "too_slow": "The request took too long to arrive",
    "version_conflict": "The game has moved on",
    "not_your_turn": "Somebody else must decide",
    "not_started": "The game has not started",
    "already_started": "The game has started already",
    "game_over": "The game is over",
    "not_over": "The game is not over",
    "seat_taken": "The seat is taken",
    "seats_open": "There are open seats",
    "no_player": "The seat has no player",
    "bot_plays": "A bot plays this seat",
    "bad_invitation": "The invitation is not one of this game",
    "invitation_used": "The invitation is used up",
    "invitation_revoked": "The invitation is revoked",
    "advice_off": "The host wants no advice in this game",
    "too_many_invitations": "Too many invitations are open",
    "match_over": "The match is over",
    "played_otherwise": "This release plays that game otherwise",
    "precondition_failed": "The game has another version",
    "body_too_large": "The body is too large",
    "uri_too_long": "The address is too long",
    "unsupported_media_type": "The body must be JSON",
    "invalid": "The request has invalid fields",
    "illegal_move": "The move is illegal",
    "key_reused": "The Idempotency-Key was used for another request",
    "weak_key": "The Idempotency-Key is too easily guessed",
    "too_many_requests": "Too many requests",
    "too_many_streams": "Too many open streams",
    "too_many_games": "Too many games at a time",
    "too_much_work": "Too much work for the bots",
    "too_many_waits": "Too many requests that wait",
    "too_many_connections": "Too many connections",
    "headers_too_large": "The headers are too large",
    "internal": "The service failed",
    "unconfirmed": "The change is made, but not yet safe",
    "overloaded": "The bots have too much to do",
    "newer_game": "A later release plays this game",
    "store_full": "The service's store is full",
    "store_read_only": "The service's store takes no changes",
    "crowded": "The service has no room for more streams",
    "unavailable": "The service can't reach its store",
}


class Facts(TypedDict, total=False):
    """What a client may need to go on; members of the answer beside the standard ones."""

    version: int | None
    decision: dict[str, int | None]
    open_seats: list[int]
    legal_moves: list[Move]


class Problem(Exception):
    """A request that is refused: a code of `TITLES`, the reason in words, and the fields at fault.

    `retry_seconds` is how long to wait before another try, where one may help. `tag` is the entity tag of the version
    that there is, for a request that was made for another. `policy` names the limit that was passed.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        errors: list[Fault] | None = None,
        retry_seconds: int | None = None,
        tag: str = "",
        policy: str = "",
        **facts: Unpack[Facts],
    ):
        super().__init__(detail)
        self.code, self.detail, self.title = code, detail, TITLES[code]
        self.errors = errors or []
        self.retry_seconds, self.tag, self.policy = retry_seconds, tag, policy
        self.facts = facts

    def beneath(self, pointer: str) -> "Problem":
        """Return the same refusal of an object that stood at that place of the body."""
        moved: list[Fault] = [
            {**error, "pointer": pointer + error["pointer"]} if "pointer" in error else error for error in self.errors
        ]
        detail = f"{pointer}{self.detail}" if self.detail.startswith("/") else self.detail
        return Problem(self.code, detail, moved, self.retry_seconds, self.tag, self.policy, **self.facts)


def invalid(pointer: str, fault: str, detail: str) -> Problem:
    """Return the refusal of a field of the body, which a JSON Pointer names."""
    told: Fault = {"pointer": pointer, "code": fault, "detail": detail}
    return Problem("invalid", f"{pointer or 'The body'}: {detail}", [told])


def bad_parameter(name: str, fault: str, detail: str) -> Problem:
    """Return the refusal of a parameter of the query."""
    return Problem("invalid", f"{name}: {detail}", [{"parameter": name, "code": fault, "detail": detail}])


def bad_header(code: str, name: str, fault: str, detail: str) -> Problem:
    """Return the refusal of a request for one of its headers."""
    return Problem(code, detail, [{"header": name, "code": fault, "detail": detail}])


def of_engine(error: GameError, under: str = "") -> Problem:
    """Return the refusal that an error of the engine means; `under` says where in the body its object stood."""
    code = "illegal_move" if error.fault == "illegal" else "invalid"
    pointer = under + ("/" + error.field if error.field else "")
    told: Fault = {"pointer": pointer, "code": error.fault, "detail": error.reason}
    return Problem(code, f"{pointer or 'The body'}: {error.reason}", [told])
