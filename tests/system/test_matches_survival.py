"""Whatever dies, a match goes on and comes to the same: real processes, killed without warning."""

import random
import time
from pathlib import Path

import pytest

from tests.support.matching import local, new_match, timeless
from tests.support.serving import PATIENCE
from tests.system.test_survival import harm, insist, running_site, until

pytestmark = pytest.mark.thorough
GAMES = 160
HARM = ("horse", "worker 1", "flush", "redis", "web")


def test_a_match_survives_the_death_of_workers_redis_and_the_api(tmp_path: Path) -> None:
    """Sailors that are asked for their moves take a hundred times as long, and play the same."""
    with running_site(tmp_path) as site:
        path, _ = new_match(site.client, games=GAMES, gnomes=[3, 4], keep_replays="all")
        chance = random.Random(7)
        patience = time.monotonic() + PATIENCE
        for what in HARM:
            time.sleep(chance.uniform(0.3, 0.8))
            harm(site, what)
        until(lambda: insist(lambda: site.client.get(path), patience).body["ended_at"], "the match does not end", 60)
        match = insist(lambda: site.client.get(path), patience).body
        assert match["status"] == "finished", match["error"]
        assert match["played"] == match["total"] == 2 * GAMES
        assert timeless(match["series"]) == [local(gnomes, games=GAMES) for gnomes in (3, 4)]
        games = insist(lambda: site.client.get(f"{path}/games?limit=1000"), patience).body["games"]
        assert [game["number"] for game in games] == [*range(GAMES), *range(GAMES)]
