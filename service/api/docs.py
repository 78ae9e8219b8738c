"""Serve the contract, a page to try it on, and what every kind of problem means. No asset comes from elsewhere."""

from html import escape
from importlib.resources import files
from pathlib import Path

from flask import Flask, Response, redirect, send_from_directory
from werkzeug.wrappers import Response as Answer

from service.api.problems import CODES

CONTRACT = Path(__file__).with_name("openapi.yaml")  # generated, committed and shipped: the one that is served
_ASSETS = Path(str(files("flask_swagger_ui"))) / "dist"
_SERVED = {"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"}

_ICON = '<link rel="icon" href="/docs/assets/favicon-32x32.png">'
_PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Red November API</title>
{_ICON}
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<main id="contract"></main>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """window.ui = SwaggerUIBundle({
  url: "/openapi.yaml", dom_id: "#contract", deepLinking: true, validatorUrl: null, persistAuthorization: true,
  docExpansion: "list", defaultModelsExpandDepth: 0, tryItOutEnabled: true,
});
"""


def register(app: Flask) -> None:
    contract = CONTRACT.read_bytes()

    @app.get("/openapi.yaml")
    def openapi() -> Response:
        return Response(contract, mimetype="application/yaml", headers={"Cache-Control": "no-cache"})

    @app.get("/docs")
    def docs() -> Response:
        return Response(_PAGE, mimetype="text/html", headers=_HEADERS)

    @app.get("/docs/start.js")
    def start() -> Response:
        return Response(_START, mimetype="text/javascript", headers=_HEADERS)

    @app.get("/docs/assets/<name>")
    def asset(name: str) -> Answer:
        if name not in _SERVED:
            return redirect("/docs")
        return send_from_directory(_ASSETS, name, max_age=86400)

    @app.get("/docs/problems")
    def problems() -> Response:
        rows = "".join(
            f'<tr id="{code}"><td><code>{code}</code></td><td>{status}</td><td>{escape(title)}</td></tr>'
            for code, (status, title) in CODES.items()
        )
        page = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title>{_ICON}'
            f"<h1>Problems</h1><table><tr><th>code</th><th>status</th><th>meaning</th></tr>{rows}</table></html>"
        )
        return Response(page, mimetype="text/html", headers=_HEADERS)
