"""Describe outside bots: their accounts, what they must decide, and what they answer."""

from engine.lanes import MOVE_IDS
from service.accounts.model import ACCEPTS
from service.accounts.names import PATTERN
from service.api.bot_schemas import MOST_ANSWERS, MOST_OPEN, MOST_SECONDS
from service.api.json_schema import Schema, array, extensible, integer, nullable, number, obj, one_of, ref, text, truth
from service.api.schemas import MAX_TURN_MOVES
from service.contract.shapes.words import TIME
from service.outside.desk import REASONS
from service.store.ids import ID_PATTERN

_DECISION_ID = text("The decision's id: the same until somebody has made it.", pattern=rf"^{ID_PATTERN}\.[0-9]+$")

_TOKEN = text("Told once. Send it as `Authorization: Bearer rn_…`.", pattern=rf"^rn_{PATTERN}\.[A-Za-z0-9_-]{{43}}$")


def outside() -> dict[str, Schema]:
    crew = {
        "beside": array(
            text("A bot of ours, `bot` for another one from outside, or `player`."), "Who else was in the crew."
        ),
        "games": integer(1),
        "rescues": integer(0, what="Games in which the boat was saved."),
        "rescue_rate": number(0, 1, "Their share."),
    }
    record = {
        "decisions": integer(0, what="That it made in time."),
        "late": integer(0, what="That it did not make in time, so that a stand-in did."),
        "illegal": integer(0, what="Answers that were no legal move."),
        "milliseconds": nullable(integer(0, what="What an answer takes from sending the decision, in the mean.")),
        "round_trip": nullable(integer(0, what="What its quickest answers of late took, in milliseconds.")),
        "crews": array(ref("OutsideCrew"), "Games that came to their end; sandboxes don't count."),
    }
    bot = {
        "name": text("Its name.", pattern=f"^{PATTERN}$"),
        "bot": ref("BotName"),
        "description": text("How it plays, as its owner says."),
        "version": text("Which version of it plays."),
        "open": integer(1, MOST_OPEN, "Decisions that it may have at once."),
        "seconds": integer(1, MOST_SECONDS, "For each decision."),
        "accepts": extensible(ACCEPTS, "Who may seat it."),
        "connected": truth("It is there to decide; otherwise a stand-in has its seats."),
        "paused": nullable(extensible(["owner", "misses"], "Why a stand-in has its seats although it is connected.")),
        "created_at": TIME,
        "record": ref("OutsideRecord"),
    }
    return {
        **_decisions(),
        **_answers(),
        "OutsideBot": obj(bot, what="A bot that somebody has brought."),
        "OutsideRecord": obj(record, what="What a bot did so far."),
        "OutsideCrew": obj(crew, what="Games that a bot has played beside certain others."),
        "RegisteredBot": obj({"token": _TOKEN, "bot": ref("OutsideBot")}, what="A new bot, and its token."),
        "RenewedBotToken": obj({"token": _TOKEN}, what="The token that takes the place of the one before."),
    }


def _decisions() -> dict[str, Schema]:
    decision = {
        "type": {"type": "string", "const": "decision"},
        "id": _DECISION_ID,
        "game": text("The game's id."),
        "seat": ref("Seat"),
        "kind": ref("Phase"),
        "seed": integer(0, 2**48 - 1, "Chance of the bot's own, the same whenever it is asked. It tells nothing."),
        "milliseconds": integer(0, what="Time that is left for it, from when this line is sent."),
        "round_trip": nullable(integer(0, what="What the bot's quickest answers of late took, in milliseconds.")),
        "match": nullable(text("The match that the game is of.")),
        "state": ref("Game"),
        "layout": integer(1, what="With `form=vector`: the version of the layout of `observation` and of the ids."),
        "observation": text("Likewise: what the seat may know, a signed byte a number.", contentEncoding="base64"),
        "actions": array(integer(0, MOVE_IDS - 1), "Likewise: the ids of the moves that are legal."),
    }
    withdrawn = {
        "type": {"type": "string", "const": "withdrawn"},
        "id": _DECISION_ID,
        "reason": extensible(REASONS, "A stand-in makes it, its seat is another's, its game is deleted, or a pause."),
    }
    ping = {
        "type": {"type": "string", "const": "ping"},
        "open": integer(0, what="Decisions that the bot has before it: whoever knows of fewer has lost some."),
    }
    of_form = ("state", "layout", "observation", "actions")
    shapes = {
        "decision": ("DecisionLineDecision", obj(decision, of_form, "A decision that the bot must make.")),
        "withdrawn": ("DecisionLineWithdrawn", obj(withdrawn, what="A decision that the bot need not make any more.")),
        "ping": ("DecisionLinePing", obj(ping, what="Every seven seconds.")),
        "replaced": ("DecisionLineReplaced", obj({"type": {"type": "string", "const": "replaced"}}, what=(
            "The last line where a newer connection takes its place, or the token is renewed."
        ))),
        "reconnect": ("DecisionLineReconnect", obj({"type": {"type": "string", "const": "reconnect"}}, what=(
            "The last line where there is more to come from another server."
        ))),
    }  # fmt: skip
    page = {
        "decisions": array(ref("DecisionLineDecision"), "What is open."),
        "open": integer(0, what="How many decisions that are."),
        "replaced": truth("A newer connection has taken its place."),
    }
    game = {
        "game_id": text("The game's id."),
        "seats": array(ref("Seat"), "Where the bot plays."),
        "status": ref("Status"),
        "created_at": TIME,
    }
    return {
        **dict(shapes.values()),
        "DecisionLine": one_of({kind: name for kind, (name, _) in shapes.items()}, "A line of a bot's connection."),
        "DecisionPage": obj(page, what="What a bot must decide now."),
        "BotGame": obj(game, what="A game that a bot plays."),
        "BotGames": obj({"games": array(ref("BotGame"), "The latest last.")}, what="The games that a bot plays."),
    }


def _answers() -> dict[str, Schema]:
    what = "A move out of `legal_moves`. Whatever is none is told so in the verdict."
    move: Schema = {"type": "object", "additionalProperties": True, "description": what}
    answer = {
        "id": _DECISION_ID,
        "moves": array(move, "One move, or several: a plan.") | {"minItems": 1, "maxItems": MAX_TURN_MOVES},
        "action": integer(what="The id of a move, in place of `moves`."),
    }
    verdict = {
        "id": _DECISION_ID,
        "outcome": extensible(
            ["played", "already", "late", "illegal"],
            "It was played; it was played before; its decision is not open, or not to this bot; it is no legal move.",
        ),
        "moves_played": integer(1, what="How many moves of a plan were played."),
        "detail": text("What is wrong with it."),
        "final": truth("It can't be corrected any more: a stand-in makes the decision."),
        "legal_moves": array(ref("Move"), "Those that are legal."),
        "actions": array(integer(0, MOVE_IDS - 1), "Their ids, where an id was illegal."),
    }
    answers = array(ref("BotAnswer")) | {"minItems": 1, "maxItems": MOST_ANSWERS}
    optional = ("moves_played", "detail", "final", "legal_moves", "actions")
    return {
        "BotAnswer": obj(answer, ("moves", "action"), "What a bot has decided.") | {"additionalProperties": False},
        "BotAnswers": obj({"answers": answers}, what="What a bot has decided.") | {"additionalProperties": False},
        "BotVerdict": obj(verdict, optional, "What became of an answer."),
        "BotVerdicts": obj({"answers": array(ref("BotVerdict"), "In the order of the answers.")}, what="All of them."),
    }
