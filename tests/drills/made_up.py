"""Tokens and games that are made up, and games without end: what they cost whoever sends them."""

from collections import Counter

from tests.support.serving import Client


def polls_with_made_up_tokens(client: Client, path: str, times: int) -> Counter[int]:
    """How many were answered with which status."""
    return Counter(client.be(f"rn_made_up_{number}").get(path).status for number in range(times))


def polls_of_made_up_games(client: Client, times: int) -> Counter[int]:
    names = (f"{number:016}".translate(str.maketrans("01", "ab")) for number in range(times))
    return Counter(client.be(f"rn_made_up_{name}").get(f"/v1/games/{name}").status for name in names)


def games_until_refused(client: Client, most: int) -> tuple[list[str], str]:
    """The paths of the games that one caller could make, one after another, and the code that ended it."""
    made: list[str] = []
    while len(made) <= most:
        reply = client.post("/v1/games", {"seats": ["open"] * 3})
        if reply.status != 201:
            return made, str(reply.body["code"])
        made.append(f"/v1/games/{reply.body['game']['id']}")
    return made, ""
