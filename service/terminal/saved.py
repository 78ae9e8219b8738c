"""Games that somebody left, to go on with: tokens are in there, so nobody else may read it."""

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
    server: str
    game: str
    token: str
    host: str | None = None  # the host's token, if the game is ours
    promise: str | None = None  # the hash of the seed, as it was told first
    data: str | None = None  # the folder of a service of our own
    ours: bool = False  # and whether we made that folder

    def is_same(self, other: "SavedGame") -> bool:
        return (self.game, self.token) == (other.game, other.token)


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    base = environment.get("XDG_STATE_HOME", "")
    place = Path(base) if base.startswith("/") else Path.home() / ".local" / "state"
    return place / "red-november"


class SavedGames:
    """The latest comes last. Raises OSError where the folder can't be written."""

    def __init__(self, place: Path | None = None):
        self.folder = place or folder()
        self._path = self.folder / "games.json"

    def all(self) -> list[SavedGame]:
        """What can't be read is none of ours."""
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
        """Whole or not at all, and never readable for others, not even for a moment."""
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
