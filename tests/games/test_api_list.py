"""Lists of games: who is in them, in which order, page by page, while games come and go."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.answers import LAST_MOVE, NO_ACTION, refused
from tests.support.desk import Desk
from tests.support.serving import Client, new_game


@pytest.fixture
def one_process(redis_url: str) -> Client:
    """The clocks of two processes may differ by the time of a round trip, and so may the order of what they create."""
    return Desk(redis_url).api


def create(api: Client, **wanted: Any) -> tuple[str, Client]:
    made = api.post("/v1/games", {"seats": ["open"] * 3, **wanted})
    assert made.status == 201, made.body
    return made.body["game"]["id"], api.be(made.body["token"])


def pages(api: Client, status: str = "waiting", limit: int = 7, enough: int = 10**6) -> Iterator[Any]:
    """Cards of page after page."""
    cursor = ""
    while enough > 0:
        reply = api.get(f"/v1/games?status={status}&limit={limit}{cursor}")
        assert reply.status == 200, reply.body
        assert len(reply.body["games"]) <= limit
        enough -= len(reply.body["games"])
        yield reply.body["games"]
        if reply.body["next"] is None:
            return
        cursor = f"&cursor={reply.body['next']}"


def listed(api: Client, **how: Any) -> list[str]:
    return [card["id"] for page in pages(api, **how) for card in page]


def test_the_latest_games_come_first_and_pages_go_on_where_the_last_ended(api: Client, one_process: Client) -> None:
    made = [create(one_process)[0] for _ in range(20)]
    assert listed(api, enough=20)[:20] == made[::-1]


def test_a_list_ends_with_no_next_page_and_names_every_game_once(api: Client) -> None:
    made = {create(api)[0] for _ in range(3)}
    everything = listed(api, limit=100)
    assert made <= set(everything)
    assert len(everything) == len(set(everything))


def test_a_card_tells_what_whoever_wants_to_join_must_know(api: Client) -> None:
    game_id, _ = create(api, seats=["open", "open", "captain"], name="Kursk", turn_seconds=60)
    api.post(f"/v1/games/{game_id}/players", {"name": "Olga", "seat": 1})
    card = next(card for page in pages(api) for card in page if card["id"] == game_id)
    assert (card["name"], card["turn_seconds"], card["open_seats"]) == ("Kursk", 60, 1)
    assert card["players"] == [{"id": "p1", "name": "Olga", "seats": [1]}]
    assert [seat["kind"] for seat in card["seats"]] == ["open", "player", "bot"]
    assert card["rules"]["gnomes"] == 3
    assert "token" not in str(card)


def test_a_game_moves_from_list_to_list_with_its_status(api: Client) -> None:
    game = new_game(api, position=LAST_MOVE, start=False)
    game_id = game.path.rsplit("/", 1)[1]

    def where() -> set[str]:
        return {status for status in ("waiting", "playing", "finished") if game_id in listed(api, status=status)}

    assert where() == {"waiting"}
    game.host.post(f"{game.path}/start")
    assert where() == {"playing"}
    game.decider().play(game.path, NO_ACTION)
    assert where() == {"finished"}
    card = next(card for page in pages(api, "finished") for card in page if card["id"] == game_id)
    assert card["result"] == game.state["result"]
    game.host.delete(game.path)
    assert where() == set()


def test_private_games_are_in_no_list_whatever_happens_to_them(api: Client) -> None:
    game_id, host = create(api, visibility="private")
    for act in (lambda: None, lambda: host.post(f"/v1/games/{game_id}/start", {"fill_with": "sailor"})):
        act()
        for viewer in (api, host):
            assert game_id not in [*listed(viewer), *listed(viewer, status="playing")]


def test_pages_stay_right_while_games_come_and_go(api: Client) -> None:
    """What is there from the first page to the last is named exactly once."""
    staying = {create(api)[0] for _ in range(30)}
    going = [create(api) for _ in range(12)]
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            create(api)
            if going:
                game_id, host = going.pop()
                host.delete(f"/v1/games/{game_id}")

    others = threading.Thread(target=busy)
    others.start()
    try:
        walks = [listed(api, limit=5) for _ in range(3)]
    finally:
        stop.set()
        others.join()
    for walk in walks:
        assert len(walk) == len(set(walk))
        assert staying <= set(walk)


def test_a_page_of_a_hundred_is_full_although_games_before_it_went(api: Client, one_process: Client) -> None:
    made = [create(one_process)[0] for _ in range(105)]
    first, second = (page for page, _ in zip(pages(api, limit=100), range(2)))
    assert [card["id"] for card in first] == made[:4:-1]
    assert [card["id"] for card in second][:5] == made[4::-1]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("status=open", "status"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=many", "limit"),
        ("cursor=nonsense", "cursor"),
        ("cursor=MTIz", "cursor"),
        ("cursor=%C3%A9", "cursor"),
        ("page=2", "page"),
    ],
)
def test_a_bad_query_is_refused_with_the_name_of_its_parameter(api: Client, query: str, parameter: str) -> None:
    body = refused(api.get(f"/v1/games?{query}"), "invalid")
    assert [error["parameter"] for error in body["errors"]] == [parameter]
