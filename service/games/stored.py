"""A table as it is stored: the fields of a game's hash, and the change that a commit writes.

Releases that run side by side read each other's games, so a change of what stands here takes a new layout and a
migration in `layouts.py`. Unknown fields are refused: what a later release stored would be lost with the next change.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import Game, Rules
from service.accounts.names import account_of
from service.games import timing
from service.games.model import (
    Charter,
    Clock,
    Dice,
    Invitation,
    Json,
    Lobby,
    Mark,
    Origin,
    Part,
    PlayedFor,
    Player,
    Progress,
    Seat,
    Secrets,
    Status,
    Table,
)
from service.store import layouts
from service.store.asked import Asked
from service.store.store import Change
from service.wire import Wire

FIELDS = (
    "commit", "version", "seq", "record", "about", "rights", "secret", "seen", "creator", "revoked", "client_data",
    "invitations", "rematch", "answered", "advice", "played_for",
    layouts.FIELD,
)  # fmt: skip
ANSWERED = ("answered", layouts.FIELD)


class About(Part, frozen=True):
    """Charter and lobby, which everybody may see."""

    name: str
    status: Status
    private: bool
    sandbox: bool
    turn_seconds: int | None
    created_at: str
    changed_at: str
    seats: tuple[Seat, ...]
    players: tuple[Player, ...]
    clock: Clock
    forked_from: Origin | None
    dice: Dice

    @classmethod
    def of(cls, table: Table) -> "About":
        charter, lobby = table.charter, table.lobby
        return cls(
            charter.name, lobby.status, charter.private, charter.sandbox, charter.turn_seconds, charter.created_at,
            table.changed_at, lobby.seats, lobby.players, lobby.clock, charter.forked_from, charter.dice,
        )  # fmt: skip

    def charter(self, rules: Rules) -> Charter:
        return Charter(
            rules, self.name, self.private, self.sandbox, self.turn_seconds, self.created_at, self.forked_from,
            self.dice,
        )  # fmt: skip

    def lobby(self, client_data: Mapping[str, Any], rematch: str | None, advice: bool) -> Lobby:
        return Lobby(self.status, self.seats, self.players, self.clock, client_data, rematch, advice)


class Rights(Part, frozen=True):
    """The rights to see a game and to act in it; whoever polls needs nothing else."""

    private: bool
    tokens: dict[str, str]


class Secret(Part, frozen=True, kw_only=True, omit_defaults=True):
    seed: str
    start: Json | None
    opening: tuple[Json, ...] | None = None
    joined: int


class Card(Part, frozen=True):
    """A game in a list of games; `listing.py` reads it alone."""

    id: str
    name: str
    status: Status
    created_at: str
    sandbox: bool
    turn_seconds: int | None
    rules: Json  # as the release that stored it knew them
    seats: tuple[Seat, ...]
    players: tuple[Player, ...]
    open_seats: int
    result: Json | None


_about = msgspec.json.Decoder(About)
_rights = msgspec.json.Decoder(Rights)
_secret = msgspec.json.Decoder(Secret)
_seen = msgspec.json.Decoder(dict[str, float])
_revoked = msgspec.json.Decoder(tuple[str, ...])
_invitations = msgspec.json.Decoder(tuple[Invitation, ...])
_rematch = msgspec.json.Decoder(str | None)
_answered = msgspec.json.Decoder(tuple[tuple[int, int], ...])
_advice = msgspec.json.Decoder(bool)
_played_for = msgspec.json.Decoder(PlayedFor)
_client_data = msgspec.json.Decoder(Wire)
_json = msgspec.json.Encoder()


def load(game_id: str, stored: Sequence[bytes | None], epoch: str) -> Table:
    """Return the table that FIELDS hold. Raises NewerLayout; and msgspec.DecodeError, ValueError or GameError when
    they hold no game."""
    layout = layouts.check(stored[-1])
    if layout < layouts.LAYOUT:
        fields = layouts.upgraded(dict(zip(FIELDS, stored, strict=True)))
        stored = [fields[name] for name in FIELDS]
    commit, version, seq, record, about, rights, secret, seen, creator, revoked, *more = (
        value or b"" for value in stored[:-1]
    )
    client_data, invitations, rematch, answered, advice, played_for = more
    known, private, game = _about.decode(about), _secret.decode(secret), Game.from_bytes(record)
    holders = _rights.decode(rights).tokens
    secrets = Secrets(
        private.seed, private.start, holders, private.joined, private.opening, read_revoked(revoked),
        _invitations.decode(invitations or b"[]"),
    )  # fmt: skip
    return Table(
        game_id,
        known.charter(game.rules),
        known.lobby(
            _client_data.decode(client_data or b"{}"),
            _rematch.decode(rematch or b"null"),
            _advice.decode(advice or b"true"),
        ),
        game,
        secrets,
        int(version),
        int(seq),
        known.changed_at,
        _answered.decode(answered) if answered else (),
        read_seen(seen),
        Mark(commit, epoch, layout < _layout_of(known.seats, bool(played_for)), creator.decode()),
        _played_for.decode(played_for) if played_for else None,
    )


def _layout_of(seats: Sequence[Seat], is_for_match: bool) -> int:
    """Return the layout that a game with such seats is stored in, or one that is played for a match."""
    return layouts.of_game(is_for_match or any(account_of(seat.bot) is not None for seat in seats))


def read_rights(stored: bytes) -> Rights:
    return _rights.decode(stored)


def read_seen(stored: bytes | None) -> dict[str, float]:
    return _seen.decode(stored or b"{}")


def read_revoked(stored: bytes | None) -> tuple[str, ...]:
    """Return the digests of tokens that are revoked. Their field is left out where there are none."""
    return _revoked.decode(stored) if stored else ()


def has_answered(stored: Sequence[bytes | None], moves: int) -> bool:
    """Return whether ANSWERED, of a game of this release, say that an outside bot made its choice after so many
    moves."""
    answered, layout = stored
    if answered is None or int(layout or 0) != layouts.LAYOUT:
        return False
    return any(after == moves for after, _ in _answered.decode(answered))


def change(progress: Progress, at: float, listed: bool = True) -> Change:
    """Return what a commit of that progress writes; `listed` is whether a public game is to be in the list of games."""
    table = progress.after
    fields: Wire = {
        layouts.FIELD: _layout_of(table.lobby.seats, table.played_for is not None),
        "version": table.version,
        "seq": table.seq,
        "record": table.game.to_bytes(),
        "about": _json.encode(About.of(table)),
    }
    if not _is_only_play(progress):
        secrets = table.secrets
        secret = Secret(seed=secrets.seed, start=secrets.start, opening=secrets.opening, joined=secrets.joined)
        fields |= {
            "rights": _json.encode(Rights(table.charter.private, dict(secrets.tokens))),
            "secret": _json.encode(secret),
            "card": _json.encode(card(table)),
            "seen": _json.encode(table.seen),
            "creator": table.creator,
        }
        if secrets.revoked:
            fields["revoked"] = _json.encode(secrets.revoked)
        if secrets.invitations:
            fields["invitations"] = _json.encode(secrets.invitations)
    if table.lobby.client_data is not progress.before.lobby.client_data:
        fields["client_data"] = _json.encode(table.lobby.client_data)
    if table.lobby.rematch != progress.before.lobby.rematch:
        fields["rematch"] = _json.encode(table.lobby.rematch)
    if table.answered is not progress.before.answered:
        fields["answered"] = _json.encode(table.answered)
    if table.lobby.advice != progress.before.lobby.advice:
        fields["advice"] = _json.encode(table.lobby.advice)
    if table.played_for is not progress.before.played_for:
        fields["played_for"] = _json.encode(table.played_for)
    events = [_json.encode(event) for event in progress.events]
    made = _change(table, fields, events, at, listed, progress.is_new_status)
    before = progress.before
    was, now = asked(before), asked(table)
    if was != now:
        made.asked, made.asks = was, now
    if progress.is_new_status or before.lobby.seats is not table.lobby.seats:
        made.outside = timing.outsiders(table.lobby)
    return made


def asked(table: Table) -> Asked | None:
    """Return the decision that an outside bot must make."""
    decision = timing.decision_of_outsider(table.lobby, table.game)
    if decision is None:
        return None
    version = table.played_for.versions.get(decision.account, "") if table.played_for else None
    return Asked(decision.account, decision.id_in(table.id), version)


def _is_only_play(progress: Progress) -> bool:
    """Return whether nothing has changed but the record and the clock."""
    before, after = progress.before, progress.after
    same_crew = before.lobby.seats is after.lobby.seats and before.lobby.players is after.lobby.players
    return not after.mark.outdated and not progress.is_new_status and same_crew and before.secrets is after.secrets


def restored(table: Table, fields: Mapping[str, Any], events: Sequence[bytes], at: float, listed: bool) -> Change:
    """Return what puts a table into another store, with all that was stored of it."""
    made = _change(table, dict(fields), events, at, listed, is_new_status=True)
    made.asks, made.outside = asked(table), timing.outsiders(table.lobby)
    return made


def _change(
    table: Table, fields: Wire, events: Sequence[bytes], at: float, listed: bool, is_new_status: bool
) -> Change:
    return Change(
        table.id,
        table.mark.commit,
        table.version,
        fields,
        events,
        table.status,
        listed and not table.charter.private,
        is_new_status,
        timing.due(table.lobby, table.game, at),
        at,
        table.creator,
        table.is_taken_up,
    )


def card(table: Table) -> Card:
    """Return the game as a list of games shows it."""
    charter, lobby, result = table.charter, table.lobby, table.game.result
    return Card(
        table.id, charter.name, lobby.status, charter.created_at, charter.sandbox, charter.turn_seconds,
        {**charter.rules.to_dict()}, lobby.seats, lobby.players, len(lobby.open_seats), {**result} if result else None,
    )  # fmt: skip
