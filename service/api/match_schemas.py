"""Schemas of what comes in about matches."""

from typing import Any, ClassVar

from marshmallow import RAISE

from bots.arena.league import ALL_NAMES, LEAST_CREWS, MOST_CREWS, names_of
from bots.roster import ROSTER
from engine.enums import SEATS
from engine.rules import MIN_GNOMES
from service.api.fields import Few, Nested, Range, Share, Text, Whole, bot_field, digits, one_of, whole
from service.api.schemas import MAX_NUMBER, MAX_SEED, Body, GameOptions, Query, name_field
from service.matches.model import MatchStatus
from service.matches.plan import KEEP


def _crew(what: str, **more: Any) -> Any:
    return Few(bot_field(ROSTER), 1, SEATS, metadata={"description": what}, **more)


class MatchRules(GameOptions):
    """Options of the games of a match, but for the number of gnomes."""

    class Meta:
        exclude = ("gnomes",)
        unknown = RAISE


class Seeds(Body):
    first = whole(
        -MAX_SEED, MAX_SEED, "Game n of a match has the same seed in all matches from the same number.",
        data_key="from",
    )  # fmt: skip


class Sprt(Body):
    margin = Share(
        required=True,
        metadata={
            "description": "So much stronger `crew` must be to win the test; 0.02 is two games in a hundred.",
            "exclusiveMinimum": 0,
            "exclusiveMaximum": 1,
        },
    )


class StopRule(Body):
    sprt = Nested(Sprt)


class NewMatch(Body):
    renamed: ClassVar = {"label": "name"}

    games = whole(1, MAX_NUMBER, "A line-up and size.", required=True)
    gnomes = Few(
        Whole(validate=Range(MIN_GNOMES, SEATS)),
        1,
        SEATS - MIN_GNOMES + 1,
        metadata={"description": "Sizes, for each of which there is a series. Default: as many as bots, or 4."},
    )
    rules = Nested(MatchRules)
    crew = _crew("One bot for all seats, or one for each. Needed, but for a league.")
    against = _crew("Another crew, on the same seeds.")
    crews = Few(
        _crew("One bot for all seats, or one for each."),
        LEAST_CREWS,
        MOST_CREWS,
        metadata={"description": "A league instead: these crews, `crew-1` and so on, play the same seeds."},
    )
    baseline = one_of(
        names_of(MOST_CREWS), "Of a league: the crew that each other one is compared with. Default: all pairs."
    )
    seeds = Nested(Seeds, metadata={"description": "Default: from 1."})
    stop = Nested(StopRule, metadata={"description": "When to end a series before all its games are played."})
    keep_replays = one_of(
        KEEP, "Of which games the moves are kept. Those of the others are found by playing them again. Default: `none`."
    )
    name = name_field("To tell it from other matches.")


class MatchUpdate(Body):
    renamed: ClassVar = {"state": "status"}

    status = one_of(["paused", "running", "cancelled"], "What it shall be.", required=True)


class MatchListQuery(Query):
    renamed: ClassVar = {"state": "status"}

    status = one_of([status.value for status in MatchStatus], "Only those. Default: all.")
    limit = digits(1, 100, "Matches a page.", load_default=20)
    cursor = Text(metadata={"description": "`next` of the page before."})


class MatchFileQuery(Query):
    gnomes = digits(MIN_GNOMES, SEATS, "Of that size.")
    line_up = one_of(ALL_NAMES, "Of that one.")
    result = one_of(["rescued", "lost"], "That ended so.")


class MatchGamesQuery(MatchFileQuery):
    limit = digits(1, 1000, "Games a page.", load_default=200)
    cursor = Text(metadata={"description": "`next` of the page before."})
