"""What the engine's tests share: positions in brief, moves in brief, and a look at what happened."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from engine import Game
from engine.shapes import Result

Wire = dict[str, Any]

IDLE: Wire = {"room": 9, "minutes": 20, "items": {}}
SCRIPT_LENGTH = 32


def position(gnomes: Sequence[Any] | None = None, rules: Mapping[str, Any] | None = None, **more: Any) -> Game:
    """A game in mid-play. Three gnomes at least; who or what is left out: room 9, 20 minutes, empty hands."""
    rules = dict(rules or {})
    given = list(gnomes or [])
    count = rules.setdefault("gnomes", max(3, len(given)))
    given += [{}] * (count - len(given))
    more.setdefault("seed", "00" * 32)
    return Game.from_position({"rules": rules, "gnomes": [{**IDLE, **gnome} for gnome in given], **more})


def play(game: Game, *moves: Mapping[str, Any] | str) -> list[Wire]:
    """Plays moves in turn, a bare string being one without fields; all that happened."""
    events = [event for move in moves for event in game.play({"type": move} if isinstance(move, str) else move)]
    return cast(list[Wire], events)


def told(events: Iterable[Mapping[str, Any]], *kinds: str) -> list[Wire]:
    return [cast(Wire, event) for event in events if event["type"] in kinds]


def offered(game: Game, kind: str) -> list[Wire]:
    """The legal moves of one type, each with its cost and chance."""
    return [cast(Wire, move) for move in game.legal_moves() if move["type"] == kind]


def scripted(events: Sequence[str] = (), dice: Sequence[int] = (), items: Sequence[str] = ()) -> Wire:
    """A script whose events go on as respites, so that nothing disturbs the scene."""
    quiet = ["respite"] * (SCRIPT_LENGTH - len(events))
    return {"events": [*events, *quiet], "dice": [*dice], "items": [*items]}


def gnome(game: Game, seat: int = 0) -> Wire:
    return cast(Wire, game.position()["gnomes"][seat])


def decider_of(game: Game) -> int:
    """Return who must decide, in a game that is not over."""
    assert game.decider is not None
    return game.decider


def result_of(game: Game) -> Result:
    """Return how the game ended, which it has."""
    assert game.result is not None
    return game.result


def use(item: str) -> Wire:
    return {"type": "use_item", "item": item}


def walk(*rooms: int | str) -> list[Wire]:
    """The moves that lead through those rooms, where each may be entered at once."""
    return [move for room in rooms for move in ({"type": "open_hatch", "to": room}, {"type": "enter"})]
