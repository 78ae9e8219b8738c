"""Run queries of Prometheus against what /metrics told at two moments, as far as our files use its language.

The samples of one scrape are an instant vector, those of two a range: enough to find out whether a query of a
dashboard, an alert or a scaler comes to anything on what the service really tells.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
NAME = "__name__"
_TOKEN = re.compile(r'\s*(?:(\d+\.?\d*)|("[^"]*")|([a-zA-Z_:][\w:]*)|(=~|!~|!=|==|>=|<=|[-+*/(){}\[\],<>=]))')
_AGGREGATES: dict[str, Callable[[Iterable[float]], float]] = {"sum": sum, "max": max, "min": min}
_FUNCTIONS = ("rate", "increase", "histogram_quantile", "absent")
_MATCHES: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "!=": lambda value, wanted: value != wanted,
    "=~": lambda value, wanted: re.fullmatch(wanted, value) is not None,
    "!~": lambda value, wanted: re.fullmatch(wanted, value) is None,
}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else math.nan,
}
_COMPARING: dict[str, Callable[[float, float], bool]] = {
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
}
_LEVELS = ({"and", "or", "unless"}, set(_COMPARING), {"+", "-"}, {"*", "/"})


class BadQuery(Exception):
    """Raised for what is no query, or is one in a part of the language that is not known here."""


@dataclass(frozen=True)
class Scrape:
    at: float
    samples: Vector

    @classmethod
    def of(cls, text: str, at: float, **target: str) -> "Scrape":
        """Read what /metrics told, with the labels that a scrape adds."""
        samples: Vector = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = {**sample.labels, **target, NAME: sample.name}
                samples[frozenset(labels.items())] = sample.value
        samples[frozenset({NAME: "up", **target}.items())] = 1.0
        return cls(at, samples)


def run(query: str, before: Scrape, after: Scrape) -> Vector:
    """Return what a query comes to at the time of the later scrape; a plain number has no labels. Raises BadQuery."""
    reader = _Reader(query, before, after)
    value = reader.level(0)
    if reader.peek() is not None:
        raise BadQuery(f"{query}: goes on with {reader.peek()}")
    return {frozenset(): value} if isinstance(value, float) else value


def _tokens(query: str) -> list[str]:
    found, at = [], 0
    while query[at:].strip():
        match = _TOKEN.match(query, at)
        if match is None:
            raise BadQuery(f"{query}: can't be read from {query[at:]}")
        found.append(match[0].strip())
        at = match.end()
    return found


class _Reader:
    """Reads a query from left to right, and works it out meanwhile."""

    def __init__(self, query: str, before: Scrape, after: Scrape):
        self._query, self._tokens, self._at = query, _tokens(query), 0
        self._before, self._after = before, after

    def peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        token = self.peek()
        if token is None:
            raise BadQuery(f"{self._query}: ends too early")
        self._at += 1
        return token

    def _expect(self, wanted: str) -> None:
        if (found := self._next()) != wanted:
            raise BadQuery(f"{self._query}: has {found} instead of {wanted}")

    def level(self, number: int) -> Vector | float:
        """Work out operators of a level, from the loosest on."""
        if number == len(_LEVELS):
            return self._term()
        left = self.level(number + 1)
        while self.peek() in _LEVELS[number]:
            operator = self._next()
            left = _combined(operator, left, self.level(number + 1))
        return left

    def _term(self) -> Vector | float:
        token = self._next()
        if token == "(":
            inner = self.level(0)
            self._expect(")")
            return inner
        if token == "-":
            return _combined("*", -1.0, self._term())
        if token[0].isdigit():
            return float(token)
        if token in _AGGREGATES:
            return self._aggregate(_AGGREGATES[token])
        if token in _FUNCTIONS and self.peek() == "(":
            return self._function(token)
        name, matchers = token, self._matchers()
        if self.peek() == "[":
            raise BadQuery(f"{self._query}: a range stands outside of a function")
        return self._selected(self._after, name, matchers)

    def _aggregate(self, fold: Callable[[Iterable[float]], float]) -> Vector:
        by = self._names() if self.peek() == "by" else ()
        self._expect("(")
        values = self.level(0)
        self._expect(")")
        if self.peek() == "by":
            by = self._names()
        if isinstance(values, float):
            raise BadQuery(f"{self._query}: folds a number")
        groups: dict[Labels, list[float]] = {}
        for labels, value in values.items():
            groups.setdefault(frozenset((name, text) for name, text in labels if name in by), []).append(value)
        return {labels: fold(group) for labels, group in groups.items()}

    def _names(self) -> tuple[str, ...]:
        self._expect("by")
        self._expect("(")
        names = []
        while (token := self._next()) != ")":
            if token != ",":
                names.append(token)
        return tuple(names)

    def _function(self, name: str) -> Vector | float:
        self._expect("(")
        if name == "histogram_quantile":
            share = self.level(0)
            self._expect(",")
            result = _quantiles(share, self.level(0))
        elif name == "absent":
            result = {} if self.level(0) else {frozenset(): 1.0}
        else:
            result = self._growth(name)
        self._expect(")")
        return result

    def _growth(self, name: str) -> Vector:
        series, matchers = self._next(), self._matchers()
        self._expect("[")
        while self._next() != "]":
            pass
        before = self._selected(self._before, series, matchers, named=True)
        after = self._selected(self._after, series, matchers, named=True)
        seconds = self._after.at - self._before.at if name == "rate" else 1.0
        return {_nameless(key): max(0.0, value - before.get(key, 0.0)) / seconds for key, value in after.items()}

    def _matchers(self) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = []
        if self.peek() != "{":
            return found
        self._next()
        while (token := self._next()) != "}":
            if token != ",":
                found.append((token, self._next(), self._next().strip('"')))
        return found

    @staticmethod
    def _selected(scrape: Scrape, name: str, matchers: list[tuple[str, str, str]], named: bool = False) -> Vector:
        found: Vector = {}
        for key, value in scrape.samples.items():
            labels = dict(key)
            if labels[NAME] == name and all(
                _MATCHES[how](labels.get(label, ""), text) for label, how, text in matchers
            ):
                found[key if named else _nameless(key)] = value
        return found


def _nameless(labels: Labels) -> Labels:
    return frozenset((name, value) for name, value in labels if name != NAME)


def _combined(operator: str, left: Vector | float, right: Vector | float) -> Vector | float:
    if operator in _LEVELS[0]:
        if isinstance(left, float) or isinstance(right, float):
            raise BadQuery(f"{operator} stands between numbers")
        if operator == "or":
            return right | left
        return {key: value for key, value in left.items() if (key in right) == (operator == "and")}
    if isinstance(left, float) and isinstance(right, float):
        return _ARITHMETIC[operator](left, right)
    keys = left.keys() if not isinstance(left, float) else right.keys() if not isinstance(right, float) else set()
    pairs = {key: (_at(left, key), _at(right, key)) for key in keys}
    known = {key: (a, b) for key, (a, b) in pairs.items() if a is not None and b is not None}
    if operator in _COMPARING:
        return {key: a for key, (a, b) in known.items() if _COMPARING[operator](a, b)}
    return {key: _ARITHMETIC[operator](a, b) for key, (a, b) in known.items()}


def _at(value: Vector | float, key: Labels) -> float | None:
    return value if isinstance(value, float) else value.get(key)


def _quantiles(share: Vector | float, buckets: Vector | float) -> Vector:
    """Return the bound of the bucket in which that share of each histogram ends."""
    if not isinstance(share, float) or isinstance(buckets, float):
        raise BadQuery("histogram_quantile takes a number and buckets")
    histograms: dict[Labels, list[tuple[float, float]]] = {}
    for labels, value in buckets.items():
        rest = frozenset((name, text) for name, text in labels if name != "le")
        histograms.setdefault(rest, []).append((float(dict(labels)["le"]), value))
    return {labels: _bound(share, sorted(steps)) for labels, steps in histograms.items()}


def _bound(share: float, steps: list[tuple[float, float]]) -> float:
    total = steps[-1][1]
    return next((bound for bound, upto in steps if upto >= share * total), math.nan) if total else math.nan
