"""deploy/nginx-cells.conf before real cells: one address, games that stay where their id says, cells that go."""

import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.cli import main
from tests.deploy.test_deploy_nginx import WHOLE
from tests.support.answers import NDJSON, lines, listening, refused
from tests.support.desk import Desk
from tests.support.serving import (
    DEPLOY,
    PATIENCE,
    UNLIMITED,
    Client,
    Seated,
    free_port,
    new_game,
    running_redis,
    running_web,
)
from tests.support.tools import need

AT_ONCE = 5.0  # seconds, before the first sign of life; a buffer would keep an event until there are some kB of them
SOME = 20  # new games: that all of them meet one of two cells by chance happens once in a million times
MANY = 400  # see deploy/README.md
PLACES = {"a1": "10.0.1.10:8000", "b2": "10.0.2.10:8000"}  # in the file


class Cell:
    """An API and a Redis of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._redis, self._web = ExitStack(), ExitStack()
        self.redis_url = self._redis.enter_context(running_redis())
        self.api = self._web.enter_context(
            running_web(self.redis_url, workers=1, CELL=name, TRUSTED_PROXIES="1", **UNLIMITED)
        )

    def stop_api(self) -> None:
        self._web.close()

    def kill_redis(self) -> None:
        self._redis.close()

    def stop(self) -> None:
        self.stop_api()
        self.kill_redis()


class Router(Client):
    """nginx with our file, in which an operator replaces what it says of the cells."""

    def __init__(self, folder: Path, cells: dict[str, Cell]) -> None:
        nginx = need("nginx", "the router of cells", "`apt-get install nginx-light`")
        port = free_port()
        super().__init__(f"http://127.0.0.1:{port}")
        self._folder, self._generations = folder, itertools.count()
        self._here = {PLACES[name]: urlsplit(cell.api.base).netloc for name, cell in cells.items()}
        self._here |= {
            "listen 80;": f"listen 127.0.0.1:{port};",
            "listen 80 default_server;": f"listen 127.0.0.1:{port} default_server;",
            "server_name games.example.org;": "server_name 127.0.0.1;",
        }
        self._text = (DEPLOY / "nginx-cells.conf").read_text()
        self._write()
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, user=user))
        self.command: list[str | Path] = [nginx, "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"]
        self._process: subprocess.Popen[bytes] | None = None

    def _write(self) -> str:
        """A header tells which edition of the file is answering."""
        generation = str(next(self._generations))
        text = self._text.replace("server_name", f"add_header Generation {generation};\n    server_name", 1)
        for theirs, here in self._here.items():
            assert theirs in text
            text = text.replace(theirs, here)
        (self._folder / "site.conf").write_text(text)
        return generation

    def start(self) -> None:
        self._process = subprocess.Popen(self.command)
        self._wait_for("0")

    def stop(self) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(PATIENCE)

    def now_says(self, line: str, instead_of: str) -> None:
        """The file is edited, and nginx told."""
        assert self._text.count(instead_of) == 1
        self._text = self._text.replace(instead_of, line)
        generation = self._write()
        assert self._process
        self._process.send_signal(signal.SIGHUP)
        self._wait_for(generation)

    def _wait_for(self, generation: str) -> None:
        """Ten times in a row: the one before answers for a moment longer."""
        ends, found = time.monotonic() + PATIENCE, 0
        while found < 10:
            assert time.monotonic() < ends, (self._folder / "error.log").read_text()
            try:
                told = self.get("/v1/rules").headers.get("generation")
            except OSError:
                told = None
            found = found + 1 if told == generation else 0
            time.sleep(0.01)


@contextmanager
def router_before(folder: Path, *cells: Cell) -> Iterator[Router]:
    router = Router(folder, {cell.name: cell for cell in cells})
    router.start()
    try:
        yield router
    finally:
        router.stop()


@dataclass
class Site:
    """Two cells that stay, and two that are up when they are wanted: one to be drained, one to die."""

    cells: list[Cell]
    leaving: "Future[Cell]"
    mortal: "Future[Cell]"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    need("nginx", "the router of cells", "`apt-get install nginx-light`")
    with ThreadPoolExecutor() as pool:
        site = Site(list(pool.map(Cell, PLACES)), *(pool.submit(Cell, name) for name in PLACES))
        yield site
        list(pool.map(Cell.stop, [*site.cells, site.leaving.result(), site.mortal.result()]))


@pytest.fixture(scope="module")
def cells(site: Site) -> list[Cell]:
    return site.cells


@pytest.fixture
def router(cells: list[Cell], tmp_path: Path) -> Iterator[Router]:
    with router_before(tmp_path, *cells) as router:
        yield router


def cell_of(path: str) -> str:
    return path.rpartition("/")[2].partition("-")[0]


def created(router: Client, **headers: str) -> str:
    """The cell of a new game."""
    reply = router.post("/v1/games", **headers)
    assert reply.status == 201, reply.body
    return cell_of(reply.headers["location"])


def game_in(router: Client, cell: str) -> Seated:
    return next(game for _ in range(SOME) if cell_of((game := new_game(router)).path) == cell)


def listed(router: Client, cell: str = "") -> list[str]:
    return [game["id"] for game in router.get(f"{cell}/v1/games?status=playing").body["games"]]


def play(game: Seated) -> int:
    """A move by whoever must decide; answers with its version."""
    reply = game.decider().play(game.path, game.decider().get(game.path).body["legal_moves"][0])
    assert reply.status == 200, reply.body
    return int(reply.body["version"])


def test_nginx_takes_the_file_without_a_warning(cells: list[Cell], tmp_path: Path) -> None:
    command = Router(tmp_path, {cell.name: cell for cell in cells}).command
    told = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "[warn]" not in told.stderr


def test_the_file_has_room_for_the_cells_of_a_million_games(cells: list[Cell], tmp_path: Path) -> None:
    with router_before(tmp_path, *cells) as router:
        names = [f"c{number}" for number in range(MANY)]
        upstreams = "".join(f"upstream cell_{name} {{ server 127.0.0.1:1; keepalive 64; }}\n" for name in names)
        router.now_says(f"{upstreams}# Where each cell is:", instead_of="# Where each cell is:")
        lines = "".join(f"    {name} cell_{name};\n" for name in names)
        router.now_says(f"{lines}    a1 cell_a1;", instead_of="    a1 cell_a1;")
        refused(router.get(f"/v1/games/{names[-1]}-{'a' * 16}"), "unavailable")
        for name in PLACES:
            play(game_in(router, name))


def test_new_games_are_made_in_every_cell_and_played_through_the_one_address(router: Router, cells: list[Cell]) -> None:
    for cell in cells:
        game = game_in(router, cell.name)
        assert play(game) == game.state["version"]
        assert cell.api.get(game.path).status == 200
        (other,) = (each for each in cells if each is not cell)
        refused(other.api.get(game.path), "no_such_game")


def test_a_creation_that_is_sent_again_meets_the_same_cell(router: Router) -> None:
    for number in range(SOME):
        key = f"again-{number}-of-one-game"
        first, second = (router.post("/v1/games", {}, Idempotency_Key=key) for _ in range(2))
        assert first.body == second.body
    assert {created(router, Idempotency_Key=f"once-{number}-of-many-games") for number in range(SOME)} == set(PLACES)


def test_forks_stay_in_the_cell_of_their_game(router: Router) -> None:
    for name in PLACES:
        game = game_in(router, name)
        forks = [game.host.post(f"{game.path}/forks") for _ in range(SOME // 4)]
        assert {cell_of(fork.headers["location"]) for fork in forks} == {name}


def test_a_prefix_that_no_cell_has_is_no_game(router: Router) -> None:
    path = f"/v1/games/z9-{'a' * 16}"
    told = refused(router.get(path), "no_such_game")
    assert told["instance"] == path
    refused(router.play(path, {"type": "done"}), "no_such_game")


def test_games_from_before_there_were_cells_go_on(router: Router, cells: list[Cell]) -> None:
    game = new_game(Desk(cells[0].redis_url).api)
    assert "-" not in game.path
    assert play(
        Seated(game.path, router.be(str(game.host.token)), [router.be(str(each.token)) for each in game.players])
    )


def test_each_cell_lists_its_own_games(router: Router) -> None:
    made = {name: game_in(router, name).path.rpartition("/")[2] for name in PLACES}
    lists = [listed(router, f"/cells/{name}") for name in PLACES]
    for name, games in zip(PLACES, lists, strict=True):
        assert set(made.values()) & set(games) == {made[name]}
    assert router.post("/cells/a1/v1/games").status == 403


def test_whoever_reads_the_list_page_by_page_stays_in_one_cell(router: Router) -> None:
    for name in PLACES:
        game_in(router, name)
    pages = [listed(router) for _ in range(SOME // 2)]
    assert pages[0] in [listed(router, f"/cells/{name}") for name in PLACES]
    assert pages == pages[:1] * len(pages)


def test_what_is_each_cells_own_is_not_told_outside(router: Router) -> None:
    assert router.get("/metrics").status == router.get("/readyz").status == 404


def test_a_stream_passes_the_router_at_once(router: Router) -> None:
    game = game_in(router, "b2")
    with listening(router, f"{game.path}/events/stream", NDJSON) as stream:
        lines(stream, 1)
        moved = time.monotonic()
        play(game)
        assert len(lines(stream, 1)) == 1
        assert time.monotonic() - moved < AT_ONCE


def test_a_stream_of_many_games_is_that_of_one_cell(router: Router) -> None:
    there, elsewhere = [game_in(router, "b2") for _ in range(2)], game_in(router, "a1")
    ids = [game.path.rpartition("/")[2] for game in (*there, elsewhere)]
    path = "/cells/b2/v1/streams"
    with listening(router, path, NDJSON, {"games": [{"game_id": each} for each in ids[:2]]}) as stream:
        assert [line["game_id"] for line in lines(stream, 2)] == ids[:2]
        play(there[1])
        assert lines(stream, 1)[0]["game_id"] == ids[1]
    reply = router.post(path, {"games": [{"game_id": each} for each in ids]})
    refused(reply, "no_such_game", "/games/2/game_id")
    assert router.get(path).status == 403


def test_when_a_cell_dies_the_games_of_the_others_go_on_and_new_ones_are_made(site: Site, tmp_path: Path) -> None:
    living, mortal = site.cells[0], site.mortal.result()
    with router_before(tmp_path, living, mortal) as router:
        ours, theirs = game_in(router, "a1"), game_in(router, "b2")
        with listening(router, f"{ours.path}/events/stream", NDJSON) as stream:
            lines(stream, 1)
            mortal.kill_redis()
            refused(theirs.host.get(theirs.path), "unavailable")
            mortal.stop_api()
            told = refused(theirs.host.get(theirs.path), "unavailable")
            assert told["instance"] == theirs.path
            play(ours)
            assert len(lines(stream, 1)) == 1
        assert {created(router) for _ in range(SOME)} == {"a1"}
        keys = [f"after-{number}-deaths-of-a-cell" for number in range(SOME)]
        assert {created(router, Idempotency_Key=key) for key in keys} == {"a1"}


def test_a_cell_is_drained_and_its_games_go_on_in_its_heir_under_the_same_ids_and_tokens(
    site: Site, tmp_path: Path
) -> None:
    heir, leaving = site.cells[1], site.leaving.result()
    with router_before(tmp_path, leaving, heir) as router:
        game = game_in(router, "a1")
        play(game)

        router.now_says("server 10.0.1.10:8000 down;", instead_of="server 10.0.1.10:8000 weight=1;")
        assert {created(router) for _ in range(SOME)} == {"b2"}
        before = play(game)
        events = game.host.get(f"{game.path}/events?limit=1000").body["events"]

        with listening(router, f"{game.path}/events/stream", NDJSON) as stream:
            lines(stream, 1)
            leaving.stop_api()  # from here on nobody changes its games
            (farewell,) = lines(stream, 1)
            assert farewell == {"type": "reconnect", "after": events[-1]["seq"]}
        refused(game.host.get(game.path), "unavailable")

        file = str(tmp_path / "games.ndjson")
        assert main(["export", "--redis-url", leaving.redis_url, "--output", file]) == 0
        assert main(["import", "--redis-url", heir.redis_url, file]) == 0
        leaving.kill_redis()
        router.now_says("a1 cell_b2;", instead_of="a1 cell_a1;")

        assert game.state["version"] == before
        assert game.host.get(f"{game.path}/events?limit=1000").body["events"] == events
        with listening(router, f"{game.path}/events/stream?after={farewell['after']}", NDJSON) as stream:
            lines(stream, 1)
            assert play(game) > before
            assert lines(stream, 1)[0]["seq"] == farewell["after"] + 1
        assert game.players[0].get(game.path).status == 200
