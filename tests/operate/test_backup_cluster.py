"""What leaves one Redis by `red-november export` goes into a cluster by `red-november import`, and out of it again."""

from pathlib import Path

import pytest

from service import clock
from service.cli import main
from tests.support.cluster import running_cluster
from tests.support.matching import new_match
from tests.support.places import Place, lines
from tests.support.releases import FOLDER


def test_games_and_matches_go_into_a_cluster_and_out_again(
    here: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.take(FOLDER / "0.1.0.ndjson") == 0
    path, owner = new_match(here.desk.api)
    assert owner.patch(path, {"status": "paused"}).status == 200
    first, second = tmp_path / "first", tmp_path / "second"
    assert here.export(first) == 0
    with running_cluster(2) as cluster:
        monkeypatch.setenv("QUEUE_URL", here.url)
        url = ["--redis-url", cluster.url]
        assert main(["import", *url, str(first)]) == 0
        assert main(["export", *url, "--output", str(second)]) == 0
        capsys.readouterr()
        assert main(["import", *url, str(first)]) == 0
        clock.follow(None)
    assert f"0 imported, {len(lines(first)) - 2} were there already" in capsys.readouterr().out
    one, other = (sorted(map(str, lines(file)[1:])) for file in (first, second))
    assert len(one) > 20
    assert one == other
