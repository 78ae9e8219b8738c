"""Add to the contract what many operations share, by rule: problems, headers, parameters, links."""

from collections.abc import Iterator

from service.api.web import HEADERS_OF, JSON, READS_ONLY
from service.contract import deprecations, example_problems, examples, headers, naming, parameters, refusals
from service.contract.refusals import CODES_TOLD
from service.games.lines import SSE
from service.wire import Wire

_CREATED = {"game_id": "$response.body#/game/id"}
_SAME_GAME = {"game_id": "$request.path.game_id"}
_AFTER_CREATION = ("getGame", "joinGame", "startGame", "deleteGame", "listEvents", "forkGame")
_AFTER_MATCH_CREATION = ("getMatch", "updateMatch", "listMatchGames", "deleteMatch")
_LINKS: dict[str, dict[str, Wire]] = {
    "createGame": {name: {"parameters": _CREATED} for name in _AFTER_CREATION},
    "forkGame": {name: {"parameters": _CREATED} for name in _AFTER_CREATION},
    "joinGame": {
        "getGame": {"parameters": _SAME_GAME},
        "listLegalMoves": {"parameters": _SAME_GAME},
        "leaveGame": {"parameters": _SAME_GAME | {"player_id": "$response.body#/game/you/player_id"}},
        "setSeatController": {"parameters": _SAME_GAME | {"seat": "$response.body#/game/you/seats/0"}},
    },
    "startGame": {name: {"parameters": _SAME_GAME} for name in ("getGame", "listLegalMoves", "listEvents")},
    "listLegalMoves": {name: {"parameters": _SAME_GAME} for name in ("playMoves", "previewMoves")},
    "getReach": {name: {"parameters": _SAME_GAME} for name in ("playMoves", "previewMoves")},
    "previewMoves": {"playMoves": {"parameters": _SAME_GAME}},
    "playMoves": {name: {"parameters": _SAME_GAME} for name in ("listLegalMoves", "getReplay", "forkGame")},
    "createMatch": {name: {"parameters": {"match_id": "$response.body#/match/id"}} for name in _AFTER_MATCH_CREATION},
    "openMatchGame": {"getGame": {"parameters": {"game_id": "$response.body#/game_id"}}},
    "listMatches": {"listMatches": {"parameters": {"cursor": "$response.body#/next"}}},
    "listGames": {"listGames": {"parameters": {"cursor": "$response.body#/next"}}},
}

# Requests that are answered, too, and may hold more then; the service refuses in a request what it does not know.
_BOTH_WAYS = ("GameOptions",)
_OF_FLASK_SMOREST = ("Error", "PaginationMetadata")
_ORDER = (
    "tags", "summary", "description", "operationId", "deprecated", "security", "parameters", "requestBody", "responses",
    CODES_TOLD,
)  # fmt: skip


def finish(document: Wire) -> Wire:
    """Return the whole document, made of what the views and schemas say about themselves."""
    components = document["components"]
    for unused in _OF_FLASK_SMOREST:
        components["schemas"].pop(unused, None)
    components["parameters"] = parameters.components()
    components["headers"] = dict(headers.COMPONENTS)
    components["responses"] = refusals.components()
    for name in components["schemas"].keys() & {*_BOTH_WAYS}:
        components["schemas"][name].pop("additionalProperties")
    for path, item in document["paths"].items():
        if "parameters" in item:
            item["parameters"] = [parameters.of_path(parameter["name"]) for parameter in item["parameters"]]
        for method, operation in operations(item):
            _finish(operation, path, method)
            if operation.get("deprecated"):
                deprecations.declare(operation, components)
            item[method] = {name: operation[name] for name in _ORDER if name in operation}
    told = {code for item in document["paths"].values() for _, each in operations(item) for code in each[CODES_TOLD]}
    components["examples"] = {code: shown for code, shown in example_problems.problems().items() if code in told}
    naming.name_nested(document)
    order = ("openapi", "info", "servers", "tags", "paths", "components")
    return {name: document[name] for name in order}


def operations(item: Wire) -> Iterator[tuple[str, Wire]]:
    """Yield the methods and operations of a path."""
    for method in ("get", "post", "put", "patch", "delete"):
        if method in item:
            yield method, item[method]


def _finish(operation: Wire, path: str, method: str) -> None:
    if operation.pop(READS_ONLY, False):
        method = "get"
    refused = refusals.describe(operation, path, method)
    operation["security"] = _security(path, operation[CODES_TOLD])
    asked = [*operation.get("parameters", ()), *operation.pop(HEADERS_OF, ())]
    if method == "post":
        asked.append(parameters.idempotency_key())
    if asked:
        operation["parameters"] = asked
    if "requestBody" in operation:
        shown = examples.requests().get(operation["operationId"], {})
        operation["requestBody"]["content"][JSON]["examples"] = shown
    answers = {status: answer for status, answer in operation.pop("responses").items() if status < "4"}
    for status, answer in answers.items():
        _finish_answer(answer, operation["operationId"], status, method)
    operation["responses"] = dict(sorted((answers | refused).items()))


def _security(path: str, codes: list[str]) -> list[Wire]:
    """Return which credentials an operation takes: a token where one is needed, or where one shows more."""
    if "{bot_name}" in path and "no_token" in codes:
        return [{"token": []}, {"api_key": []}]
    if "no_token" in codes:
        return [{"token": []}]
    ways: list[Wire] = [{"token": []}] if "{game_id}" in path else []
    if "no_api_key" in codes:
        ways += [{"api_key": []}, *({**way, "api_key": []} for way in ways)]
    return [*ways, {}] if ways else []


def _finish_answer(answer: Wire, operation_id: str, status: str, method: str) -> None:
    answer["headers"] = headers.of_answer(answer, status, method)
    content = answer.get("content", {})
    if content:
        answer.pop("content")  # to stand behind the headers
        answer["content"] = dict(sorted(content.items(), key=lambda each: each[0] != SSE))  # generators heed the first
    for kind, media in content.items():
        media["examples"] = examples.answers().get(operation_id, {}).get(kind, {})
    links = _LINKS.get(operation_id)
    if links and status.startswith("2"):
        answer["links"] = {name: {"operationId": name, **link} for name, link in links.items()}
