"""Is there a service of ours at an address?"""

from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable

FIRST_SECONDS = 3.0  # of patience with one that may not be there at all


def check_service(server: str, patience: float | None = None) -> None:
    """Raise Unreachable unless a service of our kind is there, without waiting for long."""
    try:
        if "rooms" in Client(server, patience=FIRST_SECONDS if patience is None else patience).get("/rules"):
            return
    except Refused as error:
        if error.code:  # it is one, and busy
            return
        raise Unreachable(server, str(error)) from error
    except TypeError:
        pass
    raise Unreachable(server, "?")


def is_service(server: str) -> bool:
    """Return whether a service of our kind answers at once."""
    try:
        check_service(server, 0)
    except Unreachable:
        return False
    return True
