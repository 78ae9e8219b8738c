"""Flask, without what no request of ours needs: sessions, coroutines, names of hosts that are read twice."""

from functools import lru_cache
from typing import Any

from flask import Flask, Request, request
from flask import Response as FlaskResponse
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import BadHost
from werkzeug.http import remove_entity_headers
from werkzeug.routing import MapAdapter
from werkzeug.sansio.utils import get_host

from service.wire import Wire


class _NoSessions(SessionInterface):
    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        return self._none


class App(Flask):
    session_interface = _NoSessions()

    def ensure_sync(self, func: Any) -> Any:
        """Return the function: none of ours is a coroutine, which Flask would look for several times a request."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds the route of a request: as Flask does, with each name of a host read once."""
        environ: Wire = request.environ if request else {}
        if request is None or "HTTP_UPGRADE" in environ or "HTTP_HOST" not in environ:
            return super().create_url_adapter(request)
        trusted, scheme = self.config["TRUSTED_HOSTS"], environ["wsgi.url_scheme"]
        request.trusted_hosts = trusted
        request.host, server = _host(scheme, environ["HTTP_HOST"], tuple(trusted or ()))
        return MapAdapter(
            self.url_map, server, environ["SCRIPT_NAME"], "", scheme, _text(environ["PATH_INFO"]),
            environ["REQUEST_METHOD"], _text(environ["QUERY_STRING"]),
        )  # fmt: skip

    def preprocess_request(self) -> Any:
        """Look whether a query is taken; nothing else is done before a view."""
        return super().preprocess_request() if request.query_string else None


@lru_cache(128)
def _host(scheme: str, header: str, trusted: tuple[str, ...]) -> tuple[str, str]:
    """Return the host as the request names it, and as routes are bound to it. Raises SecurityError or BadHost."""
    host = get_host(scheme, header, None, trusted)
    name, colon, port = host.lower().partition(":")
    try:
        return host, f"{name.encode('idna').decode('ascii')}{colon}{port}"
    except UnicodeError as error:
        raise BadHost from error


def _text(value: str) -> str:
    """Return what WSGI tells byte by byte as text."""
    return value if value.isascii() else value.encode("latin-1").decode(errors="replace")


class Response(FlaskResponse):
    """An answer that is whole, with headers that are as they are to be: none need be looked at again."""

    def __call__(self, environ: Wire, start_response: Any) -> Any:
        status = self.status_code
        if environ["REQUEST_METHOD"] == "HEAD" or status not in (200, 304):
            return super().__call__(environ, start_response)
        if status == 304:
            remove_entity_headers(self.headers)
        start_response(self.status, self.headers.to_wsgi_list())
        return () if status == 304 else self.response
