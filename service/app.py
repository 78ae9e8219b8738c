"""The application: `create_app()` for gunicorn and tests."""

from typing import Any

from flask import Flask, Response, request
from flask_smorest import Api
from werkzeug.middleware.proxy_fix import ProxyFix

from service import errors, traffic
from service.api import advice, catalogue, docs, games, moves, operations, pages, pictures, players
from service.config import Config, from_environment
from service.feed import Hub
from service.pictures import Studio
from service.spec import OPTIONS, describe
from service.store import Store

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


class _Api(Api):
    """Every problem is documented where it can happen; there is no default one."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def create_app(config: Config | None = None, store: Store | None = None, slots: int = 1) -> Flask:
    """`slots`: for how many processes requests are counted, each in its own."""
    app = Flask(__name__, static_folder=None)
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
    for module in (games, players, moves, pictures, advice, catalogue):
        api.register_blueprint(module.blueprint)
    docs.register(app, api)
    pages.register(app)
    operations.register(app)
    traffic.register(app, slots, config.log_requests)
    app.after_request(_with_headers)
    return app


def _with_headers(response: Response) -> Response:
    """Limits, and permission for web pages of any origin: tokens are no cookies. On errors, too."""
    headers = response.headers
    meter: Any = request.environ.get("meter")
    if meter is not None:
        headers.extend(meter.headers())
    headers.extend(_EVERYWHERE)
    if request.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
        headers["Access-Control-Allow-Headers"] = ALLOWED
        headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
    return response
