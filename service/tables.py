"""A table: a game with everything around it that the rules don't know: seats, players, rights, its name, its dice."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from engine import Game
from service import layouts, timing, tokens
from service.store import Change, Store
from service.timing import OPEN, PLAYER

Wire = dict[str, Any]
log = logging.getLogger(__name__)

FIELDS = ("commit", "version", "seq", "record", "about", "rights", "secret", "seen", layouts.FIELD)


@dataclass(frozen=True)
class Viewer:
    """Whoever asks: the host, a player with his seats, or a spectator with none."""

    host: bool = False
    player: str | None = None
    seats: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """What tells views of one version apart."""
        return self.player or (tokens.HOST if self.host else "all")


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Table:
    """`about` is everybody's to see; `secret` nobody's before the end."""

    id: str
    version: int
    seq: int  # events so far
    game: Game
    about: Wire
    rights: dict[str, str]  # hash of a token → tokens.HOST or a player's id
    # "seed" in hex; "start": the position the game began from, unless its seed makes it; "opening": what happened
    # before the first decision, until the start tells it; "joined": players so far
    secret: Wire
    told: list[bytes] = field(default_factory=list)  # events of this change
    stored_version: int | None = None
    stored_by: bytes | None = None  # the commit that made what is stored
    epoch: str = ""  # of the store: another one may know an earlier past (see `redis_client.py`)
    thought_of: tuple[int, int] | None = None  # turn and seat that a bot was last said to think about
    seen: dict[str, float] = field(default_factory=dict)  # when each player was last heard of
    outdated: bool = False  # stored by an earlier release: the next change stores all of it
    is_past: bool = False  # as it was at an earlier version: to be looked at only

    @classmethod
    def load(cls, game_id: str, stored: Sequence[bytes | None], epoch: str) -> "Table":
        """Raises NewerLayout."""
        fields = layouts.upgraded(dict(zip(FIELDS, stored, strict=True)))
        commit, version, seq, record, about, rights, secret, seen = (fields[name] or b"" for name in FIELDS[:-1])
        return cls(
            game_id,
            int(version),
            int(seq),
            Game.from_bytes(record),
            orjson.loads(about),
            orjson.loads(rights)["tokens"],
            orjson.loads(secret),
            stored_version=int(version),
            stored_by=commit,
            epoch=epoch,
            seen=orjson.loads(seen or b"{}"),
            outdated=layouts.check(stored[-1]) < layouts.LAYOUT,
        )

    def viewer(self, token: str | None) -> Viewer | None:
        """None for a token that is not of this game."""
        return viewer_of(token, self.rights, self.about) if token else Viewer()

    @property
    def status(self) -> str:
        return str(self.about["status"])

    @property
    def private(self) -> bool:
        return bool(self.about["private"])

    @property
    def seats(self) -> list[Wire]:
        return self.about["seats"]

    @property
    def players(self) -> list[Wire]:
        return self.about["players"]

    def may_move(self, viewer: Viewer) -> bool:
        seat = self.game.decider
        playing = self.status == "playing" and seat is not None and seat in viewer.seats and not self.is_past
        return playing and self.seats[seat or 0]["kind"] == PLAYER

    def tell(self, at: float, events: Sequence[Wire]) -> None:
        """The next version, with what happened in it."""
        self.version += 1
        self.about["changed_at"] = when = stamp(at)
        for event in events:
            self.seq += 1
            head = {"seq": self.seq, "version": self.version, "at": when}
            self.told.append(orjson.dumps(head | event))

    def change(self, at: float, moved: bool = False, only_moves: bool = False) -> Change:
        """What to commit; call `tell` before. `moved` means into the status that it has now."""
        timing.set_clock(self.about, self.game, at)
        fields: Wire = {
            layouts.FIELD: layouts.LAYOUT,
            "version": self.version,
            "seq": self.seq,
            "record": self.game.to_bytes(),
            "about": orjson.dumps(self.about),
        }
        if not only_moves or self.outdated:
            fields |= {
                "rights": orjson.dumps({"private": self.private, "tokens": self.rights}),
                "secret": orjson.dumps(self.secret),
                "card": orjson.dumps(self.card()),
                "seen": orjson.dumps(self.seen),
            }
        return Change(
            self.id,
            self.stored_by,
            self.version,
            fields,
            self.told,
            self.status,
            not self.private,
            moved,
            timing.due(self.about, self.game, at),
            at,
        )

    def committed(self, change: Change) -> None:
        """The change is made; the table can be changed again."""
        self.stored_version, self.stored_by, self.told, self.outdated = self.version, change.id, [], False

    def card(self) -> Wire:
        """The game in a list of games."""
        return {
            "id": self.id,
            **{name: self.about[name] for name in ("name", "status", "created_at", "sandbox", "turn_seconds")},
            "rules": self.game.rules.to_dict(),
            "seats": self.seats,
            "players": self.players,
            "open_seats": sum(seat["kind"] == OPEN for seat in self.seats),
            "result": self.game.result,
        }


def fetch(store: Store, game_id: str) -> Table | None:
    """For workers: nobody asks. A game of a later release is left to the workers of that."""
    found = store.redis.ask(("HMGET", f"game:{game_id}", *FIELDS))
    if found[0][0] is None:
        return None
    try:
        return Table.load(game_id, found[0], found.epoch)
    except layouts.NewerLayout as error:
        log.warning("game %s %s", game_id, error)
        return None


def viewer_of(token: str, rights: dict[str, str], about: Wire) -> Viewer | None:
    who = tokens.holder(token, rights)
    if who is None or who == tokens.HOST:
        return Viewer(host=True) if who else None
    seats = next(player["seats"] for player in about["players"] if player["id"] == who)
    return Viewer(player=who, seats=tuple(seats))


def commitment(salt: str, seed: str) -> str:
    """What binds us to a seed without telling it."""
    return hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(seed)).hexdigest()
