"""Games between bots: who is asked what, whose game it becomes, and what happens when a bot fails."""

from typing import Any

import pytest

from bots.arena.game import BadCrew, GameResult, decision_seed, play_game, seat_crew
from bots.roster import ROSTER
from bots.safety import choose_safely
from engine import Game, Rules
from engine.shapes import Move
from tests.support.helpers import position
from tests.support.playing import VARIANTS, all_rules, seed_of, variant_name

Wire = dict[str, Any]

SEED = seed_of("arena")
OPEN_HANDS = [variant for variant in VARIANTS if not Rules(**variant).hidden_hands]


class Spy:
    """Plays like a sailor, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Game] = []
        self.seeds: list[int] = []

    def choose(self, observation: Game, seed: int = 0, **_: Any) -> list[Move]:
        self.seen.append(observation.copy())
        self.seeds.append(seed)
        return ROSTER["sailor"].choose(observation, seed=seed)


class Broken:
    """Answers whatever it was made to, or raises it; spoils what it was shown first."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, observation: Game, **_: Any) -> Any:
        observation.record.fill(0)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class Idler:
    """Waits, and makes plans far beyond its turn."""

    def __init__(self) -> None:
        self.turns: list[int] = []

    def choose(self, observation: Game, **_: Any) -> list[Move]:
        idle: Move = {"type": "no_action"}
        self.turns.append(int(observation.record["turn"][0]))
        legal = [{"type": move["type"]} for move in observation.legal_moves()]
        return [idle] * 5 if idle in legal else [observation.legal_moves()[-1]] * 5


def same(result: GameResult) -> Wire:
    """A result without what the clock or the crew's names add."""
    told = result.to_dict()
    told.pop("crew")
    told["seats"] = [{**seat, "bot": ""} for seat in told["seats"]]
    told["thinking"] = sum(spent["turns"] for spent in told["thinking"].values())
    told.pop("faults")
    return told


@pytest.mark.parametrize("variant", OPEN_HANDS, ids=variant_name)
def test_compiled_games_of_sailors_are_those_of_the_facade(variant: Wire) -> None:
    for rules in all_rules(variant):
        seed = seed_of(rules)
        slow = play_game(["sailor"], rules, seed, quickly=False)
        assert same(play_game(["sailor"], rules, seed)) == same(slow)
        assert slow.faults == []


def test_a_result_tells_how_the_game_ended() -> None:
    result = play_game(["cabin_boy", "sailor", "sailor"], Rules(gnomes=3), SEED)
    again = play_game(["cabin_boy", "sailor", "sailor"], Rules(gnomes=3), SEED)
    assert same(result) == same(again)
    assert result.seed == SEED.hex()
    assert [seat.bot for seat in result.seats] == result.crew == ["cabin_boy", "sailor", "sailor"]
    assert {seat.result for seat in result.seats} == {"won" if result.rescued else "lost"}
    assert result.rescued == (result.cause == "rescued")
    assert result.deaths == sum(seat.state == "dead" for seat in result.seats)
    assert sum(spent.turns for spent in result.thinking.values()) == result.turns
    assert all(spent.seconds > 0 for spent in result.thinking.values())


def test_a_rescued_crew_has_no_minutes_left_and_a_lost_one_has() -> None:
    results = [play_game(["sailor"], Rules(gnomes=3), seed_of(number)) for number in range(30)]
    assert {result.rescued for result in results} == {True, False}
    assert all(result.minutes_left == 0 for result in results if result.rescued)
    assert any(result.minutes_left > 0 for result in results if not result.rescued)


def test_deaths_of_replaced_gnomes_count() -> None:
    results = [play_game(["sailor"], Rules(gnomes=6, less_deadly_dying=True), seed_of(n)) for n in range(50)]
    assert sum(result.deaths for result in results) > 0
    assert all(seat.state != "dead" for result in results for seat in result.seats)


def test_every_bot_decides_for_his_own_seat() -> None:
    crew = {name: Spy() for name in "abc"}
    play_game("abc", Rules(gnomes=3), SEED, crew)
    for seat, spy in enumerate(crew.values()):
        assert {game.decider for game in spy.seen} == {seat}


def test_bots_see_neither_the_dice_nor_hidden_hands() -> None:
    spy = Spy()
    rules = Rules(gnomes=4, crazed_gnomes=True)
    play_game(["spy"], rules, SEED, {"spy": spy})
    real = Game.new(rules, SEED).position()
    seen = spy.seen[0].position()
    assert seen["seed"] != real["seed"]
    hidden = [seat for seat in range(4) if seat != spy.seen[0].decider]
    assert [seen["gnomes"][seat]["items"] for seat in hidden] != [real["gnomes"][seat]["items"] for seat in hidden]


def test_every_decision_has_a_chance_of_its_own_that_the_seed_repeats() -> None:
    first, second = Spy(), Spy()
    for spy in (first, second):
        play_game(["spy"], Rules(gnomes=3), SEED, {"spy": spy})
    assert first.seeds == second.seeds
    assert len(set(first.seeds)) == len(first.seeds) > 10
    assert all(0 <= seed < 2**63 for seed in first.seeds)
    assert decision_seed(SEED, 0) != decision_seed(bytes(32), 0)


def test_a_plan_ends_with_the_turn() -> None:
    idler = Idler()
    result = play_game(["idler"], Rules(gnomes=3), SEED, {"idler": idler})
    assert sorted(set(idler.turns)) == list(range(1, result.turns + 1))
    assert result.faults == []


def test_a_plan_that_becomes_illegal_is_given_up_and_its_bot_asked_again() -> None:
    class Rash(Spy):
        def choose(self, observation: Game, seed: int = 0, **_: Any) -> list[Move]:
            return [super().choose(observation, seed)[0], {"type": "defend"}, {"type": "nonsense"}]

    rash, steady = Rash(), Spy()
    hasty = play_game(["rash"], Rules(gnomes=3), SEED, {"rash": rash})
    play_game(["steady"], Rules(gnomes=3), SEED, {"steady": steady})
    assert hasty.faults == []
    assert len(rash.seen) > len(steady.seen)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh (test_arena.py:"),
        ([], "no move chosen"),
        (None, "TypeError"),
        ([{"type": "defend"}], "not legal"),
        ([{"type": "nonsense"}], "nonsense"),
        (["stay"], "IllegalMove"),
    ],
)
def test_a_sailor_answers_for_a_bot_that_fails(answer: Any, told: str) -> None:
    rules = Rules(gnomes=3)
    result = play_game(["broken"], rules, SEED, {"broken": Broken(answer)})
    assert same(result) == same(play_game(["sailor"], rules, SEED))
    assert len(result.faults) > result.turns / 2
    assert [fault.moves_played for fault in result.faults] == sorted({fault.moves_played for fault in result.faults})
    for fault in result.faults:
        assert told in fault.error
        assert (fault.bot, fault.played_by) == ("broken", "sailor")


def test_any_legal_move_answers_when_the_sailor_fails_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTER, "sailor", Broken(ValueError("no rum")))
    result = play_game(["broken"], Rules(gnomes=3), SEED, {"broken": Broken(ValueError("no idea"))})
    assert result.turns > 5
    first, second = result.faults[:2]
    assert (first.bot, first.played_by, second.bot, second.played_by) == (
        "broken", "sailor", "sailor", "any legal move",
    )  # fmt: skip
    assert first.moves_played == second.moves_played


def test_any_legal_move_is_none_that_harms_a_comrade(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTER, "sailor", Broken(ValueError()))
    game = position([{"room": 7, "minutes": 40, "items": {"crowbar": 1}}, {"room": 7}], active=0)
    moves, faults = choose_safely("broken", Broken(ValueError()), game, 0)
    assert moves[0]["type"] == "no_action"
    assert len(faults) == 2
    assert game.version == 0


def test_a_crew_of_one_bot_takes_all_seats() -> None:
    assert seat_crew(["sailor"], 5) == ["sailor"] * 5
    assert seat_crew(["sailor", "cabin_boy", "sailor"], 3) == ["sailor", "cabin_boy", "sailor"]


@pytest.mark.parametrize(
    ("crew", "reason"),
    [
        (["sailor"] * 2, "2 bots for 4 gnomes"),
        (["sailor"] * 5, "5 bots for 4 gnomes"),
        ([], "0 bots for 4 gnomes"),
        (["stowaway"], "no bot 'stowaway', only cabin_boy, sailor"),
    ],
)
def test_a_crew_that_does_not_fit_is_refused(crew: list[str], reason: str) -> None:
    with pytest.raises(BadCrew, match=reason):
        play_game(crew, Rules(gnomes=4), SEED)


def test_a_finished_game_asks_nobody() -> None:
    game = position([{"minutes": 1}, {"minutes": 0}, {"minutes": 0}], active=0, script={"events": ["respite"] * 5})
    while game.result is None:
        game.play(game.legal_moves()[-1])
    with pytest.raises(ValueError, match="over"):
        choose_safely("sailor", ROSTER["sailor"], game, 0)


def test_bots_that_search_play_a_game() -> None:
    result = play_game(["bosun", "sailor", "cabin_boy"], Rules(gnomes=3, crazed_gnomes=True), SEED)
    assert result.faults == []
