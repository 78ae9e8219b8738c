"""Serve invitations: by each so many may join as it is for."""

from flask import Response

from service.api.schemas import NewInvitation
from service.api.web import Blueprint, Loaded, caller, operation, problems, reply, store
from service.games import invitations

blueprint = Blueprint(
    "invitations", __name__, url_prefix="/v1/games/<game_id>/invitations", description="Let friends in by a link."
)


@blueprint.route("", methods=["POST"])
@operation("inviteToGame", "Invite somebody")
@problems("no_token", "forbidden", "game_over", "too_many_invitations", "invalid")
@blueprint.arguments(NewInvitation, required=False)
@blueprint.response(201, "CreatedInvitation")
def invite(wanted: Loaded, game_id: str) -> Response:
    """Only the host may. Its token, which is told only once, is good for `joinGame` as `invitation`, and for nothing
    else: for a seat or any, once or `uses` times, while the game waits or goes on. Best put it behind the `#` of a
    link, which no server sees."""
    return reply(invitations.invite(store(), game_id, caller("join"), wanted))


@blueprint.route("", methods=["GET"])
@operation("listInvitations", "The game's invitations")
@problems("no_token", "forbidden")
@blueprint.response(200, "InvitationList")
def listing(game_id: str) -> Response:
    """Only the host may look: which are open, used up or revoked, and who joined by each. Tokens are not among them."""
    return reply(invitations.listing(store(), game_id, caller("poll")))


@blueprint.route("/<invitation_id>", methods=["DELETE"])
@operation("revokeInvitation", "Take an invitation back")
@problems("not_found", "no_token", "forbidden")
@blueprint.response(204)
def revoke(game_id: str, invitation_id: str) -> Response:
    """Only the host may. Whoever has joined by it stays."""
    return reply(invitations.revoke(store(), game_id, caller("join"), invitation_id))
