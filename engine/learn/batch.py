"""Many games at once, for learners: one compiled call plays a move in each of them and writes what is known then."""

import hashlib
from functools import partial
from typing import Any

import numpy as np
from numba.core import config

from engine.compiled.dice import key_of_seed
from engine.compiled.journal import SILENT
from engine.compiled.state import STATE, new_records
from engine.enums import NOBODY, SEATS
from engine.errors import BadRules
from engine.game import Game
from engine.learn import advancing
from engine.learn.advancing import BEGIN, ILLEGAL, LOOK, ONCE, PLAY, PLAY_ONE, PUT, WORDS
from engine.moves import COUNT, MOVES
from engine.position import lay_out
from engine.rules import Rules, rules_of
from engine.vector import RECORD_START, SIZE


class Batch:
    """Lanes that each hold a game, one after the other. Arrays are the caller's, or made here, and stay where they are.

    | array | of a lane |
    |---|---|
    | `observations` | what the decider may know, a row as `engine/layout.json` says, int8 |
    | `masks` | true at the ids of the legal moves |
    | `ids` | the same ids first, as many as `play` says; what follows means nothing; int16, not to be written to |
    | `deciders` | the seat that must decide, int8; -1 where a game has ended and none follows |
    | `rewards` | 1 for each seat that has won with the last step, -1 for each that has lost, else 0; float32 |
    | `dones` | whether a game has ended with the last step |
    | `episodes` | the number of its game, from 0 |
    | `illegal` | how many ids were refused so far |

    With `renew` the next game begins in the step that ends one; row and mask are those of its first decision. The
    chance of a game follows from the seed, its lane and its number alone. Masks are changed only where a move was or
    becomes legal: whoever takes moves away does so anew after each step.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        lanes: int = 256,
        seed: int = 0,
        *,
        renew: bool = True,
        observations: np.ndarray | None = None,
        masks: np.ndarray | None = None,
        deciders: np.ndarray | None = None,
        rewards: np.ndarray | None = None,
        dones: np.ndarray | None = None,
    ):
        if type(lanes) is not int or lanes < 1:
            raise ValueError(f"lanes must be 1 or more, not {lanes!r}")
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise BadRules("rules", "must be Rules", "type")
        self._renews = renew
        self.observations = _array("observations", observations, (lanes, SIZE), np.int8)
        self.masks = _array("masks", masks, (lanes, COUNT), np.bool_)
        self.deciders = _array("deciders", deciders, (lanes,), np.int8)
        self.rewards = _array("rewards", rewards, (lanes, SEATS), np.float32)
        self.dones = _array("dones", dones, (lanes,), np.bool_)
        self.episodes = np.zeros(lanes, np.int64)
        self.illegal = np.zeros(lanes, np.int64)
        self._games = new_records(lanes)
        self._lists = np.zeros(lanes, MOVES)
        self.ids: np.ndarray = self._lists["ids"]
        self.ids.flags.writeable = False  # by them an action is judged
        self._counts = np.zeros(lanes, np.int16)
        self._shape = (lanes,)
        self._actions = np.zeros(lanes, np.int64)  # where none are told
        self._keys = np.zeros(2, np.uint64)
        self._chance = np.zeros(1, np.uint64)
        self._blank = _blank(self.rules)
        public = np.ndarray(lanes, WORDS, self._games, RECORD_START, (STATE.itemsize,))
        shown = np.ndarray(lanes, WORDS, self.observations, 0, (SIZE,))
        self._advance = partial(
            _direct(advancing.advance), self._games, public, SILENT, self._blank, self._keys, self._lists, self._counts,
            self.masks, shown, self.observations, self.deciders, self.rewards, self.dones, self.episodes, self.illegal,
        )  # fmt: skip
        self._sample = partial(_direct(advancing.sample), self._lists, self._counts)
        self._play = partial(self._advance, PLAY if renew else PLAY | ONCE)
        self._play_one = partial(self._advance, PLAY_ONE if renew else PLAY_ONE | ONCE, self._actions)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._games)

    def __reduce__(self) -> Any:
        """Let a copy or a pickle have arrays of its own, which belong together as these do."""
        kept = {name: getattr(self, name) for name in _KEPT}
        return _again, (self.rules, len(self), self._renews, kept)

    def reset(self, seed: int) -> None:
        """Begin in every lane with the first game under a seed."""
        self._keys[:] = key_of_seed(hashlib.sha256(f"red november batch {seed}".encode()).digest())
        self._chance[0] = self._keys[0]
        self.episodes[:] = -1
        self.illegal[:] = 0
        self.masks[:] = False
        self._counts[:] = 0
        self._advance(BEGIN, self._actions, 0, len(self), 0)

    def step(self, actions: Any) -> None:
        """Play a move in each lane, by its id. An illegal one leaves its lane as it is, and is counted in `illegal`."""
        if type(actions) is not np.ndarray or actions.dtype != np.int64 or not actions.flags.c_contiguous:
            actions = np.ascontiguousarray(np.asarray(actions).astype(np.int64, casting="same_kind"))
        if actions.shape != self._shape:
            raise ValueError(f"there are {len(self)} lanes, and as many actions, not {actions.shape}")
        self._play(actions, 0, len(actions), 0)

    def play(self, lane: int, action: int) -> int:
        """Play a move in one lane; return how many are legal then, or ILLEGAL, -1, for one that was not."""
        count: int = self._play_one(lane, lane + 1, action)
        return count

    def sample(self, masks: np.ndarray | None = None) -> np.ndarray:
        """Return a random action for each lane, out of the legal ones that are true in `masks`, or -1 without any.

        The array is a new one. The same seed and the same calls give the same actions.
        """
        actions = np.empty(len(self), np.int64)
        self._sample(
            self.masks if masks is None else _array("masks", masks, self.masks.shape, np.bool_), self._chance, actions
        )
        return actions

    def begin(self, lane: int) -> None:
        """Leave the game of a lane, and begin its next one."""
        self._advance(BEGIN, self._actions, lane, lane + 1, 0)

    def put(self, lane: int, game: Game) -> None:
        """Go on with a copy of a game in a lane, in any situation, under any rules; what follows it is the batch's."""
        self.check_lane(lane)
        self._games[lane] = game.record[0]
        self._advance(PUT, self._actions, lane, lane + 1, 0)

    def look(self, lane: int, seat: int | None) -> np.ndarray:
        """Write the row of a lane for another seat, or a spectator (None), until its next step; return it."""
        self.game(lane).check_seat(seat)
        self._advance(LOOK, self._actions, lane, lane + 1, NOBODY if seat is None else seat)
        row: np.ndarray = self.observations[lane]
        return row

    def game(self, lane: int) -> Game:
        """Return the game of a lane as it stands, a copy."""
        self.check_lane(lane)
        record = self._games[lane : lane + 1].copy()
        return Game(record, rules_of(record))

    def check_lane(self, lane: int) -> None:
        """Raise IndexError unless there is such a lane."""
        if type(lane) is not int or not 0 <= lane < len(self):
            raise IndexError(f"lane must be 0 to {len(self) - 1}, not {lane!r}")

    def start(self, lane: int) -> Game:
        """Return the game of a lane as it began, unless it was put there: its moves lead from here to `game(lane)`."""
        key = self.game(lane).record["key"].tobytes()
        return Game.from_position({"rules": self.rules.to_dict(), "seed": key.hex()})


# All that a batch knows of its games.
_KEPT = (
    "observations", "masks", "deciders", "rewards", "dones", "episodes", "illegal",
    "_games", "_lists", "_counts", "_keys", "_chance",
)  # fmt: skip


def _again(rules: Rules, lanes: int, renew: bool, kept: dict[str, np.ndarray]) -> Batch:
    batch = Batch(rules, lanes, renew=renew)
    for name, array in kept.items():
        getattr(batch, name)[...] = array
    return batch


def _array(name: str, given: np.ndarray | None, shape: tuple[int, ...], type_: Any) -> np.ndarray:
    """Return the caller's array, or a new one. Compiled code writes to it, so it must be what is expected."""
    if given is None:
        return np.zeros(shape, type_)
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == type_
    if not fits or not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"{name} must be a contiguous, writable array of {np.dtype(type_)} with shape {shape}")
    return given


def _blank(rules: Rules) -> np.ndarray:
    """Return a record with nothing but the rules."""
    blank, laid_out = new_records(), lay_out(rules, (0, 0))
    for name in ("rules_version", *vars(rules)):
        blank[name] = laid_out[name]
    return blank


def _direct(door: Any) -> Any:
    """Return the machine code behind a door, which takes its arguments as they are.

    Looking at the types of so many arrays would take longer than playing a move. All of them are made or checked here.
    """
    if config.DISABLE_JIT:
        return door
    (result,) = door.overloads.values()
    return result.entry_point


__all__ = ["ILLEGAL", "Batch"]
