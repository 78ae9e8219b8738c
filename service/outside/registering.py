"""Requests about the account of a bot: register it, look at it, change it, renew its token, delete it."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bots.roster import ROSTER
from service import clock
from service.accounts import accounts
from service.accounts.model import BY_OWNER, RUNNING, Account, Terms
from service.callers import tokens
from service.callers.caller import Caller
from service.config import ANYBODY, CLOSED, Config
from service.games.access import Answer
from service.games.creation import check_api_key
from service.games.model import OPEN
from service.games.rights import NOT_KEPT
from service.games.viewers import no_token
from service.outside import standing_in, views
from service.refusals import Fault, Problem, invalid
from service.store.store import Store
from service.wire import Wire

_REPLAYED = {"Idempotency-Replayed": "true"}
_OURS = (*ROSTER, OPEN, "bot", "player", "host", "nobody")


def register(store: Store, caller: Caller, wanted: Wire, config: Config, api_key: str | None) -> Answer:
    """Open an account. Its token is in the answer, and never again."""
    caller.meter.now(store.redis)
    _check_may_register(store, config, api_key)
    name = wanted["name"]
    if name in _OURS:
        raise invalid("/name", "conflict", "is a name of ours")
    terms = Terms(**{field: value for field, value in wanted.items() if field != "name"})
    new = Account(name, caller.origin, clock.now(), terms, "", "")
    salt = tokens.new_salt()
    account = accounts.with_token(new, salt, caller.key, _asked_by(caller))
    replayed: Mapping[str, str] = {}
    if not accounts.create(store, account):
        account, salt, replayed = _told_before(store, caller, name), b"", _REPLAYED
    token = accounts.token_of(name, salt or bytes.fromhex(account.salt), caller.key)
    body = {"token": token, "bot": views.account(account, is_connected=False)}
    return Answer(201, body, {"Location": f"/v1/bots/{name}", **NOT_KEPT, **replayed})


def _check_may_register(store: Store, config: Config, api_key: str | None) -> None:
    if config.bot_accounts == CLOSED:
        raise Problem("bots_closed", "The operator has closed it.")
    if config.bot_accounts != ANYBODY and not config.api_keys:
        raise Problem("no_api_key", "It takes an X-API-Key, and the operator has given out none.")
    check_api_key(store, config, api_key)


def _asked_by(caller: Caller) -> str:
    return caller.retry.key + caller.retry.fingerprint if caller.retry else ""


def _told_before(store: Store, caller: Caller, name: str) -> Account:
    """Return the account that the same request has opened before; refuse a name that is taken."""
    account = accounts.fetch(store, name)
    if account is None or not caller.retry or account.asked_by != _asked_by(caller):
        taken: Fault = {"pointer": "/name", "code": "conflict", "detail": "is taken"}
        raise Problem("name_taken", "Choose another one.", [taken])
    return account


def list_all(store: Store, caller: Caller) -> list[Wire]:
    """Return all outside bots, those first that were connected last."""
    caller.meter.now(store.redis)
    return [views.account(*each) for each in accounts.listed(store)]


def show(store: Store, name: str, caller: Caller) -> Answer:
    caller.meter.now(store.redis)
    return _told(store, name)


def _told(store: Store, name: str) -> Answer:
    found = accounts.fetch_all(store, [name])
    if name not in found:
        raise no_such_bot(name)
    return Answer(200, views.account(*found[name]), {"Cache-Control": "no-cache"})


def no_such_bot(name: str) -> Problem:
    ours = "It is one of ours: `listBots` tells of it." if name in ROSTER else "Nobody has registered it."
    return Problem("no_such_bot", ours)


def find_own(store: Store, name: str, caller: Caller, config: Config, api_key: str | None) -> Account:
    """Return the account for whoever has its token, or the API key that it was registered with."""
    has_key = tokens.holder(api_key or "", config.api_keys) is not None
    if not caller.token and not has_key:
        raise no_token()
    caller.meter.now(store.redis)
    account = accounts.fetch(store, name)
    if account is None:
        raise no_such_bot(name)
    if caller.token and tokens.holder_of(caller.digest, {account.digest: name}):
        return account
    if has_key and account.owner == caller.origin:
        return account
    if caller.token:
        raise _bad_token()
    raise Problem("forbidden", "It was registered with another API key.")


def authenticate(store: Store, name: str, caller: Caller, flat: Sequence[bytes]) -> Account:
    """Return the account that was read, for whoever has its token. Requests of others are counted, its own are not."""
    if not caller.token:
        raise no_token()
    account = accounts.read(name, flat)
    if account is not None and tokens.holder_of(caller.digest, {account.digest: name}):
        return account
    caller.meter.now(store.redis)
    if account is None:
        raise no_such_bot(name)
    raise _bad_token()


def _bad_token() -> Problem:
    return Problem("bad_token", "It may be of another bot, or an older one.")


def update(store: Store, name: str, caller: Caller, wanted: Wire, config: Config, api_key: str | None) -> Answer:
    """Change what the owner says of a bot, or let it pause."""
    account = find_own(store, name, caller, config, api_key)
    terms = replace(account.terms, **{field: value for field, value in wanted.items() if field != "paused"})
    changed = replace(account, terms=terms)
    if "paused" in wanted:
        changed = replace(changed, pause=BY_OWNER if wanted["paused"] else RUNNING, misses=0)
    if not accounts.change(store, changed):
        raise no_such_bot(name)
    if changed.is_paused and not account.is_paused:
        standing_in.call_at_once(store, name)
    return _told(store, name)


def renew_token(store: Store, name: str, caller: Caller, config: Config, api_key: str | None) -> Answer:
    """Answer with a new token. A repeated request is answered as before, although its token is an old one by then."""
    asked_by = _asked_by(caller)
    before = accounts.fetch(store, name) if asked_by else None
    if before and before.asked_by == asked_by:
        token = accounts.token_of(name, bytes.fromhex(before.salt), caller.key)
        return Answer(200, {"token": token}, {**NOT_KEPT, **_REPLAYED})
    account = find_own(store, name, caller, config, api_key)
    salt = tokens.new_salt()
    if not accounts.change(store, accounts.with_token(account, salt, caller.key, asked_by)):
        raise no_such_bot(name)
    return Answer(200, {"token": accounts.token_of(name, salt, caller.key)}, NOT_KEPT)


def delete(store: Store, name: str, caller: Caller, config: Config, api_key: str | None) -> Answer:
    find_own(store, name, caller, config, api_key)
    accounts.delete(store, name)
    standing_in.call_at_once(store, name)
    return Answer(204, {}, {})
