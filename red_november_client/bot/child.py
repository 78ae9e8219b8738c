"""A process that asks a function in Python: `python -m red_november_client.bot.child my_module:choose`.

It reads decisions and writes answers, a line of JSON each. What the function prints goes to the standard error.
"""

import asyncio
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any, TextIO


def first(decision: Any) -> Any:
    """Answer at once: the first legal move. With it `bench` measures the pipe."""
    return decision["state"]["legal_moves"][0]


def load(target: str) -> Callable[[Any], Any]:
    """Return the function that is named. Raises ValueError when there is none."""
    module, _, name = target.partition(":")
    found = getattr(import_module(module), name or "choose", None)
    if not callable(found):
        raise ValueError(f"{module} has no function {name or 'choose'}")
    return found


def told(error: BaseException) -> str:
    """Say in one line what was raised, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if frame.filename != __file__), None)
    where = f" ({os.path.basename(last.filename)}:{last.lineno})" if last else ""  # noqa: PTH119 - a name only
    return f"raised {type(error).__name__}: {error}{where}"


def answer(choose: Callable[[Any], Any], line: str) -> str:
    try:
        found = choose(json.loads(line))
        if inspect.isawaitable(found):
            found = asyncio.run(_result(found))
        return json.dumps(found)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises
        return json.dumps({"error": told(error)})


async def _result(found: Any) -> Any:
    return await found


def main() -> int:
    says: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # also for what prints without Python's help
    sys.path.insert(0, "")
    try:
        choose = load(sys.argv[1])
    except Exception as error:  # noqa: BLE001 - whatever a module raises
        print(json.dumps({"error": f"{sys.argv[1]} can't be loaded: {told(error)}"}), file=says, flush=True)
        return 1
    print(json.dumps({"ready": True}), file=says, flush=True)
    for line in sys.stdin:
        print(answer(choose, line), file=says, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
