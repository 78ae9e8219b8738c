"""Bots of others at the tables of the drills: one that plays fair, and one that does whatever a bot should not."""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http.client import HTTPException

from tests.drills.players import ANSWER_SECONDS, Game
from tests.outside.given import Owner, registered
from tests.outside.playing import Player, at_play, wrong_in
from tests.support.serving import Client, Wire

SECONDS = 3  # for a decision: with five more, in which a stand-in must have decided, it is less than STUCK_SECONDS
OPEN = 256  # decisions at once, so that none waits for another one
SILENT_SECONDS = 15.0  # without a line, in which two pings should have come
_PACE = 0.05
_WHIM = 0.2  # of the batches meet one
_TOO_MUCH = b" " * 10 * 2**20
_GONE = (OSError, HTTPException, ValueError)


class OddPlayer(Player):
    """Answers now and then twice, late, illegally, 10 MB or never, hangs up, or connects a second time."""

    def __init__(self, owner: Owner, chance: random.Random):
        super().__init__(owner, _PACE, chance, SILENT_SECONDS)
        self.whims: Counter[str] = Counter()
        self._whims = {
            "answers twice": self._twice, "answers late": self._late, "answers illegally": self._illegally,
            "answers 10 MB": self._too_much, "answers never": lambda _: None, "hangs up": self._hang_up,
            "connects twice": self._connect_twice,
        }  # fmt: skip
        self._coming = [*self._whims]  # each of them happens once before any happens again
        chance.shuffle(self._coming)

    def _send(self, answers: Sequence[Wire]) -> None:
        if self._chance.random() >= _WHIM:
            super()._send(answers)
            return
        whim = self._coming.pop() if self._coming else self._chance.choice([*self._whims])
        self.whims[whim] += 1
        self._whims[whim](answers)

    def _twice(self, answers: Sequence[Wire]) -> None:
        both = threading.Thread(target=super()._send, args=(answers,))
        both.start()
        super()._send(answers)
        both.join()

    def _late(self, answers: Sequence[Wire]) -> None:
        self._ends.wait(SECONDS + 1.0)
        super()._send(answers)

    def _illegally(self, answers: Sequence[Wire]) -> None:
        with suppress(*_GONE):
            wrong = [{"id": each["id"], "moves": [{"type": "dance"}]} for each in answers]
            self.owner.post(f"{self.owner.path}/answers", {"answers": wrong})
        super()._send(answers)

    def _too_much(self, answers: Sequence[Wire]) -> None:
        with suppress(*_GONE):
            self.owner.post(f"{self.owner.path}/answers", _TOO_MUCH)
        super()._send(answers)

    def _hang_up(self, answers: Sequence[Wire]) -> None:
        self.break_off()
        super()._send(answers)

    def _connect_twice(self, answers: Sequence[Wire]) -> None:
        with suppress(*_GONE):
            self.owner.get(f"{self.owner.path}/decisions?wait=0")
        super()._send(answers)


@dataclass(frozen=True)
class Guests:
    """The two of them."""

    fair: Player
    odd: OddPlayer

    @property
    def tables(self) -> list[list[str]]:
        """Return tables for them: beside people, and beside each other and ours."""
        fair, odd = self.fair.owner.seat, self.odd.owner.seat
        return [["open", odd, fair], [odd, "sailor", fair, odd]]

    @property
    def outcomes(self) -> Counter[str]:
        return Counter(outcome for player in (self.fair, self.odd) for outcome in player.told.values())

    @property
    def strange(self) -> list[str]:
        """Return what the fair one was told that nobody should be who asks for nothing strange."""
        return [f"{self.fair.owner.name}: {each}" for each in self.fair.strange]

    def complaints(self, client: Client, games: Sequence[Game]) -> Iterator[str]:
        """Yield what they were told is played, and is not, and what was played that nobody has chosen."""
        by_seat = {player.owner.seat: player for player in (self.fair, self.odd)}
        for game in games:
            if game.has_guests:
                yield from wrong_in(client.be(game.host), game.path, by_seat)


@contextmanager
def guests_at(client: Client, seed: str) -> Iterator[Guests]:
    """Register them, and let them play while the block lasts."""
    calling = replace(client, patience=ANSWER_SECONDS)
    fair, odd = (registered(calling, seconds=SECONDS, open=OPEN) for _ in range(2))
    guests = Guests(
        Player(fair, _PACE, random.Random(f"{seed}, fair"), SILENT_SECONDS),
        OddPlayer(odd, random.Random(f"{seed}, odd")),
    )
    with at_play(guests.fair, guests.odd):
        yield guests
