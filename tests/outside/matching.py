"""Matches of outside bots, looked after by hand: what the tests of them share."""

import random
from typing import Any

import pytest

from service.matches import hosting, opening
from service.matches.repository import MatchRepository
from service.store import keys
from service.workers import jobs, questions
from tests.outside.given import Owner
from tests.support.matching import MatchDesk, id_of, new_match
from tests.support.playing import bare
from tests.support.serving import Client, Wire

SECONDS = 4


def match_desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> MatchDesk:
    made = MatchDesk(redis_url, bot_accounts="anybody")
    for module in (jobs, hosting, opening):
        monkeypatch.setattr(module, "own_store", lambda: made.store)
    return made


def begun(client: Client, bot: Owner, **wanted: Any) -> tuple[str, Client]:
    """Begin a match with a bot that is connected."""
    decisions_of(bot)
    return new_match(client, **{"games": 2, "crew": [bot.seat], "gnomes": [3]} | wanted)


def look_after(desk: MatchDesk, path: str) -> Wire:
    """Do what a worker does that is called to a match, and then what there is to do in its games; return the match."""
    questions.answer(desk.store, f"host:{id_of(path)}")
    for table in tables_of(desk, path):
        desk.work(table)
    return dict(desk.api.get(path).body)


def tables_of(desk: MatchDesk, path: str) -> list[str]:
    match = MatchRepository(desk.store).fetch(id_of(path))
    assert match is not None
    return [f"/v1/games/{hosting.table_id(desk.store, match, place)}" for place in match.tables]


def decisions_of(bot: Owner, version: str = "") -> list[Wire]:
    asked = f"&version={version}" if version else ""
    return list(bot.get(f"{bot.path}/decisions?wait=0{asked}").body["decisions"])


def answer(bot: Owner, decisions: list[Wire]) -> list[str]:
    chance = random.Random(bot.name)
    sent = [{"id": each["id"], "moves": [bare(chance.choice(each["state"]["legal_moves"]))]} for each in decisions]
    if not sent:
        return []
    return [each["outcome"] for each in bot.post(f"{bot.path}/answers", {"answers": sent}).body["answers"]]


def play_out(desk: MatchDesk, path: str, *bots: Owner) -> Wire:
    for _ in range(5000):
        match = look_after(desk, path)
        if match["ended_at"]:
            return match
        for bot in bots:
            answer(bot, decisions_of(bot))
    raise AssertionError(f"the match does not end: {match}")


def leave(desk: MatchDesk, bot: Owner) -> None:
    desk.store.redis.delete(keys.connection(bot.name))
