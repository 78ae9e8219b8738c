"""What one caller may ask for, by token, by address and by the work that it makes; and how many games they may have."""

import hashlib
import itertools
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from service import clock
from service.app import create_app
from service.callers import limits
from service.callers.limits import FORK_MS, PAST_MS, PNG_MS, work_key
from service.callers.origin import network_of, origin_of
from service.config import Config, Limit
from service.games import odds
from service.games.tables import fetch
from service.operate.kept import Kept
from service.store.store import Store
from tests.drills.made_up import games_until_refused, polls_of_made_up_games, polls_with_made_up_tokens
from tests.support.answers import LAST_MOVE, NO_ACTION, at_once, refused
from tests.support.desk import InProcess
from tests.support.matching import SAILORS
from tests.support.serving import PATIENCE, Seated, new_game, running_redis

DAY = 86400  # long enough for no window to end within a test
KEY = "studio-key"
_addresses = (f"10.{a}.{b}.1" for a, b in itertools.product(range(200), repeat=2))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


class Place:
    """The service in this process with budgets of its own, and callers at addresses of theirs."""

    def __init__(self, url: str, allowed: dict[str, int] | None = None, seconds: int = DAY, **settings: Any) -> None:
        buckets = {name: Limit(most, seconds) for name, most in (allowed or {}).items()}
        self.config = Config(redis_url=url, limits=buckets, max_queue_seconds=0, proxies=1, **settings)
        self.store = Store.connect(self.config)
        self.app = create_app(self.config, self.store)

    def at(self, address: str | None = None, token: str | None = None, **headers: str) -> InProcess:
        return InProcess("", token, {"X-Forwarded-For": address or next(_addresses)} | headers, app=self.app)

    def spend(self, origin: str, milliseconds: float) -> None:
        """As workers do for whoever made a game."""
        self.store.redis.incrby(work_key(self.store.redis, origin, self.store.work_limit), round(milliseconds))

    def spent(self, origin: str) -> int:
        (found,) = self.store.redis.ask(("GET", limits.work_key(self.store.redis, origin, self.store.work_limit)))
        return int(found or 0)


def at(address: str) -> str:
    """How that address is known."""
    return origin_of(address, None, {})


def game_id(game: Seated) -> str:
    return game.path.rpartition("/")[2]


@pytest.fixture
def free(url: str) -> Place:
    """Where anybody may do anything."""
    return Place(url, games_per_caller=0)


def counters(url: str) -> int:
    return len(redis.Redis.from_url(url).keys("limit:poll:*"))


def test_made_up_tokens_share_the_allowance_of_their_address_and_leave_no_counters(url: str, free: Place) -> None:
    place, game, before = Place(url, {"poll": 30}), new_game(free.at()), counters(url)
    junk = place.at("10.250.0.1")
    assert polls_with_made_up_tokens(junk, game.path, 40) == {401: 30, 429: 10}
    assert polls_of_made_up_games(junk, 5) == {429: 5}
    assert junk.get(game.path).status == 429
    assert counters(url) == before + 1
    assert place.at("10.250.0.2").get(game.path).status == 200


def test_whoever_has_a_token_is_not_held_up_by_junk_from_their_address(url: str, free: Place) -> None:
    place, game = Place(url, {"poll": 30}), new_game(free.at())
    polls_of_made_up_games(place.at("10.250.1.1"), 40)
    for left in (29, 28, 27):
        told = place.at("10.250.1.1", game.players[0].token).get(game.path).headers["ratelimit"]
        assert told.split(";")[1] == f"r={left}"


def test_all_tokens_of_an_address_may_do_ten_times_as_much_as_one(url: str, free: Place) -> None:
    place = Place(url, {"poll": 3})
    everybody = [
        (game.path, player.token) for game in (new_game(free.at()) for _ in range(4)) for player in game.players
    ]
    asked = [place.at("10.250.2.1", token).get(path) for path, token in everybody for _ in range(3)]
    assert [reply.status for reply in asked] == [200] * 30 + [429] * 6
    assert "from one address" in asked[-1].body["detail"]
    (path, token), (_, other) = everybody[0], everybody[-1]
    for used in (token, other):
        refused(place.at("10.250.2.2", used).get(path), "too_many_requests")


def test_a_token_that_the_game_does_not_know_any_more_counts_by_address(url: str, free: Place) -> None:
    place, game = Place(url, {"poll": 5}), new_game(free.at(), start=False)
    token = game.players[0].token
    assert free.at(token=token).delete(f"{game.path}/players/p1").status == 204
    here = place.at("10.250.3.1", token)
    assert [here.get(game.path).status for _ in range(6)] == [401] * 5 + [429]
    assert place.at("10.250.3.1").get(game.path).status == 429


def test_a_counter_that_the_store_has_lost_ends_all_the_same(url: str, free: Place) -> None:
    place, game = Place(url, {"poll": 50}), new_game(free.at())
    player = place.at("10.250.4.1", game.players[0].token)
    operator = redis.Redis.from_url(url)
    for _ in range(3):
        assert player.get(game.path).status == 200
        operator.delete(*operator.keys("limit:poll:*"))
    assert player.get(game.path).status == 200
    assert all(operator.ttl(key) > 0 for key in operator.keys("limit:*"))


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:0DB8:0001:0002::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.1.2.3", "10.1.2.3", True),
        ("10.1.2.3", "10.1.2.4", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("unknown", "unknown:80", False),
    ],
)
def test_addresses_of_ipv6_count_by_their_64_bits(url: str, one: str, other: str, are_one: bool) -> None:
    assert (network_of(one) == network_of(other)) == are_one
    place = Place(url, {"create": 1})
    redis.Redis.from_url(url).flushdb()
    statuses = [place.at(address).post("/v1/games").status for address in (one, other)]
    assert statuses == [201, 429 if are_one else 201]


COSTLY = [
    ("GET", "/board.png?width=100", PNG_MS),
    ("GET", "/board.png?width=110&version=2", PNG_MS + PAST_MS),
    ("GET", "/board.svg?version=2", PAST_MS),
    ("GET", "?version=2", PAST_MS),
    ("POST", "/forks", FORK_MS),
    ("GET", "", 0),
    ("GET", "/board.svg", 0),
    ("GET", "/events", 0),
]


@pytest.mark.parametrize(
    ("method", "part", "cost"), COSTLY, ids=[f"{part or 'state'} {cost}" for _, part, cost in COSTLY]
)
def test_what_takes_a_processor_is_charged_until_the_budget_is_spent(
    url: str, free: Place, method: str, part: str, cost: int
) -> None:
    game, address = new_game(free.at()), next(_addresses)
    place = Place(url, {"work": 1000})
    here = place.at(address)
    for times in (1, 2):
        assert here.call(method, game.path + part).status in (200, 201)
        assert place.spent(at(address)) == (cost if "board" in part else times * cost), "a picture is drawn once"
    place.spend(at(address), 1000)
    spent = place.spent(at(address))
    reply = here.call(method, game.path + part.replace("width=1", "width=2").replace("svg?", "svg?lang=de&"))
    if cost:
        refused(reply, "too_much_work")
        assert 0 < int(reply.headers["retry-after"]) <= DAY
        assert place.spent(at(address)) == spent, "what is refused costs nothing"
    else:
        assert reply.status == 200


def test_whoever_has_the_picture_pays_nothing(url: str, free: Place) -> None:
    game, address = new_game(free.at()), next(_addresses)
    place = Place(url, {"work": 1000})
    for part, cost in (("/board.png?width=100", PNG_MS), ("/board.svg?version=2", PAST_MS), ("?version=2", PAST_MS)):
        before = place.spent(at(address))
        tag = place.at(address).get(game.path + part).headers["etag"]
        assert place.at(address).get(game.path + part, If_None_Match=tag).status == 304
        assert place.spent(at(address)) == before + cost


def test_tables_cost_by_their_rows(url: str, free: Place) -> None:
    address, place = next(_addresses), Place(url, {"work": 1000})
    path = free.at().post("/v1/matches", SAILORS).headers["location"]
    operator = redis.Redis.from_url(url)
    for played, cost in ((0, 0), (40, 1), (120, 3)):
        operator.hset(f"match:{path.rpartition('/')[2]}", "played", played)
        before = place.spent(at(address))
        assert place.at(address).get(f"{path}/games.csv").status == 200
        assert place.spent(at(address)) == before + cost
    place.spend(at(address), 1000)
    refused(place.at(address).get(f"{path}/games.csv"), "too_much_work")
    assert place.at(address).get(f"{path}/games").status == 200, "a page costs no more than other polls"


@pytest.fixture
def lent(url: str) -> tuple[Place, str]:
    """A place, and an address there that is in debt for what bots did."""
    place, address = Place(url, {"work": 1000}), next(_addresses)
    place.spend(at(address), 5000)
    return place, address


def test_whoever_is_in_debt_starts_nothing_with_bots(lent: tuple[Place, str]) -> None:
    place, address = lent
    here = place.at(address)
    for path, body in (("/v1/games", {"seats": ["sailor"] * 3}), ("/v1/matches", SAILORS)):
        told = refused(here.post(path, body), "too_much_work")
        assert "5.0 seconds" in told["detail"]
    made = here.post("/v1/games", {"seats": ["open"] * 3}).body
    path, host = f"/v1/games/{made['game']['id']}", here.be(made["token"])
    refused(host.post(f"{path}/start", {"fill_with": "sailor"}), "too_much_work")
    refused(here.post(f"{path}/forks", {"seats": ["open"] * 3}), "too_much_work")
    game = new_game(here)
    refused(game.decider().post(f"{game.path}/advice"), "too_much_work")
    seat = f"{game.path}/seats/0/controller"
    refused(game.players[0].put(seat, {"kind": "bot", "bot": "admiral"}), "too_much_work")
    assert game.players[0].put(seat, {"kind": "player"}).status == 200
    mover = game.decider()
    assert mover.play(game.path, mover.get(f"{game.path}/legal-moves").body["legal_moves"][-1]).status == 200
    assert mover.delete(f"{game.path}/players/{mover.get(game.path).body['you']['player_id']}").status == 204
    assert place.at().post("/v1/games", {"seats": ["sailor"] * 3}).status == 201, "others are not in debt"


def test_odds_are_told_to_whoever_is_in_debt_as_far_as_they_are_known(lent: tuple[Place, str]) -> None:
    place, address = lent
    game = new_game(place.at())
    asked = ("advice:since", f"odds:{game_id(game)}")
    told = place.at(address).get(f"{game.path}/odds")
    assert (told.status, told.body["complete"]) == (200, False)
    assert place.store.redis.zscore(*asked) is None
    assert place.at().get(f"{game.path}/odds").body["complete"] is False
    assert place.store.redis.zscore(*asked) is not None, "others may ask"
    table = fetch(place.store, game_id(game))
    assert table
    odds.fill(place.store, table)
    assert place.at(address).get(f"{game.path}/odds").body["complete"] is True


def test_games_of_whoever_is_in_debt_are_not_started_from_elsewhere(lent: tuple[Place, str]) -> None:
    place, address = lent
    made = place.at(address).post("/v1/games", {"seats": ["open"] * 3}).body
    helper = place.at(token=made["token"])
    refused(helper.post(f"/v1/games/{made['game']['id']}/start", {"fill_with": "sailor"}), "too_much_work")


def test_debts_are_paid_in_the_next_window_and_then_are_over(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, address = Place(url, {"work": 1000}, seconds=60), next(_addresses)
    noon = int(time.time()) // 60 * 60 + 5.0
    bots = {"seats": ["sailor"] * 3}
    monkeypatch.setattr(clock, "now", lambda: noon)
    place.spend(at(address), 1800)
    reply = place.at(address).post("/v1/games", bots)
    refused(reply, "too_much_work")
    assert reply.headers["retry-after"] == "55"
    monkeypatch.setattr(clock, "now", lambda: noon + 60)  # 800 of 1000 are left to be paid
    assert place.at(address).post("/v1/games", bots).status == 201
    place.spend(at(address), 300)
    refused(place.at(address).post("/v1/games", bots), "too_much_work")
    monkeypatch.setattr(clock, "now", lambda: noon + 120)
    assert place.at(address).post("/v1/games", bots).status == 201


def test_whoever_has_an_api_key_pays_with_it_wherever_they_are(url: str) -> None:
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    place = Place(url, {"work": 1000}, api_keys={digest: "studio"}, api_key_limit=Limit(0, 1), games_per_caller=2)
    place.spend(digest[:24], 1000)
    bots = {"seats": ["sailor"] * 3}
    refused(place.at(**{"X-API-Key": KEY}).post("/v1/games", bots), "too_much_work")
    for _ in range(2):
        assert place.at(**{"X-API-Key": KEY}).post("/v1/games").status == 201
    refused(place.at(**{"X-API-Key": KEY}).post("/v1/games"), "too_many_games")


def test_a_wrong_api_key_is_no_way_around_the_budget_of_an_address(lent: tuple[Place, str]) -> None:
    place, address = lent
    bots = {"seats": ["sailor"] * 3}
    refused(place.at(address, **{"X-API-Key": "made up"}).post("/v1/games", bots), "too_much_work")


def test_nobody_has_more_than_500_games_at_a_time(url: str) -> None:
    place = Place(url)
    here = place.at()
    made, code = games_until_refused(here, 501)
    assert (len(made), code) == (Config.games_per_caller, "too_many_games")
    assert len(made) == 500
    assert place.at().post("/v1/games").status == 201


@pytest.fixture
def few(url: str) -> Place:
    return Place(url, games_per_caller=2)


def test_there_is_room_again_when_a_game_is_deleted_or_over(few: Place) -> None:
    here = few.at()
    doomed, last = new_game(here, start=False), new_game(here, position=LAST_MOVE)
    told = refused(here.post("/v1/games"), "too_many_games")
    assert "2 games" in told["detail"]
    refused(here.post(f"{last.path}/forks", {"seats": ["open"] * 3}), "too_many_games")
    assert doomed.host.delete(doomed.path).status == 204
    assert new_game(here, start=False).state["status"] == "waiting"
    refused(here.post("/v1/games"), "too_many_games")
    assert last.players[0].play(last.path, NO_ACTION).body["game"]["status"] == "finished"
    assert here.post("/v1/games").status == 201
    refused(here.post("/v1/games"), "too_many_games")


def test_there_is_room_again_when_games_that_nobody_joined_are_forgotten(url: str) -> None:
    place = Place(url, games_per_caller=1, waiting_seconds=1)
    here = place.at()
    assert here.post("/v1/games").status == 201
    refused(here.post("/v1/games"), "too_many_games")
    ends = time.monotonic() + PATIENCE
    while here.post("/v1/games").status != 201:
        assert time.monotonic() < ends, "what is forgotten still counts"
        time.sleep(0.1)


def test_at_once_nobody_makes_more_games_than_one_after_another(few: Place) -> None:
    here = few.at()
    assert sorted(reply.status for reply in at_once(8, lambda: here.post("/v1/games"))) == [201] * 2 + [429] * 6


def test_a_creation_that_is_repeated_counts_once_and_is_answered_however_many_games_there_are(few: Place) -> None:
    here = few.at()
    keys = [f"a creation of one caller, number {number}" for number in range(2)]
    made = [here.post("/v1/games", Idempotency_Key=key).body for key in keys]
    refused(here.post("/v1/games"), "too_many_games")
    assert [here.post("/v1/games", Idempotency_Key=key).body for key in keys] == made


def test_games_of_others_that_one_joins_and_games_that_are_imported_do_not_count(few: Place) -> None:
    here = few.at()
    for _ in range(3):
        game = new_game(few.at(), start=False)
        assert here.post(f"{game.path}/players", {"name": "Guest"}).status == 409
        kept = Kept.read(few.store, game_id(game))
        assert kept
        assert game.host.delete(game.path).status == 204
        kept.put(few.store, clock.now())
        assert here.get(game.path).status == 200
    for _ in range(2):
        assert here.post("/v1/games").status == 201


def test_a_game_that_nobody_joins_is_forgotten_sooner(free: Place) -> None:
    def seconds_left(path: str) -> list[int]:
        number = path.rpartition("/")[2]
        return [free.store.redis.ttl(f"{kind}:{number}") for kind in ("game", "events")]

    game = free.at().post("/v1/games", {"seats": ["open", "sailor", "sailor"]}).body
    path, host = f"/v1/games/{game['game']['id']}", free.at(token=game["token"])
    assert all(DAY - 60 < left <= DAY for left in seconds_left(path))
    joined = host.post(f"{path}/players", {"name": "Ada"})
    assert all(left > DAY for left in seconds_left(path))
    free.at(token=joined.body["token"]).delete(f"{path}/players/p1")
    assert all(left <= DAY for left in seconds_left(path))
    assert host.post(f"{path}/start", {"fill_with": "sailor"}).status == 200
    assert all(left > DAY for left in seconds_left(path))
