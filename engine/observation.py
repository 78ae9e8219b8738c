"""Make the observation of a seat: a whole game without seed and script, in which hidden hands are dealt anew.

Whatever replaces a secret follows from what the seat can see, so that nothing hidden can influence an observer, not
even through the dice.
"""

import hashlib
import random

import numpy as np

from engine.compiled import doors
from engine.enums import Item, Phase
from engine.rules import Rules


def conceal(record: np.ndarray, rules: Rules, seat: int | None) -> None:
    """Turn a copy of a game into an observation, in place."""
    state = record[0]
    for name in ("script_dice", "script_events", "script_items", "script_left", "rolls", "key"):
        state[name] = 0
    hidden = rules.hidden_seats(seat)
    sizes = {other: int(state.hand[other].sum()) for other in hidden}
    for other in hidden:
        state.item_deck += state.hand[other]
        state.hand[other] = 0
    digest = hashlib.sha256(record.tobytes() + repr(sizes).encode()).digest()
    state.key[:] = np.frombuffer(digest[:16], np.uint64)
    if hidden:
        _deal_anew(record, sizes, random.Random(digest))


def _deal_anew(record: np.ndarray, sizes: dict[int, int], chance: random.Random) -> None:
    """Fill the hidden hands from everything unseen. A card that the phase gives away is dealt to its holder."""
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
    """Return whether the phase gives away a card.

    A defender holds a crowbar, a gnome in the wrap-up holds coffee or a charm, one who is asked for luck holds a charm,
    and one who could not escape with the items used so far holds something that opens a way.
    """
    phase = record["phase"][0]
    asked = (Phase.DEFEND, Phase.WRAP_UP, Phase.LUCK)
    return phase in asked or (phase == Phase.ESCAPE and not doors.can_escape(record))


def _fits(record: np.ndarray, seat: int, item: Item) -> bool:
    phase = record["phase"][0]
    if phase == Phase.DEFEND:
        return item == Item.CROWBAR
    if phase == Phase.LUCK:
        return item == Item.LUCKY_CHARM
    if phase == Phase.WRAP_UP:
        return item in (Item.COFFEE, Item.LUCKY_CHARM)
    trial = record.copy()
    trial[0].hand[seat, item] += 1
    return bool(doors.can_escape(trial))
