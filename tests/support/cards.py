"""The cards as the rulebook lists them (§1): the tests' own copy, so that a slip in the engine's shows."""

ITEMS = {
    "coffee": 1,
    "grog": 12,
    "toolbox": 3,
    "engine_manual": 4,
    "pump_manual": 4,
    "reactor_manual": 4,
    "deactivation_code": 3,
    "crowbar": 6,
    "fire_extinguisher": 5,
    "water_pump": 6,
    "aqualung": 2,
    "harpoon": 2,
    "lucky_charm": 2,
}
STASH = 6
SHUFFLED_ITEMS = ITEMS | {"grog": ITEMS["grog"] - STASH}

_FAINT_NUMBERS = {
    "fire": "- - 4 4 3 3 2 1",
    "fire_spreads": "- 4 3",
    "stumble": "3 2",
    "friendly_fire": "-",
    "blocked_hatch": "- - 4 4 3 3 2 1",
    "leak": "- 4",
    "respite": "4 3 3 2 2 2 1 1",
    "reactor_warmup": "- - 4 3 2 1",
    "reactor_malfunction": "- 4",
    "kraken": "-",
    "descent": "- 4 4 3 2 1",
    "fast_descent": "-",
    "missile_countdown": "- 4",
    "underwater_current": "4",
    "oxygen_pumps_down": "-",
    "overheated": "1",
    "engine_down": "-",
    "turbulence": "3 2",
}
_CARDS = [f"{kind}/{number}" for kind, numbers in _FAINT_NUMBERS.items() for number in numbers.split()]
EVENTS = {card: _CARDS.count(card) for card in _CARDS}
KRAKEN = "kraken/-"
FIRST_DECK = {card: copies for card, copies in EVENTS.items() if card != KRAKEN}
