"""Games between bots of which every move is recorded."""

import dataclasses
from typing import Any

import pytest

from bots.arena.game import GameResult, play_game
from bots.arena.recorded import RecordedGame, play_recorded
from engine import Game, IllegalMove, Rules, replay

SEED = b"\x07" * 32
CREWS = {"sailors": ["sailor"], "mixed": ["sailor", "cabin_boy", "sailor"]}


def but_for_time(result: GameResult) -> GameResult:
    return dataclasses.replace(result, thinking={})


@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("options", [{}, {"hidden_hands": True}, {"edition": "original"}])
def test_a_recorded_game_is_the_one_that_the_bots_play(crew: str, options: dict[str, Any]) -> None:
    rules = Rules(gnomes=3, **options)
    result, game = play_recorded(CREWS[crew], rules, SEED)
    assert but_for_time(result) == but_for_time(play_game(CREWS[crew], rules, SEED))
    assert game.result is not None


def test_a_record_replays_to_the_same_game_with_the_same_events() -> None:
    rules = Rules(gnomes=3)
    _, recorded = play_recorded(["sailor"], rules, SEED)
    assert replay(rules, SEED, [move for move, _ in recorded.moves]) == recorded
    again = Game.new(rules, SEED)
    assert [again.play(move) for move, _ in recorded.moves] == [events for _, events in recorded.moves]


def test_an_illegal_move_is_not_recorded() -> None:
    game = RecordedGame.new(Rules(gnomes=3), SEED)
    with pytest.raises(IllegalMove):
        game.play({"type": "done"})
    assert game.moves == []
    legal = game.legal_moves()[0]
    events = game.play(legal)
    assert game.moves == [(legal, events)]
