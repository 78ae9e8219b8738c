"""The committed contract, and whether a reply keeps it."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator as SlowValidator
from jsonschema.exceptions import best_match
from jsonschema_rs import Draft202012Validator

from tests.support.answers import NDJSON, SSE
from tests.support.serving import Client, Reply

Wire = dict[str, Any]

PATH = Path(__file__).parents[2] / "openapi.yaml"
METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = "application/problem+json"
# What HTTP, caches, browsers and proxies are told about any answer.
OF_HTTP = {
    "access-control-allow-origin", "access-control-expose-headers", "cache-control", "connection", "content-encoding",
    "content-security-policy",
    "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding", "vary", "x-accel-buffering",
    "x-content-type-options",
}  # fmt: skip
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def document() -> Wire:
    return yaml.load(PATH.read_text(), _Loader)


def resolved(thing: Wire) -> Wire:
    """What a reference refers to."""
    while "$ref" in thing:
        found = document()
        for step in thing["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        thing = found
    return thing


def operations() -> Iterator[tuple[str, str, Wire]]:
    """Method, path template, and operation with the parameters of its path."""
    for path, item in document()["paths"].items():
        for method in METHODS:
            if method in item:
                parameters = [*item.get("parameters", ()), *item[method].get("parameters", ())]
                yield method, path, item[method] | {"parameters": [resolved(each) for each in parameters]}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in document()["paths"]]


def template(path: str) -> str:
    """The path as the contract writes it."""
    path = path.partition("?")[0]
    return next(found for pattern, found in _patterns() if pattern.fullmatch(path))


def closed(schema: Any) -> Any:
    """A schema whose objects have the members that it names and no others: what is answered must be declared."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(each) for name, each in schema.items()}
    is_object = isinstance(schema.get("properties"), dict) and "type" in schema
    return ({"additionalProperties": False} if is_object else {}) | inner


@cache
def _components() -> Wire:
    return {"schemas": closed(document()["components"]["schemas"])}


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(closed(json.loads(schema)) | {"components": _components()}, validate_formats=True)


def faults(value: Any, schema: Wire) -> str:
    """What is wrong with a value, in a line, and be it a member that is not declared; nothing if it is valid."""
    if _validator(json.dumps(schema)).is_valid(value):
        return ""
    whole = closed(schema) | {"components": _components()}
    error = best_match(SlowValidator(whole).iter_errors(value))  # slow, and finds the alternative that was meant
    return f"{error.json_path}: {error.message[:500]}" if error else "is not valid"


def check(method: str, path: str, reply: Reply, sent: Any = None) -> None:
    """The reply is one that the operation documents: status, headers, media type, schema; and what it accepted, too."""
    operation = document()["paths"][template(path)][method.lower()]
    where = f"{method} {path} → {reply.status}"
    answers = operation["responses"]
    assert str(reply.status) in answers or reply.status >= 400, f"{where} is not documented: {reply.body}"
    answer = resolved(answers.get(str(reply.status), answers["default"]))
    _check_headers(answer["headers"], reply, where)
    kind = reply.headers.get("content-type", "").partition(";")[0]
    if "content" not in answer:
        assert reply.body == b"", f"{where} should be empty"
        return
    assert kind in answer["content"], f"{where} is {kind!r}"
    media = answer["content"][kind]
    for value in _values(kind, reply.body):
        assert not (fault := faults(value, media["schema"])), f"{where}: {fault}"
    if kind == PROBLEM:
        code = reply.body["code"]
        assert code in media["examples"], f"{where}: {code} is not documented there"
        assert code in operation["x-problem-codes"], f"{where}: {code} is not among its codes"
    elif sent is not None and "requestBody" in operation:
        asked = operation["requestBody"]["content"]["application/json"]["schema"]
        assert not (fault := faults(sent, asked)), f"{where} was accepted: {sent}: {fault}"


def _values(kind: str, body: Any) -> list[Any]:
    """Return what the schema of a media type is about: the body, or each line of a stream."""
    if not isinstance(body, bytes):
        return [body]
    text = body.decode(errors="replace")
    if kind not in (NDJSON, SSE):
        return [text]
    rows = [line.removeprefix("data: ") for line in text.splitlines() if kind == NDJSON or line.startswith("data: ")]
    return [json.loads(row) for row in rows if row]


def _check_headers(told: Wire, reply: Reply, where: str) -> None:
    """What is always sent is there, and what is there is declared."""
    for name, header in told.items():
        if resolved(header).get("required"):
            assert name.lower() in reply.headers, f"{where} lacks {name}"
    stray = {name.lower() for name in reply.headers} - {name.lower() for name in told} - OF_HTTP
    assert not stray, f"{where}: {stray} are not documented"


class Strict(Client):
    """A client that checks every reply."""

    def be(self, token: str) -> "Strict":
        return Strict(self.base, token, self.headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        reply = super().call(method, path, body, **headers)
        check(method, path, reply, None if isinstance(body, bytes) else body)
        return reply
