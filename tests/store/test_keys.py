"""Names of what Redis holds are written down in one place."""

import ast
import re
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.store import keys, match_keys
from service.store.partitions import Partitions

ROOT = Path(__file__).parents[2]
KNOWN = {
    "service/store/keys.py",
    "service/store/match_keys.py",
    "service/clock.py",  # beneath the store: its one key is named there, and listed in keys.py
    "service/workers/rq_jobs.py",  # questions that wait in a queue look like keys, and are none
    "service/games/odds.py",  # likewise
}
BEGINNINGS = re.compile(
    r"(game|events|odds|advice|answer|games|alive|limit|streams|account|connection|asked|with|rq|match|changed|workers|clock):\S*$"
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


NAMES = keys.Names(Partitions())


def made_of_a_game(names: keys.Names, id_: str) -> list[str]:
    """Return a name of each kind that belongs to a game, a match or their partition."""
    here = names.partitions.of(id_)
    return [
        *names.all_of_game(id_), names.advice(id_, "ADVICE"), names.answer(here, "KEY"),
        names.public_games(here, "STATUS"), names.living_games(here, "STATUS"), names.games_of(here, "CREATOR"),
        names.due(here), names.counters(here), names.requests_with("KIND", "WHO", 7, id_),
        *names.match.of_results(id_, 1, 1), names.match.hash_of(id_), names.match.open_of(id_),
        names.match.created(here), names.match.running(here),
        names.asked(here, "NAME"), names.games_with(here, "NAME"), keys.channel(names.asked(here, "NAME")),
        keys.channel(names.topic(id_)), keys.channel(names.match.hash_of(id_)), keys.channel(names.odds(id_)),
    ]  # fmt: skip


def test_names_in_a_single_redis_are_those_of_every_release() -> None:
    assert [*made_of_a_game(NAMES, "ID"), NAMES.work("WHO", 7)] == [
        "game:ID", "events:ID", "odds:ID", "signals:ID", "advice:ID:ADVICE", "answer:KEY",
        "games:STATUS", "alive:STATUS", "games:of:CREATOR", "due", "metrics", "limit:KIND:WHO:7",
        "match:ID:odd", "match:ID:games:0:0", "match:ID:faults:0:0", "match:ID:moves:0:0", "match:ID", "match:ID:open",
        "matches", "match:running", "asked:NAME", "with:NAME", "changed:asked:NAME",
        "changed:ID", "changed:match:ID", "changed:odds:ID", "limit:work:WHO:7",
    ]  # fmt: skip


def test_names_in_a_cluster_carry_the_tag_of_their_partition_after_the_first_word() -> None:
    names = keys.Names(Partitions(256))
    tag = names.partitions.prefix_of("abcdefghijkmnpqr")
    plain, tagged = (made_of_a_game(each, "abcdefghijkmnpqr") for each in (NAMES, names))
    for single, in_cluster in (("match:running", "running"), ("matches", "matches"), ("due", "due")):
        assert tagged[plain.index(single)] == f"{in_cluster}:{tag[:-1]}"
    assert [name.replace(tag, "") for name in tagged if name.count(tag) == 1] == [
        name for name in plain if name not in ("due", "metrics", "matches", "match:running")
    ]
    assert len({key_slot(name.encode()) for name in tagged}) == 1
    assert {name.partition(":")[0] for name in tagged} - {name.partition(":")[0] for name in plain} == {"running"}


def test_every_key_stands_in_the_table_with_how_long_it_lives() -> None:
    table = keys.__doc__ or ""
    made = {
        NAMES.game("ID"), NAMES.events("ID"), NAMES.odds("ID"), NAMES.signals("ID"), NAMES.advice("ID", "ADVICE"),
        NAMES.answer(0, "KEY"), NAMES.public_games(0, "STATUS"), NAMES.living_games(0, "STATUS"),
        NAMES.games_of(0, "CREATOR"), keys.jobs("NAME"), keys.streams("WHO"), "limit:KIND:WHO:WINDOW",
        NAMES.work("WHO", 0).replace("0", "WINDOW"), NAMES.due(0), NAMES.counters(), keys.WORKERS, keys.BUSY_WORKERS,
        keys.REPORTS, keys.sweeper(0), keys.backlog(7).replace("7", "SHARE"), keys.PARTITIONS, keys.CLOCK_OFFSET,
    }  # fmt: skip
    assert [
        key for key in made if not re.search(rf"^({re.escape(key)}|.*, {re.escape(key)})\b", table, re.MULTILINE)
    ] == []


def test_every_key_of_a_match_stands_in_its_table() -> None:
    table, names = match_keys.__doc__ or "", NAMES.match
    results = [names.of_series("ID", kind, 0, 0).replace("0:0", "S:L") for kind in match_keys.KINDS]
    fixed = (names.hash_of("ID"), names.open_of("ID"), names.odd_of("ID"), names.created(0), names.running(0))
    assert [key for key in (*fixed, *results) if not re.search(rf"^{re.escape(key)} ", table, re.MULTILINE)] == []
    assert set(names.of_results("ID", 1, 1)) == {key.replace("S:L", "0:0") for key in (*results, "match:ID:odd")}
