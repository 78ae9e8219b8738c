"""Ask a bot within a time."""

import asyncio

from red_november_client.bot.answers import BotFailed
from red_november_client.bot.mouths import Mouth
from red_november_client.wire import Wire


async def ask_in_time(mouth: Mouth, decision: Wire, seconds: float) -> Wire:
    """Return the bot's answer as the service takes it. Raises BotFailed, also for one that takes too long."""
    try:
        async with asyncio.timeout(seconds):
            return await mouth.ask(decision)
    except TimeoutError:
        raise BotFailed(f"took longer than {1000 * seconds:.0f} ms, and was stopped") from None
