"""Games with a bot of somebody else's at a seat have a layout of their own: releases that know none leave them be."""

from typing import Any

import pytest

from service.store import layouts
from service.workers import jobs
from tests.outside.given import registered
from tests.support.answers import refused
from tests.support.desk import Desk
from tests.support.serving import Seated, new_game

OURS = {"kind": "bot", "bot": "sailor"}


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(redis_url, bot_accounts="anybody")
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    return made


def hash_of(desk: Desk, game: Seated) -> dict[bytes, bytes]:
    found: Any = desk.store.redis.hgetall(f"game:{game.path.rpartition('/')[2]}")
    return dict(found)


def layout_of(desk: Desk, game: Seated) -> int:
    return int(hash_of(desk, game)[layouts.FIELD.encode()])


def step_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release before bots of others had seats."""
    before = layouts.WITH_OUTSIDERS - 1
    monkeypatch.setattr(layouts, "MIGRATIONS", layouts.MIGRATIONS[: before - 1])
    monkeypatch.setattr(layouts, "LAYOUT", before)


def test_only_games_that_need_it_have_the_later_layout(desk: Desk) -> None:
    bot = registered(desk.api)
    ours, theirs = new_game(desk.api, ["open", "sailor", "sailor"]), new_game(desk.api, ["open", bot.seat, "sailor"])
    assert layout_of(desk, ours) == layouts.WITH_OUTSIDERS - 1
    assert layout_of(desk, theirs) == layouts.WITH_OUTSIDERS
    control = f"{theirs.path}/seats/1/controller"
    assert theirs.host.put(control, OURS).status == 200
    assert layout_of(desk, theirs) == layouts.WITH_OUTSIDERS - 1
    assert theirs.host.put(control, {"kind": "bot", "bot": bot.seat}).status == 200
    assert layout_of(desk, theirs) == layouts.WITH_OUTSIDERS


def test_a_release_before_it_leaves_such_games_as_they_are_and_goes_on_with_the_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot = registered(desk.api)
    theirs = new_game(desk.api, [bot.seat, "sailor", "sailor"])
    ours = new_game(desk.api, ["sailor"] * 3)
    before = hash_of(desk, theirs)
    with monkeypatch.context() as older:
        step_back(older)
        assert desk.api.get(ours.path).status == 200
        desk.work(ours.path)
        assert desk.api.get(ours.path).body["moves_played"] > 0
        for reply in (
            desk.api.get(theirs.path),
            theirs.host.put(f"{theirs.path}/seats/0/controller", OURS),
            theirs.host.post(f"{theirs.path}/forks"),
        ):
            refused(reply, "newer_game")
        with caplog.at_level("WARNING"):
            desk.work(theirs.path)
        assert "was stored by a later release, in layout 3: this one knows 2" in caplog.text
        listed = desk.api.get("/v1/games?status=playing&limit=100")
        assert theirs.path.rpartition("/")[2] in [each["id"] for each in listed.body["games"]]
    assert hash_of(desk, theirs) == before
    assert bot.get(f"{bot.path}/decisions?wait=0").status == 200
    desk.work(theirs.path)
    assert desk.api.get(theirs.path).status == 200


def test_a_game_of_a_later_release_holds_up_no_other_of_the_same_bot(desk: Desk) -> None:
    bot = registered(desk.api)
    later, ours = (new_game(desk.api, [bot.seat] * 3).path.rpartition("/")[2] for _ in range(2))
    desk.store.redis.hset(f"game:{later}", layouts.FIELD, layouts.LAYOUT + 1)
    (decision,) = bot.get(f"{bot.path}/decisions?wait=0").body["decisions"]
    assert decision["game"] == ours
    move = decision["state"]["legal_moves"][0]
    sent = [{"id": f"{later}.0", "moves": [move]}, {"id": decision["id"], "moves": [move]}]
    refused(bot.post(f"{bot.path}/answers", {"answers": sent}), "unavailable")
    assert desk.api.get(f"/v1/games/{ours}").body["moves_played"] == 1
    assert desk.store.redis.hget(f"game:{later}", layouts.FIELD) == b"%d" % (layouts.LAYOUT + 1)
    asked = desk.store.names.asked(desk.store.names.partitions.of(later), bot.name)
    assert desk.store.redis.hexists(asked, f"{later}.0")


def test_a_step_back_leaves_no_game_behind_once_its_seats_are_ours(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat, "sailor", "sailor"])
    assert game.host.put(f"{game.path}/seats/0/controller", OURS).status == 200
    step_back(monkeypatch)
    assert desk.api.get(game.path).status == 200
    while not desk.api.get(game.path).body["result"]:
        desk.work(game.path)


def test_a_game_that_was_stored_before_it_had_a_number_gets_it_with_its_next_change(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    desk.store.redis.hset(f"game:{game.path.rpartition('/')[2]}", layouts.FIELD, layouts.WITH_OUTSIDERS - 1)
    (decision,) = bot.get(f"{bot.path}/decisions?wait=0").body["decisions"]
    sent = {"id": decision["id"], "moves": decision["state"]["legal_moves"][:1]}
    assert bot.post(f"{bot.path}/answers", {"answers": [sent]}).body["answers"][0]["outcome"] == "played"
    assert layout_of(desk, game) == layouts.WITH_OUTSIDERS
