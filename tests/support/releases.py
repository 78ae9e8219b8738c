"""Games as this release leaves them, for the tests of all later ones:  python -m tests.support.releases

To be run once at each release. Writes tests/data/releases/VERSION.ndjson, as `red-november export` does, and beside it
VERSION.json with the tokens of every game and with what its players saw. Never change the files of a release that is
out: they are what test_upgrades.py holds us to.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from service.cli import main
from tests.support.answers import LAST_MOVE, NO_ACTION, scene, settled
from tests.support.helpers import scripted
from tests.support.playing import pick
from tests.support.serving import PATIENCE, UNLIMITED, Client, Seated, Wire, running_redis, running_web, running_workers

FOLDER = Path(__file__).parents[1] / "data" / "releases"
CRAZED = {"crazed_gnomes": True}
AT_STORES = 8

Maker = Callable[[Client], Seated]


def seated(api: Client, seats: list[str], join: int | None = None, start: bool = True, **wanted: object) -> Seated:
    """Players join with the host's token, so that a private game lets them in."""
    created = api.post("/v1/games", wanted | {"seats": seats})
    assert created.status == 201, created.body
    path, host = f"/v1/games/{created.body['game']['id']}", api.be(created.body["token"])
    table = Seated(path, host, [host] * len(seats))
    while join is None or join > 0:
        if not any(seat["kind"] == "open" for seat in table.state["seats"]):
            break
        joined = host.post(f"{path}/players", {"name": "Ada" if join else "Gnome"})
        assert joined.status == 201, joined.body
        for seat in joined.body["game"]["you"]["seats"]:
            table.players[seat] = api.be(joined.body["token"])
        join = join and join - 1
    if start:
        assert host.post(f"{path}/start").status == 200
    return table


def play(table: Seated, moves: int | list[Wire]) -> Seated:
    """Those moves, or so many by chance; fewer when the game ends."""
    chance = random.Random(table.state["rules"]["gnomes"])
    for move in moves if isinstance(moves, list) else [None] * moves:
        if not (decision := table.state["decision"]):
            break
        player = table.players[decision["seat"]]
        move = move or pick(player.get(table.path).body["legal_moves"], chance)
        played = player.play(table.path, move)
        assert played.status == 200, played.body
    return table


def until(table: Seated, is_so: Callable[[Wire], bool]) -> Seated:
    """Workers play meanwhile."""
    ends = time.monotonic() + PATIENCE
    while not is_so(table.state):
        assert time.monotonic() < ends, "the workers do not come so far"
        time.sleep(0.05)
    return table


THREE = ["open"] * 3


def at_sea(api: Client) -> Seated:
    """Somebody has opened a hatch, and is about to go through it."""
    table = seated(api, THREE, position=scene({"room": 9}))
    return play(table, [{"type": "open_hatch", "to": "sea"}])


def meeting(api: Client, mine: Wire, rules: Wire, *moves: Wire) -> Seated:
    crew = {"room": 7, "items": mine}, {"room": 7, "items": {"coffee": 1, "crowbar": 1}}
    table = seated(api, THREE, position=scene(*crew, rules=rules, script=scripted()))
    return play(table, list(moves))


def trade(api: Client) -> Seated:
    given = {"type": "give_item", "item": "grog"}
    return meeting(api, {"grog": 1, "crowbar": 2}, {}, {"type": "trade_items", "with": 1}, given)


def fight(api: Client) -> Seated:
    used = {"type": "use_item", "item": "crowbar"}
    return meeting(api, {"crowbar": 2}, CRAZED, used, {"type": "attack_gnome", "seat": 1})


def event(api: Client, card: str, dice: list[int] | None = None, items: Wire | None = None, **board: Any) -> Seated:
    """A card that asks somebody something."""
    position = scene({"room": 7, "items": items or {}}, script=scripted([card], dice or []), **board)
    return play(seated(api, THREE, position=position), [NO_ACTION])


def abandoning(api: Client) -> Seated:
    """In the original edition: all minutes are spent, and the first choice on the way is theirs."""
    swimmer = {"room": "sea", "minutes": 9, "items": {"crowbar": 1, "grog": 1}}
    board = scene(swimmer, {"minutes": 5}, {"minutes": 4}, rules={"edition": "original"}, script=scripted(["stumble"]))
    return play(seated(api, THREE, position=board), [{"type": "abandon_comrades"}])


def variant(api: Client, gnomes: int, moves: int = 12, **rules: object) -> Seated:
    return play(seated(api, ["open"] * gnomes, rules=rules), moves)


def left(api: Client) -> Seated:
    table = play(seated(api, THREE), 4)
    gone = table.state["seats"][0]["player_id"]
    assert table.players[0].delete(f"{table.path}/players/{gone}").status == 204
    table.players[0] = table.host
    return table


def away(api: Client) -> Seated:
    """A bot has stood in for somebody."""
    table = seated(api, THREE, turn_seconds=5)
    return until(table, lambda state: any(seat["away"] for seat in state["seats"]))


def beside_bots(api: Client) -> Seated:
    """A player who has moved a few times between bots, and must decide again."""
    table = seated(api, ["open", "sailor", "cabin_boy"])
    for _ in range(4):
        until(table, lambda state: state["result"] or state["decision"]["seat"] == 0)
        play(table, 1)
    return until(table, lambda state: state["result"] or state["decision"]["seat"] == 0)


def lost(api: Client) -> Seated:
    """From its first move to its last, with the odds of every turn."""
    table = play(seated(api, THREE), 10_000)
    assert table.state["result"]["crew"] == "lost"
    assert table.host.get(f"{table.path}/odds?wait=20").body["complete"]
    return table


def rescued(api: Client) -> Seated:
    return play(seated(api, THREE, position=LAST_MOVE, name="Rescued"), [NO_ACTION])


def fork(api: Client, of: Seated, **wanted: object) -> Seated:
    """Of another game, started and played a little."""
    forked = of.host.post(f"{of.path}/forks", wanted).body
    path, host = f"/v1/games/{forked['game']['id']}", api.be(forked["token"])
    table = Seated(path, host, [host] * len(THREE))
    for seat in range(len(THREE)):
        joined = host.post(f"{path}/players", {"name": "Gnome", "seat": seat}).body
        table.players[seat] = api.be(joined["token"])
    assert host.post(f"{path}/start").status == 200
    return play(table, 3)


WITH_WORKERS: dict[str, Maker] = {
    "away": away,
    "beside bots": beside_bots,
    "lost, with odds": lost,
}
MAKERS: dict[str, Maker] = {
    "waiting": lambda api: seated(api, ["open", "open", "captain"], join=1, start=False, name="Friday"),
    "waiting for bots alone": lambda api: seated(api, ["sailor"] * 3, start=False),
    "private": lambda api: play(seated(api, THREE, visibility="private"), 5),
    "private, waiting": lambda api: seated(api, THREE, join=2, start=False, visibility="private"),
    "behind a hatch": at_sea,
    "trade": trade,
    "fight": fight,
    "discard": lambda api: event(api, "stumble", items={"grog": 2, "crowbar": 1}),
    "fire spreads": lambda api: event(api, "fire_spreads", rooms={"10": {"fire": True}}),
    "block a hatch": lambda api: event(api, "blocked_hatch", [9], blocked_hatches=["8-9"]),
    "deadline": lambda api: play(seated(api, THREE, turn_seconds=3600), 3),
    "deadline that is past": lambda api: seated(api, THREE, turn_seconds=5),
    "left": left,
    "a bot must decide": lambda api: seated(api, ["sailor", "bosun", "cabin_boy"]),
    "alone": lambda api: play(seated(api, THREE, players=1), 9),
    "two players": lambda api: variant(api, 4, players=2),
    "eight gnomes": lambda api: variant(api, 8),
    "crazed": lambda api: variant(api, 3, crazed_gnomes=True),
    "less deadly dying": lambda api: variant(api, 5, less_deadly_dying=True),
    "no respite": lambda api: variant(api, 3, greater_challenge="no_respite"),
    "storm": lambda api: variant(api, 4, greater_challenge="storm", crazed_gnomes=True),
    "original": lambda api: variant(api, 3, edition="original"),
    "hidden hands": lambda api: variant(api, 4, hidden_hands=True),
    "luck": lambda api: seated(api, THREE, position=scene({"items": {"lucky_charm": 1}}, phase="luck", ghost=30)),
    "abandoning": abandoning,
    "known seed": lambda api: play(seated(api, THREE, seed="5e" * 32), 6),
    "rescued": rescued,
    "fork": lambda api: fork(api, play(seated(api, THREE), 8), version=5),
    "fork with the same dice": lambda api: fork(api, rescued(api), version=1, dice="same"),
}


@contextmanager
def service() -> Iterator[tuple[str, Client]]:
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as api:
        yield url, api


def told(table: Seated) -> Wire:
    """What the tests of later releases must know of a game: who may act, and what whoever must decide saw."""
    state = table.state
    seat = state["decision"]["seat"] if state["decision"] else 0
    return {
        "id": state["id"],
        "host": table.host.token,
        "players": [player.token for player in table.players],
        "state": settled(table.players[seat].get(table.path).body),
    }


def in_present_names(before: Wire) -> Wire:
    """What a release told of a game, as it is told now: some have given fields other names since."""
    if "private" not in before:
        return before
    seats = [{"player_id": seat["player"], **_without(seat, "player")} for seat in before["seats"]]
    fork = before["forked_from"]
    cards = before["item_deck"]
    return _without(before, "private") | {
        "visibility": "private" if before["private"] else "public",
        "seats": seats,
        "you": {"player_id": before["you"]["player"], **_without(before["you"], "player")},
        "forked_from": fork and {"game_id": fork["game"], "version": fork["version"]},
        "gnomes": [
            gnome | {"items": None if "hidden" in gnome["items"] else gnome["items"]} for gnome in before["gnomes"]
        ],
        "item_deck": None if "hidden" in cards else cards,
        "items_left": cards["hidden"] if "hidden" in cards else sum(cards.values()),
    }


def _without(told: Wire, name: str) -> Wire:
    return {each: value for each, value in told.items() if each != name}


def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    release = version("red-november")
    with service() as (url, api):
        with running_workers(url):
            tables = {name: maker(api) for name, maker in WITH_WORKERS.items()}
        tables |= {name: maker(api) for name, maker in MAKERS.items()}
        games = {name: told(table) for name, table in tables.items()}
        assert main(["export", "--redis-url", url, "--output", str(folder / f"{release}.ndjson")]) == 0
    text = json.dumps({"release": release, "games": games}, indent=1, sort_keys=True)
    (folder / f"{release}.json").write_text(text + "\n")


if __name__ == "__main__":
    make(FOLDER)
