"""Pictures as PNG: of the size that was asked for, in a font that we bring along, and not blank."""

import struct
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest

from service.picture import png
from service.picture.drawing import draw
from service.picture.png import LEAST_WIDTH, MOST_WIDTH, PngError, size, to_png, to_png_apart
from service.words import Words
from tests.support.pictures import new_state


def pixels(picture: bytes) -> bytes:
    """The filtered lines, unpacked: enough to see that they are not all alike."""
    place, packed = len(png.SIGNATURE), b""
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        if picture[place + 4 : place + 8] == b"IDAT":
            packed += picture[place + 8 : place + 8 + length]
        place += length + 12
    return zlib.decompress(packed)


def text(words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60" font-family="Open Sans, sans-serif">'
        f'<text x="5" y="40" font-size="30">{words}</text></svg>'
    )


@pytest.mark.parametrize("width", [LEAST_WIDTH, 640])
def test_it_is_as_wide_as_it_was_asked_for(width: int) -> None:
    picture = to_png(draw(new_state(), theme="light"), width)
    assert picture.startswith(png.SIGNATURE)
    assert size(picture)[0] == width
    assert size(picture)[1] == pytest.approx(width * 0.87, rel=0.01)


def test_it_is_not_blank_and_tells_states_themes_and_languages_apart() -> None:
    ways = [
        draw(new_state(), theme="light"),
        draw(new_state(), theme="dark"),
        draw(new_state(), theme="light", words=Words("ru")),
        draw(new_state(destruction={"crushed": 30}), theme="light"),
    ]
    pictures = [pixels(to_png(way, 300)) for way in ways]
    assert len(set(pictures)) == len(ways)
    assert all(len(set(picture)) > 100 for picture in pictures)


@pytest.mark.parametrize("words", ["Äöüß", "Жщыё", "Ωλ", "…×–"])
def test_our_font_has_the_letters(words: str) -> None:
    """A letter that a font lacks is drawn as an empty box: all of those look alike."""
    boxes = {to_png(text("\u6f22" * count), 400) for count in range(1, 10)}
    drawn = [to_png(text(letter), 400) for letter in words]
    assert len(set(drawn)) == len(words)
    assert not boxes & set(drawn)


@pytest.mark.parametrize("width", [LEAST_WIDTH - 1, MOST_WIDTH + 1, 0, -5])
@pytest.mark.parametrize("render", [to_png, to_png_apart])
def test_no_other_width_is_rendered(render: Callable[..., bytes], width: int) -> None:
    with pytest.raises(ValueError, match="width must be"):
        render(draw(new_state()), width)


def test_a_process_of_its_own_renders_the_same() -> None:
    drawing = draw(new_state(), theme="light")
    assert to_png_apart(drawing, 300) == to_png(drawing, 300)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PngError):
        to_png_apart("<svg", 300)


def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "MOST_SECONDS", 0.001)
    with pytest.raises(PngError, match="timed out"):
        to_png_apart(draw(new_state()), 300)


def test_the_process_needs_no_rules_and_reads_nothing_of_ours() -> None:
    """Starting it must be quick: only this one file is run, and the engine is not compiled."""
    done = subprocess.run(
        [sys.executable, "-I", "-X", "importtime", png.__file__, "200"],
        input=draw(new_state(), theme="light").encode(),
        capture_output=True,
        check=True,
    )
    assert b"numba" not in done.stderr
    assert b"engine" not in done.stderr
