"""The application: `create_app()` for gunicorn and tests."""

from typing import Any

from flask import Flask, Response, current_app, request
from flask_smorest import Api
from werkzeug.middleware.proxy_fix import ProxyFix

from service import errors
from service.api import advice, catalogue, docs, games, matches, moves, operations, pages, pictures, players
from service.config import Config, from_environment
from service.feed import Hub
from service.pictures import Studio
from service.spec import OPTIONS, describe
from service.store import Store
from service.traffic import Traffic

ALLOWED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-API-Key, "
    "X-Request-ID"
)
EXPOSED = (
    "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, Preference-Applied, "
    "WWW-Authenticate, X-Request-ID, Deprecation, Sunset"
)
_EVERYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED,
    "X-Content-Type-Options": "nosniff",
}
_PREFLIGHT_SECONDS = "86400"


class _App(Flask):
    def wsgi_app(self, environ: dict[str, Any], start_response: Any) -> Any:
        self.extensions["traffic"].began(environ)
        return super().wsgi_app(environ, start_response)


class _Api(Api):
    """Every problem is documented where it can happen; there is no default one."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def create_app(config: Config | None = None, store: Store | None = None, slots: int = 1) -> Flask:
    """`slots`: for how many processes requests are counted, each in its own."""
    app = _App(__name__, static_folder=None)
    config = config or from_environment()
    app.config |= OPTIONS | {"MAX_CONTENT_LENGTH": config.max_body_bytes, "API_TITLE": "Red November"}
    app.url_map.strict_slashes = False
    store = store or Store.connect(config)
    app.extensions |= {"config": config, "store": store, "hub": Hub(store.redis), "studio": Studio()}
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    api = _Api(app)
    errors.register(app)
    describe(api)
    for module in (games, players, moves, pictures, advice, matches, catalogue):
        api.register_blueprint(module.blueprint)
    docs.register(app, api)
    pages.register(app)
    operations.register(app)
    app.extensions["traffic"] = Traffic(app, slots, config.log_requests)
    app.after_request(_with_headers)
    return app


def _with_headers(response: Response) -> Response:
    """Limits, and permission for web pages of any origin: tokens are no cookies. On errors, too; and all is counted."""
    headers, environ = response.headers, request.environ
    meter: Any = environ.get("meter")
    if meter is not None:
        headers.extend(meter.headers())
    headers.extend(_EVERYWHERE)
    if request.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
        headers["Access-Control-Allow-Headers"] = ALLOWED
        headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
    current_app.extensions["traffic"].ended(environ, request.url_rule, response)
    return response
