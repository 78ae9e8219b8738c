"""What a bot may answer, and what it comes to."""

import json
import math

from red_november_client.wire import Wire

MOST_LETTERS = 200  # of what a bot said, when it is shown


class BotFailed(Exception):
    """A bot gave no answer, and why, in one line."""


def answer_of(told: object) -> Wire:
    """Return an answer as the service takes it: {"moves": […]} or {"action": …}. Raises BotFailed.

    A bot may say a move, a list of moves, the number of an action, or either of the two objects.
    """
    if isinstance(told, dict):
        if "error" in told:
            raise BotFailed(shortened(told["error"]))
        if "moves" in told:
            return answer_of(told["moves"])
        if "action" in told:
            return answer_of(told["action"])
        if "type" in told:
            return {"moves": [told]}
    if isinstance(told, list) and told and all(isinstance(move, dict) and "type" in move for move in told):
        return {"moves": told}
    if isinstance(told, int) and not isinstance(told, bool):
        return {"action": told}
    raise BotFailed(f"answered {shown(told)}, which is neither a move, nor moves, nor the number of an action")


def parsed(line: bytes | str) -> object:
    """Return what a line of JSON says. Raises BotFailed."""
    try:
        return json.loads(line)
    except ValueError:  # bad UTF-8, too
        text = line if isinstance(line, str) else line.decode(errors="replace")
        raise BotFailed(f"printed {shown(text.strip())} where an answer of JSON was wanted") from None


def illegal(decision: Wire, answer: Wire) -> str | None:
    """Return what is wrong with an answer's first move; those after it can be judged with the rules only."""
    if "actions" in decision:
        action = answer.get("action")
        return None if action in decision["actions"] else f"action {action} is not among those that may be chosen"
    if "moves" not in answer:
        return "it is asked with the state, and answers the number of an action"
    first = answer["moves"][0]
    if any(is_same(first, move) for move in decision["state"]["legal_moves"]):
        return None
    return f"{shown(first)} is not among the legal moves"


def is_same(said: Wire, legal: Wire) -> bool:
    """Return whether a move is that one: what a move costs, and its chance, need not be said."""
    told = {"cost", "chance", "text", "chances"}
    parts = {name: value for name, value in said.items() if name not in told}
    return parts == {name: value for name, value in legal.items() if name not in told}


def shown(value: object) -> str:
    """Return a value in one line that can be shown."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    try:
        return shortened(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError):
        return shortened(repr(value))


def shortened(text: object, most: int = MOST_LETTERS) -> str:
    """Return a text in one line that can be shown."""
    line = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return line if len(line) <= most else line[: most - 1] + "…"
