"""The playing client in a real browser: friends, onlookers, and several players at one device."""

import pytest

from tests.support.answers import scene
from tests.support.journeys import SAYS, alone, assert_calm, assert_over, seat_of, travel, within
from tests.support.serving import Client, Wire, new_game

pytestmark = pytest.mark.thorough


def tables(api: Client) -> Wire:
    shown = new_game(api, position=scene({"room": 5}, {"items": {"grog": 2}}))
    return {
        "mine": alone(api),
        "shown": [seat_of(shown, seat) for seat in (0, 1)],
        "large": [seat_of(new_game(api, position=scene({"room": 5})))],
        "apart": within(api, {"room": 5}),
        "links": links(api),
        "unadvised": alone(api, advice=False),
    }


def links(api: Client) -> Wire:
    """Links that a friend comes with in vain, by the problem that they meet."""
    made = api.post("/v1/games", {"seats": ["open"] * 4}).body
    path, host = f"/v1/games/{made['game']['id']}", api.be(made["token"])
    revoked, taken = (host.post(f"{path}/invitations", {"seat": seat}).body for seat in (0, 1))
    assert host.delete(f"{path}/invitations/{revoked['invitation']['id']}").status == 204
    assert host.post(f"{path}/players", {"name": "Bea", "seat": 1}).status == 201
    elsewhere = new_game(api, 4, start=False)
    foreign = elsewhere.host.post(f"{elsewhere.path}/invitations", {"seat": 0})
    tokens = {"invitation_revoked": revoked, "seat_taken": taken, "bad_invitation": foreign.body}
    return {code: {"game": made["game"]["id"], "invitation": each["token"]} for code, each in tokens.items()}


@pytest.fixture(scope="module")
def visited(api: Client, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Wire:
    made = tables(api)
    return travel(api, redis_url, tmp_path_factory.mktemp("job"), "company", made) | {"mine": made["mine"]}


def test_a_players_link_leads_to_the_table_and_back_does_not_lose_the_seat(visited: Wire) -> None:
    assert visited["watcher"]["address"].endswith(f"/play/{visited['mine']['id']}")
    assert SAYS["your_turn"] in visited["watcher"]["who"]


def test_a_friend_comes_aboard_by_a_link(visited: Wire) -> None:
    assert "/join#" in visited["friend"]["link"]
    assert len(set(visited["friend"]["tokens"])) == 3
    assert visited["friend"]["told"] == SAYS["problems"]["invitation_used"]
    assert visited["friend"]["images"] == 0


def test_a_friend_takes_a_bots_place_by_a_link_and_plays_to_the_end(visited: Wire) -> None:
    assert visited["later"]["taken"] > 0
    assert_over(*visited["later"]["ends"])


def test_players_show_each_other_a_plan_or_point_at_something(visited: Wire) -> None:
    shown = visited["shown"]
    assert shown["plan"].startswith("1")
    assert "would do this" in shown["plan"]
    assert "points at" in shown["ping"]
    assert "Hatch 4–5" in shown["hatch"]


def test_a_plan_of_ones_own_is_weighed_beside_the_bots(visited: Wire) -> None:
    assert visited["shown"]["weighed"].startswith("Yours ")


def test_where_the_host_wants_no_advice_there_is_none(visited: Wire) -> None:
    assert visited["unadvised"] == 0


def test_whoever_is_refused_is_told_why_and_what_to_do(visited: Wire) -> None:
    said = visited["refused"]["said"]
    assert said.keys() == {"invitation_revoked", "seat_taken", "bad_invitation", "body_too_large", "not_your_turn"}
    assert said == {code: SAYS["problems"][code] for code in said}
    assert visited["refused"]["left"] == []


def test_pages_of_friends_are_calm(visited: Wire) -> None:
    assert_calm(visited, *visited["friend"]["tokens"])
