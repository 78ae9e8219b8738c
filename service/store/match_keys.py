"""The names of everything that Redis holds of matches. All of it lives MATCH_KEEP_SECONDS after the last change.

Key                     Type        What it holds
match:ID                hash        what was asked for, state, version, how far it is (see `matches/records.py`)
match:ID:open           sorted set  ranges of games that are begun, by when the lease of a worker on them ends
match:ID:games:S:L      string      the results of series S and line-up L, so many bytes a game (`matches/packing.py`)
match:ID:faults:S:L     sorted set  the first failures of bots, by game
match:ID:moves:S:L      hash        the moves of games, where they are kept
match:ID:odd            hash        games that another release played otherwise
matches                 sorted set  ids of matches by when they were created; who lists removes those that expired
match:running           sorted set  those that workers should play; `running:{p17}` on a cluster
match:hosted            sorted set  those with outside bots, whose games are tables; `running:{p17}:hosted` on a cluster
"""

from service.store.partitions import Partitions

GAMES, FAULTS, MOVES = KINDS = ("games", "faults", "moves")
TYPES = {GAMES: "string", FAULTS: "zset", MOVES: "hash"}  # in Redis
_LIST, _RUNNING, _HOSTED = "matches", "match:running", "match:hosted"


class MatchNames:
    """The names of what belongs to matches, as `keys.Names` has those of games."""

    def __init__(self, partitions: Partitions):
        self._prefixes, self._prefix_of = partitions.prefixes, partitions.prefix_of

    def hash_of(self, match_id: str) -> str:
        return f"match:{self._prefix_of(match_id)}{match_id}"

    def open_of(self, match_id: str) -> str:
        return f"{self.hash_of(match_id)}:open"

    def odd_of(self, match_id: str) -> str:
        return f"{self.hash_of(match_id)}:odd"

    def of_series(self, match_id: str, kind: str, series: int, line_up: int) -> str:
        return f"{self.hash_of(match_id)}:{kind}:{series}:{line_up}"

    def of_results(self, match_id: str, series: int, line_ups: int) -> list[str]:
        """Return all keys that games add to as they are played."""
        cells = [(number, line_up) for number in range(series) for line_up in range(line_ups)]
        return [self.odd_of(match_id), *(self.of_series(match_id, kind, *cell) for kind in KINDS for cell in cells)]

    def created(self, partition: int) -> str:
        """Return the list of all matches of a partition, by when they were created."""
        prefix = self._prefixes[partition]
        return f"{_LIST}:{prefix[:-1]}" if prefix else _LIST

    def running(self, partition: int) -> str:
        """Return the list of the matches of a partition that workers should play."""
        prefix = self._prefixes[partition]
        return f"running:{prefix[:-1]}" if prefix else _RUNNING

    def hosted(self, partition: int) -> str:
        """Return the list of the matches of a partition that have tables. Releases before it do not look there."""
        prefix = self._prefixes[partition]
        return f"running:{prefix}hosted" if prefix else _HOSTED
