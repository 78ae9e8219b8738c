"""Give an example of each kind of problem, for the contract."""

from typing import Any

from service.api.problems import CODES, body_of
from service.contract.example_matches import ID as MATCH_ID
from service.contract.example_table import ID
from service.refusals import Problem, bad_header
from service.wire import Wire

_GAMES = "/v1/games"
_GAME = f"{_GAMES}/{ID}"
_MOVES = f"{_GAME}/moves"
_MATCH = f"/v1/matches/{MATCH_ID}"


def _field(code: str, pointer: str, fault: str, detail: str, **facts: Any) -> Problem:
    return Problem(code, f"{pointer}: {detail}", [{"pointer": pointer, "code": fault, "detail": detail}], **facts)


_MOVED_ON = "It is 9, not 7. Fetch the state, then decide again."
_LEGAL = [{"type": "open_hatch", "to": 5, "cost": 1}, {"type": "no_action", "cost": 1}]
# Where it happened, and what was said.
_SAID: list[tuple[str, Problem]] = [
    (_GAMES, Problem("bad_json", "unexpected end of data: line 1 column 9 (char 8)")),
    (
        _MOVES,
        bad_header(
            "bad_request",
            "Idempotency-Key",
            "format",
            "Idempotency-Key: must be 1 to 200 printable ASCII characters",
        ),
    ),
    (_MOVES, Problem("no_token", "Send `Authorization: Bearer rn_…`.")),
    (_GAME, Problem("bad_token", "It may be of another game.")),
    (_GAME, Problem("token_revoked", "Another one has taken its place, or whoever had it gave it up.")),
    (_GAMES, Problem("no_api_key", "Send the X-API-Key that the operator gave you.")),
    (_GAME, Problem("forbidden", "Only the host's token may do that.")),
    (f"{_GAME}/players/p9", Problem("not_found", "There is no such player.")),
    (_GAME, Problem("no_such_game", "It never was, was deleted, was forgotten, or is private.")),
    (_MOVES, _field("version_conflict", "/version", "conflict", _MOVED_ON, version=9)),
    (_MOVES, Problem("not_your_turn", "Seat 1 must decide.", version=9, decision={"seat": 1})),
    (_MOVES, Problem("not_started", "The host starts it.", version=2)),
    (f"{_GAME}/start", Problem("already_started", "It starts once.")),
    (_MOVES, Problem("game_over", "Its result stands.", version=73)),
    (f"{_GAME}/replay", Problem("not_over", "Its seed is a secret until then.", version=9)),
    (f"{_GAME}/players", _field("seat_taken", "/seat", "conflict", "is taken")),
    (f"{_GAME}/start", Problem("seats_open", "Fill them with bots: send `fill_with`.", open_seats=[2])),
    (f"{_GAME}/seats/2/controller", Problem("no_player", "Nobody has joined on this seat.")),
    (_MOVES, Problem("bot_plays", "A bot plays seat 1: take it back first.", version=9, decision={"seat": 1})),
    (f"{_GAME}/players", _field("bad_invitation", "/invitation", "value", "It may be of another game.")),
    (f"{_GAME}/players", _field("invitation_used", "/invitation", "value", "As many as it is for have joined.")),
    (f"{_GAME}/players", _field("invitation_revoked", "/invitation", "value", "The host has taken it back.")),
    (f"{_GAME}/invitations", Problem("too_many_invitations", "There are 32 that nobody has used: revoke some.")),
    (f"{_GAME}/odds", Problem("advice_off", "The host wants neither advice nor odds in this game.", version=9)),
    (_MOVES, Problem("precondition_failed", "It is 9. Fetch the state, then decide again.", version=9)),
    (_GAMES, Problem("body_too_large", "At most 65536 bytes.")),
    ("/", Problem("uri_too_long", "Request Line is too large (4727 > 4094)")),
    ("/", Problem("headers_too_large", "limit request headers fields size")),
    (_GAMES, Problem("unsupported_media_type", "Send application/json, not text/plain.")),
    (_GAMES, _field("invalid", "/seats", "conflict", "there are 3 seats for 4 gnomes")),
    (
        _MOVES,
        _field("illegal_move", "/to", "illegal", "not legal now, in phase movement", version=9, legal_moves=_LEGAL),
    ),
    (_MOVES, Problem("key_reused", "Send another Idempotency-Key with another request.")),
    (_GAMES, Problem("weak_key", "Idempotency-Key: must have at least 20 characters where no token says whose it is.")),
    (_GAME, Problem("too_many_requests", "At most 2400 of this kind in 60 seconds.", policy="poll")),
    (f"{_GAME}/events", Problem("too_many_streams", "At most 16 at once.", policy="streams")),
    (
        _GAMES,
        Problem("too_many_games", "You have 500 games that are not over: finish or delete some.", policy="games"),
    ),
    (
        f"{_GAME}/start",
        Problem("too_much_work", "They took 71.3 seconds of a processor; there are 60 in 60 seconds.", policy="work"),
    ),
    (_GAME, Problem("too_many_waits", "At most 128 at once from one address.", policy="waits")),
    ("/", Problem("too_many_connections", "At most 512 at once from one address.", policy="connections")),
    (f"{_GAME}/events", Problem("crowded", "Poll instead, or try again in a moment.")),
    (_GAMES, Problem("too_slow", "It must not take so long.")),
    (
        f"{_GAME}/events",
        Problem("not_acceptable", "Accept application/json or text/event-stream."),
    ),
    (_MATCH, Problem("no_such_match", "It never was, was deleted, or was forgotten.")),
    (_MATCH, Problem("match_over", "It is finished.")),
    (
        f"{_MATCH}/games/3/crew/4",
        Problem("played_otherwise", "It was rescued in turn 31, and comes to heat in turn 27 in this release."),
    ),
    ("/v1/bots/deepgnome", Problem("no_such_bot", "Nobody has registered it.")),
    ("/v1/bots", Problem("bots_closed", "The operator has closed it.")),
    ("/v1/bots", _field("name_taken", "/name", "conflict", "is taken")),
    (_GAME, Problem("internal", "This is our fault, and it has been written down.")),
    (_GAME, Problem("unavailable", "Try again in a moment.")),
    (_MOVES, Problem("unconfirmed", "A failure now could still undo it. Look again, or send it again.")),
    (_GAME, Problem("newer_game", "The game was stored by a later release, in layout 2: this one knows 1.")),
    (_GAMES, Problem("overloaded", "They are 75 seconds behind.")),
    (_MOVES, Problem("store_read_only", "Games can be read, but not changed for now.")),
    (_MOVES, Problem("store_full", "Games can be read, but not changed. The operator must make room.")),
]


def problems() -> dict[str, Wire]:
    """Return examples by code."""
    said = {problem.code: body_of(problem, path) for path, problem in _SAID}
    untold = {code: body_of(Problem(code, f"{title}."), _GAME) for code, (_, title) in CODES.items()}
    return {code: {"summary": title, "value": said.get(code, untold[code])} for code, (_, title) in CODES.items()}
