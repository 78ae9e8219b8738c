"""Whatever is wrong with a request is told with a code and its place, and nothing is read that is not documented."""

from typing import Any

import pytest

from service.refusals import FAULTS
from tests.support.answers import NO_ACTION, refused, scene
from tests.support.contract import document, operations
from tests.support.serving import Client, Seated, Wire, new_game

OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in operations()}
IDS = {
    "game_id": "aaaaaaaaaaaaaaaa", "match_id": "aaaaaaaaaaaaaaaa", "player_id": "p1", "seat": "0", "gnomes": "3",
    "line_up": "crew", "number": "0", "advice_id": "0" * 16, "invitation_id": "i1", "bot_name": "deepgnome",
}  # fmt: skip


@pytest.fixture
def game(api: Client) -> Seated:
    return new_game(api, position=scene({"room": 7}))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_operation_takes_a_parameter_that_it_does_not_know(api: Client, operation: str) -> None:
    method, path = OPERATIONS[operation]
    body = refused(api.call(method.upper(), f"{path.format(**IDS)}?colour=red"), "invalid")
    assert [(error["parameter"], error["code"]) for error in body["errors"]] == [("colour", "unknown")]


@pytest.mark.parametrize(
    ("wanted", "pointer", "code"),
    [
        ({"seats": 3}, "/seats", "type"),
        ({"seats": ["open"]}, "/seats", "length"),
        ({"seats": ["open", "open", "nobody"]}, "/seats/2", "value"),
        ({"seats": ["open"] * 3, "rules": {"gnomes": 4}}, "/seats", "conflict"),
        ({"colour": "red"}, "/colour", "unknown"),
        ({"col/our": "red"}, "/col~1our", "unknown"),
        ({"name": 5}, "/name", "type"),
        ({"name": "x" * 61}, "/name", "length"),
        ({"seed": "x"}, "/seed", "format"),
        ({"players": 0}, "/players", "range"),
        ({"players": "1"}, "/players", "type"),
        ({"turn_seconds": 4}, "/turn_seconds", "range"),
        ({"rules": []}, "/rules", "type"),
        ({"rules": {"gnomes": 9}}, "/rules/gnomes", "range"),
        ({"rules": {"gnomes": "4"}}, "/rules/gnomes", "type"),
        ({"rules": {"edition": "third"}}, "/rules/edition", "value"),
        ({"rules": {"beer": True}}, "/rules/beer", "unknown"),
        ({"position": []}, "/position", "type"),
        ({"position": {"a/b": 1}}, "/position/a~1b", "unknown"),
        ({"position": {"rooms": {"1": {"fire": 1}}}}, "/position/rooms/1/fire", "type"),
        ({"position": {"tracks": {"heat": 11}}}, "/position/tracks/heat", "range"),
        ({"position": {"phase": "dance"}}, "/position/phase", "value"),
    ],
)  # fmt: skip
def test_each_fault_of_a_body_has_its_code_and_its_place(api: Client, wanted: Wire, pointer: str, code: str) -> None:
    errors = refused(api.post("/v1/games", wanted), "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [(pointer, code)]


def test_what_is_missing_and_what_goes_with_nothing_else_are_told_apart(game: Seated) -> None:
    seat = f"{game.path}/seats/0/controller"
    told = [
        refused(game.host.call(method, path, body), "invalid")["errors"][0]
        for method, path, body in (
            ("POST", f"{game.path}/players", {}),
            ("PUT", seat, {"kind": "bot"}),
            ("PUT", seat, {"kind": "player", "bot": "sailor"}),
        )
    ]
    assert [(each["pointer"], each["code"]) for each in told] == [
        ("/name", "required"), ("/bot", "required"), ("/bot", "conflict"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "parameter", "code"),
    [
        ("limit=0", "limit", "range"), ("limit=5.0", "limit", "type"), ("limit=", "limit", "type"),
        ("limit=%2B5", "limit", "type"), ("limit=1_0", "limit", "type"), ("limit=%D9%A3", "limit", "type"),
        (f"limit={'9' * 3000}", "limit", "range"), ("status=lost", "status", "value"), ("cursor=x", "cursor", "value"),
    ],
)  # fmt: skip
def test_each_fault_of_a_query_has_its_code_and_names_the_parameter(
    api: Client, query: str, parameter: str, code: str
) -> None:
    errors = refused(api.get(f"/v1/games?{query}"), "invalid")["errors"]
    assert [(error["parameter"], error["code"]) for error in errors] == [(parameter, code)]


@pytest.mark.parametrize(
    ("headers", "refusal", "header", "code"),
    [
        ({"Idempotency_Key": "k" * 201}, "bad_request", "Idempotency-Key", "format"),
        ({"If_Match": ""}, "bad_request", "If-Match", "format"),
        ({"If_Match": '"1-all"'}, "precondition_failed", "If-Match", "conflict"),
        ({"Content_Type": "text/plain"}, "unsupported_media_type", "Content-Type", "value"),
    ],
)
def test_each_fault_of_a_header_has_its_code_and_names_the_header(
    game: Seated, headers: dict[str, str], refusal: str, header: str, code: str
) -> None:
    reply = game.decider().post(f"{game.path}/moves", {"moves": [NO_ACTION]}, **headers)
    errors = refused(reply, refusal)["errors"]
    assert [(error["header"], error["code"]) for error in errors] == [(header, code)]


@pytest.mark.parametrize("if_match", ['""', '"', "W/", ",", "W/*", "nonsense", '"\xe9"'])
def test_no_if_match_makes_the_service_fail(game: Seated, if_match: str) -> None:
    reply = game.decider().post(f"{game.path}/moves", {"moves": [NO_ACTION]}, If_Match=if_match)
    assert (reply.status, reply.body["errors"][0]["header"]) in ((400, "If-Match"), (412, "If-Match"))


def test_who_sends_the_etag_of_anothers_view_is_told_so(game: Seated) -> None:
    seat = game.state["decision"]["seat"]
    others = game.players[1 - seat].get(game.path).headers["etag"]
    own = game.decider().get(game.path).headers["etag"]
    reply = game.decider().post(f"{game.path}/moves", {"moves": [NO_ACTION]}, If_Match=others)
    assert "another's view" in refused(reply, "precondition_failed")["detail"]
    assert reply.headers["etag"] == own


@pytest.mark.parametrize(
    ("move", "pointer", "code"),
    [
        ({}, "/moves/0/type", "required"),
        (None, "/moves/0", "type"),
        ("enter", "/moves/0", "type"),
        ({"type": 5}, "/moves/0/type", "type"),
        ({"type": "dance"}, "/moves/0/type", "value"),
        ({"type": "open_hatch"}, "/moves/0/to", "required"),
        ({"type": "open_hatch", "to": 77}, "/moves/0/to", "value"),
        ({"type": "open_hatch", "to": 8.5}, "/moves/0/to", "type"),
        ({"type": "open_hatch", "to": True}, "/moves/0/to", "type"),
        ({"type": "enter", "speed": 3}, "/moves/0/speed", "unknown"),
        ({"type": "enter", "cost": 61}, "/moves/0/cost", "range"),
    ],
)
def test_what_is_no_move_at_all_is_invalid_and_not_an_illegal_move(
    game: Seated, move: Any, pointer: str, code: str
) -> None:
    reply = game.decider().post(f"{game.path}/moves", {"moves": [move]})
    errors = refused(reply, "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [(pointer, code)]


def test_a_move_that_is_one_and_not_legal_now_is_an_illegal_move(game: Seated) -> None:
    reply = game.decider().post(f"{game.path}/moves", {"moves": [{"type": "open_hatch", "to": 1}]})
    errors = refused(reply, "illegal_move")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [("/moves/0/to", "illegal")]


def test_a_whole_number_may_be_written_with_a_point(api: Client) -> None:
    position = scene({"room": 7, "minutes": 40.0, "items": {"grog": 2.0}}) | {"rules": {"gnomes": 3.0}}
    game = new_game(api, position=position, turn_seconds=6e1)
    assert (game.state["turn_seconds"], game.state["gnomes"][0]["items"]) == (60, {"grog": 2})
    move = {"type": "open_hatch", "to": 8.0, "cost": 1.0}
    turn = {"moves": [move], "version": float(game.state["version"])}
    assert game.decider().post(f"{game.path}/moves", turn).status == 200
    assert api.post("/v1/games", {"seats": ["open"] * 3, "rules": {"players": 1.0}}).status == 201


@pytest.mark.parametrize("number", [b"5.5", b"true", b"1e30", b'"5"', b"[5]", b"9007199254740993.0"])
def test_what_is_no_whole_number_is_refused(api: Client, number: bytes) -> None:
    for field in (b"turn_seconds", b"players"):
        reply = api.call("POST", "/v1/games", b'{"%b": %b}' % (field, number), Content_Type="application/json")
        assert refused(reply, "invalid")["errors"][0]["code"] == "type"


def test_a_number_beyond_all_numbers_is_refused(api: Client) -> None:
    reply = api.call("POST", "/v1/games", b'{"players": 1e400}', Content_Type="application/json")
    refused(reply, "bad_json")


@pytest.mark.parametrize(("gnomes", "words"), [(3, "four gnomes"), (5, "four gnomes"), (4, "1, 2 or 4 players")])
def test_who_wants_too_few_players_is_told_how_many_there_may_be(api: Client, gnomes: int, words: str) -> None:
    wanted = {"rules": {"gnomes": gnomes}, "players": 3 if gnomes == 4 else 2}
    assert words in refused(api.post("/v1/games", wanted), "invalid", "/players")["detail"]


def test_the_contract_names_every_code_of_a_fault() -> None:
    assert set(FAULTS) == set(
        document()["components"]["schemas"]["FieldError"]["properties"]["code"]["x-extensible-enum"]
    )


@pytest.mark.parametrize("seats", [["open", "captain", "captain"], ["captain", "open", "open"]])
def test_the_only_player_of_a_game_with_bots_plays_the_seats_that_were_open(api: Client, seats: list[str]) -> None:
    game = new_game(api, seats, players=1)
    mine = [number for number, who in enumerate(seats) if who == "open"]
    (player,) = game.state["players"]
    assert player["seats"] == mine
    assert [seat["kind"] for seat in game.state["seats"]] == ["player" if seat in mine else "bot" for seat in range(3)]
