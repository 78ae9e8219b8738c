"""Tell where the decider can get to in this turn, by which moves, and what they can do there.

All that is told is known to the seat that must decide, of a game that is its observation. A way holds no chance, so it
can be played as it is; only what follows it, where it ends the turn, may be up to dice and cards.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from engine import moves
from engine.cards import BONUS
from engine.compiled import doors, exploring
from engine.compiled.exploring import MOST_PLACES, NONE
from engine.compiled.journal import SILENT, new_journal
from engine.compiled.state import new_records
from engine.enums import FIX_ITS, LAST_ASKED, ROOMS, Action, Item, Phase
from engine.game import Game
from engine.moves import room_name
from engine.preview import charms_left, end_of_turn, icons, preview
from engine.shapes import Help, Move, ReachedRoom, Task, Way

_ON_THE_MOVE = (Phase.MOVEMENT, Phase.HATCH, Phase.ESCAPE, Phase.ESCAPE_HATCH)
_FIRE_GEAR = (Item.FIRE_EXTINGUISHER, Item.GROG)
_FIRST_ACTION = moves.DRAW_ITEMS  # ids before it move a gnome or use an item
_AMOUNTS = ("minutes", "cards")  # what differs between the options of one action


class _Route(NamedTuple):
    """The quickest moves into a room, after some items are used."""

    items: tuple[Item, ...]
    moves: list[int]
    minutes: int


def reach(game: Game) -> list[ReachedRoom]:
    """Return the rooms that the decider can get to; none while something else is asked of them than where to go.

    Of each room the quickest way is told that spends no item, and each that an item makes quicker, or possible at all.
    """
    if game.record["phase"][0] not in _ON_THE_MOVE:
        return []
    found: dict[int, list[_Route]] = {room: [] for room in range(ROOMS)}
    for items in _gear(game.record):
        for room, route in _routes(game.record, items):
            if not any(set(other.items) <= set(items) and other.minutes <= route.minutes for other in found[room]):
                found[room].append(route)
    return [
        {"room": room_name(room), "ways": [_way(game, route) for route in sorted(routes, key=_price)]}
        for room, routes in found.items()
        if routes
    ]


def _price(route: _Route) -> tuple[int, int]:
    return route.minutes, len(route.items)


def _gear(record: np.ndarray) -> list[tuple[Item, ...]]:
    """Return which items in hand could open a way: none of them first, each set of them after those it holds."""
    state = record[0]
    hand, used = state.hand[state.active], state.used
    fire: list[tuple[Item, ...]] = [()]
    if state.fire.any() and not any(used[item] for item in _FIRE_GEAR):
        fire += [(item,) for item in _FIRE_GEAR if hand[item]]
    air: list[tuple[Item, ...]] = [()]
    if hand[Item.AQUALUNG] and not used[Item.AQUALUNG]:
        air.append((Item.AQUALUNG,))
    return sorted((one + other for one in fire for other in air), key=len)


def _routes(record: np.ndarray, items: tuple[Item, ...]) -> Iterator[tuple[int, _Route]]:
    """Yield the quickest route into each room that can be reached with those items."""
    games, legal = new_records(MOST_PLACES), moves.new_moves()
    games[0] = record[0]
    before = [moves.USE_ITEM + item for item in items]
    for move in before:
        exploring.go(games, move, SILENT, legal)
    atlas = exploring.new_atlas()
    exploring.explore(games, atlas, SILENT, legal, moves.new_moves())
    known = atlas[0]
    for room, place in enumerate(known.best.tolist()):
        if place != NONE:
            spent = int(record["ghost"][0]) - int(games["ghost"][place])
            yield room, _Route(items, before + _steps(known, place), spent)


def _steps(atlas: np.record, place: int) -> list[int]:
    """Return the moves that lead to a place of the atlas."""
    steps: list[int] = []
    while atlas.parent[place] != NONE:
        steps.append(int(atlas.move[place]))
        place = int(atlas.parent[place])
    return steps[::-1]


def _way(game: Game, route: _Route) -> Way:
    trial, legal, journal = game.copy(), moves.new_moves(), new_journal()
    record = trial.record
    minutes, charms = _time(record)
    told: list[Move] = []
    for number in route.moves:
        count = doors.legal_moves(record, legal)
        at = legal["ids"][0, :count].tolist().index(number)
        told.append({**moves.WIRE[number], "cost": int(legal["costs"][0, at])})
        exploring.go(record, number, journal, legal)
    ends = bool(record["phase"][0] > LAST_ASKED)
    actions = [] if ends else _tasks(trial)
    ghost = int(record["ghost"][0])
    certain = end_of_turn(record, journal)
    return {
        "items": [item.name.lower() for item in route.items],
        "moves": told,
        "minutes": route.minutes,
        "ghost": ghost,
        "ends_turn": ends,
        "certain": certain,
        "triggers": icons(minutes, ghost, charms, certain),
        "actions": actions,
    }


def _time(record: np.ndarray) -> tuple[int, int]:
    """Return the minutes at which the decider's turn began, and how many event icons their charms still cancel."""
    return int(record["minutes"][0, record["active"][0]]), charms_left(record[0])


def _tasks(game: Game) -> list[Task]:
    """Return the actions that may be taken now."""
    record = game.record
    hand, ghost, (minutes, charms) = (
        record["hand"][0, record["active"][0]].tolist(),
        int(record["ghost"][0]),
        _time(record),
    )
    tasks: dict[tuple[object, ...], Task] = {}
    for move in game.legal_moves():
        number = moves.move_id(move)
        if number < _FIRST_ACTION:
            continue
        left = ghost - move["cost"]
        met = icons(minutes, left, charms)
        if number == moves.ABANDON_COMRADES:
            met = preview(record, number, move)["triggers"]
        what = tuple(value for name, value in moves.WIRE[number].items() if name not in _AMOUNTS)
        if what not in tasks:
            tasks[what] = {"action": move["type"], "options": [], "helps": _helps(move["type"], hand)}
        tasks[what]["options"].append({"move": move, "ghost": left, "triggers": met})
    return list(tasks.values())


def _helps(action: str, hand: Iterable[int]) -> list[Help]:
    fix_it = Action[action.upper()]
    if fix_it >= FIX_ITS:
        return []
    return [
        {"item": item.name.lower(), "held": held, "bonus": int(BONUS[item, fix_it])}
        for item, held in zip(Item, hand, strict=True)
        if held and BONUS[item, fix_it]
    ]
