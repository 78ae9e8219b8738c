"""Gnomes on the board and off it: deaths, newcomers, and the end of the game (§6, §8, §9)."""

from engine.compiled.dice import roll_die
from engine.compiled.items import discard_hand
from engine.compiled.jit import jit
from engine.compiled.journal import NEWCOMER_DIE, log
from engine.compiled.state import Journal, State
from engine.enums import SEA, Cause, Condition, Lost, Phase, Purpose, Token, Water
from engine.rows import Row

TOKENS = len(Token)


@jit
def is_aboard(state: State, seat: int) -> bool:
    """Return whether a gnome is on the board, inside or at sea: neither dead nor gone."""
    return state.condition[seat] <= Condition.FAINTED


@jit
def is_deadly(state: State, room: int) -> bool:
    """Fire and high water are deadly (§6)."""
    return state.fire[room] > 0 or state.water[room] == Water.HIGH


@jit
def end_game(state: State, cause: int, journal: Journal) -> None:
    """End the game. A gnome who is about to abandon the others has left by now (§5)."""
    if state.abandoning > 0:
        state.abandoning = 0
        state.condition[state.active] = Condition.ABANDONED
        log(journal, Row.GNOME_ABANDONED, state.active, 0, 0, 0)
    state.cause = cause
    state.phase = Phase.OVER
    state.event_drawn = 0
    log(journal, Row.GAME_OVER, cause, 0, 0, 0)


@jit
def is_passed_by_all(state: State, minute: int) -> bool:
    for seat in range(state.gnomes):
        if is_aboard(state, seat) and state.minutes[seat] >= minute:
            return False
    return True


@jit
def check_tokens(state: State, journal: Journal) -> None:
    """A Destruction token that every Time Keeper on the board has passed ends the game (§6)."""
    for token in range(TOKENS):
        if state.token[token] > 0 and is_passed_by_all(state, state.token[token]):
            end_game(state, Cause.ASPHYXIATED + token, journal)
            return


@jit
def leave_board(state: State, seat: int, condition: int, journal: Journal) -> None:
    """Gnome and Time Keeper leave the board, which may end the game (§6, §8)."""
    state.condition[seat] = condition
    somebody, all_dead = False, True
    for other in range(state.gnomes):
        somebody = somebody or is_aboard(state, other)
        all_dead = all_dead and state.condition[other] == Condition.DEAD
    if somebody:
        check_tokens(state, journal)
    else:
        end_game(state, Cause.ALL_DEAD if all_dead else Cause.NOBODY_ABOARD, journal)


@jit
def swim_away(state: State, journal: Journal) -> None:
    """A gnome who abandons the others leaves the board with their items (§5)."""
    state.abandoning = 0
    state.phase = Phase.NEXT_TURN
    log(journal, Row.GNOME_ABANDONED, state.active, 0, 0, 0)
    leave_board(state, state.active, Condition.ABANDONED, journal)


@jit
def send_newcomer(state: State, seat: int, journal: Journal) -> None:
    """With less deadly dying a sober newcomer in a random room takes over the Time Keeper (§9)."""
    state.condition[seat] = Condition.ALIVE
    state.intoxication[seat] = 0
    state.drew_items_in[seat] = 0
    state.room[seat] = roll_die(state, Purpose.NEWCOMER_ROOM)
    log(journal, Row.DIE_ROLLED, NEWCOMER_DIE, state.room[seat], 0, seat)
    log(journal, Row.GNOME_REPLACED, seat, state.room[seat], 0, 0)


@jit
def die(state: State, seat: int, death: int, journal: Journal) -> None:
    """A dead gnome's items are discarded, and their Time Keeper leaves the board or is taken over (§6, §9)."""
    log(journal, Row.GNOME_DIED, seat, death, state.room[seat], 0)
    discard_hand(state, seat, Lost.DEATH, journal)
    if state.less_deadly_dying > 0:
        send_newcomer(state, seat, journal)
    else:
        leave_board(state, seat, Condition.DEAD, journal)


@jit
def die_before_updates(state: State, death: int, journal: Journal) -> None:
    """The active gnome dies before the Updates: a newcomer goes on with them, without a Faint Check (§6, §9)."""
    die(state, state.active, death, journal)
    if state.phase != Phase.OVER:
        state.phase = Phase.UPDATES if state.less_deadly_dying > 0 else Phase.NEXT_TURN


@jit
def is_at_sea(state: State, seat: int) -> bool:
    return state.room[seat] == SEA


@jit
def is_company(state: State, seat: int, other: int) -> bool:
    """Gnomes in one room are company, also fainted or out of minutes, but not at sea (§5)."""
    together = state.room[other] == state.room[seat] and not is_at_sea(state, seat)
    return other != seat and is_aboard(state, other) and together
