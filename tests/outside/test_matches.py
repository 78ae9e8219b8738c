"""Outside bots in matches: each game is a table, which is folded into the match when it is over."""

import pytest

from service.games.tables import stamp
from service.matches import opening, scheduling
from service.matches.hosting import PATIENCE_SECONDS
from service.matches.repository import MatchRepository
from service.operate.kept_match import KeptMatch
from service.outside.standing_in import MARGIN_SECONDS
from tests.outside.given import registered
from tests.outside.matching import (
    SECONDS,
    answer,
    begun,
    decisions_of,
    leave,
    look_after,
    match_desk,
    play_out,
    tables_of,
)
from tests.support.answers import refused
from tests.support.desk import HeldClock
from tests.support.matching import MatchDesk, id_of, keys_of
from tests.support.serving import new_game


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> MatchDesk:
    return match_desk(redis_url, monkeypatch)


def test_a_match_with_an_outside_bot_is_played_at_tables_and_folded(desk: MatchDesk) -> None:
    bot = registered(desk.api, version="1.4")
    path, owner = begun(desk.api, bot, crew=[bot.seat, "sailor", bot.seat], against=["sailor"])
    created = desk.api.get(path).body
    assert (created["reproducible"], created["keep_replays"], created["waiting_for"]) == (False, "all", [])
    look_after(desk, path)
    tables = tables_of(desk, path)
    assert len(tables) == 4
    decision = decisions_of(bot)[0]
    assert decision["match"] == id_of(path)
    state = bot.get(f"/v1/games/{decision['game']}").body
    assert (state["visibility"], state["match"]) == ("private", id_of(path))
    assert desk.api.get(f"/v1/games/{decision['game']}").status in (403, 404)
    match = play_out(desk, path, bot)
    assert (match["status"], match["played"]) == ("finished", 4)
    (series,) = match["series"]
    assert (series["crew"]["games"], series["against"]["games"], series["pairs"]["played"]) == (2, 2, 2)
    assert series["crew"]["faults"]["count"] == 0
    assert [desk.store.redis.exists(f"game:{id_of(table)}") for table in tables] == [0] * 4
    assert bot.get(f"{bot.path}/games").body["games"] == []
    games = desk.api.get(f"{path}/games").body["games"]
    assert [(game["line_up"], game["number"]) for game in games] == [
        ("crew", 0), ("against", 0), ("crew", 1), ("against", 1),
    ]  # fmt: skip
    assert [game["seed"] for game in games[::2]] == [game["seed"] for game in games[1::2]]
    opening.open_game(id_of(path), 3, "crew", 1)
    opened = desk.api.post(games[2]["path"])
    assert opened.status == 201, opened.body
    seen = desk.api.get(opened.headers["location"]).body
    assert (seen["result"]["cause"], seen["dice"]["seed"]) == (games[2]["cause"], games[2]["seed"])
    assert owner.delete(path).status == 204
    assert [key for key in keys_of(desk, path) if not key.startswith((b"turns:", b"advice:"))] == []


def test_workers_of_a_release_that_knows_no_tables_leave_it_be(desk: MatchDesk) -> None:
    bot = registered(desk.api)
    path, owner = begun(desk.api, bot)
    repository = MatchRepository(desk.store)
    for status in ("queued", "paused", "queued"):
        assert repository.list_playable([0]) == []
        assert repository.take_games(id_of(path), 1.0, 1) is None
        assert scheduling.schedule(repository, id_of(path)) == 0
        assert owner.patch(path, {"status": "running" if status == "paused" else "paused"}).status == 200
    assert repository.list_hosted([0]) == []
    look_after(desk, path)
    assert tables_of(desk, path) == [], "it is paused"


def test_its_dice_are_not_those_that_anybody_can_compute(desk: MatchDesk) -> None:
    bot = registered(desk.api)
    paths = [begun(desk.api, bot)[0] for _ in range(2)]
    seeds = set()
    for path in paths:
        match = MatchRepository(desk.store).fetch(id_of(path))
        assert match is not None
        assert match.outside is not None
        seeds.add(match.seed_of(0))
        assert match.outside.secret not in str(desk.api.get(path).body)
        refused(desk.api.post(f"{path}/games/3/crew/0"), "not_found")
    assert len(seeds) == 2


def test_a_sailor_stands_in_for_what_a_bot_misses_and_it_is_told(
    desk: MatchDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HeldClock(monkeypatch)
    bot = registered(desk.api, seconds=SECONDS)
    path, _ = begun(desk.api, bot, games=1)
    look_after(desk, path)
    (missed,) = decisions_of(bot)
    clock.move(SECONDS + 2 * MARGIN_SECONDS)
    look_after(desk, path)
    assert desk.api.get(bot.path).body["record"]["late"] == 1
    match = play_out(desk, path, bot)
    told = match["series"][0]["crew"]["faults"]
    assert told["count"] == 1
    (fault,) = told["first"]
    assert (fault["bot"], fault["played_by"]) == (bot.seat, "sailor")
    assert f"{missed['game']}.{fault['moves_played']}" == missed["id"]


def test_a_match_waits_for_a_bot_that_is_gone_and_says_so(desk: MatchDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = HeldClock(monkeypatch)
    bot = registered(desk.api, seconds=SECONDS)
    path, _ = begun(desk.api, bot)
    look_after(desk, path)
    decisions = decisions_of(bot)
    leave(desk, bot)
    before = look_after(desk, path)
    assert before["waiting_for"] == []
    since = clock.at
    for _ in range(3):
        clock.move(PATIENCE_SECONDS / 2)
        match = look_after(desk, path)
    assert match["status"] == "running"
    assert match["waiting_for"] == [{"bot": bot.seat, "reason": "gone", "since": stamp(since)}]
    assert match["version"] > before["version"]
    assert all(desk.table(table).game.version == 0 for table in tables_of(desk, path)), "somebody has decided for it"
    again = decisions_of(bot)
    assert [each["id"] for each in again] == [each["id"] for each in decisions]
    assert {each["milliseconds"] for each in again} == {1000 * SECONDS}
    assert answer(bot, again) == ["played"] * 2
    assert look_after(desk, path)["waiting_for"] == []


def test_a_match_pauses_when_the_bot_is_another_version(desk: MatchDesk) -> None:
    bot = registered(desk.api, version="1.4")
    path, owner = begun(desk.api, bot)
    look_after(desk, path)
    before = decisions_of(bot)
    assert decisions_of(bot, "2.0") == []
    assert answer(bot, before) == ["late"] * 2
    match = look_after(desk, path)
    (awaited,) = match["waiting_for"]
    assert (match["status"], awaited["bot"], awaited["reason"]) == ("paused", bot.seat, "version")
    assert owner.patch(path, {"status": "running"}).status == 200
    assert look_after(desk, path)["status"] == "paused"
    assert decisions_of(bot, "1.4")
    assert owner.patch(path, {"status": "running"}).status == 200
    match = play_out(desk, path, bot)
    assert (match["status"], match["played"], match["waiting_for"]) == ("finished", 2, [])


def test_the_test_counts_pairs_in_the_order_of_their_numbers(desk: MatchDesk) -> None:
    bot = registered(desk.api)
    crews = {"crew": [bot.seat, "cabin_boy", "cabin_boy"], "against": ["cabin_boy"]}
    path, _ = begun(desk.api, bot, games=200, stop={"sprt": {"margin": 0.9}}, **crews)
    look_after(desk, path)
    held = id_of(tables_of(desk, path)[0])  # as the bot thinks long over the first game
    while (match := look_after(desk, path))["played"] < 12:
        answer(bot, [each for each in decisions_of(bot) if each["game"] != held])
    pairs = match["series"][0]["pairs"]
    assert (match["status"], pairs["played"], pairs["sprt"]["verdict"]) == ("running", 0, "undecided")
    match = play_out(desk, path, bot)
    pairs = match["series"][0]["pairs"]
    assert (match["status"], match["played"] < match["total"]) == ("finished", True)
    assert pairs["sprt"]["verdict"] in ("stronger", "not_stronger")
    assert pairs["played"] == match["series"][0]["crew"]["games"]
    assert decisions_of(bot) == [], "its other games are deleted"


def test_matches_leave_two_decisions_to_other_games(desk: MatchDesk) -> None:
    bot = registered(desk.api, open=5)
    for path in [begun(desk.api, bot, games=9)[0] for _ in range(2)]:
        look_after(desk, path)
        assert len(tables_of(desk, path)) == 3
    assert [each["match"] is not None for each in decisions_of(bot)] == [True] * 3
    games = {id_of(new_game(desk.api, [bot.seat] * 3).path) for _ in range(3)}
    assert {each["game"] for each in decisions_of(bot) if each["match"] is None} < games
    assert len(decisions_of(bot)) == 5


def test_bad_line_ups_are_refused_by_their_field(desk: MatchDesk) -> None:
    bot = registered(desk.api, accepts="owner")
    wanted = {"games": 1, "crew": ["sailor", bot.seat, "bot:nobody-at-all"]}
    faults = refused(desk.api.post("/v1/matches", wanted), "invalid")["errors"]
    assert faults[0]["pointer"] == "/crew/2"
    kept = {"games": 1, "crew": [bot.seat], "keep_replays": "losses"}
    assert refused(desk.api.post("/v1/matches", kept), "invalid")["errors"][0]["pointer"] == "/keep_replays"


def test_workers_that_die_in_between_lose_and_double_nothing(desk: MatchDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = registered(desk.api)
    path, _ = begun(desk.api, bot)
    repository = MatchRepository(desk.store)
    match = repository.fetch(id_of(path))
    assert match is not None
    assert len(repository.seat(match, 9)) == 2  # and the worker dies before it has opened one
    assert len(set(tables_of(desk, path))) == 2
    look_after(desk, path)
    assert len(decisions_of(bot)) == 2
    kept = MatchRepository.fold
    with monkeypatch.context() as twice:
        twice.setattr(MatchRepository, "fold", lambda *given: (kept(*given), kept(*given))[1])
        match_told = play_out(desk, path, bot)
    assert (match_told["status"], match_told["played"]) == ("finished", 2)
    assert match_told["series"][0]["crew"]["games"] == 2, "one of them counted twice"


def test_the_games_of_a_cancelled_match_are_deleted(desk: MatchDesk) -> None:
    bot = registered(desk.api)
    path, owner = begun(desk.api, bot)
    look_after(desk, path)
    assert len(decisions_of(bot)) == 2
    assert owner.patch(path, {"status": "cancelled"}).status == 200
    assert decisions_of(bot) == []
    assert bot.get(f"{bot.path}/games").body["games"] == []


def test_a_match_of_a_backup_opens_its_games_again(desk: MatchDesk) -> None:
    bot = registered(desk.api)
    path, owner = begun(desk.api, bot, games=4)
    look_after(desk, path)
    kept = KeptMatch.read(desk.store, id_of(path))
    assert kept is not None
    assert owner.delete(path).status == 204
    kept.put(desk.store, 0.0)
    repository = MatchRepository(desk.store)
    assert (repository.list_playable([0]), repository.list_hosted([0])) == ([], [id_of(path)])
    match = play_out(desk, path, bot)
    assert (match["status"], match["played"]) == ("finished", 4)
