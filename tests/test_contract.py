"""The contract itself: complete, valid, and as it is committed."""

import re

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.errors import CODES
from service.openapi import contract
from tests.contract import PATH, document, faults, operations, resolved

OPERATIONS = {f"{method} {path}": (method, path, operation) for method, path, operation in operations()}
every_operation = pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS.values(), ids=OPERATIONS)


def medias():
    """Where, and a media type object."""
    for name, (_, _, operation) in OPERATIONS.items():
        if "requestBody" in operation:
            for kind, media in operation["requestBody"]["content"].items():
                yield f"{name} {kind}", media
        for status, answer in operation["responses"].items():
            for kind, media in resolved(answer).get("content", {}).items():
                yield f"{name} {status} {kind}", media


def test_the_committed_contract_is_the_one_that_the_code_makes():
    assert contract() == PATH.read_text(), "openapi.yaml is not up to date: run `make openapi`"


def test_it_is_openapi_3_1():
    assert document()["openapi"].startswith("3.1.")
    assert [str(error) for error in OpenAPIV31SpecValidator(document()).iter_errors()] == []


def test_operation_ids_are_unique_and_good_names():
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][a-zA-Z]+", each) for each in ids)


@every_operation
def test_every_operation_is_told_in_words(method, path, operation):
    told = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert operation["summary"]
    assert not operation["summary"].endswith(".")
    assert operation["description"].endswith(".")
    assert operation["tags"]
    assert all(told[tag] for tag in operation["tags"])


@every_operation
def test_every_parameter_is_told_and_none_may_be_null(method, path, operation):
    for parameter in operation["parameters"]:
        assert parameter["description"], parameter
        assert "null" not in str(parameter["schema"]), parameter
    named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
    assert named == set(re.findall(r"\{(\w+)\}", path))


@every_operation
def test_every_post_takes_an_idempotency_key(method, path, operation):
    names = [parameter["name"] for parameter in operation["parameters"]]
    assert ("Idempotency-Key" in names) == (method == "post")
    replayed = [
        "Idempotency-Replayed" in answer.get("headers", {})
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    ]
    assert replayed == [method == "post"] * len(replayed)


@every_operation
def test_every_operation_tells_its_limits_and_refusals(method, path, operation):
    answers = {status: resolved(answer) for status, answer in operation["responses"].items()}
    assert any(status.startswith("2") for status in answers)
    assert {"429", "500", "503"} <= answers.keys()
    assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= answers["429"]["headers"].keys()
    assert ("404" in answers) == ("{" in path)
    assert ("415" in answers) == ("413" in answers) == ("requestBody" in operation)
    for status, answer in answers.items():
        assert answer["description"]
        if status >= "400":
            ((kind, media),) = answer["content"].items()
            assert kind == "application/problem+json"
            assert media["examples"]
            assert {CODES[code][0] for code in media["examples"]} == {int(status)}


def test_every_request_and_answer_has_examples_and_they_are_valid():
    for where, media in medias():
        assert media["examples"], f"{where}: add one to service/examples.py"
        for name, example in media["examples"].items():
            example = resolved(example)
            assert example["summary"], where
            assert not (fault := faults(example["value"], media["schema"])), f"{where}: {name}: {fault}"


def test_every_kind_of_problem_is_documented_somewhere():
    """But for those of wrong addresses and methods, which are no operation's."""
    shown = {
        code
        for _, media in medias()
        for code, example in media["examples"].items()
        if example.get("$ref", "").startswith("#/components/examples/")
    }
    assert shown == CODES.keys() - {"method_not_allowed"}


@pytest.mark.parametrize("name", ["Move", "Event"])
def test_unions_are_told_apart_by_type(name):
    union = document()["components"]["schemas"][name]
    assert union["discriminator"]["propertyName"] == "type"
    mapping = union["discriminator"]["mapping"]
    assert list(mapping.values()) == [shape["$ref"] for shape in union["oneOf"]]
    for type_, pointer in mapping.items():
        shape = resolved({"$ref": pointer})
        assert shape["properties"]["type"]["const"] == type_
        assert shape["description"]


def test_every_shape_has_a_good_name_and_is_used():
    shapes = document()["components"]["schemas"]
    assert all(re.fullmatch(r"([A-Z][a-z]+)+", name) for name in shapes), list(shapes)
    text = PATH.read_text()
    unused = [name for name in shapes if f"#/components/schemas/{name}'" not in text]
    assert unused == []


def test_links_lead_to_operations_with_their_parameters():
    parameters = {
        operation["operationId"]: {parameter["name"] for parameter in operation["parameters"]}
        for _, _, operation in operations()
    }
    links = [
        link
        for _, _, operation in operations()
        for answer in operation["responses"].values()
        for link in resolved(answer).get("links", {}).values()
    ]
    assert links
    for link in links:
        assert link.get("parameters", {}).keys() <= parameters[link["operationId"]]
