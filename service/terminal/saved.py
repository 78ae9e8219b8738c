"""Games that a player left and may resume. The file has their tokens, so nobody else may read it."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

MOST = 50


@dataclass(frozen=True)
class SavedGame:
    """What is needed to resume a game. The names are those of the file."""

    server: str
    game: str
    token: str
    host: str | None = None  # the host's token, if the player created the game
    promise: str | None = None  # the hash of the seed, as it was told first
    data: str | None = None  # the folder of a service that was started for the game
    ours: bool = False  # whether that folder was made for the game

    def is_same(self, other: "SavedGame") -> bool:
        return (self.game, self.token) == (other.game, other.token)


def default_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for what programs remember of a user (XDG)."""
    base = environment.get("XDG_STATE_HOME", "")
    place = Path(base) if base.startswith("/") else Path.home() / ".local" / "state"
    return place / "red-november"


class SavedGames:
    """Keeps the games that were left, the latest last. Raises OSError where the folder can't be written."""

    def __init__(self, place: Path | None = None):
        self.folder = place or default_folder()
        self._path = self.folder / "games.json"

    def all(self) -> list[SavedGame]:
        """Return all games. A file that can't be read has none."""
        try:
            return [SavedGame(**each) for each in json.loads(self._path.read_text())]
        except (OSError, ValueError, TypeError):
            return []

    def keep(self, game: SavedGame) -> None:
        self._write([*(other for other in self.all() if not other.is_same(game)), game])

    def forget(self, game: SavedGame) -> None:
        if any(other.is_same(game) for other in self.all()):
            self._write([other for other in self.all() if not other.is_same(game)])

    def _write(self, games: list[SavedGame]) -> None:
        """Write the file whole or not at all, and let nobody else read it, not even for a moment."""
        self.make_folder()
        handle, name = tempfile.mkstemp(dir=self.folder)  # 0600
        try:
            with os.fdopen(handle, "w") as file:
                json.dump([asdict(game) for game in games[-MOST:]], file)
            Path(name).replace(self._path)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise

    def make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
