"""Play one game between bots, from the deal to the end."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from bots.roster import ROSTER
from bots.safety import BLUEPRINT, Chooser, Fault, choose_safely
from bots.skill import of_bot
from engine import Game, GameError, IllegalMove, Rules
from engine.enums import Condition
from engine.shapes import Event, Move

Between = Callable[[], object]  # what is called before each decision


def nothing() -> None:
    """Do nothing between decisions."""


class BadCrew(GameError):
    """A crew with an unknown bot, or with too many or too few of them."""


@dataclass
class Thinking:
    """What a bot spent on a game, over all its seats."""

    turns: int = 0
    seconds: float = 0.0  # for a crew of sailors only, the time of the rules is included


@dataclass(frozen=True)
class SeatResult:
    """How a game ended for one seat."""

    bot: str
    result: str  # won, lost
    state: str  # alive, fainted, dead, abandoned


@dataclass(frozen=True)
class GameResult:
    """How a game ended. Crew, rules and seed are enough to play it again."""

    seed: str
    crew: list[str]
    rescued: bool
    cause: str
    deaths: int  # over the whole game, those of replaced gnomes included
    turns: int
    minutes_left: int  # of the gnome on board who has the most; 0 for a rescued crew
    seats: list[SeatResult]
    thinking: dict[str, Thinking]
    faults: list[Fault] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:  # what `dataclasses.asdict` makes of this class
        """Return the result as a JSON object."""
        return asdict(self)


def seat_crew(names: Sequence[str], gnomes: int, roster: Mapping[str, Chooser] = ROSTER) -> list[str]:
    """Return a bot for each seat: a single bot takes all, several must be as many as gnomes. Raise BadCrew."""
    for name in names:
        if name not in roster:
            raise BadCrew("crew", f"there is no bot {name!r}, only {', '.join(roster)}", "value")
    if len(names) not in (1, gnomes):
        raise BadCrew("crew", f"{len(names)} bots for {gnomes} gnomes: name one bot for all seats, or one for each")
    return list(names) * (gnomes // len(names))


def play_game(
    crew: Sequence[str],
    rules: Rules,
    seed: bytes,
    roster: Mapping[str, Chooser] = ROSTER,
    quickly: bool = True,
    between: Between = nothing,
) -> GameResult:
    """Play a game under a seed, with the bots in the order of seats.

    With `quickly`, a crew of sailors with open hands plays in compiled code: the same game, a hundred times as fast.
    Any other calls `between` before each decision.
    """
    crew = seat_crew(crew, rules.gnomes, roster)
    game = Game.new(rules, seed)
    if quickly and _are_sailors(crew, roster) and not rules.hidden_hands:
        return _play_quickly(game, crew, seed)
    return Playing(game, crew, seed, roster, between).to_the_end()


def decision_seed(seed: bytes, version: int) -> int:
    """Return the seed of a bot's random choices in one decision, from which nothing about the game's dice follows."""
    digest = hashlib.sha256(b"decision" + seed + version.to_bytes(8, "little")).digest()
    return int.from_bytes(digest[:8], "little") >> 1


def _are_sailors(crew: Sequence[str], roster: Mapping[str, Chooser]) -> bool:
    return all(roster[name] is ROSTER[BLUEPRINT] for name in crew)


def _deaths(events: list[Event]) -> int:
    return sum(event["type"] == "gnome_died" for event in events)


def _play_quickly(game: Game, crew: list[str], seed: bytes) -> GameResult:
    from bots.arena.all_sailors import play_on  # noqa: PLC0415 - as in `roster.py`

    began = perf_counter()
    deaths = _deaths(game.opening) + play_on(game)
    thinking = Thinking(_turn(game), perf_counter() - began)
    return _result(game, crew, seed, deaths, {crew[0]: thinking}, [])


class Playing:
    """A game between bots that is under way."""

    def __init__(
        self, game: Game, crew: list[str], seed: bytes, roster: Mapping[str, Chooser], between: Between = nothing
    ):
        self._game, self._crew, self._seed, self._roster, self._between = game, crew, seed, roster, between
        self._skills = list(map(of_bot, crew))
        self._deaths = _deaths(game.opening)
        self._thinking = {name: Thinking() for name in crew}
        self._faults: list[Fault] = []

    def to_the_end(self) -> GameResult:
        """Play until the game is over, and return its result."""
        turn = 0
        while (seat := self._game.decider) is not None:
            self._between()
            if _turn(self._game) != turn:
                turn = _turn(self._game)
                self._thinking[self._crew[seat]].turns += 1  # the first decision of a turn is its own gnome's
            self._follow(self._ask(seat), seat)
        return _result(self._game, self._crew, self._seed, self._deaths, self._thinking, self._faults)

    def _ask(self, seat: int) -> list[Move]:
        name = self._crew[seat]
        began = perf_counter()
        moves, faults = choose_safely(
            name, self._roster[name], self._game, decision_seed(self._seed, self._game.version), crew=self._skills
        )
        self._thinking[name].seconds += perf_counter() - began
        self._faults += faults
        return moves

    def _follow(self, moves: list[Move], seat: int) -> None:
        """Play the first move, and the rest of the plan as long as it is the same seat's decision in the same turn."""
        turn = _turn(self._game)
        for move in moves:
            if self._game.decider != seat or _turn(self._game) != turn:
                return
            try:
                self._deaths += _deaths(self._game.play(move))
            except IllegalMove:
                return


def _turn(game: Game) -> int:
    return int(game.record["turn"][0])


def _result(
    game: Game, crew: list[str], seed: bytes, deaths: int, thinking: dict[str, Thinking], faults: list[Fault]
) -> GameResult:
    end = game.result
    assert end is not None
    state = game.record[0]
    seats = range(game.rules.gnomes)
    states = [Condition(state.condition[seat]) for seat in seats]
    return GameResult(
        seed=seed.hex(),
        crew=crew,
        rescued=end["crew"] == "rescued",
        cause=end["cause"],
        deaths=deaths,
        turns=_turn(game),
        minutes_left=max((int(state.minutes[seat]) for seat in seats if states[seat] <= Condition.FAINTED), default=0),
        seats=[SeatResult(crew[seat], end["seats"][seat], states[seat].name.lower()) for seat in seats],
        thinking=thinking,
        faults=faults,
    )
