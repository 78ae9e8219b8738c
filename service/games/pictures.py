"""Draw pictures of the board: once for each view of a version, and keep them for a while."""

import threading
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache

from flask import Response

from service.callers.caller import Caller
from service.callers.limits import PAST_MS, PNG_MS
from service.games import past, views
from service.games.access import find
from service.games.polling import caching, version_of
from service.picture import dark_style_source, draw
from service.picture.letters import legible
from service.picture.png import LEAST_WIDTH, MOST_WIDTH, to_png_apart
from service.refusals import Problem
from service.release import RELEASE
from service.store.store import Store
from service.wire import Wire
from service.words import Words

WIDTHS = (LEAST_WIDTH, MOST_WIDTH)  # pixels
WIDTH = 1200
CACHE_BYTES = 4 * 2**20  # of pictures that a process keeps: hundreds of drawings
MOST_RENDERINGS = 2  # of PNGs at a time in a process
PATIENCE_SECONDS = 10.0  # that a request waits for the renderings before it

_PACKING, _GZIP = 3, 31  # the level that is worth its time; zlib's number for the format
SVG, PNG = "image/svg+xml", "image/png"
# When it is opened as a page.
_STATIC = {"Content-Security-Policy": f"default-src 'none'; style-src {dark_style_source()}; frame-ancestors 'none'"}


@cache
def _words(lang: str, edition: str) -> Words:
    """Return the same object each time: drawings cache by it what is the same for all states."""
    return Words(lang, edition)


@dataclass(frozen=True)
class PictureOptions:
    """What a picture shall look like; without a width it is an SVG."""

    theme: str
    lang: str
    version: int | None = None
    width: int | None = None

    def tag(self, version: int, epoch: str, label: str) -> str:
        """Return what tells this picture from all others of the game; another release may draw otherwise."""
        return f"{views.tag(version, epoch, label)}-{self.theme}-{self.lang}-{self.width or 'svg'}-{RELEASE}"


class PictureCache:
    """Keeps the pictures asked for last, up to so many bytes."""

    def __init__(self, most: int = CACHE_BYTES):
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


def _in_letters_of_the_font(state: Wire) -> Wire:
    """Return a state whose names can be painted: without the letters that the font lacks."""
    players = [player | {"name": legible(player["name"])} for player in state["players"]]
    return state | {"name": legible(state["name"] or ""), "players": players}


class Renderer:
    """Draws SVGs, and renders a few PNGs at a time: each takes a processor for a while."""

    def __init__(self) -> None:
        self.cache = PictureCache()
        self._renderings = threading.BoundedSemaphore(MOST_RENDERINGS)

    def draw(self, state: Wire, options: PictureOptions) -> bytes:
        """Return a PNG, or an SVG packed to an eighth of its size."""
        words = _words(options.lang, state["rules"]["edition"])
        drawing = draw(
            state if options.width is None else _in_letters_of_the_font(state), theme=options.theme, words=words
        )
        if options.width is None:
            return zlib.compress(drawing.encode(), _PACKING, _GZIP)
        if not self._renderings.acquire(timeout=PATIENCE_SECONDS):
            raise Problem(
                "too_many_requests", "Too many pictures are being painted.", retry_seconds=5, policy="picture"
            )
        try:
            return to_png_apart(drawing, options.width)
        finally:
            self._renderings.release()


@dataclass(frozen=True)
class Picture:
    """A picture that is asked for, told apart from all others; it is drawn when it is read."""

    game_id: str
    options: PictureOptions
    tag: str
    version: int
    present: int  # the latest version of the game

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that caches go by. The tag is weak: the picture may be packed, or not."""
        varies = {"Vary": "Authorization, Accept-Language, Accept-Encoding"}
        return {"ETag": f'W/"{self.tag}"'} | caching(self.version, self.present) | varies

    @property
    def cache_key(self) -> str:
        return f"{self.game_id} {self.tag}"


def locate(store: Store, game_id: str, caller: Caller, options: PictureOptions) -> Picture:
    """Return which picture the caller asks for, without reading the game."""
    present, epoch, label = version_of(store, game_id, caller)
    version = options.version or present
    past.check(version, present)
    return Picture(game_id, options, options.tag(version, epoch, label), version, present)


def read(store: Store, renderer: Renderer, picture: Picture, caller: Caller, unpacks: bool) -> Response:
    """Answer with a picture; one that was drawn before needs no game. `unpacks`: whether the client takes gzip."""
    options = picture.options
    content = renderer.cache.get(picture.cache_key)
    if content is None:
        is_past = picture.version < picture.present
        caller.meter.work.cost = PNG_MS * (options.width is not None) + PAST_MS * is_past or None
        table, viewer = find(store, picture.game_id, caller)
        seen = past.table_at(store, table, options.version)
        content = renderer.draw(views.state(seen, viewer), options)
        tag = options.tag(
            seen.version, seen.mark.epoch, viewer.label
        )  # the game may have moved on since it was located
        picture = Picture(table.id, options, tag, seen.version, table.version)
        renderer.cache.put(picture.cache_key, content)
    headers = picture.headers | _STATIC
    if options.width is not None:
        return Response(content, 200, headers, content_type=PNG)
    if unpacks:
        headers["Content-Encoding"] = "gzip"
    else:
        content = zlib.decompress(content, _GZIP)
    return Response(content, 200, headers, content_type=f"{SVG}; charset=utf-8")
