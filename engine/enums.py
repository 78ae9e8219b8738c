"""The names and numbers of everything in the game. A member's lower-case name is its name in JSON.

Stored games hold the numbers, so members are only ever appended.
"""

from enum import IntEnum

NOBODY = -1
NOWHERE = -1  # a Destruction token that is not on the Time Track; a hatch that is not there
SEA = 0  # the space outside, beside rooms 1 to 10
SEATS = 8
DIE_SIDES = 10
LOW_WATER_PENALTY = 2  # minutes that low water adds to an action
ROOMS = 11  # the sea and ten rooms
MAX_MINUTES = 60
MAX_INTOXICATION = 4
TRACK_END = 10
TRACK_RESET = 5
ABANDON_BELOW = 10  # minutes left under which comrades may be abandoned
FAINT_MINUTES = 10
CHARM_ICONS = 3
DASH = 9  # the faint number of a card with a dash: above every intoxication


class Room(IntEnum):
    """The rooms that have a name; 3, 5, 6 and 9 have none."""

    ENGINE_ROOM = 1
    OXYGEN_PUMPS = 2
    REACTOR_ROOM = 4
    MISSILE_CONTROL = 7
    EQUIPMENT_STORES = 8
    CAPTAINS_CABIN = 10


class Water(IntEnum):
    NONE = 0
    LOW = 1
    HIGH = 2


class Condition(IntEnum):
    """The state of a gnome. Only the first two are on the board."""

    ALIVE = 0
    FAINTED = 1
    DEAD = 2
    ABANDONED = 3


class Track(IntEnum):
    ASPHYXIATION = 0
    HEAT = 1
    PRESSURE = 2


class Token(IntEnum):
    ASPHYXIATED = 0
    CRUSHED = 1
    MISSILES_LAUNCHED = 2
    DEVOURED_BY_KRAKEN = 3


class Item(IntEnum):
    COFFEE = 0
    GROG = 1
    TOOLBOX = 2
    ENGINE_MANUAL = 3
    PUMP_MANUAL = 4
    REACTOR_MANUAL = 5
    DEACTIVATION_CODE = 6
    CROWBAR = 7
    FIRE_EXTINGUISHER = 8
    WATER_PUMP = 9
    AQUALUNG = 10
    HARPOON = 11
    LUCKY_CHARM = 12


class Event(IntEnum):
    FIRE = 0
    FIRE_SPREADS = 1
    STUMBLE = 2
    FRIENDLY_FIRE = 3
    BLOCKED_HATCH = 4
    LEAK = 5
    RESPITE = 6
    REACTOR_WARMUP = 7
    REACTOR_MALFUNCTION = 8
    KRAKEN = 9
    DESCENT = 10
    FAST_DESCENT = 11
    MISSILE_COUNTDOWN = 12
    UNDERWATER_CURRENT = 13
    OXYGEN_PUMPS_DOWN = 14
    OVERHEATED = 15
    ENGINE_DOWN = 16
    TURBULENCE = 17


class Action(IntEnum):
    """The fix-it actions come first: they share their dice, minutes and bonuses. The hatch comes last of them."""

    EXTINGUISH_FIRE = 0
    PUMP_WATER = 1
    FIX_ENGINE = 2
    FIX_OXYGEN_PUMPS = 3
    FIX_REACTOR = 4
    STOP_MISSILE_LAUNCH = 5
    KILL_KRAKEN = 6
    UNBLOCK_HATCH = 7
    DRAW_ITEMS = 8
    TRADE_ITEMS = 9
    NO_ACTION = 10
    ABANDON_COMRADES = 11
    ATTACK_GNOME = 12


FIX_ITS = 8


class Phase(IntEnum):
    """What is asked of whom. The members behind `LAST_ASKED` are stages without a question; no caller sees them."""

    MOVEMENT = 0  # move, use items, or take the one action
    HATCH = 1  # a hatch is open: enter or stay
    ESCAPE = 2  # the fire won: out, through any hatch that will do
    ESCAPE_HATCH = 3
    TRADE_GIVE = 4
    TRADE_RETURN = 5
    DEFEND = 6
    WRAP_UP = 7  # the action is done: last moment for coffee and lucky charms
    SPREAD_FIRE = 8
    BLOCK_HATCH = 9
    DISCARD = 10
    OVER = 11
    LUCK = 12  # during the Updates: a charm has come that could still help
    ACTION_DONE = 13
    FAINT_CHECK = 14
    UPDATES = 15
    WALK = 16
    EVENT_DONE = 17
    STORM = 18
    NEXT_TURN = 19


LAST_ASKED = Phase.LUCK
IN_TRADE = (Phase.TRADE_GIVE, Phase.TRADE_RETURN)
EVENT_CHOICES = (Phase.SPREAD_FIRE, Phase.BLOCK_HATCH, Phase.DISCARD)
IN_UPDATES = (*EVENT_CHOICES, Phase.LUCK)
WITH_PARTNER = (*IN_TRADE, Phase.DEFEND)
BEHIND_HATCH = (Phase.HATCH, Phase.ESCAPE_HATCH)


class Edition(IntEnum):
    REVISED = 0
    ORIGINAL = 1


class Challenge(IntEnum):
    OFF = 0
    NO_RESPITE = 1
    STORM = 2


class Cause(IntEnum):
    """Why the game ended. Tracks and tokens come in the order of their own enums."""

    NONE = 0
    ASPHYXIATION = 1
    HEAT = 2
    PRESSURE = 3
    ASPHYXIATED = 4
    CRUSHED = 5
    MISSILES_LAUNCHED = 6
    DEVOURED_BY_KRAKEN = 7
    ALL_DEAD = 8
    NOBODY_ABOARD = 9
    RESCUED = 10


class Purpose(IntEnum):
    """What a roll is for. Each purpose counts its own rolls, so that an extra roll for one shifts no other."""

    SEATING = 0
    START_ROOM = 1
    FIX_IT = 2
    EVENT_CARD = 3
    EVENT_ROOM = 4
    ITEM_CARD = 5
    FAINT_CARD = 6
    FIGHT = 7
    NEWCOMER_ROOM = 8


class Script(IntEnum):
    """What a position may force: the next dice, event cards and item cards."""

    DICE = 0
    EVENTS = 1
    ITEMS = 2


class Death(IntEnum):
    """How a gnome died."""

    FIRE = 0
    HIGH_WATER = 1
    NO_AIR = 2  # a second turn's end outside
    FAINTED_OUTSIDE = 3
    TRAPPED = 4  # a failed extinguish and no way out
    SLAIN = 5


class Lost(IntEnum):
    """Why an item went to the discards without being used."""

    HAND_LIMIT = 0
    DEATH = 1


class Source(IntEnum):
    """Where an item was drawn."""

    EQUIPMENT_STORES = 0
    CAPTAINS_CABIN = 1
    ICON = 2
