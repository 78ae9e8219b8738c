"""Tables at which persons sit: with each other, or one of them with bots."""

import http.client
import json
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from bots.roster import ROSTER
from engine import Game, IllegalMove, Rules, observe
from engine.shapes import Move
from tests.bench.crowd import Crowd, get, waiting

THINKS_SECONDS, SILENCE_SECONDS = 3.0, 0.3


class Line(threading.local):
    """A connection to the API for each thread, kept open."""

    def __init__(self, base: str) -> None:
        self._http = http.client.HTTPConnection(urlsplit(base).netloc)

    def ask(self, method: str, path: str, token: str = "", body: Any = None, **headers: str) -> Any:
        """The headers of the answer."""
        return self.tell(method, path, token, body, **headers)[0]

    def tell(self, method: str, path: str, token: str = "", body: Any = None, **headers: str) -> tuple[Any, bytes]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent |= {"Authorization": f"Bearer {token}"} if token else {}
        sent |= {"Content-Type": "application/json"} if method == "POST" else {}
        self._http.request(method, path, json.dumps(body or {}) if method == "POST" else None, sent)
        reply = self._http.getresponse()
        text = reply.read()
        if reply.status >= 400:
            raise RuntimeError(f"{method} {path}: {text.decode()}")
        return reply.headers, text

    def post(self, path: str, token: str = "", body: Any = None, **headers: str) -> Any:
        return json.loads(self.tell("POST", path, token, body, **headers)[1])


class Table:
    """A game that persons play, each at a seat, as sailors would."""

    def __init__(self, line: Line, gnomes: int, number: int) -> None:
        self.line, self.gnomes = line, gnomes
        self.seed, self.moves = planned(gnomes, number)
        self.path, self.tokens, self._host = "", [""] * gnomes, ""

    def create(self) -> None:
        made = self.line.post("/v1/games", body={"rules": {"gnomes": self.gnomes}, "seed": self.seed})
        self.path, self._host = f"/v1/games/{made['game']['id']}", made["token"]

    def start(self) -> None:
        for _ in range(self.gnomes):
            joined = self.line.post(f"{self.path}/players", body={"name": "Gnome"})
            for seat in joined["game"]["you"]["seats"]:
                self.tokens[seat] = joined["token"]
        self.line.post(f"{self.path}/start", self._host)

    def play(self, first: float = 0, last: float = 1, key: str = "") -> None:
        """From one share of the moves to another."""
        for number, (seat, move) in list(enumerate(self.moves))[self._at(first) : self._at(last)]:
            more = {"Idempotency_Key": f"{key}{self.path}-{number}-of-the-game"} if key else {}
            self.line.ask("POST", f"{self.path}/moves", self.tokens[seat], {"moves": [move]}, **more)

    def _at(self, share: float) -> int:
        return int(share * len(self.moves))


def planned(gnomes: int, number: int) -> tuple[str, list[tuple[int, Move]]]:
    """A seed, and who plays what until the end."""
    seed = number.to_bytes(32)
    game, moves = Game.new(Rules(gnomes=gnomes), seed), []
    while game.result is None:
        seat = game.decider
        assert seat is not None
        moves += [(seat, move) for move in follow(game, seat, ROSTER["sailor"].choose(observe(game, seat)))]
    return seed.hex(), moves


def started(line: Line, gnomes: int, number: int) -> Table:
    table = Table(line, gnomes, number)
    table.create()
    table.start()
    return table


def stream(path: str) -> bytes:
    return get(f"{path}/events/stream", "Accept: application/x-ndjson")


def follow(game: Game, seat: int, plan: Sequence[Move]) -> Iterator[Move]:
    """Until its first surprise."""
    for move in plan:
        if game.result is not None or game.decider != seat:
            return
        try:
            game.play(move)
        except IllegalMove:
            return
        yield move


def sit(base: str, bots: Sequence[str], ends: float) -> tuple[int, int]:
    """A person with bots, who hears the stream, and fetches the state when it falls silent: their turns and moves."""
    line, rounds, moves = Line(base), 0, 0
    while time.monotonic() < ends:
        made = line.post("/v1/games", body={"seats": ["open", *bots]})
        path = f"/v1/games/{made['game']['id']}"
        me = line.post(f"{path}/players", body={"name": "Gnome"})["token"]
        line.post(f"{path}/start", made["token"])
        with waiting(base, [stream(path)]) as crowd:
            while time.monotonic() < ends:
                state = json.loads(line.tell("GET", path, me)[1])
                if state["result"]:
                    break
                if not state["legal_moves"]:
                    quiet(crowd)
                    continue
                rounds += 1
                time.sleep(THINKS_SECONDS)
                while state["legal_moves"]:
                    state = line.post(f"{path}/moves", me, {"moves": state["legal_moves"][-1:]})["game"]
                    moves += 1
    return rounds, moves


def quiet(crowd: Crowd) -> None:
    """Until no event came for a while."""
    crowd.told.clear()
    time.sleep(SILENCE_SECONDS)
    while crowd.told:
        crowd.told.clear()
        time.sleep(SILENCE_SECONDS)
