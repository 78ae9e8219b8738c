"""Describe what operations answer with, other than a state: games, moves, histories, problems."""

from engine.enums import SEATS
from service.api.json_schema import (
    Schema,
    array,
    digits,
    extensible,
    integer,
    nullable,
    number,
    obj,
    ref,
    text,
    truth,
)
from service.api.problems import CODES
from service.contract.shapes.state import SALT_DIGITS, SEED_DIGITS, SHA256_DIGITS
from service.contract.shapes.words import SEAT, TIME
from service.refusals import FAULTS

TOKEN = text("Told once. Send it as `Authorization: Bearer rn_…`.", pattern="^rn_[A-Za-z0-9_-]{43}$")
_ID = text("The game's id.")


def games() -> dict[str, Schema]:
    summary = {
        "id": _ID,
        "name": text("Chosen by the host."),
        "status": ref("Status"),
        "created_at": TIME,
        "sandbox": truth(),
        "turn_seconds": nullable(integer(1)),
        "rules": ref("Rules"),
        "seats": array(ref("SeatState")),
        "players": array(ref("PlayerSummary")),
        "open_seats": integer(0, what="How many are open."),
        "result": nullable(ref("Result")),
    }
    invitation = {
        "id": text("Its id in the game."),
        "seat": nullable(SEAT),
        "uses": integer(1, SEATS, "How many may join by it."),
        "created_at": TIME,
        "player_ids": array(text("A player's id."), "Who has joined by it."),
        "status": extensible(["open", "used", "revoked"], "Whether it is still good, used up, or taken back."),
    }
    engine = obj({"version": text("The release."), "layout": integer()}, what="Which engine played it.")
    replay = {
        "game_id": _ID,
        "engine": engine,
        "rules": ref("Rules"),
        "rules_version": ref("RulesVersion"),
        "seed": digits(SEED_DIGITS, "What all its dice come from."),
        "salt": digits(SALT_DIGITS, "Hashed with the seed."),
        "hash": digits(SHA256_DIGITS, "What was promised at the start: the SHA-256 of salt and seed, as bytes."),
        "sandbox": truth(),
        "position": nullable(ref("Position")),
        "moves": array(ref("Move"), "All that anybody chose."),
        "result": ref("Result"),
    }
    return {
        "CreatedGame": obj(
            {"token": TOKEN, "player_token": TOKEN, "game": ref("Game")},
            ("player_token",),
            "A new game, and its host's token; who joined with it is told their token, too, and sees the game as a "
            "player.",
        ),
        "RematchedGame": obj({"game": ref("Game")}, what="The game that follows, as you see it."),
        "CreatedInvitation": obj(
            {"token": TOKEN, "invitation": ref("Invitation")}, what="An invitation, and its token, which is told once."
        ),
        "InvitationList": obj({"invitations": array(ref("Invitation"), "The oldest first.")}, what="All there are."),
        "Invitation": obj(invitation, what="A right to join that the host gives away."),
        "RenewedToken": obj({"token": TOKEN}, what="The token that takes the place of the one that you have shown."),
        "JoinedGame": obj({"token": TOKEN, "game": ref("Game")}, what="The game as you see it, and your token."),
        "GameSummary": obj(summary, what="A game in a list."),
        "GameList": obj(
            {"games": array(ref("GameSummary")), "next": nullable(text("The next page's `cursor`."))},
            what="A page of games.",
        ),
        "Replay": obj(replay, what="Everything that makes a finished game again."),
    }


def turns() -> dict[str, Schema]:
    version = integer(1, what="The game's version.")
    legal = {"version": version, "decision": nullable(ref("Decision")), "legal_moves": array(ref("Move"))}
    played = {
        "version": version,
        "seq": integer(0, what="The number of the latest event."),
        "events": array(ref("Event"), "What the moves brought about."),
        "game": ref("Game"),
    }
    preview = {
        "move": ref("Move"),
        "cost": integer(0, what="Minutes."),
        "chance": number(0, 1, "Of success, where a die decides."),
        "certain": array(ref("ForeseenEvent"), "What follows in any case."),
        "if_success": array(ref("ForeseenEvent"), "What follows if the die is kind."),
        "if_failure": array(ref("ForeseenEvent"), "What follows if it is not."),
        "ghost": integer(what="Minutes left after it."),
        "triggers": triggers(),
    }
    previews = {
        "version": version,
        "previews": array(ref("Preview"), "Up to where chance or somebody else comes in."),
        "complete": truth("All of the moves are among them."),
        "game": {
            "description": "The state as it would be behind them, with your legal moves in it; null where chance "
            "decides it. Its `version` is the present one.",
            **nullable(ref("Game")),
        },
        "rooms": array(ref("ReachedRoom"), "Where the gnome can get to from there, if `reach` asks for that."),
    }
    page = {
        "events": array(ref("Event")),
        "next": integer(0, what="`after` for what follows."),
        "more": truth("There are more by now."),
        "epoch": ref("Epoch"),
    }
    return {
        "LegalMoveList": obj(legal, what="What the caller may choose from."),
        "PlayedMoves": obj(played, ("game",), "What came of the moves. `Prefer: return=minimal` leaves `game` out."),
        "PreviewList": obj(previews, ("rooms",), "What the moves would do."),
        "Preview": obj(preview, ("chance", "if_success", "if_failure"), "What a move would do."),
        "EventList": obj(page, what="A page of the history."),
    }


def triggers() -> Schema:
    minutes = array(integer(), "Minutes.")
    of_icons = {"events": minutes, "items": minutes, "ignored": minutes}
    return obj(of_icons, what="Icons that the turn's minutes will meet.")


def help_() -> dict[str, Schema]:
    plan = {
        "moves": array(ref("Move"), "The plan: play them one by one."),
        "rescue_rate": nullable(
            number(0, 1, "The chance that this crew, as it sits there, is saved: the mean of the playouts.")
        ),
        "error": nullable(number(0, 1, "The standard error of that: of the playouts, and of the model behind them.")),
        "deaths_per_game": nullable(number(0, 8, "Gnomes lost.")),
        "playouts": integer(0, what="Playouts behind it: those dropped early have few."),
        "line": array(ref("Preview"), "What each move does, up to where chance comes in."),
        "as_good_as_best": truth(
            "Playouts do not tell its chance from the first plan's: show such plans as equals. True of the first."
        ),
    }
    advice = {
        "id": text("Its id."),
        "status": extensible(
            ["working", "done", "dropped"], "`dropped`: the game moved on before a worker came to it."
        ),
        "version": integer(1, what="The game's version that it is about."),
        "seat": SEAT,
        "asked_at": TIME,
        "playouts": integer(0, what="All together."),
        "plans": array(ref("AdvisedPlan"), "The best first."),
        "own": {
            "description": "Your own plan, if you asked about one, in as many playouts as the best, under its dice.",
            **nullable(ref("AdvisedPlan")),
        },
        "stale": truth("The game has moved on."),
    }
    point = {"version": integer(1), "rescue_rate": number(0, 1, "The chance that the crew of then is saved.")}
    odds = {
        "version": integer(1, what="The game's version."),
        "points": array(ref("Chance"), "At the start of each turn, and at the end."),
        "complete": truth("None is missing."),
    }
    return {
        "Advice": obj(advice, what="What a searching bot would do in your place, beside this crew as it sits there."),
        "AdvisedPlan": obj(plan, what="A plan for the turn, or a choice."),
        "Odds": obj(odds, what="The chance of this crew, as it sits there, turn by turn."),
        "Chance": obj(point, what="The crew's chance at a version."),
    }


def problem() -> dict[str, Schema]:
    error = {
        "pointer": text("JSON Pointer to a field of the body."),
        "parameter": text("Name of a query parameter."),
        "header": text("Name of a header."),
        "code": extensible(FAULTS, "What is wrong, to branch on."),
        "detail": text("The reason, in words."),
    }
    facts = {
        "version": integer(what="The game's version, where it matters."),
        "legal_moves": array(ref("Move"), "After an illegal move: what was legal."),
        "decision": obj({"seat": SEAT}, what="Who must decide."),
        "open_seats": array(SEAT),
        "violated-policies": array(text("Its name, as `RateLimit-Policy` has it."), "The limits that were passed."),
    }
    whole = {
        "type": text("A page about this kind of problem.", format="uri-reference"),
        "title": text("The kind, in words."),
        "status": integer(400, 599),
        "detail": text("What it was this time."),
        "instance": text("The path that was asked for."),
        "code": extensible(CODES, "The kind, to branch on."),
        "errors": array(ref("FieldError"), "What is wrong with which field."),
    }
    return {
        "Problem": obj(whole | facts, tuple(facts), "Why a request was refused (RFC 9457)."),
        "FieldError": obj(
            error,
            ("pointer", "parameter", "header"),
            "What is wrong with one thing that was sent: with what `pointer`, `parameter` or `header` names.",
        ),
    }
