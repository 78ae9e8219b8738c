"""Render the engine's rulebook, `engine/RULES.md`, as the part of the page `/rules` that is in English only."""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

from service.pages.markdown import to_html

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
    """Return the rulebook with links for references such as §5, and emphasis for the marks that tell where a rule comes
    from."""
    sections = _HEADING.findall(text)
    linked = _MARK.sub(r"*\1*", _REFERENCE.sub(r"[§\1](#s\1)", text))
    return Rulebook(to_html(linked, _id_of), sections)


def _id_of(heading: str) -> str:
    number = re.match(r"§(\d+) ", heading)
    return f"s{number[1]}" if number else "rulebook"
