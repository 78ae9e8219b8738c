"""Schemas of what owners say of their bots, and bots of their decisions."""

from collections.abc import Iterator
from typing import Any

from service.accounts.model import ACCEPTS, Terms
from service.accounts.names import PATTERN
from service.api.fields import Length, Regexp, Text, digits, one_of, truth_field, whole, wrong
from service.api.schemas import MAX_TURN_MOVES, Body, Query
from service.outside.answers import Sent
from service.outside.lines import FORMS, STATE
from service.refusals import invalid
from service.wire import Wire
from service.words import flaw_of

MOST_OPEN = 256
MOST_SECONDS = 600
MOST_ANSWERS = 64  # at once
MOST_VERSION = 40  # characters
_LONGEST_ID = 64
_DEFAULT = Terms()
_NAME = f"^{PATTERN}$"


def _fit_to_be_shown(text: str) -> None:
    if flaw := flaw_of(text):
        raise wrong("format", flaw)


class _Terms(Body):
    description = Text(
        validate=(Length(0, 300), _fit_to_be_shown),
        metadata={"description": "How it plays, for people to read. Default: nothing."},
    )
    version = Text(
        validate=(Length(0, MOST_VERSION), _fit_to_be_shown),
        metadata={"description": "Which version of it plays, as its connection tells too. Default: none."},
    )
    open = whole(1, MOST_OPEN, f"Decisions that it may have at once. Default: {_DEFAULT.open}.")
    seconds = whole(1, MOST_SECONDS, f"For each decision, from when it is sent. Default: {_DEFAULT.seconds:g}.")
    accepts = one_of(ACCEPTS, f"Who may seat it. Default: `{_DEFAULT.accepts}`.")


class NewBot(_Terms):
    name = Text(
        required=True,
        validate=Regexp(rf"{PATTERN}\Z", error="must be 3 to 32 small letters, digits, - and _; a letter first"),
        metadata={"description": "At a seat it is called `bot:` and this.", "pattern": _NAME},
    )


class BotUpdate(_Terms):
    paused = truth_field("Whether a stand-in has its seats, although it may be connected.")


class DecisionsQuery(Query):
    form = one_of(FORMS, "`state`: the game as its seat sees it; `vector`: in numbers, for nets.", load_default=STATE)
    version = Text(
        validate=(Length(1, MOST_VERSION), _fit_to_be_shown),
        metadata={"description": "Which version of it plays from now on. Default: the one that there is."},
    )
    wait = digits(0, 60, "Seconds to wait for a page, instead of a stream.")


def answers_in(body: Wire) -> list[Sent]:
    """Return the answers of a body. Whether their moves are any is asked when they are played.

    Bots answer hundreds of times a second: a schema would take longer to load them than the engine to play them.
    """
    for name in body.keys() - {"answers"}:
        raise invalid(f"/{name}", "unknown", "there is none of that name")
    answers = body.get("answers")
    if not isinstance(answers, list):
        raise invalid("/answers", "required" if answers is None else "type", "must be a list")
    if not 0 < len(answers) <= MOST_ANSWERS:
        raise invalid("/answers", "length", f"must have 1 to {MOST_ANSWERS}")
    return list(_sent(answers))


def _sent(answers: list[Any]) -> Iterator[Sent]:
    for number, each in enumerate(answers):
        here = f"/answers/{number}"
        if not isinstance(each, dict):
            raise invalid(here, "type", "must be an object")
        for name in each.keys() - {"id", "moves", "action"}:
            raise invalid(f"{here}/{name}", "unknown", "there is none of that name")
        id_, moves, action = each.get("id"), each.get("moves"), each.get("action")
        if not isinstance(id_, str) or len(id_) > _LONGEST_ID:
            raise invalid(f"{here}/id", "required" if id_ is None else "type", "must be the id of a decision")
        if (moves is None) == (action is None):
            raise invalid(here, "conflict", "needs either moves or an action")
        if action is not None and type(action) is not int:
            raise invalid(f"{here}/action", "type", "must be a whole number")
        if moves is not None and (not isinstance(moves, list) or not 0 < len(moves) <= MAX_TURN_MOVES):
            raise invalid(f"{here}/moves", "length", f"must be a list of 1 to {MAX_TURN_MOVES}")
        for place, move in enumerate(moves or ()):
            if not isinstance(move, dict):
                raise invalid(f"{here}/moves/{place}", "type", "must be an object")
        yield Sent(id_, moves or (), action)
