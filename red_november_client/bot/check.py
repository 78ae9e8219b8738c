"""Try a bot on recorded decisions without a service: is it legal, quick, repeatable, and ready for later releases?"""

import asyncio
import json
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from red_november_client.bot.answers import BotFailed, illegal, shown
from red_november_client.bot.asking import ask_in_time
from red_november_client.bot.mouths import Mouth
from red_november_client.bot.recorded import named
from red_november_client.wire import Wire

CRASHING, SLOW, ILLEGAL, VARYING, LEANING = KINDS = ("crashing", "slow", "illegal", "not repeatable", "leaning")
_UNKNOWN: Wire = {"x_of_a_later_release": {"type": "x_unknown", "list": [1, None, "x"]}}


@dataclass
class Findings:
    """What was found wrong: lines by kind."""

    decisions: int
    lines: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    slowest: float = 0.0

    def add(self, kind: str, decision: Wire, what: str) -> None:
        self.lines[kind].append(f"{named(decision)}: {what}")

    @property
    def is_clean(self) -> bool:
        return not any(self.lines.values())


async def check(mouth: Mouth, decisions: list[Wire], seconds: float, at_once: int) -> Findings:
    """Ask each decision three times: as it is, once more, and with members that a later release may add."""
    found = Findings(len(decisions))
    turn = asyncio.Semaphore(at_once)

    async def tried(decision: Wire) -> None:
        async with turn:
            await _check_one(mouth, decision, seconds, found)

    await asyncio.gather(*map(tried, decisions))
    for lines in found.lines.values():
        lines.sort()
    return found


async def _check_one(mouth: Mouth, decision: Wire, seconds: float, found: Findings) -> None:
    began = time.monotonic()
    try:
        answer = await ask_in_time(mouth, decision, 4 * seconds)
    except BotFailed as failed:
        found.add(SLOW if "took longer" in str(failed) else CRASHING, decision, str(failed))
        return
    took = time.monotonic() - began
    found.slowest = max(found.slowest, took)
    if took > seconds:
        found.add(SLOW, decision, f"{1000 * took:.0f} ms of {1000 * seconds:.0f}")
    if wrong := illegal(decision, answer):
        found.add(ILLEGAL, decision, wrong)
    await _ask_again(mouth, decision, answer, 4 * seconds, found)


async def _ask_again(mouth: Mouth, decision: Wire, answer: Wire, seconds: float, found: Findings) -> None:
    again = await _said(mouth, decision, seconds)
    if again != answer:
        found.add(VARYING, decision, f"first {_told(answer)}, then {_told(again)}")
        return
    later = await _said(mouth, as_of_a_later_release(decision), seconds)
    if later != answer:
        found.add(LEANING, decision, f"with members that it does not know: {_told(later)}, without {_told(answer)}")


async def _said(mouth: Mouth, decision: Wire, seconds: float) -> Wire | str:
    try:
        return await ask_in_time(mouth, decision, seconds)
    except BotFailed as failed:
        return str(failed)


def _told(answer: Wire | str) -> str:
    return answer if isinstance(answer, str) else shown(answer.get("moves", answer))


def as_of_a_later_release(decision: Wire) -> Wire:
    """Return a decision with more members, in another order: the contract allows both at any time.

    Moves and maps stay as they are: a move is sent back whole, and the members of a map are what it maps.
    """
    chance = random.Random(json.dumps(decision, sort_keys=True))

    def later(told: Wire, deeper: Iterable[str]) -> Wire:
        members = list({**told, **_UNKNOWN}.items())
        chance.shuffle(members)
        return {name: _later_in(value) if name in deeper else value for name, value in members}

    def _later_in(value: Any) -> Any:
        if isinstance(value, list):
            return [later(each, ()) if isinstance(each, dict) else each for each in value]
        return (
            later(value, ("gnomes", "seats", "players", "rules", "decision", "you"))
            if isinstance(value, dict)
            else value
        )

    return later(decision, ("state",))


def report(found: Findings, most: int = 5) -> Iterator[str]:
    """Yield lines for people: what is wrong, the first of each kind, and what it comes to."""
    for kind, lines in found.lines.items():
        for line in lines[:most]:
            yield f"{kind}: {line}"
        if len(lines) > most:
            yield f"{kind}: … and {len(lines) - most} more"
    faults = ", ".join(f"{len(lines)} {kind}" for kind, lines in found.lines.items() if lines) or "nothing wrong"
    yield f"{found.decisions} decisions: {faults}; the slowest took {1000 * found.slowest:.0f} ms"
