"""The records that a sailor decides by: the weights, and the plan to follow through a turn."""

from typing import Protocol, SupportsIndex, TypeAlias

import numba
import numpy as np

from engine.cards import ITEMS
from engine.compiled.state import Cells, Records, Table
from engine.enums import ROOMS

MOST_PLANS = 192
BY_RULE = -1  # a plan to trade without an item of its own: what the comrade needs sooner is given

number = np.float32

# The weights of the rules of thumb, in minutes of one gnome's time. `make tune` finds them by self-play.
WEIGHTS = np.dtype(
    (
        np.record,
        [
            ("minute", number),  # what a minute costs
            ("track", number, (3,)),  # how bad a full track is
            ("track_slope", number, (3,)),  # how quickly that fades with every free space
            ("token", number),  # a token far ahead
            ("token_near", number),  # more, as time runs out
            ("token_slope", number),  # over that many minutes
            ("fire", number),  # a burning room
            ("fire_more", number),  # more for every other burning room
            ("fire_room", number, (11,)),  # more for certain rooms
            ("water", number),  # a room at low water
            ("water_room", number, (11,)),
            ("hatch", number),  # a blocked hatch
            ("hatch_room", number, (11,)),  # more for the hatches of certain rooms
            ("blocked_share", number),  # of what lies in a burning or flooded room, how much is worth opening it
            ("card", number),  # a card of the stores in an empty hand
            ("card_less", number),  # less for every card held
            ("grog_card", number),  # likewise a grog of the cabin
            ("grog_card_less", number),
            ("rival", number),  # share of a task that is left when a comrade can be there first
            ("rival_near", number),  # share when one is in the very room
            ("place", number, (11,)),  # being in a room at the end of the turn
            ("keep", number, (ITEMS,)),  # what an item is worth unused
            ("drunk", number, (5,)),  # what it costs to be as drunk as that after a grog
            ("faint", number),  # what a faint costs
            ("certain", number),  # sum of minutes and bonuses that an attempt aims at, of 10
            ("burn_risk", number),  # what the chance of a failed extinguish costs
            ("endgame", number),  # how much of the remaining danger counts
            ("crowd", number),  # being where a comrade is
            ("outside", number),  # a trip outside
            ("spread", number, (11,)),  # how bad a fire is in a room, when one must be chosen
            ("block", number, (15,)),  # how bad a blocked hatch is, when one must be chosen
            ("charm_icons", number),  # event icons that make a lucky charm worth it
            ("hand_over", number),  # an item in the hands of a comrade who needs it sooner
        ],
    )
)

MIND = np.dtype(
    (
        np.record,
        [
            ("turn", np.int16),  # the turn that the plan is for
            ("plan", np.int16),  # its number among the plans
            ("count", np.int16),  # plans found
            ("tries", np.int16),  # plans made this turn
            ("wide", np.int8),  # 1 while plans are added that no rule of thumb would make
            ("dest", np.int8, (MOST_PLANS,)),
            ("action", np.int8, (MOST_PLANS,)),
            ("minutes", np.int8, (MOST_PLANS,)),  # of a fix-it, or cards, or a comrade's seat
            ("hatch", np.int8, (MOST_PLANS,)),
            ("gear", np.int8, (MOST_PLANS,)),  # 1: the way needs fire gear
            ("grogs", np.int8, (MOST_PLANS,)),  # grogs for the action
            ("gift", np.int8, (MOST_PLANS,)),  # the item to give away, or BY_RULE
            ("bare", np.int8, (MOST_PLANS,)),  # 1: the action does without items, but for those grogs
            ("score", np.float32, (MOST_PLANS,)),
            ("far", np.int16, (2, ROOMS)),  # minutes to each room, without and with fire gear
            ("before", np.int8, (2, ROOMS)),  # the room before it on the way
            ("done", np.int8, (ROOMS,)),
        ],
    )
)


class Numbers(Protocol):
    """A field of a record that holds one fraction for each room, item or the like."""

    def __getitem__(self, at: SupportsIndex, /) -> float: ...

    def __setitem__(self, at: SupportsIndex, value: float, /) -> None: ...


class Weights(Protocol):
    """One record of WEIGHTS as compiled code sees it."""

    minute: float
    track: Numbers
    track_slope: Numbers
    token: float
    token_near: float
    token_slope: float
    fire: float
    fire_more: float
    fire_room: Numbers
    water: float
    water_room: Numbers
    hatch: float
    hatch_room: Numbers
    blocked_share: float
    card: float
    card_less: float
    grog_card: float
    grog_card_less: float
    rival: float
    rival_near: float
    place: Numbers
    keep: Numbers
    drunk: Numbers
    faint: float
    certain: float
    burn_risk: float
    endgame: float
    crowd: float
    outside: float
    spread: Numbers
    block: Numbers
    charm_icons: float
    hand_over: float


class Mind(Protocol):
    """One record of MIND as compiled code sees it."""

    turn: int
    plan: int
    count: int
    tries: int
    wide: int
    dest: Cells
    action: Cells
    minutes: Cells
    hatch: Cells
    gear: Cells
    grogs: Cells
    gift: Cells
    bare: Cells
    score: Numbers
    far: Table
    before: Table
    done: Cells


WeightSets: TypeAlias = Records[Weights]
Minds: TypeAlias = Records[Mind]

WEIGHT_SETS = numba.types.Array(numba.from_dtype(WEIGHTS), 1, "C")
MINDS = numba.types.Array(numba.from_dtype(MIND), 1, "C")


def new_mind() -> np.ndarray:
    mind = np.zeros(1, MIND)
    mind["turn"] = -1
    return mind


def default_weights() -> np.ndarray:
    weights = np.zeros(1, WEIGHTS)
    w = weights[0]
    w.minute = 1.0
    w.track[:] = (60, 60, 60)
    w.track_slope[:] = 0.35
    w.token, w.token_near, w.token_slope = 30, 150, 15
    w.fire, w.fire_more = 4, 1
    w.fire_room[:] = (0, 2, 3, 0, 2, 3, 0, 1, 0, 0, 0)
    w.water = 1.0
    w.water_room[:] = (0, 1, 1, 0, 1, 1, 0, 1, 0.5, 0, 0)
    w.hatch = 1.5
    w.blocked_share = 0.5
    w.card, w.card_less = 2.5, 0.3
    w.grog_card, w.grog_card_less = 2.0, 0.7
    w.rival, w.rival_near = 0.7, 0.4
    w.place[:] = (-5, 0, 0.2, 0.2, 0.2, 0.5, -1, 0, 0, -0.5, -1)
    w.keep[:] = 0.7
    w.drunk[:] = (0, 1.0, 2.5, 4, 5)
    w.faint = 12
    w.certain = 10
    w.burn_risk = 30
    w.endgame = 1.3
    w.crowd = -0.2
    w.outside = -3
    w.spread[:] = (0, 2, 3, 1, 2, 3, 0, 1, 1, 0.5, 0)
    w.block[:] = 1
    w.charm_icons = 3
    w.hand_over = 1.5
    return weights
