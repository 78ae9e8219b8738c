"""Serve what pages load, scripts, styles and pictures, under addresses that may be cached for ever."""

import hashlib
import posixpath
import re
from functools import cache
from pathlib import Path

from flask import Flask, Response

import service.pages
from service.api.static_files import StaticFile
from service.refusals import Problem

_FOLDER = Path(service.pages.__file__).parent / "assets"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

ASSETS = {
    file.relative_to(_FOLDER).as_posix(): file.read_bytes()
    for file in sorted(_FOLDER.rglob("*"))
    if file.suffix in _TYPES
}
# In their address, so that they may be cached for ever.
ASSETS_VERSION = hashlib.sha256(b"".join(name.encode() + content for name, content in ASSETS.items())).hexdigest()[:12]
_FILES = {name: StaticFile(content, _TYPES[Path(name).suffix]) for name, content in ASSETS.items()}


def asset(name: str) -> str:
    """Return an asset's address."""
    return f"/assets/{ASSETS_VERSION}/{name}"


@cache
def imports(module: str, found: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the modules that a script imports, directly or not: the browser asks for all of them at once."""
    for there in re.findall(r'from "(\.{1,2}/[\w./]+)"', ASSETS[module].decode()):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(module), there))
        if name not in found:
            found = imports(name, (*found, name))
    return found


def register(app: Flask) -> None:
    @app.get("/assets/<version>/<path:name>")
    def page_asset(version: str, name: str) -> Response:
        """Serve an asset. While releases change, one process may be asked for what another one named."""
        if name not in _FILES:
            raise Problem("not_found", "There is no such file.")
        cached = "public, max-age=31536000, immutable" if version == ASSETS_VERSION else "no-cache"
        return _FILES[name].reply({"Cache-Control": cached})
