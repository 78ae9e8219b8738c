"""Carry out a move, then everything that follows until somebody has a real choice (§3 to §7)."""

from engine import moves
from engine.cards import ITEMS
from engine.compiled.actions import (
    abandon_comrades,
    attack_gnome,
    begin_trade,
    draw_items,
    fight,
    fix,
    give_in_trade,
    remember_action,
    slay,
)
from engine.compiled.events import block, end_discards, start_fire
from engine.compiled.gnomes import end_game, is_aboard
from engine.compiled.items import discard, use_item
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.legal import decider, fix_action, fix_hatch, fix_minutes, legal_moves
from engine.compiled.movement import close_hatch, enter, open_hatch, spend
from engine.compiled.state import Journal, Moves, State
from engine.compiled.updates import begin_updates, check_faint, continue_storm, finish_event, walk
from engine.enums import LAST_ASKED, NOBODY, SEA, Cause, Condition, Item, Lost, Phase
from engine.moves import MoveKind
from engine.rows import Row


@jit
def play(state: State, move: int, journal: Journal, legal: Moves) -> int:
    """Play a move and all that follows by itself; a choice with a single option is made at once (§4).

    Write the moves that are legal then to `legal`, and return their number. NO_MOVE only carries on. Caller guarantees
    legality.
    """
    state.version += 1
    automatic = 0
    while True:
        if move != moves.NO_MOVE:
            log(journal, Row.CHOICE, decider(state), move, automatic, 0)
            choose(state, move, journal)
        run(state, journal)
        count = legal_moves(state, legal)
        if count != 1 or state.phase == Phase.MOVEMENT:
            return count
        move = legal.ids[0]
        automatic = 1


@jit
def choose(state: State, move: int, journal: Journal) -> None:
    """Carry out a move itself, up to the next stage. Caller guarantees legality."""
    kind, argument = moves.KIND[move], moves.ARGUMENT[move]
    if kind == MoveKind.OPEN_HATCH:
        open_hatch(state, argument, journal)
    elif kind == MoveKind.ENTER:
        enter(state, journal)
        close_hatch(state)
    elif kind == MoveKind.STAY:
        close_hatch(state)
    elif kind == MoveKind.USE_ITEM:
        use_item(state, argument, journal)
        if state.phase == Phase.DISCARD:
            end_discards(state)
    elif kind == MoveKind.GIVE_ITEM:
        give_in_trade(state, argument, journal)
    elif kind == MoveKind.DONE:
        be_done(state, journal)
    elif kind == MoveKind.DEFEND:
        fight(state, journal)
    elif kind == MoveKind.SPREAD_FIRE:
        state.phase = Phase.EVENT_DONE
        start_fire(state, argument, journal)
    elif kind == MoveKind.BLOCK_HATCH:
        state.phase = Phase.EVENT_DONE
        block(state, argument, journal)
    elif kind == MoveKind.DISCARD_ITEM:
        discard(state, decider(state), argument, 1, Lost.HAND_LIMIT, journal)
        end_discards(state)
    else:
        act(state, kind, argument, journal)


@jit
def act(state: State, kind: int, argument: int, journal: Journal) -> None:
    """Take the one action of the turn (§5)."""
    remember_action(state)
    state.phase = Phase.ACTION_DONE
    if kind == MoveKind.FIX:
        fix(state, fix_action(argument), fix_minutes(argument), fix_hatch(argument), journal)
    elif kind == MoveKind.DRAW_ITEMS:
        draw_items(state, argument, journal)
    elif kind == MoveKind.TRADE_ITEMS:
        begin_trade(state, argument, journal)
    elif kind == MoveKind.NO_ACTION:
        spend(state, 1, journal)
    elif kind == MoveKind.ABANDON_COMRADES:
        abandon_comrades(state, journal)
    else:
        attack_gnome(state, argument, journal)


@jit
def be_done(state: State, journal: Journal) -> None:
    """Finish giving, giving back, defending, using charms, or the turn (§4, §5)."""
    if state.phase == Phase.TRADE_GIVE:
        state.phase = Phase.TRADE_RETURN
    elif state.phase == Phase.TRADE_RETURN:
        state.partner = NOBODY
        state.phase = Phase.ACTION_DONE
    elif state.phase == Phase.DEFEND:
        slay(state, state.active, state.partner, journal)
    elif state.phase == Phase.LUCK:
        state.phase = Phase.WALK
    else:
        state.phase = Phase.FAINT_CHECK


@jit
def run(state: State, journal: Journal) -> None:
    """Run the stages in which nobody is asked."""
    while state.phase > LAST_ASKED:
        if state.phase == Phase.ACTION_DONE:
            begin_wrap_up(state)
        elif state.phase == Phase.FAINT_CHECK:
            check_faint(state, journal)
        elif state.phase == Phase.UPDATES:
            begin_updates(state, journal)
        elif state.phase == Phase.WALK:
            walk(state, journal)
        elif state.phase == Phase.EVENT_DONE:
            finish_event(state, journal)
        elif state.phase == Phase.STORM:
            continue_storm(state, journal)
        else:
            begin_turn(state, journal)


@jit
def begin_wrap_up(state: State) -> None:
    """A gnome who holds something useful is asked once more (§4)."""
    hand = state.hand[state.active]
    useful = hand[Item.COFFEE] > 0 or hand[Item.LUCKY_CHARM] > 0
    state.phase = Phase.WRAP_UP if useful else Phase.FAINT_CHECK


@jit
def next_gnome(state: State) -> int:
    """The gnome with the most minutes left is next, or of those in a stack the topmost (§3)."""
    chosen = NOBODY
    for seat in range(state.gnomes):
        if is_aboard(state, seat) and state.minutes[seat] > 0:
            if chosen == NOBODY:
                chosen = seat
            elif state.minutes[seat] != state.minutes[chosen]:
                chosen = seat if state.minutes[seat] > state.minutes[chosen] else chosen
            elif state.stack[seat] > state.stack[chosen]:
                chosen = seat
    return chosen


@jit
def begin_turn(state: State, journal: Journal) -> None:
    """With all Time Keepers on 0 the crew is rescued (§8); a fainted gnome stands up when their turn begins (§3)."""
    for item in range(ITEMS):
        state.used[item] = 0
    state.icons_ignored = 0
    state.began_at_sea = 0
    state.event_drawn = 0
    seat = next_gnome(state)
    if seat == NOBODY:
        end_game(state, Cause.RESCUED, journal)
        return
    state.turn += 1
    state.active = seat
    state.ghost = state.minutes[seat]
    state.began_at_sea = state.room[seat] == SEA
    state.phase = Phase.MOVEMENT
    log(journal, Row.TURN_BEGAN, seat, state.minutes[seat], state.turn, 0)
    if state.condition[seat] == Condition.FAINTED:
        state.condition[seat] = Condition.ALIVE
        log(journal, Row.GNOME_WOKE, seat, 0, 0, 0)
