"""Tell where the API listens: for everybody, and for operators only."""

import errno
import os
import re
import socket

from service.config import BadConfig

LOOPBACK = "127.0.0.1"
PORT = 8000
_LAST_PORT = 65535


def bind() -> str:
    """Return where the public API listens, as gunicorn reads it: addresses, or `unix:` and paths, with commas."""
    return os.environ.get("BIND") or f"{LOOPBACK}:{PORT}"


def ops_bind() -> str:
    """Return where metrics and readiness are served. Unless it is set, that is the port after the public one, for this
    machine only. Raises BadConfig."""
    return os.environ.get("OPS_BIND") or next_to(bind())


def next_to(address: str) -> str:
    port = port_of(address)
    if port is None:
        port = PORT
    if port == _LAST_PORT:
        raise BadConfig(f"OPS_BIND: there is no port after {port}, set one")
    return f"{LOOPBACK}:{port + 1 if port else 0}"


def port_of(address: str) -> int | None:
    """Return the port of an address; None if it has none, as a socket in a folder."""
    first = address.split(",", maxsplit=1)[0].strip()
    found = None if first.startswith(("unix:", "fd://")) else re.search(r"(?:^|:)(\d+)$", first)
    return int(found[1]) if found else None


def free() -> str:
    """Return an address of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return f"{LOOPBACK}:{probe.getsockname()[1]}"


def every(addresses: str) -> list[str]:
    return [address.strip() for address in addresses.split(",") if address.strip()]


def taken(address: str) -> str | None:
    """Return why nobody can listen at an address; nothing if somebody can."""
    host, _, port = address.rpartition(":")
    if port_of(address) is None:
        return None
    family = socket.AF_INET6 if "[" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]") or "", int(port)))
        except OverflowError:
            return f"can't be: a port must be 1 to {_LAST_PORT}"
        except OSError as error:
            return "is taken" if error.errno == errno.EADDRINUSE else f"can't be used: {error.strerror}"
    return None
