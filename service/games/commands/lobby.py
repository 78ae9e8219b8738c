"""Open a table, join it, leave it, start it."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Game
from service.games.apply import advance
from service.games.commands.client_data import keep
from service.games.commands.invitations import used
from service.games.events import GameCreated, GameStarted, PlayerJoined, PlayerLeft
from service.games.model import (
    BOT,
    FINISHED,
    OPEN,
    WAITING,
    Charter,
    Invitation,
    Lobby,
    Mark,
    Moment,
    Progress,
    Seat,
    Secrets,
    Table,
    Viewer,
)
from service.games.viewers import need_host, need_token
from service.refusals import Fault, Problem, invalid
from service.wire import Wire

_NEW = Mark()


def open_table(
    game_id: str, charter: Charter, game: Game, secrets: Secrets, seats: Sequence[str], at: Moment, mark: Mark = _NEW
) -> Progress:
    """Set up a table. Each of the seats is open, or the name of a bot."""
    if game.result is not None:
        raise invalid("/position", "conflict", "is of a game that is over")
    lobby = Lobby(WAITING, tuple(Seat.new(number, who) for number, who in enumerate(seats)), ())
    return advance(Table(game_id, charter, lobby, game, secrets, mark=mark), at, GameCreated())


def join(
    table: Table, name: str, seat: int | None, digest: str, at: Moment, invited: Invitation | None = None
) -> Progress:
    """Give a new player the open seat, or any, and with it all seats that the rules give to one player. The digest is
    that of their token. Whoever is invited may take a bot's place, and join a game that goes on."""
    if table.status == FINISHED and invited:
        raise Problem("game_over", "Nobody plays any more.")
    if table.status != WAITING and not invited:
        raise Problem("already_started", "Players join before the start.")
    seats = table.lobby.seats
    seat = _wanted(table, seat, invited)
    if not _is_free(seats[seat], invited):
        taken: Fault = {"pointer": "/seat", "code": "conflict", "detail": "is taken"}
        raise Problem("seat_taken", f"Seat {seat} is taken.", [taken])
    given = tuple(other for other in table.charter.rules.seats_of_player_at(seat) if _is_free(seats[other], invited))
    bots = tuple(seats[number].bot for number in given)
    joined = table.secrets.joined + 1
    player = f"p{joined}"
    secrets = replace(table.secrets, joined=joined, tokens={**table.secrets.tokens, digest: player})
    event = PlayerJoined(player, name, given, invited.id if invited else None, bots if any(bots) else ())
    if invited:
        secrets = replace(secrets, invitations=used(secrets.invitations, invited, player))
    seen = {**table.seen, player: at.seconds}
    return _seen(advance(table, at, event, secrets=secrets), seen)


def _wanted(table: Table, seat: int | None, invited: Invitation | None) -> int:
    """Return the seat that somebody is to have: the one they name, that of their invitation, or the first free one."""
    seats = table.lobby.seats
    if invited and invited.seat is not None:
        if seat not in (None, invited.seat):
            raise invalid("/seat", "conflict", f"must be {invited.seat}, which the invitation is for")
        seat = invited.seat
    if seat is None:
        free = [each for each in seats if _is_free(each, invited)]
        if not free:
            raise Problem("seat_taken", "No seat is free." if invited else "No seat is open.")
        return min(free, key=lambda each: (each.kind != OPEN, each.seat)).seat
    if not 0 <= seat < len(seats):
        raise invalid("/seat", "range", f"must be 0 to {len(seats) - 1}")
    return seat


def _is_free(seat: Seat, invited: Invitation | None) -> bool:
    """Return whether a seat is open, or a bot's that stands in for nobody where somebody is invited to take it."""
    return seat.kind == OPEN or (invited is not None and seat.kind == BOT and seat.player is None)


def join_as(
    table: Table, wanted: Wire, digest: str, at: Moment, invited: Invitation | None = None
) -> tuple[Progress, Viewer]:
    """Let somebody join who tells their name, and perhaps a seat and what they keep with them; return who they are,
    too."""
    progress = join(table, wanted["name"], wanted.get("seat"), digest, at, invited)
    player = progress.after.lobby.players[-1]
    if wanted.get("client_data") is not None:
        progress = progress.then(keep(progress.after, player.id, wanted["client_data"], at))
    return progress, Viewer(player=player.id, seats=player.seats)


def leave(table: Table, viewer: Viewer, player_id: str, at: Moment) -> Progress:
    """Remove a player. Their seats reopen before the start; afterwards a bot plays them."""
    need_token(viewer)
    if not viewer.host and viewer.player != player_id:
        raise Problem("forbidden", "Only the host and the player may do that.")
    player = table.lobby.player(player_id)
    if player is None:
        raise Problem("not_found", "There is no such player.")
    if table.status == FINISHED:
        raise Problem("game_over", "Nobody can leave any more.")
    tokens = {digest: who for digest, who in table.secrets.tokens.items() if who != player_id}
    secrets = replace(table.secrets, tokens=tokens)
    seen = {who: heard for who, heard in table.seen.items() if who != player_id}
    return _seen(advance(table, at, PlayerLeft(player_id, player.seats), secrets=secrets), seen)


def _seen(progress: Progress, seen: dict[str, float]) -> Progress:
    return replace(progress, after=replace(progress.after, seen=seen))


def start(table: Table, viewer: Viewer, fill_with: str | None, at: Moment) -> Progress:
    """Begin the game, with a bot of that name in each seat that is still open."""
    need_host(viewer)
    if table.status != WAITING:
        raise Problem("already_started", "It starts once.")
    still_open = table.lobby.open_seats
    if still_open and fill_with is None:
        raise Problem("seats_open", "Fill them with bots: send `fill_with`.", open_seats=still_open)
    seats = tuple(
        Seat.new(seat.seat, fill_with) if fill_with and seat.kind == OPEN else seat for seat in table.lobby.seats
    )
    opening = table.secrets.opening or ()
    return advance(table, at, GameStarted(seats), *opening, secrets=replace(table.secrets, opening=None))
