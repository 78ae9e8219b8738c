"""One request that creates a game, joins it and starts it."""

import pytest

from tests.support.answers import refused, settled
from tests.support.contract import check
from tests.support.desk import Desk
from tests.support.helpers import Wire
from tests.support.serving import Reply

ALONE = {"seats": ["sailor", "open", "sailor"], "join": {"name": "Ada"}, "start": True}


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url)


def create(desk: Desk, wanted: Wire, **headers: str) -> Reply:
    reply = desk.api.post("/v1/games", wanted, **headers)
    check("post", "/v1/games", reply, wanted)
    return reply


def test_both_tokens_are_answered_and_are_worth_what_they_should(desk: Desk) -> None:
    made = create(desk, ALONE)
    assert (made.status, made.body["game"]["status"]) == (201, "playing")
    assert made.body["game"]["you"] == {"host": False, "player_id": "p1", "seats": [1]}
    path = made.headers["location"]
    player, host = desk.api.be(made.body["player_token"]), desk.api.be(made.body["token"])
    assert settled(player.get(path).body) == settled(made.body["game"])
    assert host.get(path).body["you"] == {"host": True, "player_id": None, "seats": []}
    assert host.delete(path).status == 204


def test_the_history_is_that_of_three_requests(desk: Desk) -> None:
    path = create(desk, ALONE).headers["location"]
    told = desk.history(path)
    assert [(event["type"], event["version"]) for event in told[:3]] == [
        ("game_created", 1), ("player_joined", 2), ("game_started", 3),
    ]  # fmt: skip
    assert desk.api.get(f"{path}?version=1").body["seats"][1]["kind"] == "open"


def test_bots_that_come_first_play_on_up_to_the_player(desk: Desk) -> None:
    made = create(desk, ALONE | {"seed": "11" * 32})
    desk.work(made.headers["location"])
    state = desk.api.be(made.body["player_token"]).get(made.headers["location"]).body
    assert state["decision"]["seat"] == 1 or state["result"]
    assert state["legal_moves"] or state["result"]


def test_one_player_takes_all_the_gnomes_that_are_theirs(desk: Desk) -> None:
    wanted = {"rules": {"gnomes": 4}, "players": 2, "join": {"name": "Ada", "seat": 3, "client_data": 7}}
    state = create(desk, wanted).body["game"]
    assert (state["status"], state["you"]["seats"]) == ("waiting", [2, 3])
    assert state["players"][0]["client_data"] == 7


def test_a_game_of_bots_alone_begins_at_once(desk: Desk) -> None:
    made = create(desk, {"seats": ["sailor"] * 3, "start": True}).body
    assert (made["game"]["status"], "player_token" in made) == ("playing", False)
    assert made["game"]["you"]["host"]


def test_a_repeated_request_is_answered_with_the_same_tokens(desk: Desk) -> None:
    first, again = (create(desk, ALONE, Idempotency_Key="a key that nobody guesses") for _ in range(2))
    assert again.headers["idempotency-replayed"] == "true"
    told = [(each.body["token"], each.body["player_token"], each.body["game"]["players"]) for each in (first, again)]
    assert told[0] == told[1]
    assert told[0][0] != told[0][1]


@pytest.mark.parametrize(
    ("wanted", "code", "pointers"),
    [
        ({"start": True}, "seats_open", ()),
        (ALONE | {"seats": ["open", "open", "sailor"]}, "seats_open", ()),
        (ALONE | {"join": {"name": "Ada", "seat": 0}}, "seat_taken", ("/join/seat",)),
        (ALONE | {"join": {"name": "Ada", "seat": 5}}, "invalid", ("/join/seat",)),
        (ALONE | {"join": {}}, "invalid", ("/join/name",)),
        (ALONE | {"join": "Ada"}, "invalid", ("/join",)),
        (ALONE | {"start": 1}, "invalid", ("/start",)),
        ({"seats": ["sailor"] * 3, "join": {"name": "Ada"}}, "seat_taken", ()),
    ],
)
def test_what_cannot_begin_is_refused_and_makes_no_game(
    desk: Desk, wanted: Wire, code: str, pointers: tuple[str, ...]
) -> None:
    before = desk.api.get("/v1/games?status=waiting&limit=1").body
    body = refused(create(desk, wanted), code, *pointers)
    if code == "seats_open":
        assert body["open_seats"]
    assert desk.api.get("/v1/games?status=waiting&limit=1").body == before
