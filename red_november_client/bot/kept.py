"""The tokens of one's own bots, kept in the user's folder, which only they may read."""

import json
import os
from contextlib import suppress
from pathlib import Path

from red_november_client.wire import Wire

_ONLY_OURS = 0o600


class Kept:
    """Tokens by service and by the bot's name."""

    def __init__(self, path: Path | None = None):
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        self._path = path or Path(state) / "red-november" / "bots.json"

    def token(self, server: str, name: str) -> str | None:
        found = self._read().get(server, {}).get(name)
        return None if found is None else str(found)

    def names(self, server: str) -> list[str]:
        return sorted(self._read().get(server, {}))

    def keep(self, server: str, name: str, token: str | None) -> None:
        """Keep a token, or forget it. Raises OSError."""
        kept = self._read()
        bots = kept.setdefault(server, {})
        if token is None:
            bots.pop(name, None)
        else:
            bots[name] = token
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _ONLY_OURS), "w") as file:
            json.dump(kept, file, indent=2)
        new.replace(self._path)

    def _read(self) -> Wire:
        with suppress(OSError, ValueError):
            found = json.loads(self._path.read_text())
            if isinstance(found, dict):
                return found
        return {}
