"""What a client may show without knowing a rule: the board, the cards, the actions; made from the engine's tables."""

import json
from functools import cache
from typing import Any

from bots.roster import ROSTER, STRENGTH
from engine.board import (
    ACTION_ROOM,
    ACTION_TOKEN,
    ACTION_TRACK,
    EVENT_MINUTES,
    EXTERIOR_ROOMS,
    HATCHES,
    ITEM_MINUTES,
    POSITIONS,
    START_MINUTES,
)
from engine.cards import (
    BONUSES,
    DEALT,
    EVENT_TOKENS,
    FACE_COUNT,
    FACES,
    HAND_LIMIT,
    ITEM_COPIES,
    STASH,
    STASH_DRAW,
    STORES_DRAW,
)
from engine.enums import (
    ABANDON_BELOW,
    CHARM_ICONS,
    DASH,
    DIE_SIDES,
    FAINT_MINUTES,
    FIX_ITS,
    LOW_WATER_PENALTY,
    MAX_INTOXICATION,
    MAX_MINUTES,
    TRACK_END,
    TRACK_RESET,
    Action,
    Cause,
    Room,
    Token,
    Track,
)
from engine.moves import MAX_FIX_MINUTES, hatch_name, room_name
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES, RULES_VERSION
from service.wire import Wire
from service.words.glossary import glossary

RULEBOOK = "/rules"  # the page
_MEASURED = ("command", "engine", "rules_version", "seed", "date", "sources")


def _name(member: Any) -> str:
    return str(member.name).lower()


@cache
def rules() -> Wire:
    named = {int(room): _name(room) for room in Room}
    return {
        "rules_version": RULES_VERSION,
        "rulebook": RULEBOOK,
        "rooms": [
            {
                "room": room,
                "name": named.get(room),
                "x": x,
                "y": y,
                "exterior_hatch": room in EXTERIOR_ROOMS,
                "neighbours": sorted({other for hatch in HATCHES if room in hatch for other in hatch} - {room}),
            }
            for room, (x, y) in POSITIONS.items()
        ],
        "hatches": [{"hatch": hatch_name(number), "rooms": list(rooms)} for number, rooms in enumerate(HATCHES)],
        "tracks": [{"track": _name(track), "end": TRACK_END, "reset": TRACK_RESET} for track in Track],
        "tokens": [_name(token) for token in Token],
        "time_track": {
            "start": {str(gnomes): minutes for gnomes, minutes in START_MINUTES.items()},
            "longest": MAX_MINUTES,
            "events": list(EVENT_MINUTES),
            "items": list(ITEM_MINUTES),
        },
        "items": [
            {
                "item": _name(item),
                "copies": copies,
                "bonus": {_name(action): minutes for action, minutes in BONUSES.get(item, {}).items()},
            }
            for item, copies in ITEM_COPIES.items()
        ],
        "events": [_event_card(number) for number in range(len(FACES))],
        "actions": [_action(action) for action in Action],
        "numbers": {
            "die_sides": DIE_SIDES,
            "most_fix_minutes": MAX_FIX_MINUTES,
            "low_water_minutes": LOW_WATER_PENALTY,
            "items_dealt": DEALT,
            "captains_grog": STASH,
            "cards_from_captains_cabin": STASH_DRAW,
            "cards_from_equipment_stores": STORES_DRAW,
            "hand_limit": HAND_LIMIT,
            "most_intoxication": MAX_INTOXICATION,
            "faint_minutes": FAINT_MINUTES,
            "icons_a_charm": CHARM_ICONS,
            "abandon_below": ABANDON_BELOW,
        },
        "causes": [_name(cause) for cause in Cause][1:],
        "options": {
            "gnomes": {"from": MIN_GNOMES, "to": max(START_MINUTES)},
            "edition": EDITIONS,
            "less_deadly_dying": [False, True],
            "hidden_hands": [False, True],
            "crazed_gnomes": [False, True],
            "greater_challenge": CHALLENGES,
        },
    }


@cache
def rules_in_words(language: str, edition: str) -> Wire:
    """Return the rules with the words of a language for all that they name."""
    return {**rules(), "words": {"lang": language, "edition": edition, **glossary(language, edition)}}


def _event_card(number: int) -> Wire:
    face = FACES[number]
    token = EVENT_TOKENS.get(face.event)
    return {
        "card": face.name,
        "event": _name(face.event),
        "faint": None if face.faint == DASH else face.faint,
        "copies": int(FACE_COUNT[number]),
        "token": {"token": _name(token[0]), "minutes_ahead": token[1]} if token else None,
    }


def _action(action: Action) -> Wire:
    track, token = ACTION_TRACK.get(action), ACTION_TOKEN.get(action)
    return {
        "action": _name(action),
        "fix_it": action < FIX_ITS,
        "room": room_name(ACTION_ROOM[action]) if action in ACTION_ROOM else None,
        "track": None if track is None else _name(track),
        "token": None if token is None else _name(token),
    }


def _strength(row: Wire) -> Wire:
    return {
        "gnomes": row["gnomes"],
        "games": row["games"],
        "rescue_rate": row["rescued"],
        "interval": {"low": row["low"], "high": row["high"]},
        "deaths_per_game": row["deaths"],
    }


@cache
def roster() -> Wire:
    """Return the bots, how often crews of each saved the boat in the committed match, and how to play that again."""
    ladder = json.loads(STRENGTH.read_text())
    measured = ladder["bots"]
    return {
        "measured": {name: ladder[name] for name in _MEASURED if name in ladder},
        "bots": [
            {
                "name": bot.name,
                "level": bot.level,
                "description": bot.description,
                "playouts": bot.budget.playouts,
                "strength": [_strength(row) for row in measured.get(bot.name, [])],
            }
            for bot in ROSTER.values()
        ],
    }
