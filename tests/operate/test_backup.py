"""`red-november export` and `import`: games leave one Redis and go on in another."""

import io
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from service.cli import main
from service.config import Config
from service.operate.backup import FORMAT, VERSION
from service.store import layouts
from service.store.store import STATUSES
from service.workers import jobs
from tests.support.answers import finished
from tests.support.places import Place, lines, rewritten
from tests.support.releases import FOLDER
from tests.support.serving import Seated, Wire, as_user, new_game

KINDS = sorted(FOLDER.glob("*.ndjson"))[-1]  # a file with games of every kind


def id_of(game: Seated) -> str:
    return game.path.rpartition("/")[2]


def score(place: Place, key: str, member: str) -> float:
    """Return the score of a member, which is there."""
    found = place.redis.zscore(key, member)
    assert found is not None
    return found


def test_what_is_exported_imported_and_exported_again_is_the_same(here: Place, there: Place, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert here.take(KINDS) == 0
    assert here.export(first) == 0
    assert there.take(first) == 0
    assert there.export(second) == 0
    one, other, stored = (sorted(file.read_bytes().splitlines()[1:]) for file in (first, second, KINDS))
    assert len(one) > 12
    assert one == other == stored


def test_an_imported_game_is_there_as_if_it_had_changed_just_now(here: Place, there: Place, tmp_path: Path) -> None:
    bots = new_game(here.desk.api, seats=["sailor"] * 3, client_data={"theme": "storm"})
    timed = new_game(here.desk.api, turn_seconds=3600)
    over = finished(here.desk.api)
    hidden = here.desk.api.post("/v1/games", {"seats": ["sailor"] * 3, "visibility": "private"}).body["game"]["id"]
    for ids in here.redis.keys("game:*"):
        here.redis.expire(ids, 60)
    here.export(tmp_path / "file")
    there.take(tmp_path / "file")
    for game in (bots, timed, over):
        alike = [place.redis.zscore(f"games:{game.state['status']}", id_of(game)) for place in (here, there)]
        assert alike[0] == alike[1] is not None
    for kind, keep in (("game", Config.idle_seconds), ("events", Config.idle_seconds)):
        assert keep - 5 < there.redis.ttl(f"{kind}:{id_of(bots)}") <= keep
    assert there.redis.ttl(f"game:{id_of(over)}") > Config.idle_seconds
    assert time.time() < score(there, "due", id_of(bots)) < time.time() + 5
    assert there.redis.zscore("due", id_of(timed)) == here.redis.zscore("due", id_of(timed))
    assert there.redis.zscore("due", id_of(over)) is None
    assert there.redis.zscore("games:waiting", hidden) is None
    assert there.desk.api.get(bots.path).body["client_data"] == {"theme": "storm"}
    assert score(there, "alive:waiting", hidden) > time.time() + Config.waiting_seconds - 5


def test_a_public_game_that_was_in_no_list_is_in_none_again(here: Place, there: Place, tmp_path: Path) -> None:
    game = new_game(here.desk.api)
    here.redis.zrem("games:playing", id_of(game))
    here.export(tmp_path / "file")
    there.take(tmp_path / "file")
    assert there.desk.api.get("/v1/games?status=playing").body["games"] == []
    assert there.desk.api.get(game.path).status == 200


def test_a_deadline_that_passed_meanwhile_is_due(here: Place, there: Place, tmp_path: Path) -> None:
    game = new_game(here.desk.api, turn_seconds=3600)
    here.export(tmp_path / "file")
    changed = lines(tmp_path / "file")
    changed[1]["fields"]["about"]["clock"] |= {"deadline": time.time() - 9999, "remind": None}
    there.take(rewritten(tmp_path / "old", changed))
    assert score(there, "due", id_of(game)) < time.time()
    assert there.redis.ttl(f"game:{id_of(game)}") > Config.idle_seconds - 5


@pytest.fixture
def busy(here: Place) -> Iterator[list[Seated]]:
    """Games that go on all the time, by the hands of a worker."""
    games = [new_game(here.desk.api, seats=["sailor"] * 3) for _ in range(8)]
    calm = threading.Event()

    def work() -> None:
        while not calm.is_set():
            for game in games:
                jobs.play_on(here.desk.store, id_of(game), 0.01)

    worker = threading.Thread(target=work)
    worker.start()
    yield games
    calm.set()
    worker.join()


def test_games_are_exported_whole_while_they_are_played(
    here: Place, there: Place, busy: list[Seated], tmp_path: Path
) -> None:
    """Each is as it was at one version: as many events as it says, and moves that come to its record."""
    progress = set()
    for number in range(15):
        file = tmp_path / f"{number}"
        assert here.export(file) == 0
        there.redis.flushdb()
        assert there.take(file) == 0
        *_, end = told = lines(file)
        assert end == {"end": len(busy)}
        progress |= {(game["id"], game["fields"]["version"]) for game in told[1:-1]}
        for game in busy:
            table = there.desk.table(game.path)
            assert len(there.desk.history(game.path)) == table.seq
    assert len(progress) > len(busy), "nobody played meanwhile"


def test_games_that_are_there_already_are_left_alone(
    here: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, gone = new_game(here.desk.api), new_game(here.desk.api)
    here.export(tmp_path / "file")
    game.decider().play(game.path, game.decider().get(game.path).body["legal_moves"][0])
    gone.host.delete(gone.path)
    before = here.game(id_of(game))
    capsys.readouterr()
    assert here.take(tmp_path / "file") == 0
    assert capsys.readouterr().out == "1 imported, 1 were there already\n"
    assert here.game(id_of(game)) == before
    assert here.desk.api.get(gone.path).status == 200
    assert here.take(tmp_path / "file") == 0
    assert capsys.readouterr().out == "0 imported, 2 were there already\n"


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (lambda text: text[: text.rindex(b'{"end"')], "the file is cut short after line 3: what was read is imported"),
        (lambda text: text[: text.rindex(b'{"end"') - 200], "line 3: is cut short, or was never JSON"),
        (lambda text: text.replace(b'{"end":2}', b'{"end":3}'), "line 4: there should be 3 before it, and there are 2"),
        (lambda text: text + b"{}\n", "line 5: goes on after the end"),
    ],
)
def test_a_file_that_was_cut_short_is_noticed_and_what_was_read_stays(
    here: Place,
    there: Place,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    cut: Callable[[bytes], bytes],
    words: str,
) -> None:
    for _ in range(2):
        new_game(here.desk.api)
    here.export(tmp_path / "file")
    (tmp_path / "cut").write_bytes(cut((tmp_path / "file").read_bytes()))
    capsys.readouterr()
    assert there.take(tmp_path / "cut") == 1
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1
    imported = int(printed.out.split()[0])
    assert imported == len(there.redis.keys("game:*")) > 0
    assert there.take(tmp_path / "file") == 0
    assert len(there.redis.keys("game:*")) == 2


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (
            {"layout": layouts.LAYOUT + 1, "release": "9.9.9"},
            f"line 1: release 9.9.9 wrote it, in layout {layouts.LAYOUT + 1}",
        ),
        ({"format": "chess"}, "line 1: this is no file that `red-november export` wrote"),
        ({"format": FORMAT}, "line 1: this is no file"),
        (
            {"format": FORMAT, "version": VERSION + 1, "release": "9.9.9"},
            f"line 1: release 9.9.9 wrote it, in format {VERSION + 1}: this one knows {VERSION}",
        ),
        ({"layout": "1"}, "line 1: this is no file"),
    ],
)
def test_a_file_of_a_later_release_or_none_of_ours_is_refused(
    there: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str], head: Wire, words: str
) -> None:
    first, *rest = lines(KINDS)
    assert there.take(rewritten(tmp_path / "file", [first | head, *rest])) == 1
    assert words in capsys.readouterr().err
    assert not there.redis.keys()


def field(name: str, value: Any) -> Callable[[Wire], object]:
    return lambda game: game["fields"].__setitem__(name, value)


def inside(name: str, key: str, value: Any) -> Callable[[Wire], object]:
    return lambda game: game["fields"][name].__setitem__(key, value)


def seat_1(**who: str) -> Callable[[Wire], object]:
    return lambda game: game["fields"]["about"]["seats"][1].update(who)


def event(number: int, **what: Any) -> Callable[[Wire], object]:
    return lambda game: game["events"][number].update(what)


DAMAGE: list[tuple[Callable[[Wire], object], str]] = [
    (lambda game: game.__setitem__("id", "../../etc/passwd"), "has an id that is none of ours"),
    (lambda game: game.pop("odds"), "must have id, fields, events, odds, listed"),
    (lambda game: game.__setitem__("events", {}), "events: is no list"),
    (lambda game: game.__setitem__("listed", "first"), "listed: is no number"),
    (lambda game: game["fields"].pop("card"), "fields: card is missing"),
    (lambda game: game["events"].pop(), "has 5 events, and should have 6"),
    (lambda game: game["events"][2].__setitem__("seq", 9), "events: the one numbered 3 is not there"),
    (lambda game: game["events"][2].__setitem__("version", 99), "events: number 3 is of another version than it can"),
    (field("layout", layouts.LAYOUT + 1), f"was stored by a later release, in layout {layouts.LAYOUT + 1}"),
    (field("layout", "new"), "lacks what a game has: layout is no number"),
    (field("commit", "00"), "fields: commit is not for a backup"),
    (field("layout", 0), "lacks what a game has: layout is no number"),
    (field("seq", 6.5), "lacks what a game has: seq is no number"),
    (field("record", "!"), "lacks what a game has: record is no base64"),
    (field("record", "UmVkTgE="), "holds what the engine refuses"),
    (inside("about", "status", "finished"), "can't be finished"),
    (inside("about", "private", True), "is private, and is not"),
    (inside("about", "seats", []), "has 0 seats for 3 gnomes"),
    (inside("rights", "tokens", {"ab": "host"}), "rights: a token is of nobody"),
    (inside("rights", "tokens", {"ab" * 32: "p9"}), "rights: a token is of nobody"),
    (inside("secret", "seed", "00" * 32), "has another seed than it promised"),
    (seat_1(kind="bot", bot="shark"), "has a bot that this release has not: shark"),
    (seat_1(player="p9"), "has somebody on seat 1 who is no player"),
    (lambda game: game["fields"]["about"].pop("turn_seconds"), "missing required field `turn_seconds`"),
    (inside("about", "weather", "calm"), "contains unknown field `weather`"),
    (inside("secret", "joined", "3"), "Expected `int`, got `str` - at `$.joined`"),
    (inside("seen", "p1", 1e99), "has a time that can't be: 1e+99"),
    (field("card", 5), "Expected `object`, got `int`"),
    (event(3, type="player_away", seat=7), "events: number 4 is of a seat that is not there"),
    (event(3, type="player_away", seat="0"), "Expected `int`, got `str` - at `$.seat`"),
    (event(3, at=None), "Expected `str`, got `null` - at `$.at`"),
    (lambda game: game["fields"]["about"].__setitem__("clock", None), "Expected `object`, got `null` - at `$.clock`"),
]  # fmt: skip


@pytest.mark.parametrize(("harm", "words"), DAMAGE, ids=[words for _, words in DAMAGE])
def test_a_damaged_game_is_refused_with_line_and_reason_and_the_others_come(
    here: Place,
    there: Place,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    harm: Callable[[Wire], object],
    words: str,
) -> None:
    game = new_game(here.desk.api)
    here.export(tmp_path / "file")
    head, bad, end = lines(tmp_path / "file")
    good = next(line for line in lines(KINDS)[1:-1])
    harm(bad)
    capsys.readouterr()
    assert there.take(rewritten(tmp_path / "bad", [head, bad, good, {"end": 2}])) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("red-november: line 2: ")
    assert words in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == "1 imported, 0 were there already, 1 refused\n"
    assert there.redis.keys("game:*") == [f"game:{good['id']}".encode()]
    assert not there.redis.keys(f"*{id_of(game)}*")
    assert end == {"end": 1}


def test_a_game_that_cant_be_read_is_left_out_and_told(
    here: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, torn, late = (new_game(here.desk.api) for _ in range(3))
    here.redis.set("game:of-chess", "none of ours")
    here.redis.rpop(f"events:{id_of(torn)}")
    here.redis.hset(f"game:{id_of(late)}", layouts.FIELD, layouts.LAYOUT + 1)
    assert here.export(tmp_path / "file") == 1
    told = capsys.readouterr().err
    assert f"game {id_of(torn)} has 5 events, and should have 6" in told
    assert f"game {id_of(late)} was stored by a later release" in told
    assert "1 games and 0 matches exported, 2 left out" in told
    assert [line.get("id") for line in lines(tmp_path / "file")] == [None, id_of(good), None]


def test_some_games_can_be_chosen(here: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    playing, waiting, over = new_game(here.desk.api), new_game(here.desk.api, start=False), finished(here.desk.api)
    file = tmp_path / "file"

    def chosen(*options: str) -> set[str]:
        here.export(file, *options)
        return {line["id"] for line in lines(file)[1:-1]}

    for status, game in zip(STATUSES, (waiting, playing, over)):
        assert chosen("--status", status) == {id_of(game)}
    assert chosen(id_of(over), id_of(playing)) == {id_of(over), id_of(playing)}
    assert chosen() == {id_of(over), id_of(playing), id_of(waiting)}
    capsys.readouterr()
    over.host.delete(over.path)
    assert here.export(file, id_of(over), id_of(playing)) == 1
    assert f"game {id_of(over)} is not there" in capsys.readouterr().err
    assert len(lines(file)) == 3
    assert here.export(file, "no-id!") == 2


def test_only_its_owner_may_read_the_file_and_an_earlier_one_is_kept_until_this_one_is_whole(
    here: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("the last backup")
    file.chmod(0o644)
    new_game(here.desk.api)

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("service.operate.kept.Kept.line", full)
        assert here.export(file) == 1
    assert file.read_text() == "the last backup"
    assert here.export(file) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_device_is_written_to_and_not_replaced(here: Place) -> None:
    assert here.export(Path("/dev/null")) == 0
    assert Path("/dev/null").is_char_device()


def test_a_pipe_takes_games_from_one_redis_to_another(
    here: Place, there: Place, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(here.desk.api)
    assert main(["export", "--redis-url", here.url]) == 0
    exported = capsysbinary.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(exported)))
    assert main(["import", "-", "--redis-url", there.url]) == 0
    assert there.desk.api.get(game.path).status == 200


@pytest.mark.parametrize("command", [["export"], ["import", str(KINDS)]], ids=["export", "import"])
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://:hunter2@127.0.0.1:1/0", "Connection refused"),
        ("redis://user:hunter2/x@127.0.0.1:1/0", "can't be read"),
        ("http://:hunter2@127.0.0.1", "can't be read"),
    ],
)
def test_a_redis_that_cant_be_reached_is_told_in_a_line_without_its_password(
    capsys: pytest.CaptureFixture[str], command: list[str], url: str, words: str
) -> None:
    assert main([*command, "--redis-url", url]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert "hunter2" not in told
    assert told.startswith("red-november: ")
    assert told.count("\n") == 1


def test_who_may_not_list_games_is_told_who_may(
    here: Place, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = new_game(here.desk.api)
    url = as_user(here.url, "api")
    assert main(["export", "--redis-url", url]) == 1
    assert "admin.env" in capsys.readouterr().err
    assert main(["export", "--redis-url", url, "--output", str(tmp_path / "file"), id_of(game)]) == 0


def test_a_file_that_is_not_there_is_told(there: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert there.take(tmp_path / "nowhere") == 1
    assert "No such file" in capsys.readouterr().err
