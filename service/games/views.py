"""A table as JSON for whoever looks at it."""

from collections.abc import Iterable

import orjson

from engine import redact
from service.callers.tokens import HOST
from service.games import renaming
from service.games.model import WAITING, Json, Origin, Table, Viewer
from service.games.narrator import Narrator
from service.games.tables import stamp


def state(table: Table, viewer: Viewer, lang: str | None = None) -> Json:
    """Return everything a client needs, in one object; the game's fields are named as in a position. With a language
    legal moves are told in words, too."""
    game, charter, lobby = table.game, table.charter, table.lobby
    decider = game.decider
    seat = decider if decider in viewer.seats else next(iter(viewer.seats), None)
    if lobby.status == WAITING:
        seat = None  # nobody sees a hand before the start: a player may leave again, and would know it
    seen: Json = {**game.view(seat)}
    seen["moves_played"] = seen.pop("version")
    if not table.may_move(viewer):
        seen["legal_moves"] = []
    elif lang:
        seen["legal_moves"] = Narrator(lang, table).labelled(seen["legal_moves"], seen["phase"])
    if lobby.status == WAITING:
        seen["decision"] = None
    elif seen["decision"]:
        deadline = lobby.clock.deadline
        seen["decision"]["deadline"] = stamp(deadline) if deadline else None
    return {
        "id": table.id,
        "version": table.version,
        "seq": table.seq,
        "epoch": table.mark.epoch,
        "name": charter.name,
        "status": lobby.status,
        "visibility": renaming.visibility(charter.private),
        "sandbox": charter.sandbox,
        "turn_seconds": charter.turn_seconds,
        "advice": lobby.advice,
        "created_at": charter.created_at,
        "changed_at": table.changed_at,
        "seats": _seats(table),
        "players": [
            {
                "id": player.id,
                "name": player.name,
                "seats": player.seats,
                "client_data": lobby.client_data.get(player.id),
            }
            for player in lobby.players
        ],
        "client_data": lobby.client_data.get(HOST),
        "forked_from": _forked_from(charter.forked_from),
        "rematch_id": lobby.rematch,
        "match": table.match_id,
        "dice": dice(table),
        "you": {"host": viewer.host, "player_id": viewer.player, "seats": viewer.seats},
        **seen,
    }


def _seats(table: Table) -> list[Json]:
    """Return the seats, each with the time when its player was last heard of."""
    heard = {player: stamp(at) for player, at in table.seen.items()}
    return [
        {
            "seat": seat.seat,
            "kind": seat.kind,
            "bot": seat.bot,
            "player_id": seat.player,
            "away": seat.away,
            "last_seen_at": heard.get(seat.player or ""),
        }
        for seat in table.lobby.seats
    ]


def _forked_from(origin: Origin | None) -> Json | None:
    return {"game_id": origin.game, "version": origin.version} if origin else None


def dice(table: Table) -> Json:
    """Return the commitment to the seed; and the seed, when the game is over."""
    promised = table.charter.dice
    seed = table.secrets.seed if table.tells_seed else None
    return {"salt": promised.salt, "hash": promised.hash, "seed": seed}


def tag(version: int, epoch: str, label: str, present: int | None = None) -> str:
    """Return what the version, the epoch of the store and the view make different. An earlier version has another tag
    than it had at its time: nobody can move in it any more."""
    return f"{version}-{epoch}-{label}" + "-past" * (present is not None and version < present)


def etag(table: Table, viewer: Viewer) -> str:
    """Return a weak ETag: who was last seen when may differ."""
    return f'W/"{tag(table.version, table.mark.epoch, viewer.label)}"'


def known(events: Iterable[Json], viewer: Viewer) -> list[Json]:
    """Return events as that viewer may know them."""
    return [renaming.event(redact(event, list(viewer.seats))) for event in events]


def event(stored: bytes, viewer: Viewer, narrator: Narrator | None = None) -> bytes:
    """Return an event as that viewer may know it. Few have a secret, or a former name: the others pass as they are
    stored, unless a narrator adds words."""
    if b'"private":' not in stored and narrator is None and not renaming.is_told_otherwise(stored):
        return stored
    seen = renaming.event(redact(orjson.loads(stored), list(viewer.seats)))
    return orjson.dumps(narrator.told(seen) if narrator else seen)


def events(stored: Iterable[bytes], viewer: Viewer, narrator: Narrator | None = None) -> bytes:
    return b"[" + b",".join(event(each, viewer, narrator) for each in stored) + b"]"
