"""What the tests of matches share: matches worked through by hand, and what they must come to."""

from functools import cache
from typing import Any, cast

from bots.arena.game import play_game
from bots.arena.series import Series, game_seed
from engine import Rules
from service.matches import slices
from service.matches.repository import MatchRepository
from tests.support.desk import Desk
from tests.support.serving import Client, Wire

QUEUE = "rq:queue:matches"
SAILORS: Wire = {"games": 40, "gnomes": [3], "crew": ["sailor"]}


class MatchDesk(Desk):
    """A desk whose queues have nothing left of other tests' matches."""

    def __init__(self, redis_url: str, **settings: Any) -> None:
        super().__init__(redis_url, **settings)
        self.store.redis.delete(QUEUE, "rq:queue:turns", "rq:queue:advice", "match:running", "match:hosted")


def timeless(told: Any) -> Any:
    """Leave out the seconds, which differ from run to run."""
    if isinstance(told, dict):
        return {name: timeless(value) for name, value in told.items() if not name.startswith("seconds")}
    return [timeless(value) for value in told] if isinstance(told, list) else told


def new_match(client: Client, **wanted: Any) -> tuple[str, Client]:
    """Create a match. Return its path, and the client that may change it."""
    created = client.post("/v1/matches", SAILORS | wanted)
    assert created.status == 202, created.body
    assert created.headers["location"] == f"/v1/matches/{created.body['match']['id']}"
    return created.headers["location"], client.be(created.body["token"])


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def work(desk: Desk, path: str) -> Wire:
    """Do what workers do until the match is over, and return it."""
    for _ in range(200):
        slices.play_slice(id_of(path))
        match = desk.api.get(path).body
        if match["ended_at"]:
            return match
    raise AssertionError(f"the match does not end: {match}")


def local(gnomes: int = 3, crew: str = "sailor", against: str | None = None, games: int = 40, **more: Any) -> Wire:
    """Return what `red-november match` makes of a match."""
    return _local(gnomes, crew, against, games, tuple(more.items()))


@cache
def _local(gnomes: int, crew: str, against: str | None, games: int, more: tuple[Any, ...]) -> Wire:
    series = Series(Rules(gnomes=gnomes), [crew], [against] if against else None, games, **dict(more))
    for _ in series.play(1):
        pass
    return dict(timeless(series.to_dict()))


def check_game(told: Wire) -> None:
    """Check that a game of a match is the one that its crew, rules and seed make."""
    seed = game_seed(1, told["number"])
    assert told["seed"] == seed.hex()
    again = timeless(play_game(told["crew"], Rules(gnomes=told["gnomes"]), seed).to_dict())
    assert again | {"faults": len(again["faults"])} == {name: timeless(told)[name] for name in again}


def keys_of(desk: Desk, path: str) -> list[bytes]:
    """Return what Redis holds of a match, but for jobs, which run out by themselves."""
    found = cast(list[bytes], desk.store.redis.keys(f"*{id_of(path)}*"))
    listed = [
        name
        for name in (b"matches", b"match:running", b"match:hosted")
        if desk.store.redis.zscore(name, id_of(path)) is not None
    ]
    return [key for key in found if not key.startswith(b"rq:")] + listed


def repository_of(desk: Desk) -> MatchRepository:
    return MatchRepository(desk.store)
