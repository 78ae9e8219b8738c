"""The page at /docs, in a real browser: it works, and asks nobody but us."""

import json
import shutil

import pytest

from service.api.problems import CODES
from tests.support.contract import operations
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("left out: /docs in a browser, for want of one; `apt-get install chromium`")
    return found


def test_the_page_shows_the_contract_and_tries_it_out(api: Client) -> None:
    node, chromium = need_node("/docs in a browser"), browser()
    install()
    seen = json.loads(run([node, "visit_docs.mjs", api.base, chromium], CLIENTS))
    assert seen["title"] == "Red November API"
    assert seen["operations"] == len(list(operations()))
    assert seen["tried"]["status"] == "200"
    assert "hatches" in seen["tried"]["body"]
    assert seen["problems"] == len(CODES)
    assert seen["elsewhere"] == []
    assert seen["complaints"] == []
