"""Lists of games that are looked through: by filters, in either order, in bounded steps."""

from typing import Any

import pytest

from service.paging import MOST_LOOKED_AT
from tests.support.answers import refused
from tests.support.desk import Desk, HeldClock
from tests.support.serving import Wire


@pytest.fixture(autouse=True)
def empty_lists(desk: Desk) -> None:
    desk.store.redis.delete("games:waiting", "games:playing", "games:finished")


def create(desk: Desk, **wanted: Any) -> str:
    made = desk.api.post("/v1/games", {"seats": ["open"] * 3, **wanted})
    assert made.status == 201, made.body
    return str(made.headers["location"].rpartition("/")[2])


def page(desk: Desk, query: str) -> tuple[list[str], str | None]:
    reply = desk.api.get(f"/v1/games?{query}")
    assert reply.status == 200, reply.body
    return [game["id"] for game in reply.body["games"]], reply.body["next"]


def walked(desk: Desk, query: str) -> list[str]:
    found, following = page(desk, query)
    while following:
        more, following = page(desk, f"{query}&cursor={following}")
        found += more
    return found


def test_games_are_found_by_what_they_are(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = HeldClock(monkeypatch)
    old = create(desk, name="Émile’s night", seats=["open", "captain", "captain"])
    clock.move(100)
    new = create(desk, seats=["open"] * 4)
    expected = {
        "open_seats=1": [new, old], "open_seats=2": [new], "open_seats=5": [],
        "bot=captain": [old], "bot=admiral": [],
        "gnomes=3": [old], "gnomes=4": [new],
        "name=night": [old], "name=E%CC%81MILE": [old], "name=day": [],
        "min_age=50": [old], "max_age=50": [new], "min_age=100&max_age=100": [old], "max_age=100": [new, old],
        "gnomes=4&open_seats=4": [new], "gnomes=4&bot=captain": [],
    }  # fmt: skip
    assert {query: page(desk, query)[0] for query in expected} == expected


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("open_seat=2", "open_seat"), ("open_seats=0", "open_seats"), ("open_seats=two", "open_seats"),
        ("bot=hal", "bot"), ("gnomes=2", "gnomes"), ("name=", "name"), ("max_age=-1", "max_age"),
        ("sort=best", "sort"), ("status=lost", "status"), ("private=true", "private"),
    ],
)  # fmt: skip
def test_a_filter_that_is_none_is_refused_by_name(desk: Desk, query: str, name: str) -> None:
    problem = refused(desk.api.get(f"/v1/games?{query}"), "invalid")
    assert [error["parameter"] for error in problem["errors"]] == [name]


@pytest.mark.parametrize("sort", ["newest", "oldest"])
def test_games_that_are_there_all_the_time_come_once_while_others_come_and_go(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    clock = HeldClock(monkeypatch)
    stays: list[str] = []
    goes: list[str] = []
    for number in range(12):
        clock.move(number % 3)  # so that some were made at one moment
        (goes if number % 4 == 1 else stays).append(create(desk))
    seen, following = page(desk, f"sort={sort}&limit=2")
    while following:
        if goes:
            desk.store.delete(goes.pop())
        create(desk)
        more, following = page(desk, f"sort={sort}&limit=2&cursor={following}")
        seen += more
        assert len(seen) < 60
    assert len(seen) == len(set(seen))
    assert set(stays) <= set(seen)
    in_order = [game_id for game_id in seen if game_id in stays]
    made_at = {game["id"]: game["created_at"] for game in everything(desk)}
    assert [made_at[each] for each in in_order] == sorted((made_at[each] for each in stays), reverse=sort == "newest")


def everything(desk: Desk) -> list[Wire]:
    return list(desk.api.get("/v1/games?limit=100").body["games"])


@pytest.mark.parametrize("sort", ["newest", "oldest"])
def test_many_games_of_one_moment_are_told_page_by_page_to_the_end(desk: Desk, sort: str) -> None:
    one = create(desk)
    (card,) = desk.store.redis.ask(("HGET", desk.store.names.game(one), "card"))
    ids = [f"{'a' * 13}{first}{second}{third}" for first in "abcdefg" for second in "abcdefg" for third in "abcdefg"]
    for id_ in ids:
        desk.store.redis.hset(desk.store.names.game(id_), "card", card.replace(one.encode(), id_.encode()))
    desk.store.redis.zadd("games:waiting", dict.fromkeys(ids, 1.0))
    try:
        told = walked(desk, f"sort={sort}&limit=60")
        assert told == ([one, *ids[::-1]] if sort == "newest" else [*ids, one])
    finally:
        desk.store.redis.delete(*map(desk.store.names.game, ids))


def test_a_request_looks_at_so_many_games_at_the_most_and_leads_on(desk: Desk) -> None:
    wanted = create(desk, name="the one")
    other = desk.store.redis.hget(desk.store.names.game(create(desk)), "card")
    ids = [f"{'a' * 12}{number:04d}".translate(str.maketrans("01", "xy")) for number in range(MOST_LOOKED_AT)]
    with desk.store.redis.pipeline() as pipeline:
        for id_ in ids:
            pipeline.hset(desk.store.names.game(id_), "card", other)
        pipeline.execute()
    desk.store.redis.zadd("games:waiting", {id_: 1e17 + 1e6 * at for at, id_ in enumerate(ids)})
    try:
        found, following = page(desk, "name=the+one")
        assert (found, bool(following)) == ([], True)
        assert page(desk, f"name=the+one&cursor={following}") == ([wanted], None)
    finally:
        desk.store.redis.delete(*map(desk.store.names.game, ids))
