"""Run Lua scripts, which Redis knows by their hashes once it was sent them."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redis.exceptions import NoScriptError

from service.store.redis_client import Client, Command, Meanwhile

_SERVICE = Path(__file__).parent.parent


class Script:
    """A Lua script that Redis knows by its hash, or is sent; several files may be one script together."""

    def __init__(self, *names: str):
        self.text = "".join((_SERVICE / name).read_text() for name in names)
        self.sha = hashlib.sha1(self.text.encode()).hexdigest()


def call(
    client: Client, script: Script, names: Sequence[str], args: Sequence[Any], more: Sequence[Command] = ()
) -> Any:
    """Run a script whose changes may be lost, since somebody finds out and repeats them; return its reply. Redis is
    told `more` in the same round trip."""
    return evaluated(client, script, names, args, more=more)[0]


def evaluated(
    client: Client,
    script: Script,
    names: Sequence[str],
    args: Sequence[Any],
    after: Sequence[Command] = (),
    meanwhile: Meanwhile = None,
    more: Sequence[Command] = (),
) -> list[Any]:
    """Run a script and the commands after it in one round trip, and return all replies. What is `more` is told once,
    known script or not."""
    given = (len(names), *names, *args)
    try:
        return client.ask(("EVALSHA", script.sha, *given), *after, *more, meanwhile=meanwhile)
    except NoScriptError:
        return client.ask(("EVAL", script.text, *given), *after)


def evaluated_all(
    client: Client,
    script: Script,
    written: Sequence[tuple[Sequence[str], Sequence[Any]]],
    after_each: Sequence[Command] = (),
    after_all: Sequence[Command] = (),
) -> list[Any]:
    """Run a script once for each of those keys and arguments, in one round trip. It must bear to be run again."""

    def commands(act: str, which: str) -> list[Command]:
        each = ([(act, which, len(names), *names, *args), *after_each] for names, args in written)
        return [*(command for group in each for command in group), *after_all]

    try:
        return client.ask(*commands("EVALSHA", script.sha))
    except NoScriptError:
        return client.ask(*commands("EVAL", script.text))
