"""The rulebook, engine/RULES.md: it has every section that is cited, and says what the engine's tables say."""

import re
from pathlib import Path

import pytest

from engine.board import (
    ACTION_ROOM,
    ACTION_TRACK,
    EVENT_MINUTES,
    EXTERIOR_ROOMS,
    HATCHES,
    ITEM_MINUTES,
    START_MINUTES,
)
from engine.cards import BONUSES, EVENT_COPIES, EVENT_TOKENS, ITEM_COPIES
from engine.enums import SEA, Action, Event, Item, Room
from engine.moves import hatch_name

ROOT = Path(__file__).parents[2]
RULEBOOK = (ROOT / "engine/RULES.md").read_text()
SECTIONS = re.findall(r"^## §(\d+) ", RULEBOOK, re.MULTILINE)
CITING = [file for folder in ("engine", "bots", "service", "tests") for file in (ROOT / folder).rglob("*.py")]
MARKS = {"text", "ruling", "reconstructed"}


def rows(first_column: str) -> dict[str, list[str]]:
    """The rows of the table that begins with this column, by their first cell."""
    _, _, table = RULEBOOK.partition(f"\n| {first_column} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {first.strip(" `"): rest for first, *rest in cells}


def test_sections_are_numbered_from_one_to_eleven() -> None:
    assert [str(number) for number in range(1, 12)] == SECTIONS


def test_every_section_that_is_cited_exists() -> None:
    cited = {
        (number, str(file.relative_to(ROOT)))
        for file in CITING
        for number in re.findall(r"§(\d+)", file.read_text())
    }  # fmt: skip
    assert len({number for number, _ in cited}) >= 10
    assert [place for place in sorted(cited) if place[0] not in SECTIONS] == []
    assert set(re.findall(r"§(\d+)", RULEBOOK)) <= set(SECTIONS)


def test_every_chapter_of_the_compiled_rules_cites_the_rulebook() -> None:
    plumbing = {"__init__.py", "bounds.py", "doors.py", "jit.py", "journal.py", "linked.py", "state.py", "stepping.py"}
    chapters = [file for file in (ROOT / "engine/compiled").glob("*.py") if file.name not in plumbing]
    assert [file.name for file in chapters if "§" not in file.read_text()] == []


def test_marks_are_those_that_the_rulebook_explains() -> None:
    assert set(re.findall(r"\[(\w+)\]", RULEBOOK)) == MARKS
    assert all(f"\n- [{mark}] " in RULEBOOK for mark in MARKS)


def test_items_and_their_copies_are_those_of_the_engine() -> None:
    assert {name: int(copies) for name, (copies, _) in rows("item").items()} == {
        item.name.lower(): copies for item, copies in ITEM_COPIES.items()
    }


@pytest.mark.parametrize("item", Item)
def test_an_item_adds_what_the_rulebook_says(item: Item) -> None:
    added = {int(number) for number in re.findall(r"adds (\d)", rows("item")[item.name.lower()][1])}
    assert added == set(BONUSES.get(item, {}).values())


def test_events_their_copies_and_their_faint_numbers_are_those_of_the_engine() -> None:
    printed = {name: (int(copies), numbers) for name, (copies, _, numbers) in rows("event").items()}
    assert printed == {
        event.name.lower(): (len(numbers.split()), numbers) for event, numbers in EVENT_COPIES.items()
    }  # fmt: skip


@pytest.mark.parametrize("event", Event)
def test_an_event_places_the_token_that_the_rulebook_says(event: Event) -> None:
    placed = re.findall(r"`(\w+)` is placed (\d+) minutes ahead", rows("event")[event.name.lower()][1])
    expected = EVENT_TOKENS.get(event)
    assert placed == ([] if expected is None else [(expected[0].name.lower(), str(expected[1]))])


def test_actions_and_their_rooms_are_those_of_the_engine() -> None:
    printed = rows("action")
    assert set(printed) == {action.name.lower() for action in Action}
    for action, room in ACTION_ROOM.items():
        assert printed[action.name.lower()][0] == ("the sea" if room == SEA else f"room {int(room)}")


def test_rooms_and_tracks_are_those_of_the_engine() -> None:
    assert {number: name.replace("'", "").replace(" ", "_").upper() for number, (name, _) in rows("room").items()} == {
        str(int(room)): room.name for room in Room
    }
    assert {name: int(room) for name, (_, room) in rows("track").items()} == {
        track.name.lower(): int(ACTION_ROOM[action]) for action, track in ACTION_TRACK.items()
    }


def test_the_board_is_that_of_the_engine() -> None:
    hatches = " ".join(hatch_name(hatch) for hatch in range(len(HATCHES)))
    assert f"`{hatches}` [reconstructed]" in " ".join(RULEBOOK.split())
    assert "Rooms {}, {} and {} have an exterior hatch".format(*EXTERIOR_ROOMS) in " ".join(RULEBOOK.split())
    assert (*range(57, 20, -3), *range(18, 1, -2)) == EVENT_MINUTES
    assert ITEM_MINUTES == (50, 40, 30, 20, 10)
    assert START_MINUTES == {3: 60, 4: 60, 5: 60, 6: 54, 7: 48, 8: 42}
