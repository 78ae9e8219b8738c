"""The guides for whoever takes over name what there is, and nothing that is not."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "deploy/README.md")
PACKAGES = ("engine", "bots", "red_november_client", "service")


def the_map() -> str:
    """Return the last section of the README, which fits on one screen."""
    return (ROOT / "README.md").read_text().partition("\n## Where things are\n")[2]


def rooms() -> list[str]:
    folders = [path.parent for package in PACKAGES for path in (ROOT / package).glob("*/__init__.py")]
    return sorted(str(path.relative_to(ROOT)) for path in folders) + [*PACKAGES, "deploy", "tests"]


def modules() -> list[str]:
    files = [path for package in PACKAGES for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"]
    return sorted(str(path.relative_to(ROOT)) for path in files)


@pytest.mark.parametrize("room", rooms())
def test_the_map_names_every_room(room: str) -> None:
    assert re.search(rf"`({re.escape(room)}|{room.rpartition('/')[2]})/`", the_map())


@pytest.mark.parametrize("module", modules())
def test_the_map_names_every_module_that_lies_in_no_room(module: str) -> None:
    assert f"`{Path(module).name}`" in the_map()


def test_the_map_fits_on_one_screen() -> None:
    assert len(the_map().splitlines()) <= 40


@pytest.mark.parametrize("guide", GUIDES)
def test_what_a_guide_names_is_there(guide: str) -> None:
    """A name is one of ours when it begins with a folder of ours; what commands write to `build/` need not be there."""
    text = (ROOT / guide).read_text()
    named = {*re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text), *re.findall(r"\]\(((?!https?:)[\w./-]+)\)", text)}
    bases = ROOT, ROOT / "service", ROOT / "tests", (ROOT / guide).parent
    named = {name for name in named if Path(name).parts[0] != "build"}
    ours = {name for name in named if any((base / Path(name).parts[0]).exists() for base in bases)}
    assert ours
    assert not [name for name in ours if not any((base / name).exists() for base in bases)]
