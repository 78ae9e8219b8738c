"""The fields that schemas of requests are made of. Whatever they refuse has a code beside its reason."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from marshmallow import ValidationError, fields, validate

from engine.enums import MAX_MINUTES
from service.accounts.names import is_seated
from service.api.json_schema import ref
from service.refusals import Reason
from service.wire import Wire

UNKNOWN = Reason("unknown", "there is none of that name")
_MOST_DIGITS = 20  # of a number in an address
_WORDS = {"required": "is needed", "null": "must not be null", "type": "must be an object"}
_CODES = {"required": "required"}  # of what marshmallow itself refuses; the rest is of another type


def wrong(code: str, detail: str) -> ValidationError:
    """Return the error that says what is wrong with a value, by a code of `FAULTS` and in words."""
    return ValidationError([Reason(code, detail)])


def _coded(validator: type[validate.Validator], code: str) -> Callable[..., validate.Validator]:
    """Return a validator of marshmallow, which the contract is made from, with a code for what it refuses."""

    class Coded(validator):  # type: ignore[misc, valid-type]
        def __call__(self, value: Any) -> Any:
            try:
                return super().__call__(value)
            except ValidationError as error:
                raise wrong(code, str(error.messages[0])) from error

    return Coded


Range = _coded(validate.Range, "range")
Length = _coded(validate.Length, "length")
OneOf = _coded(validate.OneOf, "value")
Regexp = _coded(validate.Regexp, "format")


class _Field(fields.Field[Any]):
    """A field that refuses with a code."""

    kind = "must be an object"  # what its values are, in words

    def make_error(self, key: str, **_: Any) -> ValidationError:
        return wrong(_CODES.get(key, "type"), _WORDS.get(key, self.kind))


class Text(_Field, fields.String):
    kind = "must be a text"


class Nested(_Field, fields.Nested):
    pass


class Whole(_Field, fields.Integer):
    """A whole number in a body, and no text that could be read as one."""

    kind = "must be a whole number"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class Truth(_Field, fields.Boolean):
    """True or false in a body, and nothing that could be read as one of them."""

    kind = "must be true or false"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class Digits(_Field, fields.Integer):
    """A whole number in an address: digits, and nothing else that Python would read as one."""

    kind = "must be a whole number, in digits"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not (value.isascii() and value.isdecimal()):
            raise self.make_error("invalid")
        if len(value) > _MOST_DIGITS:
            raise wrong("range", "is too large")
        return int(value)


class Share(_Field, fields.Float):
    """A number between 0 and 1, and no text that could be read as one."""

    kind = "must be a number between 0 and 1"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> float:
        if type(value) not in (int, float):
            raise self.make_error("invalid")
        if not 0 < value < 1:
            raise wrong("range", "must lie between 0 and 1, as 0.02 for two games in a hundred")
        return float(value)


class Few(_Field, fields.List):  # type: ignore[type-arg]
    """A short list. A long one is refused before its items are validated, which would take long."""

    kind = "must be a list"

    def __init__(self, item: Any, least: int, most: int, **more: Any):
        super().__init__(item, validate=Length(least, most), **more)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, list) and len(value) > self._most:
            self._validate(value)
        return super()._deserialize(value, attr, data, **more)


class Shape(_Field, fields.Raw):
    """A field that the engine checks; a JSON Schema of ours documents it."""

    def __init__(self, schema: Wire, **more: Any):
        super().__init__(**more)
        self.schema = schema


_LONGEST_TEXT = 500  # characters of a move in words; ours are far shorter


class MoveField(Shape):
    """A move. The engine checks it, but for what is only told of a move: `cost`, `chance` and `text` may be sent back,
    and change nothing."""

    def __init__(self) -> None:
        super().__init__(ref("Move"))

    def allows(self, value: Any) -> bool:
        """Return whether a value is an object with nothing at fault that is seen here."""
        try:
            return isinstance(self._deserialize(value, None, None), dict)
        except ValidationError:
            return False

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, dict):
            for name, most, kinds in (("cost", MAX_MINUTES, (int,)), ("chance", 1, (int, float))):
                number = value.get(name, 0)
                if type(number) not in kinds or not 0 <= number <= most:
                    code = "range" if type(number) in kinds else "type"
                    told = Reason(code, f"must be 0 to {most}, as it was told, or left out")
                    raise ValidationError({name: [told]})
            told_text = value.get("text", "")
            if not isinstance(told_text, str):
                raise ValidationError({"text": [Reason("type", "must be a text, as it was told, or left out")]})
            if len(told_text) > _LONGEST_TEXT:
                raise ValidationError({"text": [Reason("length", f"must have at most {_LONGEST_TEXT} characters")]})
        return value


def whole(low: int | None, high: int | None, what: str, **more: Any) -> Whole:
    """Return the field of a number in a body."""
    if low is not None or high is not None:
        more["validate"] = Range(low, high)
    return Whole(metadata={"description": what}, **more)


def truth_field(what: str, **more: Any) -> Truth:
    return Truth(metadata={"description": what}, **more)


def digits(low: int, high: int, what: str, **more: Any) -> Digits:
    """Return the field of a number in an address."""
    return Digits(validate=Range(low, high), metadata={"description": what}, **more)


class Known(validate.Validator):
    """One of the names that there are: others may come, and close nothing in the contract."""

    def __init__(self, names: Iterable[str]):
        self._names = tuple(names)

    def __call__(self, value: str) -> str:
        if value not in self._names:
            raise wrong("value", f"must be one of {', '.join(self._names)}")
        return value


def extensible(names: Iterable[str], what: str = "", **more: Any) -> Text:
    """Return the field of a name that answers hold, too, so that whoever got it there may send it back."""
    known = tuple(names)
    told = {"x-extensible-enum": list(known)} | ({"description": what} if what else {})
    return Text(validate=Known(known), metadata=told, **more)


class KnownOrOutside(Known):
    """One of the names that there are, or that of an outside bot: whoever seats it finds out whether there is one."""

    def __call__(self, value: str) -> str:
        return value if is_seated(value) else super().__call__(value)


def bot_field(names: Iterable[str], what: str = "", **more: Any) -> Text:
    """Return the field of the name of a bot, or what else there may be in its place."""
    field = extensible(names, what, **more)
    field.validators = [KnownOrOutside(names)]
    return field


def one_of(values: Sequence[str], what: str, **more: Any) -> Text:
    return Text(validate=OneOf(values), metadata={"description": what}, **more)
