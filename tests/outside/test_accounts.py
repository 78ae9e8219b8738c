"""Owners register their bots, change, pause and delete them."""

import hashlib
import re

import pytest

from service.config import CLOSED, KEYS
from tests.outside.given import KEY, new_name, registered
from tests.support.answers import refused
from tests.support.desk import Desk


@pytest.fixture
def desk(redis_url: str) -> Desk:
    return Desk(redis_url, bot_accounts="anybody")


def test_a_bot_is_registered_and_listed_beside_ours(desk: Desk) -> None:
    name = new_name()
    reply = desk.api.post("/v1/bots", {"name": name, "description": "Thinks a lot.", "version": "1.4", "open": 8})
    assert reply.status == 201
    assert reply.headers["location"] == f"/v1/bots/{name}"
    assert re.fullmatch(rf"rn_{name}\.[A-Za-z0-9_-]{{43}}", reply.body["token"])
    told = desk.api.get(f"/v1/bots/{name}").body
    assert told == reply.body["bot"]
    assert (told["bot"], told["open"], told["seconds"], told["accepts"]) == (f"bot:{name}", 8, 5, "anybody")
    assert (told["connected"], told["paused"], told["record"]["decisions"]) == (False, None, 0)
    listed = desk.api.get("/v1/bots").body
    assert told in listed["outside"]
    assert name not in {bot["name"] for bot in listed["bots"]}


@pytest.mark.parametrize("name", ["captain", "open", "bot"])
def test_names_of_ours_are_refused(desk: Desk, name: str) -> None:
    refused(desk.api.post("/v1/bots", {"name": name}), "invalid", "/name")


@pytest.mark.parametrize(
    "name", ["ab", "Deep", "1st", "a b c", "gnöm", "x" * 33, "a\u202eb", "abc\n", "", 7, None, ["a"]]
)
def test_names_that_can_not_be_are_refused(desk: Desk, name: object) -> None:
    refused(desk.api.post("/v1/bots", {"name": name}), "invalid", "/name")


def test_whatever_else_is_wrong_is_named(desk: Desk) -> None:
    for field, value in (
        ("open", 0),
        ("open", 257),
        ("seconds", 0),
        ("accepts", "me"),
        ("version", "\u202e"),
        ("url", "x"),
    ):
        refused(desk.api.post("/v1/bots", {"name": new_name(), field: value}), "invalid", f"/{field}")
    refused(desk.api.post("/v1/bots", {}), "invalid", "/name")


def test_a_name_is_taken_once(desk: Desk) -> None:
    name = new_name()
    assert desk.api.post("/v1/bots", {"name": name}).status == 201
    refused(desk.api.post("/v1/bots", {"name": name}), "name_taken", "/name")


def test_a_repeated_request_is_told_the_same_token(desk: Desk) -> None:
    name = new_name()
    first, again = (desk.api.post("/v1/bots", {"name": name}, Idempotency_Key=KEY + name) for _ in range(2))
    assert (again.status, again.body["token"]) == (201, first.body["token"])
    assert again.headers["idempotency-replayed"] == "true"
    refused(desk.api.post("/v1/bots", {"name": name}, Idempotency_Key=KEY + name + "x"), "name_taken", "/name")


def test_the_owner_changes_and_pauses_it(desk: Desk) -> None:
    owner = registered(desk.api)
    told = owner.patch(owner.path, {"version": "2", "paused": True}).body
    assert (told["version"], told["paused"]) == ("2", "owner")
    assert owner.patch(owner.path, {"paused": False}).body["paused"] is None
    refused(owner.patch(owner.path, {"name": "another"}), "invalid", "/name")
    other = registered(desk.api)
    for stranger, code in ((desk.api, "no_token"), (other, "bad_token"), (desk.api.be("rn_x"), "bad_token")):
        refused(stranger.patch(owner.path, {"version": "3"}), code)
        refused(stranger.delete(owner.path), code)
        refused(stranger.post(f"{owner.path}/token"), code)
    assert desk.api.get(owner.path).body["version"] == "2"


def test_a_renewed_token_takes_the_place_of_the_one_before(desk: Desk) -> None:
    owner = registered(desk.api)
    first, again = (owner.post(f"{owner.path}/token", Idempotency_Key=KEY) for _ in range(2))
    assert first.status == 200
    assert again.body == first.body
    refused(owner.patch(owner.path, {"version": "2"}), "bad_token")
    assert owner.be(first.body["token"]).patch(owner.path, {"version": "2"}).status == 200


def test_a_deleted_bot_is_gone_and_its_name_is_nobodys(desk: Desk) -> None:
    owner = registered(desk.api)
    assert owner.delete(owner.path).status == 204
    for reply in (desk.api.get(owner.path), owner.delete(owner.path), owner.patch(owner.path, {})):
        refused(reply, "no_such_bot")
    refused(desk.api.post("/v1/bots", {"name": owner.name}), "name_taken", "/name")
    assert owner.name not in {bot["name"] for bot in desk.api.get("/v1/bots").body["outside"]}
    refused(desk.api.get("/v1/bots/captain"), "no_such_bot")


def test_registering_takes_an_api_key_which_is_the_owners(redis_url: str) -> None:
    refused(Desk(redis_url, bot_accounts=KEYS).api.post("/v1/bots", {"name": new_name()}), "no_api_key")
    refused(Desk(redis_url, bot_accounts=CLOSED).api.post("/v1/bots", {"name": new_name()}), "bots_closed")
    keys = {hashlib.sha256(key.encode()).hexdigest(): key for key in ("studio", "other")}
    desk, name = Desk(redis_url, bot_accounts=KEYS, api_keys=keys), new_name()
    refused(desk.api.post("/v1/bots", {"name": name}), "no_api_key")
    assert desk.api.post("/v1/bots", {"name": name}, X_API_Key="studio").status == 201
    path = f"/v1/bots/{name}"
    refused(desk.api.patch(path, {"version": "2"}, X_API_Key="other"), "forbidden")
    assert desk.api.patch(path, {"version": "2"}, X_API_Key="studio").body["version"] == "2"
    token = desk.api.post(f"{path}/token", X_API_Key="studio").body["token"]
    assert desk.api.be(token).delete(path).status == 204
