"""One caller has many games of slow bots; how long do others wait for theirs?"""

import time
from contextlib import ExitStack
from dataclasses import dataclass, field

import redis

from tests.support.serving import UNLIMITED, Client, Seated, new_game, running_redis, running_web, running_workers

ATTACKER, OTHER = "203.0.113.9", "198.51.100.7"
SLOW = ["admiral"] * 8
TABLE = ["open", "sailor", "sailor", "sailor"]


@dataclass
class Starved:
    """What others met, in seconds, and what operators saw meanwhile."""

    waits: list[float] = field(default_factory=list)
    oldest: float = 0.0  # of the attacker's games
    probe: float = 0.0
    jobs: int = 0  # the most there were in the queue
    advice: float = 0.0  # until a question was answered

    @property
    def worst(self) -> float:
        return max(self.waits)


def starve(games: int, moves: int, workers: int = 2) -> Starved:
    """Another caller makes so many moves after which a bot is next."""
    with ExitStack() as stack:
        url = stack.enter_context(running_redis())
        api = stack.enter_context(running_web(url, TRUSTED_PROXIES="1", **UNLIMITED))
        attacker, other = (Client(api.base, None, {"X-Forwarded-For": address}) for address in (ATTACKER, OTHER))
        for _ in range(games):
            new_game(attacker, seats=SLOW)
        stack.enter_context(running_workers(url, workers))
        store = stack.enter_context(redis.Redis.from_url(url))
        met = Starved()
        table = new_game(other, seats=TABLE)
        while len(met.waits) < moves:
            if not play_until_bots_have_moved(table, met.waits):
                table = new_game(other, seats=TABLE)
            met.jobs = max(met.jobs, int(store.llen("rq:queue:turns")))
            facts = api.operator.get("/readyz").body
            met.oldest, met.probe = max(met.oldest, facts["oldest"]), max(met.probe, facts["probe"])
        table = new_game(other)
        asker, asked = table.decider(), time.monotonic()
        where = asker.post(f"{table.path}/advice").headers["location"]
        while asker.get(f"{where}?wait=20").body["status"] == "working":
            pass
        met.advice = time.monotonic() - asked
        return met


def play_until_bots_have_moved(table: Seated, waits: list[float]) -> bool:
    """False when the game is over."""
    player = table.players[0]
    state = player.get(table.path).body
    while state["decision"] and state["decision"]["seat"] == 0:
        state = player.play(table.path, state["legal_moves"][-1]).body["game"]
    moved, played = time.monotonic(), state["moves_played"]
    while not state["result"] and state["moves_played"] == played:
        state = player.get(f"{table.path}?after={state['version']}&wait=20").body
    if state["moves_played"] > played:
        waits.append(time.monotonic() - moved)
    while not state["result"] and state["decision"]["seat"] != 0:
        state = player.get(f"{table.path}?after={state['version']}&wait=20").body
    return state["result"] is None
