"""Make plans for a whole turn: where to go, what to do there and for how long, and what that is worth.

Worth is counted in minutes of a gnome's time: the gain of a task times its chance, minus the minutes it takes.
"""

from bots.sailor.mind import BY_RULE, MOST_PLANS, Mind, Weights
from bots.sailor.routes import FAR, brings_gear, find_routes, has_gear, hatch_that_saves, minutes_to_flee
from bots.sailor.worth import (
    FIRST_FIX,
    LAST_FIX,
    company_gain,
    events_to_come,
    fire_gain,
    fix_gain,
    gear_cost,
    grog_cost,
    is_gear_unused,
    is_wanted,
    rival_factor,
    room_gain,
)
from engine.board import (
    EXIT_COUNT,
    EXITS,
    EXTERIOR,
    FIX_ROOM,
    FIX_TOKEN,
    HAS_EVENT_ICON,
    HAS_ITEM_ICON,
    HATCH_BETWEEN,
)
from engine.cards import BONUS, ITEMS, STASH_DRAW, STORES_DRAW
from engine.compiled.actions import is_hindered
from engine.compiled.gnomes import is_aboard
from engine.compiled.items import hand_size, items_to_draw
from engine.compiled.jit import jit
from engine.compiled.state import State
from engine.enums import (
    ABANDON_BELOW,
    DIE_SIDES,
    LOW_WATER_PENALTY,
    NOWHERE,
    ROOMS,
    SEA,
    Action,
    Item,
    Room,
    Water,
)
from engine.moves import MAX_FIX_MINUTES

GROG_BONUS = 3
AIRLESS = 1000.0  # a second turn's end outside is death
UNTHINKABLE = 10000.0
TRAPPED = 200.0  # a failed attempt with no minutes left to flee is death, too
UNWANTED = 3.0  # minutes by which a gift that nobody needs yet is rated lower than idling
WET_SHARE = 0.2  # of a room's tasks, how much low water holds up


@jit
def add_plan(mind: Mind, dest: int, action: int, minutes: int, hatch: int, gear: int, grogs: int, score: float) -> None:
    add_special_plan(mind, dest, action, minutes, hatch, gear, grogs, BY_RULE, 0, score)


@jit
def add_special_plan(
    mind: Mind, dest: int, action: int, minutes: int, hatch: int, gear: int, grogs: int, gift: int, bare: int,
    score: float,
) -> None:  # fmt: skip
    """Add a plan, unless there is no room for it, or it is there already, as may be when plans are added widely."""
    if mind.wide > 0:
        for at in range(mind.count):
            same = mind.dest[at] == dest and mind.action[at] == action and mind.minutes[at] == minutes
            same = same and mind.hatch[at] == hatch and mind.gear[at] == gear and mind.grogs[at] == grogs
            if same and mind.gift[at] == gift and mind.bare[at] == bare:
                return
    if mind.count < MOST_PLANS:
        at = mind.count
        mind.dest[at] = dest
        mind.action[at] = action
        mind.minutes[at] = minutes
        mind.hatch[at] = hatch
        mind.gear[at] = gear
        mind.grogs[at] = grogs
        mind.gift[at] = gift
        mind.bare[at] = bare
        mind.score[at] = score
        mind.count += 1


@jit
def item_bonus(state: State, action: int, wanted: int) -> int:
    """Add up the bonuses of the items at hand except grog, up to what is wanted."""
    total = 0
    for item in range(ITEMS):
        if item != Item.GROG:
            total += state.used[item] * BONUS[item, action]
    for item in range(ITEMS):
        if item != Item.GROG and BONUS[item, action] > 0:
            for _ in range(state.hand[state.active, item]):
                if total < wanted:
                    total += BONUS[item, action]
    return total


@jit
def grogs_on_the_way(state: State, gear: int) -> int:
    """Count the grogs drunk before the action: those of this turn, and one to pass a fire without extinguisher."""
    bare = state.hand[state.active, Item.FIRE_EXTINGUISHER] == 0
    return state.used[Item.GROG] + (gear > 0 and is_gear_unused(state) and bare)


@jit
def minutes_to_token(state: State, action: int, left: int) -> int:
    """Return the minutes until the Ghost passes the token that the action removes, or `left` without a token."""
    token = FIX_TOKEN[action]
    if token == NOWHERE or state.token[token] <= 0:
        return left
    return left - state.token[token]


@jit
def is_wet_on_arrival(state: State, mind: Mind, dest: int, gear: int) -> bool:
    """Return whether the room has water by then: high water on the way flows through a hatch, and is low in both."""
    start = state.room[state.active]
    if state.water[dest] == Water.NONE and dest != SEA:
        return dest != start and mind.before[gear, dest] == start and state.water[start] == Water.HIGH
    return state.water[dest] == Water.LOW or (state.water[dest] == Water.HIGH and dest != start)


@jit
def extra_minutes(state: State, mind: Mind, dest: int, action: int, gear: int) -> int:
    """Return the minutes that water adds to the action in that room."""
    return LOW_WATER_PENALTY if is_wet_on_arrival(state, mind, dest, gear) and is_hindered(action) else 0


@jit
def plan_fix(
    state: State, mind: Mind, weights: Weights, dest: int, action: int, hatch: int, gear: int, gain: float, base: float
) -> None:
    """Plan one fix-it action, with what is at hand, and with one more grog."""
    extra = extra_minutes(state, mind, dest, action, gear)
    left = state.ghost - mind.far[gear, dest] - extra
    most = min(MAX_FIX_MINUTES, left, minutes_to_token(state, action, left))
    if most < 1:
        return
    drunk = GROG_BONUS * grogs_on_the_way(state, gear)
    bonus = drunk + item_bonus(state, action, DIE_SIDES - 1 - drunk)
    for grogs in range(1 + min(1, state.hand[state.active, Item.GROG])):
        total = bonus + GROG_BONUS * grogs
        minutes = max(1, min(most, int(weights.certain) - total))
        plan_attempt(state, mind, weights, dest, action, minutes, total, hatch, gear, grogs, 0, gain, base, left, extra)
        if mind.wide > 0:
            used = drunk + item_bonus(state, action, 0)
            for minutes in range(1, most + 1):
                if is_worth_trying(minutes, total, left):
                    plan_attempt(
                        state, mind, weights, dest, action, minutes, total, hatch, gear, grogs, 0, gain, base, left,
                        extra,
                    )  # fmt: skip
                thrifty = used + GROG_BONUS * grogs
                if bonus > used and is_worth_trying(minutes, thrifty, left):
                    plan_attempt(
                        state, mind, weights, dest, action, minutes, thrifty, hatch, gear, grogs, 1, gain, base, left,
                        extra,
                    )  # fmt: skip


@jit
def is_worth_trying(minutes: int, bonus: int, left: int) -> bool:
    """Return whether an attempt of so many minutes is unlike shorter and longer ones.

    It is if it can't fail while a shorter one can, or if one minute more would meet another event icon, or if it ends
    on an item icon.
    """
    if minutes + bonus >= DIE_SIDES:
        return minutes + bonus == DIE_SIDES
    end = left - minutes
    return HAS_ITEM_ICON[end] or (end > 0 and HAS_EVENT_ICON[end - 1])


@jit
def plan_attempt(
    state: State, mind: Mind, weights: Weights, dest: int, action: int, minutes: int, total: int, hatch: int,
    gear: int, grogs: int, bare: int, gain: float, base: float, left: int, extra: int,
) -> None:  # fmt: skip
    """Plan one attempt of a fix-it action with its minutes and what is used for it, which adds up to `total`."""
    chance = min(DIE_SIDES, minutes + total) / DIE_SIDES
    score = base + gain * chance - weights.minute * (minutes + extra)
    if grogs > 0:
        score -= grog_cost(state, weights, grogs)
    if action == Action.EXTINGUISH_FIRE:
        trapped = left - minutes < minutes_to_flee(state, dest, has_gear(state))
        if trapped and chance < 1 and dest == state.room[state.active] and hatch_that_saves(state) >= 0:
            return
        score -= (TRAPPED if trapped else weights.burn_risk) * (1.0 - chance)
    add_special_plan(mind, dest, action, minutes, hatch, gear, grogs, BY_RULE, bare, score)


@jit
def plan_draw(state: State, mind: Mind, weights: Weights, dest: int, gear: int, base: float) -> None:
    seat = state.active
    if state.drew_items_in[seat] == dest:
        return
    extra = extra_minutes(state, mind, dest, Action.DRAW_ITEMS, gear)
    left = state.ghost - mind.far[gear, dest] - extra
    if dest == Room.EQUIPMENT_STORES:
        cards = min(STORES_DRAW, left, items_to_draw(state))
        each = weights.card - weights.card_less * hand_size(state, seat)
    else:
        cards = min(STASH_DRAW, left, state.captains_grog)
        each = weights.grog_card - weights.grog_card_less * state.hand[seat, Item.GROG]
    if cards > 0:
        for fewer in range(cards if mind.wide > 0 else 1):
            score = base + each * (cards - fewer) - weights.minute * (cards - fewer + extra)
            add_plan(mind, dest, Action.DRAW_ITEMS, cards - fewer, 0, gear, 0, score)


@jit
def plan_room(state: State, mind: Mind, weights: Weights, dest: int, gear: int, events: int) -> None:
    """Plan everything that can be done in a room within reach."""
    far = mind.far[gear, dest]
    flooded = state.water[dest] == Water.HIGH and dest == state.room[state.active]
    if state.ghost < far or flooded:
        return
    base = weights.place[dest] - weights.minute * far - gear_cost(state, weights, gear)
    share = rival_factor(state, weights, dest, state.ghost - far)
    if state.fire[dest] > 0:
        gain = share * fire_gain(state, weights, dest, events)
        plan_fix(state, mind, weights, dest, Action.EXTINGUISH_FIRE, 0, gear, gain, base)
        return
    base += company_gain(state, weights, dest)
    if dest == SEA:
        base += weights.outside - (AIRLESS if state.room[state.active] == SEA else 0.0)
    add_plan(mind, dest, Action.NO_ACTION, 1, 0, gear, 0, base - weights.minute)
    if state.water[dest] != Water.NONE:
        gain = weights.water + weights.water_room[dest]
        gain += WET_SHARE * weights.blocked_share * room_gain(state, weights, dest, events)
        plan_fix(state, mind, weights, dest, Action.PUMP_WATER, 0, gear, gain * share, base)
    for action in range(FIRST_FIX, LAST_FIX + 1):
        if FIX_ROOM[action] == dest:
            gain = share * fix_gain(state, weights, action, events)
            if gain > 0:
                plan_fix(state, mind, weights, dest, action, 0, gear, gain, base)
    if dest == SEA:
        plan_desertion(state, mind, gear)
    else:
        plan_attacks(state, mind, dest, gear)
        plan_trades(state, mind, weights, dest, gear, base)
        plan_hatches(state, mind, weights, dest, gear, share, base)
    if dest == Room.EQUIPMENT_STORES or dest == Room.CAPTAINS_CABIN:
        plan_draw(state, mind, weights, dest, gear, base)


@jit
def plan_desertion(state: State, mind: Mind, gear: int) -> None:
    """Plan to abandon the others: no sailor would, but a search for a disloyal bot may."""
    if state.minutes[state.active] < ABANDON_BELOW and state.players > 2 and state.ghost > mind.far[gear, SEA]:
        add_plan(mind, SEA, Action.ABANDON_COMRADES, 0, 0, gear, 0, -UNTHINKABLE)


@jit
def plan_trades(state: State, mind: Mind, weights: Weights, dest: int, gear: int, base: float) -> None:
    """Plan to hand items to comrades who need them sooner."""
    extra = extra_minutes(state, mind, dest, Action.TRADE_ITEMS, gear)
    if state.ghost - mind.far[gear, dest] <= extra:
        return
    for other in range(state.gnomes):
        if other != state.active and is_aboard(state, other) and state.room[other] == dest:
            gifts = 0
            for item in range(ITEMS):
                if state.hand[state.active, item] > 0:
                    wanted = is_wanted(state, item, other)
                    gifts += wanted
                    if mind.wide > 0:
                        score = base + (weights.hand_over if wanted else -UNWANTED) - weights.minute * (1 + extra)
                        add_special_plan(mind, dest, Action.TRADE_ITEMS, other, 0, gear, 0, item, 0, score)
            if gifts > 0:
                score = base + weights.hand_over * gifts - weights.minute * (1 + extra)
                add_plan(mind, dest, Action.TRADE_ITEMS, other, 0, gear, 0, score)


@jit
def plan_attacks(state: State, mind: Mind, dest: int, gear: int) -> None:
    """Plan to attack a comrade, among crazed gnomes and with a crowbar at hand, for a disloyal bot's search."""
    armed = state.hand[state.active, Item.CROWBAR] > 0 or state.used[Item.CROWBAR] > 0
    extra = extra_minutes(state, mind, dest, Action.ATTACK_GNOME, gear)
    if state.crazed_gnomes > 0 and armed and state.ghost - mind.far[gear, dest] > extra:
        for other in range(state.gnomes):
            if other != state.active and is_aboard(state, other) and state.room[other] == dest:
                add_plan(mind, dest, Action.ATTACK_GNOME, other, 0, gear, 0, -UNTHINKABLE)


@jit
def plan_hatches(state: State, mind: Mind, weights: Weights, dest: int, gear: int, share: float, base: float) -> None:
    for exit_ in range(EXIT_COUNT[dest]):
        to = EXITS[dest, exit_]
        hatch = HATCH_BETWEEN[dest, to]
        if hatch != EXTERIOR and state.blocked[hatch] > 0:
            gain = weights.hatch + weights.hatch_room[dest] + weights.hatch_room[to]
            plan_fix(state, mind, weights, dest, Action.UNBLOCK_HATCH, hatch, gear, gain * share, base)


@jit
def make_plans(state: State, mind: Mind, weights: Weights) -> None:
    """Fill the mind with plans for the active gnome's turn, and choose the best of them."""
    mind.turn = state.turn
    mind.count = 0
    mind.wide = 0
    find_routes(state, mind, 0)
    gear = brings_gear(state)
    if gear:
        find_routes(state, mind, 1)
    plan_rooms(state, mind, weights, gear)
    mind.plan = -1
    best = -1e9
    for plan in range(mind.count):
        if mind.score[plan] > best:
            best = mind.score[plan]
            mind.plan = plan


@jit
def widen_plans(state: State, mind: Mind, weights: Weights) -> None:
    """Add plans to those just made, for searches: other minutes, fewer cards, items kept, any gift to anyone."""
    mind.wide = 1
    plan_rooms(state, mind, weights, brings_gear(state))
    mind.wide = 0


@jit
def plan_rooms(state: State, mind: Mind, weights: Weights, gear: bool) -> None:
    """Plan everything in all rooms within reach; through fire, where that is quicker."""
    events = events_to_come(state)
    for dest in range(ROOMS):
        if mind.far[0, dest] < FAR:
            plan_room(state, mind, weights, dest, 0, events)
        if gear and mind.far[1, dest] < mind.far[0, dest] - 1:
            plan_room(state, mind, weights, dest, 1, events)
