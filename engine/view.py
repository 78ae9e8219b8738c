"""A game as JSON: the position whole, or as one seat may see it."""

from typing import Any

import numpy as np

from engine.board import HATCHES
from engine.cards import EVENT_FACES, FACES
from engine.kinds import (
    NOBODY,
    NOWHERE,
    ROOMS,
    Cause,
    Condition,
    Event,
    Item,
    Phase,
    Purpose,
    Script,
    Token,
    Track,
    Water,
)
from engine.moves import hatch_name, room_name
from engine.observe import hidden_seats
from engine.rules import Rules

Wire = dict[str, Any]

ITEM_NAMES = [item.name.lower() for item in Item]
FACE_NAMES = [face.name for face in FACES]
EVENT_NAMES = [event.name.lower() for event in Event]
TRACK_NAMES = [track.name.lower() for track in Track]
TOKEN_NAMES = [token.name.lower() for token in Token]
WATER_NAMES = [water.name.lower() for water in Water]
CONDITION_NAMES = [condition.name.lower() for condition in Condition]
PHASE_NAMES = [phase.name.lower() for phase in Phase]
CAUSE_NAMES = [cause.name.lower() for cause in Cause]
PURPOSE_NAMES = [purpose.name.lower() for purpose in Purpose]


def counts(copies: list[int], names: list[str]) -> dict[str, int]:
    return {name: count for name, count in zip(names, copies, strict=True) if count}


def visible(record: np.ndarray, rules: Rules, seat: int | None, see_all: bool = False) -> Wire:
    """What a seat, a spectator (None), or the keeper of the game (see_all) sees of everything but chance."""
    state = record[0]
    hidden = [] if see_all else hidden_seats(rules, seat)
    item_deck: Wire = counts(state.item_deck.tolist(), ITEM_NAMES)
    if hidden:
        item_deck = {"hidden": int(state.item_deck.sum())}
    return {
        "rules": rules.to_dict(),
        "version": int(state.version),
        "turn": int(state.turn),
        "gnomes": _gnomes(state, rules, hidden),
        "rooms": _rooms(state),
        "blocked_hatches": [hatch_name(hatch) for hatch in range(len(HATCHES)) if state.blocked[hatch]],
        "tracks": dict(zip(TRACK_NAMES, state.track.tolist(), strict=True)),
        "destruction": {
            name: minute for name, minute in zip(TOKEN_NAMES, state.token.tolist(), strict=True) if minute != NOWHERE
        },
        "captains_grog": int(state.captains_grog),
        "item_deck": item_deck,
        "item_discard": counts(state.item_discard.tolist(), ITEM_NAMES),
        "event_deck": counts(state.event_deck.tolist(), FACE_NAMES),
        "event_discard": counts(state.event_discard.tolist(), FACE_NAMES),
        "active": int(state.active),
        "ghost": int(state.ghost),
        "phase": PHASE_NAMES[state.phase],
        "used_items": counts(state.used.tolist(), ITEM_NAMES),
        "pending": pending(state),
    }


def _gnomes(state: np.record, rules: Rules, hidden: list[int]) -> list[Wire]:
    seats = range(rules.gnomes)
    columns = zip(
        seats,
        state.minutes.tolist(),
        state.stack.tolist(),
        state.room.tolist(),
        state.condition.tolist(),
        state.intoxication.tolist(),
        state.hand.tolist(),
        state.drew_items_in.tolist(),
        strict=False,
    )
    return [
        {
            "minutes": minutes,
            "stack": stack,
            "room": room_name(room),
            "state": CONDITION_NAMES[condition],
            "intoxication": intoxication,
            "items": {"hidden": sum(hand)} if seat in hidden else counts(hand, ITEM_NAMES),
            "drew_items_in": drew or None,
        }
        for seat, minutes, stack, room, condition, intoxication, hand, drew in columns
    ]


def _rooms(state: np.record) -> Wire:
    water, fire = state.water.tolist(), state.fire.tolist()
    return {str(room): {"water": WATER_NAMES[water[room]], "fire": fire[room] > 0} for room in range(1, ROOMS)}


def pending(state: np.record) -> Wire:
    """What belongs to the middle of a turn; empty at its start, but for a gnome who began it outside."""
    facts: Wire = {}
    if state.phase in (Phase.HATCH, Phase.ESCAPE_HATCH):
        facts["open_hatch_to"] = room_name(int(state.beyond))
    if state.partner != NOBODY:
        facts["partner"] = int(state.partner)
    if state.phase == Phase.BLOCK_HATCH:
        facts["room"] = int(state.event_room)
    for name in ("hand_limit", "storm_left", "icons_ignored"):
        if state[name]:
            facts[name] = int(state[name])
    for name in ("began_at_sea", "newcomer"):
        if state[name]:
            facts[name] = True
    return facts


def chance(state: np.record) -> Wire:
    """The part of a position that nobody may see: key, rolls made, forced outcomes."""
    left = state.script_left.tolist()
    events = state.script_events.tolist()
    return {
        "seed": b"".join(int(word).to_bytes(8, "little") for word in state.key).hex(),
        "rolls": counts(state.rolls.tolist(), PURPOSE_NAMES),
        "script": {
            "dice": state.script_dice.tolist()[: left[Script.DICE]][::-1],
            "events": [
                FACE_NAMES[event] if event < EVENT_FACES else EVENT_NAMES[event - EVENT_FACES]
                for event in events[: left[Script.EVENTS]][::-1]
            ],
            "items": [ITEM_NAMES[item] for item in state.script_items.tolist()[: left[Script.ITEMS]][::-1]],
        },
    }


def result(state: np.record, rules: Rules) -> Wire | None:
    """The crew wins together, its dead included; who abandoned it wins if it loses (§5, §8)."""
    if state.phase != Phase.OVER:
        return None
    rescued = state.cause == Cause.RESCUED
    gone = [state.condition[seat] == Condition.ABANDONED for seat in range(rules.gnomes)]
    return {
        "crew": "rescued" if rescued else "lost",
        "cause": CAUSE_NAMES[state.cause],
        "seats": ["won" if rescued != left else "lost" for left in gone],
    }
