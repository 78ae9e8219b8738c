"""Silly turns: each is counted where it was made, and nowhere else; and the games of any tree can be counted."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bots.arena import crews
from bots.arena.series import game_seed
from bots.training import ladder, silliness
from bots.training.follies import follies
from bots.training.replayed import BadGame, replayed
from engine import Game, Rules
from engine.moves import NO_MOVE, move_id
from tests.support.helpers import position, scripted, walk

Wire = dict[str, Any]
Moves = Sequence[Mapping[str, Any] | str]
CALM = scripted(events=["respite"] * 32)


def silly(kind: str, game: Game, *moves: Mapping[str, Any] | str) -> list[int]:
    """The turns in which those moves are silly in that way."""
    turns, end = replayed(game.record, list(ids(moves)))
    return [folly.turn for folly in follies(turns, end) if folly.kind == kind]


def ids(moves: Moves) -> Iterator[int]:
    return (move_id({"type": move} if isinstance(move, str) else move) for move in moves)


def test_a_game_is_played_again_turn_by_turn() -> None:
    begun = crews.starts(Rules(4), 1, range(2))
    results, lines = crews.play([crews.SAILOR], begun)
    for number, (result, line) in enumerate(zip(results, lines, strict=True)):
        turns, end = replayed(begun[[number]], line[line != NO_MOVE].tolist())
        assert [turn.number for turn in turns] == list(range(1, result[crews.TURNS] + 1))
        assert end[0].cause == result[crews.CAUSE]
        assert {turn.seat for turn in turns} == {0, 1, 2, 3}


def test_a_move_that_is_not_legal_is_named() -> None:
    with pytest.raises(BadGame, match=r"move 1, \d+, is not legal"):
        replayed(position().record, list(ids(["no_action", "enter"])))


def test_idling_is_silly_beside_work_that_is_clearly_better() -> None:
    heat = position([{"room": 4, "items": {"reactor_manual": 2}}], active=0, tracks={"heat": 9}, script=CALM)
    calm = position([{"room": 9, "items": {"grog": 3, "crowbar": 3}}], active=0, script=CALM)
    for game, turns in ((heat, [1]), (calm, [])):
        assert silly("idle_beside_work", game, "no_action") == turns
        assert silly("idle", game, "no_action") == [1]
    assert silly("idle", heat, {"type": "fix_reactor", "minutes": 3}) == []
    assert silly("idle_beside_work", heat, {"type": "fix_reactor", "minutes": 3}) == []


IDLER: Wire = {"minutes": 14, "room": 9}
MECHANIC: Wire = {"minutes": 14, "room": 1, "items": {"engine_manual": 1}}


def doomed(mechanic: Wire, token: int = 11, dice: Sequence[int] = ()) -> Game:
    """Three gnomes, of whom one may have what it takes, and a token that is about to hit."""
    calm = scripted(dice=dice)
    return position([mechanic, IDLER, IDLER], active=0, ghost=14, destruction={"crushed": token}, script=calm)


def test_letting_a_token_be_that_one_could_remove_is_silly_if_it_hits() -> None:
    # One who has 14, 13 and 12 minutes left may still do it; of those who have 11 it is too much.
    assert silly("put_off", doomed(MECHANIC), *["no_action"] * 12) == [1, 6, 7]
    assert silly("put_off", doomed({**MECHANIC, "items": {}}), *["no_action"] * 12) == []  # they hardly could
    assert silly("put_off", doomed({**MECHANIC, "room": 5}, 13), *["no_action"] * 6) == []
    assert silly("put_off", doomed(MECHANIC, 3), *["no_action"] * 6) == []  # it has not hit yet


def test_trying_in_vain_to_remove_a_token_is_not_silly() -> None:
    attempt = {"type": "fix_engine", "minutes": 3}
    assert silly("put_off", doomed(MECHANIC, dice=[10]), attempt, *["no_action"] * 8) == []


def walker(**more: Any) -> Game:
    """Somebody who has two turns before the others have one."""
    items = {"grog": 1}
    return position([{"minutes": 20, "items": items}, {"minutes": 9}, {"minutes": 9}], active=0, script=CALM, **more)


def test_walking_to_and_fro_is_silly_unless_something_is_done_or_fled_from() -> None:
    there: Moves = [*walk(8), "no_action"]
    work: Moves = [*walk(8), {"type": "draw_items", "cards": 1}]
    back = walk(9)
    assert silly("to_and_fro", walker(), *there, *back, "no_action") == [2]
    assert silly("to_and_fro", walker(), *work, *back, "no_action") == []
    assert silly("to_and_fro", walker(), *there, *walk(10), "no_action") == []
    assert silly("to_and_fro", walker(rooms={"8": {"water": "high"}}), *there, *back, "no_action") == []
    fire, grog = walker(rooms={"9": {"fire": True}}), {"type": "use_item", "item": "grog"}
    assert silly("to_and_fro", fire, *there, grog, *back, {"type": "extinguish_fire", "minutes": 7}) == []


def test_giving_and_giving_back_is_silly() -> None:
    both = [{"minutes": 20, "items": {"toolbox": 1}}, {"minutes": 20, "items": {"crowbar": 1}}, {"minutes": 9}]
    game = position(both, active=0, script=CALM)
    box, bar = ({"type": "give_item", "item": item} for item in ("toolbox", "crowbar"))
    to_first, to_second = ({"type": "trade_items", "with": seat} for seat in (0, 1))
    assert silly("given_back", game, to_second, box, box, "done") == [1]
    assert silly("given_back", game, to_second, box, "done", to_first, box, "done") == [2]
    assert silly("given_back", game, to_second, box, "done", to_first, bar, "done") == []


@pytest.mark.parametrize(
    ("gnomes", "blocked", "room", "hatch", "more", "harmful"),
    [
        ([10, 5, 5], ["9-10"], 8, "8-10", {}, True),  # somebody sits in room 10
        ([9, 5, 5], ["9-10"], 8, "8-10", {}, False),
        ([10, 5, 5], ["9-10"], 8, "7-8", {}, False),
        ([9, 5, 5], ["1-3"], 2, "1-2", {"tracks": {"pressure": 7}}, True),
        ([9, 5, 5], ["1-3"], 2, "1-2", {"destruction": {"crushed": 5}}, True),
        ([9, 5, 5], ["1-3"], 2, "1-2", {"tracks": {"pressure": 5}}, False),
        ([9, 5, 5], [], 2, "1-2", {"tracks": {"pressure": 7}}, False),
        ([9, 9, 9], ["5-7", "5-8", "1-3"], 2, "1-2", {"tracks": {"pressure": 7}}, False),  # nobody came there before
    ],
)
def test_blocking_a_last_way_is_silly(
    gnomes: list[int], blocked: list[str], room: int, hatch: str, more: Wire, harmful: bool
) -> None:
    game = position(
        [{"room": here} for here in gnomes], active=0, ghost=20, phase="block_hatch", pending={"room": room},
        blocked_hatches=blocked, script=CALM, **more,
    )  # fmt: skip
    assert bool(silly("shut_in", game, {"type": "block_hatch", "hatch": hatch})) == harmful


def test_a_block_that_no_choice_avoids_is_not_silly() -> None:
    game = position(
        [{"room": 9}, {"room": 9}, {"room": 9}], active=0, ghost=20, phase="block_hatch", pending={"room": 1},
        blocked_hatches=["2-3", "2-4", "2-5", "3-4"], tracks={"pressure": 7, "asphyxiation": 7}, script=CALM,
    )  # fmt: skip
    assert silly("shut_in", game, {"type": "block_hatch", "hatch": "1-2"}) == []


Run = tuple[str, Any]


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, *more: object) -> Run:
    """What `make silliness` prints and writes."""
    told = folder / "told.json"
    monkeypatch.setattr(sys, "argv", ["silliness", "--processes", "2", "--json", str(told), *map(str, more)])
    silliness.main()
    return capsys.readouterr().out, json.loads(told.read_text())["groups"]


def test_the_same_games_are_counted_the_same_from_wherever_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "games.ndjson"
    asked = ["--crew", "sailor,clumsy", "--gnomes", "3,5", "--count", 24]
    table, groups = run(monkeypatch, capsys, tmp_path, *asked, "--save", kept)
    assert [(group["gnomes"], group["games"]) for group in groups] == [(3, 12), (5, 12)]
    assert all(group["found"]["idle"]["count"] > 0 for group in groups)
    assert table.count("\n") == 4
    assert run(monkeypatch, capsys, tmp_path, "--games", kept) == (table, groups)
    kept.write_text("".join(f"{line}\n" for line in kept.read_text().splitlines()[:3]))
    assert run(monkeypatch, capsys, tmp_path, "--games", kept)[1][0]["games"] == 3


def test_games_of_the_ladder_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = ladder.play_one("cabin_boy", Rules(3), game_seed(ladder.SEED, 4))
    line = {"bot": "cabin_boy", "gnomes": 3, "number": 4, "moves": played.moves, "sources": ladder.sources()}
    others = [line | {"bot": "sailor", "moves": ""}, line | {"sources": "0" * 16}]
    log = tmp_path / "ladder.ndjson"
    log.write_text("".join(f"{json.dumps(each)}\n" for each in [line, *others]))
    _, groups = run(monkeypatch, capsys, tmp_path, "--ladder", log, "--crew", "cabin_boy")
    assert [(group["games"], group["turns"], group["rescued"]) for group in groups] == [
        (1, played.turns, int(played.rescued))
    ]


def test_a_game_with_a_move_that_is_not_legal_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "games.ndjson"
    kept.write_text(json.dumps({"rules": {"gnomes": 3}, "seed": "00" * 32, "moves": [9999]}))
    with pytest.raises(SystemExit, match="move 0, 9999, is not legal"):
        run(monkeypatch, capsys, tmp_path, "--games", kept)
