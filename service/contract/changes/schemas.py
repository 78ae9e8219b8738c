"""Compare two schemas: a change that admits fewer values breaks requests, one that admits more breaks answers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from service.contract.changes.model import Change, Way, listed, name_of, resolve
from service.contract.changes.values import Shift, shifts
from service.wire import Wire

OPT_IN = "x-opt-in"  # at a shape that is told only to whoever asks for it, by a parameter that it names
_UNIONS = ("oneOf", "anyOf")


class _Pair(NamedTuple):
    """The same place in both contracts."""

    old: Any
    new: Any


class Comparison:
    """Two contracts, whose schemas are compared. A component is compared once for each way that its values go."""

    def __init__(self, old: Wire, new: Wire) -> None:
        self._old, self._new = old, new
        self._compared: set[tuple[str, str, Way]] = set()

    def compare(self, old: Any, new: Any, way: Way, where: str) -> Iterator[Change]:
        """Yield what differs between two schemas."""
        names = name_of(old), name_of(new)
        if all(names):
            if (*names, way) in self._compared:
                return
            self._compared.add((*names, way))
            where = names[1]
        whole = _Pair(resolve(self._old, old), resolve(self._new, new))
        if any(union in schema for schema in whole for union in _UNIONS):
            yield from self._compare_unions(_Pair(old, new), whole, way, where)
        else:
            yield from self._compare_plain(whole, way, where)

    def _compare_plain(self, pair: _Pair, way: Way, where: str) -> Iterator[Change]:
        for shift in shifts(pair.old, pair.new):
            yield _judged(shift, way, where)
        yield from _compare_defaults(pair, way, where)
        yield from _compare_extensible_words(pair, way, where)
        yield from self._compare_properties(pair, way, where)
        yield from self._compare_other_properties(pair, way, where)
        for keyword, place in (("items", "[]"), ("propertyNames", " (names)")):
            if keyword in pair.old or keyword in pair.new:
                inner = _Pair(*(schema.get(keyword, {}) for schema in pair))
                yield from self.compare(*inner, way, where + place)

    def _compare_properties(self, pair: _Pair, way: Way, where: str) -> Iterator[Change]:
        old, new = (schema.get("properties", {}) for schema in pair)
        is_closed = pair.old.get("additionalProperties") is False
        for name in old.keys() | new.keys():
            place = f"{where}.{name}"
            if name not in new:
                yield Change(True, _told(place, way), "is gone")
            elif name not in old:
                must = way is Way.REQUEST and name in pair.new.get("required", ())
                breaking = must if way is Way.REQUEST else is_closed
                yield Change(breaking, _told(place, way), "is new, and must be there" if must else "is new")
            else:
                yield from self.compare(old[name], new[name], way, place)

    def _compare_other_properties(self, pair: _Pair, way: Way, where: str) -> Iterator[Change]:
        """Compare what a map holds, or whether an object takes members that it does not name."""
        old, new = (_others(schema) for schema in pair)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self.compare(old, new, way, f"{where}{{}}")
        elif old != new:
            order = [False, None, True]  # closed, of a certain shape, open
            before, after = (order.index(None if isinstance(each, dict) else each) for each in (old, new))
            told = ("takes no members but those it names", "takes further members of one shape", "is open")[after]
            yield _judged(Shift(after < before, after > before, told), way, where)

    def _compare_unions(self, pair: _Pair, whole: _Pair, way: Way, where: str) -> Iterator[Change]:
        if all(any(union in schema for union in _UNIONS) for schema in whole):
            beside = ({name: value for name, value in schema.items() if name not in _UNIONS} for schema in whole)
            yield from self._compare_plain(_Pair(*beside), way, where)
        old, new = self._variants(self._old, pair.old, whole.old), self._variants(self._new, pair.new, whole.new)
        self._rename_alike(old, new)
        if gone := old.keys() - new.keys():
            yield _judged(Shift(True, False, f"is no longer {listed(gone)}"), way, where)
        added = new.keys() - old.keys()
        asked_for = {key for key in added if OPT_IN in resolve(self._new, new[key])}
        if asked_for:
            yield Change(False, _told(where, way), f"may be {listed(asked_for)} for whoever asks for that")
        if unasked := added - asked_for:
            yield _judged(Shift(False, True, f"may now be {listed(unasked)}"), way, where)
        for key in old.keys() & new.keys():
            yield from self.compare(old[key], new[key], way, f"{where} ({key})")

    def _rename_alike(self, old: Wire, new: Wire) -> None:
        """Call an alternative as it was called before if only its name is another."""
        for key in sorted(new.keys() - old.keys()):
            for was in sorted(old.keys() - new.keys()):
                if not any(Comparison(self._old, self._new).compare(old[was], new[key], Way.ANSWER, "")):
                    new[was] = new.pop(key)
                    break

    def _variants(self, document: Wire, schema: Any, whole: Wire) -> Wire:
        """Return the alternatives by what they are called; a schema that has none is the only one."""
        alternatives = next((whole[union] for union in _UNIONS if union in whole), [schema])
        found: Wire = {}
        for each in alternatives:
            key = name_of(each) or _kind_of(resolve(document, each))
            found[key if key not in found else f"{key} {len(found)}"] = each
        return found


def _kind_of(schema: Wire) -> str:
    """Return what tells an alternative without a name from the others: a member with one value, or its type."""
    for name, member in schema.get("properties", {}).items():
        if isinstance(member, dict) and "const" in member:
            return f"{name} {member['const']}"
    return str(schema.get("const", schema.get("type", "anything")))


def _others(schema: Wire) -> Any:
    """Return the schema of members without a name of their own, or whether there may be any."""
    others = schema.get("additionalProperties", True)
    return True if others == {} else others


def _compare_defaults(pair: _Pair, way: Way, where: str) -> Iterator[Change]:
    if way is Way.REQUEST and "default" in pair.old and pair.old["default"] != pair.new.get("default"):
        told = f"the default is `{pair.new.get('default')}`, was `{pair.old['default']}`"
        yield Change(True, _told(where, way), told)


def _compare_extensible_words(pair: _Pair, way: Way, where: str) -> Iterator[Change]:
    """Compare words to which others may be added at any time: clients must reckon with those they don't know."""
    old, new = (set(schema.get("x-extensible-enum", ())) for schema in pair)
    if gone := old - new - set(pair.new.get("enum", ())):
        yield Change(way is Way.REQUEST, _told(where, way), f"no longer {listed(gone)}")
    if added := new - old - set(pair.old.get("enum", ())):
        yield Change(False, _told(where, way), f"now also {listed(added)}")


def _judged(shift: Shift, way: Way, where: str) -> Change:
    breaking = shift.narrows if way is Way.REQUEST else shift.widens
    return Change(breaking, _told(where, way), shift.what)


def _told(where: str, way: Way) -> str:
    return f"`{where}` in {way}"
