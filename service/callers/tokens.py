"""Make and check bearer tokens of 256 bits, of which only hashes are stored."""

import base64
import hashlib
import hmac
import os
from collections.abc import Mapping

PREFIX = "rn_"
SALT_BYTES = 32
HOST = "host"


def make(salt: bytes, idempotency_key: str = "") -> str:
    """Return a token out of 256 fresh bits. A retry with the same key and the stored salt makes the same token again,
    so that no token ever has to be stored."""
    secret = hmac.digest(salt, b"token" + idempotency_key.encode(), "sha256")
    return PREFIX + base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def salt_of_player(salt: bytes) -> bytes:
    """Return the salt of the player's token where one answer tells two: the host's comes of the salt itself."""
    return hmac.digest(salt, b"player", "sha256")


def new_salt() -> bytes:
    return os.urandom(SALT_BYTES)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def holder(token: str, rights: Mapping[str, str]) -> str | None:
    """Return whose token it is, by the hashes of a game."""
    return holder_of(digest(token), rights)


def holder_of(wanted: str, rights: Mapping[str, str]) -> str | None:
    """Return whose token has that hash; every hash is compared, in constant time."""
    found = None
    for known, who in rights.items():
        if hmac.compare_digest(known, wanted):
            found = who
    return found
