"""All that a state tells is in its picture, once, and nothing else; in words, too."""

import re
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from engine import Game, Rules
from engine.board import EVENT_MINUTES, EXTERIOR_ROOMS, HATCHES, ITEM_MINUTES
from engine.enums import MAX_MINUTES, ROOMS, Room
from service.picture import layout, pictograms, timetrack
from service.picture.drawing import draw
from service.picture.gnomes import floor, places
from service.words import LANGUAGES, Words
from tests.support.helpers import Wire, position
from tests.support.pictures import description, drawn, marked, new_state, state_of, texts, told, wild_states

ABOARD = ("alive", "fainted")
PHASES = ("movement", "hatch", "escape", "trade_give", "over")

Gallery = list[tuple[Wire, ElementTree.Element]]

ENGLISH = Words("en")


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return [(state, drawn(state)) for state in wild_states()]


def test_there_are_pictures_of_hundreds_of_situations(gallery: Gallery) -> None:
    assert len(gallery) > 300
    assert {state["result"] is None for state, _ in gallery} == {False, True}
    assert {len(state["gnomes"]) for state, _ in gallery} == set(range(3, 9))


def test_every_room_tells_its_fire_and_water_once(gallery: Gallery) -> None:
    for state, picture in gallery:
        rooms = [room for room in marked(picture, "room") if room.get("data-room") != "sea"]
        assert {room.get("data-room"): (room.get("data-water"), room.get("data-fire")) for room in rooms} == {
            number: (room["water"], str(room["fire"]).lower()) for number, room in state["rooms"].items()
        }
        assert len(rooms) == ROOMS - 1
        for room in rooms:
            parts = [part.get("data-part") for part in marked(room, "part")]
            wanted = state["rooms"][room.get("data-room")]
            assert parts == ["water"] * (wanted["water"] != "none") + ["flames"] * wanted["fire"]


def test_every_hatch_is_closed_open_or_blocked(gallery: Gallery) -> None:
    names = sorted(["-".join(map(str, rooms)) for rooms in HATCHES] + [f"{room}-sea" for room in EXTERIOR_ROOMS])
    opened = 0
    for state, picture in gallery:
        hatches: dict[str, str] = dict(cast(list[tuple[str, str]], told(picture, "hatch", "state")))
        assert sorted(hatches) == names
        assert len(marked(picture, "hatch")) == len(names)
        assert [hatch for hatch in names if hatches[hatch] == "blocked"] == sorted(state["blocked_hatches"])
        beyond = state["pending"].get("open_hatch_to")
        if beyond is not None:
            opened += 1
            room = state["gnomes"][state["active"]]["room"]
            assert {name for name in hatches if hatches[name] == "open"} == (
                {f"{room}-{beyond}", f"{beyond}-{room}"} & set(names)
            )
        else:
            assert "open" not in hatches.values()
    assert opened


def test_every_gnome_aboard_stands_where_he_is(gallery: Gallery) -> None:
    for state, picture in gallery:
        assert told(picture, "gnome", "place", "state", "intoxication") == [
            (str(seat), str(gnome["room"]), gnome["state"], str(gnome["intoxication"]))
            for seat, gnome in enumerate(state["gnomes"])
            if gnome["state"] in ABOARD
        ]


def test_every_gnome_has_a_card_that_tells_his_state_and_hand(gallery: Gallery) -> None:
    for state, picture in gallery:
        assert told(picture, "seat", "state") == [
            (str(seat), gnome["state"]) for seat, gnome in enumerate(state["gnomes"])
        ]
        for card, gnome in zip(marked(picture, "seat"), state["gnomes"], strict=True):
            hand = (gnome["items"] or {}) if gnome["state"] in ABOARD else {}
            assert told(card, "item", "count") == sorted((item, str(count)) for item, count in hand.items())


def test_time_keepers_lie_in_their_order(gallery: Gallery) -> None:
    """One that is on its way is in no stack yet, and may have the number of one that is."""
    for state, picture in gallery:
        piles: dict[Any, Any] = {}
        for seat, gnome in enumerate(state["gnomes"]):
            if gnome["state"] in ABOARD:
                piles.setdefault(gnome["minutes"], []).append((gnome["stack"], str(seat)))
        wanted = [
            (seat, str(minute), str(order))
            for minute, pile in piles.items()
            for order, (_, seat) in enumerate(sorted(pile, key=lambda place: (place[0], -int(place[1]))))
        ]
        assert told(picture, "keeper", "minute", "order") == sorted(wanted)


def test_tracks_tokens_and_ghost(gallery: Gallery) -> None:
    for state, picture in gallery:
        assert told(picture, "track", "value") == sorted((name, str(at)) for name, at in state["tracks"].items())
        assert told(picture, "token", "minute") == sorted((name, str(at)) for name, at in state["destruction"].items())
        ghost = [] if state["result"] else [(str(state["ghost"]),)]
        assert told(picture, "ghost") == ghost
        assert told(picture, "stash") == [(str(state["captains_grog"]),)]


def test_the_banner_tells_the_decision_or_the_result(gallery: Gallery) -> None:
    for state, picture in gallery:
        [banner] = marked(picture, "banner")
        if state["result"]:
            assert banner.get("data-crew") == state["result"]["crew"]
            assert banner.get("data-cause") == state["result"]["cause"]
        else:
            assert banner.get("data-decider") == str(state["decision"]["seat"])
            assert banner.get("data-kind") == state["decision"]["kind"]
    assert {state["phase"] for state, _ in gallery} >= set(PHASES)


def test_a_game_that_waits_says_so() -> None:
    [banner] = marked(drawn(new_state(decision=None, status="waiting")), "banner")
    assert texts(banner) == [ENGLISH.name("status", "waiting")]


def test_a_deadline_is_told() -> None:
    state = new_state()
    state["decision"]["deadline"] = "2026-11-18T14:05:09.123Z"
    assert any("until 14:05:09 UTC" in text for text in texts(drawn(state)))


def test_the_time_track_has_every_minute_and_its_icons() -> None:
    spaces = [(space.attrib["data-minute"], space.get("data-icons")) for space in marked(drawn(new_state()), "icons")]
    assert {int(minute): icons for minute, icons in spaces} == {
        minute: " ".join(["event"] * (minute in EVENT_MINUTES) + ["item"] * (minute in ITEM_MINUTES))
        for minute in range(MAX_MINUTES + 1)
    }


def test_tokens_on_the_last_space_leave_its_word_readable() -> None:
    rect = layout.SPACES[0].rect
    for count in range(1, 5):
        for x, y in timetrack._token_spots(0, count):
            assert rect.y < y < rect.y + 24
            assert rect.x + 20 < x < rect.x + 60, "between the number and the lifebuoy"


def test_the_kraken_shows_while_its_token_is_out() -> None:
    calm, threatened = draw(new_state()), draw(new_state(destruction={"devoured_by_kraken": 30}))
    assert len(threatened) > len(calm) + 1000


def test_the_description_tells_the_whole_situation(gallery: Gallery) -> None:
    for state, picture in gallery:
        told_ = description(picture)
        for seat, gnome in enumerate(state["gnomes"]):
            assert f"Gnome {seat + 1}" in told_
            assert ENGLISH.name("condition", gnome["state"]) in told_
        for number, room in state["rooms"].items():
            [about] = re.findall(rf"\. Room {number}(?:, [^:]*)?: ([^.]*)\.", told_) or [""]
            assert ("on fire" in about) == room["fire"]
            assert ("water" in about) == (room["water"] != "none")
        for hatch in state["blocked_hatches"]:
            assert hatch in told_
        for track, value in state["tracks"].items():
            assert f"{ENGLISH.name('track', track)}: {value} of 10." in told_
        for token, minute in state["destruction"].items():
            assert f"{ENGLISH.name('token', token)} after minute {minute}." in told_
        kind = (
            ENGLISH.name("cause", state["result"]["cause"])
            if state["result"]
            else ENGLISH.name("phase", state["decision"]["kind"])
        )
        assert kind in told_


def test_the_picture_is_an_image_with_title_and_description() -> None:
    picture = drawn(new_state())
    assert picture.get("role") == "img"
    title, desc = list(picture)[:2]
    assert (picture.get("aria-labelledby"), picture.get("aria-describedby")) == (title.get("id"), desc.get("id"))
    assert title.text == "Red November: \u2068Friday night\u2069"


def test_time_keepers_of_one_space_are_told_from_the_top_down() -> None:
    game = position([{"minutes": 30}, {"minutes": 30}, {"minutes": 20}])
    gnomes = game.view()["gnomes"]
    top, below = (1, 2) if gnomes[0]["stack"] > gnomes[1]["stack"] else (2, 1)
    told_ = description(drawn(state_of(game)))
    assert f"30: Gnome {top}, Gnome {below}; 20: Gnome 3" in told_


def test_secret_hands_stay_secret() -> None:
    game = Game.new(Rules(4, crazed_gnomes=True), seed=bytes(32))
    picture = drawn(state_of(game, 1))
    holders = [card.get("data-seat") for card in marked(picture, "seat") if marked(card, "item")]
    assert holders == ["1"]
    assert any("hidden items: 2" in text for text in texts(picture))


def test_your_own_seat_is_marked() -> None:
    assert [text for text in texts(drawn(state_of(Game.new(Rules(3), seed=bytes(32)), 0))) if "you" in text] == [
        "Ada · you"
    ]


def test_a_bare_view_of_the_engine_can_be_drawn() -> None:
    assert drawn(cast(Wire, Game.new(Rules(3), seed=bytes(32)).view())).get("data-version") == "0"


def test_the_same_state_is_drawn_alike() -> None:
    for theme in ("light", "dark", "auto"):
        assert draw(new_state(), theme=theme) == draw(new_state(), theme=theme)


def test_another_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="light, dark, auto"):
        draw(new_state(), theme="sepia")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_words_of_a_picture(language: str) -> None:
    """What is missing would raise."""
    for state in wild_states()[::40] + [new_state(decision=None, status="waiting", sandbox=True)]:
        picture = drawn(state, words=Words(language))
        assert picture.get("lang") == language
        assert "{" not in description(picture)


def test_names_of_rooms_are_whole_in_every_language() -> None:
    for language in LANGUAGES:
        shown = " ".join(texts(drawn(new_state(), words=Words(language))))
        for room in Room:
            for word in Words(language).room(room).split():
                assert word in shown, (language, word)


def test_everything_has_a_pictogram() -> None:
    state = wild_states()[0]
    assert set(pictograms.ITEM_SIGNS) == set(ENGLISH.names["item"])
    assert set(pictograms.ROOM_SIGNS) == {int(number) for number in state["rooms"]}
    assert set(pictograms.TRACK_SIGNS) == set(state["tracks"])
    assert set(pictograms.TOKEN_SIGNS) == set(ENGLISH.names["token"])


def test_doors_lie_in_walls_of_both_their_rooms() -> None:
    for name, door in layout.DOORS.items():
        for room in map(int, name.split("-")):
            rect = layout.ROOMS[room]
            assert door.x in (rect.x, rect.right) if door.upright else door.y in (rect.y, rect.bottom), name


def test_the_time_track_goes_around_without_gaps() -> None:
    rects = [space.rect for space in layout.SPACES.values()]
    assert sum(rect.wide * rect.high for rect in rects) == (
        layout.RING.wide * layout.RING.high - layout.SEA_AREA.wide * layout.SEA_AREA.high
    )
    for one, other in zip(rects, rects[1:] + rects[:1], strict=True):
        assert one.x in (other.x, other.right) or other.x in (one.x, one.right)


@pytest.mark.parametrize("room", range(ROOMS))
def test_the_numbers_of_a_crowd_do_not_cover_each_other(room: int) -> None:
    for count in range(9):
        spots = places(count, floor(room))
        assert len(spots) == count
        for place, (x, y, scale) in enumerate(spots):
            for other_x, other_y, _ in spots[:place]:
                assert (x - other_x) ** 2 + (y - other_y) ** 2 >= (2 * 8.5 * scale) ** 2


@pytest.mark.parametrize("gnomes", range(3, 9))
def test_cards_of_any_crew_fit(gnomes: int) -> None:
    cards = layout.crew(gnomes)
    assert max(card.right for card in cards) <= layout.WIDE - layout.MARGIN
    assert cards[-1].bottom < layout.height(gnomes)
    assert len({(card.x, card.y) for card in cards}) == gnomes
