"""The form in which a game is stored, by number, and how an older form becomes this one.

A game that an earlier release stored is upgraded whenever it is read, and is stored in today's form with its next
change. One that a later release stored is refused: nobody who does not know its form reads or writes it.

A change of what stands in the hash of a game (see `store.py`) takes a migration here: a function from the fields of
one layout to those of the next, as they are stored. It must bear fields that are missing. Three parts of a game are
also read without it, by whoever lists games (`card`) and whoever polls (`rights`, `seen`): a migration that changes
those changes these readers, too. Events are never rewritten. Whoever reads them understands every kind ever told.

The engine's record has a layout of its own, and the engine refuses bytes of any other. So when `engine.state.LAYOUT`
is raised, a migration here goes with it, which is where the dtype of the old record is kept from then on:

    def to_2(fields: Stored) -> Stored:
        old = np.frombuffer(fields["record"][5:-4], OLD_STATE)  # after magic and layout, before the checksum
        new = new_records()
        for name in set(OLD_STATE.names) & set(STATE.names):
            new[name] = old[name]
        return fields | {"record": Game(new, rules_of(new)).to_bytes()}

A rule that is played otherwise from some release on needs no layout, and can't be migrated: games that have begun go
on, but their replays come to another end. `tests/test_upgrades.py` replays what every release has left.
"""

from collections.abc import Callable

Stored = dict[str, bytes | None]

MIGRATIONS: tuple[Callable[[Stored], Stored], ...] = ()  # the first one makes layout 2 of layout 1
LAYOUT = 1 + len(MIGRATIONS)
ENGINE_LAYOUT = 1  # of the records in games of this layout
FIELD = "layout"
_FIRST = b"1"  # games were stored before layouts had numbers


class NewerLayout(Exception):
    """A later release stored that game."""

    def __init__(self, layout: int):
        super().__init__(f"was stored by a later release, in layout {layout}: this one knows {LAYOUT}")


def check(stored: bytes | None) -> int:
    """The layout of a game by its field. Raises NewerLayout."""
    layout = int(stored or _FIRST)
    if layout > LAYOUT:
        raise NewerLayout(layout)
    return layout


def upgraded(fields: Stored) -> Stored:
    """The fields as this release would have stored them. Raises NewerLayout."""
    for migrate in MIGRATIONS[check(fields.get(FIELD)) - 1 :]:
        fields = migrate(fields)
    return fields
