"""Requests about the token of a match: renew it, or revoke it."""

import zlib

import orjson

from service.callers import tokens
from service.callers.caller import Caller
from service.config import Config
from service.games.access import Answer, answer_of_dead_token, once, with_token
from service.games.rights import NOT_KEPT
from service.matches.requests import find_own, no_such_match
from service.store.store import Store

NOBODY = ""


def renew(store: Store, match_id: str, caller: Caller, config: Config) -> Answer:
    """Answer with a new token. Games that were opened keep the token that the match had then."""
    return answer_of_dead_token(store, caller, lambda: _renew(store, match_id, caller, config))


def _renew(store: Store, match_id: str, caller: Caller, config: Config) -> Answer:
    salt = tokens.new_salt()
    holder = tokens.digest(tokens.make(salt, caller.key))
    answer = Answer(200, {"salt": salt.hex()}, NOT_KEPT)
    before = _hand_over(store, match_id, caller, config, holder, answer)
    return with_token(before or answer, caller.key)


def revoke(store: Store, match_id: str, caller: Caller, config: Config) -> Answer:
    """Leave the match to its end: nobody can pause, cancel or delete it any more."""
    answer = Answer(204, {}, {})
    _hand_over(store, match_id, caller, config, NOBODY, answer)
    return answer


def _hand_over(
    store: Store, match_id: str, caller: Caller, config: Config, holder: str, answer: Answer
) -> Answer | None:
    """Let another token change the match; return the answer that the same request had before, if it had one."""
    repository, match = find_own(store, match_id, caller)
    remembered = b""
    if caller.retry:
        told = {"status": answer.status, "body": answer.body, "headers": answer.headers}
        remembered = zlib.compress(orjson.dumps(told), 1)

    def commit() -> None:
        if not repository.hand_over(match, holder, caller.retry, remembered, config.answer_seconds):
            find_own(store, match_id, caller)  # says what became of the match, or of the token
            raise no_such_match()

    return once(store, caller, commit)
