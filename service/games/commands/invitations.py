"""Invite players, and take invitations back. The token of one lets so many join as it is for, and nothing else."""

from collections.abc import Iterable

from msgspec.structs import replace

from service.games.apply import advance
from service.games.events import InvitationMade, InvitationRevoked
from service.games.model import FINISHED, Invitation, Moment, Progress, Secrets, Table, Viewer
from service.games.viewers import need_host
from service.refusals import Fault, Problem, invalid

MOST = 32  # invitations that a game remembers; those that are used up or revoked make room


def invite(table: Table, viewer: Viewer, seat: int | None, uses: int, digest: str, at: Moment) -> Progress:
    """Make an invitation for a seat, or any, whose token has that digest."""
    need_host(viewer)
    if table.status == FINISHED:
        raise Problem("game_over", "Nobody plays any more.")
    if seat is not None and not 0 <= seat < len(table.lobby.seats):
        raise invalid("/seat", "range", f"must be 0 to {len(table.lobby.seats) - 1}")
    known = table.secrets.invitations
    if len(known) >= MOST:
        spent = next((each for each in known if not each.is_live), None)
        if spent is None:
            raise Problem("too_many_invitations", f"There are {MOST} that nobody has used: revoke some.")
        known = tuple(each for each in known if each is not spent)
    number = 1 + max((int(each.id[1:]) for each in table.secrets.invitations), default=0)
    made = Invitation(f"i{number}", digest, seat, uses, at.text)
    event = InvitationMade(made.id, seat, uses)
    return advance(table, at, event, secrets=replace(table.secrets, invitations=(*known, made)))


def revoke(table: Table, viewer: Viewer, invitation_id: str, at: Moment) -> Progress:
    """Make an invitation worthless. It is no progress when it is revoked already."""
    need_host(viewer)
    found = next((each for each in table.secrets.invitations if each.id == invitation_id), None)
    if found is None:
        raise Problem("not_found", "There is no such invitation.")
    if found.revoked:
        return Progress.none(table)
    event = InvitationRevoked(invitation_id)
    changed = _changed(table.secrets.invitations, found, replace(found, revoked=True))
    return advance(table, at, event, secrets=replace(table.secrets, invitations=changed))


def need_invitation(secrets: Secrets, digest: str) -> Invitation:
    """Return the invitation whose token has that digest; raises a Problem if it is worth nothing."""
    found = secrets.invitation(digest)
    if found is None:
        raise _refused("bad_invitation", "It may be of another game.")
    if found.revoked:
        raise _refused("invitation_revoked", "The host has taken it back. Ask them for another one.")
    if not found.is_live:
        raise _refused("invitation_used", "As many as it is for have joined. Ask the host for another one.")
    return found


def used(invitations: Iterable[Invitation], one: Invitation, player: str) -> tuple[Invitation, ...]:
    """Return the invitations after a player has joined by one of them."""
    return _changed(invitations, one, replace(one, players=(*one.players, player)))


def _changed(invitations: Iterable[Invitation], one: Invitation, other: Invitation) -> tuple[Invitation, ...]:
    return tuple(other if each.id == one.id else each for each in invitations)


def _refused(code: str, detail: str) -> Problem:
    told: Fault = {"pointer": "/invitation", "code": "value", "detail": detail}
    return Problem(code, detail, [told])
