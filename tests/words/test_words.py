"""No text is missing in any language: every name, every event in every variant, every move, decision and result."""

import inspect
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, IntEnum
from typing import Any

import pytest

from bots.roster import ROSTER
from engine import Game, Rules, enums, redact
from engine.cards import FACES
from engine.enums import LAST_ASKED, Action, Cause, Item, Phase, Room, Token, Track
from engine.moves import WIRE
from engine.rows import Deck
from engine.rules import CHALLENGES, EDITIONS
from service.contract.shapes.events import events as event_shapes
from service.contract.shapes.state import state as state_shapes
from service.words import LANGUAGES, Words
from service.words.telling import CATALOGUES
from tests.support.helpers import Wire, result_of
from tests.support.playing import VARIANTS, stories

WORDS = {language: Words(language) for language in LANGUAGES}
ORIGINAL = {language: Words(language, "original") for language in LANGUAGES}
in_every_language = pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
LONGEST = 110
LETTERS = {"en": "[а-яёäöüß]", "de": "[а-яё]", "ru": "[a-zäöüß]"}  # that a language has no use for
ABBREVIATIONS = ("UTC",)
# What is spelt alike in English and German, but for numbers.
ALIKE = {"Grog", "Bot", "Friendly Fire", "Captain", "Admiral"}


def names(kind: Iterable[Enum]) -> set[str]:
    return {member.name.lower() for member in kind}


# Which kind of names belongs to which enum.
ENUMS = {
    "Room": "room_name",
    "Water": "water",
    "Condition": "condition",
    "Track": "track",
    "Token": "token",
    "Item": "item",
    "Event": "event",
    "Action": "action",
    "Phase": "phase",
    "Edition": "edition",
    "Challenge": "challenge",
    "Cause": "cause",
    "Purpose": "purpose",
    "Script": "script",
    "Death": "death",
    "Lost": "lost",
    "Source": "source",
}
UNTOLD = {"Cause": {"none"}, "Phase": names(list(Phase)[LAST_ASKED + 1 :])}
SHAPES = state_shapes()
EVENTS = event_shapes()
OF_SHAPES = {
    "status": SHAPES["Status"]["x-extensible-enum"],
    "seat": SHAPES["SeatState"]["properties"]["kind"]["x-extensible-enum"],
    "crew": SHAPES["Result"]["properties"]["crew"]["enum"],
    "outcome": SHAPES["Result"]["properties"]["seats"]["items"]["enum"],
    "room": [str(room) for room in range(1, 11)] + ["sea"],
    "card": [face.name for face in FACES],
    "move": {move["type"] for move in WIRE} | names(Action),
    "die": EVENTS["EventDieRolled"]["properties"]["purpose"]["enum"],
    "deck": names(Deck),
    "bot": list(ROSTER),
    "bot_description": list(ROSTER),
    "option": Rules().to_dict(),
    "answer": ["false", "true"],
    "event_type": EVENTS["Event"]["discriminator"]["mapping"],
    "edition": EDITIONS,
    "challenge": CHALLENGES,
}


def test_every_enum_of_the_game_has_names() -> None:
    found = {name for name, kind in inspect.getmembers(enums, inspect.isclass) if issubclass(kind, IntEnum)}
    assert found - {"IntEnum"} == set(ENUMS)


@in_every_language
@pytest.mark.parametrize(("enum", "kind"), ENUMS.items())
def test_every_member_of_an_enum_has_a_name(words: Words, enum: str, kind: str) -> None:
    assert set(words.names[kind]) == names(getattr(enums, enum)) - UNTOLD.get(enum, set())


@in_every_language
@pytest.mark.parametrize(("kind", "ids"), OF_SHAPES.items(), ids=OF_SHAPES)
def test_everything_else_that_a_state_may_hold_has_a_name(
    words: Words, kind: str, ids: Wire | list[str] | set[str]
) -> None:
    assert set(words.names[kind]) == set(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nouns_have_as_many_forms_as_the_language_asks_for(language: str) -> None:
    texts = CATALOGUES[language]
    asked_for = {texts.plural(number) for number in range(200)}
    assert asked_for == set(range(len(asked_for)))
    assert {len(forms) for forms in texts.nouns.values()} == {len(asked_for)}
    assert set(texts.nouns) >= set(CATALOGUES["en"].nouns)


def faults(text: str, language: str, sentence: bool = False) -> Iterator[str]:
    """What is wrong with a text that a reader gets to see."""
    if not text or text != text.strip() or "  " in text:
        yield "blanks"
    if re.search(r"[{}_<>]|None|True|False", text):
        yield "left over"
    plain = re.sub("|".join(ABBREVIATIONS), "", text)
    if re.search(LETTERS[language], plain, re.IGNORECASE):
        yield "another language"
    if len(text) > LONGEST:
        yield "long"
    if sentence and not re.search(r"[.!?][“»]?$", text):
        yield "no end"
    if sentence and text[0].islower():
        yield "no capital"


def check(text: str, language: str, sentence: bool = False) -> None:
    assert list(faults(text, language, sentence)) == [], text


@in_every_language
def test_names_are_fit_to_be_read(words: Words) -> None:
    for kind, of_kind in words.names.items():
        for name in of_kind.values():
            check(name, words.language)
            assert not name[0].islower(), (kind, name)


def test_texts_differ_between_languages() -> None:
    trios = [
        [WORDS[language].names[kind][id_] for language in LANGUAGES]
        for kind, of_kind in WORDS["en"].names.items()
        for id_ in of_kind
    ]
    for table in ("sentences", "moves", "decisions"):
        texts = [getattr(CATALOGUES[language], table) for language in LANGUAGES]
        trios += [[of_language[key] for of_language in texts] for key in texts[0]]
    for english, german, russian in trios:
        assert english != german or english in ALIKE, english
        assert russian not in (english, german)


def ways(shape: Wire) -> Any:
    """Values that a schema allows: all of an enum, some of the numbers."""
    if "$ref" in shape:
        return OF_REF[shape["$ref"].rpartition("/")[2]]
    if "oneOf" in shape:
        return [value for each in shape["oneOf"] for value in ways(each)]
    if "enum" in shape or "const" in shape:
        return shape.get("enum", [shape.get("const")])
    if "x-extensible-enum" in shape:
        return shape["x-extensible-enum"]
    if isinstance(shape["type"], list):
        return [value for kind in shape["type"] for value in ways(shape | {"type": kind})]
    if shape["type"] == "array":
        return [[value] * count for value in ways(shape["items"])[:2] for count in (1, 3)]
    if shape["type"] == "integer":
        low, high = shape.get("minimum", 0), shape.get("maximum", 10**6)
        return [value for value in (0, 1, 2, 5, 10, 21, 90) if low <= value <= high]
    return {"boolean": [False, True], "null": [None], "string": ["77"]}[shape["type"]]


OF_REF = {
    "Seat": [0, 7],
    "Room": [*range(1, 11), "sea"],
    "Hatch": ["1-2", "9-10"],
    "Move": WIRE,
    "EventCard": [face.name for face in FACES],
    "BotName": list(ROSTER),
    "Cause": sorted(names(Cause) - {"none"}),
    "Item": sorted(names(Item)),
    "SeatState": [{}],
    "ClientData": [{"theme": "storm"}],
}
TYPES = {
    shape["$ref"].rpartition("/")[2]: EVENTS[shape["$ref"].rpartition("/")[2]] for shape in EVENTS["Event"]["oneOf"]
}


def every_way(shape: Wire) -> Iterator[Any]:
    """Every event that a schema allows, as far as there are different ones; optional fields are there or not."""
    properties = {
        name: each for name, each in shape["properties"].items() if name not in ("seq", "version", "at", "text")
    }
    optional = [name for name in properties if name not in shape["required"]]
    for count in range(len(optional) + 1):
        for missing in itertools.combinations(optional, count):
            told = [name for name in properties if name not in missing]
            for values in itertools.product(*(ways(properties[name]) for name in told)):
                yield dict(zip(told, values, strict=True))


@in_every_language
@pytest.mark.parametrize("shape", TYPES.values(), ids=TYPES)
def test_every_event_that_the_contract_knows_has_a_sentence(words: Words, shape: Wire) -> None:
    for event in every_way(shape):
        check(words.sentence(event), words.language, sentence=True)


@pytest.mark.parametrize("shape", TYPES.values(), ids=TYPES)
def test_no_sentence_is_of_another_type(shape: Wire) -> None:
    """Every sentence of the catalogue is told by some event: none is left over from an event of old."""
    type_ = shape["properties"]["type"]["const"]
    assert [key for key in CATALOGUES["en"].sentences if key.partition("/")[0] == type_]


def test_no_sentence_is_left_over() -> None:
    known = {shape["properties"]["type"]["const"] for shape in TYPES.values()}
    assert {key.partition("/")[0] for key in CATALOGUES["en"].sentences} == known


@in_every_language
def test_random_games_of_every_variant_are_told(words: Words) -> None:
    """What is known to all seats, and to none of them."""
    seen = set()
    for number in range(len(VARIANTS)):
        for story in stories(number):
            for event in itertools.chain(story.start.opening, *story.events):
                key = repr(event)
                if key not in seen:
                    seen.add(key)
                    check(words.sentence(event), words.language, sentence=True)
                    if "private" in event:
                        check(words.sentence(redact(event, [])), words.language, sentence=True)
    assert len(seen) > 10_000


def ids(view: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Kinds and ids of all that a view holds."""
    yield from (("condition", gnome["state"]) for gnome in view["gnomes"])
    yield from (("room", gnome["room"]) for gnome in view["gnomes"])
    yield from (("water", room["water"]) for room in view["rooms"].values())
    yield from (("track", track) for track in view["tracks"])
    yield from (("token", token) for token in view["destruction"])
    yield from (("item", item) for pile in ("item_discard", "used_items") for item in view[pile])
    yield from (("card", card) for deck in ("event_deck", "event_discard") for card in view[deck])
    yield "phase", view["phase"]
    if view["result"]:
        yield "cause", view["result"]["cause"]
        yield "crew", view["result"]["crew"]
        yield from (("outcome", outcome) for outcome in view["result"]["seats"])


@in_every_language
def test_views_moves_decisions_previews_and_results_of_random_games_are_told(words: Words) -> None:
    language = words.language
    for story in itertools.chain.from_iterable(stories(number)[::6] for number in range(0, len(VARIANTS), 5)):
        for game in story.games[::9] + story.games[-1:]:
            view = game.view(game.decider)
            assert all(words.name(kind, id_) for kind, id_ in ids(view))
            for gnome in view["gnomes"]:
                check(words.items(gnome["items"] or {}), language)
            for move in view["legal_moves"][::3]:
                check(words.move(move, phase=view["phase"]), language)
                foretold = game.preview(move)
                for event in foretold["certain"] + foretold.get("if_success", []) + foretold.get("if_failure", []):
                    check(words.sentence(event), language, sentence=True)
            if view["decision"]:
                check(words.decision(**view["decision"]), language, sentence=True)
        check(words.result(result_of(story.games[-1])), language, sentence=True)


@in_every_language
def test_every_move_has_a_label(words: Words) -> None:
    for move in WIRE:
        check(words.move(move), words.language)
    labels = {words.move(move) for move in WIRE}
    assert len(labels) == len(WIRE)


@in_every_language
def test_every_phase_has_a_decision(words: Words) -> None:
    for phase in words.names["phase"]:
        check(words.decision(phase, 0), words.language, sentence=True)


@in_every_language
def test_labels_are_filled_in(words: Words) -> None:
    values = dict.fromkeys(re.findall(r"{(\w+)}", " ".join(words.texts.labels.values())), 3)
    for key in words.texts.labels:
        check(words.text(key, **values), words.language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_original_edition_has_all_texts(language: str) -> None:
    revised, original = WORDS[language].names, ORIGINAL[language].names
    assert {kind: set(of_kind) for kind, of_kind in revised.items()} == {
        kind: set(of_kind) for kind, of_kind in original.items()
    }


def test_the_original_edition_has_tiles_and_a_diving_gun() -> None:
    english = ORIGINAL["en"]
    assert english.name("item", "harpoon") == "Diving gun"
    assert english.move({"type": "use_item", "item": "harpoon", "cost": 0}) == "Use a diving gun"
    assert english.move({"type": "draw_items", "cards": 2}) == "Draw 2 item tiles"
    assert WORDS["en"].move({"type": "draw_items", "cards": 2}) == "Draw 2 item cards"


def test_a_room_that_has_no_name_has_a_number() -> None:
    english = WORDS["en"]
    assert [english.room(room) for room in (1, 5, "sea")] == ["Engine Room", "", "Sea"]
    assert [english.name("room", room) for room in (1, 5, "sea")] == ["Engine Room", "Room 5", "Sea"]


def test_words_are_equal_where_their_texts_are() -> None:
    assert Words("de") == WORDS["de"] != Words("de", "original")
    assert len({Words("en"), Words("en"), Words("en", "original"), Words("de")}) == 3


def test_a_new_game_is_told_from_its_start() -> None:
    game = Game.new(Rules(gnomes=3), bytes(32))
    assert [WORDS["en"].sentence(event) for event in game.opening] == ["Turn 1: Gnome 3, 60 minutes left."]


def test_tracks_and_tokens_have_all_forms() -> None:
    for language in LANGUAGES:
        texts = CATALOGUES[language]
        assert set(texts.tracks) == names(Track)
        assert set(texts.names["token"]) == names(Token)
        assert {texts.rooms[str(int(room))].title for room in Room}
        for room in texts.rooms.values():
            assert all(format(room, form) for form in ("", "title", "at", "to", "into"))
