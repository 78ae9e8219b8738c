"""The JSON objects that the engine takes and gives, as types: moves, events, previews, views and positions.

What comes in is untrusted and read field by field, so it is any mapping; what goes out has one of these types. Rooms
are numbers, or `"sea"`.
"""

from collections.abc import Mapping
from typing import NotRequired, Required, TypeAlias, TypedDict

Move = TypedDict(
    "Move",
    {
        "type": Required[str],
        "to": int | str,
        "item": str,
        "minutes": int,
        "hatch": str,
        "cards": int,
        "with": int,
        "seat": int,
        "room": int,
        # Only a legal move has these.
        "cost": int,
        "chance": float,
    },
    total=False,
)

MoveObject: TypeAlias = Mapping[str, object]  # a move as a client sends it, which nobody has checked yet


class Secret(TypedDict):
    """Which fields of an event only the players of some seats may see."""

    seats: list[int]
    fields: list[str]


# Each type of event has some of these fields; `engine/wire.py` says which.
Event = TypedDict(
    "Event",
    {
        "type": Required[str],
        "private": Secret,
        "seat": int,
        "target": int,
        "attacker": int,
        "move": Move,
        "automatic": bool,
        "turn": int,
        "minutes": int,
        "minute": int,
        "ghost": int,
        "stack": int,
        "from": int | str,
        "to": int | str,
        "room": int | str,
        "hatch": str,
        "item": str,
        "count": int,
        "source": str,
        "reason": str,
        "intoxication": int,
        "action": str,
        "too_late": bool,
        "purpose": str,
        "value": int,
        "needed": int,
        "card": str,
        "event": str,
        "events": int,
        "deck": str,
        "kraken_joins": bool,
        "track": str,
        "spaces": int,
        "token": str,
        "cause": str,
        "crew": str,
    },
    total=False,
)


class RuleOptions(TypedDict):
    """The options of a game, as `Rules.to_dict` gives them."""

    gnomes: int
    players: int
    edition: str
    less_deadly_dying: bool
    hidden_hands: bool
    crazed_gnomes: bool
    greater_challenge: str


class Body(TypedDict):
    """A gnome, but for what he holds."""

    minutes: int
    stack: int
    room: int | str
    state: str
    intoxication: int
    drew_items_in: int | None


class Gnome(Body):
    """A gnome of a position."""

    items: dict[str, int]


class SeenGnome(Body):
    """A gnome as a seat or a spectator sees him: how many cards he holds, and which, unless that is hidden."""

    hand: int
    items: dict[str, int] | None


class RoomState(TypedDict):
    """The water and the fire in a room."""

    water: str
    fire: bool


class Pending(TypedDict, total=False):
    """What belongs to the middle of a turn."""

    open_hatch_to: int | str
    partner: int
    room: int
    hand_limit: int
    storm_left: int
    icons_ignored: int
    began_at_sea: bool
    abandoning: bool


class Decision(TypedDict):
    """Who must decide, and in which phase."""

    seat: int
    kind: str


class Result(TypedDict):
    """How a game ended, for the crew and for each seat."""

    crew: str
    cause: str
    seats: list[str]


class Board(TypedDict):
    """Everything about a game that nobody hides."""

    rules: RuleOptions
    version: int
    turn: int
    rooms: dict[str, RoomState]
    blocked_hatches: list[str]
    tracks: dict[str, int]
    destruction: dict[str, int]
    captains_grog: int
    item_discard: dict[str, int]
    event_deck: dict[str, int]
    event_discard: dict[str, int]
    active: int
    ghost: int
    phase: str
    used_items: dict[str, int]
    pending: Pending


class Table(Board):
    """Everything about a game but chance."""

    gnomes: list[Gnome]
    item_deck: dict[str, int]


class Seen(Board):
    """A table as a seat or a spectator sees it: how many items the deck has, and which, unless hands are hidden."""

    gnomes: list[SeenGnome]
    items_left: int
    item_deck: dict[str, int] | None


class View(Seen):
    """A game as a seat or a spectator sees it."""

    decision: Decision | None
    legal_moves: list[Move]
    result: Result | None


class Script(TypedDict):
    """The outcomes of chance that a position forces, the next one first."""

    dice: list[int]
    events: list[str]
    items: list[str]


class Chance(TypedDict):
    """The part of a position that nobody may see."""

    seed: str
    rolls: dict[str, int]
    script: Script


class Position(Table, Chance):
    """A whole game, secrets included. `Game.from_position` makes the same game of it."""

    cause: NotRequired[str]


class Triggers(TypedDict):
    """The icons that the minutes spent so far lead to, by their minute."""

    events: list[int]
    items: list[int]
    ignored: list[int]


class Odds(TypedDict, total=False):
    """The part of a preview that only a move with a die has."""

    chance: float
    if_success: list[Event]
    if_failure: list[Event]


class Preview(Odds):
    """What a move would do, as far as it can be known."""

    move: Move
    cost: int
    certain: list[Event]
    ghost: int
    triggers: Triggers


class Option(TypedDict):
    """A legal move of an action, and what the turn comes to if it ends with it."""

    move: Move
    ghost: int
    triggers: Triggers


class Help(TypedDict):
    """An item in hand, and how many minutes of an action each copy is worth that is used before."""

    item: str
    held: int
    bonus: int


class Task(TypedDict):
    """An action that a gnome may take somewhere, for how many minutes or cards, and what would help."""

    action: str
    options: list[Option]
    helps: list[Help]


class Way(TypedDict):
    """Moves that lead into a room for certain, what follows from them, and what can be done there then."""

    items: list[str]
    moves: list[Move]
    minutes: int
    ghost: int
    ends_turn: bool
    certain: list[Event]
    triggers: Triggers
    actions: list[Task]


class ReachedRoom(TypedDict):
    """A room that a gnome can get to in this turn, and the quickest ways there."""

    room: int | str
    ways: list[Way]
