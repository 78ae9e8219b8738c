"""A whole game through the generated Python client.

Its arguments are the service's address and, for a release with other codes, the code of what is forbidden.
"""

import sys
from typing import TypeVar
from uuid import uuid4

from red_november_client import AuthenticatedClient
from red_november_client.api.games import create_game, get_game, get_replay, start_game
from red_november_client.api.moves import list_legal_moves, play_moves
from red_november_client.api.players import join_game
from red_november_client.models import (
    CreatedGame,
    Game,
    JoinedGame,
    LegalMoveList,
    NewGame,
    NewPlayer,
    PlayedMoves,
    Problem,
    Replay,
    StartOptions,
    Turn,
)

Model = TypeVar("Model")

MOST_MOVES = 2000


def kept(kind: type[Model], answer: object) -> Model:
    """The answer, if it is what was asked for."""
    assert isinstance(answer, kind), answer
    return answer


url, forbidden = [*sys.argv[1:], "forbidden"][:2]
# Where a token may be sent, the generator's types want one: this one goes into a header that nobody reads.
anybody = AuthenticatedClient(base_url=url, token="none", auth_header_name="X-Nobody")
key = str(uuid4())
wanted = NewGame(seats=["open"] * 3, players=1, name="Python")
created = kept(CreatedGame, create_game.sync(client=anybody, body=wanted, idempotency_key=key))
again = kept(CreatedGame, create_game.sync(client=anybody, body=wanted, idempotency_key=key))
assert (again.game.id, again.token) == (created.game.id, created.token)
game = created.game.id
host = AuthenticatedClient(base_url=url, token=created.token)
joined = kept(JoinedGame, join_game.sync(game, client=host, body=NewPlayer(name="Ada")))
assert joined.game.you.seats == [0, 1, 2]
player = AuthenticatedClient(base_url=url, token=joined.token)
refused = kept(Problem, start_game.sync(game, client=player, body=StartOptions()))
assert (refused.status, refused.code) == (403, forbidden)
state = kept(Game, start_game.sync(game, client=host, body=StartOptions()))

for _ in range(MOST_MOVES):
    legal = kept(LegalMoveList, list_legal_moves.sync(game, client=player))
    if not legal.legal_moves:
        break
    turn = Turn(moves=[legal.legal_moves[-1]], version=legal.version)
    played = kept(PlayedMoves, play_moves.sync(game, client=player, body=turn))
    assert played.events[0].type_ == "choice"

state = kept(Game, get_game.sync(game, client=player))
assert state.result is not None
replay = kept(Replay, get_replay.sync(game, client=anybody))
assert replay.result == state.result
print(f"{len(replay.moves)} moves, {state.result.crew.value}: {state.result.cause.value}")
