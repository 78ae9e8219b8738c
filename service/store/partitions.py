"""Partition what is stored, so that a cluster keeps all of a game together and spreads games over its nodes.

The last letters of an id, read as a number, say which partition its game or match is in. A tag in the names of its keys
(`game:{p17}:ID`) puts all of a partition into one slot of the cluster, so one script changes all of it at once. A store
that is no cluster has one partition, and names without a tag.
"""

from functools import cache

from redis.crc import key_slot

from service.store.ids import ALPHABET

SLOTS = 16384  # of a cluster
OF_A_CLUSTER = 256
_DIGITS = 4  # letters at the end of an id that count
_BASE = len(ALPHABET)
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_SHARE_DIGITS = 8  # of a digest


@cache
def tags(count: int) -> tuple[str, ...]:
    """Return the tag of each partition. Their slots lie evenly: the i-th is the first `p<n>` whose slot lies in the
    i-th of equal ranges."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < count:
        tag = f"p{number}"
        found.setdefault(key_slot(tag.encode()) * count // SLOTS, tag)
        number += 1
    return tuple(found[place] for place in range(count))


class Partitions:
    """Tells the partition of an id, and the beginning that its tag gives to names."""

    def __init__(self, count: int = 1):
        self.count = count
        self.prefixes = tuple(f"{{{tag}}}:" for tag in tags(count)) if count > 1 else ("",)

    @property
    def all(self) -> range:
        return range(self.count)

    def of(self, id_: str) -> int:
        """Return the partition of a game or match."""
        return _number(id_) % self.count if self.count > 1 else 0

    def of_digest(self, digest: str) -> int:
        """Return the partition that a digest in hexadecimal falls to."""
        return int(digest[:_SHARE_DIGITS], 16) % self.count

    def prefix_of(self, id_: str) -> str:
        return self.prefixes[self.of(id_)] if self.count > 1 else ""

    def placed(self, id_: str, partition: int) -> str:
        """Return the id with its last letters changed, so that it is in that partition."""
        number = _number(id_)
        wanted = number - number % self.count + partition
        if wanted >= _BASE**_DIGITS:
            wanted -= self.count
        ending = "".join(ALPHABET[wanted // _BASE**place % _BASE] for place in reversed(range(_DIGITS)))
        return id_[:-_DIGITS] + ending


def _number(id_: str) -> int:
    number = 0
    for letter in id_[-_DIGITS:]:
        number = number * _BASE + _VALUES.get(letter, 0)
    return number
