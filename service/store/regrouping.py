"""Give what a single Redis holds the names that it has on a cluster: see `partitions.py`.

Every step can be done twice, so that whoever is stopped in the midst begins anew. Names of the cluster have a brace in
them, names of a single Redis have none, so that it is plain what is left to do. What nobody misses is left to run out,
as budgets are, or dropped, as hints are: games that wait for workers are found by the sweeper.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Any

from service.store import keys
from service.store.ids import is_id
from service.store.keys import Names
from service.store.partitions import Partitions
from service.store.redis_client import Client, Command

UNFINISHED = b"to "  # what the stored number of partitions begins with, while keys are given names
_AT_ONCE = 500  # keys, members
_STATUSES = "waiting|playing|finished"
_TO_DROP = re.compile(r"turns:|rq:|workers(:busy)?$|sweeper$|advice:|signals:")

# KEYS old and new names by turns. One that is not there any more has expired meanwhile.
_RENAME = """
local done = 0
for at = 1, #KEYS, 2 do
  if redis.call("EXISTS", KEYS[at]) == 1 then
    redis.call("RENAME", KEYS[at], KEYS[at + 1])
    done = done + 1
  end
end
return done
"""
# KEYS an answer, then all names that it is to have.
_COPY = """
for at = 2, #KEYS do redis.call("COPY", KEYS[1], KEYS[at], "REPLACE") end
return redis.call("DEL", KEYS[1])
"""


@dataclass(frozen=True)
class Place:
    """Where a key of a single Redis belongs on a cluster."""

    kind: str  # "renamed", "split", "copied" or "dropped"
    name: str = ""  # that it gets
    name_in: Callable[[int], str] = str  # that its share in a partition gets


class Regrouping:
    """Renames what one Redis holds, as nobody else uses it. `named_in` tells the ids that a stored answer names."""

    def __init__(self, client: Client, count: int, named_in: Callable[[bytes], Set[str]]):
        self._client, self._named_in = client, named_in
        self._names = Names(Partitions(count))
        self.done = Counter[str]()

    def count(self) -> Counter[str]:
        """Return how many keys would be renamed, split, copied and dropped, and change nothing."""
        return Counter(place.kind for _, place in self._left())

    def run(self, tell: Callable[[int], object]) -> None:
        """Rename everything, and tell now and then how many keys are done. What one scan leaves out the next finds."""
        self._client.ask(("SET", keys.PARTITIONS, UNFINISHED + str(self._names.partitions.count).encode()))
        while self._pass(tell):
            pass
        self._client.ask(("SET", keys.PARTITIONS, self._names.partitions.count))

    def _pass(self, tell: Callable[[int], object]) -> int:
        left, before = self._left(), self.done.total()
        while batch := list(islice(left, _AT_ONCE)):
            renamed = [(key, place.name) for key, place in batch if place.kind == "renamed"]
            if renamed:
                self._client.ask(("EVAL", _RENAME, 2 * len(renamed), *(name for pair in renamed for name in pair)))
            for key, place in batch:
                if place.kind == "split":
                    self._split(key, place)
                elif place.kind == "copied":
                    self._copy(key)
                elif place.kind == "dropped":
                    self._client.ask(("DEL", key))
                self.done[place.kind] += 1
            tell(self.done.total())
        return self.done.total() - before

    def _left(self) -> Iterator[tuple[str, Place]]:
        for found in self._client.keys_like("*"):
            key = found.decode(errors="replace")
            place = place_of(key, self._names)
            if place is not None:
                yield key, place

    def _split(self, key: str, place: Place) -> None:
        """Move a list's members to the lists of their partitions: first they are in both, then in the new one."""
        partitions = self._names.partitions
        (lives,) = self._client.ask(("PTTL", key))
        while True:
            (found,) = self._client.ask(("ZRANGE", key, 0, _AT_ONCE - 1, "WITHSCORES"))
            if not found:
                return
            shares: dict[int, list[Any]] = defaultdict(list)
            for member, score in zip(found[::2], found[1::2]):
                shares[partitions.of(member.decode())] += (score, member)
            names = {partition: place.name_in(partition) for partition in shares}
            put: list[Command] = [("ZADD", names[partition], *share) for partition, share in shares.items()]
            if lives > 0:
                put += [("PEXPIRE", name, lives) for name in names.values()]
            self._client.ask(*put)
            self._client.ask(("ZREM", key, *found[::2]))

    def _copy(self, key: str) -> None:
        """Put an answer wherever the request that it is to may be sent again: beside whatever it names, and, as what
        makes something falls to the partition of its key, there; one that names nothing, beside every match."""
        partitions, retry = self._names.partitions, key.partition(":")[2]
        (answer,) = self._client.ask(("HGET", key, "answer"))
        ids = self._named_in(answer or b"") or {member.decode() for member in self._matches()}
        places = {partitions.of(each) for each in ids} | {_of_digest(partitions, retry)}
        names = [self._names.answer(place, retry) for place in sorted(places)]
        self._client.ask(("EVAL", _COPY, 1 + len(names), key, *names))

    def _matches(self) -> Sequence[bytes]:
        lists = [Names(Partitions()).match.created(0)]
        lists += [self._names.match.created(partition) for partition in self._names.partitions.all]
        found = self._client.ask(*(("ZRANGE", name, 0, -1) for name in lists))
        return [member for members in found for member in members]


def place_of(key: str, names: Names) -> Place | None:
    """Return where a key belongs; None for what stays as it is, or has its name already."""
    if "{" in key:
        return None
    single = Names(Partitions())
    kind, _, rest = key.partition(":")
    id_, _, more = rest.partition(":")
    if is_id(id_):
        of_ids: dict[str, Callable[[str], str]] = {
            "game": names.game,
            "events": names.events,
            "odds": names.odds,
            "match": names.match.hash_of,
            "advice": lambda game_id: names.advice(game_id, more),
        }
        if kind in of_ids:
            name = of_ids[kind](id_)
            return Place("renamed", name if kind == "advice" or not more else f"{name}:{more}")
    if kind == "answer":
        return Place("copied")
    shared: dict[str, Callable[[int], str]] = {
        single.due(0): names.due,
        single.match.created(0): names.match.created,
        single.match.running(0): names.match.running,
        single.match.hosted(0): names.match.hosted,
    }
    if key in shared:
        return Place("split", name_in=shared[key])
    if key == single.counters():
        return Place("renamed", names.counters())
    if kind == "games" and id_ == "of":
        return Place("split", name_in=lambda partition: names.games_of(partition, more))
    if kind in ("games", "alive") and re.fullmatch(_STATUSES, rest):
        of_status = names.public_games if kind == "games" else names.living_games
        return Place("split", name_in=lambda partition: of_status(partition, rest))
    return Place("dropped") if _TO_DROP.match(key) else None


def _of_digest(partitions: Partitions, retry: str) -> int:
    try:
        return partitions.of_digest(retry)
    except ValueError:  # of no request of ours
        return 0
