"""Names of what Redis holds are written down in one place."""

import ast
import re
from pathlib import Path

import pytest

from service.store import keys, match_keys

ROOT = Path(__file__).parents[2]
KNOWN = {
    "service/store/keys.py",
    "service/store/match_keys.py",
    "service/clock.py",  # beneath the store: its one key is named there, and listed in keys.py
    "service/workers/rq_jobs.py",  # questions that wait in a queue look like keys, and are none
    "service/games/odds.py",  # likewise
}
BEGINNINGS = re.compile(
    r"(game|events|odds|advice|answer|games|alive|limit|streams|rq|match|changed|workers|clock):\S*$"
)


def literals(source: str) -> list[str]:
    """The string constants of a module, and what its f-strings begin with."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            found.append(str(node.values[0].value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return found


def keys_in(source: str) -> list[str]:
    return [each for each in literals(source) if BEGINNINGS.match(each)]


@pytest.mark.parametrize("key", ['f"game:{id_}"', '"workers:busy"', 'f"limit:work:{caller}:{window}"'])
def test_a_literal_key_is_found(key: str) -> None:
    assert keys_in(f"client.get({key})")


def test_no_other_module_names_a_key() -> None:
    modules = {str(path.relative_to(ROOT)): path for path in (ROOT / "service").rglob("*.py")}
    assert modules.keys() > KNOWN
    named = {
        name: found for name, path in modules.items() if name not in KNOWN and (found := keys_in(path.read_text()))
    }
    assert named == {}


def test_every_key_stands_in_the_table_with_how_long_it_lives() -> None:
    table = keys.__doc__ or ""
    made = {
        keys.game("ID"), keys.events("ID"), keys.odds("ID"), keys.advice("ID", "ADVICE"),
        keys.answer("KEY"), keys.public_games("STATUS"), keys.living_games("STATUS"), keys.games_of("CREATOR"),
        keys.jobs("NAME"), keys.streams("WHO"), "limit:KIND:WHO:WINDOW", keys.work("WHO", 0).replace("0", "WINDOW"),
        keys.DUE, keys.COUNTERS, keys.WORKERS, keys.BUSY_WORKERS, keys.REPORTS, keys.SWEEPER, keys.CLOCK_OFFSET,
    }  # fmt: skip
    assert [
        key for key in made if not re.search(rf"^({re.escape(key)}|.*, {re.escape(key)})\b", table, re.MULTILINE)
    ] == []


def test_every_key_of_a_match_stands_in_its_table() -> None:
    table = match_keys.__doc__ or ""
    results = [match_keys.of_series("ID", kind, 0, 0).replace("0:0", "S:L") for kind in match_keys.KINDS]
    made = [match_keys.hash_of("ID"), match_keys.open_of("ID"), match_keys.odd_of("ID"), match_keys.LIST, *results]
    assert [key for key in made if not re.search(rf"^{re.escape(key)} ", table, re.MULTILINE)] == []
    assert set(match_keys.of_results("ID", 1, 1)) == {key.replace("S:L", "0:0") for key in (*results, "match:ID:odd")}
