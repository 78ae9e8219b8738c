"""Say which letters the font of PNGs has. What it lacks would be drawn as boxes."""

import struct
from functools import cache
from importlib.resources import files

from service.words import clean_name

_FONT = files("ttf_opensans") / "ttf" / "OpenSans-Regular.ttf"
_TABLES, _ENTRY = 12, 16  # bytes: where the list of tables begins, and how long each of its entries is


def legible(name: str) -> str:
    """Return a name without the letters that the font lacks; nothing if none is left."""
    return clean_name("".join(each for each in clean_name(name) if each in letters()))


@cache
def letters() -> frozenset[str]:
    """Return the characters of the font: of the ranges in the part of its file that leads from characters to shapes."""
    font = _FONT.read_bytes()
    (count,) = struct.unpack_from(">H", font, 4)
    entries = (struct.unpack_from(">4s4xI", font, _TABLES + _ENTRY * number) for number in range(count))
    table = next(start for name, start in entries if name == b"cmap")
    (ranges,) = struct.unpack_from(">I", font, table + 8)  # of the first kind of characters, which are Unicode's
    (segments,) = struct.unpack_from(">6xH", font, table + ranges)
    ends = struct.unpack_from(f">{segments // 2}H", font, table + ranges + 14)
    starts = struct.unpack_from(f">{segments // 2}H", font, table + ranges + 16 + segments)
    return frozenset(chr(code) for start, end in zip(starts, ends, strict=True) for code in range(start, end + 1))
