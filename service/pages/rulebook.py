"""Render the engine's rulebook, `engine/RULES.md`, as the part of the page `/rules` that is in English only."""

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

MARKS = ("text", "ruling", "reconstructed")
_HEADING = re.compile(r"^## §(\d+) (.+)$", re.MULTILINE)
_REFERENCE = re.compile(r"(?<!## )§(\d+)")
_MARK = re.compile(rf"\[({'|'.join(MARKS)})\]")


class Rulebook(NamedTuple):
    """The rulebook as HTML, and its sections as pairs of number and title."""

    html: Markup
    sections: list[tuple[str, str]]


@cache
def rulebook() -> Rulebook:
    """Read the rulebook once for each process: it is part of what is installed."""
    return render(files("engine").joinpath("RULES.md").read_text(encoding="utf-8"))


def render(text: str) -> Rulebook:
    """Make HTML without styles, scripts and markup of its own, so that the page's policy can stay strict.

    Headings sink by one level, as the page has a title already. References such as §5 become links, and the marks that
    tell where a rule comes from become emphasis.
    """
    sections = _HEADING.findall(text)
    linked = _MARK.sub(r"*\1*", _REFERENCE.sub(r"[§\1](#s\1)", text))
    markdown = MarkdownIt("js-default")
    tokens = markdown.parse(linked)
    for token, title in pairwise(tokens):
        if token.type == "heading_open":
            number = re.match(r"§(\d+) ", title.content)
            token.attrSet("id", f"s{number[1]}" if number else "rulebook")
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) + 1}"
    return Rulebook(Markup(markdown.renderer.render(tokens, markdown.options, {})), sections)
