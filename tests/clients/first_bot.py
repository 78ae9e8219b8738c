"""A bot in a few lines: it does what it can for the boat, and dares nothing."""

GOOD = ("fix_engine", "fix_oxygen_pumps", "fix_reactor", "stop_missile_launch", "pump_water", "extinguish_fire")


def worth(move, state):
    if move["type"] in GOOD:
        return 2 + move.get("chance", 1)
    if move["type"] in ("enter", "open_hatch", "draw_items"):
        return 1
    return -2 if move["type"] in ("attack_gnome", "abandon_comrades") else 0


def choose(decision):
    state = decision["state"]
    legal = state["legal_moves"]
    best = max(worth(move, state) for move in legal)
    among = [move for move in legal if worth(move, state) == best]
    return among[decision["seed"] % len(among)]
