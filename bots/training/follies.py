"""Find what looks silly in a game that was played, by what was on the board; `silliness.py` says what counts."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bots.training.listed import chance, plans
from bots.training.replayed import Turn
from engine.board import EXIT_COUNT, EXITS, FIX_ROOM, FIX_TOKEN, FIX_TRACK, HATCH_BETWEEN, HATCHES
from engine.enums import NOWHERE, SEA, TRACK_RESET, Action, Cause, Condition, Token, Water
from engine.moves import ARGUMENT, KIND, MoveKind
from engine.rows import Row

KINDS = ("idle", "idle_beside_work", "put_off", "to_and_fro", "given_back", "shut_in")
CLEARLY = 3.0  # minutes by which the sailor rates work above idling
LIKELY = 0.5  # the chance of an attempt that is put off
ROUNDS = 2  # within which a gift comes back

IDLE = (None, Action.NO_ACTION)
SELFISH = (Action.ABANDON_COMRADES, Action.ATTACK_GNOME)
REPAIRS = range(Action.FIX_ENGINE, Action.KILL_KRAKEN + 1)


class Folly(NamedTuple):
    """What looks silly, and the number of its turn."""

    kind: str
    turn: int


def follies(turns: Sequence[Turn], end: np.ndarray) -> list[Folly]:
    """Return all follies of a game, turn by turn; `end` is the game after its last move."""
    finders = {
        "idle": idle(turns),
        "idle_beside_work": idle_beside_work(turns),
        "put_off": put_off(turns, int(end[0].cause)),
        "to_and_fro": to_and_fro(turns),
        "given_back": given_back(turns),
        "shut_in": shut_in(turns),
    }
    found = [Folly(kind, number) for kind, numbers in finders.items() for number in numbers]
    return sorted(found, key=lambda folly: folly.turn)


def idle(turns: Sequence[Turn]) -> Iterator[int]:
    """Yield the turns whose action was none."""
    return (turn.number for turn in turns if turn.action == Action.NO_ACTION)


def idle_beside_work(turns: Sequence[Turn]) -> Iterator[int]:
    """Yield those of them whose gnome had something better to do, and has not let water flow either."""
    for turn in turns:
        in_vain = turn.action == Action.NO_ACTION and not turn.happened(Row.WATER_REFLOWED)
        if in_vain and is_work_at_hand(turn.begun):
            yield turn.number


def is_work_at_hand(begun: np.ndarray) -> bool:
    """Return whether the sailor has a plan to do something that is rated far above any plan to idle."""
    listed = plans(begun)
    idle = [plan.score for plan in listed if plan.action == Action.NO_ACTION]
    work = [plan.score for plan in listed if plan.action not in (Action.NO_ACTION, *SELFISH)]
    return bool(idle and work) and max(work) > max(idle) + CLEARLY


def put_off(turns: Sequence[Turn], cause: int) -> Iterator[int]:
    """Yield the turns in which somebody let a token be that destroyed the boat, though they could remove it."""
    token = cause - Cause.ASPHYXIATED
    if not 0 <= token < len(Token):
        return
    for turn in reversed(turns):
        if turn.begun[0].token[token] <= 0:
            return
        tries = [action for action in REPAIRS if turn.action == action and FIX_TOKEN[action] != NOWHERE]
        if not tries and is_removable(turn.begun, token):
            yield turn.number


def is_removable(begun: np.ndarray, token: int) -> bool:
    """Return whether the gnome whose turn it is can remove the token in time, and likely will if they try."""
    return any(
        plan.action in REPAIRS and FIX_TOKEN[plan.action] == token and chance(begun, plan) >= LIKELY
        for plan in plans(begun)
    )


def to_and_fro(turns: Sequence[Turn]) -> Iterator[int]:
    """Yield the turns in which somebody went back to where they came from, having done nothing meanwhile."""
    for seat in {turn.seat for turn in turns}:
        for there, back in pairwise(turn for turn in turns if turn.seat == seat):
            in_vain = there.action in IDLE and not there.happened(Row.WATER_REFLOWED) and not is_fleeing(there)
            if in_vain and there.start != there.end == back.start and back.end == there.start:
                yield back.number


def is_fleeing(turn: Turn) -> bool:
    state, room = turn.begun[0], turn.start
    return room == SEA or state.fire[room] > 0 or state.water[room] == Water.HIGH


def given_back(turns: Sequence[Turn]) -> Iterator[int]:
    """Yield the turns in which an item came back to who had given it."""
    gifts: list[tuple[int, int, int, int]] = []  # turn, giver, taker, item
    for turn in turns:
        lately = turn.number - ROUNDS * int(turn.begun[0].gnomes)
        for _, giver, taker, item, _ in turn.happened(Row.ITEM_GIVEN):
            first = next((gift for gift in gifts if gift[0] >= lately and gift[1:] == (taker, giver, item)), None)
            if first:
                gifts.remove(first)
                yield turn.number
            else:
                gifts.append((turn.number, giver, taker, item))


def shut_in(turns: Sequence[Turn]) -> Iterator[int]:
    """Yield the turns in which an event's hatch was chosen that does harm where another one did none."""
    for turn in turns:
        for before, move in turn.choices:
            if KIND[move] == MoveKind.BLOCK_HATCH and is_harmful(before, int(ARGUMENT[move])):
                room = before[0].event_room
                others = [at for at, rooms in enumerate(HATCHES) if room in rooms and before[0].blocked[at] == 0]
                if not all(is_harmful(before, hatch) for hatch in others):
                    yield turn.number


def is_harmful(game: np.ndarray, hatch: int) -> bool:
    """Return whether a block takes a gnome's last open hatch, or everybody's last way to a room that needs a repair."""
    state = game[0]
    blocked = state.blocked.copy()
    blocked[hatch] = 1
    able = (Condition.ALIVE, Condition.FAINTED)
    rooms = [
        int(state.room[seat])
        for seat in range(state.gnomes)
        if state.condition[seat] in able and state.minutes[seat] > 0
    ]
    locked_in = any(room in HATCHES[hatch] and reach(room, blocked) == {room} for room in rooms)
    return locked_in or any(
        not reach(room, blocked) & {*rooms} and reach(room, state.blocked) & {*rooms} for room in needy(game)
    )


def needy(game: np.ndarray) -> list[int]:
    """Return the rooms inside in which something must be repaired: a track is far on, or a token ahead."""
    state = game[0]
    return [
        int(FIX_ROOM[action])
        for action in REPAIRS
        if FIX_ROOM[action] != SEA
        and (
            (FIX_TRACK[action] != NOWHERE and state.track[FIX_TRACK[action]] > TRACK_RESET)
            or (FIX_TOKEN[action] != NOWHERE and state.token[FIX_TOKEN[action]] > 0)
        )
    ]


def reach(room: int, blocked: np.ndarray) -> set[int]:
    """Return the rooms that open hatches join with a room, without the sea."""
    seen, found = {room}, [room]
    while found:
        here = found.pop()
        for to in EXITS[here, : EXIT_COUNT[here]].tolist():
            if to != SEA and to not in seen and not blocked[HATCH_BETWEEN[here, to]]:
                seen.add(to)
                found.append(to)
    return seen
