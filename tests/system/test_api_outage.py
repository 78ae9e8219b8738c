"""When Redis goes away: 503 to everything, and all is well again when it is back."""

import threading
import time
from contextlib import ExitStack
from pathlib import Path

from tests.support.answers import NDJSON, lines, listening, refused, scene
from tests.support.serving import PATIENCE, UNLIMITED, Client, Reply, new_game, running_redis, running_web

HATCH = {"type": "open_hatch", "to": 7}
WAIT = 20


def unavailable(reply: Reply) -> None:
    refused(reply, "unavailable")
    assert int(reply.headers["retry-after"]) > 0


def test_without_redis_all_is_unavailable_until_it_is_back(tmp_path: Path) -> None:
    """Those who wait hear of it, too; and waiting works again without a restart."""
    with ExitStack() as stack, ExitStack() as first_redis:
        url = first_redis.enter_context(running_redis(tmp_path))
        web = stack.enter_context(running_web(url, workers=1, **UNLIMITED))
        game = new_game(web, position=scene())
        waiting, heard = f"{game.path}?after={game.state['version']}&wait={WAIT}", []
        waiter = threading.Thread(target=lambda: heard.append(web.get(waiting)))
        waiter.start()
        with listening(web, f"{game.path}/events/stream") as stream:
            lines(stream, 1)
            first_redis.close()
            waiter.join(PATIENCE)
            unavailable(heard[0])
        for reply in (
            web.get("/v1/games"),
            web.post("/v1/games"),
            web.get(game.path),
            web.get(game.path, If_None_Match='"x"'),
            web.get(waiting),
            web.get(f"{game.path}/events/stream", Accept=NDJSON),
            game.players[0].play(game.path, HATCH, Idempotency_Key="once"),
            game.host.delete(game.path),
        ):
            unavailable(reply)
        stack.enter_context(running_redis(tmp_path))
        assert_waiting_works(web)


def assert_waiting_works(web: Client) -> None:
    game = new_game(web, position=scene())
    waiting, heard = f"{game.path}?after={game.state['version']}&wait={WAIT}", []
    waiter = threading.Thread(target=lambda: heard.append(web.get(waiting).body["version"]))
    waiter.start()
    time.sleep(0.3)
    moved = time.monotonic()
    assert game.players[0].play(game.path, HATCH).status == 200
    waiter.join()
    assert heard == [game.state["version"]]
    assert time.monotonic() - moved < WAIT / 2
