"""Put the application together: `create_app()` for gunicorn and tests."""

from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service import clock
from service.api import (
    advice,
    bots,
    catalogue,
    docs,
    games,
    invitations,
    matches,
    moves,
    operations,
    pages,
    pictures,
    players,
    problems,
    signals,
    streams,
)
from service.api.application import App
from service.api.compression import compress
from service.api.traffic import Traffic
from service.callers.door import HUNG_UP, HungUp
from service.config import Config, from_environment
from service.games.pictures import Renderer
from service.logs import REQUEST_ID
from service.store.feed import Hub
from service.store.store import Store
from service.wire import Wire

ALLOWED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-API-Key, "
    "X-Request-ID, traceparent, tracestate, baggage, sentry-trace"
)
EXPOSED = (
    "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, Preference-Applied, "
    "Read-Only, WWW-Authenticate, X-Request-ID, Deprecation, Sunset, Link"
)
# For pages of any origin, as tokens are no cookies.
_EVERYWHERE = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
)
_PREFLIGHT_SECONDS = "86400"
# In the order in which the contract shows them.
_VIEWS = (games, players, invitations, moves, signals, streams, pictures, advice, matches, bots, catalogue)
BLUEPRINTS = tuple(module.blueprint for module in _VIEWS)


class _App(App):
    def wsgi_app(self, environ: Wire, start_response: Any) -> Any:
        """Answer a request, and add the headers that every answer has, errors too. They are added to what leaves:
        Werkzeug would look at each of them several times before."""
        self.extensions["traffic"].begin(environ)

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            headers += _EVERYWHERE
            headers.append((REQUEST_ID, environ["request_id"]))
            if meter := environ.get("meter"):
                headers += meter.headers().items()
            return start_response(status, headers, *more)

        return super().wsgi_app(environ, start)


def create_app(config: Config | None = None, store: Store | None = None, slots: int = 1) -> Flask:
    """Return the public application. `slots` is for how many processes requests are counted, each in its own."""
    app = _App(__name__, static_folder=None)
    config = config or from_environment()
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.config["TRUSTED_HOSTS"] = list(config.public_hosts) or None
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # it would redirect to whatever host the request names
    store = store or Store.connect(config)
    clock.follow(store.redis)
    app.extensions |= {"config": config, "store": store, "hub": Hub(store.redis), "renderer": Renderer()}
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    problems.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    docs.register(app)
    pages.register(app)
    operations.register_alive(app)
    app.register_error_handler(HungUp, lambda _: Response(status=HUNG_UP))
    app.after_request(_with_headers)
    ours = _operations(app)
    app.extensions["operations"] = ours
    app.extensions["traffic"] = ours.extensions["traffic"] = Traffic((app, ours), slots, config.log_requests)
    return app


def _operations(app: Flask) -> Flask:
    """Return what operators see, under an address of its own. It shares the extensions of the public application."""
    ours = _App(f"{__name__}.operations", static_folder=None)
    ours.extensions |= app.extensions
    problems.register(ours)
    operations.register_alive(ours)
    operations.register(ours)
    ours.after_request(_with_headers)
    return ours


def _with_headers(response: Response) -> Response:
    """Add the headers that some answers have, errors too; and count.

    What is compressed is compressed here, so that its time counts, too.
    """
    asked = request._get_current_object()  # type: ignore[attr-defined]
    compress(asked, response)
    headers, extensions = response.headers, current_app.extensions
    if refusal := extensions["store"].redis.refusal:
        headers["Read-Only"] = refusal
    if asked.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
        headers["Access-Control-Allow-Headers"] = ALLOWED
        headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
    extensions["traffic"].end(asked.environ, asked.url_rule, response)
    return response
