"""The options of a game (§9)."""

from dataclasses import asdict, dataclass
from typing import Any

from engine.errors import BadRules, shown
from engine.kinds import SEATS, Challenge, Edition

MIN_GNOMES = 3


def _member_names(kind: Any) -> list[str]:
    return [member.name.lower() for member in kind]


EDITIONS = _member_names(Edition)
CHALLENGES = _member_names(Challenge)


@dataclass(frozen=True, init=False)
class Rules:
    """Which game is played. `players` left out means a player for each gnome."""

    gnomes: int
    players: int
    edition: str
    less_deadly_dying: bool
    crazed_gnomes: bool
    greater_challenge: str

    def __init__(
        self,
        /,
        gnomes: int = 4,
        players: int | None = None,
        edition: str = "revised",
        less_deadly_dying: bool = False,
        crazed_gnomes: bool = False,
        greater_challenge: str = "off",
        **unknown: Any,
    ) -> None:
        for option in unknown:
            raise BadRules(option, "unknown rule option")
        values = {
            "gnomes": gnomes,
            "players": gnomes if players is None else players,
            "edition": edition,
            "less_deadly_dying": less_deadly_dying,
            "crazed_gnomes": crazed_gnomes,
            "greater_challenge": greater_challenge,
        }
        for option, value in values.items():
            object.__setattr__(self, option, value)
        self._check()

    def _check(self) -> None:
        for option in ("gnomes", "players"):
            if type(getattr(self, option)) is not int:
                raise BadRules(option, "must be a whole number")
        for option in ("less_deadly_dying", "crazed_gnomes"):
            if type(getattr(self, option)) is not bool:
                raise BadRules(option, "must be true or false")
        if not MIN_GNOMES <= self.gnomes <= SEATS:
            raise BadRules("gnomes", f"must be {MIN_GNOMES} to {SEATS}")
        if self.players != self.gnomes and self.players != 1 and (self.players, self.gnomes) != (2, 4):
            raise BadRules("players", "one player has three gnomes or more, two have two each, others one each")
        if self.edition not in EDITIONS:
            raise BadRules("edition", f"must be one of {', '.join(EDITIONS)}")
        if self.greater_challenge not in CHALLENGES:
            raise BadRules("greater_challenge", f"must be one of {', '.join(CHALLENGES)}")

    @classmethod
    def from_dict(cls, options: Any) -> "Rules":
        if not isinstance(options, dict):
            raise BadRules("", "rules are an object")
        for option in options:
            if not isinstance(option, str):
                raise BadRules(shown(option), "unknown rule option")
        return cls(**options)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def has_secret_hands(self) -> bool:
        """Crazed gnomes hide their items, except in the original edition."""
        return self.crazed_gnomes and self.edition == "revised"

    def player_of(self, seat: int) -> int:
        """Two players have seats 0 1 and 2 3, one player has all."""
        return seat * self.players // self.gnomes

    def seats_of_player_at(self, seat: int) -> list[int]:
        return [other for other in range(self.gnomes) if self.player_of(other) == self.player_of(seat)]
