"""Requests that are refused: many of them, and such as take long to refuse."""

import threading
from collections.abc import Callable
from contextlib import suppress

from tests.drills.raw import LOCAL, answer, connection, head, post

_MEMBERS = 5000


def _tokens(game: str, number: int) -> bytes:
    return head("GET", game, Authorization=f"Bearer rn_made_up_{number}")


def _games(game: str, number: int) -> bytes:
    return head("GET", f"/v1/games/{number:016x}")


def _invalid(game: str, number: int) -> bytes:
    return post("/v1/games", b'{"seats": %d}' % number)


def _members(game: str, number: int) -> bytes:
    """59 kB of members that nobody knows."""
    return post("/v1/games", b"{" + b",".join(b'"a%06d":1' % each for each in range(_MEMBERS)) + b"}")


def _items(game: str, number: int) -> bytes:
    return post("/v1/games", b'{"seats":[' + b"1," * 30_000 + b"1]}")


def _chunks(game: str, number: int) -> bytes:
    """A byte each."""
    start = head("POST", "/v1/games", Content_Type="application/json", Transfer_Encoding="chunked")
    return start + b"1\r\n \r\n" * 10_000 + b"0\r\n\r\n"


def _nonsense(game: str, number: int) -> bytes:
    return b"nonsense\r\n\r\n"


KINDS: dict[str, Callable[[str, int], bytes]] = {
    "made-up tokens": _tokens,
    "made-up games": _games,
    "invalid": _invalid,
    "unknown members": _members,
    "endless lists": _items,
    "small chunks": _chunks,
    "nonsense": _nonsense,
}


def send(base: str, game: str, kind: str, source: str = LOCAL, threads: int = 1, count: int = 10**9) -> list[int]:
    """What each of so many requests was answered with, as fast as they are; 0 stands for no answer."""
    told: list[int] = []

    def one() -> None:
        while len(told) < count:
            told.append(0)
            with suppress(OSError, ValueError), connection(base, source, timeout=30) as client:
                told.pop()
                while len(told) < count:
                    client.sendall(KINDS[kind](game, len(told)))
                    found = answer(client)
                    told.append(found.status)
                    if found.headers.get("connection") == "close":
                        break

    crowd = [threading.Thread(target=one, daemon=True) for _ in range(threads)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    return told
