"""What one seat may know, as a whole game: no seed, no script, and hands that are hidden dealt anew.

Everything put in the place of a secret follows from what the seat can see, so that whatever is hidden can't
influence an observer, not even through the dice.
"""

import hashlib
import random

import numpy as np

from engine import doors
from engine.kinds import Item, Phase
from engine.rules import Rules


def hidden_seats(rules: Rules, seat: int | None) -> list[int]:
    """Seats whose hands that seat's player, or a spectator, may not see."""
    if not rules.has_secret_hands:
        return []
    own = [] if seat is None else rules.seats_of_player_at(seat)
    return [other for other in range(rules.gnomes) if other not in own]


def conceal(record: np.ndarray, rules: Rules, seat: int | None) -> None:
    """Makes an observation of a copy of a game, in place."""
    state = record[0]
    for name in ("script_dice", "script_events", "script_items", "script_left", "rolls", "key"):
        state[name] = 0
    hidden = hidden_seats(rules, seat)
    sizes = {other: int(state.hand[other].sum()) for other in hidden}
    for other in hidden:
        state.item_deck += state.hand[other]
        state.hand[other] = 0
    digest = hashlib.sha256(record.tobytes() + repr(sizes).encode()).digest()
    state.key[:] = np.frombuffer(digest[:16], np.uint64)
    _deal_anew(record, sizes, random.Random(digest))


def _deal_anew(record: np.ndarray, sizes: dict[int, int], chance: random.Random) -> None:
    """Fills the hidden hands from everything unseen, but for a card that the phase itself gives away."""
    state = record[0]
    unseen = [item for item in Item for _ in range(state.item_deck[item])]
    chance.shuffle(unseen)
    holder = int(state.partner if state.phase == Phase.DEFEND else state.active)
    if holder in sizes:
        betrayed = [item for item in unseen if _fits(record, holder, item)] if _betrays(record) else []
        _give(state, holder, betrayed[:1], unseen)
    for other, size in sizes.items():
        _give(state, other, unseen[: size - int(state.hand[other].sum())], unseen)


def _give(state: np.record, seat: int, items: list[Item], unseen: list[Item]) -> None:
    for item in items:
        unseen.remove(item)
        state.hand[seat, item] += 1
        state.item_deck[item] -= 1


def _betrays(record: np.ndarray) -> bool:
    """Who is asked to defend himself holds a crowbar; who wraps up or must escape holds something to do it with."""
    phase = record["phase"][0]
    return phase in (Phase.DEFEND, Phase.WRAP_UP) or (phase == Phase.ESCAPE and not doors.can_escape(record))


def _fits(record: np.ndarray, seat: int, item: Item) -> bool:
    phase = record["phase"][0]
    if phase == Phase.DEFEND:
        return item == Item.CROWBAR
    if phase == Phase.WRAP_UP:
        return item in (Item.COFFEE, Item.LUCKY_CHARM)
    trial = record.copy()
    trial[0].hand[seat, item] += 1
    return bool(doors.can_escape(trial))
