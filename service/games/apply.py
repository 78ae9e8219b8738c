"""What events change. This is the only place that says so: live play and the past both come here."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from engine import Game
from service.callers import tokens
from service.games import timing
from service.games.events import (
    AdviceChanged,
    ClientDataChanged,
    ControllerChanged,
    Event,
    GameOver,
    GameStarted,
    LobbyEvent,
    PlayerAway,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    TimeIsShort,
    of_lobby,
)
from service.games.model import (
    BOT,
    FINISHED,
    OPEN,
    PLAYER,
    PLAYING,
    WAITING,
    Json,
    Lobby,
    Moment,
    Player,
    Progress,
    Seat,
    Secrets,
    Table,
)


def apply(lobby: Lobby, event: LobbyEvent) -> Lobby:
    """Return the lobby as it is after an event."""
    match event:
        case GameStarted(seats=seats):
            return replace(lobby, status=PLAYING, seats=seats)
        case GameOver():
            return replace(lobby, status=FINISHED)
        case PlayerJoined(player=id_, name=name, seats=seats):
            players = (*lobby.players, Player(id_, name, seats))
            seated = _changed(lobby, seats, kind=PLAYER, bot=None, player=id_, away=False)
            return replace(lobby, seats=seated, players=players)
        case PlayerLeft(player=id_, seats=seats):
            players = tuple(player for player in lobby.players if player.id != id_)
            kind, bot = (OPEN, None) if lobby.status == WAITING else (BOT, timing.SUBSTITUTE)
            seated = _changed(lobby, seats, kind=kind, bot=bot, player=None, away=False)
            return replace(lobby, seats=seated, players=players, client_data=_kept(lobby, id_, None))
        case ControllerChanged(seat=seat, kind=kind, bot=bot):
            return replace(lobby, seats=_changed(lobby, (seat,), kind=kind, bot=bot, away=False))
        case PlayerAway(seat=seat):
            return replace(lobby, seats=_changed(lobby, (seat,), away=True))
        case PlayerBack(seat=seat):
            return replace(lobby, seats=_changed(lobby, (seat,), away=False))
        case TimeIsShort():
            return replace(lobby, clock=replace(lobby.clock, remind=None))
        case ClientDataChanged(player=id_, client_data=data):
            return replace(lobby, client_data=_kept(lobby, id_ or tokens.HOST, data))
        case AdviceChanged(allowed=allowed):
            return replace(lobby, advice=allowed)


def _kept(lobby: Lobby, whose: str, data: Any) -> Mapping[str, Any]:
    """Return what clients keep with the game, with that of somebody changed; None is nothing."""
    others = {who: kept for who, kept in lobby.client_data.items() if who != whose}
    return others if data is None else others | {whose: data}


def _changed(lobby: Lobby, numbers: Iterable[int], **changes: object) -> tuple[Seat, ...]:
    seats = list(lobby.seats)
    for number in numbers:
        seats[number] = replace(seats[number], **changes)
    return tuple(seats)


def fold(lobby: Lobby, happened: Iterable[Event | Mapping[str, object]]) -> Lobby:
    """Return the lobby as it is after those events of any kind."""
    for each in happened:
        event = each if isinstance(each, Event) else of_lobby(each)
        if event is not None and isinstance(event, LobbyEvent):
            lobby = apply(lobby, event)
    return lobby


def before_first(now: Lobby, told: Iterable[Json]) -> Lobby:
    """Return the lobby as it was before the first event of its history. Bots that took the last open seats at the
    start appear as if they had been there before."""
    known, bots = now.seats, dict[int, str]()
    for event in map(of_lobby, told):
        if isinstance(event, PlayerJoined):
            bots = {seat: bot for seat, bot in zip(event.seats, event.bots, strict=False) if bot} | bots
        elif isinstance(event, GameStarted):
            known = event.seats
            break
    seats = tuple(Seat.new(seat.seat, bots.get(seat.seat) or _first(seat)) for seat in known)
    return Lobby(WAITING, seats, ())


def _first(seat: Seat) -> str:
    """Return who had a seat first, if no player has taken a bot's place there."""
    return OPEN if seat.player else seat.bot or OPEN


def advance(
    table: Table,
    at: Moment,
    *happened: Event | Mapping[str, object],
    game: Game | None = None,
    secrets: Secrets | None = None,
) -> Progress:
    """Return the table one version further, after those events."""
    version = table.version + 1
    told = tuple(
        {"seq": seq, "version": version, "at": at.text, **(each.to_json() if isinstance(each, Event) else each)}
        for seq, each in enumerate(happened, table.seq + 1)
    )
    game, lobby = game or table.game, fold(table.lobby, happened)
    after = replace(
        table,
        lobby=timing.with_clock(lobby, game, table.charter.turn_seconds, at.seconds),
        game=game,
        secrets=secrets or table.secrets,
        version=version,
        seq=table.seq + len(told),
        changed_at=at.text,
    )
    return Progress(table, after, told)
