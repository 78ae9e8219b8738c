"""The names of what Redis holds of a match."""

from service.matches.plan import Plan

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


def of_results(match_id: str, plan: Plan) -> list[str]:
    """All that come with games."""
    numbers = [(series, line_up) for series in range(len(plan.gnomes)) for line_up in range(len(plan.line_ups))]
    return [odd_of(match_id), *(of_series(match_id, kind, *each) for kind in KINDS for each in numbers)]


def channel_of(match_id: str) -> str:
    """Under which those wait who wait for a match."""
    return f"match:{match_id}"
