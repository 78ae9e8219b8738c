"""Pictures of the board: drawn once for each view of a version, and kept for a while."""

import threading
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import Response

from service import past, views
from service.access import Caller, find
from service.errors import Problem
from service.history import ENGINE_VERSION
from service.picture import dark_style_source, draw
from service.picture.png import LEAST_WIDTH, MOST_WIDTH, to_png_apart
from service.polling import caching, version_of
from service.store import Store
from service.words import Words

WIDTHS = (LEAST_WIDTH, MOST_WIDTH)  # pixels
WIDTH = 1200
ALBUM_BYTES = 4 * 2**20  # that a process keeps: hundreds of drawings
EASELS = 2  # a process
PATIENCE_SECONDS = 10.0  # with those who are before one

_PACKING, _GZIP = 3, 31  # the level that is worth its time; zlib's number for the format
SVG, PNG = "image/svg+xml", "image/png"
# When it is opened as a page.
_STATIC = {"Content-Security-Policy": f"default-src 'none'; style-src {dark_style_source()}; frame-ancestors 'none'"}


@cache
def _words(lang: str, edition: str) -> Words:
    """One object each: a drawing keeps what is the same for all states by it."""
    return Words(lang, edition)


@dataclass(frozen=True)
class Wish:
    """What to draw how; without a width, as SVG."""

    theme: str
    lang: str
    version: int | None = None
    width: int | None = None

    def tag(self, version: int, epoch: str, label: str) -> str:
        """What tells this picture from all others of the game; another release may draw otherwise."""
        return f"{views.tag(version, epoch, label)}-{self.theme}-{self.lang}-{self.width or 'svg'}-{ENGINE_VERSION}"


class Album:
    """The pictures asked for last, up to so many bytes."""

    def __init__(self, most: int = ALBUM_BYTES):
        self._most, self.bytes = most, 0
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            found = self._pictures.get(key)
            if found is not None:
                self._pictures.move_to_end(key)
            return found

    def put(self, key: str, picture: bytes) -> None:
        with self._lock:
            self.bytes += len(picture) - len(self._pictures.pop(key, b""))
            self._pictures[key] = picture
            while self.bytes > self._most:
                self.bytes -= len(self._pictures.popitem(last=False)[1])


class Studio:
    """Draws; paints a few at a time, as each takes a processor for a while."""

    def __init__(self) -> None:
        self.album = Album()
        self._easels = threading.BoundedSemaphore(EASELS)

    def draw(self, state: dict[str, Any], wish: Wish) -> bytes:
        """SVG comes packed, to an eighth of its size."""
        drawing = draw(state, theme=wish.theme, words=_words(wish.lang, state["rules"]["edition"]))
        if wish.width is None:
            return zlib.compress(drawing.encode(), _PACKING, _GZIP)
        if not self._easels.acquire(timeout=PATIENCE_SECONDS):
            raise Problem("too_many_requests", "Too many pictures are being painted.", headers={"Retry-After": "5"})
        try:
            return to_png_apart(drawing, wish.width)
        finally:
            self._easels.release()


def show(store: Store, studio: Studio, game_id: str, caller: Caller, known: Any, wish: Wish, unpacks: bool) -> Response:
    """The picture; or 304 for whoever has it. Neither that nor one that was drawn already needs the game itself."""
    present, epoch, label = version_of(store, game_id, caller)
    version = wish.version or present
    past.check(version, present)
    tag = wish.tag(version, epoch, label)
    if known and known.contains_weak(tag):
        return Response(status=304, headers=_headers(tag, version, present))
    picture = studio.album.get(f"{game_id} {tag}")
    if picture is None:
        table, viewer = find(store, game_id, caller)
        seen = past.table_at(store, table, wish.version)
        picture = studio.draw(views.state(seen, viewer), wish)
        tag, version, present = wish.tag(seen.version, seen.epoch, viewer.label), seen.version, table.version
        studio.album.put(f"{game_id} {tag}", picture)
    headers = _headers(tag, version, present) | _STATIC
    if wish.width is not None:
        return Response(picture, 200, headers, content_type=PNG)
    if unpacks:
        headers["Content-Encoding"] = "gzip"
    else:
        picture = zlib.decompress(picture, _GZIP)
    return Response(picture, 200, headers, content_type=f"{SVG}; charset=utf-8")


def _headers(tag: str, version: int, present: int) -> dict[str, str]:
    """Weak: it may be packed, or not."""
    varies = {"Vary": "Authorization, Accept-Language, Accept-Encoding"}
    return {"ETag": f'W/"{tag}"'} | caching(version, present) | varies
