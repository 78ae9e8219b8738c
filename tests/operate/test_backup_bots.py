"""Bots of others leave one Redis by `red-november export`, and play on in another after `red-november import`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.outside.given import KEY, Owner, registered
from tests.support.places import Place, lines, rewritten
from tests.support.serving import Wire, new_game


def answer_one(bot: Owner) -> str:
    (decision,) = bot.get(f"{bot.path}/decisions?wait=0").body["decisions"]
    sent = {"id": decision["id"], "moves": decision["state"]["legal_moves"][:1]}
    assert bot.post(f"{bot.path}/answers", {"answers": [sent]}).body["answers"][0]["outcome"] == "played"
    return str(decision["game"])


def test_a_bot_connects_with_the_token_that_it_has_and_plays_on(
    here: Place, there: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = registered(here.desk.api, description="Careful.", version="1.4")
    path = new_game(here.desk.api, [bot.seat] * 3).path
    answer_one(bot)
    before = bot.get(bot.path).body
    assert here.export(tmp_path / "file") == 0
    assert "1 games and 0 matches, 1 bots exported" in capsys.readouterr().err
    here.redis.flushdb()
    assert there.take(tmp_path / "file") == 0
    moved = Owner(there.desk.api.be(bot.client.token or ""), bot.name)
    assert moved.get(bot.path).body == before | {"connected": False}
    assert answer_one(moved) == path.rpartition("/")[2]
    assert moved.get(bot.path).body["record"]["decisions"] == 2
    assert bot.name in [each["name"] for each in there.desk.api.get("/v1/bots").body["outside"]]
    assert there.take(tmp_path / "file") == 0
    assert "0 imported, 2 were there already" in capsys.readouterr().out


def test_what_is_kept_of_a_bot_is_no_token(here: Place, tmp_path: Path) -> None:
    bot = registered(here.desk.api)
    here.export(tmp_path / "file")
    (told,) = [line["bot"] for line in lines(tmp_path / "file") if "bot" in line]
    assert told["fields"]["salt"] == "", "of the salt alone the token can be made"
    assert (bot.client.token or "").partition(".")[2] not in (tmp_path / "file").read_text()
    first, again = (bot.post(f"{bot.path}/token", Idempotency_Key=KEY).body["token"] for _ in range(2))
    assert first == again, "with a key it can be told again"


def test_a_deleted_bot_is_not_kept(here: Place, tmp_path: Path) -> None:
    bot = registered(here.desk.api)
    assert bot.delete(bot.path).status == 204
    assert here.export(tmp_path / "file") == 0
    assert len(lines(tmp_path / "file")) == 2


def harmed(name: str, value: Any) -> Callable[[Wire], object]:
    return lambda bot: bot["fields"].__setitem__(name, value)


DAMAGE: list[tuple[Callable[[Wire], object], str]] = [
    (lambda bot: bot.__setitem__("id", "../../etc/passwd"), "the bot has a name that no bot can have"),
    (lambda bot: bot.pop("fields"), "is no bot as they are kept"),
    (lambda bot: bot["fields"].pop("digest"), "lacks what a bot has: 'digest'"),
    (lambda bot: bot["fields"].pop("terms"), "lacks what a bot has: terms"),
    (harmed("weather", "calm"), "contains unknown field `weather`"),
    (harmed("digest", "me"), "has a token of nobody"),
    (harmed("created_at", "1e99"), "has a time that can't be"),
    (harmed("pause", "rum"), "lacks what a bot has"),
    (harmed("decisions", "many"), "lacks what a bot has"),
    (harmed("crew:sailor", "many"), "lacks what a bot has"),
]


def test_a_damaged_bot_is_refused_with_line_and_reason(
    here: Place, there: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = registered(here.desk.api)
    here.export(tmp_path / "file")
    for harm, words in DAMAGE:
        head, bad, end = lines(tmp_path / "file")
        harm(bad["bot"])
        capsys.readouterr()
        assert there.take(rewritten(tmp_path / "bad", [head, bad, end])) == 1
        printed = capsys.readouterr()
        assert printed.err.startswith("red-november: line 2: "), words
        assert words in printed.err, printed.err
        assert printed.out == "0 imported, 0 were there already, 1 refused\n"
        assert not there.redis.keys(f"*{bot.name}*")
