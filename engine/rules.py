"""The options of a game (§9), and the version of the rules."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engine.enums import SEATS, Challenge, Edition
from engine.errors import BadRules, step
from engine.shapes import RuleOptions

MIN_GNOMES = 3
# Raise it with every change of what the rules make of the same moves under the same seed. Games that began before go on
# under the new rules from where they stand. Their replays name the version under which they began.
#   1: releases up to 0.1.0
#   2: high water opened onto low water sinks; a gnome who fails to extinguish must leave; charms and coffee in the
#      Updates; coming back in and abandoning as in the original edition; crazed gnomes hide their hands in both
RULES_VERSION = 2


def _member_names(kind: Any) -> list[str]:
    return [member.name.lower() for member in kind]


EDITIONS = _member_names(Edition)
CHALLENGES = _member_names(Challenge)


def _players_for(gnomes: int) -> str:
    """Return how many players may share so many gnomes."""
    if gnomes == 4:
        return "four gnomes have 1, 2 or 4 players"
    return f"{gnomes} gnomes have 1 player, or {gnomes}; two players need four gnomes, two each"


@dataclass(frozen=True, init=False)
class Rules:
    """The options of a game. Without `players` each gnome has a player of their own; crazed gnomes hide their hands."""

    gnomes: int
    players: int
    edition: str
    less_deadly_dying: bool
    hidden_hands: bool
    crazed_gnomes: bool
    greater_challenge: str

    def __init__(
        self,
        /,
        gnomes: int = 4,
        players: int | None = None,
        edition: str = "revised",
        less_deadly_dying: bool = False,
        hidden_hands: bool | None = None,
        crazed_gnomes: bool = False,
        greater_challenge: str = "off",
        **unknown: Any,
    ) -> None:
        for option in unknown:
            raise BadRules(step(option), "unknown rule option", "unknown")
        values = {
            "gnomes": gnomes,
            "players": gnomes if players is None else players,
            "edition": edition,
            "less_deadly_dying": less_deadly_dying,
            "hidden_hands": crazed_gnomes if hidden_hands is None else hidden_hands,
            "crazed_gnomes": crazed_gnomes,
            "greater_challenge": greater_challenge,
        }
        for option, value in values.items():
            object.__setattr__(self, option, value)
        self._check()

    def _check(self) -> None:
        for option in ("gnomes", "players"):
            if type(getattr(self, option)) is not int:
                raise BadRules(option, "must be a whole number", "type")
        for option in ("less_deadly_dying", "crazed_gnomes", "hidden_hands"):
            if type(getattr(self, option)) is not bool:
                raise BadRules(option, "must be true or false", "type")
        if self.crazed_gnomes and not self.hidden_hands:
            raise BadRules("hidden_hands", "must be true with crazed_gnomes: who may be attacked hides what they hold")
        if not MIN_GNOMES <= self.gnomes <= SEATS:
            raise BadRules("gnomes", f"must be {MIN_GNOMES} to {SEATS}", "range")
        if self.players != self.gnomes and self.players != 1 and (self.players, self.gnomes) != (2, 4):
            raise BadRules("players", _players_for(self.gnomes))
        for option, names in (("edition", EDITIONS), ("greater_challenge", CHALLENGES)):
            if getattr(self, option) not in names:
                raise BadRules(option, f"must be one of {', '.join(names)}", "value")

    @classmethod
    def from_dict(cls, options: Any) -> "Rules":
        """Return the rules that a JSON object describes. Raise BadRules for an unknown option or a bad value."""
        if not isinstance(options, dict):
            raise BadRules("", "rules are an object", "type")
        for option in options:
            if not isinstance(option, str):
                raise BadRules(step(option), "unknown rule option", "unknown")
        return cls(**options)

    def to_dict(self) -> RuleOptions:
        """Return all options as a JSON object."""
        options: Any = {**vars(self)}
        whole: RuleOptions = options
        return whole

    def player_of(self, seat: int) -> int:
        """Return the player of a seat: of two players the first has seats 0 and 1; a single one has all (§9)."""
        return seat * self.players // self.gnomes

    def seats_of_player_at(self, seat: int) -> list[int]:
        """Return all seats of the player at a seat, that seat included."""
        return [other for other in range(self.gnomes) if self.player_of(other) == self.player_of(seat)]

    def hidden_seats(self, seat: int | None) -> list[int]:
        """Return the seats whose hands the player at a seat, or a spectator (None), may not see (§9)."""
        if not self.hidden_hands:
            return []
        own = [] if seat is None else self.seats_of_player_at(seat)
        return [other for other in range(self.gnomes) if other not in own]


RULE_FIELDS = (
    "gnomes", "players", "edition", "less_deadly_dying", "hidden_hands", "crazed_gnomes", "greater_challenge",
)  # fmt: skip


def rules_of(record: np.ndarray) -> Rules:
    """Return the rules that a record names. Raise BadRules if there are no such rules."""
    return _rules(*(int(record[name][0]) for name in RULE_FIELDS))


@cache
def _rules(
    gnomes: int, players: int, edition: int, less_deadly: int, hidden: int, crazed: int, challenge: int
) -> Rules:
    for option, flag in (("less_deadly_dying", less_deadly), ("hidden_hands", hidden), ("crazed_gnomes", crazed)):
        if flag not in (0, 1):
            raise BadRules(option, "must be true or false")
    if edition not in list(Edition):
        raise BadRules("edition", f"must be one of {', '.join(EDITIONS)}")
    if challenge not in list(Challenge):
        raise BadRules("greater_challenge", f"must be one of {', '.join(CHALLENGES)}")
    flags = (bool(less_deadly), bool(hidden), bool(crazed))
    return Rules(gnomes, players, EDITIONS[edition], *flags, CHALLENGES[challenge])
