"""What one seat may know, as a whole game: no seed, no script, and hands that are hidden dealt anew.

Everything put in the place of a secret follows from what the seat can see, so that whatever is hidden can't
influence an observer, not even through the dice.
"""

import hashlib
import random

import numpy as np

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
    for name in (
        "script_dice",
        "script_events",
        "script_items",
        "script_left",
        "rolls",
        "key",
    ):
        state[name] = 0
    hidden = hidden_seats(rules, seat)
    sizes = {other: int(state.hand[other].sum()) for other in hidden}
    for other in hidden:
        state.item_deck += state.hand[other]
        state.hand[other] = 0
    digest = hashlib.sha256(record.tobytes() + repr(sizes).encode()).digest()
    state.key[:] = np.frombuffer(digest[:16], np.uint64)
    _deal_anew(state, sizes, random.Random(digest))


def _deal_anew(state: np.record, sizes: dict[int, int], chance: random.Random) -> None:
    """Fills the hidden hands from everything unseen; whoever is asked to defend is known to hold a crowbar."""
    if state.phase == Phase.DEFEND and sizes.get(int(state.partner), 0) > 0:
        state.hand[state.partner, Item.CROWBAR] += 1
        state.item_deck[Item.CROWBAR] -= 1
    unseen = [item for item in Item for _ in range(state.item_deck[item])]
    chance.shuffle(unseen)
    for other, size in sizes.items():
        while state.hand[other].sum() < size:
            item = unseen.pop()
            state.hand[other, item] += 1
            state.item_deck[item] -= 1
