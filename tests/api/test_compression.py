"""Texts are compressed for whoever can unpack them; secrets and streams never are."""

import gzip
import json

import pytest

from service.api.compression import SMALLEST
from tests.support.answers import NDJSON, SSE, lines, listening, messages, scene
from tests.support.contract import document
from tests.support.serving import Client, Seated, Wire, new_game

GZIP = "br;q=1.0, gzip;q=0.8"


@pytest.fixture(scope="module")
def game(api: Client) -> Seated:
    return new_game(api, position=scene())


def test_a_state_is_compressed_for_whoever_asks_and_is_the_same_state(game: Seated) -> None:
    plain, packed = game.host.get(game.path), game.host.get(game.path, Accept_Encoding=GZIP)
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    assert json.loads(gzip.decompress(packed.body)) == plain.body
    assert 2 * len(packed.body) < len(gzip.decompress(packed.body))
    assert packed.headers["content-length"] == str(len(packed.body))
    assert packed.headers["etag"] == plain.headers["etag"]
    for reply in (plain, packed):
        assert "Accept-Encoding" in reply.headers["vary"]
    known = game.host.get(game.path, Accept_Encoding=GZIP, If_None_Match=packed.headers["etag"])
    assert (known.status, known.headers["vary"]) == (304, packed.headers["vary"])


def test_pages_and_what_operators_read_are_compressed_too(api: Client) -> None:
    for client, path in ((api, "/"), (api.operator, "/metrics")):
        reply = client.get(path, Accept_Encoding=GZIP)
        assert reply.headers["content-encoding"] == "gzip", path
        assert len(gzip.decompress(reply.body)) >= SMALLEST


def test_what_is_short_or_not_wanted_packed_goes_as_it_is(game: Seated) -> None:
    short = game.host.get(f"{game.path}/legal-moves", Accept_Encoding=GZIP)
    assert int(short.headers["content-length"]) < SMALLEST
    for reply in (short, *(game.host.get(game.path, Accept_Encoding=wish) for wish in ("identity", "br", "gzip;q=0"))):
        assert "content-encoding" not in reply.headers


def test_what_tells_a_token_is_never_compressed(api: Client) -> None:
    made = api.post("/v1/games", {"seats": ["open"] * 8}, Accept_Encoding=GZIP)
    assert int(made.headers["content-length"]) >= SMALLEST
    assert made.body["token"]
    assert "content-encoding" not in made.headers


def test_no_answer_to_reading_has_a_token_in_it() -> None:
    """The rule that answers to changes stay as they are covers all tokens only as long as this holds."""
    told = {(method, path): tells_token(operation) for path, operations in document()["paths"].items()
            for method, operation in operations.items() if method in ("get", "post")}  # fmt: skip
    assert told["post", "/v1/games"], "a token is known when it is seen"
    assert len(told) > 20
    assert [path for (method, path), tells in told.items() if method == "get" and tells] == []


def tells_token(operation: Wire) -> bool:
    """Tell whether an example of an answer that is no refusal has a token in it; every answer has examples."""
    answers = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    return '"rn_' in json.dumps(answers)


@pytest.mark.parametrize(("accept", "read"), [(NDJSON, lines), (SSE, messages)])
def test_a_stream_is_never_compressed(api: Client, game: Seated, accept: str, read: object) -> None:
    assert callable(read)
    with listening(api, f"{game.path}/events/stream", accept, accept_encoding=GZIP) as stream:
        assert stream.getheader("Content-Encoding") is None
        assert len(read(stream, 1)) == 1
