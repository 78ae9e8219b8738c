"""What the turns that somebody made in a game tell of how well they play: humbly, and of nothing hidden."""

import random

import pytest

from bots.acquaintance import CLASSES, Acquaintance, guessed
from bots.arena import crews
from bots.arena.crews import CABIN_BOY, CLUMSY, SAILOR, Brain
from bots.skill import STRANGER, Guess, Skill
from engine import Game, Rules
from engine.moves import NO_MOVE, WIRE
from tests.bots.test_bots_honest import SECRETIVE, deal_anew
from tests.support.helpers import decider_of
from tests.support.playing import seed_of
from tests.support.thinking import kind, positions

CREW = [CABIN_BOY, CLUMSY, SAILOR, Brain(60, 8, minutes=2)]


def watched(rules: Rules) -> list[Guess]:
    """Return what a game tells of each of the crew."""
    begun, seen = crews.starts(rules, 23, range(1)), Acquaintance(rules.hidden_hands)
    _, (line,) = crews.play(CREW, begun)
    game = Game(begun.copy(), rules)
    for move in line[line != NO_MOVE]:
        seen.see(game, WIRE[move], str(decider_of(game)))
        game.play(WIRE[move])
    return [seen.guess(str(seat)) for seat in range(rules.gnomes)]


def rank(guess: Guess) -> float:
    return sum(skill * chance for skill, chance in enumerate(guess))


@pytest.mark.parametrize("hidden_hands", [False, True])
def test_a_game_tells_a_cabin_boy_from_the_clumsy_and_those_from_who_plays_well(hidden_hands: bool) -> None:
    cabin_boy, clumsy, sailor, searcher = watched(Rules(4, hidden_hands=hidden_hands))
    assert rank(cabin_boy) < rank(clumsy) < min(rank(sailor), rank(searcher))
    assert max(cabin_boy) == cabin_boy[Skill.CABIN_BOY]
    assert max(clumsy) == clumsy[Skill.CLUMSY]
    assert max(sailor) == sailor[Skill.SAILOR]


def test_nobody_is_ever_known_for_certain() -> None:
    for class_ in range(CLASSES):
        guess = guessed([1000 if each == class_ else 0 for each in range(CLASSES)], hidden_hands=False)
        assert sum(guess) == pytest.approx(1)
        assert all(now >= before / 10 for before, now in zip(STRANGER, guess, strict=True))


def test_whoever_made_no_turn_yet_is_a_stranger() -> None:
    assert Acquaintance(False).guess("somebody") == pytest.approx(STRANGER)


def test_no_hand_shows_in_what_a_turn_tells_where_hands_are_hidden() -> None:
    chance, told = random.Random(seed_of("acquaintance")), {False: 0, True: 0}
    games = [game for game in positions(SECRETIVE[0], 16) if kind(game) == "movement"]
    for game in 4 * games:
        other = deal_anew(game, list(range(game.rules.gnomes)), chance)
        shared = [move for move in game.legal_moves() if other.is_legal(move)]
        for hidden in (False, True):
            one, two = ([Acquaintance(hidden).class_of(each, move) for move in shared] for each in (game, other))
            told[hidden] += one != two
    assert told[False] > 0
    assert told[True] == 0
