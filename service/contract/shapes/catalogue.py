"""Describe the catalogue: what a client may show without knowing a rule."""

from engine.enums import SEATS, Action, Room, Token, Track
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.json_schema import Schema, array, enum, extensible, integer, nullable, number, obj, ref, text, truth
from service.contract.shapes.words import names
from service.games.catalogue import rules
from service.words import LANGUAGES
from service.words.glossary import KINDS


def catalogue() -> dict[str, Schema]:
    neighbours = array(ref("RoomNumber"), "Rooms behind its hatches.")
    room = {
        "room": ref("RoomNumber"),
        "name": nullable(enum(names(Room), "Some rooms have none.")),
        "x": integer(what="Where to draw it: towards the bow."),
        "y": integer(what="Likewise, downwards."),
        "exterior_hatch": truth("It has a hatch to the sea."),
        "neighbours": neighbours,
    }
    ahead = obj({"token": enum(names(Token)), "minutes_ahead": integer(0)}, what="A token that the card places.")
    card = {
        "card": ref("EventCard"),
        "event": ref("EventName"),
        "faint": nullable(integer(1, what="Fells gnomes who drank that much or more.")),
        "copies": integer(1),
        "token": nullable_object(ahead),
    }
    bonus = {"propertyNames": {"enum": names(Action)}, "additionalProperties": integer(1)}
    item = {
        "item": ref("Item"),
        "copies": integer(1),
        "bonus": {"type": "object", "description": "Added to the minutes of actions.", **bonus},
    }
    action = {
        "action": ref("ActionName"),
        "fix_it": truth("A die decides: it succeeds at minutes and bonuses or below."),
        "room": nullable(ref("Room")),
        "track": nullable(enum(names(Track))),
        "token": nullable(enum(names(Token))),
    }
    time_track = {
        "start": {"type": "object", "additionalProperties": integer(1), "description": "Minutes by gnomes."},
        "longest": integer(),
        "events": array(integer(), "Minutes with an event icon."),
        "items": array(integer(), "Minutes with an item icon."),
    }
    options = {
        "gnomes": obj({"from": integer(MIN_GNOMES), "to": integer(MIN_GNOMES, SEATS)}),
        "edition": array(enum(EDITIONS)),
        "less_deadly_dying": array(truth()),
        "hidden_hands": array(truth()),
        "crazed_gnomes": array(truth()),
        "greater_challenge": array(enum(CHALLENGES)),
    }
    track = {"track": enum(names(Track)), "end": integer(), "reset": integer()}
    hatch = {"hatch": ref("Hatch"), "rooms": array(ref("RoomNumber"))}
    whole = {
        "rules_version": ref("RulesVersion"),
        "rulebook": text("The address of the whole rulebook, a page for people.", format="uri-reference"),
        "rooms": array(ref("CatalogueRoom")),
        "hatches": array(ref("CatalogueHatch")),
        "tracks": array(ref("CatalogueTrack")),
        "tokens": array(enum(names(Token))),
        "time_track": obj(time_track),
        "items": array(ref("CatalogueItem")),
        "events": array(ref("CatalogueEvent")),
        "actions": array(ref("CatalogueAction")),
        "numbers": obj({name: integer() for name in rules()["numbers"]}, what="Numbers of the rules, by name."),
        "causes": array(ref("Cause")),
        "options": obj(options, what="What `rules` may be."),
        "words": ref("Words"),
    }
    words = {
        "lang": extensible(LANGUAGES),
        "edition": enum(EDITIONS),
        **{kind: {"type": "object", "additionalProperties": ref("Word"), "description": "By id."} for kind in KINDS},
    }
    word = {
        "name": text("What it is called."),
        "text": nullable(text("What it means; null where the name says it.")),
    }
    return {
        "Catalogue": obj(whole, ("words",), "The board, the cards and the actions."),
        "Words": obj(words, what="All words of the game in one language, by kind and id, where `lang` asks for them."),
        "Word": obj(word, what="The word for something that has an id."),
        "CatalogueRoom": obj(room),
        "CatalogueHatch": obj(hatch),
        "CatalogueTrack": obj(track),
        "CatalogueItem": obj(item),
        "CatalogueEvent": obj(card),
        "CatalogueAction": obj(action),
    }


def nullable_object(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


def bots() -> dict[str, Schema]:
    strength = {
        "gnomes": integer(MIN_GNOMES, SEATS),
        "games": integer(1),
        "rescue_rate": number(0, 1, "The share of games in which the boat was saved."),
        "interval": ref("Interval"),
        "deaths_per_game": {"type": "number", "minimum": 0},
    }
    bot = {
        "name": ref("BotName"),
        "level": integer(0),
        "description": text("How it plays."),
        "playouts": integer(0, what="A decision."),
        "strength": array(ref("Strength")),
    }
    measured = {
        "command": text("What plays these games again."),
        "engine": text("The release that played them."),
        "rules_version": integer(1, what="The rules that they were played by."),
        "seed": integer(what="Game n of a bot is game n of `red-november match --seed` this."),
        "date": text("When they were played.", format="date"),
        "sources": text("A hash of the sources that played them."),
    }
    return {
        "BotList": obj(
            {
                "measured": ref("Measured"),
                "bots": array(ref("Bot"), "The weakest first."),
                "outside": array(ref("OutsideBot"), "Bots that others have brought; those first that were there last."),
            }
        ),
        "Measured": obj(measured, ("engine",), "Where the figures of `strength` come from."),
        "Bot": obj(bot, what="An AI gnome."),
        "Strength": obj(strength, what="Of a crew of nobody else; the interval is Wilson's, of 95 %."),
    }
