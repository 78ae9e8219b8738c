"""Schemas of what is asked of streams."""

from typing import Any

from marshmallow import ValidationError, validates_schema

from service.api.fields import Few, Nested, Text, digits, whole
from service.api.query_schemas import kinds_field, lang_field
from service.api.schemas import MAX_NUMBER, Body, Query
from service.refusals import Reason
from service.wire import Wire

MOST_TOGETHER = 64


class LangQuery(Query):
    lang = lang_field("tells each event in words, too, as its `text`. Default: no words.")
    kinds = kinds_field()


class StreamQuery(LangQuery):
    after = digits(0, MAX_NUMBER, "The last `seq` that you have. Default: what happens from now on.")


class MatchStreamQuery(Query):
    after = digits(0, MAX_NUMBER, "The version that you have. Default: the present one comes first.")


class StreamedGame(Body):
    """A game to hear of, and as whom."""

    game_id = Text(required=True, metadata={"description": "Which one."})
    token = Text(
        allow_none=True,
        metadata={"description": "The host's, a player's, or that of a bot there. Default: as a spectator."},
    )
    after = whole(0, MAX_NUMBER, "The last `seq` that you have of it. Default: what happens from now on.")


class StreamedGames(Body):
    """Games to hear of together."""

    games = Few(
        Nested(StreamedGame), 1, MOST_TOGETHER, required=True, metadata={"description": "Each once, whoever hears it."}
    )

    @validates_schema
    def _each_once(self, data: Wire, **_: Any) -> None:
        seen: set[str] = set()
        for number, entry in enumerate(data["games"]):
            if entry["game_id"] in seen:
                raise ValidationError({"games": {number: {"game_id": [Reason("conflict", "is there twice")]}}})
            seen.add(entry["game_id"])
