"""Schemas of what comes in addresses, behind the question mark."""

from typing import Any

from marshmallow import ValidationError, validates_schema

from engine.rules import EDITIONS
from service.api.fields import Digits, Regexp, Text, digits, one_of
from service.api.schemas import MAX_NUMBER, Query
from service.games.pictures import WIDTH, WIDTHS
from service.picture import THEMES
from service.refusals import Reason
from service.wire import Wire
from service.words import LANGUAGES

_LANG = rf"^({'|'.join(LANGUAGES)})([-_][a-zA-Z0-9]{{1,8}})*$"  # a region changes nothing


def _wait() -> Digits:
    return digits(0, 60, "Seconds to wait for something newer.", load_default=0)


def _version() -> Digits:
    return digits(1, MAX_NUMBER, "As it was at an earlier version. Default: the present one.")


def lang_field(what: str) -> Text:
    return Text(
        validate=Regexp(_LANG, error=f"must be one of {', '.join(LANGUAGES)}"),
        metadata={"description": f"{', '.join(f'`{each}`' for each in LANGUAGES)}: {what}"},
    )


class RulesQuery(Query):
    lang = lang_field("adds `words` for all that has an id. Default: no words.")
    edition = one_of(EDITIONS, "Whose words: some things have other names.", load_default=EDITIONS[0])


class LaterQuery(Query):
    after = digits(0, MAX_NUMBER, "The version that you have: wait for a later one.")
    wait = _wait()


class StateQuery(LaterQuery):
    version = _version()
    lang = lang_field("tells each legal move in words, too, as its `text`. Default: no words.")

    @validates_schema
    def _nobody_waits_for_the_past(self, data: Wire, **_: Any) -> None:
        if "version" in data and ("after" in data or data["wait"]):
            raise ValidationError({"version": [Reason("conflict", "goes without `after` and `wait`")]})


class WaitQuery(Query):
    wait = _wait()


class LegalMovesQuery(Query):
    lang = lang_field("tells each move in words, too, as its `text`. Default: no words.")


ALL_KINDS = "all"


def kinds_field() -> Text:
    what = (
        "`all`: events of every kind. Default: of the kinds that the first release of `/v1` had; others are left out."
    )
    return one_of(("first", ALL_KINDS), what, load_default="first")


class EventsQuery(Query):
    after = digits(0, MAX_NUMBER, "The last `seq` that you have.")
    limit = digits(1, 1000, "Events a page.", load_default=200)
    wait = _wait()
    lang = lang_field("tells each event in words, too, as its `text`. Default: no words.")
    kinds = kinds_field()


class DrawingQuery(Query):
    version = _version()
    theme = one_of(THEMES, "`auto` is as the reader's browser likes it.", load_default="auto")
    lang = lang_field("the language of the words in it. Default: what `Accept-Language` likes best.")


class PaintingQuery(DrawingQuery):
    theme = one_of(THEMES[:2], "Light, or dark.", load_default="light")
    width = digits(*WIDTHS, "In pixels.", load_default=WIDTH)


class OpenQuery(Query):
    wait = digits(0, 60, "Seconds to wait for it.", load_default=10)
