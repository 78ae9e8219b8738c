"""Outside bots that tests begin with."""

import itertools
import secrets
from dataclasses import dataclass
from typing import Any

from tests.support.serving import Client

KEY = "a key that nobody guesses "
_numbers = itertools.count()


def new_name() -> str:
    return f"gnome-{secrets.token_hex(4)}-{next(_numbers)}"


@dataclass
class Owner:
    """A bot's owner, who has its token."""

    client: Client
    name: str

    def __getattr__(self, asked: str) -> Any:
        return getattr(self.client, asked)

    @property
    def path(self) -> str:
        return f"/v1/bots/{self.name}"

    @property
    def seat(self) -> str:
        return f"bot:{self.name}"


def registered(client: Client, **terms: Any) -> Owner:
    name = new_name()
    reply = client.post("/v1/bots", {"name": name, **terms})
    assert reply.status == 201, reply.body
    return Owner(client.be(reply.body["token"]), name)
