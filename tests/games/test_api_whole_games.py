"""Whole games over HTTP, every variant, beside the engine playing the same moves."""

import http.client
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import cast
from urllib.parse import urlsplit

import pytest

from engine import Game, Rules, redact
from tests.support.playing import CREWS, VARIANTS, Wire, pick, seed_of, variant_name, wild_position
from tests.support.serving import PATIENCE, Client, Seated, new_game

STORED = {"seq", "version", "at"}


class Line:
    """A connection that stays open: a whole game over new ones takes twice as long."""

    def __init__(self, base: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=PATIENCE)

    def post(self, path: str, token: str, body: Wire) -> Wire:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection.request("POST", path, json.dumps(body), headers)
        reply = self._connection.getresponse()
        told = json.loads(reply.read())
        assert reply.status == 200, told
        return told

    def close(self) -> None:
        self._connection.close()


def seen(game: Game, seat: int | None) -> Wire:
    """The engine's view as the API shows it."""
    view = cast(Wire, game.view(seat))
    view["moves_played"] = view.pop("version")
    if view["decision"]:
        view["decision"]["deadline"] = None
    return json.loads(json.dumps(view))


def told(events: list[Wire]) -> list[Wire]:
    return [{name: value for name, value in event.items() if name not in STORED} for event in events]


def play_through(table: Seated, game: Game, chance: random.Random) -> None:
    """Everybody plays what the API offers them; whoever moved sees what the engine lets them see."""
    line, state = Line(table.host.base), table.state
    version, seq = state["version"], state["seq"]
    seats = {seat: player["seats"] for player in state["players"] for seat in player["seats"]}
    while game.result is None:
        decider = game.decider
        assert decider is not None
        move = pick(game.legal_moves(), chance)
        played = line.post(
            f"{table.path}/moves", str(table.players[decider].token), {"moves": [move], "version": version}
        )
        happened = game.play(move)
        mine = seats[decider]
        assert told(played["events"]) == [json.loads(json.dumps(redact(event, mine))) for event in happened]
        assert [event["seq"] for event in played["events"]] == [*range(seq + 1, played["seq"] + 1)]
        version, seq = played["version"], played["seq"]
        view = seen(game, game.decider if game.decider in mine else mine[0])
        assert {name: played["game"][name] for name in view} == view
        assert played["game"]["version"] == version
    line.close()
    final = table.state
    assert (final["status"], final["result"]) == ("finished", game.result)
    assert final["decision"] is None


def from_the_start(api: Client, variant: Wire, crew: tuple[int, int]) -> None:
    gnomes, players = crew
    rules, seed = Rules(gnomes, players, **variant), seed_of(variant_name(variant), crew)
    table = new_game(api, gnomes, rules=rules.to_dict(), seed=seed.hex())
    play_through(table, Game.new(rules, seed), random.Random(seed))


def from_a_wreck(api: Client, variant: Wire, crew: tuple[int, int]) -> None:
    """Wild positions reach what games from the start seldom do."""
    gnomes, players = crew
    chance = random.Random(seed_of("wreck", variant_name(variant), crew))
    position = wild_position(Rules(gnomes, players, **variant), chance)
    table = new_game(api, gnomes, position=position)
    play_through(table, Game.from_position(position), chance)


@pytest.mark.parametrize("number", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))
def test_random_games_end_and_show_what_the_engine_shows(api: Client, number: int) -> None:
    """A game from the start and two wild ones, each of another crew, at the same time."""
    variant = VARIANTS[number]
    small = [crew for crew in CREWS if crew[0] <= 4]
    with ThreadPoolExecutor(3) as pool:
        games = [
            pool.submit(from_the_start, api, variant, small[number % len(small)]),
            pool.submit(from_a_wreck, api, variant, CREWS[number % len(CREWS)]),
            pool.submit(from_a_wreck, api, variant, CREWS[(number + 5) % len(CREWS)]),
        ]
        for game in games:
            game.result()
