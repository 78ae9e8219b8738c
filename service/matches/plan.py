"""What a match shall be: read from a request, stored with the match."""

from functools import cached_property
from typing import Required, TypedDict

import msgspec

from bots.arena.game import BadCrew, seat_crew
from bots.roster import ROSTER
from bots.safety import BLUEPRINT
from engine import BadRules, Rules
from service.accounts.names import account_of
from service.config import Config
from service.refusals import invalid, of_engine

LINE_UPS = ("crew", "against")
NONE, LOSSES, ALL = KEEP = ("none", "losses", "all")
_SOLO = 4  # gnomes, where nothing tells how many

Options = dict[str, bool | int | str]  # of the rules, but for the number of gnomes


class SeedsRequest(TypedDict, total=False):
    first: int


class SprtRequest(TypedDict):
    margin: float


class StopRequest(TypedDict, total=False):
    sprt: SprtRequest


class MatchRequest(TypedDict, total=False):
    """What a caller asks for, as the schema `NewMatch` has checked it."""

    games: Required[int]
    crew: Required[list[str]]
    gnomes: list[int]
    rules: Options
    against: list[str]
    seeds: SeedsRequest
    stop: StopRequest
    keep_replays: str
    name: str


class Series(msgspec.Struct, frozen=True):
    """The games with one number of gnomes."""

    rules: Rules
    crews: list[list[str]]  # of each line-up, a bot for each seat


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A series of games for each of `gnomes`."""

    games: int  # each line-up, each series
    gnomes: list[int]
    rules: Options
    crew: list[str]
    against: list[str] | None
    seed: int
    margin: float | None  # of the test that may end a series early
    keep: str  # the games of which the moves are kept
    name: str = msgspec.field(name="label")  # as it is stored; "" for none

    @classmethod
    def from_request(cls, wanted: MatchRequest, config: Config) -> "Plan":
        """Read a request. Raises a Problem that names the field."""
        crew = wanted["crew"]
        sprt = wanted.get("stop", {}).get("sprt")
        plan = cls(
            games=wanted["games"],
            gnomes=wanted.get("gnomes") or [len(crew) if len(crew) > 1 else _SOLO],
            rules=wanted.get("rules", {}),
            crew=crew,
            against=wanted.get("against"),
            seed=wanted.get("seeds", {}).get("first", 1),
            margin=sprt["margin"] if sprt else None,
            keep=wanted.get("keep_replays", NONE),
            name=wanted.get("name", ""),
        )
        if plan.outsiders:
            if wanted.get("keep_replays", ALL) != ALL:
                raise invalid("/keep_replays", "conflict", "is `all` where outside bots play: nothing makes it again")
            plan = msgspec.structs.replace(plan, keep=ALL)
        plan._check()
        plan._check_size(config)
        return plan._with_all_options()

    @classmethod
    def from_stored(cls, stored: bytes) -> "Plan":
        """Read a plan that this release or an earlier one, which knew fewer options, has stored as JSON."""
        return msgspec.json.decode(stored, type=cls)._with_all_options()

    def _with_all_options(self) -> "Plan":
        rules = Rules.from_dict({"gnomes": self.gnomes[0], **self.rules}).to_dict()
        options = {name: value for name, value in rules.items() if name not in ("gnomes", "players")}
        return msgspec.structs.replace(self, rules=self.rules | options)

    def _check(self) -> None:
        if len(set(self.gnomes)) < len(self.gnomes):
            raise invalid("/gnomes", "conflict", "names a number twice")
        for gnomes in self.gnomes:
            try:
                Rules.from_dict({"gnomes": gnomes, **self.rules})
            except BadRules as error:
                raise of_engine(error, "/rules") from error
            for name, crew in self.line_ups.items():
                try:
                    _seated(crew, gnomes)
                except BadCrew as error:
                    raise invalid(f"/{name}", error.fault, error.reason) from error
        if self.margin is not None and self.against is None:
            raise invalid("/stop/sprt", "conflict", "compares two crews: name the other one in `against`")

    def _check_size(self, config: Config) -> None:
        if self.total > config.match_games:
            raise invalid("/games", "range", f"comes to {self.total} games in all, and may to {config.match_games}")
        if self.keep != NONE and self.total > config.match_replays:
            detail = f"is for up to {config.match_replays} games in all, and these are {self.total}"
            raise invalid("/keep_replays", "conflict", detail)

    @cached_property
    def line_ups(self) -> dict[str, list[str]]:
        """Return the crews by name, as they were asked for: one bot may stand for all seats."""
        named = zip(LINE_UPS, (self.crew, self.against))
        return {name: crew for name, crew in named if crew is not None}

    @cached_property
    def outsiders(self) -> list[str]:
        """Return the accounts of the outside bots that play."""
        found = (account_of(bot) for crew in self.line_ups.values() for bot in crew)
        return sorted({account for account in found if account is not None})

    @property
    def total(self) -> int:
        return self.games * len(self.line_ups) * len(self.gnomes)

    @cached_property
    def series(self) -> list[Series]:
        return [
            Series(
                Rules.from_dict({"gnomes": gnomes, **self.rules}),
                [_seated(crew, gnomes) for crew in self.line_ups.values()],
            )
            for gnomes in self.gnomes
        ]


def _seated(crew: list[str], gnomes: int) -> list[str]:
    """Return a bot for each seat, ours or others'. Raises BadCrew."""
    others = dict.fromkeys((bot for bot in crew if account_of(bot) is not None), ROSTER[BLUEPRINT])
    return seat_crew(crew, gnomes, {**ROSTER, **others})
