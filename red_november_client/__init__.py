"""The client of a Red November service: asks it, and follows its streams.

`Client` waits for its answers, `AsyncClient` is for programs on asyncio; both are one and the same within. `shapes.py`
has the contract's types. It needs Python's standard library and nothing else.
"""

from red_november_client.blocking import Client
from red_november_client.core import AsyncClient
from red_november_client.errors import Refused, Unreachable

__all__ = ["AsyncClient", "Client", "Refused", "Unreachable"]
