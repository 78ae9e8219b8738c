"""Tell whom a request is counted for: an API key's holder, or whoever shares an address."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from service.callers import tokens

NETWORK_BITS = 64  # of an IPv6 address: a provider gives all addresses behind them to one household or server
DIGITS = 24
UNKNOWN = "nobody"
_REMEMBERED = 8192  # addresses


@lru_cache(_REMEMBERED)
def network_of(address: str | None) -> str:
    """Return an IPv4 address itself, and for an IPv6 address its network: whoever has one address of it has them all.

    Games keep a hash of this as their creator: another way to write it would make strangers of their creators.
    """
    try:
        parsed = ip_address((address or UNKNOWN).partition("%")[0])
    except ValueError:
        return address or UNKNOWN
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    host_bits = 128 - NETWORK_BITS
    return str(IPv6Address(int(parsed) >> host_bits << host_bits))


def origin_of(address: str | None, api_key: str | None, api_keys: dict[str, str]) -> str:
    """Return a hash of the API key where the operator gave it out, else of the network that the address belongs to."""
    if api_key and tokens.holder(api_key, api_keys) is not None:
        return tokens.digest(api_key)[:DIGITS]
    return _of_network(address)


@lru_cache(_REMEMBERED)
def _of_network(address: str | None) -> str:
    return tokens.digest(network_of(address))[:DIGITS]
