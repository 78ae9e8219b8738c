"""Serve the contract, and a page to try it on. No asset comes from elsewhere."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
import yaml
from flask import Flask, redirect
from werkzeug.wrappers import Response as Answer

from service.api.static_files import StaticFile

CONTRACT = Path(__file__).with_name("openapi.yaml")  # generated, committed and shipped: the one that is served
_ASSETS = Path(str(files("flask_swagger_ui"))) / "dist"
_OWN = Path(__file__).parents[1] / "pages" / "docs"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".png": "image/png"}
_SERVED = {
    "swagger-ui.css": _ASSETS, "swagger-ui-bundle.js": _ASSETS, "favicon-32x32.png": _ASSETS,
    "docs.css": _OWN, "start.js": _OWN,
}  # fmt: skip
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PLAIN = {"Cache-Control": "no-cache"}
_HEADERS = {**_PLAIN, "Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"}
_CACHED = {"Cache-Control": "public, max-age=86400"}
_JSON = "application/json"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_ICON = '<link rel="icon" href="/docs/assets/favicon-32x32.png">'
_PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Red November API</title>
{_ICON}
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/assets/docs.css">
</head>
<body>
<div id="contract"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/start.js"></script>
</body>
</html>
"""


def register(app: Flask) -> None:
    """Add the addresses. Each file is read and compressed when somebody asks for it first."""
    _serve(app, "/openapi.yaml", lambda: StaticFile(CONTRACT.read_bytes(), "application/yaml"), _PLAIN)
    _serve(app, "/openapi.json", lambda: StaticFile(_as_json(), _JSON), _PLAIN)
    _serve(app, "/docs", lambda: StaticFile(_PAGE.encode(), "text/html"), _HEADERS)

    @app.get("/docs/assets/<name>")
    def asset(name: str) -> Answer:
        return _asset(name).reply(_CACHED) if name in _SERVED else redirect("/docs")


def _serve(app: Flask, path: str, made: Callable[[], StaticFile], headers: dict[str, str]) -> None:
    once = cache(made)
    app.add_url_rule(path, path, lambda: once().reply(headers))


@cache
def _asset(name: str) -> StaticFile:
    return StaticFile((_SERVED[name] / name).read_bytes(), _TYPES[Path(name).suffix])


def _as_json() -> bytes:
    return orjson.dumps(yaml.load(CONTRACT.read_bytes(), _Loader))
