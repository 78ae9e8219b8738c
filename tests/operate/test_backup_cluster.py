"""What leaves one Redis by `red-november export` goes into a cluster by `red-november import`, and out of it again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service import clock
from service.cli import main
from tests.operate.test_backup_bots import answer_one
from tests.outside.given import Owner, registered
from tests.support.cluster import Cluster, running_cluster
from tests.support.desk import Desk
from tests.support.matching import new_match
from tests.support.places import Place, lines
from tests.support.releases import FOLDER
from tests.support.serving import new_game


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster(2) as made:
        yield made
    clock.follow(None)


def test_games_and_matches_go_into_a_cluster_and_out_again(
    cluster: Cluster, here: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.take(FOLDER / "0.1.0.ndjson") == 0
    path, owner = new_match(here.desk.api)
    assert owner.patch(path, {"status": "paused"}).status == 200
    first, second = tmp_path / "first", tmp_path / "second"
    assert here.export(first) == 0
    monkeypatch.setenv("QUEUE_URL", here.url)
    url = ["--redis-url", cluster.url]
    assert main(["import", *url, str(first)]) == 0
    assert main(["export", *url, "--output", str(second)]) == 0
    capsys.readouterr()
    assert main(["import", *url, str(first)]) == 0
    assert f"0 imported, {len(lines(first)) - 2} were there already" in capsys.readouterr().out
    one, other = (sorted(map(str, lines(file)[1:])) for file in (first, second))
    assert len(one) > 20
    assert one == other


def test_a_wrong_address_is_told_before_anything_is_read_or_written(
    cluster: Cluster, here: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games whose names are of another number of partitions would be looked for in vain, and none of them exported."""
    new_game(here.desk.api)
    file = tmp_path / "file"
    assert here.export(file) == 0
    here.redis.set("partitions", 256)
    node = ["--redis-url", cluster.nodes[0].url]
    for command in (["export", "--redis-url", here.url], ["export", *node], ["import", *node, str(file)]):
        capsys.readouterr()
        assert main(command) == 1
        printed = capsys.readouterr()
        assert printed.err.startswith("red-november: REDIS_URL: ")
        assert (printed.err.count("\n"), printed.out) == (1, "")
    assert sum(node.ask("DBSIZE") for node in cluster.nodes) == 0
    here.redis.delete("partitions")


def test_a_bot_of_others_plays_on_in_a_cluster_and_then_in_a_single_redis_again(
    cluster: Cluster, here: Place, there: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUEUE_URL", here.url)
    bot, (first, second) = registered(here.desk.api), (tmp_path / "first", tmp_path / "second")
    game, token = new_game(here.desk.api, [bot.seat] * 3), bot.client.token or ""
    told = [answer_one(bot)]
    assert here.export(first) == 0
    assert main(["import", "--redis-url", cluster.url, str(first)]) == 0
    desk = Desk(cluster.url, here.url, bot_accounts="anybody")
    told.append(answer_one(Owner(desk.api.be(token), bot.name)))
    assert main(["export", "--redis-url", cluster.url, "--output", str(second)]) == 0
    desk.store.redis.close()
    assert there.take(second) == 0
    back = Owner(there.desk.api.be(token), bot.name)
    told.append(answer_one(back))
    assert told == [game.path.rpartition("/")[2]] * 3
    assert back.get(back.path).body["record"]["decisions"] == 3
