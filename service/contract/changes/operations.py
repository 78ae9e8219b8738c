"""Compare two contracts, operation by operation."""

from collections.abc import Iterator

from service.contract.changes.model import Change, Way, listed, resolve
from service.contract.changes.schemas import Comparison
from service.wire import Wire

_METHODS = ("get", "post", "put", "patch", "delete")


def compare(old: Wire, new: Wire) -> list[Change]:
    """Return all differences between two contracts, the breaking ones first."""
    found = [*_compare_names(old, new), *_Operations(old, new).compare()]
    return sorted(found, key=lambda change: (not change.breaking, change))


def _compare_names(old: Wire, new: Wire) -> Iterator[Change]:
    """Compare the names of shapes: generated clients have classes of these names."""
    before, after = (document.get("components", {}).get("schemas", {}) for document in (old, new))
    for name in before.keys() - after.keys():
        yield Change(True, f"`{name}`", "the shape is gone")
    for name in after.keys() - before.keys():
        yield Change(False, f"`{name}`", "the shape is new")


def _operations(document: Wire) -> dict[str, Wire]:
    """Return the operations by method and path, with the parameters of the path."""
    found = {}
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                parameters = [*item.get("parameters", ()), *item[method].get("parameters", ())]
                found[f"{method.upper()} {path}"] = item[method] | {"parameters": parameters}
    return found


class _Operations:
    """The operations of two contracts."""

    def __init__(self, old: Wire, new: Wire) -> None:
        self._old, self._new = old, new
        self._schemas = Comparison(old, new)

    def compare(self) -> Iterator[Change]:
        """Yield what differs."""
        old, new = _operations(self._old), _operations(self._new)
        for name in old.keys() - new.keys():
            yield Change(True, f"`{name}`", "the operation is gone")
        for name in new.keys() - old.keys():
            yield Change(False, f"`{name}`", "the operation is new")
        for name in new:  # in the contract's order: a shape is told where it is met first
            if name in old:
                yield from self._compare_one(old[name], new[name], name)

    def _compare_one(self, old: Wire, new: Wire, name: str) -> Iterator[Change]:
        if (before := old.get("operationId")) != (after := new.get("operationId")):
            yield Change(True, f"`{name}`", f"the `operationId` is `{after}`, was `{before}`")
        if old.get("deprecated", False) != new.get("deprecated", False):
            told = (
                "the operation is deprecated" if new.get("deprecated") else "the operation is not deprecated any more"
            )
            yield Change(False, f"`{name}`", told)
        yield from self._compare_security(old, new, name)
        yield from self._compare_parameters(old, new, name)
        yield from self._compare_bodies(old, new, name)
        yield from self._compare_answers(old, new, name)

    def _compare_security(self, old: Wire, new: Wire, name: str) -> Iterator[Change]:
        """Compare the credentials: whoever was let in before must be let in with the same."""
        before, after = (
            [set(way) for way in operation.get("security", document.get("security", [])) or [{}]]
            for operation, document in ((old, self._old), (new, self._new))
        )
        if any(not any(asked <= shown for asked in after) for shown in before):
            yield Change(True, f"`{name}`", "more credentials are asked for")
        elif before != after:
            yield Change(False, f"`{name}`", "other credentials are taken, too")

    def _compare_parameters(self, old: Wire, new: Wire, name: str) -> Iterator[Change]:
        before, after = _parameters(self._old, old), _parameters(self._new, new)
        for key in before.keys() - after.keys():
            yield Change(True, f"`{name}` {key}", "the parameter is gone")
        for key in after.keys() - before.keys():
            must = after[key].get("required", False)
            yield Change(must, f"`{name}` {key}", "the parameter is new" + (", and must be there" if must else ""))
        for key in sorted(before.keys() & after.keys()):
            where = f"{name} {key.replace('`', '')}"
            yield from _compare_need(before[key], after[key], f"`{where}`")
            yield from self._compare_schemas(before[key], after[key], Way.REQUEST, where)

    def _compare_bodies(self, old: Wire, new: Wire, name: str) -> Iterator[Change]:
        before, after = (
            resolve(document, operation.get("requestBody", {}))
            for operation, document in ((old, self._old), (new, self._new))
        )
        if before and not after:
            yield Change(True, f"`{name}`", "the body is gone")
        elif after and not before:
            must = after.get("required", False)
            yield Change(must, f"`{name}`", "a body is new" + (", and must be there" if must else ""))
        elif before:
            yield from _compare_need(before, after, f"the body of `{name}`")
            yield from self._compare_contents(before, after, Way.REQUEST, name)

    def _compare_answers(self, old: Wire, new: Wire, name: str) -> Iterator[Change]:
        """Compare the answers that are no refusals, and the shapes of refusals: clients go by their `code`."""
        before, after = old["responses"], new["responses"]
        for status in sorted(before.keys() | after.keys()):
            if status in before and status in after:
                yield from self._compare_answer(before[status], after[status], name, status)
            elif status < "4":
                told = "the answer is gone" if status in before else "the answer is new"
                yield Change(True, f"`{name}` → {status}", told)

    def _compare_answer(self, old: Wire, new: Wire, name: str, status: str) -> Iterator[Change]:
        old, new = resolve(self._old, old), resolve(self._new, new)
        before, after = (
            {header: resolve(document, told) for header, told in answer.get("headers", {}).items()}
            for answer, document in ((old, self._old), (new, self._new))
        )
        where = f"{name} → {status}"
        if gone := before.keys() - after.keys():
            yield Change(True, f"`{where}`", f"no longer has {listed(gone)}")
        if added := after.keys() - before.keys():
            yield Change(False, f"`{where}`", f"has {listed(added)}")
        for header in sorted(before.keys() & after.keys()):
            if before[header].get("required") and not after[header].get("required"):
                yield Change(True, f"`{where}`", f"may be without `{header}`")
            yield from self._compare_schemas(before[header], after[header], Way.ANSWER, header)
        yield from self._compare_contents(old, new, Way.ANSWER, where)

    def _compare_contents(self, old: Wire, new: Wire, way: Way, where: str) -> Iterator[Change]:
        before, after = old.get("content", {}), new.get("content", {})
        if gone := before.keys() - after.keys():
            yield Change(True, f"`{where}`", f"no longer as {listed(gone)}")
        if added := after.keys() - before.keys():
            yield Change(not before, f"`{where}`", f"also as {listed(added)}")
        for kind in sorted(before.keys() & after.keys()):
            yield from self._compare_schemas(before[kind], after[kind], way, where)

    def _compare_schemas(self, old: Wire, new: Wire, way: Way, where: str) -> Iterator[Change]:
        """Compare the schemas of two parameters, headers or media types."""
        return self._schemas.compare(old.get("schema", {}), new.get("schema", {}), way, where)


def _parameters(document: Wire, operation: Wire) -> Wire:
    """Return the parameters by where they stand and what they are called."""
    resolved = (resolve(document, each) for each in operation["parameters"])
    return {f"{each['in']} `{each['name']}`": each for each in resolved}


def _compare_need(old: Wire, new: Wire, where: str) -> Iterator[Change]:
    if old.get("required", False) != new.get("required", False):
        must = new.get("required", False)
        yield Change(must, where, "must be there" if must else "may be missing")
