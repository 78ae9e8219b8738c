"""Accounts in Redis: made, read, changed, forgotten. The keys are listed in `store/keys.py`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from service import clock
from service.accounts.model import Account, Crew, Pause, Record, Terms
from service.accounts.names import PATTERN
from service.callers import tokens
from service.store import keys
from service.store.redis_client import Command
from service.store.scripts import Script
from service.store.scripts import call as run
from service.store.store import Store

KEEP_SECONDS = 180 * 86400  # after its bot was last connected, an account is forgotten
MOST_LISTED = 200
CREW, SAVED = "crew:", "saved:"  # what the counters of games beside certain others begin with
_SCRIPT = Script("accounts/accounts.lua")
_DELETED = b"deleted"
_OF_A_BOT = re.compile(rf"{tokens.PREFIX}({PATTERN})\.")
_terms = msgspec.json.Decoder(Terms)


def create(store: Store, account: Account) -> bool:
    """Store a new account; False if the name is taken."""
    store.redis.ask(("ZADD", keys.BOTS, "NX", account.created_at, account.name))  # whoever lists overlooks one too many
    fields: dict[str, Any] = {
        "terms": msgspec.json.encode(account.terms),
        "owner": account.owner,
        "created_at": account.created_at,
        "pause": account.pause,
    }
    return _write(store, "create", account.name, fields | _of_token(account))


def change(store: Store, account: Account) -> bool:
    """Store what may change of an account; False if it is gone."""
    fields = {"terms": msgspec.json.encode(account.terms), "pause": account.pause, "misses": account.misses}
    done = _write(store, "change", account.name, fields | _of_token(account))
    tell(store, account.name)
    return done


def _of_token(account: Account) -> dict[str, Any]:
    return {"digest": account.digest, "salt": account.salt, "asked_by": account.asked_by}


def _write(store: Store, act: str, name: str, fields: Mapping[str, Any]) -> bool:
    flat = (part for pair in fields.items() for part in pair)
    return bool(run(store.redis, _SCRIPT, [keys.account(name)], [act, KEEP_SECONDS, *flat]))


def delete(store: Store, name: str) -> None:
    """Delete an account. Its name stays taken for as long as there may be games with it at a seat, so that nobody else
    sees or plays them."""
    store.redis.ask(
        ("DEL", keys.account(name)),
        ("HSET", keys.account(name), "state", _DELETED),
        ("EXPIRE", keys.account(name), store.keep_seconds),
        ("ZREM", keys.BOTS, name),
        ("DEL", keys.connection(name)),
    )
    tell(store, name)


def tell(store: Store, name: str) -> None:
    """Wake whoever holds the connection of a bot, to look at its account."""
    store.redis.ask(store.telling(keys.account(name), 0))


def reading(name: str) -> list[Command]:
    """Return the commands that read an account, and whether its bot is connected."""
    return [("HGETALL", keys.account(name)), ("GET", keys.connection(name))]


def read(name: str, flat: Sequence[bytes]) -> Account | None:
    """Return the account that the reply to the first of them holds; None where there is none."""
    stored = {key.decode(): value for key, value in zip(flat[::2], flat[1::2], strict=True)}
    if "terms" not in stored:
        return None
    counted = {each: int(value) for each, value in stored.items() if ":" in each}

    def number(field: str) -> int:
        return int(stored.get(field, 0))

    return Account(
        name,
        stored["owner"].decode(),
        float(stored["created_at"]),
        _terms.decode(stored["terms"]),
        stored["digest"].decode(),
        stored["salt"].decode(),
        stored["asked_by"].decode(),
        _pause(stored["pause"]),
        number("misses"),
        Record(
            number("decisions"),
            number("late"),
            number("illegal"),
            number("milliseconds"),
            number("round_trip") if "round_trip" in stored else None,
            _crews(counted),
        ),
    )


def _crews(counted: Mapping[str, int]) -> tuple[Crew, ...]:
    besides = sorted(name.removeprefix(CREW) for name in counted if name.startswith(CREW))
    return tuple(
        Crew(tuple(filter(None, each.split("+"))), counted[CREW + each], counted.get(SAVED + each, 0))
        for each in besides
    )


def _pause(stored: bytes) -> Pause:
    return msgspec.convert(stored.decode(), Pause)


def fetch(store: Store, name: str) -> Account | None:
    return read(name, store.redis.ask(reading(name)[0])[0])


def fetch_all(store: Store, names: Sequence[str]) -> dict[str, tuple[Account, bool]]:
    """Return accounts by name, each with whether its bot is connected, read in one round trip."""
    replies = store.redis.ask(*(command for name in names for command in reading(name)))
    read_all = ((read(name, flat), here) for name, flat, here in zip(names, replies[::2], replies[1::2], strict=True))
    return {account.name: (account, is_here(here)) for account, here in read_all if account}


def listed(store: Store) -> list[tuple[Account, bool]]:
    """Return the accounts of bots that were connected last, each with whether it is now."""
    (members,) = store.redis.ask(("ZREVRANGE", keys.BOTS, 0, MOST_LISTED - 1))
    names = [member.decode() for member in members]
    found = fetch_all(store, names)
    if forgotten := [name for name in names if name not in found]:
        store.redis.ask(("ZREM", keys.BOTS, *forgotten), optional=1)
    return [found[name] for name in names if name in found]


def all_names(store: Store) -> list[str]:
    """Return the names of all bots, for a backup."""
    (members,) = store.redis.ask(("ZRANGE", keys.BOTS, 0, -1))
    return [member.decode() for member in members]


def kept(store: Store, name: str) -> tuple[dict[str, str], int] | None:
    """Return the fields of an account as they are stored, and when its bot was last there; None where there is none."""
    flat, seen = store.redis.ask(("HGETALL", keys.account(name)), ("ZSCORE", keys.BOTS, name))
    fields = {key.decode(): value.decode() for key, value in sorted(zip(flat[::2], flat[1::2], strict=True))}
    return (fields, int(float(seen or 0))) if "terms" in fields else None


def restore(store: Store, name: str, fields: Mapping[str, str], seen: int) -> bool:
    """Store an account as it was kept; False if the name is taken."""
    done = _write(store, "create", name, fields)
    if done:
        store.redis.ask(("ZADD", keys.BOTS, "NX", seen, name))
    return done


def is_here(connection: bytes | None) -> bool:
    """Return whether what is stored of a connection means that the bot is there, or will be back in a moment."""
    return connection is not None


def with_token(account: Account, salt: bytes, key: str, asked_by: str) -> Account:
    """Return the account with another token, made of a salt and the request's Idempotency-Key. The salt is kept for a
    repeated request alone: without a key it would be the token."""
    digest = tokens.digest(token_of(account.name, salt, key))
    return msgspec.structs.replace(account, digest=digest, salt=salt.hex() if key else "", asked_by=asked_by)


def token_of(name: str, salt: bytes, key: str) -> str:
    """Return a bot's token, which says whose it is, so that nobody has to search for it."""
    return f"{tokens.PREFIX}{name}.{tokens.make(salt, key).removeprefix(tokens.PREFIX)}"


def holder_of(token: str | None) -> str | None:
    """Return the bot that a token claims to be of; None for a token of another kind."""
    found = _OF_A_BOT.match(token or "")
    return found[1] if found else None


def verifying(tokens_shown: Iterable[str | None]) -> list[Command]:
    """Return the commands that read what tells the present tokens of bots, one for each token that claims to be of
    one."""
    return [("HGET", keys.account(name), "digest") for name in map(holder_of, tokens_shown) if name is not None]


def verified(token: str | None, digest: str, known: bytes | None) -> str | None:
    """Return whose token it is, if it is the present one of the bot that it claims to be of; `known` is what was read
    of that."""
    name = holder_of(token)
    if name is None or known is None:
        return None
    return tokens.holder_of(digest, {known.decode(): name})


def touch(store: Store, name: str) -> list[Command]:
    """Return the commands that keep the account of a bot that is connected."""
    return [("EXPIRE", keys.account(name), KEEP_SECONDS), ("ZADD", keys.BOTS, "XX", int(clock.now()), name)]
