"""An operation that is marked in code as deprecated says so in the contract and in each of its answers."""

from datetime import date
from typing import Any

import pytest
import yaml
from flask import Response

from service.api.deprecation import deprecated
from service.api.web import Blueprint, operation
from service.contract import spec
from service.refusals import Problem
from tests.support.desk import Desk
from tests.support.serving import Client

SINCE, SUNSET = date(2028, 1, 1), date(2028, 7, 1)
SAID = {
    "deprecation": "@1830297600",
    "sunset": "Sat, 01 Jul 2028 00:00:00 GMT",
    "link": '</docs/guide#versions>; rel="deprecation"; type="text/html"',
}


def made_up() -> Blueprint:
    blueprint = Blueprint("made_up", __name__, url_prefix="/v1", description="Made up.")

    @blueprint.route("/old/<number>", methods=["GET"])
    @deprecated(SINCE, SUNSET, "Use `getNew`.")
    @operation("getOld", "What was")
    @blueprint.response(200, "BotList")
    def old(number: str) -> Response:
        """Something that ends."""
        if number == "13":
            raise Problem("invalid", "Not this one.")
        return Response("{}")

    @blueprint.route("/new", methods=["GET"])
    @operation("getNew", "What is")
    @blueprint.response(200, "BotList")
    def new() -> Response:
        """Something that stays."""
        return Response("{}")

    return blueprint


@pytest.fixture
def client(redis_url: str) -> Client:
    api = Desk(redis_url).api
    assert api.app is not None
    api.app.register_blueprint(made_up())
    return api


@pytest.mark.parametrize(("number", "status"), [("1", 200), ("13", 422)])
def test_each_answer_of_a_deprecated_operation_says_so(client: Client, number: str, status: int) -> None:
    answer = client.get(f"/v1/old/{number}")
    assert answer.status == status
    assert SAID.items() <= answer.headers.items()
    assert {"Deprecation", "Sunset", "Link"} <= set(answer.headers["access-control-expose-headers"].split(", "))


def test_other_operations_say_nothing_of_the_kind(client: Client) -> None:
    assert not SAID.keys() & client.get("/v1/new").headers.keys()


def test_the_contract_declares_what_a_deprecated_operation_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "BLUEPRINTS", (made_up(),))
    document: Any = yaml.safe_load(spec.generate())
    old, new = document["paths"]["/v1/old/{number}"]["get"], document["paths"]["/v1/new"]["get"]
    assert old["deprecated"] is True
    assert old["description"] == "Something that ends. Deprecated: it ends on 2028-07-01. Use `getNew`."
    assert "deprecated" not in new
    for status, answer in old["responses"].items():
        assert {"Deprecation", "Sunset", "Link"} <= answer["headers"].keys(), status
    for name, said in SAID.items():
        assert document["components"]["headers"][name.capitalize()]["example"] == said
    assert "Sunset" not in str(new)


def test_an_end_is_told_half_a_year_ahead() -> None:
    with pytest.raises(ValueError, match="182 days ahead"):
        deprecated(SINCE, date(2028, 6, 30), "Use `getNew`.")
    deprecated(SINCE, date(2028, 7, 1), "Use `getNew`.")
