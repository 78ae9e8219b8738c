"""A bot that plays at a live service whatever dies there, and what it was told: none of that may be lost or doubled."""

import http.client
import json
import queue
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from tests.outside.given import Owner
from tests.support.playing import bare
from tests.support.serving import PATIENCE, Client, Reply, Wire

MADE = ("played", "already")
_MOST_ANSWERS = 64
_AGAIN_SECONDS = 0.1
_BROKEN = (OSError, http.client.HTTPException, ValueError)


class Player:
    """Takes what it is asked from its one connection, and answers in batches, until it is told what became of them."""

    def __init__(self, owner: Owner, pace: float = 0.0, chance: random.Random | None = None, silence: float = PATIENCE):
        self.owner, self.pace = owner, pace  # seconds that it thinks over a batch
        self._silence = silence  # seconds without a line after which it connects anew
        self.sent: dict[str, Wire] = {}  # the move that it chose, by the decision
        self.told: dict[str, str] = {}  # what became of it
        self.strange: list[Wire] = []  # lines and verdicts that should not be
        self._asked: queue.SimpleQueue[Wire | None] = queue.SimpleQueue()
        self._chance = chance or random.Random(owner.name)
        self._ends = threading.Event()
        self._connection: http.client.HTTPConnection | None = None
        self._threads = [threading.Thread(target=self._hear), threading.Thread(target=self._answer)]

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._ends.set()
        self._asked.put(None)
        self.break_off()
        for thread in self._threads:
            thread.join()

    def break_off(self) -> None:
        """Lose the connection, with all that it had brought and that is not answered, as a bot that is started anew."""
        connection = self._connection
        with suppress(OSError):
            if connection is not None and connection.sock is not None:
                connection.sock.shutdown(2)
        with suppress(queue.Empty):
            while self._asked.get_nowait() is not None:
                pass
            self._asked.put(None)

    def _hear(self) -> None:
        while not self._ends.is_set():
            with suppress(*_BROKEN):
                for line in self._lines():
                    if line["type"] == "decision":
                        self._asked.put(line)
                    elif line["type"] not in ("ping", "withdrawn", "reconnect"):
                        self.strange.append(line)
            self._ends.wait(_AGAIN_SECONDS)

    def _lines(self) -> Iterator[Wire]:
        connection = http.client.HTTPConnection(urlsplit(self.owner.client.base).netloc, timeout=self._silence)
        try:
            headers = {"Authorization": f"Bearer {self.owner.client.token}", "Connection": "keep-alive"}
            connection.request("GET", f"{self.owner.path}/decisions", headers=headers)
            self._connection = connection
            with connection.getresponse() as stream:
                if stream.status == 200:
                    while not self._ends.is_set() and (row := stream.readline()):
                        yield json.loads(row)
        finally:
            connection.close()

    def _answer(self) -> None:
        while not self._ends.is_set() and (first := self._asked.get()) is not None:
            batch = [first]
            with suppress(queue.Empty):
                while len(batch) < _MOST_ANSWERS and (more := self._asked.get_nowait()) is not None:
                    batch.append(more)
            self._ends.wait(self.pace)
            if answers := [self.chosen(each) for each in batch if each["id"] not in self.told]:
                self._send(answers)

    def chosen(self, decision: Wire) -> Wire:
        """Choose a move, once, and return the answer."""
        legal = decision["state"]["legal_moves"]
        move = self.sent.setdefault(decision["id"], bare(self._chance.choice(legal)))
        return {"id": decision["id"], "moves": [move]}

    def _send(self, answers: Sequence[Wire]) -> None:
        while not self._ends.is_set():
            with suppress(*_BROKEN):
                reply = self.owner.post(f"{self.owner.path}/answers", {"answers": answers})
                if reply.status == 200:
                    for verdict in reply.body["answers"]:
                        self.told[verdict["id"]] = verdict["outcome"]
                        if verdict["outcome"] == "illegal":
                            self.strange.append(verdict)
                    return
                if reply.status < 500 and reply.status != 429:
                    self.strange.append(reply.body)
                    return
            self._ends.wait(_AGAIN_SECONDS)


@contextmanager
def at_play(*players: Player) -> Iterator[None]:
    for player in players:
        player.begin()
    try:
        yield
    finally:
        for player in players:
            player.end()


def insist(client: Client, method: str, path: str, body: object = None, **headers: str) -> Reply:
    """Send until there is an answer that is one."""
    ends = time.monotonic() + PATIENCE
    while True:
        with suppress(*_BROKEN):
            reply = client.call(method, path, body, **headers)
            if reply.status < 500 and reply.status != 429:
                return reply
        assert time.monotonic() < ends, f"no answer to {method} {path}"
        time.sleep(_AGAIN_SECONDS)


def begun(client: Client, seats: Sequence[str], key: str) -> str:
    """Open a game and start it, once, however often it has to be asked for; return its path."""
    wanted = {"seats": seats, "start": True}
    made = insist(client, "POST", "/v1/games", wanted, Idempotency_Key=key)
    assert made.status == 201, made.body
    return f"/v1/games/{made.body['game']['id']}"


def is_over(client: Client, path: str) -> bool:
    return bool(insist(client, "GET", path).body["result"])


def wrong_in(client: Client, path: str, players: Mapping[str, Player]) -> Iterator[str]:
    """Yield what is wrong with a game: answers that were taken and are not there, moves that nobody has chosen.

    A move of a bot's seat is its own or, while the seat is told to be away, a stand-in's.
    """
    game_id = path.rpartition("/")[2]
    bots = [seat["bot"] for seat in insist(client, "GET", path).body["seats"]]
    away: set[int] = set()
    count = 0
    for event in _history(client, path):
        if event["type"] == "player_away":
            away.add(event["seat"])
        elif event["type"] == "player_back":
            away.discard(event["seat"])
        elif event["type"] == "choice" and not event["automatic"]:
            id_, move = f"{game_id}.{count}", event["move"]
            count += 1
            player = players.get(bots[event["seat"]])
            if player is None:
                continue
            is_its_own = event["seat"] not in away
            was_taken = player.told.get(id_) in MADE
            if is_its_own and move != player.sent.get(id_):
                yield f"{id_}: nobody has chosen {move}"
            if was_taken and not (is_its_own and move == player.sent[id_]):
                yield f"{id_}: {player.sent[id_]} was taken, and there is {move}"
    for player in players.values():
        for id_, outcome in player.told.items():
            if outcome in MADE and id_.startswith(f"{game_id}.") and int(id_.rpartition(".")[2]) >= count:
                yield f"{id_}: was taken, and is not there"


def _history(client: Client, path: str) -> Iterator[Wire]:
    after = 0
    while True:
        page = insist(client, "GET", f"{path}/events?limit=1000&after={after}").body
        yield from page["events"]
        after = page["next"]
        if not page["more"]:
            return
