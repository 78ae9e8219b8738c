"""What a bot's token reads besides decisions: its games, by polls and streams; and where its name is told."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.outside.given import registered
from tests.support.answers import refused
from tests.support.desk import Desk
from tests.support.serving import new_game
from tests.support.trips import Trips

Wire = dict[str, Any]
HIDDEN = {"hidden_hands": True}


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url, bot_accounts="anybody")


@contextmanager
def heard(desk: Desk, *games: Wire) -> Iterator[Iterator[Wire]]:
    """What is told of games together, without what only says that the connection lives."""
    assert desk.api.app is not None
    reply = desk.api.app.test_client().post("/v1/streams", json={"games": games})
    assert reply.status_code == 200, reply.get_data()
    rows = (row for part in reply.iter_encoded() for row in part.splitlines() if row.strip())
    yield (json.loads(row) for row in rows)
    reply.close()


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def test_a_game_is_read_in_one_round_trip_with_whose_token_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    etag = bot.get(game.path).headers["etag"]
    trips = Trips(desk, monkeypatch)
    for asked, headers in (("", {}), ("", {"If_None_Match": etag}), ("/legal-moves", {}), ("/replay", {})):
        trips.made.clear()
        assert bot.get(game.path + asked, **headers).status in (200, 304, 409)
        assert len(trips.made) <= 2 - (asked != "/replay"), asked


def test_many_games_are_heard_with_a_bots_token_in_one_of_them(desk: Desk) -> None:
    bot, other = registered(desk.api), registered(desk.api)
    hidden = new_game(desk.api, [bot.seat, "sailor", other.seat], visibility="private", rules=HIDDEN)
    public = new_game(desk.api, 3)
    told = {"game_id": id_of(hidden.path), "token": bot.client.token}, {"game_id": id_of(public.path)}
    with heard(desk, *told) as lines:
        first = next(lines)
        assert first["line"]["state"]["you"] == {"host": False, "player_id": None, "seats": [0]}
        hands = [gnome["items"] for gnome in first["line"]["state"]["gnomes"]]
        assert [hand is None for hand in hands] == [False, True, True]
        assert next(lines)["game_id"] == id_of(public.path)
    for wrong in (f"{other.client.token}x", "rn_nobody-knows.x", "rn_" + bot.name):
        reply = desk.api.post("/v1/streams", {"games": [{"game_id": id_of(hidden.path), "token": wrong}]})
        refused(reply, "no_such_game", "/games/0/game_id")
    elsewhere = desk.api.post("/v1/streams", {"games": [{"game_id": id_of(public.path), "token": bot.client.token}]})
    refused(elsewhere, "bad_token", "/games/0/token")


@pytest.mark.parametrize("ending", ["renewed", "deleted"])
def test_a_token_that_is_the_bots_no_more_hears_nothing_more(desk: Desk, ending: str) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat, "sailor", "sailor"], start=False)
    with heard(desk, {"game_id": id_of(game.path), "token": bot.client.token}) as lines:
        assert next(lines)["line"]["type"] == "state"
        if ending == "renewed":
            assert bot.post(f"{bot.path}/token").status == 200
        else:
            assert bot.delete(bot.path).status == 204
        assert game.host.post(f"{game.path}/start").status == 200
        assert [each["line"]["type"] for each in lines] == ["token_revoked"]
    refused(bot.get(game.path), "bad_token")


def test_games_are_listed_by_a_bot_of_somebody_elses(desk: Desk) -> None:
    bot, longest = registered(desk.api), "x" * 32
    game = new_game(desk.api, ["open", bot.seat, "sailor"], start=False)
    listed = desk.api.get(f"/v1/games?status=playing&bot={bot.seat}").body["games"]
    assert [each["id"] for each in listed] == [id_of(game.path)] * (game.state["status"] == "playing")
    assert game.host.post(f"{game.path}/start").status == 200
    listed = desk.api.get(f"/v1/games?status=playing&bot={bot.seat}").body["games"]
    assert [each["id"] for each in listed] == [id_of(game.path)]
    assert desk.api.get(f"/v1/games?status=playing&bot=bot:{longest}").body["games"] == []
    for wrong in (bot.name, "bot:", f"bot:{longest}x", "bot:%3Cb%3E"):
        refused(desk.api.get(f"/v1/games?bot={wrong}"), "invalid")


@pytest.mark.parametrize("lang", ["en", "de", "ru"])
def test_its_name_is_told_in_sentences_and_pictures(desk: Desk, lang: str) -> None:
    bot = registered(desk.api, description="<script>alert(1)</script> & “so on”")
    game = new_game(desk.api, 3)
    control = f"{game.path}/seats/0/controller"
    assert game.host.put(control, {"kind": "bot", "bot": bot.seat}).status == 200
    told = desk.api.get(f"{game.path}/events?limit=1000&lang={lang}").body["events"]
    assert bot.seat in told[-1]["text"]
    picture = desk.api.get(f"{game.path}/board.svg?lang={lang}").body.decode()
    assert bot.name in picture
    assert bot.seat not in picture, "it is said once that it is a bot"
    assert bot.delete(bot.path).status == 204
    assert desk.api.get(f"{game.path}/board.svg?lang={lang}").body.decode() == picture
    page = desk.api.get(f"/watch/{id_of(game.path)}?lang={lang}").body.decode()
    assert "<script>alert" not in page
