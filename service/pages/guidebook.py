"""Render the guide, `guide/*.md`, as the part of the page `/docs/guide` that is in English only.

Each example is there in curl, Python and JavaScript, in blocks that follow one another; a style shows the reader's
language. The tests run the blocks of a chapter as one program, after those of the first chapter.
"""

import re
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

from service.pages.markdown import to_html

CHAPTERS = (
    "begin", "first-game", "a-turn", "waiting", "resuming", "retries", "hidden-hands", "bots", "your-bot", "friends",
    "a-client", "games", "matches", "versions", "changes",
)  # fmt: skip
SHOWN_AT = "http://127.0.0.1:8000"  # where the examples look for the service, as the files have it
_FOLDER = files("service.pages").joinpath("guide")


class Chapter(NamedTuple):
    """A part of the guide, with the id that links lead to."""

    id: str
    title: str
    html: Markup


def text_of(chapter: str) -> str:
    """Return a chapter as it is written."""
    return _FOLDER.joinpath(f"{chapter}.md").read_text(encoding="utf-8")


def guide(origin: str) -> list[Chapter]:
    """Return the chapters, with examples for the service at that address."""
    return [_chapter(name, text_of(name).replace(SHOWN_AT, origin)) for name in CHAPTERS]


def _chapter(name: str, text: str) -> Chapter:
    title, _, rest = text.removeprefix("# ").partition("\n")
    return Chapter(name, title, to_html(rest, lambda heading: f"{name}-{_slug(heading)}"))


def _slug(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
