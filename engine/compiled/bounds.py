"""Check that a record from elsewhere leads compiled code to no place outside of its arrays."""

from engine.compiled.jit import jit
from engine.compiled.state import SCRIPT_LENGTH, Cells, State
from engine.enums import LAST_ASKED, MAX_MINUTES, NOBODY, ROOMS

_LAST_PHASE = int(LAST_ASKED)
_MOST = 127  # that a cell can hold


@jit
def _are_within(cells: Cells, low: int, high: int) -> bool:
    for cell in range(len(cells)):
        if cells[cell] < low or cells[cell] > high:
            return False
    return True


@jit
def is_in_bounds(state: State) -> bool:
    """Return whether every index that the rules take from a record is in range, whatever its bytes."""
    return (
        0 <= state.phase <= _LAST_PHASE
        and 0 <= state.active < state.gnomes
        and NOBODY <= state.partner < state.gnomes
        and 0 <= state.beyond < ROOMS
        and 0 <= state.event_room < ROOMS
        and _are_within(state.room, 0, ROOMS - 1)
        and _are_within(state.minutes, 0, MAX_MINUTES)
        and _are_within(state.track, 1, _MOST)
        and _are_within(state.script_left, 0, SCRIPT_LENGTH)
    )
