"""Decide which limits hold when the service runs for whoever sits at this machine."""

import ipaddress
from collections.abc import Mapping

from service.config import ANYBODY, BUCKETS

NAMES = (*(f"LIMIT_{name.upper()}" for name in BUCKETS), "LIMIT_BAD", "GAMES_PER_CALLER", "BOT_ACCOUNTS")
_NO_LIMIT = {"GAMES_PER_CALLER": "0", "BOT_ACCOUNTS": ANYBODY}
_NO_RATE = "0/60"


def lifted(host: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that lift each limit which nobody has set.

    They are empty where others than this machine can ask: at another address than a loopback one, or through a proxy
    whose word is believed.
    """
    if not _is_loopback(host) or environment.get("TRUSTED_PROXIES", "0").strip() != "0":
        return {}
    return {name: _NO_LIMIT.get(name, _NO_RATE) for name in NAMES if not environment.get(name)}


def told(settings: Mapping[str, str]) -> str:
    """Say in words which limits hold beside those settings."""
    if not settings:
        return "as deploy/README.md says"
    kept = [name for name in NAMES if name not in settings]
    return f"none but {', '.join(kept)}" if kept else "none, as only this machine can ask (LIMIT_MOVE=1200/60 sets one)"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
