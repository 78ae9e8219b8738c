"""Serve players: join, leave, hand seats over and take them back."""

from dataclasses import replace

from flask import Response

from service.api.schemas import Controller, NewPlayer, PlayerChange
from service.api.web import Blueprint, Loaded, caller, operation, problems, reply, store
from service.games import lobby, rights

blueprint = Blueprint(
    "players", __name__, url_prefix="/v1/games/<game_id>", description="Join, leave, hand seats over, renew tokens."
)


@blueprint.route("/players", methods=["POST"])
@operation("joinGame", "Take an open seat")
@problems(
    "already_started", "seat_taken", "game_over", "invalid", "bad_invitation", "invitation_used", "invitation_revoked"
)  # fmt: skip
@blueprint.arguments(NewPlayer)
@blueprint.response(201, "JoinedGame")
def join(wanted: Loaded, game_id: str) -> Response:
    """One of those who want a seat gets it. Where a player has several gnomes, all their seats are theirs. Into a
    private game comes whoever shows a token of it, or an `invitation`. By that one may also take a seat that a bot
    plays for nobody, before the start and while the game goes on."""
    return reply(lobby.join(store(), game_id, replace(caller("join"), invitation=wanted.get("invitation")), wanted))


@blueprint.route("/players/<player_id>", methods=["PATCH"])
@operation("updatePlayer", "Change what you keep with yourself")
@problems("not_found", "no_token", "forbidden", "game_over")
@blueprint.arguments(PlayerChange)
@blueprint.response(200, "Game")
def change(wanted: Loaded, game_id: str, player_id: str) -> Response:
    """Only that player may. `client_data` is for clients alone, up to 1,024 bytes of JSON that everybody may read who
    sees the game. It goes when the player leaves."""
    return reply(lobby.change_player(store(), game_id, caller("join"), player_id, wanted))


@blueprint.route("/players/<player_id>", methods=["DELETE"])
@operation("leaveGame", "Leave, or remove a player")
@problems("not_found", "no_token", "forbidden", "game_over")
@blueprint.response(204)
def leave(game_id: str, player_id: str) -> Response:
    """The player and the host may. Before the start the seats are open again, after it a bot plays them."""
    return reply(lobby.leave(store(), game_id, caller("join"), player_id))


@blueprint.route("/seats/<int:seat>/controller", methods=["PUT"])
@operation("setSeatController", "Hand a seat to a bot, or back to its player")
@problems("not_found", "no_token", "forbidden", "no_player", "game_over", "too_much_work", "invalid")
@blueprint.arguments(Controller)
@blueprint.response(200, "Game")
def control(wanted: Loaded, game_id: str, seat: int) -> Response:
    """The player and the host may, at any time, also when it is that seat's turn."""
    return reply(lobby.control(store(), game_id, caller("move", work=0), seat, wanted))


@blueprint.route("/token", methods=["POST"])
@operation("renewToken", "Get a new token for the one that you show")
@problems("no_token", "token_revoked")
@blueprint.response(200, "RenewedToken")
def renew_token(game_id: str) -> Response:
    """The host and players may, for instance when others may have seen their token. The one that you show is refused
    from then on, and its streams end."""
    return reply(rights.renew(store(), game_id, caller("join")))


@blueprint.route("/token", methods=["DELETE"])
@operation("revokeToken", "Give up the token that you show")
@problems("no_token", "token_revoked")
@blueprint.response(204)
def revoke_token(game_id: str) -> Response:
    """A player who does that leaves, unless the game is over. A host who does it leaves a game that nobody starts or
    deletes."""
    return reply(rights.revoke(store(), game_id, caller("join")))
