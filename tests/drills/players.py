"""People and bots at many tables, and what the service told them: nothing of that may be lost, doubled or late."""

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.drills.weather import Weather
from tests.support.serving import PATIENCE, Reply, Wire

TABLES = (
    ["open", "sailor", "sailor"],
    ["open", "bosun", "sailor", "cabin_boy"],
    ["open", "open", "sailor"],
    ["sailor", "cabin_boy", "sailor"],
    ["open", "open", "open"],
)
TURN_SECONDS = 3600  # where a turn has an end: no bot may play for a person of ours
STUCK_SECONDS = 10.0
ANSWER_SECONDS = 20.0  # after which somebody asks again
_AGAIN_SECONDS = 0.05
_RACES = 0.1  # of the moves are sent while another connection sends the same one, or another of the same version
_REPEATED = 0.15  # of the moves with a key are sent once more at the end
_TIRED = 0.01  # of the looks at a table that is over end in a new game


class Stuck(AssertionError):
    """There is no answer, and there will be none."""


class Vanished(Exception):
    """A game is not as it was acknowledged: it went with a master that nobody had copied."""


class Caller:
    """A connection that stays; whoever calls it begins anew when it is lost."""

    def __init__(self, base: str) -> None:
        self._place = urlsplit(base)
        self._connection: http.client.HTTPConnection | None = None

    def call(self, method: str, path: str, token: str | None = None, body: Any = None, key: str | None = None) -> Reply:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        data = json.dumps(body).encode() if body is not None else None
        try:
            if self._connection is None:
                host, port = self._place.hostname or "", self._place.port
                self._connection = http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS)
            self._connection.request(method, path, data, headers)
            told = self._connection.getresponse()
            text = told.read()
            return Reply(told.status, json.loads(text) if text else None, {k.lower(): v for k, v in told.getheaders()})
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


@dataclass
class Counts:
    """Of all tables."""

    games: int = 0
    finished: int = 0
    acknowledged: int = 0
    with_key: int = 0
    doubtful: int = 0
    races: int = 0  # two requests at once
    asked: int = 0
    again: int = 0  # requests that were sent again
    stuck: list[str] = field(default_factory=list)
    silence: float = 0.0  # the longest, faults and all
    calm_silence: float = 0.0  # the longest while nothing was wrong
    strange: list[str] = field(default_factory=list)  # answers that should not be
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, **more: float) -> None:
        with self._lock:
            for name, each in more.items():
                setattr(self, name, getattr(self, name) + each)

    def quiet(self, what: str, begins: float, ends: float, weather: Weather) -> None:
        calm = weather.calm(begins, ends)
        with self._lock:
            self.silence = max(self.silence, ends - begins)
            self.calm_silence = max(self.calm_silence, calm)
            if calm > STUCK_SECONDS:
                self.stuck.append(f"{what} for {calm:.0f} s of calm, {ends - begins:.0f} s in all")


@dataclass
class Repeat:
    """A move that was acknowledged, to be sent again."""

    token: str
    sent: Wire
    key: str
    told: Wire


@dataclass
class Accepted:
    epoch: str
    version: int
    move: Wire
    events: list[Wire]


@dataclass
class Game:
    """As its players remember it."""

    path: str
    host: str
    players: dict[int, str]  # seat → token
    accepted: list[Accepted] = field(default_factory=list)
    doubtful: list[tuple[int, Wire]] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    has_guests: bool = False  # bots of others
    over: bool = False
    waits: tuple[int, str, float] | None = None  # version, epoch, and since when a bot is next


class Crew:
    """One who plays at several tables in turn."""

    def __init__(
        self,
        base: str,
        weather: Weather,
        counts: Counts,
        seed: str,
        may_vanish: bool = False,
        tables: Sequence[list[str]] = TABLES,
    ) -> None:
        self._may_vanish, self._tables = may_vanish, tables
        self._other = Caller(base)
        self.caller, self.weather, self.counts = Caller(base), weather, counts
        self.chance, self._names = random.Random(seed), seed
        self.ends = threading.Event()  # nobody insists any more
        self._keys = 0

    def close(self) -> None:
        self.caller.close()
        self._other.close()

    def insist(
        self, method: str, path: str, token: str | None = None, body: Any = None, key: str | None = None
    ) -> Reply:
        """Sends until there is an answer that is one; `tries` among its headers tells how often."""
        began, tries = time.monotonic(), 0
        try:
            while True:
                tries += 1
                self.counts.add(asked=1)
                with suppress(OSError, http.client.HTTPException, ValueError):
                    reply = self.caller.call(method, path, token, body, key)
                    if reply.status >= 500:
                        self._look_at(method, path, reply)
                    if reply.status < 500 and reply.status != 429:
                        reply.headers["tries"] = str(tries)
                        return reply
                self.counts.add(again=1)
                if time.monotonic() - began > PATIENCE or self.ends.is_set():
                    raise Stuck(f"no answer to {method} {path}")
                time.sleep(min(1.0, _AGAIN_SECONDS * tries))
        finally:
            self.counts.quiet(f"no answer to {method} {path}", began, time.monotonic(), self.weather)

    def _look_at(self, method: str, path: str, reply: Reply) -> None:
        code = reply.body.get("code") if isinstance(reply.body, dict) else None
        if code in (None, "internal"):
            self.counts.strange.append(f"{method} {path}: {reply.status} {reply.body}")

    def key(self) -> str:
        self._keys += 1
        return f"a key of the drills: {self._names}, {self._keys}"

    def open_game(self, number: int) -> Game:
        seats = self._tables[number % len(self._tables)]
        wanted: Wire = {"seats": seats} | ({"turn_seconds": TURN_SECONDS} if number % 3 == 0 else {})
        created = self._obeyed(self.insist("POST", "/v1/games", body=wanted, key=self.key()))
        game = Game(f"/v1/games/{created['game']['id']}", created["token"], {})
        game.has_guests = any(kind.startswith("bot:") for kind in seats)
        for seat, kind in enumerate(seats):
            if kind == "open":
                joining = {"name": f"Ada {seat}", "seat": seat}
                joined = self.insist("POST", f"{game.path}/players", body=joining, key=self.key())
                game.players[seat] = self._obeyed(joined)["token"]
        self._obeyed(self.insist("POST", f"{game.path}/start", game.host, {}, self.key()))
        self.counts.add(games=1)
        return game

    @staticmethod
    def _obeyed(reply: Reply) -> Wire:
        if reply.status not in (200, 201):
            raise Vanished(f"{reply.status} {reply.body}")
        return dict(reply.body)

    def step(self, game: Game) -> None:
        """One look, and one move if it is a person's turn."""
        state = self.insist("GET", game.path, game.host).body
        if "result" not in state or state["status"] == "waiting":
            raise Vanished(f"{game.path}: {state}")
        if state["result"] is not None:
            game.over, game.waits = True, None
            self.counts.add(finished=1)
            return
        seat = state["decision"]["seat"]
        if seat not in game.players:
            self._wait_for_bot(game, state)
            return
        game.waits = None
        token = game.players[seat]
        view = self.insist("GET", game.path, token).body
        if view.get("legal_moves"):
            self._move(game, token, view)

    def _wait_for_bot(self, game: Game, state: Wire) -> None:
        now = time.monotonic()
        version, epoch = state["version"], state["epoch"]
        if game.waits and game.waits[:2] == (version, epoch):
            self.counts.quiet(f"no bot at {game.path}, version {version}", game.waits[2], now, self.weather)
        else:
            game.waits = version, epoch, now

    def _move(self, game: Game, token: str, view: Wire) -> None:
        """With a key it is made once however often it is sent; without one who got no answer does not know."""
        chosen = self.chance.choice(view["legal_moves"])
        key = self.key() if self.chance.random() < 0.5 else None
        sent: Wire = {"moves": [chosen], "version": view["version"]}
        made = view["version"] + 1, {name: each for name, each in chosen.items() if name not in ("cost", "chance")}
        if key is None:
            game.doubtful.append(made)
        rival = self._rival(game, token, view, sent, key) if self.chance.random() < _RACES else None
        reply = self.insist("POST", f"{game.path}/moves", token, sent, key)
        if rival:
            rival.join()
        if reply.status == 200:
            if key is None:
                game.doubtful.remove(made)
            self.counts.add(acknowledged=1, with_key=key is not None)
            body = reply.body
            game.accepted.append(Accepted(body["game"]["epoch"], body["version"], made[1], body["events"]))
            if key and self.chance.random() < _REPEATED:
                game.repeats.append(Repeat(token, sent, key, body))
            return
        if reply.body["code"] == "version_conflict" and int(reply.headers["tries"]) > 1 and key is None:
            self.counts.add(doubtful=1)
        elif reply.body["code"] != "version_conflict":
            raise Vanished(f"{game.path}: {reply.status} {reply.body}")

    def _rival(self, game: Game, token: str, view: Wire, sent: Wire, key: str | None) -> threading.Thread:
        """At the same time somebody sends the same request, if it has a key, else another move of the same version."""
        chosen = self.chance.choice(view["legal_moves"])
        other: Wire = sent if key else {"moves": [chosen], "version": view["version"]}
        made = view["version"] + 1, {name: each for name, each in chosen.items() if name not in ("cost", "chance")}
        if key is None:
            game.doubtful.append(made)
        self.counts.add(races=1)

        def send() -> None:
            with suppress(OSError, http.client.HTTPException, ValueError):
                reply = self._other.call("POST", f"{game.path}/moves", token, other, key)
                if reply.status == 200 and key is None:
                    self.counts.add(acknowledged=1)
                    game.doubtful.remove(made)
                    told = reply.body
                    game.accepted.append(Accepted(told["game"]["epoch"], told["version"], made[1], told["events"]))
                elif reply.status == 200 and key:
                    game.repeats.append(Repeat(token, sent, key, reply.body))

        rival = threading.Thread(target=send)
        rival.start()
        return rival

    def drive(self, games: list[Game], enough: threading.Event, every: Callable[[], int]) -> None:
        """Until it is enough; where a game is over another one begins, now and then."""
        while not enough.is_set():
            began = time.monotonic()
            for game in list(games):
                if enough.is_set():
                    return
                try:
                    if not game.over:
                        self.step(game)
                    elif self.chance.random() < _TIRED:
                        games.append(self.open_game(every()))
                except Vanished as error:
                    game.over = True
                    if not self._may_vanish:
                        self.counts.strange.append(str(error))
            enough.wait(max(0.0, 0.2 - (time.monotonic() - began)))


@contextmanager
def at_sea(crews: Sequence[Crew], games: int, errors: list[str]) -> Iterator[list[list[Game]]]:
    """Let the crews open so many games together and play on while the block lasts; give the games of each crew.

    What ends a crew's voyage is noted among the errors. Raises BrokenBarrierError when that is before all have begun.
    """
    tables: list[list[Game]] = [[] for _ in crews]
    enough, begun = threading.Event(), threading.Barrier(len(crews) + 1)
    numbers, lock = iter(range(10**9)), threading.Lock()

    def number() -> int:
        with lock:
            return next(numbers)

    def sail(crew: Crew, mine: list[Game]) -> None:
        try:
            while len(mine) < max(1, games // len(crews)):
                mine.append(crew.open_game(number()))
            begun.wait()
            crew.drive(mine, enough, number)
        except Exception as error:  # noqa: BLE001 - for the report
            errors.append(f"{type(error).__name__}: {error}")
            begun.abort()

    threads = [threading.Thread(target=sail, args=each) for each in zip(crews, tables)]
    for thread in threads:
        thread.start()
    try:
        begun.wait()
        yield tables
    finally:
        enough.set()
        for thread in threads:
            thread.join()
