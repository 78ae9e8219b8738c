"""What players show each other: a plan, or something that they point at. Streams tell it, and nothing keeps it."""

import json
from typing import Any

import pytest

from service.config import Limit
from service.games import signals
from tests.support.answers import LAST_MOVE, NO_ACTION, SSE, lines, listening, messages, refused, scene
from tests.support.contract import check
from tests.support.desk import Desk, HeldClock
from tests.support.helpers import Wire
from tests.support.matching import id_of
from tests.support.playing import bare
from tests.support.serving import Client, Reply, Seated, new_game

FIX = {"type": "fix_engine", "minutes": 4}
GROG = {"type": "use_item", "item": "grog"}
SECRETIVE = scene({"room": 1, "items": {"grog": 1, "coffee": 1}}, {"room": 4}, rules={"hidden_hands": True})
THERE = {"points_at": {"type": "room", "room": 5}, "says": "go_there"}


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


@pytest.fixture
def game(desk: Desk) -> Seated:
    return new_game(desk.api, position=SECRETIVE)


def show(game: Seated, body: Any, seat: int = 0, who: Client | None = None) -> Reply:
    path = f"{game.path}/seats/{seat}/signal"
    reply = (who or game.players[seat]).put(path, body)
    check("put", path, reply, body)
    return reply


def shown(game: Seated, query: str = "", who: Client | None = None) -> list[Wire]:
    path = f"{game.path}/signals{query}"
    reply = (who or game.host).get(path)
    check("get", path, reply)
    return list(reply.body["signals"])


def test_a_plan_is_told_as_it_was_sent_with_what_it_costs_and_its_chance(
    game: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    HeldClock(monkeypatch)
    version = game.state["version"]
    signal = show(game, {"moves": [GROG, FIX], "version": version}).body
    assert [bare(move) for move in signal["moves"]] == [GROG, FIX]
    assert [(move["cost"], move.get("chance")) for move in signal["moves"]] == [(0, None), (4, 0.7)]
    assert (signal["type"], signal["seat"], signal["version"], signal["seconds"]) == ("signal", 0, version, 60)
    assert shown(game) == [signal]
    assert game.state["version"] == version


def test_of_a_hidden_hand_it_shows_what_is_played_and_nothing_else(desk: Desk, game: Seated) -> None:
    show(game, {"moves": [GROG, FIX], "says": "have_one"})
    for who in (game.players[1], game.host, desk.api):
        (told,) = shown(game, "?lang=en", who)
        assert "coffee" not in json.dumps(told).lower()
        assert told["text"].startswith("Gnome (gnome 1) would do this: Drink a grog; Fix the engine, 4 minutes, 70")
    show(game, {"points_at": {"type": "item", "item": "harpoon"}})  # which nobody need hold


def test_a_seat_shows_one_thing_at_a_time_until_its_time_is_up_or_it_is_taken_back(
    game: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HeldClock(monkeypatch)
    show(game, {"moves": [FIX]})
    show(game, THERE)
    show(game, {"says": "thanks"}, seat=1)
    assert [(each["seat"], each["moves"], each["says"]) for each in shown(game)] == [
        (0, None, "go_there"), (1, None, "thanks"),
    ]  # fmt: skip
    clock.move(signals.POINT_SECONDS - 1)
    assert [each["seconds"] for each in shown(game)] == [1, 1]
    assert game.players[1].delete(f"{game.path}/seats/1/signal").status == 204
    assert [each["seat"] for each in shown(game)] == [0]
    clock.move(1)
    assert shown(game) == []


def test_nothing_of_it_is_kept(desk: Desk, game: Seated) -> None:
    before = desk.history(game.path), game.state["version"]
    show(game, THERE)
    key = desk.store.names.signals(id_of(game.path))
    assert 0 < desk.store.redis.ttl(key) <= 2 * signals.PLAN_SECONDS
    assert (desk.history(game.path), game.state["version"]) == before
    assert game.host.delete(game.path).status == 204
    assert not desk.store.redis.exists(key)


@pytest.mark.parametrize(
    "target",
    [
        {"type": "room", "room": "sea"}, {"type": "gnome", "seat": 2}, {"type": "item", "item": "coffee"},
        {"type": "hatch", "hatch": "2-5"}, {"type": "track", "track": "heat"},
    ],
)  # fmt: skip
def test_whatever_is_on_the_board_can_be_pointed_at_and_is_told_in_words(game: Seated, target: Wire) -> None:
    assert show(game, {"points_at": target}, seat=2).body["points_at"] == target
    texts = {shown(game, f"?lang={lang}")[0]["text"] for lang in ("en", "de", "ru")}
    assert len(texts) == 3


@pytest.mark.parametrize(
    ("body", "code", "pointers"),
    [
        ({}, "invalid", ("",)),
        ({"says": "you fool"}, "invalid", ("/says",)),
        ({"text": "hello"}, "invalid", ("/text",)),
        ({"points_at": {"type": "room"}}, "invalid", ("/points_at/room",)),
        ({"points_at": {"type": "room", "room": 11}}, "invalid", ("/points_at/room",)),
        ({"points_at": {"type": "room", "room": True}}, "invalid", ("/points_at/room",)),
        ({"points_at": {"type": "room", "room": 5, "seat": 1}}, "invalid", ("/points_at/seat",)),
        ({"points_at": {"type": "gnome", "seat": 3}}, "invalid", ("/points_at/seat",)),
        ({"points_at": {"type": "hatch", "hatch": "1-10"}}, "invalid", ("/points_at/hatch",)),
        ({"says": "thanks", "version": 3}, "invalid", ("/version",)),
        ({"moves": []}, "invalid", ("/moves",)),
        ({"moves": [FIX] * 65}, "invalid", ("/moves",)),
        ({"moves": [{"type": "use_item", "item": "harpoon"}]}, "illegal_move", ("/moves/0/item",)),
        ({"moves": [FIX, NO_ACTION]}, "illegal_move", ("/moves/1",)),
        ({"moves": [FIX], "version": 1}, "version_conflict", ("/version",)),
        ({"moves": [FIX | {"text": "x" * 400} for _ in range(24)]}, "body_too_large", ()),
    ],
)
def test_what_cant_be_shown_is_refused_and_shows_nothing(
    game: Seated, body: Wire, code: str, pointers: tuple[str, ...]
) -> None:
    refused(show(game, body), code, *pointers)
    assert shown(game) == []


def test_only_the_player_of_a_seat_shows_for_it_and_a_plan_only_while_it_must_decide(desk: Desk, game: Seated) -> None:
    path = f"{game.path}/seats/0/signal"
    refused(show(game, THERE, who=game.players[1]), "forbidden")
    refused(show(game, THERE, who=game.host), "forbidden")
    refused(show(game, THERE, who=desk.api), "no_token")
    refused(show(game, THERE, who=desk.api.be("rn_" + "x" * 43)), "bad_token")
    refused(game.players[0].put(f"{game.path}/seats/9/signal", THERE), "not_found")
    refused(game.players[1].delete(path), "forbidden")
    refused(show(game, {"moves": [NO_ACTION]}, seat=1), "not_your_turn")
    game.host.put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "sailor"})
    refused(show(game, {"moves": [FIX]}), "bot_plays")
    assert shown(game) == []
    waiting = new_game(desk.api, start=False)
    refused(show(waiting, {"moves": [FIX]}), "not_started")
    assert show(waiting, {"says": "cheers"}).status == 200
    over = new_game(desk.api, position=LAST_MOVE)
    over.players[0].play(over.path, NO_ACTION)
    refused(show(over, {"moves": [NO_ACTION]}), "game_over")
    assert show(over, {"says": "well_done"}).status == 200


def test_a_private_game_tells_nothing_to_others(desk: Desk) -> None:
    wanted = {"seats": ["open"] * 3, "players": 1, "visibility": "private", "join": {"name": "Ada"}, "start": True}
    created = desk.api.post("/v1/games", wanted).body
    path, ada = f"/v1/games/{created['game']['id']}", desk.api.be(created["player_token"])
    assert ada.put(f"{path}/seats/2/signal", THERE).status == 200
    refused(desk.api.get(f"{path}/signals"), "no_such_game")
    assert len(ada.get(f"{path}/signals").body["signals"]) == 1


def test_a_player_shows_so_many_things_in_a_minute(redis_url: str) -> None:
    desk = Desk(redis_url, limits={"signal": Limit(3, 60)})
    game = new_game(desk.api)
    for _ in range(3):
        assert show(game, THERE).status == 200
    assert refused(show(game, THERE), "too_many_requests")["violated-policies"] == ["signal"]
    assert show(game, THERE, seat=1).status == 200


def test_streams_tell_it_to_whoever_asks_for_all_kinds(api: Client) -> None:
    game = new_game(api, position=SECRETIVE)
    show(game, {"says": "what_now"}, seat=1)
    one = f"{game.path}/events/stream?lang=de&kinds=all"
    both = {"games": [{"game_id": id_of(game.path)}]}
    with (
        listening(api, one) as stream,
        listening(api, one, SSE) as sse,
        listening(api, "/v1/streams?kinds=all", body=both) as together,
        listening(api, f"{game.path}/events/stream") as as_ever,
    ):
        for told in (lines(stream, 2)[1], messages(sse, 2)[1][1], lines(together, 2)[1]["line"]):
            assert (told["type"], told["says"]) == ("signal", "what_now")
        lines(as_ever, 1)
        plan = show(game, {"moves": [GROG, FIX]}).body
        (told,) = lines(stream, 1)
        assert told == plan | {"text": told["text"], "seconds": told["seconds"]}
        assert messages(sse, 1)[0][0] is None
        (line,) = lines(together, 1)
        assert line["line"]["moves"] == plan["moves"]
        assert line["seq"] == game.state["seq"]
        game.players[0].delete(f"{game.path}/seats/0/signal")
        (told,) = lines(stream, 1)
        assert (told["seat"], told["moves"], told["seconds"]) == (0, None, 0)
        assert told["text"].startswith("Gnome")
        game.players[0].play(game.path, GROG)
        assert lines(as_ever, 1)[0]["type"] == "choice"
        assert lines(stream, 1)[0]["type"] == "choice"


def test_whoever_has_no_stream_waits_for_it(api: Client) -> None:
    game = new_game(api)
    tag = game.host.get(f"{game.path}/signals").headers["etag"]
    assert game.host.get(f"{game.path}/signals?wait=0", If_None_Match=tag).status == 304
    show(game, THERE)
    with listening(api, f"{game.path}/signals?wait=30", "application/json", If_None_Match=tag) as answer:
        assert json.loads(answer.read())["signals"][0]["says"] == "go_there"
