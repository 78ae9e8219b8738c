"""What a match shall be: read from a request, kept with the match."""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from bots.arena import BadCrew, seat_crew
from engine import BadRules, Rules
from service.config import Config
from service.errors import invalid, of_engine

Wire = dict[str, Any]

LINE_UPS = ("crew", "against")
NONE, LOSSES, ALL = KEEP = ("none", "losses", "all")
_SOLO = 4  # gnomes, where nothing tells how many


@dataclass(frozen=True)
class Plan:
    """A series of games for each of `gnomes`."""

    games: int  # each line-up, each series
    gnomes: list[int]
    rules: Wire  # the options but for the number of gnomes
    crew: list[str]
    against: list[str] | None
    seed: int
    margin: float | None  # of the test that may end a series early
    keep: str
    label: str

    @classmethod
    def read(cls, wanted: Wire, config: Config) -> "Plan":
        """Raises a Problem that names the field."""
        crew = wanted["crew"]
        plan = cls(
            games=wanted["games"],
            gnomes=wanted.get("gnomes") or [len(crew) if len(crew) > 1 else _SOLO],
            rules=wanted.get("rules", {}),
            crew=crew,
            against=wanted.get("against"),
            seed=wanted.get("seeds", {}).get("first", 1),
            margin=wanted.get("stop", {}).get("sprt", {}).get("margin"),
            keep=wanted.get("keep_replays", NONE),
            label=wanted.get("label", ""),
        )
        plan._check()
        plan._check_size(config)
        rules = Rules.from_dict({"gnomes": plan.gnomes[0], **plan.rules}).to_dict()
        options = {name: value for name, value in rules.items() if name not in ("gnomes", "players")}
        return replace(plan, rules=plan.rules | options)

    def _check(self) -> None:
        if len(set(self.gnomes)) < len(self.gnomes):
            raise invalid("/gnomes", "names a number twice")
        for gnomes in self.gnomes:
            try:
                Rules.from_dict({"gnomes": gnomes, **self.rules})
            except BadRules as error:
                raise of_engine(error, "/rules") from error
            for name, crew in self.line_ups.items():
                try:
                    seat_crew(crew, gnomes)
                except BadCrew as error:
                    raise invalid(f"/{name}", error.reason) from error
        if self.margin is not None and self.against is None:
            raise invalid("/stop/sprt", "compares two crews: name the other one in `against`")

    def _check_size(self, config: Config) -> None:
        if self.total > config.match_games:
            raise invalid("/games", f"comes to {self.total} games in all, and may to {config.match_games}")
        if self.keep != NONE and self.total > config.match_replays:
            detail = f"is for up to {config.match_replays} games in all, and these are {self.total}"
            raise invalid("/keep_replays", detail)

    @property
    def line_ups(self) -> dict[str, list[str]]:
        """By name, as they were asked for: one bot may stand for all seats."""
        named = zip(LINE_UPS, (self.crew, self.against))
        return {name: crew for name, crew in named if crew is not None}

    @property
    def total(self) -> int:
        return self.games * len(self.line_ups) * len(self.gnomes)

    @cached_property
    def series(self) -> list["Series"]:
        return [
            Series(
                Rules.from_dict({"gnomes": gnomes, **self.rules}),
                [seat_crew(crew, gnomes) for crew in self.line_ups.values()],
            )
            for gnomes in self.gnomes
        ]

    def to_dict(self) -> Wire:
        return asdict(self)


@dataclass(frozen=True)
class Series:
    """The games with one number of gnomes."""

    rules: Rules
    crews: list[list[str]]  # a bot for each seat
