"""The pages under /docs, in a real browser: they work, can be read by all, and ask nobody but us."""

import gzip
import json
from pathlib import Path

import pytest

from service.api.problems import CODES
from tests.support.browsing import browser, meets_no_obstacle
from tests.support.contract import document, operations
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client, Wire


@pytest.fixture(scope="module")
def visited(api: Client, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    node, chromium, folder = need_node("/docs in a browser"), browser(), tmp_path_factory.mktemp("docs")
    install()
    job: Path = folder / "job.json"
    job.write_text(json.dumps({"address": api.base, "chromium": chromium, "folder": str(folder)}))
    return dict(json.loads(run([node, "visit_docs.mjs", job], CLIENTS)))


def test_the_page_shows_the_contract_and_tries_it_out(visited: Wire) -> None:
    assert visited["title"] == "Red November API"
    assert visited["operations"] == len(list(operations()))
    assert visited["tried"]["status"] == "200"
    assert "hatches" in visited["tried"]["body"]
    assert visited["problems"] == len(CODES)


def test_a_padlock_says_where_a_token_is_optional(visited: Wire) -> None:
    locked = [operation["security"] for _, _, operation in operations() if operation.get("security")]
    assert visited["locks"] == len(locked)
    assert visited["optional"] == sum({} in ways for ways in locked) > 0


def test_the_guide_shows_examples_in_the_chosen_language_alone(visited: Wire) -> None:
    shown = {name: [kind for kind in kinds if kind] for name, kinds in visited["shown"].items()}
    assert shown == {
        "curl": ["language-bash"],
        "Python": ["language-python"],
        "JavaScript": ["language-javascript"],
    }


def test_the_browser_has_nothing_to_complain_of(visited: Wire) -> None:
    assert visited["complaints"] == []
    assert visited["elsewhere"] == []
    assert [name for name in visited["wide"] if name.startswith("guide")] == []


def test_axe_finds_no_obstacle(visited: Wire) -> None:
    """The structure of swagger-ui's page is its own; its colours are ours."""
    ours = [each for each in visited["accessibility"] if each["picture"] != "docs" or each["rule"] == "color-contrast"]
    meets_no_obstacle(ours)


@pytest.mark.parametrize(
    "path",
    ["/openapi.yaml", "/openapi.json", "/docs", "/docs/problems", "/docs/assets/swagger-ui-bundle.js"],
)
def test_what_is_the_same_for_all_is_compressed_and_sent_once(api: Client, path: str) -> None:
    plain, packed = (api.get(path, Accept_Encoding=coding) for coding in ("identity", "gzip"))
    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"]
    assert "content-encoding" not in plain.headers
    again = api.get(path, If_None_Match=plain.headers["etag"], Accept_Encoding="gzip")
    assert (again.status, again.body) == (304, b"")


def test_the_contract_is_there_as_json_too(api: Client) -> None:
    assert api.get("/openapi.json", Accept_Encoding="identity").body == document()
    packed = api.get("/openapi.yaml", Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == api.get("/openapi.yaml").body
