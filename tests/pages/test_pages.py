"""The pages as they are served: in three languages, under a strict policy, and with nothing in them that could act."""

import html
import re
import shutil
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.rules import RULES_VERSION
from service.api.assets import ASSETS, ASSETS_VERSION
from service.app import create_app
from service.config import Config
from service.pages.rulebook import render
from service.pages.texts import TEXTS
from service.picture.colours import SEAT_COLOURS
from tests.support.answers import LAST_MOVE, NO_ACTION, finished, refused
from tests.support.node import install, need_node, run
from tests.support.serving import Client, new_game

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
LANGUAGES = ("en", "de", "ru")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ROOT = Path(__file__).parents[2]
WRITING = (b"innerHTML", b"outerHTML", b"insertAdjacentHTML", b"document.write", b"eval(", b"Storage")
# One module keeps seats, for pages that begin; the library can write markup, which none of our modules asks it to.
ALLOWED = {
    "play/core/store.js": (b"Storage",),
    "play/pages/begin.js": (b"Storage",),
    "play/vendor/preact.js": (b"innerHTML",),
}


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self._in: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._in:
            del self._in[len(self._in) - 1 - self._in[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if data.strip() and "script" not in self._in:
            self.said.append(data.strip())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(client: Client, path: str, status: int = 200, **headers: str) -> Page:
    reply = client.get(path, **headers)
    assert (reply.status, reply.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert reply.headers["content-security-policy"] == POLICY
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "Accept-Language" in reply.headers["vary"]
    seen = Page(reply.body.decode())
    check_nothing_acts(seen)
    return seen


def check_nothing_acts(seen: Page) -> None:
    """As the policy would have it, anyway."""
    for tag, attributes in seen.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], (tag, attributes)
        assert tag not in ("style", "base", "form", "iframe", "object")
        for name in ("src", "href"):
            assert "javascript:" not in (attributes.get(name) or "")
            assert "//" not in (attributes.get(name) or ""), "only from here"
    for script in seen.all("script"):
        assert script.get("src") or script["type"] == "application/json"


def test_every_language_has_texts_of_its_own() -> None:
    assert len(list(TEXTS["en"].fields())) > 90
    alike = [key for key in TEXTS["en"] if TEXTS["en"][key] == TEXTS["ru"][key]]
    assert alike == []


def test_every_text_is_used_and_every_one_used_is_there() -> None:
    templates = "".join(file.read_text() for file in (ROOT / "service/pages/templates").iterdir())
    scripts = "".join(content.decode() for name, content in ASSETS.items() if name.endswith(".js"))
    python = (ROOT / "service/api/pages.py").read_text()
    script_texts = TEXTS["en"]["script"]
    play_texts = TEXTS["en"]["client"]["script"]
    match_texts = TEXTS["en"]["match"]
    outcomes = {"won", "lost"}
    unused = [key for key in script_texts if f'"{key}"' not in scripts and f"t.script.{key}" not in templates]
    assert set(unused) <= outcomes  # of a seat
    said = {*re.findall(r'say\(\s*"(\w+)"', scripts), *re.findall(r"t\.script\.(\w+)", templates)}
    assert said - script_texts.keys() - match_texts["script"].keys() - play_texts.keys() - {"unnamed"} == set()
    spoken_for = outcomes | {"problems"}  # by the codes that are answered
    named_by_script = {key for key in play_texts if key.startswith(("tab_", "line_", "coach_"))} | spoken_for
    assert [key for key in play_texts.keys() - named_by_script if f'"{key}"' not in scripts] == []
    assert [
        key for key in match_texts["script"] if f'"{key}"' not in scripts and f"m.script.{key}" not in templates
    ] == []
    named = {"statuses", "line_ups", "verdicts", "script"}  # what the script names by itself
    told = {*re.findall(r'\b(?:m|t\.match)(?:\.|\(")(\w+)', templates)}
    assert told | named == match_texts.keys()
    used = {*re.findall(r'\bt(?:\.|\(")(\w+)', templates)}
    assert used <= TEXTS["en"].keys()
    by_name = {"script", "language", "waiting", "playing", "finished", "rescued", "lost"}  # of a status, of a result
    by_kind = {f"{kind}{why}" for kind in ("missing", "no_match", "no_page", "unavailable") for why in ("", "_why")}
    assert [key for key in TEXTS["en"].keys() - used - by_name - by_kind if f'"{key}"' not in python] == []


def test_the_first_page_tells_what_there_is(api: Client) -> None:
    waiting = new_game(api, start=False, name="A game that waits")
    under_way = new_game(api, name="A game under way")
    over = finished(api, name="A game that is over")
    seen = page(api, "/")
    links = [link.get("href") for link in seen.all("a")]
    for game, name in ((waiting, "A game that waits"), (under_way, "A game under way"), (over, "A game that is over")):
        assert f"/watch/{game.path.rpartition('/')[2]}" in links
        assert name in seen.said
    assert {"/docs", "/openapi.yaml"} <= set(links)
    assert any(api.base in said for said in seen.said)
    private = api.post("/v1/games", {"visibility": "private", "name": "Nobody's business"}).body["game"]["id"]
    assert private not in str(page(api, "/").tags)


def quickstart(client: Client) -> str:
    (program,) = re.findall(r"<pre.*?><code>(.*?)</code></pre>", client.get("/").body.decode(), re.S)
    return html.unescape(program)


def test_what_the_first_page_shows_plays_a_game(api: Client, tmp_path: Path) -> None:
    for tool in ("curl", "jq"):
        if shutil.which(tool) is None:
            pytest.skip(f"left out: the first page's commands, for want of {tool}; `apt-get install {tool}`")
    said = run(["bash", "-euo", "pipefail", "-c", quickstart(api)], tmp_path)
    assert re.search("(rescued|lost)", said)
    (watch,) = re.findall(rf"{api.base}(/watch/\w+)", said)
    page(api, watch)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_rules_names_every_ruling_and_every_guess(api: Client, language: str) -> None:
    seen = page(api, f"/rules?lang={language}")
    texts = TEXTS[language]["rulings"]
    for told in (*texts["read_items"].values(), *texts["pictured_items"].values()):
        assert told in seen.said
    assert any(texts["version"].format(version=RULES_VERSION) in said for said in seen.said)
    assert {"href": f"/rules?lang={language}"} in page(api, f"/?lang={language}").all("a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_rules_holds_the_whole_rulebook_in_english(api: Client, language: str) -> None:
    seen = page(api, f"{api.get('/v1/rules').body['rulebook']}?lang={language}")
    headings = re.findall(r"^#+ (.+)$", (ROOT / "engine/RULES.md").read_text(), re.MULTILINE)
    assert len(headings) == 12
    assert set(headings) <= set(seen.said)
    assert any(section.get("lang") == "en" for section in seen.all("section"))
    assert len(seen.all("table")) == 6
    assert {"text", "ruling", "reconstructed"} <= set(seen.said)
    assert not [said for said in seen.said if re.search(r"\*\*|^#|\[ruling\]|\]\(|`", said)], "Markdown is left over"


def test_every_link_inside_the_page_of_the_rules_leads_somewhere(api: Client) -> None:
    seen = page(api, "/rules")
    targets = [link["href"] for link in seen.all("a") if str(link["href"]).startswith("#")]
    named = [attributes["id"] for _, attributes in seen.tags if "id" in attributes]
    assert len(targets) > 30
    assert {f"#{name}" for name in named} >= set(targets)
    assert len(named) == len(set(named))


def test_a_rulebook_can_smuggle_nothing_into_the_page() -> None:
    html_of_it = str(render("# Rules\n\n## §1 One\n\n<script>x</script> [a](javascript:x) §1 [text] [other]").html)
    assert "<script" not in html_of_it
    assert 'href="javascript' not in html_of_it
    assert '<h3 id="s1">§1 One</h3>' in html_of_it
    assert '<a href="#s1">§1</a> <em>text</em> [other]' in html_of_it


def test_pages_speak_the_language_that_is_asked_for(api: Client) -> None:
    game = new_game(api).path.rpartition("/")[2]
    for path in ("/", f"/watch/{game}", "/watch/nonesuch"):
        for query, accepted, language in (
            ("", "", "en"),
            ("", "fr, de;q=0.5", "de"),
            ("?lang=ru", "de", "ru"),
            ("?lang=klingon", "de", "de"),
        ):
            status = 404 if "nonesuch" in path else 200
            seen = page(api, path + query, status, Accept_Language=accepted)
            assert seen.all("html")[0]["lang"] == language
            assert TEXTS[language]["independent"] in seen.said
            here = [link["hreflang"] for link in seen.all("a") if link.get("aria-current")]
            assert here == [language]


def test_a_language_once_chosen_stays(api: Client) -> None:
    links = [link["href"] or "" for link in page(api, "/?lang=ru").all("a") if "/watch/" in (link["href"] or "")]
    assert links
    assert all(link.endswith("?lang=ru") for link in links)


def test_names_are_text_and_nothing_else(api: Client) -> None:
    created = api.post("/v1/games", {"seats": ["open"] * 3, "name": EVIL}).body
    assert api.post(f"/v1/games/{created['game']['id']}/players", {"name": EVIL}).status == 201
    for path in ("/", f"/watch/{created['game']['id']}"):
        seen = page(api, path)
        assert any(EVIL in said for said in seen.said)
        assert all(image.get("src") != "x" for image in seen.all("img"))


def test_the_page_of_a_game_that_is_over_begins_with_its_start(api: Client) -> None:
    game = new_game(api, position=LAST_MOVE)
    path = game.path.replace("/v1/games", "/watch")
    before = [src for image in page(api, path).all("img") if "board" in (src := image["src"] or "")]
    assert game.players[0].post(f"{game.path}/moves", {"moves": [NO_ACTION]}).status == 200
    after = [src for image in page(api, path).all("img") if "board" in (src := image["src"] or "")]
    assert after == [f"{src}&version=1" for src in before] != []


@pytest.mark.parametrize("path", ["/new", "/join", f"/play/{'a' * 16}"])
def test_a_link_to_play_tells_messengers_what_it_is(api: Client, path: str) -> None:
    told = {meta.get("property"): meta.get("content") or "" for meta in page(api, f"{path}?lang=de").all("meta")}
    assert "Roter November" in told["og:title"]
    assert len(told["og:description"]) > 30


def test_an_address_can_do_no_harm(api: Client) -> None:
    reply = api.get("/", Host='evil.example"><script>alert(1)</script>')
    assert b"<script>alert" not in reply.body
    for path in ("/watch/%3Cimg%20src=x%20onerror=alert(1)%3E", "/watch/%22onload=%22alert(1)"):
        page(api, path, 404)


def test_a_private_game_looks_like_none(api: Client) -> None:
    created = api.post("/v1/games", {"visibility": "private", "name": "Nobody's business"}).body
    private, missing = (api.get(f"/watch/{id_}") for id_ in (created["game"]["id"], "a" * 16))
    assert (private.status, missing.status) == (404, 404)
    assert private.body.replace(created["game"]["id"].encode(), b"a" * 16) == missing.body


def test_assets_are_cached_for_ever_under_an_address_of_their_own(api: Client) -> None:
    for name in ASSETS:
        reply = api.get(f"/assets/{ASSETS_VERSION}/{name}")
        assert reply.status == 200
        assert "immutable" in reply.headers["cache-control"]
        assert api.get(f"/assets/of-another-release/{name}").headers["cache-control"] == "no-cache"
    assert api.get(f"/assets/{ASSETS_VERSION}/watch.js").headers["content-type"] == "text/javascript; charset=utf-8"
    for name in ("none.js", "..%2f..%2fapp.py", "texts.py"):
        refused(api.get(f"/assets/{ASSETS_VERSION}/{name}"), "not_found")
    named = {attributes.get("src") or attributes.get("href") for _, attributes in page(api, "/").tags}
    assert f"/assets/{ASSETS_VERSION}/page.css" in named


def test_scripts_write_text_and_no_markup() -> None:
    for name, content in ASSETS.items():
        if name.endswith(".js"):
            may = ALLOWED.get(name, ())
            for forbidden in WRITING:
                assert forbidden in may or forbidden not in content, name
            assert len(content.splitlines()) <= 350


def test_no_module_asks_the_library_for_markup() -> None:
    ours = [content for name, content in ASSETS.items() if name.endswith(".js") and "vendor/" not in name]
    assert not [content for content in ours if b"dangerously" in content]


def test_the_library_is_the_one_that_npm_delivers() -> None:
    need_node("the vendored library")
    delivered = (install() / "htm/preact/standalone.module.js").read_bytes()
    assert ASSETS["play/vendor/preact.js"] == delivered, "`make vendor` copies it again"


def test_the_pages_are_packaged() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["service"]
    packaged = {file for pattern in data for file in (ROOT / "service").glob(pattern)}
    assert {file for file in (ROOT / "service/pages").rglob("*.*") if file.suffix not in (".py", ".pyc")} <= packaged


def test_gnomes_have_the_colours_of_the_board() -> None:
    css = ASSETS["page.css"].decode()
    found = re.findall(r'\[data-seat="(\d)"\] \{ --seat: (#\w+); --on-seat: (#\w+); \}', css)
    assert found == [(str(seat), *colours) for seat, colours in enumerate(SEAT_COLOURS)]


def test_where_there_is_nothing_people_get_a_page_and_programs_a_problem(api: Client) -> None:
    seen = page(api, "/nowhere?lang=de", 404, Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert TEXTS["de"]["no_page"] in seen.said
    for path, accepted in (("/nowhere", "*/*"), ("/v1/nowhere", "text/html")):
        refused(api.get(path, Accept=accepted), "not_found")


def test_without_the_store_a_page_says_so_in_words() -> None:
    client = create_app(Config("redis://127.0.0.1:1", limits={})).test_client()
    for path in ("/", "/watch/" + "a" * 16):
        reply = client.get(path, headers={"Accept-Language": "de"})
        assert reply.status_code == 503
        assert reply.headers["Retry-After"]
        assert TEXTS["de"]["unavailable"] in reply.text
