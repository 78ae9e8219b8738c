"""Make and recognise the ids of games and matches."""

import hashlib
import re
import secrets

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
ID_PATTERN = "([a-z0-9]{1,8}-)?[a-km-np-z2-9]{16}"  # of new ids none has a prefix, of old ones some
_LETTERS = 16


def new_id() -> str:
    """Return an id of 80 random bits, easy to read out."""
    return "".join(secrets.choice(ALPHABET) for _ in range(_LETTERS))


def derived_id(*words: str) -> str:
    """Return the id that follows from these words: the same for the same words."""
    digest = hashlib.sha256(" ".join(words).encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:_LETTERS])


def is_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None
