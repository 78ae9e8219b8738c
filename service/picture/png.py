"""Render SVG as PNG, by resvg and in Open Sans: no fonts or libraries of the machine are needed.

Rendering takes a tenth of a second and holds the GIL, so a server calls `to_png_apart`, which does it in a process of
its own that is ended when it takes too long. That process runs this file alone, and so starts without the rules.
"""

import struct
import subprocess
import sys
from functools import cache
from importlib.resources import files

from resvg import render, usvg

LEAST_WIDTH, MOST_WIDTH = 100, 2400
MOST_SECONDS = 10
SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FONTS = [files("ttf_opensans") / "ttf" / f"OpenSans-{weight}.ttf" for weight in ("Regular", "Bold")]


class PngError(Exception):
    """Raised when the picture could not be rendered."""


@cache
def _options() -> usvg.Options:
    options = usvg.Options.default()
    options.font_family = "Open Sans"
    for font in _FONTS:
        options.load_font_file(str(font))
    return options


def _check(width: int) -> None:
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise ValueError(f"width must be {LEAST_WIDTH} to {MOST_WIDTH}")


def to_png(svg: str, width: int) -> bytes:
    """Render one of our own pictures, so many pixels wide."""
    _check(width)
    tree = usvg.Tree.from_str(svg, _options())
    wide, high = tree.int_size()
    scale = width / wide
    return render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, round(high * scale)))


def to_png_apart(svg: str, width: int) -> bytes:
    """Render in another process, so that this one can go on with other requests."""
    _check(width)
    try:
        done = subprocess.run(
            [sys.executable, "-I", __file__, str(width)],
            input=svg.encode(),
            capture_output=True,
            timeout=MOST_SECONDS,
            check=True,
        )
    except subprocess.SubprocessError as error:
        raise PngError(f"rendering failed: {error}") from error
    if not done.stdout.startswith(SIGNATURE):
        raise PngError("rendering gave no picture")
    return done.stdout


def size(png: bytes) -> tuple[int, int]:
    """Return width and height, from the header."""
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


if __name__ == "__main__":
    sys.stdout.buffer.write(to_png(sys.stdin.buffer.read().decode(), int(sys.argv[1])))
