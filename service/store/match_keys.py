"""The names of everything that Redis holds of matches. All of it lives MATCH_KEEP_SECONDS after the last change.

Key                     Type        What it holds
match:ID                hash        what was asked for, state, version, how far it is (see `matches/records.py`)
match:ID:open           sorted set  ranges of games that are begun, by when the lease of a worker on them ends
match:ID:games:S:L      string      the results of series S and line-up L, so many bytes a game (`matches/packing.py`)
match:ID:faults:S:L     sorted set  the first failures of bots, by game
match:ID:moves:S:L      hash        the moves of games, where they are kept
match:ID:odd            hash        games that another release played otherwise
matches                 sorted set  ids of matches by when they were created; who lists removes those that expired
match:running           sorted set  those that workers should play: `keys.MATCHES_TO_PLAY`
"""

LIST = "matches"
GAMES, FAULTS, MOVES = KINDS = ("games", "faults", "moves")


def hash_of(match_id: str) -> str:
    return f"match:{match_id}"


def open_of(match_id: str) -> str:
    return f"match:{match_id}:open"


def odd_of(match_id: str) -> str:
    return f"match:{match_id}:odd"


def of_series(match_id: str, kind: str, series: int, line_up: int) -> str:
    return f"match:{match_id}:{kind}:{series}:{line_up}"


def of_results(match_id: str, series: int, line_ups: int) -> list[str]:
    """Return all keys that games add to as they are played."""
    cells = [(number, line_up) for number in range(series) for line_up in range(line_ups)]
    return [odd_of(match_id), *(of_series(match_id, kind, *cell) for kind in KINDS for cell in cells)]


def channel_of(match_id: str) -> str:
    """Return the channel on which changes of a match are announced."""
    return f"match:{match_id}"
