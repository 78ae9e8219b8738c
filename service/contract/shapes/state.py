"""Describe the state, which is everything that a client shows, and positions, which have the same fields."""

from engine.cards import FACES
from engine.enums import (
    DIE_SIDES,
    MAX_INTOXICATION,
    MAX_MINUTES,
    ROOMS,
    TRACK_END,
    Condition,
    Item,
    Purpose,
    Token,
    Track,
    Water,
)
from service.api.json_schema import Schema, array, digits, enum, extensible, integer, nullable, obj, ref, text, truth
from service.contract.shapes.words import SEAT, TIME, names

SHA256_DIGITS, SEED_DIGITS, SALT_DIGITS = 64, 64, 32
_SEED = "^([0-9a-fA-F]{32}|[0-9a-fA-F]{64})$"
ROOM_NUMBERS = [str(number) for number in range(1, ROOMS)]


def _seen(what: str) -> Schema:
    return {"description": what, **nullable(ref("ItemCounts"))}


def _by(keys: list[str], values: Schema, what: str) -> Schema:
    return {"type": "object", "description": what, "propertyNames": {"enum": keys}, "additionalProperties": values}


def _around() -> dict[str, Schema]:
    """Return the fields that are about the table, not about the rules."""
    return {
        "id": text("The game's id."),
        "version": integer(1, what="Counts every change, moves and others."),
        "seq": integer(0, what="The number of the latest event: follow the game from here."),
        "epoch": ref("Epoch"),
        "name": text("Chosen by the host."),
        "status": ref("Status"),
        "visibility": ref("Visibility"),
        "sandbox": truth("Made with a seed, a position or as a fork: its dice prove nothing."),
        "turn_seconds": nullable(integer(1, what="Time for each decision.")),
        "advice": truth("Advice and odds are given while it goes on: the host may want none."),
        "created_at": TIME,
        "changed_at": TIME,
        "seats": array(ref("SeatState"), "By number."),
        "players": array(ref("Player"), "Who has joined."),
        "client_data": ref("ClientData"),
        "forked_from": nullable(ref("ForkedFrom")),
        "rematch_id": nullable(text("The id of the game that the same crew plays next, when it is over.")),
        "match": nullable(text("The id of the match that it is played for, by bots of others among them.")),
        "dice": ref("Dice"),
        "you": ref("You"),
    }


def _on_the_board() -> dict[str, Schema]:
    return {
        "rules": ref("Rules"),
        "turn": integer(0, what="Turns begun so far."),
        "gnomes": array(ref("Gnome"), "By seat."),
        "rooms": _by(ROOM_NUMBERS, ref("RoomState"), "By number."),
        "blocked_hatches": array(ref("Hatch")),
        "tracks": ref("Tracks"),
        "destruction": _by(
            names(Token), integer(0, MAX_MINUTES), "Destruction tokens by the minute at which they end the game."
        ),
        "captains_grog": integer(0, what="Bottles left in the captain's cabin."),
        "items_left": integer(0, what="How many items are in the deck."),
        "item_deck": _seen("Which, in no order; null when hands are hidden from you, as it would tell of them."),
        "item_discard": ref("ItemCounts"),
        "event_deck": ref("EventCardCounts"),
        "event_discard": ref("EventCardCounts"),
        "active": SEAT,
        "ghost": integer(0, MAX_MINUTES, "Minutes left to the active gnome if the turn ended now."),
        "phase": ref("Phase"),
        "used_items": ref("ItemCounts"),
        "pending": ref("Pending"),
        "moves_played": integer(0),
        "decision": nullable(ref("Decision")),
        "legal_moves": array(ref("Move"), "Yours to choose from, if you must decide; send one back as it is."),
        "result": nullable(ref("Result")),
    }


def state() -> dict[str, Schema]:
    gnome = {
        "minutes": integer(0, MAX_MINUTES, "Where the Time Keeper stands."),
        "stack": integer(0, what="The higher of one space is on top, and goes first."),
        "room": ref("Room"),
        "state": enum(names(Condition)),
        "intoxication": integer(0, MAX_INTOXICATION),
        "hand": integer(0, what="How many items the gnome holds."),
        "items": _seen("Which; null when that is not yours to see, before the start not even of your own gnome."),
        "drew_items_in": nullable(integer(what="Where the gnome may not draw items again yet.")),
    }
    pending = {
        "open_hatch_to": ref("Room"),
        "partner": SEAT,
        "room": ref("Room"),
        "hand_limit": integer(),
        "storm_left": integer(),
        "icons_ignored": integer(),
        "began_at_sea": truth(),
        "abandoning": truth("Original edition: the active gnome leaves the board when this turn ends."),
    }
    seat = {
        "seat": SEAT,
        "kind": extensible(["open", "player", "bot"], "Who decides for it."),
        "bot": nullable(ref("BotName")),
        "player_id": nullable(text("Whose seat it is, also while a bot plays it.")),
        "away": truth("They let their time run out, and were played for; they are back with their next move."),
        "last_seen_at": nullable(TIME | {"description": "When its player was last heard of, give or take seconds."}),
    }
    player = {"id": text("Their id in this game."), "name": text("Their name."), "seats": array(SEAT)}
    dice = {
        "salt": digits(SALT_DIGITS, "Hashed with the seed, so that it can't be guessed from the hash."),
        "hash": digits(SHA256_DIGITS, "The SHA-256 of salt and seed, as bytes: what binds us to the seed."),
        "seed": nullable(digits(SEED_DIGITS, "Told when the game is over.")),
    }
    tracks = {name: integer(1, TRACK_END) for name in names(Track)}
    you = {"host": truth(), "player_id": nullable(text("Your id.")), "seats": array(SEAT)}
    result = {"crew": enum(["rescued", "lost"]), "cause": ref("Cause"), "seats": array(enum(["won", "lost"]), "Each.")}
    return {
        "Epoch": text(
            "Changes when the store may have gone back, after a failure, to what it knew a moment before: then "
            "versions and events that you saw may be others now. Fetch the state, and the events from the start, again."
        ),
        "Status": extensible(["waiting", "playing", "finished"], "Of a game: before its start, under way, over."),
        "Game": obj(_around() | _on_the_board(), what="Everything that a client shows, as the caller may see it."),
        "Gnome": obj(gnome, what="A gnome on the board."),
        "RoomState": obj({"water": enum(names(Water)), "fire": truth()}, what="What is in a room."),
        "Tracks": obj(tracks, what="The disaster tracks. At the end of one the boat is lost."),
        "Pending": obj(pending, tuple(pending), "What belongs to the middle of a turn."),
        "Result": obj(result, what="How the game ended."),
        "SeatState": obj(seat, ("last_seen_at",), what="A seat, and who decides for it."),
        "ClientData": {
            "description": "What clients keep with a game or a player: any JSON of up to 1,024 bytes; null is nothing. "
            "The service does not look into it."
        },
        "Player": obj(player | {"client_data": ref("ClientData")}, what="Somebody who joined."),
        "PlayerSummary": obj(player, what="Somebody who joined, in a list of games."),
        "Dice": obj(dice, what="The promise that dice are fair; what was promised, when the game is over."),
        "You": obj(you, what="Whoever asked, by the token."),
        "Decision": obj(
            {"seat": SEAT, "kind": ref("Phase"), "deadline": nullable(TIME)},
            what="Who must decide, what, and until when.",
        ),
        "ForkedFrom": obj(
            {"game_id": text("Its id."), "version": integer(1)}, what="The game that this one comes from."
        ),
    }


def position() -> dict[str, Schema]:
    """Return the schemas of a position: what may be forced. The engine checks it, field by field."""
    items = _by(names(Item), integer(0), "Items by name.")
    cards = _by([face.name for face in FACES], integer(0), "Event cards, and how many of each.")
    room = {"water": enum(names(Water)), "fire": truth()}
    ignored: Schema = {"description": "Of a view; ignored."}
    gnome = {
        "minutes": integer(0, MAX_MINUTES),
        "stack": integer(0),
        "room": ref("Room"),
        "state": enum(names(Condition)),
        "intoxication": integer(0, MAX_INTOXICATION),
        "hand": ignored,
        "items": items,
        "drew_items_in": nullable(integer()),
    }
    script = {
        "dice": array(integer(1, DIE_SIDES)),
        "events": array({"anyOf": [ref("EventCard"), ref("EventName")]}),
        "items": array(ref("Item")),
    }
    whole = {
        "rules": ref("GameOptions"),
        "gnomes": array(ref("PositionGnome"), "By seat."),
        "rooms": _by(ROOM_NUMBERS, obj(room, tuple(room)), "By number."),
        "blocked_hatches": array(ref("Hatch")),
        "tracks": _by(names(Track), integer(1, TRACK_END), "By name."),
        "destruction": _by(names(Token), integer(0, MAX_MINUTES), "Minutes of the tokens on the time track."),
        "captains_grog": integer(0),
        "item_deck": items,
        "item_discard": items,
        "event_deck": cards,
        "event_discard": cards,
        "active": SEAT,
        "ghost": integer(0, MAX_MINUTES),
        "phase": ref("Phase"),
        "used_items": items,
        "pending": ref("Pending"),
        "seed": text("What chance starts from: 64 hex digits, or the 32 that a position writes.", pattern=_SEED),
        "rolls": _by(names(Purpose), integer(0), "Outcomes used up so far, by what they were for."),
        "script": ref("Script"),
        "turn": integer(0, what="Turns begun so far."),
        "version": integer(0, what="Moves played so far."),
        "cause": ref("Cause"),
        "decision": ignored,
        "legal_moves": ignored,
        "result": ignored,
        "items_left": ignored,
    }
    what = "Any situation. What is left out takes the value it has at the start of a game."
    return {
        "Position": obj(whole, tuple(whole), what),
        "PositionGnome": obj(gnome, tuple(gnome), "A gnome; what is left out likewise."),
        "Script": obj(script, tuple(script), "The next outcomes, in order, whatever they are for."),
    }
