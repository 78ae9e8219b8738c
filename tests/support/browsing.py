"""What tests of pages share: a browser, and how they say what somebody could not use or read there."""

import shutil

import pytest

from tests.support.serving import Wire

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("left out: pages in a browser, for want of one; `apt-get install chromium`")
    return found


def meets_no_obstacle(found: list[Wire]) -> None:
    """Fail with all that axe says of each: pytest cuts a long list short, and chance may not show it again."""
    lines = [
        "{rule} in {picture}.png, {page}\n  at {node}: {html}\n  {why}".format_map(
            each | {"why": each["why"].replace("\n", "\n  ")}
        )
        for each in found
    ]
    assert not found, "\n".join(["axe found obstacles:", *lines])
