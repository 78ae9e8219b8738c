"""What the guide at /docs/guide shows runs as it is printed, in three languages."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.pages.guidebook import CHAPTERS, SHOWN_AT, text_of
from tests.support.node import run
from tests.support.serving import Client, serving
from tests.support.tools import need

pytestmark = pytest.mark.thorough

LANGUAGES = {"bash": ["bash", "-euo", "pipefail"], "python": [sys.executable], "javascript": ["node"]}
BEGIN = CHAPTERS[0]
# What a chapter's examples print, whatever their language.
PRINTED = {
    "first-game": r"crew.*(rescued|lost)",
    "a-turn": r"^foreseen in room (sea|\d+), gone to room \1$",
    "waiting": r"crew.*(rescued|lost)[\s\S]*over: \1",
    "resuming": r"^over: (rescued|lost), from event 1 to \d\d+, gaps: 0$",
    "retries": r"^attempt 1: game (\w+)\nattempt 2: game \1\n(.*version.*\d.*)\n\2\nversion_conflict$",
    "hidden-hands": r"^Cleo sees 1 of 3 hands, 6 cards\nA spectator sees 0 of 3 hands, 6 cards$",
    "your-bot": r"^the crew is (rescued|lost), late: 0$",
    "friends": r"^playing: seat 2 is Bert's\ni1: used$",
    "a-client": r"^Turn \d+: [\s\S]*\nshowed a plan of \d+ moves, then played 2 turns$",
    "games": r"^found: 1, table: elm$",
    "matches": r"^finished: 8 games, sailors saved [0-4]\ngnomes,",
    "versions": r"^no end in sight$",
}


def examples(chapter: str, language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", text_of(chapter), re.M | re.S))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Start a service with a worker, as `make serve` does."""
    with serving(tmp_path_factory.mktemp("guide")) as served:
        yield served.api


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chapter", PRINTED)
def test_an_example_does_what_the_guide_says(service: Client, tmp_path: Path, chapter: str, language: str) -> None:
    for tool in {"bash": ("curl", "jq"), "python": (), "javascript": ("node",)}[language]:
        package = "nodejs" if tool == "node" else tool
        need(tool, f"the guide's examples in {language}", f"`apt-get install {package}`")
    program = examples(BEGIN, language) + "\n" + examples(chapter, language)
    assert SHOWN_AT in program
    file = tmp_path / ("example.mjs" if language == "javascript" else "example")
    file.write_text(program.replace(SHOWN_AT, service.base))
    said = run([*LANGUAGES[language], file], tmp_path, PATH=os.environ["PATH"])
    assert re.search(PRINTED[chapter], said.strip(), re.M), said


def test_every_chapter_has_its_examples_in_every_language() -> None:
    told = [chapter for chapter in CHAPTERS if "```" in text_of(chapter)]
    assert told == [BEGIN, *PRINTED]
    for chapter in told:
        for language in LANGUAGES:
            assert examples(chapter, language), (chapter, language)
