"""Advice and odds, as players ask for them."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from bots.explain import MODEL_ERROR
from service.games import advice, odds, polling
from service.workers import jobs, questions
from tests.support.answers import LAST_MOVE, NO_ACTION, eventually, refused, scene
from tests.support.desk import Desk
from tests.support.playing import bare
from tests.support.serving import PATIENCE, Client, Seated, Wire, new_game


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(redis_url)
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    return made


@pytest.fixture
def game(desk: Desk) -> Seated:
    return new_game(desk.api)


def ask(game: Seated, **headers: str) -> tuple[str, Wire]:
    asked = game.decider().post(f"{game.path}/advice", **headers)
    assert asked.status == 202
    assert asked.body["status"] == "working"
    return asked.headers["location"], asked.body


def work(game: Seated, asked: Wire) -> None:
    store = jobs.own_store()  # type: ignore[attr-defined] # as the fixture has replaced it
    questions.answer(store, f"advise:{game.path.rpartition('/')[2]}:{asked['id']}")


def test_advice_is_asked_for_worked_out_and_fetched(game: Seated) -> None:
    where, asked = ask(game)
    assert game.decider().get(where).body["status"] == "working"
    work(game, asked)
    told = game.decider().get(where).body
    assert (told["status"], told["stale"], told["seat"]) == ("done", False, game.state["decision"]["seat"])
    best, *others = told["plans"]
    assert others
    assert 0 <= best["rescue_rate"] <= 1
    assert best["error"] > 0
    assert best["as_good_as_best"]
    assert best["line"][0]["move"]["type"] == best["moves"][0]["type"]
    assert game.decider().play(game.path, best["moves"][0]).status == 200


@pytest.mark.parametrize(
    ("other", "equal"),
    [
        ({"rescue_rate": 0.58, "error": 0.02, "playouts": 200}, True),
        ({"rescue_rate": 0.62, "error": 0.02, "playouts": 200}, True),
        ({"rescue_rate": 0.50, "error": 0.02, "playouts": 200}, False),
        ({"rescue_rate": None, "error": None, "playouts": 0}, False),
    ],
)
def test_plans_that_their_errors_do_not_tell_apart_are_told_as_equal(other: Wire, equal: bool) -> None:
    best = {"rescue_rate": 0.61, "error": 0.02, "playouts": 300}
    told = advice.compared([best, other], other)
    assert [plan["as_good_as_best"] for plan in [*told["plans"], told["own"]]] == [True, equal, equal]
    assert told["plans"][0]["error"] > max(0.02, MODEL_ERROR)
    assert (told["own"]["error"] is None) == (other["error"] is None)


def test_a_plan_of_ones_own_is_weighed_beside_those_of_the_bot(desk: Desk) -> None:
    deeper = {"descent/-": 1, "descent/4": 2, "descent/3": 1, "descent/2": 1, "descent/1": 1, "fast_descent/-": 1}
    mechanic = {"room": 1, "items": {"engine_manual": 1}}
    game = new_game(desk.api, position=scene(mechanic, tracks={"pressure": 9}, event_deck=deeper))
    use, fix = {"type": "use_item", "item": "engine_manual"}, {"type": "fix_engine", "minutes": 7}
    worth = {}
    for plan in ([use, fix], [{"type": "no_action"}]):
        asked = game.players[0].post(f"{game.path}/advice", {"moves": plan, "version": game.state["version"]})
        assert asked.body["own"] is None
        work(game, asked.body)
        told = game.players[0].get(asked.headers["location"]).body
        assert told["own"]["moves"] == plan
        assert told["own"]["playouts"] == told["plans"][0]["playouts"]
        assert bare(told["own"]["line"][-1]["move"]) == plan[-1]
        worth[plan[-1]["type"]] = told["own"]
    assert worth["fix_engine"]["as_good_as_best"]
    assert not worth["no_action"]["as_good_as_best"]
    assert worth["no_action"]["rescue_rate"] < worth["fix_engine"]["rescue_rate"]


@pytest.mark.parametrize(
    ("body", "code", "pointers"),
    [
        ({"moves": [{"type": "enter"}]}, "illegal_move", ("/moves/0/type",)),
        ({"moves": [{"type": "no_action"}, {"type": "no_action"}]}, "illegal_move", ("/moves/1",)),
        ({"moves": [{"type": "no_action"}], "version": 1}, "version_conflict", ("/version",)),
        ({"moves": []}, "invalid", ("/moves",)),
    ],
)
def test_a_plan_that_cant_be_played_is_not_weighed(
    desk: Desk, body: Wire, code: str, pointers: tuple[str, ...]
) -> None:
    game = new_game(desk.api, position=scene({"room": 1}))
    refused(game.players[0].post(f"{game.path}/advice", body), code, *pointers)


def test_a_host_who_wants_none_is_obeyed_until_the_game_is_over(desk: Desk) -> None:
    game = new_game(desk.api, position=LAST_MOVE, advice=False)
    player, path = game.players[0], game.path
    assert game.state["advice"] is False
    refused(player.post(f"{path}/advice"), "advice_off")
    refused(player.get(f"{path}/advice/5e1f0c9ab27d4836"), "advice_off")
    refused(desk.api.get(f"{path}/odds"), "advice_off")
    refused(player.patch(path, {"advice": True}), "forbidden")
    refused(game.host.patch(path, {}), "invalid", "/client_data")
    refused(game.host.patch(path, {"advice": 1}), "invalid", "/advice")
    assert desk.api.post(f"{path}/forks", {}).body["game"]["advice"] is False
    assert game.host.patch(path, {"advice": True, "client_data": 5}).body["advice"] is True
    assert desk.api.get(f"{path}/odds").status == 200
    assert player.post(f"{path}/advice").status == 202
    before = game.state["version"]
    assert game.host.patch(path, {"advice": True}).body["version"] == before
    game.host.patch(path, {"advice": False})
    told = desk.api.get(f"{path}/events?kinds=all&lang=de").body["events"]
    assert [each["allowed"] for each in told if each["type"] == "advice_changed"] == [False, True, False]
    player.play(path, NO_ACTION)
    assert desk.api.get(f"{path}/odds").status == 200
    refused(game.host.patch(path, {"advice": True}), "game_over")
    assert player.post(f"{path}/rematch").body["game"]["advice"] is False


def test_advice_is_stale_once_the_game_has_moved_on(game: Seated) -> None:
    decider = game.decider()
    where, asked = ask(game)
    work(game, asked)
    decider.play(game.path, decider.get(game.path).body["legal_moves"][0])
    assert decider.get(where).body["stale"]


def test_a_worker_drops_advice_that_nobody_needs_any_more(game: Seated) -> None:
    decider = game.decider()
    where, asked = ask(game)
    decider.play(game.path, decider.get(game.path).body["legal_moves"][0])
    work(game, asked)
    told = decider.get(where).body
    assert (told["status"], told["plans"], told["stale"]) == ("dropped", [], True)


def test_nobody_else_sees_the_advice(desk: Desk, game: Seated) -> None:
    where, asked = ask(game)
    work(game, asked)
    others = [player for player in game.players if player.token != game.decider().token]
    assert {viewer.get(where).status for viewer in (desk.api, game.host, *others)} == {404}


@pytest.mark.parametrize(("who", "status"), [("host", 409), ("other", 409), ("nobody", 401)])
def test_only_whoever_must_decide_may_ask(desk: Desk, game: Seated, who: str, status: int) -> None:
    seat = game.state["decision"]["seat"]
    asker = {"host": game.host, "other": game.players[(seat + 1) % 3], "nobody": desk.api}[who]
    assert asker.post(f"{game.path}/advice").status == status


def test_there_is_no_advice_before_the_start(desk: Desk) -> None:
    game = new_game(desk.api, start=False)
    assert game.players[0].post(f"{game.path}/advice").body["code"] == "not_started"


def test_the_same_question_under_one_key_is_one_question(game: Seated) -> None:
    assert ask(game, Idempotency_Key="a")[0] == ask(game, Idempotency_Key="a")[0]
    assert ask(game, Idempotency_Key="b")[0] != ask(game)[0]


def test_advice_depends_on_nothing_that_the_seat_may_not_see(desk: Desk) -> None:
    """Two games that look the same to the decider, with other hidden hands, get the same advice."""
    told = []
    for hidden in ("crowbar", "harpoon"):
        others = [{"minutes": 50, "room": 8, "items": {hidden: 1}}, {"minutes": 50, "room": 9, "items": {}}]
        position = {
            "rules": {"gnomes": 3, "crazed_gnomes": True},
            "gnomes": [{"minutes": 60, "room": 5, "items": {"grog": 1}}, *others],
            "active": 0,
            "seed": "7" * 64,
        }
        game = new_game(desk.api, position=position)
        where, asked = ask(game)
        work(game, asked)
        told.append(game.decider().get(where).body["plans"])
    assert told[0] == told[1]


def test_the_odds_of_every_turn_are_told_and_stay(desk: Desk) -> None:
    game = new_game(desk.api, seats=["sailor"] * 3)
    while not game.state["result"]:
        desk.work(game.path)
    asked = desk.api.get(f"{game.path}/odds").body
    assert (asked["points"], asked["complete"]) == ([], False)
    questions.fill_odds(desk.store, game.path.rpartition("/")[2])
    told = desk.api.get(f"{game.path}/odds").body
    assert told["complete"]
    turns = [event for event in desk.history(game.path) if event["type"] == "turn_began"]
    assert len(told["points"]) in (len(turns), len(turns) + 1)
    assert told["points"][-1]["rescue_rate"] == (game.state["result"]["crew"] == "rescued")
    questions.fill_odds(desk.store, game.path.rpartition("/")[2])
    assert desk.api.get(f"{game.path}/odds").body == told


def test_a_game_that_goes_on_gets_more_odds(desk: Desk, game: Seated) -> None:
    game_id = game.path.rpartition("/")[2]
    questions.fill_odds(desk.store, game_id)
    first = desk.api.get(f"{game.path}/odds").body
    assert first["complete"]
    while game.state["turn"] == 1:
        decider = game.decider()
        decider.play(game.path, decider.get(game.path).body["legal_moves"][-1])
    assert not desk.api.get(f"{game.path}/odds").body["complete"]
    questions.fill_odds(desk.store, game_id)
    later = desk.api.get(f"{game.path}/odds").body
    assert later["complete"]
    assert len(later["points"]) > len(first["points"])


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """Return a list that grows with each call of a function."""
    calls: list[object] = []
    real = getattr(module, name)

    def noted(*given: Any) -> Any:
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(module, name, noted)
    return calls


def wait_for_ever(monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    """Let only news end a wait."""
    ever = lambda hub, of, seconds, is_there: polling.wait_for(hub, of, 10 * PATIENCE, is_there)  # noqa: E731
    monkeypatch.setattr(module, "wait_for", ever)


def waited(client: Client, path: str, looks: list[object], work: Callable[[], None]) -> Wire:
    """Return the answer to one who waits while nothing happens, and then a worker answers."""
    answers: list[Wire] = []
    waiting = threading.Thread(target=lambda: answers.append(client.get(f"{path}?wait=60").body), daemon=True)
    waiting.start()
    subscribed = 3  # looks: before the wait, as it begins, and when Redis has answered the subscription
    eventually(lambda: len(looks) >= subscribed)
    time.sleep(0.5)  # in which nothing happens
    assert len(looks) == subscribed
    work()
    waiting.join(PATIENCE)
    assert not waiting.is_alive(), "the answer wakes nobody"
    return answers[0]


def test_who_waits_for_advice_looks_when_it_is_there_and_not_before(
    desk: Desk, game: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, asked = ask(game)
    wait_for_ever(monkeypatch, advice)
    looks = counted(monkeypatch, advice, "_found")
    assert waited(game.decider(), where, looks, lambda: work(game, asked))["status"] == "done"


def test_who_waits_for_odds_looks_when_they_are_there_and_not_before(
    desk: Desk, game: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_ever(monkeypatch, odds)
    looks = counted(monkeypatch, odds, "told")
    filled = lambda: questions.fill_odds(desk.store, game.path.rpartition("/")[2])  # noqa: E731
    assert waited(game.host, f"{game.path}/odds", looks, filled)["complete"]
