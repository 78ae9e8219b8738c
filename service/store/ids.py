"""Make and recognise the ids of games and matches."""

import hashlib
import re
import secrets

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
ID_PATTERN = "([a-z0-9]{1,8}-)?[a-km-np-z2-9]{16}"  # of new ids none has a prefix, of old ones some
_LETTERS = 16
_AS_A_WORD = re.compile(rf"(?<![a-z0-9-])(?:{ID_PATTERN})(?![a-z0-9-])".encode())


def new_id() -> str:
    """Return an id of 80 random bits, easy to read out."""
    return _letters(secrets.token_bytes(_LETTERS))


def derived_id(*words: str) -> str:
    """Return the id that follows from these words: the same for the same words."""
    return _letters(hashlib.sha256(" ".join(words).encode()).digest()[:_LETTERS])


def _letters(numbers: bytes) -> str:
    """Return a letter for each byte: there are 32 of them, so that each is as likely as any other."""
    return "".join([ALPHABET[number % len(ALPHABET)] for number in numbers])


def is_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None


def ids_in(text: bytes) -> set[str]:
    """Return the ids that stand in a text as words of their own."""
    return {found[0].decode() for found in _AS_A_WORD.finditer(text)}
