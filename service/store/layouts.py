"""Number the forms in which games were stored, and bring an older form to the present one.

A game that an earlier release stored is upgraded whenever it is read, and is stored in today's form with its next
change. One that a later release stored is refused: nobody who does not know its form reads or writes it.

A change of what stands in the hash of a game (see `store.py`) takes a migration here: a function from the fields of
one layout to those of the next, as they are stored. It must bear fields that are missing. Three parts of a game are
also read without it, by whoever lists games (`card`) and whoever polls (`rights`, `seen`): a migration that changes
those changes these readers, too. A part that an earlier release need not know (`revoked`, `client_data`) is a field of
its own, which that release leaves as it is. Events are never rewritten. Whoever reads them understands every kind ever
told.

The engine's record has a layout of its own, and the engine refuses bytes of any other. So when that of
`engine/compiled/state.py` is raised, a migration here goes with it, and the dtype of the old record stays in
`old_records.py` from then on.

A layout that only lets a game have what none had before, and leaves all others as they are, is given to the games that
have it: releases before it go on with the others, and whoever steps back loses no more than those (see `of_game`).

A rule that is played otherwise from some release on raises `engine.rules.RULES_VERSION`. Games that have begun go on
under the new rules, and keep the version that they were begun under: their past can be played again only as far as it
comes to the same (see `history.py`). `tests/store/test_upgrades.py` replays what every release has left.
"""

from collections.abc import Callable

Stored = dict[str, bytes | None]


def to_2(fields: Stored) -> Stored:
    """Make hidden hands an option of their own, and give the rules a version."""
    from service.store import old_records  # noqa: PLC0415 - it loads the rules, which who asks for LAYOUT alone does without

    record = fields.get("record")
    return fields | {"record": old_records.from_1(record)} if record else fields


def to_3(fields: Stored) -> Stored:
    """Let bots of others have seats. What was stored before has none, and stays as it is."""
    return fields


# The first one makes layout 2 of layout 1.
MIGRATIONS: tuple[Callable[[Stored], Stored], ...] = (to_2, to_3)
LAYOUT = 1 + len(MIGRATIONS)
WITH_OUTSIDERS = 3  # the first layout with seats of outside bots, which releases before it know no name of
ENGINE_LAYOUT = 2  # of the records in games of this layout
FIELD = "layout"
_FIRST = b"1"  # games were stored before layouts had numbers


class NewerLayout(Exception):
    """Raised for a game that a later release stored."""

    def __init__(self, layout: int):
        super().__init__(f"was stored by a later release, in layout {layout}: this one knows {LAYOUT}")


def check(stored: bytes | None) -> int:
    """Return the layout of a game by its field. Raises NewerLayout."""
    layout = int(stored or _FIRST)
    if layout > LAYOUT:
        raise NewerLayout(layout)
    return layout


def of_game(has_outsiders: bool) -> int:
    """Return the layout that a game is stored in: the earliest one whose releases play it on as this one does."""
    return LAYOUT if has_outsiders or LAYOUT > WITH_OUTSIDERS else WITH_OUTSIDERS - 1


def upgraded(fields: Stored) -> Stored:
    """Return the fields as this release would have stored them. Raises NewerLayout."""
    for migrate in MIGRATIONS[check(fields.get(FIELD)) - 1 :]:
        fields = migrate(fields)
    return fields
