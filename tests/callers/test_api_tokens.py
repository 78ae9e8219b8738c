"""What each token lets its holder do: the host's, a seat's, another seat's, none, and another game's."""

import pytest

from tests.support.answers import refused, scene
from tests.support.serving import Client, Reply, Seated

ASK = {
    "look": ("GET", "", None),
    "moves": ("GET", "/legal-moves", None),
    "events": ("GET", "/events", None),
    "replay": ("GET", "/replay", None),
    "fork": ("POST", "/forks", {}),
    "play": ("POST", "/moves", {"moves": [{"type": "open_hatch", "to": 7}]}),
    "start": ("POST", "/start", {}),
    "leave": ("DELETE", "/players/p1", None),
    "control": ("PUT", "/seats/0/controller", {"kind": "player"}),
    "delete": ("DELETE", "", None),
}
# Of a game that waits, as each caller gets it: a status, or the code of a problem.
RIGHTS = {
    #           host         seat 0         seat 1         nobody      another game's
    "look": (200, 200, 200, 200, "bad_token"),
    "moves": (200, 200, 200, 200, "bad_token"),
    "events": (200, 200, 200, 200, "bad_token"),
    "replay": ("not_over", "not_over", "not_over", "not_over", "bad_token"),
    "fork": (201, 201, 201, 201, "bad_token"),
    "play": ("forbidden", "not_started", "not_started", "no_token", "bad_token"),
    "start": (200, "forbidden", "forbidden", "no_token", "bad_token"),
    "leave": (204, 204, "forbidden", "no_token", "bad_token"),
    "control": (200, 200, "forbidden", "no_token", "bad_token"),
    "delete": (204, "forbidden", "forbidden", "no_token", "bad_token"),
}
WHO = ("host", "seat 0", "seat 1", "nobody", "another game's")
CASES = [(what, who, RIGHTS[what][number]) for what in ASK for number, who in enumerate(WHO)]


def waiting(api: Client, visibility: str = "public") -> tuple[str, dict[str, Client]]:
    """A game whose seats are taken, and everybody who may call."""
    made = api.post(
        "/v1/games", {"seats": ["open", "open", "captain"], "position": scene(), "visibility": visibility}
    ).body
    path, host = f"/v1/games/{made['game']['id']}", api.be(made["token"])
    seats = [api.be(host.post(f"{path}/players", {"name": "G"}).body["token"]) for _ in range(2)]
    stranger = api.be(api.post("/v1/games").body["token"])
    return path, dict(zip(WHO, (host, *seats, api, stranger)))


def ask(caller: Client, path: str, what: str) -> Reply:
    method, part, body = ASK[what]
    return caller.call(method, path + part, body)


@pytest.mark.parametrize(("what", "who", "outcome"), CASES, ids=[f"{who}: {what}" for what, who, _ in CASES])
def test_a_token_lets_its_holder_do_what_is_his_to_do(api: Client, what: str, who: str, outcome: int | str) -> None:
    path, callers = waiting(api)
    reply = ask(callers[who], path, what)
    if isinstance(outcome, int):
        assert reply.status == outcome, reply.body
    else:
        refused(reply, outcome)
        assert ("www-authenticate" in reply.headers) == (reply.status == 401)


@pytest.mark.parametrize("what", ASK)
def test_a_private_game_looks_as_if_it_were_not_there(api: Client, what: str) -> None:
    path, callers = waiting(api, visibility="private")
    absent = path[:-4] + "aaaa"
    for who in ("nobody", "another game's"):
        hidden, nothing = (refused(ask(callers[who], at, what), "no_such_game") for at in (path, absent))
        assert {name: value for name, value in hidden.items() if name != "instance"} == {
            name: value for name, value in nothing.items() if name != "instance"
        }


@pytest.mark.parametrize("who", WHO[:3])
def test_a_private_game_is_there_for_its_own_tokens(api: Client, who: str) -> None:
    path, callers = waiting(api, visibility="private")
    for what in ("look", "moves", "events"):
        assert ask(callers[who], path, what).status == 200


def test_only_who_has_a_token_of_a_private_game_can_let_somebody_in(api: Client) -> None:
    made = api.post("/v1/games", {"visibility": "private"}).body
    path = f"/v1/games/{made['game']['id']}"
    refused(api.post(f"{path}/players", {"name": "G"}), "no_such_game")
    joined = api.be(made["token"]).post(f"{path}/players", {"name": "G"})
    assert joined.status == 201
    assert joined.body["token"] != made["token"]
    assert api.be(joined.body["token"]).get(path).body["you"]["seats"] == [0]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic cm46cm4=", "rn_abc", "Bearer tökén", "Bearer rn_" + "x" * 5000]
)
def test_what_is_no_token_is_refused(api: Client, header: str) -> None:
    path, _ = waiting(api)
    reply = api.get(path, Authorization=header.encode().decode("latin-1"))
    refused(reply, "bad_token")
    assert reply.headers["www-authenticate"] == ('Bearer error="invalid_token"' if "rn_x" in header else "Bearer")


def test_the_word_bearer_may_be_written_in_any_case(api: Client) -> None:
    path, callers = waiting(api)
    for word in ("bearer", "BEARER"):
        you = api.get(path, Authorization=f"{word} {callers['host'].token}").body["you"]
        assert you["host"] is True


@pytest.mark.parametrize("path", ["zz", "A" * 16, "../rules", "aaaaaaaaaaaaaaa1", "a" * 500])
def test_what_is_no_id_is_no_game(api: Client, path: str) -> None:
    reply = api.get(f"/v1/games/{path}")
    refused(reply, "not_found" if "/" in path else "no_such_game")


def test_no_token_is_ever_told_again(api: Client) -> None:
    path, callers = waiting(api)
    game = Seated(path, callers["host"], [callers["seat 0"]])
    told = str([game.state, api.get(f"{path}/events").body, game.players[0].get(path).body])
    for caller in callers.values():
        assert caller.token is None or caller.token not in told
    assert "'rn_" not in told
