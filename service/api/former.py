"""Say where something is now to whoever asks for it at its former address."""

import re

_MOVED = ((re.compile(r"GET /v1/games/[^/]+/moves/?"), "The legal moves are at `GET …/legal-moves`."),)


def present_address(method: str, path: str) -> str | None:
    """Return a sentence with the present address; None for an address that never was."""
    return next((told for former, told in _MOVED if former.fullmatch(f"{method} {path}")), None)
