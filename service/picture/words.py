"""The words that a picture needs, all in one place, in English."""

from typing import Protocol

ROOMS = {
    1: "Engine Room",
    2: "Oxygen Pumps",
    4: "Reactor Room",
    7: "Missile Control",
    8: "Equipment Stores",
    10: "Captain's Cabin",
}
TRACKS = {"asphyxiation": "Asphyxiation", "heat": "Heat", "pressure": "Pressure"}
TOKENS = {
    "asphyxiated": "Asphyxiated!",
    "crushed": "Crushed!",
    "missiles_launched": "Missiles Launched!",
    "devoured_by_kraken": "Devoured by Kraken!",
}
CONDITIONS = {"alive": "alive", "fainted": "fainted", "dead": "dead", "abandoned": "gone"}
WATERS = {"none": "dry", "low": "low water", "high": "high water"}
STATUSES = {"waiting": "waiting for players", "playing": "under way", "finished": "over"}
ITEMS = {
    "coffee": "coffee",
    "grog": "grog",
    "toolbox": "toolbox",
    "engine_manual": "engine manual",
    "pump_manual": "pump manual",
    "reactor_manual": "reactor manual",
    "deactivation_code": "deactivation code",
    "crowbar": "crowbar",
    "fire_extinguisher": "fire extinguisher",
    "water_pump": "water pump",
    "aqualung": "aqualung",
    "harpoon": "harpoon",
    "lucky_charm": "lucky charm",
}
PHASES = {
    "movement": "move, use items, or act",
    "hatch": "enter the open hatch, or stay",
    "escape": "flee from the fire",
    "escape_hatch": "flee through the open hatch, or stay",
    "trade_give": "give items",
    "trade_return": "give items in return",
    "defend": "defend, or not",
    "wrap_up": "use an item, or be done",
    "spread_fire": "choose where the fire spreads",
    "block_hatch": "choose the hatch that is blocked",
    "discard": "discard an item",
    "over": "nothing more",
}
CAUSES = {
    "asphyxiation": "no air is left",
    "heat": "the reactor has blown up",
    "pressure": "the hull has burst",
    "asphyxiated": "all have asphyxiated",
    "crushed": "the boat was crushed",
    "missiles_launched": "the missiles were launched",
    "devoured_by_kraken": "the Kraken has devoured the boat",
    "all_dead": "all gnomes are dead",
    "nobody_aboard": "nobody is left aboard",
    "rescued": "help has come",
}
# Sentences and labels. Numbers stand after a colon, so that no language has to inflect what is counted.
TEXTS = {
    "picture": "Red November: {name}",
    "version": "Version {version}",
    "turn": "Turn {turn}",
    "sandbox": "sandbox",
    "gnome": "Gnome {seat}",
    "open_seat": "open",
    "bot": "bot {name}",
    "you": "you",
    "decides": "{who} decides",
    "until": "until {time} UTC",
    "rescued": "Rescued!",
    "lost": "Lost!",
    "sea": "Sea",
    "room": "Room {room}",
    "room_named": "Room {room}, {name}",
    "destruction": "Destruction",
    "no_tokens": "no token is out",
    "minutes": "{minutes} min",
    "hidden_items": "hidden items: {count}",
    "no_items": "no items",
    "grog_left": "grog left: {count}",
    "on_fire": "on fire",
    "desc_over": "{result} {cause}.",
    "desc_decision": "{who} must decide: {kind}.",
    "desc_room": "{room}: {what}.",
    "desc_calm": "No room burns or has water in it.",
    "desc_blocked": "Blocked hatches: {hatches}.",
    "desc_no_blocked": "No hatch is blocked.",
    "desc_open": "Open hatch: {hatch}.",
    "desc_gnome": "{who}: {state}, {place}, minutes left: {minutes}, intoxication: {intoxication}, items: {items}.",
    "desc_gone": "{who}: {state}.",
    "desc_track": "{track}: {value} of {end}.",
    "desc_token": "{token} after minute {minute}.",
    "desc_no_tokens": "No Destruction token is out.",
    "desc_ghost": "The Ghost stands on {minute}.",
    "desc_order": "Time Keepers, the next to move first: {order}.",
    "desc_keeper": "{minute}: {seats}",
    "desc_stash": "Grog in the captain's cabin: {count}.",
    "none": "none",
}


class Words(Protocol):
    """What a picture asks of a language."""

    language: str

    def room(self, number: int) -> str:
        """A room's name; nothing for one that has none."""

    def name(self, kind: str, name: str) -> str:
        """A name on the wire in words: of a track, token, condition, water, status, item, phase or cause."""

    def text(self, key: str, **values: object) -> str:
        """A label or sentence of the picture, filled in. Seats come as on the wire; readers count them from 1."""


_KINDS = {
    "track": TRACKS,
    "token": TOKENS,
    "condition": CONDITIONS,
    "water": WATERS,
    "status": STATUSES,
    "item": ITEMS,
    "phase": PHASES,
    "cause": CAUSES,
}


class English:
    """The words as they stand here."""

    language = "en"

    def room(self, number: int) -> str:
        return ROOMS.get(number, "")

    def name(self, kind: str, name: str) -> str:
        return _KINDS[kind][name]

    def text(self, key: str, **values: object) -> str:
        if key == "gnome":  # seats count from 1 for readers
            values["seat"] = int(str(values["seat"])) + 1
        return TEXTS[key].format(**values)


ENGLISH = English()
