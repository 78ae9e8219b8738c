"""Set up a game in steps that positions share: lay out the board, deal, begin (§2, §9)."""

from engine import moves
from engine.board import START
from engine.cards import DEALT, STASH
from engine.compiled.dice import roll_die, shuffle_seats
from engine.compiled.events import fill_event_deck
from engine.compiled.items import draw_item, fill_item_deck
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.state import Journal, Moves, State
from engine.compiled.turn import next_gnome, play
from engine.enums import NOBODY, NOWHERE, SEATS, Challenge, Phase, Purpose, Source, Token, Track
from engine.rows import Row

TRACKS, TOKENS = len(Track), len(Token)


@jit
def lay_out(state: State) -> None:
    """Lay out board and cards, with gnomes in random rooms and nothing dealt. Caller has set key and rules."""
    for seat in range(state.gnomes):
        state.minutes[seat] = START[state.gnomes]
        state.room[seat] = roll_die(state, Purpose.START_ROOM)
    shuffle_seats(state)
    for track in range(TRACKS):
        state.track[track] = 1
    for token in range(TOKENS):
        state.token[token] = NOWHERE
    state.captains_grog = STASH
    state.partner = NOBODY
    fill_event_deck(state)
    fill_item_deck(state)


@jit
def deal(state: State, wanting: int, journal: Journal) -> None:
    """Deal two items to each gnome whose seat's bit is set in `wanting` (§2)."""
    for seat in range(SEATS):
        if (wanting >> seat) & 1:
            for _ in range(DEALT):
                draw_item(state, seat, Source.EQUIPMENT_STORES, journal)


@jit
def begin(state: State, journal: Journal, legal: Moves) -> int:
    """Begin with the storm, if the rules have one, and the first turn (§9); return how many moves are legal then."""
    state.active = next_gnome(state)
    state.ghost = state.minutes[state.active]
    state.phase = Phase.NEXT_TURN
    if state.greater_challenge == Challenge.STORM:
        state.phase = Phase.STORM
        state.storm_left = state.players
        log(journal, Row.STORM_BEGAN, state.storm_left, 0, 0, 0)
    count = play(state, moves.NO_MOVE, journal, legal)
    state.version = 0
    return count
