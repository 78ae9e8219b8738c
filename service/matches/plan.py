"""What a match shall be: read from a request, stored with the match."""

from functools import cached_property
from typing import Required, TypedDict

import msgspec

from bots.arena.game import BadCrew, seat_crew
from bots.arena.league import LINE_UPS, Duel, League, duels_of, names_of
from bots.roster import ROSTER
from bots.safety import BLUEPRINT
from engine import BadRules, Rules
from service.accounts.names import account_of
from service.config import Config
from service.refusals import invalid, of_engine

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
    crew: list[str]
    gnomes: list[int]
    rules: Options
    against: list[str]
    crews: list[list[str]]
    baseline: str
    seeds: SeedsRequest
    stop: StopRequest
    keep_replays: str
    name: str


class Series(msgspec.Struct, frozen=True):
    """The games with one number of gnomes."""

    rules: Rules
    crews: list[list[str]]  # of each line-up, a bot for each seat


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A series of games for each of `gnomes`. What has a default is stored only of a league, so that releases before
    leagues read all others."""

    games: int  # each line-up, each series
    gnomes: list[int]
    rules: Options
    crew: list[str]
    against: list[str] | None
    seed: int
    margin: float | None  # of the test that may end a series early
    keep: str  # the games of which the moves are kept
    name: str = msgspec.field(name="label")  # as it is stored; "" for none
    crews: list[list[str]] | None = None  # of a league, whose first one is `crew`
    baseline: str | None = None  # that each of them is compared with

    @classmethod
    def from_request(cls, wanted: MatchRequest, config: Config) -> "Plan":
        """Read a request. Raises a Problem that names the field."""
        _check_line_ups(wanted)
        crews = wanted.get("crews")
        crew = crews[0] if crews else wanted["crew"]
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
            crews=crews,
            baseline=wanted.get("baseline"),
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
            for pointer, crew in self.pointed.items():
                try:
                    _seated(crew, gnomes)
                except BadCrew as error:
                    raise invalid(pointer, error.fault, error.reason) from error
        if self.baseline is not None and (self.league is None or self.baseline not in self.league.names):
            raise invalid("/baseline", "value", "must be the name of one of the `crews`, as `crew-1`")
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
        if self.crews is not None:
            return dict(zip(names_of(len(self.crews)), self.crews))
        named = zip(LINE_UPS, (self.crew, self.against))
        return {name: crew for name, crew in named if crew is not None}

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the line-ups, in their order."""
        return list(self.line_ups)

    @property
    def pointed(self) -> dict[str, list[str]]:
        """Return the crews by where they stand in the request, as JSON Pointers."""
        if self.crews is not None:
            return {f"/crews/{place}": crew for place, crew in enumerate(self.crews)}
        return {f"/{name}": crew for name, crew in self.line_ups.items()}

    @cached_property
    def league(self) -> League | None:
        return None if self.crews is None else League(self.crews, self.baseline)

    @cached_property
    def duels(self) -> list[Duel]:
        """Return the places of the line-ups that are compared with each other."""
        return duels_of(self.league, self.against)

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


def _check_line_ups(wanted: MatchRequest) -> None:
    """Check that a request is for a match or for a league. Raises a Problem that names the field."""
    if "crews" not in wanted:
        if "crew" not in wanted:
            raise invalid("/crew", "required", "is needed, or the `crews` of a league")
        return
    for name in LINE_UPS:
        if name in wanted:
            raise invalid(f"/{name}", "conflict", "does not go with the `crews` of a league")


def _seated(crew: list[str], gnomes: int) -> list[str]:
    """Return a bot for each seat, ours or others'. Raises BadCrew."""
    others = dict.fromkeys((bot for bot in crew if account_of(bot) is not None), ROSTER[BLUEPRINT])
    return seat_crew(crew, gnomes, {**ROSTER, **others})
