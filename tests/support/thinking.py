"""Bots at work: positions to think about, and what they make of them."""

import random
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

from bots.budget import Budget
from bots.roster import ROSTER
from engine import Game, observe
from engine.shapes import Move
from tests.support.playing import Wire, bare, seed_of, stories

TINY = Budget(playouts=40, candidates=4)
DECISIONS = {
    "movement", "hatch", "escape", "escape_hatch", "trade_give", "trade_return", "defend", "wrap_up", "spread_fire",
    "block_hatch", "discard", "luck",
}  # fmt: skip


def decide(bot: str, game: Game, budget: Budget = TINY, **more: Any) -> list[Move]:
    """What a bot in the decider's seat wants to do. Sailors and cabin boys make do without a budget."""
    thinks = ROSTER[bot].budget.playouts > 0
    return ROSTER[bot].choose(observe(game, game.decider), budget if thinks else None, **more)


def brief(moves: Iterable[Mapping[str, Any]]) -> list[str]:
    """As in "open_hatch 5"."""
    return [" ".join(map(str, bare(move).values())) for move in moves]


def take_turn(bot: str, game: Game, **more: Any) -> tuple[list[str], list[Wire], Game]:
    """The moves and events of the rest of a turn, all decisions being the bot's, and the game after it."""
    game = game.copy()
    moves: list[str] = []
    events: list[Wire] = []
    turn = game.view()["turn"]
    while game.decider is not None and game.view()["turn"] == turn:
        for move in decide(bot, game, **more):
            moves += brief([move])
            events += cast(list[Wire], game.play(move))
    return moves, events, game


def play_game(game: Game, bot: str, budget: Budget) -> Game:
    """The end of a game in which the bot has all seats."""
    game = game.copy()
    while game.decider is not None:
        for move in decide(bot, game, budget):
            game.play(move)
    return game


@cache
def positions(variant: int, most: int) -> list[Game]:
    """Of a variant's random games, some positions of every kind of decision."""
    by_kind: dict[str, list[Game]] = {}
    for story in stories(variant):
        for game in story.games:
            if game.decider is not None:
                by_kind.setdefault(kind(game), []).append(game)
    chance = random.Random(seed_of("positions", variant))
    return [game for games in by_kind.values() for game in chance.sample(games, min(most, len(games)))]


def kind(game: Game) -> str:
    return str(game.view()["phase"])
