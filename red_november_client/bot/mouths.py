"""Three ways to ask a bot: a function in Python, a command in any language, a server of one's own.

Each may be asked several things at once, and answers, or raises BotFailed with a line that says why not. Whoever has
waited long enough cancels the question.
"""

import asyncio
import json
import os
import shlex
import signal
import sys
from contextlib import suppress
from typing import Protocol

from red_november_client.bot.answers import BotFailed, answer_of, parsed, shortened
from red_november_client.connections import BROKEN, Request, connections
from red_november_client.wire import Wire

MOST_BYTES = 2**24  # of a line or an answer
START_SECONDS = 60.0  # for a module in Python to load what it needs
END_SECONDS = 2.0  # for a bot to end when nobody asks any more
RELAY_SECONDS = 60.0
RELAY_START_SECONDS = 5.0  # for a connection to it


class Mouth(Protocol):
    """What answers for a bot."""

    async def open(self) -> None:
        """Make ready. Raises BotFailed if it can't ever answer."""

    async def ask(self, decision: Wire) -> Wire:
        """Return the bot's answer as the service takes it. Raises BotFailed."""

    async def close(self) -> None:
        """End what was started."""


class Commands:
    """Processes of one command: a decision is a line of JSON on their input, an answer one on their output.

    Each is asked one thing at a time. One that fails, or whose question is cancelled, is ended, and another one is
    started when it is needed.
    """

    def __init__(self, command: list[str], count: int, greets: bool = False):
        self._command, self._greets = command, greets
        self._free: asyncio.LifoQueue[_Process | None] = asyncio.LifoQueue()
        for _ in range(count):
            self._free.put_nowait(None)
        self._running: set[_Process] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        none = [self._free.get_nowait() for _ in range(self._free.qsize())]
        for process in await asyncio.gather(*(self._start() for _ in none)):
            self._free.put_nowait(process)

    async def ask(self, decision: Wire) -> Wire:
        process = await self._free.get()
        answered = False
        try:
            process = process or await self._start()
            told = await process.ask(decision)
            answered = True
        finally:
            if not answered and process is not None:
                self._running.discard(process)
                process.kill()
                ending = asyncio.create_task(process.gone())
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
            self._free.put_nowait(process if answered else None)
        return answer_of(parsed(told))

    async def close(self) -> None:
        await asyncio.gather(*(process.end() for process in self._running), *self._ending)
        self._running.clear()

    async def _start(self) -> "_Process":
        process = await _Process.start(self._command)
        self._running.add(process)
        if self._greets:
            try:
                async with asyncio.timeout(START_SECONDS):
                    greeting = parsed(await process.line())
                if isinstance(greeting, dict) and "error" in greeting:
                    raise BotFailed(shortened(greeting["error"]))
            except TimeoutError:
                raise BotFailed(f"was not loaded within {START_SECONDS:.0f} s") from None
        return process


class _Process:
    """A process that is asked in lines."""

    def __init__(self, process: asyncio.subprocess.Process):
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._into, self._out = process, process.stdin, process.stdout
        self._said: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: list[str]) -> "_Process":
        """Start it as a group of its own: Ctrl-C is for us, and what it starts ends with it."""
        try:
            return cls(
                await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=MOST_BYTES,
                    start_new_session=True,
                )
            )
        except (OSError, ValueError) as error:
            raise BotFailed(f"can't be started: {error}") from error

    async def ask(self, decision: Wire) -> bytes:
        if not self._said.empty() and (said := self._said.get_nowait()) is not None:
            raise BotFailed(f"printed more than an answer: {shortened(said.decode(errors='replace').strip())}")
        with suppress(ConnectionError):  # whoever has ended says so on the other side
            self._into.write(json.dumps(decision).encode() + b"\n")
            await self._into.drain()
        return await self.line()

    async def line(self) -> bytes:
        """Return the next line. Raises BotFailed when there is none."""
        said = await self._said.get()
        if said is None:
            self._said.put_nowait(None)
            raise BotFailed(await self._end_of())
        return said

    async def _read(self) -> None:
        with suppress(ValueError, ConnectionError):  # a line without an end is an end, too
            while line := await self._out.readline():
                self._said.put_nowait(line)
        self._said.put_nowait(None)

    async def _end_of(self) -> str:
        try:
            async with asyncio.timeout(END_SECONDS):
                code = await self._process.wait()
        except TimeoutError:
            return "closed its output, or printed a line without an end"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def kill(self) -> None:
        self._reading.cancel()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._into.close()

    async def end(self) -> None:
        """Close its input, so that it can end by itself, and kill it if it does not."""
        self._into.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
        self.kill()
        await self.gone()

    async def gone(self) -> None:
        """Wait until it has ended, and what it said is read."""
        await asyncio.gather(self._reading, return_exceptions=True)
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
                await self._out.read()


class Relay:
    """A server of the owner's: each decision is POSTed to it, its answer is the bot's."""

    def __init__(self, url: str, seconds: float = RELAY_SECONDS):
        self._url, self._seconds = url, seconds

    async def open(self) -> None:
        """Connect: who named a wrong address is told so once, and not at each decision."""
        try:
            await connections().reach(self._url, RELAY_START_SECONDS)
        except BROKEN as error:
            raise self._is_away(error) from error

    def _is_away(self, error: Exception) -> BotFailed:
        return BotFailed(f"{self._url} does not answer: {shortened(error) or type(error).__name__}")

    async def ask(self, decision: Wire) -> Wire:
        data = json.dumps(decision).encode()
        request = Request("POST", self._url, {"Content-Type": "application/json"}, data)
        try:
            answer = await connections().ask(request, self._seconds)
            try:
                status, body = answer.status, await answer.read()
            finally:
                answer.close()
        except BROKEN as error:
            raise self._is_away(error) from error
        if not 200 <= status < 300:
            raise BotFailed(f"{self._url} answers with status {status}")
        return answer_of(parsed(body))

    async def close(self) -> None:
        await connections().close()


def function(target: str, count: int) -> Commands:
    """Return a function in Python, named as `module:function`, in processes of its own: it may crash and hang there."""
    return Commands([sys.executable, "-m", "red_november_client.bot.child", target], count, greets=True)


def command(line: str, count: int) -> Commands:
    """Return a command as one types it in a shell, without the shell. Raises ValueError."""
    return Commands(shlex.split(line), count)
