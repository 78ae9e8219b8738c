"""An outside bot is asked for its decisions over one connection, and its answers are played."""

import base64
from typing import Any

import pytest

from engine import vector
from service.outside import decisions, standing_in
from tests.outside.given import Owner, registered
from tests.support.answers import refused
from tests.support.desk import Desk, HeldClock
from tests.support.playing import bare
from tests.support.serving import new_game

Wire = dict[str, Any]


@pytest.fixture
def desk(redis_url: str) -> Desk:
    desk = Desk(redis_url, bot_accounts="anybody")
    return desk


def asked(bot: Owner, wait: int = 0) -> list[Wire]:
    page = bot.get(f"{bot.path}/decisions?wait={wait}").body
    assert page["open"] == len(page["decisions"]), page
    return list(page["decisions"])


def answer(bot: Owner, *answers: Wire) -> list[Wire]:
    reply = bot.post(f"{bot.path}/answers", {"answers": list(answers)})
    assert reply.status == 200, reply.body
    return list(reply.body["answers"])


def first_move(decision: Wire) -> Wire:
    return bare(decision["state"]["legal_moves"][0])


def test_a_bot_plays_a_whole_game_at_every_seat(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    seats = set()
    while pending := asked(bot):
        (decision,) = pending
        assert (decision["type"], decision["game"]) == ("decision", game.path.rpartition("/")[2])
        assert decision["state"]["decision"]["seat"] == decision["seat"] == decision["state"]["you"]["seats"][0]
        assert 0 < decision["milliseconds"] <= 5000
        seats.add(decision["seat"])
        (verdict,) = answer(bot, {"id": decision["id"], "moves": [first_move(decision)]})
        assert verdict == {"id": decision["id"], "outcome": "played", "moves_played": 1}
    assert desk.api.get(game.path).body["result"]
    assert len(seats) > 1
    record = desk.api.get(bot.path).body["record"]
    assert record["decisions"] == desk.api.get(game.path).body["moves_played"]
    assert [(crew["beside"], crew["games"]) for crew in record["crews"]] == [([], 1)]
    assert (record["late"], record["illegal"]) == (0, 0)
    assert bot.get(f"{bot.path}/games").body["games"] == []


def test_an_answer_that_is_sent_again_is_played_once(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    (decision,) = asked(bot)
    sent = {"id": decision["id"], "moves": [first_move(decision)]}
    first, twice = answer(bot, sent, sent)
    assert (first["outcome"], twice["outcome"]) == ("played", "already")
    assert answer(bot, sent)[0]["outcome"] == "already"
    assert desk.api.get(game.path).body["moves_played"] == 1


def test_moves_go_by_their_ids_too(desk: Desk) -> None:
    bot = registered(desk.api)
    new_game(desk.api, [bot.seat] * 3)
    (decision,) = asked(bot)
    (wrong,) = answer(bot, {"id": decision["id"], "action": 322})
    assert (wrong["outcome"], wrong["final"]) == ("illegal", False)
    assert answer(bot, {"id": decision["id"], "action": wrong["actions"][0]})[0]["outcome"] == "played"


@pytest.mark.parametrize(
    "move", [{"type": "dance"}, {}, {"type": ["x"]}, {"type": "enter"}, {"type": "open_hatch", "to": "7"}]
)
def test_a_first_illegal_answer_may_be_corrected(desk: Desk, move: Any) -> None:
    bot = registered(desk.api)
    new_game(desk.api, [bot.seat] * 3)
    (decision,) = asked(bot)
    (wrong,) = answer(bot, {"id": decision["id"], "moves": [move]})
    assert (wrong["outcome"], wrong["final"]) == ("illegal", False)
    assert wrong["legal_moves"] == decision["state"]["legal_moves"]
    assert answer(bot, {"id": decision["id"], "moves": wrong["legal_moves"][:1]})[0]["outcome"] == "played"
    assert desk.api.get(bot.path).body["record"]["illegal"] == 1


def test_after_a_second_illegal_answer_a_stand_in_decides(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    (decision,) = asked(bot)
    verdicts = [answer(bot, {"id": decision["id"], "action": 322})[0] for _ in range(2)]
    assert [each["final"] for each in verdicts] == [False, True]
    assert answer(bot, {"id": decision["id"], "moves": [first_move(decision)]})[0]["outcome"] == "late"
    desk.work(game.path)
    assert desk.api.get(game.path).body["moves_played"] == 1
    assert asked(bot)[0]["id"] != decision["id"]


@pytest.mark.parametrize("way", ["paused", "deleted"])
def test_a_stand_in_decides_at_once_for_a_bot_that_its_owner_pauses_or_deletes(
    desk: Desk, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, bot = HeldClock(monkeypatch), registered(desk.api, seconds=600)
    game = new_game(desk.api, [bot.seat] * 3)
    asked(bot)
    id_ = game.path.rpartition("/")[2]
    due = desk.store.names.due(desk.store.names.partitions.of(id_))
    assert float(desk.store.redis.ask(("ZSCORE", due, id_))[0]) > held.at + 600
    done = bot.patch(bot.path, {"paused": True}) if way == "paused" else bot.delete(bot.path)
    assert done.status in (200, 204)
    assert float(desk.store.redis.ask(("ZSCORE", due, id_))[0]) <= held.at, "the sweeper calls a worker"
    desk.work(game.path)
    assert desk.api.get(game.path).body["moves_played"] > 0


def test_a_plan_ends_at_the_first_die_or_card_or_with_the_turn(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    (decision,) = asked(bot)
    door = next(move for move in decision["state"]["legal_moves"] if move["type"] == "open_hatch")
    plan = [bare(door), {"type": "enter"}, {"type": "no_action"}, {"type": "dance"}, {"type": "no_action"}]
    (verdict,) = answer(bot, {"id": decision["id"], "moves": plan})
    assert verdict["outcome"] == "played"
    assert 1 <= verdict["moves_played"] <= 3
    assert desk.api.get(game.path).body["moves_played"] == verdict["moves_played"]


def test_only_its_own_decisions_are_a_bots_to_make(desk: Desk) -> None:
    bot, other = registered(desk.api), registered(desk.api)
    game = new_game(desk.api, [bot.seat, other.seat, bot.seat])
    (mine,) = asked(bot) or asked(other)
    owner, stranger = (other, bot) if mine["seat"] == 1 else (bot, other)
    move = first_move(mine)
    for id_ in (mine["id"], "aaaaaaaaaaaaaaaa.0", "nonsense", mine["id"] + "9", f"{mine['game']}.x"):
        assert answer(stranger, {"id": id_, "moves": [move]})[0] == {"id": id_, "outcome": "late"}
    assert desk.api.get(game.path).body["moves_played"] == 0
    assert answer(owner, {"id": mine["id"], "moves": [move]})[0]["outcome"] == "played"


def test_its_token_reads_its_games_and_does_nothing_else(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat, "sailor", bot.seat], visibility="private", rules={"hidden_hands": True})
    elsewhere = new_game(desk.api, 3)
    seen = bot.get(game.path)
    assert seen.body["you"] == {"host": False, "player_id": None, "seats": [0, 2]}
    assert bot.get(game.path, If_None_Match=seen.headers["etag"]).status == 304
    assert bot.get(f"{game.path}/events").status == 200
    refused(bot.get(elsewhere.path), "bad_token")
    for reply in (
        bot.delete(game.path),
        bot.post(f"{game.path}/start"),
        bot.play(game.path, {"type": "done"}),
        bot.put(f"{game.path}/seats/1/controller", {"kind": "bot", "bot": "captain"}),
        bot.delete(f"{game.path}/players/p1"),
        bot.patch(game.path, {"client_data": 7}),
        bot.post(f"{game.path}/token"),
    ):
        refused(reply, "forbidden")
    listed = bot.get(f"{bot.path}/games").body["games"]
    assert [(each["game_id"], each["seats"]) for each in listed] == [(game.path.rpartition("/")[2], [0, 2])]


def test_a_bot_that_is_not_there_is_stood_in_for_at_once(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3)
    while not desk.api.get(game.path).body["result"]:
        desk.work(game.path)
    assert {event["type"] for event in desk.history(game.path)} >= {"player_away", "game_over"}
    assert desk.api.get(bot.path).body["record"]["late"] == 0


def test_a_late_answer_is_the_stand_ins_and_three_pause_the_bot(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = registered(desk.api, seconds=2)
    game = new_game(desk.api, [bot.seat] * 3)
    held = HeldClock(monkeypatch)
    for missed in range(1, 4):
        (decision,) = asked(bot)
        desk.work(game.path)
        assert desk.api.get(game.path).body["moves_played"] == missed - 1, "it still may"
        held.move(2 + standing_in.MARGIN_SECONDS)
        late = {"id": decision["id"], "moves": [first_move(decision)]}
        assert answer(bot, late)[0]["outcome"] == "late"
        desk.work(game.path)
        told = desk.api.get(bot.path).body
        assert told["record"]["late"] == missed
        if missed < 3:
            assert desk.api.get(game.path).body["moves_played"] == missed
    assert told["paused"] == "misses"
    while not desk.api.get(game.path).body["result"]:
        desk.work(game.path)  # the stand-in plays on, as the bot is paused
    asked(bot)
    assert desk.api.get(bot.path).body["paused"] is None, "it is back when it connects"


def test_never_more_than_so_many_are_open_at_once(desk: Desk) -> None:
    bot = registered(desk.api, open=2)
    for _ in range(4):
        new_game(desk.api, [bot.seat] * 3)
    pending = asked(bot)
    assert len(pending) == 2
    assert {each["id"] for each in asked(bot)} == {each["id"] for each in pending}
    answer(bot, {"id": pending[0]["id"], "moves": [first_move(pending[0])]})
    assert len(asked(bot)) == 2


def test_a_bot_that_is_started_again_has_the_same_decisions_before_it_and_their_time_runs_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = registered(desk.api, seconds=60)
    games = [new_game(desk.api, [bot.seat] * 3) for _ in range(20)]
    held = HeldClock(monkeypatch)
    before = asked(bot)
    held.move(10)
    after = asked(bot)
    assert len(after) == 16
    assert [each["id"] for each in after] == [each["id"] for each in before]
    assert {each["milliseconds"] for each in after} == {before[0]["milliseconds"] - 10_000}
    verdicts = answer(bot, *({"id": each["id"], "moves": [first_move(each)]} for each in after))
    assert [each["outcome"] for each in verdicts] == ["played"] * 16
    assert sorted(desk.api.get(game.path).body["moves_played"] for game in games) == [0] * 4 + [1] * 16
    again = answer(bot, *({"id": each["id"], "moves": [first_move(each)]} for each in before))
    assert [each["outcome"] for each in again] == ["already"] * 16, "what it sent before it ended is not made twice"
    waited = {game.path.rpartition("/")[2] for game in games} - {each["game"] for each in before}
    assert waited <= {each["game"] for each in asked(bot)}, "who has waited longest comes next"


def test_a_seat_goes_to_a_bot_that_may_be_seated(desk: Desk) -> None:
    refused(desk.api.post("/v1/games", {"seats": ["open", "bot:nobody-knows", "open"]}), "invalid", "/seats/1")
    refused(desk.api.post("/v1/games", {"seats": ["open", "bot:X", "open"]}), "invalid", "/seats/1")
    bot = registered(desk.api)
    game = new_game(desk.api, 3, start=False)
    assert game.host.post(f"{game.path}/start", {"fill_with": bot.seat}).status in (200, 409)
    handed = game.host.put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": bot.seat})
    assert handed.body["seats"][0]["bot"] == bot.seat
    refused(game.host.put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "bot:nobody"}), "invalid", "/bot")


def test_a_seat_that_is_taken_back_withdraws_the_decision(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, 3)
    seat = game.state["decision"]["seat"]
    control = f"{game.path}/seats/{seat}/controller"
    assert game.host.put(control, {"kind": "bot", "bot": bot.seat}).status == 200
    (decision,) = asked(bot)
    assert game.host.put(control, {"kind": "player"}).status == 200
    assert asked(bot) == []
    assert answer(bot, {"id": decision["id"], "moves": [first_move(decision)]})[0]["outcome"] == "late"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/answers"),
        ({"answers": []}, "/answers"),
        ({"answers": [{}] * 65}, "/answers"),
        ({"answers": {"id": 1}}, "/answers"),
        ({"answers": [7]}, "/answers/0"),
        ({"answers": [{"id": 7, "action": 1}]}, "/answers/0/id"),
        ({"answers": [{"id": "a.1"}]}, "/answers/0"),
        ({"answers": [{"id": "a.1", "action": 1, "moves": [{}]}]}, "/answers/0"),
        ({"answers": [{"id": "a.1", "action": "1"}]}, "/answers/0/action"),
        ({"answers": [{"id": "a.1", "moves": []}]}, "/answers/0/moves"),
        ({"answers": [{"id": "a.1", "moves": [{}] * 65}]}, "/answers/0/moves"),
        ({"answers": [{"id": "a.1", "moves": [{}, 7]}]}, "/answers/0/moves/1"),
        ({"answers": [{"id": "a.1", "action": 1, "why": "x"}]}, "/answers/0/why"),
        ({"answers": [{"id": "a.1", "action": 1}], "more": 1}, "/more"),
    ],
)
def test_answers_that_are_none_are_refused(desk: Desk, body: Wire, pointer: str) -> None:
    bot = registered(desk.api)
    refused(bot.post(f"{bot.path}/answers", body), "invalid", pointer)


def test_only_its_token_connects_and_answers(desk: Desk) -> None:
    bot, other = registered(desk.api), registered(desk.api)
    for who, code in ((desk.api, "no_token"), (other, "bad_token"), (desk.api.be("rn_x"), "bad_token")):
        refused(who.get(f"{bot.path}/decisions?wait=0"), code)
        refused(who.post(f"{bot.path}/answers", {"answers": [{"id": "a.1", "action": 1}]}), code)
        refused(who.get(f"{bot.path}/games"), code)
    refused(desk.api.be("rn_x").get("/v1/bots/nobody-at-all/decisions?wait=0"), "no_such_bot")
    assert decisions.PING_SECONDS == 7


def test_nets_are_told_the_same_in_numbers(desk: Desk) -> None:
    bot = registered(desk.api)
    game = new_game(desk.api, [bot.seat] * 3, rules={"hidden_hands": True})
    (told,) = bot.get(f"{bot.path}/decisions?wait=0&form=vector").body["decisions"]
    table = desk.table(game.path).game
    assert told["layout"] == vector.VERSION
    assert base64.b64decode(told["observation"]) == vector.observation(table, told["seat"])
    assert told["actions"] == [vector.id_of(move) for move in table.legal_moves()]
    assert "state" not in told
    assert answer(bot, {"id": told["id"], "action": told["actions"][0]})[0]["outcome"] == "played"
    refused(bot.get(f"{bot.path}/decisions?form=picture"), "invalid")
