"""Describe what operations on matches answer with: progress, results, games."""

from typing import get_args

from bots.arena.league import ALL_NAMES
from engine.enums import SEATS, Cause, Condition
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.json_schema import (
    Schema,
    array,
    digits,
    enum,
    extensible,
    integer,
    nullable,
    number,
    obj,
    one_of,
    ref,
    text,
    truth,
)
from service.contract.shapes.answers import TOKEN
from service.contract.shapes.state import SEED_DIGITS
from service.contract.shapes.words import TIME, names
from service.matches.model import MatchStatus, Why
from service.matches.plan import KEEP

_STATUSES = [status.value for status in MatchStatus]
_GNOMES = integer(MIN_GNOMES, SEATS)
_SEED = digits(SEED_DIGITS, "What all its dice come from.")
_CREW = array(ref("BotName"), "One bot for all seats, or one for each.")
_LINE_UP = extensible(ALL_NAMES, "In a league `crew-1` and so on.")
_RATE = number(0, 1, "The share of games in which the boat was saved.")


def _amount(what: str) -> Schema:
    return {"type": "number", "minimum": 0, "description": what}


def _null_or(shape: str) -> Schema:
    return {"oneOf": [ref(shape), {"type": "null"}]}


def matches() -> dict[str, Schema]:
    return _match() | _series() | _games()


def _match() -> dict[str, Schema]:
    rules = {
        "players": integer(1, SEATS, "How many share the gnomes. Left out: as many as gnomes."),
        "edition": enum(EDITIONS),
        "less_deadly_dying": truth(),
        "hidden_hands": truth(),
        "crazed_gnomes": truth(),
        "greater_challenge": enum(CHALLENGES),
    }
    margin = number(0, 1, "So much stronger `crew` must be to win it.")
    failed = {"gnomes": _GNOMES, "number": integer(0), "seed": _SEED, "error": text("What was wrong.")}
    awaited = {
        "bot": ref("BotName"),
        "reason": extensible(
            get_args(Why), "It is not connected; paused; another version than the match began with; deleted."
        ),
        "since": TIME,
    }
    card = {
        "id": text("Its id."),
        "version": integer(1, what="Counts every change: wait for a later one."),
        "epoch": ref("Epoch"),
        "name": nullable(text("Chosen by whoever created it.")),
        "status": ref("MatchStatus"),
        "created_at": TIME,
        "changed_at": TIME,
        "started_at": nullable(TIME),
        "ended_at": nullable(TIME),
        "games": integer(1, what="A line-up and size."),
        "gnomes": array(_GNOMES, "Its sizes: a series for each."),
        "rules": ref("MatchOptions"),
        "crew": _CREW,
        "against": {"oneOf": [_CREW, {"type": "null"}]},
        "crews": {"oneOf": [array(_CREW, "Of a league; the first one is its `crew`, too."), {"type": "null"}]},
        "baseline": nullable(text("Of a league: the crew that each other one is compared with; null for all pairs.")),
        "seeds": obj({"from": integer()}, what="Where the seeds of its games come from."),
        "stop": {"oneOf": [obj({"sprt": obj({"margin": margin})}), {"type": "null"}]},
        "keep_replays": extensible(KEEP, "Of which games the moves are kept."),
        "reproducible": truth("False where outside bots play: the same request makes other games."),
        "waiting_for": array(ref("AwaitedBot"), "Outside bots that it can't go on without."),
        "played": integer(0, what="Games played so far, of all line-ups and sizes."),
        "total": integer(1, what="Games asked for, of all line-ups and sizes. A test may need fewer."),
        "games_per_second": nullable(_amount("Of late, while it is being played; all in all, when it is over.")),
        "eta_seconds": nullable(_amount("Until all games are played, at that speed.")),
        "error": _null_or("MatchError"),
    }
    whole = card | {"series": array(ref("SeriesResult"), "What it has come to so far, by size.")}
    line = {"type": {"type": "string", "const": "match"}, "version": integer(1), "match": ref("Match")}
    return {
        "MatchStatus": extensible(_STATUSES, "`queued`: no worker has come to it yet. The last three are for ever."),
        "MatchOptions": obj(rules, ("players",), "The rules of its games, but for the number of gnomes."),
        "Match": obj(whole, what="Many games between bots, and what they have come to so far."),
        "MatchSummary": obj(card, what="A match in a list."),
        "AwaitedBot": obj(awaited, what="An outside bot that a match waits for."),
        "MatchError": obj(failed, what="Why a match failed: a game that can't be played."),
        "MatchList": obj(
            {"matches": array(ref("MatchSummary")), "next": nullable(text("The next page's `cursor`."))},
            what="A page of matches.",
        ),
        "CreatedMatch": obj({"token": TOKEN, "match": ref("Match")}, what="A new match, and its token."),
        "MatchLine": one_of(
            {"match": "MatchNow", "match_deleted": "MatchDeleted", "reconnect": "StreamReconnect"},
            "A line of a match's stream.",
        ),
        "MatchNow": obj(line, what="The match, as it is now."),
        "MatchDeleted": obj(
            {"type": {"type": "string", "const": "match_deleted"}}, what="The last line, when it is deleted."
        ),
    }


def _series() -> dict[str, Schema]:
    causes = names(Cause)[1:]
    lost = {"propertyNames": {"enum": causes}, "additionalProperties": integer(1)}
    paces = {"additionalProperties": ref("BotPace")}
    tally = {
        "crew": array(ref("BotName"), "By seat."),
        "games": integer(0, what="That count: with a test, those up to its verdict."),
        "rescues": integer(0, what="Games in which the boat was saved."),
        "rescue_rate": _RATE,
        "interval": ref("Interval"),
        "deaths_per_game": _amount("Those of replaced gnomes included."),
        "turns_per_game": _amount("How long it took."),
        "causes_of_loss": {
            "type": "object",
            "description": "Games lost by cause, the most frequent first; forfeits left out.",
            **lost,
        },
        "bots": {"type": "object", "description": "What each bot spent.", **paces},
        "faults": obj({"count": integer(0), "first": array(ref("BotFault"))}, what="Bots that failed to answer."),
        "forfeits": ref("Forfeits"),
    }
    forfeits = {
        "count": integer(0, what="They count as lost, in every rate and pair."),
        "rescue_rate_without": number(0, 1, "The share of rescues among the other games."),
    }
    pace = {"turns": integer(0), "seconds": _amount("In all."), "seconds_per_turn": _amount("On the average.")}
    fault = {
        "seed": _SEED,
        "bot": ref("BotName"),
        "seat": ref("Seat"),
        "moves_played": integer(0, what="Before, in that game."),
        "error": text("What was wrong."),
        "played_by": text("Who answered instead."),
    }
    share: Schema = {"type": "number"}
    pairs = {
        "played": integer(0),
        "rescued_by_crew_only": integer(0),
        "rescued_by_against_only": integer(0),
        "difference": number(-1, 1, "Of the two rates."),
        "interval": ref("DifferenceInterval"),
        "sprt": {"oneOf": [ref("TestResult"), {"type": "null"}]},
    }
    test = {
        "margin": share | {"description": "As asked for."},
        "evidence": share | {"description": "The logarithm of how much likelier the pairs are with a stronger crew."},
        "verdict": extensible(["undecided", "stronger", "not_stronger"]),
    }
    series = {
        "rules": ref("Rules"),
        "seed": integer(what="As asked for."),
        "crew": ref("CrewResult"),
        "against": _null_or("CrewResult"),
        "pairs": _null_or("PairedResult"),
        "league": _null_or("LeagueResult"),
    }
    duel = {"crew": _LINE_UP, "against": _LINE_UP}
    league = {
        "crews": array(ref("CrewResult"), "`crew-1` and so on."),
        "pairs": array(ref("LeaguePair"), "Each crew and the baseline, or all pairs."),
    }
    ends = {"low": number(-1, 1, "Where it begins."), "high": number(-1, 1, "Where it ends.")}
    return {
        "DifferenceInterval": obj(ends, what="Where the true difference lies: Bonett and Price's, of 95 %."),
        "SeriesResult": obj(series, what="What the games of one size have come to."),
        "CrewResult": obj(tally, what="How a crew did."),
        "Forfeits": obj(forfeits, what="Games that an outside bot broke twice: three missed decisions in a row."),
        "BotPace": obj(pace, what="Time that a bot took for its turns."),
        "BotFault": obj(fault, what="A bot failed to answer a decision; the game went on."),
        "PairedResult": obj(pairs, what="How both crews did on the same seeds."),
        "LeagueResult": obj(league, what="How the crews of a league did on the same seeds."),
        "LeaguePair": obj(duel | pairs, what="How two crews did on the same seeds."),
        "TestResult": obj(test, what="Of the sequential probability ratio test."),
    }


def _games() -> dict[str, Schema]:
    seat = {"bot": ref("BotName"), "result": enum(["won", "lost"]), "state": enum(names(Condition))}
    spent = obj({"turns": integer(0), "seconds": _amount("In all.")})
    game = {
        "gnomes": _GNOMES,
        "line_up": _LINE_UP,
        "number": integer(0, what="From 0. Both crews play a number on the same seed."),
        "seed": _SEED,
        "crew": array(ref("BotName"), "By seat."),
        "rescued": truth("False for a forfeit."),
        "cause": ref("Cause"),
        "deaths": integer(0, what="Those of replaced gnomes included."),
        "turns": integer(0),
        "minutes_left": integer(0, what="Of the gnome aboard who has most."),
        "forfeit": truth("An outside bot broke it twice: it counts as lost, whatever its cause and seats say."),
        "seats": array(obj(seat), "How it ended for each."),
        "thinking": {
            "type": "object",
            "description": "What each bot spent.",
            "additionalProperties": spent,
        },
        "faults": integer(0, what="How often a bot failed to answer."),
        "path": text("Post here to open it.", format="uri-reference"),
    }
    page = {
        "games": array(ref("MatchGame")),
        "next": nullable(text("The next page's `cursor`.")),
        "complete": truth("The match is over: no games will come between these."),
    }
    opened = {
        "game_id": text("The id of the game."),
        "match_id": text("The match's id."),
        "gnomes": _GNOMES,
        "line_up": _LINE_UP,
        "number": integer(0),
    }
    return {
        "MatchGame": obj(game, what="A game of a match."),
        "MatchGames": obj(page, what="A page of games."),
        "OpenedGame": obj(opened, what="Where a game of a match is, or will be."),
    }
