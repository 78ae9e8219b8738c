"""The events of a table that the rules do not tell. Each has its fields here, and what it changes in `apply.py`.

Events are never rewritten: whoever reads them understands every kind that was ever stored. So a field that is added
here, or to `Seat`, needs a default.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from service.games.model import Json, Kind, Seat


class Event(Struct, frozen=True, tag_field="type"):
    """What happened, without its number, its version and its time."""

    def to_json(self) -> Json:
        return dict(msgspec.to_builtins(self))


class GameCreated(Event, frozen=True, tag="game_created"):
    pass


class PlayerJoined(Event, frozen=True, tag="player_joined", omit_defaults=True):
    player: str
    name: str
    seats: tuple[int, ...]
    invitation_id: str | None = None  # by which they joined
    bots: tuple[str | None, ...] = ()  # by seat, the bot whose place they took; left out where all seats were open


class PlayerLeft(Event, frozen=True, tag="player_left"):
    player: str
    seats: tuple[int, ...]


class GameStarted(Event, frozen=True, tag="game_started"):
    seats: tuple[Seat, ...]


class ControllerChanged(Event, frozen=True, tag="controller_changed"):
    seat: int
    kind: Kind
    bot: str | None


class PlayerAway(Event, frozen=True, tag="player_away"):
    seat: int


class PlayerBack(Event, frozen=True, tag="player_back"):
    seat: int


class TimeIsShort(Event, frozen=True, tag="time_is_short"):
    seat: int
    seconds: int


class BotThinks(Event, frozen=True, tag="bot_thinks"):
    seat: int
    bot: str


class ClientDataChanged(Event, frozen=True, tag="client_data_changed"):
    player: str | None  # whose they are; None for the host's, of the whole game
    client_data: Any


class AdviceChanged(Event, frozen=True, tag="advice_changed"):
    allowed: bool  # advice and odds


class InvitationMade(Event, frozen=True, tag="invitation_made"):
    invitation_id: str
    seat: int | None
    uses: int


class InvitationRevoked(Event, frozen=True, tag="invitation_revoked"):
    invitation_id: str


class GameOver(Event, frozen=True, tag="game_over"):
    """The engine tells it, with the result. The table only has to know that the game is over."""


LobbyEvent = (
    GameStarted
    | GameOver
    | PlayerJoined
    | PlayerLeft
    | ControllerChanged
    | PlayerAway
    | PlayerBack
    | TimeIsShort
    | ClientDataChanged
    | AdviceChanged
)
_KINDS: dict[str, type[Event]] = {
    "game_started": GameStarted,
    "game_over": GameOver,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
    "controller_changed": ControllerChanged,
    "player_away": PlayerAway,
    "player_back": PlayerBack,
    "time_is_short": TimeIsShort,
    "client_data_changed": ClientDataChanged,
    "advice_changed": AdviceChanged,
}
# Kinds that came after the contract was first released: they are told to whoever asks for all kinds.
LATER = (b"invitation_made", b"invitation_revoked", b"advice_changed")


_TYPE = b'"type":"'


def kind_of(stored: bytes) -> bytes:
    """Return the type of a stored event. It stands before all that callers have a say in."""
    begins = stored.index(_TYPE) + len(_TYPE)
    return stored[begins : stored.index(b'"', begins)]


def is_told(stored: bytes, all_kinds: bool) -> bool:
    """Return whether an event is told to a client that has asked for all kinds, or has not."""
    return all_kinds or kind_of(stored) not in LATER


def of_lobby(event: Mapping[str, Any]) -> LobbyEvent | None:
    """Return the event if it is one that changes a lobby. Raises msgspec.ValidationError."""
    kind = _KINDS.get(event["type"])
    return None if kind is None else msgspec.convert(event, kind)  # type: ignore[return-value]


def seats_of(event: Mapping[str, Any]) -> list[int]:
    """Return the seats that an event of a lobby is about; none for other events. Raises msgspec.ValidationError."""
    match of_lobby(event):
        case PlayerJoined(seats=seats) | PlayerLeft(seats=seats):
            return list(seats)
        case GameStarted(seats=seats):
            return [seat.seat for seat in seats]
        case ControllerChanged(seat=seat) | PlayerAway(seat=seat) | PlayerBack(seat=seat) | TimeIsShort(seat=seat):
            return [seat]
    return []
