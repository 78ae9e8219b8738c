"""Gnomes on the board and off it: deaths, newcomers, and the end of the game (§6, §8, §9)."""

from engine.dice import roll_die
from engine.items import discard_hand
from engine.jit import jit
from engine.journal import NEWCOMER_DIE, Row, log
from engine.kinds import SEA, Cause, Condition, Lost, Phase, Purpose, Token, Water
from engine.state import Journal, State

TOKENS = len(Token)


@jit
def is_aboard(state: State, seat: int) -> bool:
    """On the board, inside or outside the sub: neither dead nor gone."""
    return state.condition[seat] <= Condition.FAINTED


@jit
def is_deadly(state: State, room: int) -> bool:
    """A burning room, or one at high water (§6)."""
    return state.fire[room] > 0 or state.water[room] == Water.HIGH


@jit
def end_game(state: State, cause: int, journal: Journal) -> None:
    state.cause = cause
    state.phase = Phase.OVER
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
    """Gnome and Time Keeper are gone; perhaps he was the last, or the last before a token (§6, §8)."""
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
def send_newcomer(state: State, seat: int, journal: Journal) -> None:
    """Less deadly dying: a new gnome, sober, in a random room, on the same Time Keepers (§9)."""
    state.condition[seat] = Condition.ALIVE
    state.intoxication[seat] = 0
    state.drew_items_in[seat] = 0
    state.room[seat] = roll_die(state, Purpose.NEWCOMER_ROOM)
    log(journal, Row.DIE_ROLLED, NEWCOMER_DIE, state.room[seat], 0, seat)
    log(journal, Row.GNOME_REPLACED, seat, state.room[seat], 0, 0)


@jit
def die(state: State, seat: int, death: int, journal: Journal) -> None:
    """A dead gnome's items are discarded, his Time Keeper leaves the board; or a newcomer takes over (§6, §9)."""
    log(journal, Row.GNOME_DIED, seat, death, state.room[seat], 0)
    discard_hand(state, seat, Lost.DEATH, journal)
    if state.less_deadly_dying > 0:
        send_newcomer(state, seat, journal)
    else:
        leave_board(state, seat, Condition.DEAD, journal)


@jit
def die_before_updates(state: State, death: int, journal: Journal) -> None:
    """The active gnome dies in his own turn: no Faint Check; a newcomer goes straight to the Updates (§6, §9)."""
    die(state, state.active, death, journal)
    if state.phase != Phase.OVER:
        state.phase = Phase.UPDATES if state.less_deadly_dying > 0 else Phase.NEXT_TURN


@jit
def is_at_sea(state: State, seat: int) -> bool:
    return state.room[seat] == SEA


@jit
def is_company(state: State, seat: int, other: int) -> bool:
    """Another gnome in the same room, fainted or out of minutes as he may be, but not at sea (§5)."""
    together = state.room[other] == state.room[seat] and not is_at_sea(state, seat)
    return other != seat and is_aboard(state, other) and together
