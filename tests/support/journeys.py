"""Journeys through the playing client in a real browser: the tables that they begin at, and what all must keep to.

What was seen stays in build/screenshots, or in the folder that SCREENSHOTS names; nothing is compared with it.
"""

import json
import os
from pathlib import Path

from service.pages.texts import TEXTS
from tests.engine.test_names import PHASES as ENGINE_PHASES
from tests.support.answers import scene
from tests.support.browsing import browser, meets_no_obstacle
from tests.support.helpers import IDLE
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client, Seated, Wire, new_game, running_workers

FOLDER = Path(os.environ.get("SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
# A charm comes with the minutes of this turn, and events lie ahead of it.
LUCKY: tuple[Wire, list[Wire | str]] = (
    {"gnomes": [{"minutes": 41, "room": 8}], "script": {"items": ["grog", "grog", "grog", "lucky_charm"]}},
    [{"type": "draw_items", "cards": 3}],
)
PHASES = ENGINE_PHASES | {"luck": LUCKY}
SAYS = TEXTS["en"]["client"]["script"]
ALONE: Wire = {"players": 1}


def travel(api: Client, redis_url: str, place: Path, file: str, tables: Wire) -> Wire:
    """Go on the journeys of a file in `tests/clients/journeys`, from these tables, and return what was seen on each.

    The tests of a file look at parts of it. PLAY_ONLY names those journeys that are wanted alone.
    """
    node, chromium = need_node("playing in a browser"), browser()
    install()
    FOLDER.mkdir(parents=True, exist_ok=True)
    told = {"address": api.base, "chromium": chromium, "folder": str(FOLDER), "journeys": file}
    job = tables | told | {"only": os.environ.get("PLAY_ONLY", "").split()}
    (place / "job.json").write_text(json.dumps(job))
    with running_workers(redis_url, 1):
        seen: Wire = json.loads(run([node, "play_game.mjs", place / "job.json"], CLIENTS, timeout=1500))
    return seen | {"tokens": _tokens_in(tables)}


def _tokens_in(tables: object) -> list[str]:
    if isinstance(tables, dict):
        return [tables["token"]] if "token" in tables else _tokens_in([*tables.values()])
    return [token for each in tables for token in _tokens_in(each)] if isinstance(tables, list) else []


def assert_calm(seen: Wire, *more_tokens: str) -> None:
    """Nothing to complain of for the browser or for axe, nothing too wide, and no token in what was asked for."""
    assert seen["complaints"] == []
    assert seen["elsewhere"] == []
    assert seen["wide"] == []
    meets_no_obstacle(seen["accessibility"])
    told = seen["addresses"] + seen["referrers"]
    assert len(told) > 20
    assert not [address for address in told for token in (*seen["tokens"], *more_tokens) if token in address]


def assert_over(*seen: Wire) -> None:
    """All of them have seen the same end, and met no problem on the way."""
    assert [each["problems"] for each in seen] == [[] for _ in seen]
    results = {each["result"] for each in seen}
    assert len(results) == 1
    assert results <= {SAYS["rescued"], SAYS["boat_lost"]}


def seat_of(game: Seated, seat: int = 0) -> Wire:
    return {"id": game.path.rpartition("/")[2], "token": game.players[seat].token}


def alone(api: Client, **wanted: bool) -> Wire:
    """The seat of one player who has three gnomes."""
    return seat_of(new_game(api, rules=ALONE, **wanted))


def within(api: Client, *gnomes: Wire, **more: Wire) -> Wire:
    """The seat of one player in a position."""
    return seat_of(new_game(api, position=scene(*gnomes, rules=ALONE, **more)))


def before(api: Client, kind: str) -> Wire:
    """The seat that must make such a decision."""
    position, moves = PHASES[kind]
    crew = [IDLE | gnome for gnome in position["gnomes"]]
    rules = {"gnomes": 3} | position.get("rules", {})
    game = new_game(api, position=position | {"rules": rules, "gnomes": crew + [IDLE] * (3 - len(crew))})
    for move in moves:
        decider = game.host.get(game.path).body["decision"]["seat"]
        sent = {"moves": [{"type": move} if isinstance(move, str) else move]}
        assert game.players[decider].post(f"{game.path}/moves", sent).status == 200
    decision = game.host.get(game.path).body["decision"]
    assert decision["kind"] == kind
    return seat_of(game, decision["seat"])
