"""The table: a game with everything around it that the rules do not know, in four parts.

The charter never changes. The lobby is what the events of `events.py` come to (see `apply.py`). The game is the
engine's record. No event carries the secrets. All four are immutable: a command takes a table and returns another one.
"""

import hashlib
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from engine import Game, Rules
from service.callers import tokens
from service.wire import Wire

Json = Wire  # an event or a position: its shape is the engine's

Kind = Literal["open", "player", "bot"]
OPEN: Final = "open"
PLAYER: Final = "player"
BOT: Final = "bot"

Status = Literal["waiting", "playing", "finished"]
WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"

PUBLIC: Final = "public"
PRIVATE: Final = "private"
VISIBILITIES = (PUBLIC, PRIVATE)


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a table that is stored as JSON. Every field is required, and no other is accepted."""


class Moment(NamedTuple):
    """A time, in seconds for the service and as text for people."""

    seconds: float
    text: str


class Dice(Part, frozen=True):
    """A commitment to the seed: whoever learns the seed after the game can check it."""

    salt: str
    hash: str

    @classmethod
    def committed(cls, salt: str, seed: str) -> "Dice":
        return cls(salt, hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(seed)).hexdigest())


class Origin(Part, frozen=True):
    """The game, and its version, that this one is a fork of."""

    game: str
    version: int


class Charter(Struct, frozen=True):
    """What never changes."""

    rules: Rules
    name: str
    private: bool
    sandbox: bool
    turn_seconds: int | None
    created_at: str
    forked_from: Origin | None
    dice: Dice


class Seat(Part, frozen=True):
    """A gnome's place, and who decides for it. A seat that a bot plays may still belong to a player."""

    seat: int
    kind: Kind
    bot: str | None
    player: str | None
    away: bool  # the player let a deadline pass, and a bot stands in until they are back

    @classmethod
    def new(cls, seat: int, who: str) -> "Seat":
        """Return an open seat, or one for the bot of that name."""
        return cls(seat, OPEN, None, None, False) if who == OPEN else cls(seat, BOT, who, None, False)


class Player(Part, frozen=True):
    id: str
    name: str
    seats: tuple[int, ...]


class Clock(Part, frozen=True):
    """The time of one decision."""

    of: tuple[int, int, Kind] | None  # the decision: moves played, seat, and who decides; None while nobody does
    deadline: float | None
    remind: float | None  # when to remind the player; None when there is no need, or it is done


STOPPED: Final = Clock(None, None, None)


class Lobby(Struct, frozen=True):
    """The table around the game: who sits where, how far it is, whose time runs, and what clients keep with it."""

    status: Status
    seats: tuple[Seat, ...]
    players: tuple[Player, ...]
    clock: Clock = STOPPED
    client_data: Mapping[str, Any] = {}  # what clients keep: tokens.HOST or a player's id → any JSON
    rematch: str | None = None  # the id of the game that the same crew plays next
    advice: bool = True  # whether advice and odds are given, while it goes on

    @property
    def open_seats(self) -> list[int]:
        return [seat.seat for seat in self.seats if seat.kind == OPEN]

    def player(self, player_id: str) -> Player | None:
        return next((player for player in self.players if player.id == player_id), None)


class Invitation(Part, frozen=True):
    """A right to join that the host gives away: to take a seat, or any, so many times."""

    id: str
    digest: str  # of its token
    seat: int | None
    uses: int
    created_at: str
    players: tuple[str, ...] = ()  # who joined by it
    revoked: bool = False

    @property
    def is_live(self) -> bool:
        return not self.revoked and len(self.players) < self.uses


class Secrets(Struct, frozen=True):
    """What no event carries. The seed is revealed when the game is over."""

    seed: str  # hexadecimal
    start: Json | None  # the position that the game began from, unless its seed makes it
    tokens: Mapping[str, str]  # digest of a token → tokens.HOST or a player's id
    joined: int = 0  # players so far, those who left included
    opening: tuple[Json, ...] | None = None  # what happened before the first decision; None after the start
    revoked: tuple[str, ...] = ()  # digests of the last tokens that were renewed or revoked
    invitations: tuple[Invitation, ...] = ()

    def invitation(self, digest: str) -> Invitation | None:
        """Return the invitation whose token has that digest."""
        return next((each for each in self.invitations if compare_digest(each.digest, digest)), None)

    def __repr__(self) -> str:
        return "Secrets(…)"


class Viewer(Struct, frozen=True):
    """The host, a player with their seats, or a spectator, who has sent no token."""

    host: bool = False
    player: str | None = None
    seats: tuple[int, ...] = ()
    token_digest: str = ""
    bot: str | None = None  # the outside bot that plays those seats

    @property
    def label(self) -> str:
        """Return a word that distinguishes views of the same version."""
        if self.bot:
            return f"bot-{self.bot}"
        return self.player or (tokens.HOST if self.host else "all")


class PlayedFor(Part, frozen=True):
    """The match that a game is played for, its place there, and the versions of outside bots that play it."""

    match: str
    place: str
    versions: Mapping[str, str]  # account → version


class Mark(Struct, frozen=True):
    """What the store says of the table that it holds."""

    commit: bytes | None = None  # the one that made it; None for a new table
    epoch: str = ""  # of the store: another one may know another past (see `redis_client.py`)
    outdated: bool = False  # an earlier release stored it, so the next change stores all of it
    creator: str = ""  # the caller whom workers' time is charged to (see `origin.py`); nobody else may know


class Table(Struct, frozen=True):
    """A game at one version."""

    id: str
    charter: Charter
    lobby: Lobby
    game: Game
    secrets: Secrets
    version: int = 0
    seq: int = 0  # events so far
    changed_at: str = ""
    answered: tuple[tuple[int, int], ...] = ()  # latest by outside bots: after how many moves, at which seat
    seen: dict[str, float] = {}  # when each player was last heard of; no change of the game, so it may be amended
    mark: Mark = Mark()
    played_for: PlayedFor | None = None  # a match; never changes
    is_past: bool = False  # an earlier version: one can look at it, and not move

    @property
    def status(self) -> Status:
        return self.lobby.status

    @property
    def creator(self) -> str:
        return self.mark.creator

    @property
    def tells_seed(self) -> bool:
        """Return whether its seed is a secret no more. A match plays other games on the same one."""
        return self.status == FINISHED and self.played_for is None

    @property
    def match_id(self) -> str | None:
        """Return the match that the game is played for, if any."""
        return self.played_for.match if self.played_for else None

    @property
    def is_taken_up(self) -> bool:
        """Return whether anybody has taken it up, if only the bots that play it."""
        return self.status != WAITING or bool(self.lobby.players)

    def may_move(self, viewer: Viewer) -> bool:
        seat = self.game.decider
        playing = self.status == PLAYING and seat is not None and seat in viewer.seats and not self.is_past
        return playing and self.lobby.seats[seat or 0].kind == (BOT if viewer.bot else PLAYER)


class Seen(NamedTuple):
    """A table, and who looks at it."""

    table: Table
    viewer: Viewer


class Progress(Struct, frozen=True):
    """What a command has done: the table before and after, and the events between. Without events it did nothing."""

    before: Table
    after: Table
    events: tuple[Json, ...] = ()

    @classmethod
    def none(cls, table: Table) -> "Progress":
        return cls(table, table)

    def then(self, following: "Progress") -> "Progress":
        """Return both as one. The other one must have begun where this one ends."""
        return Progress(self.before, following.after, self.events + following.events)

    @property
    def is_new_status(self) -> bool:
        """Return whether the table is new, or has changed its status."""
        return self.before.version == 0 or self.before.status != self.after.status
