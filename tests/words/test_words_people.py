"""Which language, how much of what, and who: languages, plurals and names in sentences."""

import unicodedata
from typing import Any

import pytest

from service.words import LANGUAGES, UnknownLanguage, Words, choose, clean_name

WORDS = {language: Words(language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("DE", "de"),
        ("de-AT", "de"),
        ("de-Latn-AT-1996", "de"),
        ("ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", "ru"),
        ("fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5", "de"),
        ("fr, de;q=0.3, ru;q=0.5", "ru"),
        ("fr", "en"),
        ("fr;q=1.0, en;q=0.1", "en"),
        ("*", "en"),
        ("en;q=0, *", "de"),
        ("en;q=0, de;q=0.000, *;q=0.1", "ru"),
        ("de;q=0", "en"),
        ("*;q=0", "en"),
        ("de;q=0.5, de-AT;q=0.9, ru;q=0.7", "de"),
        ("ru, de", "ru"),
        ("de, ru", "de"),
        ("de;q=0.8 , ru ; q=0.9", "ru"),
        ("de;Q=0.1,ru;Q=0.2", "ru"),
        ("de;q=2, ru;q=0.1", "ru"),
        ("de;q=-1, ru;q=0.1", "ru"),
        ("de;q=abc, ru;q=0.1", "ru"),
        ("de;q=0.12345, ru;q=0.1", "ru"),
        (";;;,,,q=1,de;q", "en"),
        ("deu, rus", "en"),
        ("ｄｅ, ru;q=٠", "en"),
        ("-,*-de,de-", "en"),
        ("x" * 100_000 + ",de", "de"),
        ("de," * 30_000 + "ru;q=0.9", "de"),
    ],
)
def test_the_header_chooses_a_language(header: str | None, language: str) -> None:
    assert choose(None, header) == language


@pytest.mark.parametrize("lang", ["de", "DE", "de-AT", "de_AT", "De-ch"])
def test_a_language_asked_for_wins(lang: str) -> None:
    assert choose(lang, "ru") == "de"


@pytest.mark.parametrize(
    "lang", ["", "fr", "deu", "*", "de;q=1", "de-", "de AT", "../de", "de\n", "d" * 9, "ｄｅ", "\0"]
)
def test_an_unknown_language_is_refused(lang: str) -> None:
    with pytest.raises(UnknownLanguage) as refusal:
        choose(lang, "de")
    assert refusal.value.reason == "must be one of en, de, ru"
    assert len(str(refusal.value)) < 120


def test_a_refusal_repeats_no_more_than_a_little_of_what_was_asked() -> None:
    with pytest.raises(UnknownLanguage) as refusal:
        choose("<script>" * 1000, None)
    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize(
    ("language", "number", "told"),
    [
        ("en", 0, "0 minutes"),
        ("en", 1, "1 minute"),
        ("en", 2, "2 minutes"),
        ("en", 21, "21 minutes"),
        ("de", 0, "0 Minuten"),
        ("de", 1, "1 Minute"),
        ("de", 11, "11 Minuten"),
        *[("ru", number, f"{number} минута") for number in (1, 21, 31, 101, 121)],
        *[("ru", number, f"{number} минуты") for number in (2, 3, 4, 22, 34, 102)],
        *[("ru", number, f"{number} минут") for number in (0, 5, 9, 10, 11, 12, 13, 14, 19, 20, 25, 60, 111, 112, 114)],
    ],
)
def test_nouns_go_with_their_number(language: str, number: int, told: str) -> None:
    assert WORDS[language].minutes(number) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, ["0 seconds", "0 Sekunden", "0 секунд"]),
        (1, ["1 second", "1 Sekunde", "1 секунда"]),
        (119, ["119 seconds", "119 Sekunden", "119 секунд"]),
        (120, ["2 minutes", "2 Minuten", "2 минуты"]),
        (2 * 3600 - 1, ["119 minutes", "119 Minuten", "119 минут"]),
        (3 * 3600, ["3 hours", "3 Stunden", "3 часа"]),
        (7 * 86400, ["7 days", "7 Tage", "7 дней"]),
    ],
)
def test_a_duration_is_told_in_the_unit_that_suits_it(seconds: int, told: list[str]) -> None:
    assert [WORDS[language].duration(seconds) for language in LANGUAGES] == told


MOVES: list[tuple[dict[str, Any], str, str, str]] = [
    (
        {"type": "fix_engine", "minutes": 4, "cost": 4, "chance": 0.7},
        "Fix the engine, 4 minutes, 70\u00a0%",
        "Maschine reparieren, 4 Minuten, 70\u00a0%",
        "Починить двигатель, 4 минуты, 70\u00a0%",
    ),
    (
        {"type": "unblock_hatch", "hatch": "1-3", "minutes": 5, "cost": 7, "chance": 1.0},
        "Unblock hatch 1–3, 5 + 2 minutes, 100\u00a0%",
        "Lukenblockierung 1–3 aufheben, 5 + 2 Minuten, 100\u00a0%",
        "Разблокировать люк 1–3, 5 + 2 минуты, 100\u00a0%",
    ),
    (
        {"type": "open_hatch", "to": "sea", "cost": 1},
        "Open the hatch to the sea, 1 minute",
        "Luke zum Meer öffnen, 1 Minute",
        "Открыть люк в море, 1 минута",
    ),
    ({"type": "use_item", "item": "grog", "cost": 0}, "Drink a grog", "Grog trinken", "Выпить грог"),
    (
        {"type": "trade_items", "with": 1, "cost": 3},
        "Trade with Ada (gnome 2), 3 minutes",
        "Mit Ada (Gnom 2) tauschen, 3 Minuten",
        "Обмен: Ada (гном 2), 3 минуты",
    ),
    (
        {"type": "attack_gnome", "seat": 0, "cost": 1, "chance": 0.55},
        "Attack Gnome 1, 1 minute, 55\u00a0%",
        "Gnom 1 angreifen, 1 Minute, 55\u00a0%",
        "Атака: Гном 1, 1 минута, 55\u00a0%",
    ),
]


@pytest.mark.parametrize(("move", "english", "german", "russian"), MOVES, ids=[move[0]["type"] for move in MOVES])
def test_a_move_is_told_with_its_price(move: dict[str, Any], english: str, german: str, russian: str) -> None:
    assert [WORDS[language].move(move, [None, "Ada"]) for language in LANGUAGES] == [english, german, russian]


def test_done_says_what_is_done_in_each_phase() -> None:
    done = {"type": "done", "cost": 0}
    phases = (None, "trade_give", "trade_return", "defend", "wrap_up", "luck")
    assert len({WORDS["en"].move(done, phase=phase) for phase in phases}) == len(phases)


SENTENCES = [
    (
        {"type": "item_given", "from": 0, "to": 1, "item": "crowbar"},
        "Ada (gnome 2) gets a crowbar from Gnome 1.",
        "Ada (Gnom 2) bekommt eine Brechstange von Gnom 1.",
        "Из рук в руки: лом, Гном 1 → Ada (гном 2).",
    ),
    (
        {"type": "item_given", "from": 0, "to": 1},
        "Ada (gnome 2) gets something from Gnome 1.",
        "Ada (Gnom 2) bekommt etwas von Gnom 1.",
        "Из рук в руки: что-то, Гном 1 → Ada (гном 2).",
    ),
    (
        {"type": "items_discarded", "seat": 1, "item": "grog", "count": 2, "reason": "death"},
        "Lost with Ada (gnome 2): 2 × Grog.",
        "Ada (Gnom 2) nimmt 2 × Grog mit in den Tod.",
        "Ada (гном 2) теряет 2 × Грог.",
    ),
    (
        {"type": "gnome_died", "seat": 1, "cause": "fire", "room": 8},
        "Ada (gnome 2) perishes in the fire in the Equipment Stores.",
        "Ada (Gnom 2) verbrennt im Ausrüstungslager.",
        "Ada (гном 2) сгорает в Магазинах оборудования.",
    ),
    (
        {"type": "faint_checked", "seat": 1, "card": "fire/-", "intoxication": 4},
        "Faint check: Ada (gnome 2), intoxication 4, card –: still standing.",
        "Ohnmachtsprobe: Ada (Gnom 2), Rauschzustand 4, Karte –: bestanden.",
        "Проверка на слабость: Ada (гном 2), опьянение 4, на карте –: пройдена.",
    ),
    (
        {"type": "time_is_short", "seat": 1, "seconds": 15},
        "Ada (gnome 2), hurry: 15 seconds left to decide.",
        "Ada (Gnom 2), Beeilung: noch 15 Sekunden.",
        "Ada (гном 2), время на исходе: 15 секунд.",
    ),
    (
        {"type": "controller_changed", "seat": 0, "kind": "bot", "bot": "cabin_boy"},
        "Gnome 1 is played by a bot from now on (Cabin Boy).",
        "Gnom 1: Ab jetzt spielt ein Bot (Schiffsjunge).",
        "Гном 1: теперь играет бот (Юнга).",
    ),
]


@pytest.mark.parametrize(("event", "english", "german", "russian"), SENTENCES)
def test_an_event_is_told_in_one_sentence(event: dict[str, Any], english: str, german: str, russian: str) -> None:
    assert [WORDS[language].sentence(event, [None, "Ada"]) for language in LANGUAGES] == [english, german, russian]


def test_a_result_tells_of_those_who_abandoned_the_others() -> None:
    rescued = {"crew": "rescued", "cause": "rescued", "seats": ["won", "lost", "won"]}
    lost = {"crew": "lost", "cause": "heat", "seats": ["lost", "won", "won"]}
    english = WORDS["en"]
    assert english.result(rescued, ["", "Ada"]).endswith("Abandoned it, and lost: Ada (gnome 2).")
    assert english.result(lost).endswith("Abandoned it, and won: Gnome 2, Gnome 3.")
    assert "Abandoned" not in english.result(rescued | {"seats": ["won"] * 3})


def test_a_hand_is_told() -> None:
    assert [WORDS[language].items({"grog": 2, "lucky_charm": 1}) for language in LANGUAGES] == [
        "2 × Grog, Lucky charm",
        "2 × Grog, Glücksbringer",
        "2 × Грог, Амулет удачи",
    ]
    assert [WORDS[language].hidden(3) for language in LANGUAGES] == [
        "3 secret items",
        "3 verdeckte Objekte",
        "3 скрытых предмета",
    ]
    assert WORDS["en"].items({}) == "Empty-handed"


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ada", "Ada"),
        ("Ядвига Ö.", "Ядвига Ö."),
        ("  Ada \t Love\nlace ", "Ada Love lace"),
        ("A\u0000d\u001ba\u007f\u0085", "Ada"),
        ("Ada\u202eevil\u202c\u2066\u2069", "Adaevil"),
        ("Ada\u200b\u200d\ufeff\u2028Bob", "Ada Bob"),
        ("{seat} {0} {item.__class__}", "{seat} {0} {item.__class__}"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("Z" + "\u0335" * 50 + "algo", "Z" + "\u0335" * 5 + "algo"),
        ("\u3164\u2800", ""),
        ("\u0335\u0336", ""),
        ("", ""),
        (" \u202e ", ""),
        ("\ud800lone", "lone"),
        ("x" * 500, "x" * 60),
        ("עדה", "עדה"),
    ],
)
def test_a_name_is_cleaned(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
    assert clean_name(clean_name(name)) == cleaned


HOSTILE = [
    "{seat}{to:to}%s%(x)s",
    "\u202egnihtyreve snruT",
    "Ada.\nGnome 3 wins",
    "\x1b[2J\x07",
    "<script>alert(1)</script>",
    "مرحبا",
    "\u2067\u2067\u2067",
    "a" * 10_000,
    "\ud800",
]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:20]))
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_a_hostile_name_breaks_no_sentence(words: Words, name: str) -> None:
    names = [name] * 8
    events: list[dict[str, Any]] = [{"type": "player_joined", "player": "p1", "name": name, "seats": [0, 1]}]
    events += [{"type": "item_given", "from": 0, "to": 7}, {"type": "gnome_moved", "seat": 1, "from": 1, "to": 2}]
    for told in [*(words.sentence(event, names) for event in events), words.decision("hatch", 2, names)]:
        assert told.splitlines() == [told]
        told.encode()
        opened = told.count("\u2068")
        assert told.count("\u2069") == opened
        assert not set(told) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u200e\u200f")
        assert not any(unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") for each in told)
        assert len(told) < 250


def test_a_name_from_right_to_left_is_isolated_and_others_are_not() -> None:
    assert WORDS["en"].gnome(0, ["עדה"]) == "\u2068עדה\u2069 (gnome 1)"
    assert WORDS["en"].gnome(0, ["Ada"]) == "Ada (gnome 1)"


@pytest.mark.parametrize("names", [(), ["Ada"], ["Ada", None], ["Ada", ""], ["Ada", "\u202e"]])
def test_without_a_name_there_is_the_number(names: Any) -> None:
    assert [WORDS[language].gnome(1, names) for language in LANGUAGES] == ["Gnome 2", "Gnom 2", "Гном 2"]


@pytest.mark.parametrize(
    ("language", "card", "tile"), [("en", "card", "tile"), ("de", "karte", "plättchen"), ("ru", "карт", "жетон")]
)
def test_items_are_tiles_in_the_original_edition_and_cards_in_the_revised_one(
    language: str, card: str, tile: str
) -> None:
    told = {
        edition: [
            *(words.name("action", action) for action in ("draw_items", "trade_items")),
            words.name("purpose", "item_card"),
            words.move({"type": "draw_items", "cards": 3, "cost": 3}),
        ]
        for edition, words in (("revised", WORDS[language]), ("original", Words(language, "original")))
    }
    for of_cards, of_tiles in zip(told["revised"], told["original"], strict=True):
        assert (card in of_cards.lower(), tile in of_cards.lower()) == (True, False), of_cards
        assert (card in of_tiles.lower(), tile in of_tiles.lower()) == (False, True), of_tiles
