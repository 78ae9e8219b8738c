"""Serve the pages for people: what this service is, and its games and matches, live."""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from itertools import islice
from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from redis.exceptions import RedisError
from werkzeug.exceptions import NotFound

import service.pages
from engine.rules import RULES_VERSION
from service.api import assets
from service.api.problems import CODES, STATUS_OF, headers_of, of_http
from service.api.static_files import StaticFile
from service.api.web import caller, store
from service.callers.caller import Caller
from service.games.access import find
from service.games.model import FINISHED
from service.matches import requests, views
from service.matches.repository import MatchRepository
from service.pages import board
from service.pages.guidebook import guide
from service.pages.rulebook import rulebook
from service.pages.texts import TEXTS
from service.picture.layout import WIDE, height
from service.refusals import Problem
from service.store.layouts import NewerLayout
from service.wire import Wire
from service.words import LANGUAGES, UnknownLanguage, Words, choose, clean_name

LISTED = 12  # games of a status
MATCHES_LISTED = 6
STATUSES = ("playing", "waiting", "finished")
_TROUBLES = {"no_such_match": "no_match", "no_page": "no_page"}  # which text a page of trouble has, by code
VOCABULARY = ("item", "condition", "room", "bot", "cause", "phase")  # what the script names by itself
_FOLDER = Path(service.pages.__file__).parent
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Vary": "Accept-Language",
}

_pages = Environment(
    loader=FileSystemLoader(_FOLDER / "templates"),
    autoescape=lambda name: (name or "").endswith(".html"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_pages.filters["clean"] = clean_name
_pages.globals |= {
    "asset": assets.asset,
    "languages": [(language, TEXTS[language]["language"]) for language in LANGUAGES],
    "imports": assets.imports,
    "wide": WIDE,
}


def register(app: Flask) -> None:
    @app.get("/")
    @_in_words
    def home() -> Response:
        return _home()

    @app.get("/rules")
    @_in_words
    def rulings() -> Response:
        return _page("rules.html", rules_version=RULES_VERSION, rulebook=rulebook())

    @app.get("/docs/guide")
    @_in_words
    def guide_() -> Response:
        return _guide(_lang(), _asked(), _origin()).reply(_HEADERS)

    @app.get("/docs/problems")
    @_in_words
    def problem_kinds() -> Response:
        return _problem_kinds(_lang(), _asked()).reply(_HEADERS)

    @app.get("/watch/<game_id>")
    @_in_words
    def watch(game_id: str) -> Response:
        return _watch(game_id)

    @app.get("/matches/<match_id>")
    @_in_words
    def match(match_id: str) -> Response:
        return _match(match_id)

    @app.get("/new")
    @_in_words
    def new_game() -> Response:
        return _client(_lang(), _asked(), "new").reply(_HEADERS)

    @app.get("/join")
    @_in_words
    def join() -> Response:
        return _client(_lang(), _asked(), "join").reply(_HEADERS)

    @app.get("/play/<game_id>")
    @_in_words
    def play(game_id: str) -> Response:
        """Serve the page to play on. It is the same for every game: its script asks for that of its address."""
        return _client(_lang(), _asked(), "play").reply(_HEADERS)

    @app.errorhandler(NotFound)
    def nowhere(error: NotFound) -> Response:
        """Answer people with a page and programs with a problem, where there is nothing."""
        accepted = request.accept_mimetypes
        if request.path.startswith("/v1/") or accepted["text/html"] <= accepted["application/json"]:
            return of_http(error)
        return _trouble(404, {}, "no_page")

    assets.register(app)


def _in_words(view: Callable[..., Response]) -> Callable[..., Response]:
    """Answer with a page, not with a problem, when a page goes wrong: a person reads it."""

    @wraps(view)
    def page(**arguments: str) -> Response:
        try:
            return view(**arguments)
        except Problem as problem:
            return _trouble(STATUS_OF[problem.code], headers_of(problem), problem.code)
        except (RedisError, NewerLayout):
            return _trouble(503, {"Retry-After": "5"})

    return page


def _lang() -> str:
    """Return the language to answer in. One that we don't have is no reason to show nothing."""
    accepted = request.headers.get("Accept-Language")
    try:
        return choose(request.args.get("lang"), accepted)
    except UnknownLanguage:
        return choose(None, accepted)


def _asked() -> str:
    """Return the query that keeps the language that the reader asked for."""
    return f"?lang={_lang()}" if "lang" in request.args else ""


def _origin() -> str:
    return request.host_url.rstrip("/")


def _rendered(template: str, lang: str, asked: str, **facts: Any) -> str:
    return _pages.get_template(template).render(lang=lang, t=TEXTS[lang], asked=asked, **facts)


def _page(template: str, status: int = 200, **facts: Any) -> Response:
    return Response(
        _rendered(template, _lang(), _asked(), origin=_origin(), **facts), status, _HEADERS, mimetype="text/html"
    )


@lru_cache(maxsize=8)
def _guide(lang: str, asked: str, origin: str) -> StaticFile:
    return StaticFile(_rendered("guide.html", lang, asked, chapters=guide(origin)).encode(), "text/html")


@lru_cache(maxsize=8)
def _problem_kinds(lang: str, asked: str) -> StaticFile:
    return StaticFile(_rendered("problems.html", lang, asked, codes=CODES).encode(), "text/html")


@lru_cache(maxsize=24)
def _client(lang: str, asked: str, page: str) -> StaticFile:
    """Return a page of the playing client, which its script fills in."""
    words = {**TEXTS[lang]["client"]["script"], "signs": board.signs()}
    return StaticFile(_rendered("client.html", lang, asked, page=page, words=words).encode(), "text/html")


def _trouble(status: int, headers: dict[str, str], code: str = "") -> Response:
    t = TEXTS[_lang()]
    kind = _TROUBLES.get(code, "missing" if status == 404 else "unavailable")
    page = _page("trouble.html", status, heading=t[kind], reason=t[f"{kind}_why"])
    page.headers.extend({name: value for name, value in headers.items() if name == "Retry-After"})
    return page


def _home() -> Response:
    caller("poll").meter.now(store().redis)
    lists = [(status, [card for _, card in islice(store().public_games.listed(status), LISTED)]) for status in STATUSES]
    by_status = dict(lists)
    featured = next(iter(by_status["playing"] + by_status["finished"]), None)
    return _page(
        "home.html",
        lists=lists,
        featured=featured,
        matches=_matches(),
        height=round(height(featured["rules"]["gnomes"])) if featured else 0,
        quickstart=_pages.get_template("quickstart.sh").render(origin=_origin()),
        start_more=_with_links(TEXTS[_lang()]["start_more"]),
    )


def _matches() -> list[views.MatchSummary]:
    """Return the latest matches, first those that go on."""
    latest = [match for _, match in islice(MatchRepository(store()).listed(), LISTED)]
    shown = sorted(latest, key=lambda match: match.is_over)[:MATCHES_LISTED]
    return [views.summary(match) for match in shown]


def _with_links(text: str) -> Markup:
    return Markup(text).format(
        guide=Markup('<a href="/docs/guide">/docs/guide</a>'),
        docs=Markup('<a href="/docs">/docs</a>'),
        contract=Markup('<a href="/openapi.yaml">/openapi.yaml</a>'),
    )


def _watch(game_id: str) -> Response:
    """Show a game. A private game and one that is not there have the same page: the page itself looks for the game,
    with the token in the fragment of its address, which browsers never send."""
    lang = _lang()
    try:
        table, _ = find(store(), game_id, Caller(None, caller("poll").meter))
    except Problem as problem:
        if problem.code != "no_such_game":
            raise
        name, gnomes, seen_first = "", 4, ""
    else:
        name = clean_name(table.charter.name) or TEXTS[lang]("unnamed", id=game_id)
        gnomes = table.game.rules.gnomes
        seen_first = "&version=1" if table.status == FINISHED else ""  # not how it ended
    found, high = 200 if name else 404, round(height(gnomes))
    return _page(
        "watch.html", found, name=name, game_id=game_id, seen_first=seen_first, words=_words(lang), height=high
    )


def _match(match_id: str) -> Response:
    lang = _lang()
    _, match = requests.find(store(), match_id, Caller(None, caller("poll").meter))
    card = views.summary(match)
    name = clean_name(match.plan.name) or TEXTS[lang]["match"]("unnamed", id=match_id)
    return _page("match.html", name=name, match=card, words=_match_words(lang))


@cache
def _match_words(lang: str) -> Wire:
    texts, shared = TEXTS[lang]["match"], ("connecting", "reconnecting", "failed")
    names = {kind: dict(Words(lang).names[kind]) for kind in ("bot", "cause")}
    names |= {"status": texts["statuses"], "line_up": texts["line_ups"], "verdict": texts["verdicts"]}
    script: Wire = {word: TEXTS[lang]["script"][word] for word in shared}
    return script | texts["script"] | {"names": names}


@cache
def _words(lang: str) -> Wire:
    names = Words(lang).names
    script = TEXTS[lang]["script"] | {"unnamed": TEXTS[lang]["unnamed"]}
    return script | {"names": {kind: dict(names[kind]) for kind in VOCABULARY}}
