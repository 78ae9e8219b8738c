"""What bots do at the table: legal moves always, no treason unless asked, and more wins with more thought."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from bots.budget import Budget
from bots.roster import ROSTER
from bots.search import network
from bots.search import search as searching
from bots.search.halving import CUSTOM
from bots.search.search import DEATH_PRICE, HUMAN_PRICE, Search, Stakes
from bots.skill import of_bot
from engine import Game, Rules, observe
from tests.support.helpers import decider_of, position, result_of
from tests.support.playing import VARIANTS, Wire, seed_of, variant_name
from tests.support.thinking import DECISIONS, brief, decide, kind, play_game, positions, take_turn

EACH = {"cabin_boy": 12, "sailor": 12, "bosun": 4, "captain": 1, "admiral": 1}  # positions a kind of decision
TREASON = ("abandon_comrades", "attack_gnome")


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=lambda number: variant_name(VARIANTS[number]))
@pytest.mark.parametrize("bot", ROSTER)
def test_every_move_of_an_answer_is_legal_when_its_time_comes(bot: str, variant: int) -> None:
    """The real dice may differ from those imagined, so a plan ends where somebody else or chance has a word."""
    for game in positions(variant, EACH[bot]):
        game = game.copy()
        seat, turn = game.decider, game.view()["turn"]
        moves = decide(bot, game)
        for number, move in enumerate(moves):
            assert (game.decider, game.view()["turn"]) == (seat, turn), moves[:number]
            game.play(move)
        assert moves


@pytest.mark.parametrize("bot", ROSTER)
def test_that_was_every_kind_of_decision_and_thousands_of_positions(bot: str) -> None:
    met = Counter(kind(game) for variant in range(len(VARIANTS)) for game in positions(variant, EACH[bot]))
    assert set(met) == DECISIONS
    assert met.total() > 100 * EACH[bot]


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 5), ids=lambda number: variant_name(VARIANTS[number]))
@pytest.mark.parametrize("bot", ["cabin_boy", "sailor", "bosun"])
def test_bots_play_whole_games_by_themselves(bot: str, variant: int) -> None:
    for gnomes, players in ((3, 3), (4, 2), (8, 8)):
        rules = Rules(gnomes, players, **VARIANTS[variant])
        end = play_game(Game.new(rules, seed_of(bot, rules)), bot, Budget(4, 2))
        assert result_of(end)["crew"] in ("rescued", "lost")
        assert end.problems() == []


def doomed(minutes: int, rooms: Wire | None = None, **more: Any) -> Game:
    """A gnome at sea with few minutes left; nobody will stop the missiles that are due."""
    crew = [{"room": "sea", "minutes": minutes}, {"room": 1, "minutes": 0}, {"room": 2, "minutes": 0}]
    return position(crew, active=0, destruction={"missiles_launched": minutes - 1}, rooms=rooms or {}, **more)


def brawlers(minutes: int = 40, **more: Any) -> Game:
    crew = [{"room": 7, "minutes": minutes, "items": {"crowbar": 2}}, {"room": 7, "items": {"grog": 2}}, {"room": 7}]
    return position(crew, {"crazed_gnomes": True}, active=0, **more)


TEMPTATIONS = {
    **{f"all is lost, {minutes} left": doomed(minutes) for minutes in (2, 3, 5, 9)},
    "no way back in": doomed(9, {"3": {"fire": True}, "6": {"fire": True}, "9": {"fire": True}}),
    "at sea in good times": position([{"room": "sea", "minutes": 5}], active=0),
    "a rich comrade": brawlers(),
    "a rich comrade near the end": brawlers(3),
    "a comrade between it and its aim": brawlers(tracks={"heat": 9, "pressure": 9, "asphyxiation": 9}),
    "crowbar in hand": brawlers(used_items={"crowbar": 1}),
}


@pytest.mark.parametrize("bot", ROSTER)
@pytest.mark.parametrize("temptation", TEMPTATIONS)
def test_a_loyal_bot_neither_abandons_nor_attacks(bot: str, temptation: str) -> None:
    for seed in range(10):
        moves, _, _ = take_turn(bot, TEMPTATIONS[temptation], seed=seed, budget=Budget(60, 24))
        assert not [move for move in moves if move.startswith(TREASON)]


@pytest.mark.parametrize("bot", ["bosun", "captain", "admiral"])
@pytest.mark.parametrize("minutes", [2, 3, 5, 9])
def test_a_disloyal_bot_abandons_a_boat_that_is_surely_lost(bot: str, minutes: int) -> None:
    assert brief(decide(bot, doomed(minutes), loyal=False)) == ["abandon_comrades"]


@pytest.mark.parametrize("bot", ["bosun", "admiral"])
def test_a_disloyal_bot_goes_out_to_abandon_when_he_has_the_air(bot: str) -> None:
    crew = [{"room": 9, "minutes": 7, "items": {"aqualung": 1}}, {"room": 1, "minutes": 0}, {"room": 2, "minutes": 0}]
    blocked = ["7-9", "8-9", "9-10"]
    game = position(crew, active=0, destruction={"missiles_launched": 6}, blocked_hatches=blocked)
    assert brief(decide(bot, game, loyal=False))[-1] == "abandon_comrades"
    assert "use_item aqualung" not in take_turn(bot, game)[0]


@pytest.mark.parametrize("bot", ["bosun", "admiral"])
@pytest.mark.parametrize(("players", "minutes"), [(3, 10), (3, 11), (1, 5)])
def test_not_even_a_disloyal_bot_abandons_when_the_rules_forbid_it(bot: str, players: int, minutes: int) -> None:
    crew = [{"room": "sea", "minutes": minutes}, {"room": 1, "minutes": 0}, {"room": 2, "minutes": 0}]
    game = position(crew, {"players": players}, active=0, destruction={"missiles_launched": minutes - 1})
    assert "abandon_comrades" not in brief(decide(bot, game, loyal=False))


@pytest.mark.parametrize("bot", ["bosun", "admiral"])
def test_a_disloyal_bot_stays_with_a_boat_that_is_as_good_as_saved(bot: str) -> None:
    crew = [{"room": "sea", "minutes": 5}, {"room": 1, "minutes": 0}, {"room": 2, "minutes": 0}]
    assert "abandon_comrades" not in brief(decide(bot, position(crew, active=0), loyal=False))


@pytest.mark.parametrize(("humans", "price"), [((), DEATH_PRICE), (range(8), HUMAN_PRICE)])
def test_every_death_has_its_price_and_a_humans_death_a_higher_one(
    humans: Sequence[int], price: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one network for both, and sailors, what is told is also what choices are compared by."""
    monkeypatch.setattr(searching, "NETWORK", network.read(tells=network.FILE))
    fires = {str(room): {"fire": True} for room in (2, 5, 8)}
    crew = [{"room": 9, "minutes": 30}, {"room": 4, "state": "fainted"}, {"room": 7, "state": "fainted"}]
    search = Search(
        observe(position(crew, active=0, rooms=fires), 0), Stakes(0, humans=humans, crew=[of_bot("sailor")] * 3), seed=1
    )
    search.run(Budget(300, 8))
    assert max(choice.deaths for choice in search.choices) > 0.1
    for choice in search.choices:
        assert choice.mean == pytest.approx(choice.rescued - price * choice.deaths)


def halfway(number: int) -> Game:
    """A game that sailors have played until half an hour before the rescue."""
    game = Game.new(Rules(gnomes=4), seed_of("duel", number))
    while game.decider is not None and game.view()["ghost"] > 30:
        for move in decide("sailor", game):
            game.play(move)
    return game


def test_who_thinks_rescues_more_crews_than_the_sailor() -> None:
    """The same games for both: the same start, the same cards and dice as long as they play alike."""
    games = [game for game in map(halfway, range(220)) if max(game.view()["tracks"].values()) in range(4, 9)]
    assert len(games) > 100
    rescues: Counter[str] = Counter()
    for game in games:
        for bot in ("sailor", "bosun"):
            rescues[bot] += result_of(play_game(game, bot, Budget(100, 6)))["crew"] == "rescued"
    assert rescues["bosun"] > rescues["sailor"]


def test_the_work_that_a_sailor_would_do_is_left_to_others_only_for_a_clear_gain() -> None:
    """If all left it to the others for next to nothing, nobody would do it."""
    given_up, kept = 0, 0
    for number in range(30):
        game = halfway(number)
        search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=number)
        best, own = search.run(Budget(400, 8, minutes=2)), search.choices[0]
        most = max(search._contest[0].lead[choice.number] for choice in search.choices if choice.trials)
        if brief(search.wire(own))[-1] != "no_action":
            assert (most > CUSTOM) == (best is not own)
            given_up += most > CUSTOM
            kept += 0 < most <= CUSTOM
    assert given_up
    assert kept
