"""Tell what Redis means when it refuses a command, in whatever words its version says so.

An error has a code, its first word: `OOM command not allowed …`. Redis 7 and Valkey pass the code of an error inside a
script on as it is. Redis 6.2 wraps it (`Error running script (call to f_…): @user_script:12: -OOM command …`), redis-py
cuts some codes off and keeps them in `status_code`, and its pipelines put the failed command in front.
"""

import re
from enum import Enum, auto

from redis.exceptions import RedisError


class Fault(Enum):
    FULL = auto()  # no memory or disk for more; what is there can be read
    READ_ONLY = auto()  # a replica, or a master that has lost its replicas; what is there can be read
    LOADING = auto()  # it has just started and reads its data
    BUSY = auto()  # a script runs for too long
    DENIED = auto()  # a wrong user or password, or a user without the right


_FAULTS = {
    "OOM": Fault.FULL,
    "MISCONF": Fault.FULL,
    "READONLY": Fault.READ_ONLY,
    "NOREPLICAS": Fault.READ_ONLY,
    "LOADING": Fault.LOADING,
    "MASTERDOWN": Fault.LOADING,
    "BUSY": Fault.BUSY,
    "NOAUTH": Fault.DENIED,
    "WRONGPASS": Fault.DENIED,
    "NOPERM": Fault.DENIED,
}
_DISBELIEF = re.compile(r"certificate verify failed: (.*?)\.? \(_ssl")
_NO_FILE = re.compile(r"Error 2 connecting to (?!/)")
# A word in why a certificate is not believed, and what to do about it; the last one fits all.
_CURES = (
    ("mismatch", "name the server as its certificate does"),
    ("expired", "renew it"),
    ("", "add ssl_ca_certs=FILE to the address, with the certificate of whoever vouches for it"),
)
_CODE = re.compile(r"(?:^|: -|caused error: )([A-Z]{3,})(?: |$)")


def fault_of(error: RedisError) -> Fault | None:
    """Return what is wrong with Redis; None for a broken connection, a bug of ours, or what has no code."""
    if error.status_code in _FAULTS:
        return _FAULTS[error.status_code]
    codes = _CODE.findall(str(error))
    return next((_FAULTS[code] for code in codes if code in _FAULTS), None)


def disbelief_of(error: RedisError) -> tuple[str, str] | None:
    """Return that the certificate of Redis is not believed, and what to do about it; None for any other error."""
    text = str(error)
    if _NO_FILE.search(text):
        return "the file of certificates that the address names can't be found", "correct its ssl_ca_certs"
    found = _DISBELIEF.search(text)
    if found is None:
        return None
    return f"the certificate of Redis is not believed ({found[1]})", next(do for word, do in _CURES if word in found[1])
