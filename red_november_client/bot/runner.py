"""Plays for a bot at a service: takes its decisions, asks it, sends what it answers, and goes on whatever it does."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from red_november_client.bot.answers import BotFailed, illegal
from red_november_client.bot.asking import ask_in_time
from red_november_client.bot.connection import FOUND, LOST, PATIENCE_SECONDS, Answers, Lines
from red_november_client.bot.mouths import Mouth
from red_november_client.core import AsyncClient
from red_november_client.wire import Wire

ATTEMPTS = 2  # at one decision: who fails once may have stumbled


class Replaced(Exception):
    """Another connection plays for the bot now, or its token is another."""


@dataclass
class Tally:
    """What came of the decisions."""

    results: dict[str, int] = field(default_factory=dict)

    def add(self, result: str) -> None:
        self.results[result] = self.results.get(result, 0) + 1

    def __str__(self) -> str:
        total = sum(self.results.values())
        each = ", ".join(f"{count} {result}" for result, count in sorted(self.results.items()))
        return f"{total} decisions: {each}" if each else "no decisions"


class Runner:
    """Plays for one bot."""

    def __init__(
        self,
        client: AsyncClient,
        name: str,
        mouth: Mouth,
        say: Callable[[str], None],
        version: str | None = None,
        form: str | None = None,
    ):
        path = f"/bots/{name}"
        self._client, self._path = client, path
        self._lines = Lines(client, f"{path}/decisions", version, form)
        self._answers = Answers(AsyncClient(**{**vars(client), "patience": PATIENCE_SECONDS}), f"{path}/answers")
        self._mouth, self._say = mouth, say
        self._open: dict[str, asyncio.Task[None]] = {}
        self.tally = Tally()

    async def run(self) -> None:
        """Play until it is cancelled. Raises Refused, Unreachable or Replaced when it can't go on."""
        sending = asyncio.create_task(self._answers.run())
        hearing = asyncio.create_task(self._hear())
        try:
            done, _ = await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in [hearing, sending, *self._open.values()]:
                task.cancel()
            await asyncio.gather(hearing, sending, *self._open.values(), return_exceptions=True)

    async def _hear(self) -> None:
        async with aclosing(self._lines.told()) as lines:
            async for line in lines:
                self._take(line)

    def _take(self, line: Wire) -> None:
        kind = line.get("type")
        if kind == "decision":
            self._begin(line)
        elif kind == "withdrawn":
            self._withdraw(line)
        elif kind == "ping":
            if line.get("open", 0) > len(self._open):
                self._lines.open_again()
        elif kind == "replaced":
            raise Replaced("another connection plays for this bot now, or its token was renewed")
        elif kind == LOST:
            self._say(f"the connection is lost ({line['reason']}), trying again")
        elif kind == FOUND:
            self._say("connected again")

    def _begin(self, decision: Wire) -> None:
        if decision["id"] not in self._open:
            task = asyncio.create_task(self._decide(decision))
            self._open[decision["id"]] = task
            task.add_done_callback(lambda _: self._open.pop(decision["id"], None))

    def _withdraw(self, line: Wire) -> None:
        task = self._open.get(line["id"])
        if task is not None:
            task.cancel()
            self._count(line["id"], f"withdrawn: {line.get('reason')}", "withdrawn")

    async def _decide(self, decision: Wire) -> None:
        """Ask the bot, and once more if it fails or what it says is illegal."""
        ends = time.monotonic() + max(decision["milliseconds"] - (decision["round_trip"] or 0), 0) / 1000
        asked = decision
        for _ in range(ATTEMPTS):
            if (left := ends - time.monotonic()) <= 0:
                break
            try:
                answer = await ask_in_time(self._mouth, asked, left)
            except BotFailed as failed:
                self._say(f"{decision['id']}: the bot {failed}")
                continue
            verdict = await self._answers.send({"id": decision["id"], **answer})
            if verdict["outcome"] != "illegal":
                remark = "" if verdict["outcome"] in ("played", "already") else verdict["outcome"]
                self._count(decision["id"], remark, verdict["outcome"])
                return
            wrong = illegal(decision, answer) or verdict.get("detail", "the service says so")
            self._say(f"{decision['id']}: illegal: {wrong}")
            if verdict.get("final"):
                break
            asked = {**decision, "refused": answer}
        self._count(decision["id"], "no answer: a stand-in plays", "without an answer")

    def _count(self, decision: str, remark: str, result: str) -> None:
        self.tally.add(result)
        if remark:
            self._say(f"{decision}: {remark}")
