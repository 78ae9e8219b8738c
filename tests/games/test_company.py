"""How well those at a table play: bots are known, people guessed from this game, and nobody is told."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bots.budget import Budget
from bots.roster import ROSTER, Bot
from bots.skill import STRANGER, Skill, certainly
from engine import observe
from service.games import advice, company, odds
from service.games.company import Company, crew_of, met
from service.games.model import BOT, PLAYER, Lobby, Seat
from service.workers import jobs, questions
from tests.support.answers import scene
from tests.support.desk import Desk
from tests.support.serving import Seated, Wire, new_game

THINKER = Bot("captain", 3, "Quick, for tests.", Budget(30, candidates=4))


@pytest.fixture
def desk(redis_url: str) -> Iterator[Desk]:
    company._kept.clear()
    yield Desk(redis_url)
    company._kept.clear()


def move(desk: Desk, game: Seated, likes: Sequence[str]) -> bool:
    """Let whoever must decide play a plan as that bot of the list would; False when the game is over."""
    table = desk.table(game.path)
    seat = table.game.decider
    if seat is None:
        return False
    for wanted in ROSTER[likes[seat]].choose(observe(table.game, seat), seed=table.game.version):
        reply = game.players[seat].play(game.path, wanted)
        if reply.status != 200 or reply.body["game"]["decision"] is None:
            break
    return True


def lobby_of(*seats: Seat) -> Lobby:
    return Lobby("playing", seats, ())


def test_bots_are_known_people_are_strangers_and_whoever_is_away_is_their_stand_in() -> None:
    seats = [
        Seat(0, BOT, "cabin_boy", None, False),
        Seat(1, PLAYER, None, "p1", False),
        Seat(2, PLAYER, None, "p2", True),
        Seat(3, BOT, "bot:theirs", None, False),
        Seat(4, BOT, "bot:theirs", None, True),
        Seat(5, BOT, "admiral", "p2", False),
    ]
    assert company.strangers(lobby_of(*seats)) == [
        certainly(Skill.CABIN_BOY),
        STRANGER,
        certainly(Skill.CAPTAIN),
        STRANGER,
        certainly(Skill.SAILOR),
        certainly(Skill.ADMIRAL),
    ]
    known = [company.is_known(lobby_of(seat)) for seat in seats]
    assert known == [True, False, True, False, True, True]


def test_workers_guess_alike_whatever_they_saw_before_and_rightly(desk: Desk) -> None:
    game, likes = new_game(desk.api, seed="01" * 32), ["cabin_boy", "sailor", "sailor"]
    for step in range(60):
        if not move(desk, game, likes):
            break
        if step % 12 == 0:  # one that looks now and then, and one that is new
            table = desk.table(game.path)
            fresh = Company(table)
            assert fresh.catch_up(desk.store, table)
            assert crew_of(desk.store, table) == fresh.crew(table.lobby) == fresh.present
    cabin_boy, *sailors = crew_of(desk.store, desk.table(game.path))
    assert cabin_boy[Skill.CABIN_BOY] > 2 * STRANGER[Skill.CABIN_BOY]  # a lucky one may look like an admiral as well
    for sailor in sailors:
        assert max(sailor) == sailor[Skill.SAILOR]
        assert sailor[Skill.CABIN_BOY] < STRANGER[Skill.CABIN_BOY]


def test_what_a_bot_does_at_a_players_seat_is_not_taken_for_the_players(desk: Desk) -> None:
    game = new_game(desk.api)
    controller = f"{game.path}/seats/0/controller"
    assert game.players[0].put(controller, {"kind": "bot", "bot": "cabin_boy"}).status == 200
    for _ in range(15):  # a boat with a cabin boy may be lost soon
        desk.work(game.path)
        move(desk, game, ["sailor"] * 3)
    assert game.players[0].put(controller, {"kind": "player"}).status == 200
    lent, *others = crew_of(desk.store, desk.table(game.path))
    assert lent == pytest.approx(STRANGER)
    assert all(other != pytest.approx(STRANGER) for other in others)


def test_another_past_of_a_game_does_not_mislead_a_worker(desk: Desk) -> None:
    game = new_game(desk.api)
    names, redis = desk.store.names, desk.store.redis
    id_ = game.path.rpartition("/")[2]
    for _ in range(12):
        move(desk, game, ["cabin_boy"] * 3)
    kept: dict[str, Any] = {key: redis.dump(key) for key in (names.game(id_), names.events(id_))}
    for _ in range(20):
        move(desk, game, ["cabin_boy"] * 3)
    later = desk.table(game.path)
    assert crew_of(desk.store, later) != company.strangers(later.lobby)
    for key, dumped in kept.items():  # as after a backup, or a failover that lost something
        redis.restore(key, 0, dumped, replace=True)

    def is_right() -> bool:
        table = desk.table(game.path)
        fresh = Company(table)
        fresh.catch_up(desk.store, table)
        return crew_of(desk.store, table) == fresh.crew(table.lobby)

    assert is_right()
    met(desk.store, desk.table(game.path))
    while desk.table(game.path).seq <= later.seq and move(desk, game, ["sailor"] * 3):
        pass
    company._kept[id_, later.mark.epoch] = heard = Company(
        later
    )  # a worker that was away meanwhile, and knows the other past
    heard._seq, heard._last, heard._changed_at = later.seq, b"{}", later.changed_at
    assert is_right()
    table = desk.table(game.path)
    assert crew_of(desk.store, replace(table, mark=replace(table.mark, epoch="another"))) == crew_of(desk.store, table)


def test_a_worker_keeps_so_many_games_and_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(company, "MOST_KEPT", 2)
    games = [new_game(desk.api) for _ in range(3)]
    for game in games:
        crew_of(desk.store, desk.table(game.path))
    assert [id_ for id_, _ in company._kept] == [game.path.rpartition("/")[2] for game in games[1:]]


def looked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that grows with each look at a history."""
    looks: list[Any] = []
    real = desk.store.events

    def noted(*asked: Any) -> Any:
        looks.append(asked)
        return real(*asked)

    monkeypatch.setattr(desk.store, "events", noted)
    return looks


@pytest.mark.parametrize(
    ("seats", "expected"),
    [(["captain", "sailor", "sailor"], 0), (["sailor", "open", "sailor"], 0), (["captain", "open", "captain"], 1)],
    ids=["bots alone", "bots that do not think", "bots that think, beside a person"],
)
def test_a_history_is_read_once_a_turn_where_a_bot_thinks_beside_people_and_nowhere_else(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, seats: list[str], expected: int
) -> None:
    monkeypatch.setitem(ROSTER, "captain", THINKER)
    monkeypatch.setattr(jobs, "TOGETHER_SECONDS", 0.0)
    game, looks = new_game(desk.api, position=scene(), seats=seats), looked(desk, monkeypatch)
    before = desk.table(game.path).game.version
    desk.work(game.path)
    assert desk.table(game.path).game.version > before
    assert len(looks) == expected


def stored(desk: Desk) -> dict[str, Any]:
    """Return all that there is in Redis."""
    names: Any = desk.store.redis.keys("*")
    return {name: desk.store.redis.dump(name) for name in names}


def test_nobody_is_told_what_is_guessed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "ADVISER", THINKER)
    game = new_game(desk.api)
    for _ in range(12):  # a boat of cabin boys may be lost soon
        move(desk, game, ["sailor"] * 3)
    table = desk.table(game.path)
    assert table.game.result is None
    before = stored(desk)
    assert crew_of(desk.store, table) != company.strangers(table.lobby)
    assert stored(desk) == before
    told = advised(desk, game)
    plan = {"moves", "rescue_rate", "error", "deaths_per_game", "playouts", "line", "as_good_as_best"}
    assert set(told["plans"][0]) == plan


def advised(desk: Desk, game: Seated) -> Wire:
    """Return advice for whoever must decide."""
    asked = game.decider().post(f"{game.path}/advice")
    questions.answer(desk.store, f"advise:{game.path.rpartition('/')[2]}:{asked.body['id']}")
    return dict(game.decider().get(asked.headers["location"]).body)


def test_advice_beside_captains_says_more_than_beside_cabin_boys(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "ADVISER", Bot("admiral", 4, "Quick.", Budget(300, candidates=4)))
    chances = []
    for beside in ("captain", "cabin_boy"):
        position = scene({"minutes": 60}, *[{"minutes": 58}] * 3)
        game = new_game(desk.api, position=position, seats=["open", *[beside] * 3])
        chances.append(advised(desk, game)["plans"][0]["rescue_rate"])
    assert chances[0] > chances[1]


def odds_of(desk: Desk, game: Seated) -> dict[int, float]:
    """Return the odds by version, once a worker has worked out those that are missing."""
    questions.fill_odds(desk.store, game.path.rpartition("/")[2])
    return {each["version"]: each["rescue_rate"] for each in desk.api.get(f"{game.path}/odds").body["points"]}


def test_the_chance_of_a_turn_is_that_of_the_crew_of_then_whenever_it_is_worked_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_bad = lambda _, __, crew: sum(guess[Skill.CABIN_BOY] for guess in crew) / 10  # noqa: E731
    monkeypatch.setattr(odds, "chance_of_rescue", looks_bad)
    game, told = new_game(desk.api), dict[int, float]()
    for _ in range(6):
        for _ in range(4):
            move(desk, game, ["cabin_boy"] * 3)
        told |= odds_of(desk, game)
    assert next(iter(told.values())) == pytest.approx(3 * STRANGER[Skill.CABIN_BOY] / 10)
    assert max(told.values()) > 2 * min(told.values())
    game.players[0].put(f"{game.path}/seats/0/controller", {"kind": "bot", "bot": "captain"})
    desk.store.redis.delete(desk.store.names.odds(game.path.rpartition("/")[2]))
    assert told.items() <= odds_of(desk, game).items()
