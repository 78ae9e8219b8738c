"""Whole games of mixed crews in compiled code: by the rules, honest, and the same as elsewhere."""

import random

import numpy as np
import pytest

from bots.arena import crews
from bots.arena.crews import CABIN_BOY, CLUMSY, SAILOR, Brain
from bots.arena.game import play_game
from bots.arena.series import game_seed
from engine import Game, Rules
from engine.enums import Cause
from engine.moves import NO_MOVE, WIRE
from tests.bots.test_bots_honest import SECRETIVE, deal_anew, hidden_from, reroll
from tests.support.helpers import decider_of, result_of
from tests.support.playing import VARIANTS, seed_of, variant_name
from tests.support.thinking import positions

QUICK = Brain(playouts=12, candidates=4, wide=4, minutes=2)
IDS = list(map(variant_name, VARIANTS))


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=IDS.__getitem__)
def test_every_move_of_a_mixed_crew_is_legal_and_leads_to_the_end_that_is_told(variant: int) -> None:
    for gnomes, players in ((5, 5), (4, 2), (3, 1)):
        rules = Rules(gnomes, players, **VARIANTS[variant])
        begun = crews.starts(rules, variant, range(1))
        (result,), (line,) = crews.play([QUICK, SAILOR, CLUMSY, QUICK, CABIN_BOY], begun)
        game = Game.new(rules, game_seed(variant, 0))
        for move in line[line != NO_MOVE]:
            game.play(WIRE[move])
        end = result_of(game)
        assert (end["crew"] == "rescued", end["cause"]) == (
            bool(result[crews.RESCUED]),
            Cause(result[crews.CAUSE]).name.lower(),
        )
        assert not {"abandon_comrades"} & {WIRE[move]["type"] for move in line[line != NO_MOVE]}


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 5), ids=IDS.__getitem__)
def test_its_sailors_play_the_same_games_as_in_the_arena(variant: int) -> None:
    for gnomes in (3, 6):
        rules = Rules(gnomes, **VARIANTS[variant])
        results, _ = crews.play([SAILOR], crews.starts(rules, 1, range(3)))
        for number, result in enumerate(results):
            there = play_game(["sailor"], rules, game_seed(1, number))
            here = bool(result[crews.RESCUED]), Cause(result[crews.CAUSE]).name.lower(), result[crews.TURNS]
            assert here == (there.rescued, there.cause, there.turns)


def test_the_same_games_come_out_the_same_and_are_left_as_they_were() -> None:
    begun = crews.starts(Rules(4), 2, range(4))
    before = begun.tobytes()
    (one, line), (two, again) = (crews.play([QUICK, CLUMSY], begun) for _ in range(2))
    assert (one == two).all()
    assert (line == again).all()
    assert begun.tobytes() == before


@pytest.mark.parametrize("variant", [0, *SECRETIVE], ids=IDS.__getitem__)
def test_a_searcher_knows_what_its_seat_may_know_and_no_more(variant: int) -> None:
    """Other dice, and other cards where nobody looks, change nothing of its next move."""
    chance = random.Random(seed_of("crews", variant))
    for game in positions(variant, 3):
        hidden = hidden_from(game, decider_of(game)) if game.rules.hidden_hands else []
        other = deal_anew(reroll(game, chance), hidden, chance) if hidden else reroll(game, chance)
        _, lines = crews.play([QUICK], np.concatenate([game.record, other.record]))
        assert lines[0, 0] == lines[1, 0]


def test_who_thinks_saves_more_boats_than_who_does_not_and_the_clumsy_fewer() -> None:
    begun = crews.starts(Rules(5), 3, range(60))
    thinkers, sailors, clumsy, cabin_boys = (
        crews.play([brain], begun)[0][:, crews.RESCUED].sum()
        for brain in (Brain(48, 6, minutes=2), SAILOR, CLUMSY, CABIN_BOY)
    )
    assert thinkers > sailors > clumsy > cabin_boys
