"""Addresses of services: as people type them, and which of them are the same."""

import ipaddress
from urllib.parse import SplitResult, urlsplit

PORTS = {"http": 80, "https": 443}


def parse_address(text: str) -> str:
    """Return the address of a service that somebody typed, without a path to its API. Raises ValueError."""
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in PORTS or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{text!r} is no address of a service")
    _ = parts.port  # raises ValueError where it is none
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


def is_this_machine(host: str) -> bool:
    """Return whether a host's name or address means the machine that asks."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified


def is_same_origin(first: str, second: str) -> bool:
    """Return whether two addresses have the same scheme, host and port. Raises ValueError for what is no address."""
    return _origin(urlsplit(first)) == _origin(urlsplit(second))


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    return parts.scheme, parts.hostname or "", parts.port or PORTS.get(parts.scheme)
