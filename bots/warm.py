"""Load and touch everything that bots need, so that a fork or a first request does not pay for it."""

import bots.arena.all_sailors
import bots.search.search  # noqa: F401 - and with it whatever bots think with
from bots.budget import Budget
from bots.odds import chance_of_rescue
from bots.roster import ROSTER
from engine import Game, Rules, observe

_LITTLE = Budget(playouts=10, candidates=2)


def warm_up() -> None:
    """Let every bot make one decision, and estimate one chance."""
    game = Game.new(Rules(), seed=bytes(32))
    for bot in ROSTER.values():
        bot.choose(observe(game, game.decider), _LITTLE)
    chance_of_rescue(game, seed=0)
