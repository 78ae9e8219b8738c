"""The playing client's modules without a browser: node runs their tests, TypeScript's compiler checks their types."""

import json
from pathlib import Path

from service.api.problems import CODES
from service.pages.texts import TEXTS
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import ROOT, Client, new_game

VARIANTS = ({"less_deadly_dying": True}, {"edition": "original"}, {"greater_challenge": "storm"})


def test_the_core_of_the_client_does_what_its_tests_say() -> None:
    node = need_node("the core of the playing client")
    said = run([node, "--test", "play_core/"], CLIENTS)
    assert "# fail 0" in said


def test_the_types_of_the_client_fit_each_other_and_the_contract() -> None:
    need_node("the types of the playing client")
    contract = install() / "contract.d.ts"  # as play.tsconfig.json has it
    run(["npx", "openapi-typescript", ROOT / "openapi.yaml", "-o", contract], CLIENTS)
    assert run(["npx", "tsc", "-p", "play.tsconfig.json"], CLIENTS) == ""


def test_whatever_is_tapped_a_legal_turn_is_staged(api: Client, tmp_path: Path) -> None:
    node = need_node("random taps on the playing client")
    games = [new_game(api, rules={"players": 1, **variant}) for variant in VARIANTS]
    tables = [{"id": game.path.rpartition("/")[2], "token": game.players[0].token} for game in games]
    job = tmp_path / "job.json"
    job.write_text(json.dumps({"address": api.base, "tables": tables, "turns": 8}))
    seen = json.loads(run([node, "random_taps.mjs", job], CLIENTS, timeout=400))
    assert seen["refused"] == []
    assert seen["previews"] > seen["played"] > 10


def test_what_is_refused_is_told_in_the_readers_language() -> None:
    told = {lang: texts["client"]["script"]["problems"] for lang, texts in TEXTS.items()}
    assert told["en"].keys() == told["de"].keys() == told["ru"].keys()
    assert told["en"].keys() <= CODES.keys() | {"unreachable"}
    assert {"bad_invitation", "invitation_used", "invitation_revoked", "seat_taken"} <= told["en"].keys()
