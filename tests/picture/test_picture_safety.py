"""Names can do no harm in a picture, a picture none in a page; and all of it can be read."""

import re
import unicodedata
from typing import Any
from xml.etree import ElementTree

import pytest

from engine import Game, Rules
from service.picture import colours
from service.picture.colours import DARK, LIGHT, SEAT_COLOURS, Palette
from service.picture.drawing import draw
from service.picture.svg import MAX_NAME, clean, fitted, width
from tests.support.pictures import SVG, description, drawn, new_state, state_of, texts

HOSTILE = {
    "markup": "<script>alert(1)</script>",
    "closing": "</text></svg><img src=x onerror=alert(1)>",
    "attribute": '" onload="alert(1)',
    "entity": "&lt;b&gt; &#x41; &xxe;",
    "cdata": "]]><![CDATA[",
    "right to left override": "\u202egnip\u202c",
    "isolates": "\u2066a\u2067b\u2068c\u2069",
    "control": "a\x00b\x08c\x1bd\x7fe\x85",
    "zero width": "a\u200bb\u200dc\ufeffd\u00ade",
    "lines": "a\nb\r\nc\u2028d",
    "not a character": "a\ufffeb\uffff",
    "surrogate": "a\ud800b",
    "private": "a\ue000b",
    "tags": "a\U000e0041b",
    "zalgo": "z" + "\u0300\u0301\u0302\u0303" * 30,
    "long": "W" * 400,
    "blank": "\u3164\u2800 ",
    "nothing": "",
    "hebrew": "שלום",
    "emoji": "👩‍🚀🏴‍☠️",
    "braces": "{name} {0} %s",
}
ELEMENTS = {
    *("svg", "title", "desc", "style", "defs", "linearGradient", "stop", "clipPath"),
    *("rect", "g", "path", "circle", "text"),
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_only_ever_text(name: str) -> None:
    state = state_of(Game.new(Rules(3), seed=bytes(32)), 0, names=(name,) * 3, name=name)
    for seat in state["seats"]:
        seat["bot"] = name
    picture = drawn(state)
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= ELEMENTS
    attributes = {attribute for element in picture.iter() for attribute in element.attrib}
    assert not {each for each in attributes if each.startswith("on") or each.split("}")[-1] in ("href", "style")}
    for text in [*texts(picture), description(picture)]:
        shown = re.sub(r"\u2068|\u2069|(?<=\S)\u200d(?=\S)", "", text)  # what joins the parts of an emoji stays
        assert not [each for each in shown if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn")]
    assert description(picture).count("\u2068") == description(picture).count("\u2069")


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_clean_name_is_short_and_stays_as_it_is(name: str) -> None:
    assert 0 < len(clean(name)) <= MAX_NAME
    assert clean(clean(name)) == clean(name)


def test_a_harmless_name_is_shown_as_it_is() -> None:
    for name in ("Ada", "Jürgen Groß", "Фёдор", "שלום", "O'Neill & Söhne <3", "李小龍"):
        assert clean(name) == name
    assert name in texts(drawn(state_of(Game.new(Rules(3), seed=bytes(32)), names=(name,) * 3)))


def test_long_names_are_cut_with_an_ellipsis() -> None:
    assert clean("W" * 400) == "W" * (MAX_NAME - 1) + "…"
    shown, size = fitted("Wilhelmine von und zu Hohenstein", 16, 100, 12)
    assert shown.endswith("…")
    assert size == 12
    assert width(shown, size) <= 100


def test_the_id_of_a_game_can_do_no_harm() -> None:
    assert "<b" not in draw(new_state(id='"><b onload="x">'))


@pytest.mark.parametrize("theme", colours.THEMES)
def test_nothing_comes_from_elsewhere_and_nothing_runs(theme: str) -> None:
    source = draw(new_state(destruction={"devoured_by_kraken": 30, "crushed": 20}), theme=theme)
    bare = source.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert set(re.findall(r"url\(([^)]*)\)", bare)) <= {f"#rn-sea-{theme}", "#rn-room-1", "#rn-room-10"}
    for word in ("href", "src=", "@import", "http:", "https:", " style="):
        assert word not in bare
    assert {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(source).iter()} <= ELEMENTS


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark_need_no_style_sheet(theme: str) -> None:
    assert "<style" not in draw(new_state(), theme=theme)


def test_light_and_dark_differ_in_colours_only() -> None:
    pictures = [ElementTree.fromstring(draw(new_state(), theme=theme)) for theme in ("light", "dark")]
    shapes = [[(element.tag, element.get("d")) for element in picture.iter()] for picture in pictures]
    assert shapes[0] == shapes[1]
    light, dark = (re.findall("#[0-9a-f]{6}", draw(new_state(), theme=theme)) for theme in ("light", "dark"))
    twins = dict(zip(LIGHT, DARK, strict=True))
    assert [twins.get(colour, colour) for colour in light] == dark


def test_what_is_alike_in_the_light_is_alike_in_the_dark() -> None:
    """A style sheet that knows only colours could not tell roles apart that share one."""
    twins: dict[Any, Any] = {}
    for role, light, dark in zip(LIGHT._fields, LIGHT, DARK, strict=True):
        assert twins.setdefault(light, dark) == dark, role
    assert not set(LIGHT) & {colour for pair in SEAT_COLOURS for colour in pair}


def test_the_automatic_picture_is_the_light_one_with_a_style_sheet_for_the_dark() -> None:
    auto, light = draw(new_state(), theme="auto"), draw(new_state(), theme="light")
    [style] = re.findall("<style>.*?</style>", auto)
    assert auto.replace(style, "").replace("rn-sea-auto", "rn-sea-light").replace('"auto"', '"light"') == light
    assert style == f"<style>{colours.dark_style()}</style>"
    assert re.fullmatch("'sha256-[A-Za-z0-9+/]{43}='", colours.dark_style_source())


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Which text stands on what.
ON = {
    "ink": (
        *("page", "panel", "cell", "cell_event", "cell_item", "cell_end"),
        *("room", "room_fire", "water", "sea_top", "empty"),
    ),
    "faint": ("page", "panel"),
    "danger_text": ("panel",),
    "on_wall": ("wall",),
    "on_gauge": ("calm", "warm", "hot"),
    "on_danger": ("danger",),
    "on_good": ("good",),
    "on_notice": ("notice",),
}


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out(palette: Palette) -> None:
    for text, grounds in ON.items():
        for ground in grounds:
            assert contrast(getattr(palette, text), getattr(palette, ground)) >= 4.5, (text, ground)
    for icon, ground in (("event", "cell_event"), ("item", "cell_item"), ("on_danger", "danger")):
        assert contrast(getattr(palette, icon), getattr(palette, ground)) >= 3, (icon, ground)


def test_the_table_above_names_every_colour_of_text() -> None:
    """Whoever writes in another colour adds it there."""
    source = draw(new_state(destruction={"crushed": 30}), theme="light")
    written = set(re.findall('<text[^>]* fill="(#[0-9a-f]+)"', source))
    assert written <= {getattr(LIGHT, name) for name in ON} | {ink for _, ink in SEAT_COLOURS}


def test_numbers_of_seats_stand_out() -> None:
    for colour, ink in SEAT_COLOURS:
        assert contrast(colour, ink) >= 4.5
    assert len({colour for colour, _ in SEAT_COLOURS}) == 8
