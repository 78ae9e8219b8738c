"""One family of errors. Each names the field at fault and the reason, and leaves the game as it was."""

from typing import Literal, TypeAlias

# What is wrong with a field: it is missing, there is none of that name, its value is of another type, too small or too
# large, too short or too long, none of those that there are, or in conflict with others; or a move is not legal now.
Fault: TypeAlias = Literal["required", "unknown", "type", "range", "length", "value", "conflict", "illegal"]

LONGEST_SHOWN = 40
LONGEST_FIELD = 120


def shown(value: object) -> str:
    """Return a value as a message may show it: bad input can be huge, or nested deeply."""
    short = len(value) <= LONGEST_SHOWN if isinstance(value, str) else isinstance(value, int) and abs(value) < 10**9
    return repr(value) if short else f"this {type(value).__name__}"


def step(name: object) -> str:
    """Return a name as a step of a path, in which `/` parts the steps: as in a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1") if isinstance(name, str) else shown(name)


class GameError(Exception):
    """A request that the engine refuses."""

    def __init__(self, field: str, reason: str, fault: Fault = "conflict"):
        self.field, self.fault = field[:LONGEST_FIELD], fault
        super().__init__(f"{self.field}: {reason}" if field else reason)
        self.reason = reason


class BadRules(GameError):
    """An unknown rule option, or a value that it does not take."""


class BadSeed(GameError):
    """A seed that is not 32 bytes."""


class IllegalMove(GameError):
    """A move that does not exist, or, as the fault `illegal`, one that is not legal now."""

    def __init__(self, field: str, reason: str, fault: Fault = "illegal"):
        super().__init__(field, reason, fault)


class BadPosition(GameError):
    """A position that no game can reach: the field is a path such as `gnomes/0/room`."""


class BadBytes(GameError):
    """Bytes that are not a stored game: cut short, damaged, or of another layout."""


class BadSeat(GameError):
    """A seat that this game does not have."""
