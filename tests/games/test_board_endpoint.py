"""Pictures of the board over HTTP, and games as they were: any version, for any viewer, cached as long as is right."""

import gzip
import random
import struct
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from service.app import create_app
from service.config import Config, Limit
from service.games import pictures
from service.games.pictures import PictureCache
from service.picture import draw
from tests.support.answers import LAST_MOVE, finished, refused, scene, settled
from tests.support.helpers import Wire, scripted
from tests.support.playing import bare, pick
from tests.support.serving import Client, Seated, new_game

SVG = "{http://www.w3.org/2000/svg}"
HANDS = [{"coffee": 1, "crowbar": 1}, {"harpoon": 2}, {"aqualung": 1, "grog": 1}]
LONG, SHORT = "private, max-age=86400", "no-cache"
EVIL = '<script>alert("1")</script>&amp;\u05d0'


def crazed(api: Client) -> Seated:
    crew = [{"items": hand, "room": 8} for hand in HANDS]
    script = scripted(items=["toolbox", "reactor_manual"])
    return new_game(api, position=scene(*crew, rules={"crazed_gnomes": True}, script=script))


def drawn(client: Client, path: str) -> ET.Element:
    reply = client.get(path)
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"] == "image/svg+xml; charset=utf-8"
    return ET.fromstring(reply.body)


def told(drawing: ET.Element) -> str:
    return " ".join(drawing.findtext(f"{SVG}{name}") or "" for name in ("title", "desc"))


def as_was(state: Wire) -> Wire:
    """What of a state can be told of the past, too."""
    seats = [{name: value for name, value in seat.items() if name != "last_seen_at"} for seat in state["seats"]]
    return settled(state) | {"legal_moves": [], "seats": seats, "dice": None}


def test_every_version_is_told_and_drawn_as_it_was(api: Client) -> None:
    """A game with everything that happens around one, looked at by all while it goes on, and again when it is over."""
    game = new_game(api, seats=3, start=False, seed="1d" * 32)
    left = api.post("/v1/games", {"seats": ["open"] * 3}).body  # its players come and go before the start
    joined = api.post(f"/v1/games/{left['game']['id']}/players", {"name": "Ada"}).body
    assert api.be(joined["token"]).delete(f"/v1/games/{left['game']['id']}/players/p1").status == 204
    watchers = [api, game.host, game.players[1]]
    seen: dict[tuple[int, int], tuple[Wire, bytes]] = {}

    def look() -> Wire:
        for number, watcher in enumerate(watchers):
            state = watcher.get(game.path).body
            picture = watcher.get(f"{game.path}/board.svg?theme=dark&lang=de").body
            seen[number, state["version"]] = (as_was(state), picture)
        return dict(state)

    look()
    assert game.host.post(f"{game.path}/start").status == 200
    chance = random.Random(4)
    for step in range(40):
        state = look()
        if state["result"]:
            break
        if step == 4:
            game.players[0].put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "sailor"})
            look()
            game.players[0].put(f"{game.path}/seats/0/controller", {"kind": "player"})
            look()
        mover = game.players[state["decision"]["seat"]]
        mover.play(game.path, bare(pick(mover.get(f"{game.path}/legal-moves").body["legal_moves"], chance)))
    assert game.players[2].delete(f"{game.path}/players/p3").status == 204
    look()
    assert len(seen) > 90
    for (number, version), (state, picture) in seen.items():
        again = watchers[number].get(f"{game.path}?version={version}")
        assert as_was(again.body) == state
        assert watchers[number].get(f"{game.path}/board.svg?version={version}&theme=dark&lang=de").body == picture
    waiting = api.get(f"/v1/games/{left['game']['id']}?version=2").body
    assert [player["name"] for player in waiting["players"]] == ["Ada"]
    assert [seat["kind"] for seat in waiting["seats"]] == ["player", "open", "open"]


def test_the_end_is_the_past_as_well_and_nobody_moves_in_it(api: Client) -> None:
    game = finished(api)
    before = game.players[0].get(f"{game.path}?version=5").body
    assert (before["version"], before["status"], before["result"]) == (5, "playing", None)
    assert before["decision"]["seat"] == 0
    assert before["legal_moves"] == []
    assert before["dice"]["seed"] is None
    assert game.host.get(f"{game.path}?version={game.state['version']}").body["result"]


def test_hidden_hands_stay_hidden_in_the_past(api: Client) -> None:
    game = crazed(api)
    version = game.state["version"]
    game.players[0].play(game.path, {"type": "draw_items", "cards": 2})
    assert game.state["version"] > version
    viewers = [(None, api), (None, game.host), *enumerate(game.players)]
    for at in (version, game.state["version"]):
        for seat, viewer in viewers:
            for gnome, hand in enumerate(viewer.get(f"{game.path}?version={at}").body["gnomes"]):
                assert (hand["items"] is None) == (gnome != seat)
            drawing = told(drawn(viewer, f"{game.path}/board.svg?version={at}")).lower()
            assert ("harpoon" in drawing) == (seat == 1)
            assert ("aqualung" in drawing) == (seat == 2)
            assert ("reactor manual" in drawing) == (seat == 0 and at > version)


def test_the_past_is_cached_for_long_and_the_present_asked_for_again(api: Client) -> None:
    game = new_game(api)
    version = game.state["version"]
    for kind in ("", "/board.svg", "/board.png"):
        for query, kept in (("", SHORT), (f"?version={version}", SHORT), (f"?version={version - 1}", LONG)):
            reply = api.get(f"{game.path}{kind}{query}")
            assert (reply.status, reply.headers["cache-control"]) == (200, kept), reply.body
            again = api.get(f"{game.path}{kind}{query}", If_None_Match=reply.headers["etag"])
            assert (again.status, again.body, again.headers.get("cache-control", SHORT)) == (304, b"", kept)
            assert again.headers["etag"] == reply.headers["etag"]
            assert kind + query == "" or "Authorization" in reply.headers["vary"]
    wishes = [
        *((watcher, f"svg{query}") for watcher in (api, game.host, *game.players) for query in ("", "?theme=dark")),
        *((api, each) for each in ("svg?lang=ru", "svg?version=1", "png?width=100", "png?width=101", "png")),
    ]
    assert len({watcher.get(f"{game.path}/board.{wish}").headers["etag"] for watcher, wish in wishes}) == len(wishes)


def test_whoever_has_the_picture_makes_nobody_draw(
    api: Client, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(api)
    drawings: list[int] = []

    def noted(state: Wire, **more: Any) -> str:
        drawings.append(state["version"])
        return draw(state, **more)

    monkeypatch.setattr(pictures, "draw", noted)
    client = create_app(Config(redis_url, limits={})).test_client()
    path = f"{game.path}/board.svg?lang=en"
    first = client.get(path)
    assert client.get(path).data == first.data
    monkeypatch.setattr("service.games.pictures.find", lambda *_: 1 // 0)
    assert client.get(path).data == first.data
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert drawings == [game.state["version"]]


def test_a_drawing_is_packed_for_whoever_can_unpack_it(api: Client) -> None:
    path = f"{new_game(api).path}/board.svg"
    plain = api.get(path)
    packed = api.get(path, Accept_Encoding="br, gzip;q=0.5")
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) * 4 < len(plain.body)
    assert "Accept-Encoding" in plain.headers["vary"]
    assert api.get(path, Accept_Encoding="gzip;q=0").body == plain.body


def test_an_album_forgets_what_was_asked_for_longest_ago() -> None:
    album = PictureCache(most=100)
    for name in "abc":
        album.put(name, name.encode() * 40)
    assert [album.get(name) is not None for name in "abc"] == [False, True, True]
    assert album.get("b")
    album.put("d", b"d" * 40)
    album.put("d", b"d" * 50)
    assert [album.get(name) is not None for name in "bcd"] == [True, False, True]
    assert album.bytes == 90
    album.put("huge", b"h" * 101)
    assert album.get("huge") is None


def test_in_the_language_and_the_theme_that_are_asked_for(api: Client) -> None:
    path = f"{new_game(api).path}/board.svg"
    for query, accepted, language in (
        ("", "", "en"),
        ("", "fr, ru;q=0.8, de;q=0.9", "de"),
        ("?lang=ru", "de", "ru"),
        ("?lang=de-AT", "", "de"),
    ):
        drawing = ET.fromstring(api.get(path + query, Accept_Language=accepted).body)
        assert drawing.get("lang") == language
        assert len(told(drawing)) > 100
    pages = {theme: api.get(f"{path}?theme={theme}").body for theme in ("light", "dark", "auto")}
    assert len(set(pages.values())) == 3
    assert api.get(path).body == pages["auto"]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("board.svg?version=0", "version"),
        ("board.svg?version=99", "version"),
        ("board.png?version=two", "version"),
        ("board.svg?lang=fr", "lang"),
        ("board.svg?lang=", "lang"),
        ("board.svg?theme=pink", "theme"),
        ("board.png?theme=auto", "theme"),
        ("board.png?width=99", "width"),
        ("board.png?width=2401", "width"),
        ("board.svg?width=300", "width"),
        ("?version=99", "version"),
        ("?version=1&wait=2", "version"),
        ("?version=1&after=2", "version"),
        ("events?lang=klingon", "lang"),
    ],
)
def test_what_can_not_be_is_refused_by_name(api: Client, query: str, parameter: str) -> None:
    path = new_game(api).path
    reply = api.get(f"{path}{query}" if query.startswith("?") else f"{path}/{query}")
    problem = refused(reply, "invalid")
    assert [error["parameter"] for error in problem["errors"]] == [parameter]


def test_a_private_game_is_no_picture_for_strangers(api: Client) -> None:
    created = api.post("/v1/games", {"visibility": "private"}).body
    path, host = f"/v1/games/{created['game']['id']}", api.be(created["token"])
    for looked_at in ("/board.svg", "/board.png", "?version=1"):
        refused(api.get(path + looked_at), "no_such_game")
        refused(api.be("rn_wrong").get(path + looked_at), "no_such_game")
        assert host.get(path + looked_at).status == 200


def test_a_name_can_do_no_harm_in_a_picture(api: Client) -> None:
    created = api.post("/v1/games", {"seats": ["open"] * 3, "name": EVIL}).body
    path = f"/v1/games/{created['game']['id']}"
    assert api.post(f"{path}/players", {"name": EVIL}).status == 201
    drawing = drawn(api, f"{path}/board.svg")
    assert not [each for each in drawing.iter() if each.tag in (f"{SVG}script", "script")]
    assert not [name for each in drawing.iter() for name in each.attrib if name.startswith("on")]
    assert "<script>" in told(drawing)  # as text


def test_a_painting_is_as_wide_as_wanted(api: Client) -> None:
    path = f"{new_game(api).path}/board.png"
    for query, wide in (("", 1200), ("?width=100", 100), ("?width=640&theme=dark&lang=ru", 640)):
        reply = api.get(path + query)
        assert reply.headers["content-type"] == "image/png"
        assert reply.body[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">I", reply.body[16:20])[0] == wide


def test_nobody_waits_for_ever_to_have_a_picture_painted(
    api: Client, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{new_game(api).path}/board.png"
    monkeypatch.setattr(pictures, "PATIENCE_SECONDS", 0.01)
    app = create_app(Config(redis_url, limits={}))
    easels = app.extensions["renderer"]._renderings
    while easels.acquire(blocking=False):
        pass
    busy = app.test_client().get(path)
    refusal = busy.get_json()
    assert (busy.status_code, refusal["code"], busy.headers["Retry-After"]) == (429, "too_many_requests", "5")
    easels.release()
    for width in (100, 101):  # and whoever has their picture makes room
        assert app.test_client().get(f"{path}?width={width}").status_code == 200


def test_paintings_have_a_limit_of_their_own(api: Client, redis_url: str) -> None:
    path = new_game(api).path
    client = create_app(Config(redis_url, limits={"picture": Limit(1, 86400)})).test_client()
    for query, statuses in (("board.png?width=100", [200, 429]), ("board.svg", [200, 200])):
        assert [client.get(f"{path}/{query}").status_code for _ in statuses] == statuses


def test_nothing_runs_in_a_picture_that_is_opened_alone(api: Client) -> None:
    policy = api.get(f"{new_game(api).path}/board.svg").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_nobody_has_to_hurry_in_the_past(api: Client) -> None:
    game = new_game(api, turn_seconds=600)
    version = game.state["version"]
    assert game.state["decision"]["deadline"]
    game.decider().play(game.path, {"type": "no_action"})
    assert api.get(f"{game.path}?version={version}").body["decision"]["deadline"] is None


def test_games_from_a_position_look_back_as_well(api: Client) -> None:
    game = new_game(api, position=LAST_MOVE)
    assert api.get(f"{game.path}?version=2").body["gnomes"][0]["minutes"] == 1
