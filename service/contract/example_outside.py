"""The contract's examples of outside bots."""

from service.accounts.model import Account, Crew, Record, Terms
from service.games import timing
from service.games.lines import NDJSON
from service.games.model import Table
from service.games.tables import stamp
from service.outside import lines, views
from service.wire import Wire

JSON = "application/json"
NAME = "deepgnome"
TOKEN = f"rn_{NAME}." + "g4Jm6QxE" * 5 + "rW1"
_REGISTERED = 1_780_000_000.0
_WANTED: Wire = {"name": NAME, "description": "A net that learned by itself.", "version": "1.4", "open": 32}
_ACCOUNT = Account(
    NAME, "", _REGISTERED, Terms(_WANTED["description"], _WANTED["version"], _WANTED["open"]), "", "",
    record=Record(4183, 3, 0, 301_176, 38, (Crew(("captain",), 61, 44), Crew(("player", "sailor"), 5, 2))),
)  # fmt: skip


def listed() -> list[Wire]:
    return [views.account(_ACCOUNT, is_connected=True)]


def requests() -> dict[str, dict[str, Wire]]:
    """Return examples of requests by operation, each by what it is."""
    return {
        "registerBot": {"a bot for anybody": _WANTED, "one for your own games": {"name": NAME, "accepts": "owner"}},
        "answerDecisions": {
            "a plan and a move by its id": {
                "answers": [
                    {"id": "k7wq2m9xtr4bz6dp.12", "moves": [{"type": "open_hatch", "to": 5}, {"type": "enter"}]},
                    {"id": "u6d8xm4cq9kz2wfy.40", "action": 117},
                ]
            }
        },
        "updateBot": {"another version": {"version": "1.5", "seconds": 2}, "a pause": {"paused": True}},
    }


def answers(table: Table) -> dict[str, dict[str, dict[str, Wire]]]:
    """Return examples of answers by operation and media type, each by what it is. At the table the bot must decide."""
    decision = timing.decision_of_outsider(table.lobby, table.game)
    assert decision is not None, "a bot from outside must decide"
    line = lines.line(table, decision, _ACCOUNT, 4_970)
    in_numbers = lines.line(table, decision, _ACCOUNT, 4_970, "vector")
    withdrawn = {"type": "withdrawn", "id": line["id"], "reason": "late"}
    new = Account(NAME, "", _REGISTERED, _ACCOUNT.terms, "", "")
    told = {
        "registerBot": {"a new bot": {"token": TOKEN, "bot": views.account(new, is_connected=False)}},
        "getBot": {"a bot that is there": listed()[0]},
        "updateBot": {"as it is from now on": listed()[0]},
        "renewBotToken": {"another token": {"token": TOKEN}},
    }
    played = {"id": line["id"], "outcome": "played", "moves_played": 1}
    legal = line["state"]["legal_moves"][:2]
    wrong = {"detail": "not legal now, in phase movement", "final": False, "legal_moves": legal}
    game = {"game_id": table.id, "seats": [decision.seat], "status": table.status, "created_at": stamp(_REGISTERED)}
    told |= {
        "listBotGames": {"a game": {"games": [game]}},
        "streamDecisions": {"a page": {"decisions": [line], "open": 1, "replaced": False}},
        "answerDecisions": {
            "one that was played": {"answers": [played]},
            "one that was not": {"answers": [{"id": line["id"], "outcome": "illegal", **wrong}]},
        },
    }
    told_in_lines = {
        "a decision": line,
        "one in numbers": in_numbers,
        "one that is withdrawn": withdrawn,
        "a sign of life": {"type": "ping", "open": 1},
    }
    return {operation: {JSON: examples} for operation, examples in told.items()} | {
        "streamDecisions": {JSON: told["streamDecisions"], NDJSON: told_in_lines}
    }
