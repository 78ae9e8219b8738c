"""Names of outside bots: in an account as they are, at a seat behind a word that tells them from ours."""

import re

PREFIX = "bot:"
PATTERN = "[a-z][a-z0-9_-]{2,31}"
_SEATED = re.compile(PREFIX + PATTERN)


def seated(name: str) -> str:
    """Return what a seat calls the bot of an account."""
    return PREFIX + name


def account_of(bot: str | None) -> str | None:
    """Return the name of the account that a seat's bot has; None for one of ours, or for nobody."""
    return bot[len(PREFIX) :] if bot is not None and bot.startswith(PREFIX) else None


def is_seated(bot: str) -> bool:
    """Return whether this is what a seat would call the bot of an account."""
    return _SEATED.fullmatch(bot) is not None
