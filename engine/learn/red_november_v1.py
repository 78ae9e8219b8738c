"""Red November as PettingZoo has games in which agents act in turn: `red_november_v1.env(gnomes=4)`.

Agents are seats. An observation has the row of `engine.vector` and a mask of the moves that are legal; a reward is the
seat's own: 1 for won, -1 for lost. The crew wins or loses together with its dead, and who abandoned it wins when it
is lost. So nobody's game ends before everybody's does: a dead gnome is just not asked.
"""

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from engine.errors import IllegalMove
from engine.game import Game
from engine.learn.batch import ILLEGAL, Batch
from engine.moves import COUNT
from engine.rules import Rules
from engine.vector import SEAT_AT, SIZE, fields

__all__ = ["RedNovember", "env", "raw_env"]


def env(**rules: Any) -> Any:
    """Return an environment under the options of `Rules`, which tells who calls things out of order."""
    return OrderEnforcingWrapper(raw_env(**rules))


def raw_env(**rules: Any) -> "RedNovember":
    """Return the same without that wrapper: quicker."""
    return RedNovember(Rules(**rules))


class RedNovember(AECEnv):  # type: ignore[misc]
    """One game, move by move. `reset` with a seed begins that seed's first game, without one the next game."""

    metadata = {"name": "RedNovember-v1", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, rules: Rules):
        super().__init__()
        self.rules, self.render_mode = rules, None
        self.possible_agents = [f"gnome_{seat}" for seat in range(rules.gnomes)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._batch: Batch | None = None
        seen = spaces.Dict(
            {
                "observation": spaces.Box(*_bounds(), dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (COUNT,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(COUNT) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, always the same object: it has a seed of its own."""
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game as it stands, a copy, with all that nobody may see."""
        return self._lane.game(0)

    @property
    def _lane(self) -> Batch:
        if self._batch is None:
            raise RuntimeError("reset the environment first")
        return self._batch

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. There are no options."""
        if self._batch is None:
            first = int.from_bytes(os.urandom(8), "little") if seed is None else seed
            self._batch = Batch(self.rules, 1, first, renew=False)
        elif seed is None:
            self._batch.begin(0)
        else:
            self._batch.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._batch.deciders[0]]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent's seat may know. Its mask is empty unless it must decide."""
        lane, seat = self._lane, self._seats[agent]
        row = lane.observations[0]
        if row[SEAT_AT] != seat:
            lane.look(0, seat)
        mask = lane.masks[0].astype(np.int8) if lane.deciders[0] == seat else np.zeros(COUNT, np.int8)
        return {"observation": row.copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play a move for `agent_selection`. Raise IllegalMove, and change nothing, if it is not legal."""
        agent, lane = self.agent_selection, self._lane
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or lane.play(0, action) == ILLEGAL:
            raise IllegalMove("action", f"{action} is not legal now")
        self._cumulative_rewards[agent] = 0.0
        if not lane.dones[0]:
            self.agent_selection = self.possible_agents[lane.deciders[0]]
            return
        self.rewards = dict(zip(self.agents, lane.rewards[0].tolist()))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def render(self) -> None:
        """Show nothing: `engine.learn` has no pictures, `red-november watch` and the service have."""

    def close(self) -> None:
        """Hold nothing that must be given back."""


def _bounds() -> tuple[np.ndarray, np.ndarray]:
    low, high = np.zeros(SIZE, np.int8), np.zeros(SIZE, np.int8)
    for field in fields().values():
        places = slice(field["offset"], field["offset"] + int(np.prod(field["shape"])))
        low[places], high[places] = field["low"], field["high"]
    return low, high
