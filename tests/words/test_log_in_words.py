"""Events in words over HTTP: pages and streams, in every language, and no secret among them."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.enums import Item
from service.words import Words
from tests.support.answers import NDJSON, SSE, lines, listening, messages, refused, scene
from tests.support.helpers import Wire, scripted
from tests.support.serving import Client, Seated, new_game

LANGUAGES = ("en", "de", "ru")


def drawing(api: Client) -> Seated:
    """Seat 0 has drawn cards that the others may not know."""
    script = scripted(items=["toolbox", "reactor_manual"])
    game = new_game(api, position=scene({"room": 8}, rules={"crazed_gnomes": True}, script=script))
    assert game.players[0].play(game.path, {"type": "draw_items", "cards": 2}).status == 200
    return game


def page(client: Client, game: Seated, lang: str) -> list[Wire]:
    return client.get(f"{game.path}/events?lang={lang}&limit=1000").body["events"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_has_a_sentence_beside_what_it_tells_anyway(api: Client, lang: str) -> None:
    game = drawing(api)
    plain = api.get(f"{game.path}/events").body["events"]
    told = page(api, game, lang)
    assert all(event["text"].strip() for event in told)
    assert [{name: value for name, value in event.items() if name != "text"} for event in told] == plain
    joined = next(event for event in told if event["type"] == "player_joined")
    assert joined["text"] == Words(lang).sentence(joined)


def test_without_a_language_there_are_no_words(api: Client) -> None:
    assert all(
        "text" not in event for event in api.get(f"{drawing(api).path}/events", Accept_Language="de").body["events"]
    )


def test_a_region_changes_nothing(api: Client) -> None:
    game = drawing(api)
    assert page(api, game, "de-AT") == page(api, game, "de") != page(api, game, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sentence_tells_nobody_what_is_hidden_from_him(api: Client, lang: str) -> None:
    game = drawing(api)
    names = [Words(lang).item(item.name.lower()).lower() for item in Item]
    for seat, client in ((None, api), (None, game.host), *enumerate(game.players)):
        drawn = [event for event in page(client, game, lang) if event["type"] == "item_drawn"]
        assert len(drawn) == 2
        for event in drawn:
            named = any(name[:5] in event["text"].lower() for name in names)
            assert named == ("item" in event) == (seat == 0), event


def test_streams_speak_as_well(api: Client) -> None:
    game = drawing(api)
    told = page(api, game, "ru")
    readers: list[tuple[str, Callable[..., list[Any]]]] = [(NDJSON, lines), (SSE, messages)]
    for accept, read in readers:
        with listening(api, f"{game.path}/events/stream?after=0&lang=ru", accept) as stream:
            heard = [each[1] if accept == SSE else each for each in read(stream, len(told) + 1)]
        assert heard[0]["type"] == "state"
        assert heard[1:] == told


def test_players_are_called_by_their_names(api: Client) -> None:
    created = api.post("/v1/games", {"seats": ["open"] * 3}).body
    path, host = f"/v1/games/{created['game']['id']}", api.be(created["token"])
    tokens = [api.post(f"{path}/players", {"name": name}).body["token"] for name in ("Ada", "Bert", "Cleo")]
    with listening(api, f"{path}/events/stream?lang=en") as stream:
        assert host.post(f"{path}/start").status == 200
        seat = api.get(path).body["decision"]["seat"]
        name = ("Ada", "Bert", "Cleo")[seat]
        assert name in next(line["text"] for line in lines(stream, 3) if line["type"] == "turn_began")
        assert api.be(tokens[seat]).delete(f"{path}/players/p{seat + 1}").status == 204
        (left,) = (line for line in lines(stream, 1) if line["type"] == "player_left")
        assert name in left["text"]
    assert api.get(f"{path}/events?lang=en").body["events"][-1]["text"] == left["text"]


def test_a_language_that_is_not_there_is_refused_before_a_stream_begins(api: Client) -> None:
    path = f"{drawing(api).path}/events/stream?lang=tlh"
    refused(api.get(path, Accept=NDJSON), "invalid")
    refused(api.get(path), "invalid")
