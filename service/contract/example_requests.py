"""The contract's examples of what players ask for."""

from service.contract import example_matches
from service.contract.example_table import ID, INVITATION, TOKEN, as_sent, next_move
from service.games.model import BOT, OPEN, PLAYER
from service.wire import Wire


def requests() -> dict[str, dict[str, Wire]]:
    """Return examples of requests by operation, each by what it is."""
    at_once = {"seats": [OPEN, *["captain"] * 3], "join": {"name": "Ada"}, "start": True}
    one_for_all = {"seats": [OPEN] * 3, "players": 1}
    with_bots = {"seats": [OPEN, OPEN, "captain", "captain"], "rules": {"less_deadly_dying": True}, "turn_seconds": 120}
    scene = {"rules": {"gnomes": 3}, "tracks": {"pressure": 8}, "rooms": {"4": {"fire": True}}, "script": {"dice": [7]}}
    return {
        "createGame": {
            "three players": {"seats": [OPEN] * 3, "name": "Friday night"},
            "two players and two bots": with_bots,
            "one player for all seats": one_for_all,
            "alone with bots and at once": at_once,
            "from a position": {"position": scene, "visibility": "private"},
        },
        "joinGame": {
            "any seat": {"name": "Ada"},
            "a certain seat": {"name": "Bert", "seat": 1},
            "by an invitation": {"name": "Cleo", "invitation": INVITATION},
        },
        "inviteToGame": {
            "one friend to any seat": {},
            "to a seat that a bot plays so far": {"seat": 2},
        },
        "updateGame": {
            "a theme for all": {"client_data": {"theme": "storm"}},
            "nothing any more": {"client_data": None},
            "no advice from now on": {"advice": False},
        },
        "updatePlayer": {"a colour of their own": {"client_data": {"colour": "#0a7"}}},
        "startGame": {
            "with everybody there": {},
            "with bots for open seats": {"fill_with": "captain"},
        },
        "setSeatController": {
            "hand it to a bot": {"kind": BOT, "bot": "captain"},
            "take it back": {"kind": PLAYER},
        },
        "forkGame": {
            "from now on": {},
            "with the same dice": {"version": 9, "dice": "same", "name": "What if?"},
        },
        "playMoves": {
            "a move as it was told": {"moves": [next_move()]},
            "a turn": {"moves": [{"type": "open_hatch", "to": 5}, {"type": "enter"}], "version": 7},
        },
        "requestAdvice": {
            "what to do": {},
            "what a plan is worth": {"moves": [as_sent(next_move())], "version": 7},
        },
        "showSignal": {
            "a plan": {"moves": [as_sent(next_move())], "version": 7},
            "pointing at a room": {"points_at": {"type": "room", "room": 4}, "says": "go_there"},
            "a word": {"says": "thanks"},
        },
        "streamGames": {
            "two games, one from now on": {
                "games": [{"game_id": ID, "token": TOKEN, "after": 12}, {"game_id": example_matches.GAME_ID}]
            },
        },
        "previewMoves": {
            "a move": {"moves": [as_sent(next_move())], "version": 7},
            "with where it leads": {"moves": [as_sent(next_move())], "reach": True},
        },
    }  # fmt: skip
