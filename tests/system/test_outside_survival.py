"""Whatever dies, and whatever they answer, games with bots of others go on: nothing is lost, doubled or stuck."""

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.outside.given import Owner, registered
from tests.outside.playing import MADE, Player, at_play, begun, insist, is_over, wrong_in
from tests.support.answers import eventually, lines, listening, refused
from tests.support.cluster import AT_ONCE, KEY_BY_KEY
from tests.support.cluster_site import cluster_site, empty_the_queue, kill_a_master, move_slots
from tests.support.playing import bare
from tests.support.serving import Client, Reply, Wire
from tests.system.test_survival import Site, harm, ready, running_site, until
from tests.system.watched import Waits, watched

pytestmark = pytest.mark.thorough

HARM = ("worker 1", "bot", "web", "redis", "worker 2", "flush", "bot")
SECONDS = 3  # that a bot may take
STUCK_SECONDS = SECONDS + 5  # in which nothing is wrong
OPEN = 64  # decisions at once: none waits for another one
PACE = 0.05  # that it does take
MEGABYTES = 10


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site")) as site:
        yield site


def crew_of(number: int, one: Owner, other: Owner) -> list[str]:
    return [[one.seat, other.seat, one.seat], [one.seat, "sailor", other.seat], [other.seat] * 3][number % 3]


def two_players(client: Client) -> dict[str, Player]:
    owners = [registered(client, seconds=SECONDS, open=OPEN) for _ in range(2)]
    return {owner.seat: Player(owner, PACE) for owner in owners}


def begin(client: Client, players: dict[str, Player], count: int) -> list[str]:
    one, other = (player.owner for player in players.values())
    return [begun(client, crew_of(number, one, other), f"{one.name} begins game {number}") for number in range(count)]


def end(client: Client, players: dict[str, Player], paths: list[str]) -> None:
    """Let them play to the end, and look for what is lost, doubled or stuck."""
    for player in players.values():
        player.pace = 0.0
    for path in paths:
        eventually(partial(is_over, client, path), f"{path} is stuck")


def complaints(client: Client, players: dict[str, Player], paths: list[str]) -> list[str]:
    strange = [str(each) for player in players.values() for each in player.strange]
    return strange + [complaint for path in paths for complaint in wrong_in(client, path, players)]


@pytest.mark.parametrize(
    ("games", "rounds"), [(16, 1), pytest.param(50, 4, marks=pytest.mark.soak)], ids=["a few", "fifty, again and again"]
)
def test_whatever_dies_what_outside_bots_answered_is_there_once(site: Site, games: int, rounds: int) -> None:
    players = two_players(site.client)
    chance = random.Random(rounds)
    with at_play(*players.values()):
        paths = begin(site.client, players, games)
        with watched(site.client, lambda: ready(site), paths) as waits:
            for what in HARM * rounds:
                time.sleep(chance.uniform(0.2, 0.8))
                if what == "bot":
                    chance.choice([*players.values()]).break_off()
                else:
                    with waits.weather.fault():
                        harm(site, what)
            until(lambda: ready(site), "the site does not recover")
            end(site.client, players, paths)
    assert waits.longest <= waits.most(STUCK_SECONDS), f"{waits.where} waited for {waits.longest:.1f} s"
    assert complaints(site.client, players, paths) == []
    taken = sum(outcome in MADE for player in players.values() for outcome in player.told.values())
    assert taken > 10 * games, "they hardly played"
    assert waits.answer, "nobody has looked"


class Still(Client):
    """A game in which nothing happens."""

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        return Reply(200, {"version": 7, "result": None}, {})


def test_a_game_that_stands_still_is_noticed_while_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    waits, since = Waits(), dict[str, tuple[int, float]]()
    waits.look(Still("http://x"), ["/game"], since)
    with waits.weather.fault():
        now = 4.0
        waits.look(Still("http://x"), ["/game"], since)
    assert waits.longest == 0.0
    waits.weather.see(True)
    now = 11.0
    waits.look(Still("http://x"), ["/game"], since)
    assert (waits.longest, waits.where) == (7.0, "/game, version 7")
    assert waits.most(5.0) == 5.0


def test_a_match_of_outside_bots_comes_to_its_end_whatever_dies(site: Site) -> None:
    players = two_players(site.client)
    one, other = (player.owner for player in players.values())
    wanted = {"games": 6, "gnomes": [3], "crew": [one.seat, other.seat, "sailor"], "against": [other.seat]}
    with at_play(*players.values()):
        made = insist(site.client, "POST", "/v1/matches", wanted, Idempotency_Key=f"{one.name} begins a match")
        assert made.status == 202, made.body
        path = made.headers["location"]
        eventually(
            lambda: insist(site.client, "GET", path).body["played"] or any(players[one.seat].told), "it does not begin"
        )
        for what in HARM:
            time.sleep(0.3)
            if what == "bot":
                players[one.seat].break_off()
            else:
                harm(site, what)
        until(lambda: ready(site), "the site does not recover")
        for player in players.values():
            player.pace = 0.0
        eventually(lambda: insist(site.client, "GET", path).body["ended_at"], "the match is stuck")
    match = insist(site.client, "GET", path).body
    (series,) = match["series"]
    assert (match["status"], match["played"]) == ("finished", 12)
    assert (series["crew"]["games"], series["against"]["games"], series["pairs"]["played"]) == (6, 6, 6)
    assert complaints(site.client, players, []) == []


def test_a_bot_that_answers_nothing_or_too_much_holds_nobody_up(site: Site) -> None:
    """Ten megabytes, twice, for another's game, too late, never: its own game goes on, and so do those of others."""
    hostile = registered(site.client, seconds=1)
    players = two_players(site.client)
    with at_play(*players.values()):
        others = begin(site.client, players, 4)
        with listening(hostile.client, f"{hostile.path}/decisions") as stream:
            own = begun(site.client, [hostile.seat] * 3, f"{hostile.name} begins a game")
            decision = next_decision(stream)
            with suppress(OSError):  # the service does not read on
                refused(hostile.post(f"{hostile.path}/answers", b" " * MEGABYTES * 2**20), "body_too_large")
            sent = {"id": decision["id"], "moves": [bare(decision["state"]["legal_moves"][0])]}
            foreign = {"id": f"{others[0].rpartition('/')[2]}.0", "moves": sent["moves"]}
            told = answered(hostile, sent, foreign, sent)
            assert told[0] in ("played", "late"), "the machine was busy, or it was in time"
            assert told[1:] == ["late", "already" if told[0] == "played" else "late"]
            missed = next_decision(stream)
            withdrawn = next(line for line in iter(lambda: lines(stream, 1)[0], None) if line["type"] == "withdrawn")
            assert withdrawn == {"type": "withdrawn", "id": missed["id"], "reason": "late"}
            after = int(missed["id"].rpartition(".")[2])
            eventually(lambda: insist(site.client, "GET", own).body["moves_played"] > after, "its own game is stuck")
            sent = {"id": missed["id"], "moves": [bare(missed["state"]["legal_moves"][0])]}
            assert answered(hostile, sent) == ["late"]
            assert any(line["type"] == "withdrawn" for line in lines(stream)), "it never answers, and is paused"
        assert site.client.get(hostile.path).body["paused"] == "misses"
        eventually(lambda: is_over(site.client, own), "its own game is stuck")
        end(site.client, players, others)
    assert complaints(site.client, players, others) == []
    assert all(outcome in MADE for player in players.values() for outcome in player.told.values()), "they were held up"


def next_decision(stream: object) -> Wire:
    return next(line for line in iter(lambda: lines(stream, 1)[0], None) if line["type"] == "decision")  # type: ignore[arg-type]


def answered(bot: Owner, *answers: Wire) -> list[str]:
    reply = bot.post(f"{bot.path}/answers", {"answers": answers})
    assert reply.status == 200, reply.body
    return [verdict["outcome"] for verdict in reply.body["answers"]]


@pytest.mark.soak
def test_the_same_is_so_on_a_cluster(tmp_path: Path) -> None:
    faults = (
        kill_a_master,
        lambda site: move_slots(site, KEY_BY_KEY, 2),
        lambda site: move_slots(site, AT_ONCE, 2),
        empty_the_queue,
    )
    with cluster_site(tmp_path, 3, 3, {"WAIT_REPLICAS": "1", "WAIT_MS": "3000"}) as site:
        players = two_players(site.api)
        with at_play(*players.values()):
            paths = begin(site.api, players, 50)
            for fault in faults:
                site.trouble(fault)
            end(site.api, players, paths)
        assert complaints(site.api, players, paths) == []
