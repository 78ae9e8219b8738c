"""Read values from JSON objects; every refusal is a BadPosition that names the path and the reason."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from engine.enums import SEA
from engine.errors import BadPosition, Fault, shown, step

Names: TypeAlias = list[str]
Numbers: TypeAlias = list[int]


class Fields:
    """One object of a position, and the path to it. Each method reads one field, or returns its default."""

    def __init__(self, path: str, values: Any, known: set[str]):
        if not isinstance(values, dict):
            raise BadPosition(path, "must be an object", "type")
        self._path = path
        self._values = values
        for name in values:
            if name not in known:
                raise BadPosition(self._at(name), "there is no such field", "unknown")

    def _at(self, name: object) -> str:
        return f"{self._path}/{step(name)}" if self._path else step(name)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        return self._values.get(name, default)

    def number(self, name: str, low: int, high: int, default: int) -> int:
        if name not in self._values:
            return default
        value = self._values[name]
        if type(value) is not int or not low <= value <= high:
            fault: Fault = "range" if type(value) is int else "type"
            raise BadPosition(self._at(name), f"must be a whole number from {low} to {high}", fault)
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self._values.get(name, default)
        if type(value) is not bool:
            raise BadPosition(self._at(name), "must be true or false", "type")
        return value

    def choice(self, name: str, names: Names, default: int) -> int:
        if name not in self._values:
            return default
        value = self._values[name]
        if value not in names:
            raise BadPosition(self._at(name), f"must be one of {', '.join(names)}", "value")
        return names.index(value)

    def room(self, name: str, default: int) -> int:
        value = self._values.get(name, default)
        if value == "sea":
            return SEA
        if name in self._values and (type(value) is not int or not 1 <= value <= 10):
            raise BadPosition(self._at(name), 'must be 1 to 10, or "sea"', "value")
        return int(value)

    def nullable(self, name: str, allowed: tuple[int, ...]) -> int | None:
        value = self._values.get(name)
        if value is not None and (type(value) is not int or value not in allowed):
            raise BadPosition(self._at(name), f"must be null or one of {', '.join(map(str, allowed))}", "value")
        return value

    def object(self, name: str, known: set[str]) -> "Fields":
        return Fields(self._at(name), self._values.get(name, {}), known)

    def objects(self, name: str, names: Names, known: set[str]) -> Iterator[tuple[str, "Fields"]]:
        outer = self.object(name, set(names))
        for inner in outer._values:
            yield inner, outer.object(inner, known)

    def each(self, name: str, length: int, known: set[str]) -> list["Fields"]:
        values = self._values.get(name, [{}] * length)
        if not isinstance(values, list) or len(values) != length:
            fault: Fault = "length" if isinstance(values, list) else "type"
            raise BadPosition(self._at(name), f"must be a list of {length}", fault)
        return [Fields(f"{self._at(name)}/{number}", value, known) for number, value in enumerate(values)]

    def strings(self, name: str, names: Names) -> Numbers:
        return self.script(name, {allowed: number for number, allowed in enumerate(names)})

    def script(self, name: str, allowed: Mapping[Any, int]) -> Numbers:
        values = self._values.get(name, [])
        if not isinstance(values, list):
            raise BadPosition(self._at(name), "must be a list", "type")
        for number, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, int | str) or value not in allowed:
                raise BadPosition(f"{self._at(name)}/{number}", f"{shown(value)} is not known here", "value")
        return [allowed[value] for value in values]

    def numbers(self, name: str, names: Names, low: int, high: int, default: Numbers) -> Numbers:
        """Read an object of numbers; names that are left out keep their default."""
        inner = self.object(name, set(names))
        return [inner.number(each, low, high, default[number]) for number, each in enumerate(names)]

    def counts(self, name: str, names: Names, known: Mapping[str, int] | None = None) -> np.ndarray:
        """Read how many copies there are by name; names that are left out have none."""
        indices = known or {allowed: number for number, allowed in enumerate(names)}
        inner = self.object(name, set(indices))
        copies: np.ndarray = np.zeros(len(names), np.int64)
        for name in inner._values:
            copies[indices[name]] += inner.number(name, 0, 127, 0)
        return copies
