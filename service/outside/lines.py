"""A decision as an outside bot is told of it: with what its seat may know, as JSON or in numbers."""

import hashlib
from base64 import b64encode
from typing import Final, Literal

from engine import vector
from engine.enums import Phase
from service.accounts.model import Account
from service.games import timing, views
from service.games.model import Table, Viewer
from service.wire import Wire

_SEED_BYTES = 6  # that JSON's numbers hold exactly

Form = Literal["state", "vector"]
STATE: Final = "state"
FORMS: Final = (STATE, "vector")


def line(table: Table, decision: timing.Decision, account: Account, milliseconds: int, form: Form = STATE) -> Wire:
    """Return a decision as it is told, with what its seat may know."""
    id_ = decision.id_in(table.id)
    return {
        "type": "decision",
        "id": id_,
        "game": table.id,
        "seat": decision.seat,
        "kind": Phase(int(table.game.record["phase"][0])).name.lower(),
        "seed": seed_of(id_, decision.seat),
        "milliseconds": max(0, milliseconds),
        "round_trip": account.record.round_trip,
        "match": table.match_id,
        **(_seen(table, account, decision.seat) if form == STATE else _in_numbers(table, decision.seat)),
    }


def _seen(table: Table, account: Account, seat: int) -> Wire:
    return {"state": views.state(table, Viewer(bot=account.name, seats=(seat,)))}


def _in_numbers(table: Table, seat: int) -> Wire:
    """Return the game as programs that learn have it: a row of bytes, and the ids of legal moves."""
    row = b64encode(vector.observation(table.game, seat)).decode()
    return {"layout": vector.VERSION, "observation": row, "actions": vector.actions(table.game)}


def seed_of(id_: str, seat: int) -> int:
    """Return a bot's own chance for a decision. It is made of what everybody knows, and so tells nothing."""
    return int.from_bytes(hashlib.sha256(f"{id_} {seat}".encode()).digest()[:_SEED_BYTES], "little")
