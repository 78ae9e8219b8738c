"""Tell which address a request comes from when proxies pass it on."""

from collections.abc import Iterable


def forwarded_for(headers: Iterable[tuple[str, str]], proxies: int) -> str | None:
    """Return the client's address as the outermost of our own proxies names it: anybody may have written the others.

    Werkzeug's ProxyFix reads it the same way, so that the front door and the application mean the same client.
    """
    if not proxies:
        return None
    addresses = [part.strip() for name, value in headers if name == "X-FORWARDED-FOR" for part in value.split(",")]
    addresses = [address for address in addresses if address]
    return addresses[-proxies] if len(addresses) >= proxies else None
