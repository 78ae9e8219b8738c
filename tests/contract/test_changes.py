"""Of two contracts the tool tells which changes break a client that was written for the first."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from service.contract.changes.__main__ import main
from service.contract.changes.model import Change
from service.contract.changes.operations import compare
from service.wire import Wire

BREAKS, HARMLESS, SAME = "breaks", "is harmless", "is no change"
TEXT, WHOLE, NONE = {"type": "string"}, {"type": "integer"}, {"type": "null"}
CAT = {"type": "object", "properties": {"kind": {"const": "cat"}}}
DOG = {"type": "object", "properties": {"kind": {"const": "dog"}}}


def words(*known: str) -> Wire:
    return {"type": "string", "enum": list(known)}


def open_words(*known: str) -> Wire:
    return {"type": "string", "x-extensible-enum": list(known)}


def an_object(*required: str, closed: bool = False, **members: Any) -> Wire:
    shut: Wire = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": members, "required": list(required)} | shut


# What is changed: the schema before and after, what that means in a request, and what in an answer.
SCHEMAS: dict[str, tuple[Any, Any, str, str]] = {
    "a description": (TEXT, TEXT | {"description": "Words."}, SAME, SAME),
    "an example": (TEXT, TEXT | {"examples": ["Ada"]}, SAME, SAME),
    "another type": (TEXT, WHOLE, BREAKS, BREAKS),
    "null, too": (TEXT, {"type": ["string", "null"]}, HARMLESS, BREAKS),
    "null no longer": ({"type": ["string", "null"]}, TEXT, BREAKS, HARMLESS),
    "fractions, too": (WHOLE, {"type": "number"}, HARMLESS, BREAKS),
    "a type where there was none": ({}, TEXT, BREAKS, HARMLESS),
    "a word more": (words("a"), words("a", "b"), HARMLESS, BREAKS),
    "a word less": (words("a", "b"), words("a"), BREAKS, HARMLESS),
    "another constant": ({"const": "a"}, {"const": "b"}, BREAKS, BREAKS),
    "words where all was free": (TEXT, words("a"), BREAKS, HARMLESS),
    "freedom where there were words": (words("a"), TEXT, HARMLESS, BREAKS),
    "an open word more": (open_words("a"), open_words("a", "b"), HARMLESS, HARMLESS),
    "an open word less": (open_words("a", "b"), open_words("a"), BREAKS, HARMLESS),
    "words opened": (words("a"), open_words("a"), HARMLESS, BREAKS),
    "a higher maximum": ({"maximum": 1}, {"maximum": 2}, HARMLESS, BREAKS),
    "a lower maximum": ({"maximum": 2}, {"maximum": 1}, BREAKS, HARMLESS),
    "a first maximum": ({}, {"maximum": 2}, BREAKS, HARMLESS),
    "no maximum any more": ({"maximum": 2}, {}, HARMLESS, BREAKS),
    "a longer least length": ({"minLength": 1}, {"minLength": 2}, BREAKS, HARMLESS),
    "another pattern": ({"pattern": "a"}, {"pattern": "b"}, BREAKS, BREAKS),
    "a first pattern": ({}, {"pattern": "a"}, BREAKS, HARMLESS),
    "no format any more": ({"format": "date-time"}, {}, HARMLESS, BREAKS),
    "a keyword that nobody judges": ({"if": {}}, {"if": TEXT}, BREAKS, BREAKS),
    "another default": ({"default": 1}, {"default": 2}, BREAKS, SAME),
    "a default that is told now": ({}, {"default": 2}, SAME, SAME),
    "a member more": (an_object(), an_object(a=TEXT), HARMLESS, HARMLESS),
    "a member more of a closed object": (an_object(closed=True), an_object(a=TEXT, closed=True), HARMLESS, BREAKS),
    "a member more that must be there": (an_object(), an_object("a", a=TEXT), BREAKS, HARMLESS),
    "a member less": (an_object(a=TEXT), an_object(), BREAKS, BREAKS),
    "a member retyped": (an_object(a=TEXT), an_object(a=WHOLE), BREAKS, BREAKS),
    "a member that must be there": (an_object(a=TEXT), an_object("a", a=TEXT), BREAKS, HARMLESS),
    "a member that may be missing": (an_object("a", a=TEXT), an_object(a=TEXT), HARMLESS, BREAKS),
    "an object closed": (an_object(), an_object(closed=True), BREAKS, HARMLESS),
    "an object opened": (an_object(closed=True), an_object(), HARMLESS, BREAKS),
    "a map retyped": ({"additionalProperties": TEXT}, {"additionalProperties": WHOLE}, BREAKS, BREAKS),
    "a map's names": ({"propertyNames": words("a")}, {"propertyNames": words("a", "b")}, HARMLESS, BREAKS),
    "the items of a list": ({"items": words("a", "b")}, {"items": words("a")}, BREAKS, HARMLESS),
    "a variant more": ({"oneOf": [CAT]}, {"oneOf": [CAT, DOG]}, HARMLESS, BREAKS),
    "a variant more for whoever asks": (
        {"oneOf": [CAT]},
        {"oneOf": [CAT, DOG | {"x-opt-in": "also=dogs"}]},
        HARMLESS,
        HARMLESS,
    ),
    "a variant less": ({"oneOf": [CAT, DOG]}, {"oneOf": [DOG]}, BREAKS, HARMLESS),
    "variants in another order": ({"oneOf": [CAT, DOG]}, {"oneOf": [DOG, CAT]}, SAME, SAME),
    "a union of what was alone": (CAT, {"anyOf": [CAT, NONE]}, HARMLESS, BREAKS),
    "a variant alone": ({"anyOf": [CAT, NONE]}, CAT, BREAKS, HARMLESS),
    "a member of a variant": (
        {"oneOf": [CAT, DOG]},
        {"oneOf": [CAT, DOG | {"required": ["kind"]}]},
        BREAKS,
        HARMLESS,
    ),
}  # fmt: skip


def contract(operation: Wire, path: str = "/v1/pets", **shapes: Any) -> Wire:
    components = {"schemas": shapes}
    return {
        "openapi": "3.1.0",
        "info": {"version": "1"},
        "paths": {path: {"post": operation}},
        "components": components,
    }


def operation(**parts: Any) -> Wire:
    return {"operationId": "addPet", "responses": {"200": {"description": "OK"}}} | parts


def content(schema: Any, kind: str = "application/json") -> Wire:
    return {"content": {kind: {"schema": schema}}}


def sending(schema: Any, **shapes: Any) -> Wire:
    return contract(operation(requestBody=content(schema)), **shapes)


def answering(schema: Any, **shapes: Any) -> Wire:
    return contract(operation(responses={"200": content(schema)}), **shapes)


def judged(changes: list[Change]) -> str:
    if not changes:
        return SAME
    return BREAKS if any(change.breaking for change in changes) else HARMLESS


@pytest.mark.parametrize(("old", "new", "in_request", "in_answer"), SCHEMAS.values(), ids=SCHEMAS)
def test_a_stricter_request_and_a_wider_answer_break(old: Any, new: Any, in_request: str, in_answer: str) -> None:
    assert judged(compare(sending(old), sending(new))) == in_request
    assert judged(compare(answering(old), answering(new))) == in_answer


def parameter(name: str = "size", **more: Any) -> Wire:
    return operation(parameters=[{"in": "query", "name": name, "schema": TEXT} | more])


def header(**more: Any) -> Wire:
    return operation(responses={"200": {"headers": {"ETag": {"schema": TEXT} | more}}})


OPERATIONS: dict[str, tuple[Wire, Wire, str]] = {
    "another summary": (operation(), operation(summary="Add one"), SAME),
    "another operationId": (operation(), operation(operationId="createPet"), BREAKS),
    "a deprecation": (operation(), operation(deprecated=True), HARMLESS),
    "a token asked for": (operation(), operation(security=[{"token": []}]), BREAKS),
    "a token no longer asked for": (operation(security=[{"token": []}]), operation(security=[{}]), HARMLESS),
    "two credentials instead of one": (
        operation(security=[{"token": []}]), operation(security=[{"token": [], "key": []}]), BREAKS,
    ),
    "a parameter more": (operation(), parameter(), HARMLESS),
    "a parameter more that must be there": (operation(), parameter(required=True), BREAKS),
    "a parameter less": (parameter(), operation(), BREAKS),
    "a parameter that must be there": (parameter(), parameter(required=True), BREAKS),
    "a parameter that may be missing": (parameter(required=True), parameter(), HARMLESS),
    "a stricter parameter": (parameter(), parameter(schema=words("small")), BREAKS),
    "a body": (operation(), operation(requestBody=content(TEXT)), HARMLESS),
    "a body that must be there": (operation(), operation(requestBody=content(TEXT) | {"required": True}), BREAKS),
    "no body any more": (operation(requestBody=content(TEXT)), operation(), BREAKS),
    "a body in another form, too": (
        operation(requestBody=content(TEXT)),
        operation(requestBody={"content": content(TEXT)["content"] | content(TEXT, "text/csv")["content"]}),
        HARMLESS,
    ),
    "an answer in another form": (
        operation(responses={"200": content(TEXT)}), operation(responses={"200": content(TEXT, "text/csv")}), BREAKS,
    ),
    "another success": (operation(), operation(responses={"201": {"description": "Created"}}), BREAKS),
    "another refusal": (operation(), operation(responses={"200": {}, "409": {}}), SAME),
    "a header more": (operation(), header(), HARMLESS),
    "a header less": (header(), operation(), BREAKS),
    "a header that may be missing": (header(required=True), header(), BREAKS),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), OPERATIONS.values(), ids=OPERATIONS)
def test_an_operation_asks_for_no_more_and_tells_no_less(old: Wire, new: Wire, expected: str) -> None:
    assert judged(compare(contract(old), contract(new))) == expected


def test_an_operation_that_is_gone_breaks_and_a_new_one_does_not() -> None:
    (new, gone) = sorted(compare(contract(operation()), contract(operation(), "/v1/animals")))
    assert (gone.breaking, str(gone)) == (True, "`POST /v1/pets`: the operation is gone")
    assert (new.breaking, str(new)) == (False, "`POST /v1/animals`: the operation is new")


PET = {"$ref": "#/components/schemas/Pet"}


def test_a_shape_that_refers_to_itself_is_told_once_by_its_name() -> None:
    old, new = (
        an_object(young={"type": "array", "items": PET}),
        an_object(young={"type": "array", "items": PET}, a=TEXT),
    )
    assert list(map(str, compare(answering(PET, Pet=old), answering(PET, Pet=new)))) == ["`Pet.a` in answers: is new"]


def test_a_shape_that_is_sent_and_answered_is_judged_both_ways() -> None:
    both = operation(requestBody=content(PET), responses={"200": content(PET)})
    found = compare(contract(both, Pet=words("a")), contract(both, Pet=words("a", "b")))
    assert [(change.breaking, change.where) for change in found] == [
        (True, "`Pet` in answers"),
        (False, "`Pet` in requests"),
    ]


def test_an_alternative_that_is_given_a_name_is_the_same_one() -> None:
    old, new = {"anyOf": [words("a", "b"), NONE]}, {"anyOf": [PET, NONE]}
    assert list(map(str, compare(answering(old), answering(new, Pet=words("a", "b"))))) == ["`Pet`: the shape is new"]
    assert judged(compare(answering(old), answering(new, Pet=words("a", "c")))) == BREAKS


def test_a_shape_with_another_name_breaks_generated_clients() -> None:
    found = compare(answering(PET, Pet=CAT), answering({"$ref": "#/components/schemas/Cat"}, Cat=CAT))
    assert list(map(str, found)) == ["`Pet`: the shape is gone", "`Cat`: the shape is new"]


def written(folder: Path, name: str, document: Wire, version: str) -> str:
    file = folder / name
    file.write_text(yaml.safe_dump(document | {"info": {"version": version}}))
    return str(file)


def test_the_command_tells_the_changes_and_fails_if_one_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = written(tmp_path, "old.yaml", sending(words("a", "b")), "1.0.0")
    stricter = written(tmp_path, "stricter.yaml", sending(words("a")), "1.1.0")
    wider = written(tmp_path, "wider.yaml", sending(words("a", "b", "c")), "1.1.0")
    assert main([old, stricter]) == 1
    assert capsys.readouterr().out == (
        "## 1.1.0\n\n### Breaking\n\n- `POST /v1/pets` in requests: no longer `b`.\n"
    )  # fmt: skip
    assert main([old, wider]) == 0
    assert "### Harmless\n\n- `POST /v1/pets` in requests: now also `c`.\n" in capsys.readouterr().out


def test_a_release_keeps_the_contract_and_writes_what_changed_above_what_changed_before(tmp_path: Path) -> None:
    released, changes = tmp_path / "released.yaml", tmp_path / "changes.md"
    changes.write_text("# Changes\n\nThe latest first.\n\n## 1.0.0\n\nThe first.\n")
    written(tmp_path, released.name, contract(operation()), "1.0.0")
    today = written(tmp_path, "today.yaml", contract(parameter()), "1.1.0")
    told = "## 1.1.0\n\n### Harmless\n\n- `POST /v1/pets` query `size`: the parameter is new.\n"
    for _ in range(2):  # the second has nothing to tell
        assert main([str(released), today, "--release", str(changes)]) == 0
        assert released.read_text() == Path(today).read_text()
        assert changes.read_text() == f"# Changes\n\nThe latest first.\n\n{told}\n## 1.0.0\n\nThe first.\n"


def test_drafts_of_one_release_have_no_section_each(tmp_path: Path) -> None:
    released, changes = tmp_path / "released.yaml", tmp_path / "changes.md"
    changes.write_text("# Changes\n")
    written(tmp_path, released.name, contract(parameter()), "1.0.0")
    today = written(tmp_path, "today.yaml", contract(operation()), "1.0.0")
    assert main([str(released), today, "--release", str(changes)]) == 0
    assert released.read_text() == Path(today).read_text()
    assert changes.read_text() == "# Changes\n"
