"""The front door: requests that are broken, halved, endless or slow do nothing, and cost only those who send them."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from tests.drills import raw
from tests.drills.hold import Target, holding
from tests.drills.raw import Answer, ask, chunked, head, post
from tests.support.answers import NDJSON, lines, listening, refused, scene
from tests.support.serving import PATIENCE, UNLIMITED, Client, Reply, new_game, running_web
from tests.workers.test_health import samples

SECONDS = 1  # for a head, a body, or what was sent to be read
SLOW = {f"{name}_SECONDS": str(SECONDS) for name in ("HEAD", "BODY", "SEND")}
GAME = b'{"name": "%b"}'
HUGE = 10**11  # bytes
HELD = "red_november_held connections"


@pytest.fixture(scope="module")
def web(redis_url: str) -> Iterator[Client]:
    with running_web(redis_url, workers=1, **(UNLIMITED | SLOW)) as client:
        yield client


def problem(answer: Answer, code: str) -> None:
    """In the shape that all have, and the last that is said on a connection."""
    refused(Reply(answer.status, answer.json, answer.headers), code)
    assert answer.headers["connection"] == "close"


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.1)


def names(web: Client) -> set[str]:
    return {game["name"] for game in web.get("/v1/games?limit=100").body["games"]}


# What is said, and how


def test_requests_in_one_piece_or_many_are_answered_in_order(web: Client) -> None:
    sent = [
        head("GET", "/healthz"),
        post("/v1/games", b"{}"),
        chunked("/v1/games", b'{"na', b'me":"x"}'),
        head("GET", "/no"),
    ]
    sent.append(head("GET", "/v1/rules", Connection="close"))
    for pieces in (sent, [b"".join(sent)], [b"".join(sent)[at : at + 7] for at in range(0, len(b"".join(sent)), 7)]):
        assert [answer.status for answer in ask(web.base, *pieces)] == [200, 201, 201, 404, 200]


def test_chunks_of_a_byte_each_are_a_body(web: Client) -> None:
    body = GAME % b"bytes"
    sent = chunked("/v1/games", *(body[at : at + 1] for at in range(len(body))))
    (made,) = ask(web.base, sent, close=True)
    assert made.json["game"]["name"] == "bytes"


def test_whoever_asks_first_is_told_to_send_his_body(web: Client) -> None:
    body = GAME % b"polite"
    with raw.connection(web.base) as client:
        client.sendall(post("/v1/games", b"", Expect="100-continue").replace(b"Length: 0", b"Length: %d" % len(body)))
        assert raw.answer(client).status == 100
        client.sendall(body)
        assert raw.answer(client).status == 201


def test_whoever_asks_first_need_not_send_what_is_too_long(web: Client) -> None:
    (answer,) = ask(web.base, head("POST", "/v1/games", Content_Length=HUGE, Expect="100-continue"))
    problem(answer, "body_too_large")


# Half of it


@pytest.mark.parametrize("arrived", [0, 16])
@pytest.mark.parametrize("hang_up", ["half", "whole"])
def test_half_a_request_is_not_obeyed(web: Client, arrived: int, hang_up: str) -> None:
    name = f"{hang_up}{arrived}".encode()
    body = (GAME % name)[:arrived] if arrived else b""
    sent = head("POST", "/v1/games", Content_Type="application/json", Content_Length=200) + body
    if hang_up == "half":
        assert ask(web.base, sent, close=True) == []
    else:
        with raw.connection(web.base) as client:
            client.sendall(sent)
    assert web.get("/healthz").status == 200
    assert name.decode() not in names(web)


def test_a_body_that_is_whole_json_but_shorter_than_announced_is_not_obeyed(web: Client) -> None:
    body = GAME % b"shorter"
    assert (
        ask(web.base, head("POST", "/v1/games", Content_Type="application/json", Content_Length=200) + body, close=True)
        == []
    )
    assert "shorter" not in names(web)


def test_chunks_that_break_off_are_not_obeyed(web: Client) -> None:
    assert ask(web.base, chunked("/v1/games", GAME % b"broken off", end=b""), close=True) == []
    assert "broken off" not in names(web)


@pytest.mark.parametrize(
    "end", [b"zz\r\nx\r\n0\r\n\r\n", b"5\r\nhello!\r\n0\r\n\r\n", b"0\r\nContent-Length: 5\r\n\r\n", b"-5\r\n\r\n"]
)
def test_a_broken_chunk_is_a_bad_request(web: Client, end: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    (answer,) = ask(web.base, chunked("/v1/games", GAME % b"chunk", end=end))
    problem(answer, "bad_request")
    assert "chunk" not in names(web)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"nonsense\r\n\r\n", "bad_request"),
        (b"GET / HTTP/3.0\r\n\r\n", "bad_request"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", "uri_too_long"),
        (head("GET", "/", X_Long="x" * 9000), "headers_too_large"),
        (head("GET", "/", **{f"X-{number}": "x" * 4000 for number in range(60)}), "headers_too_large"),
        (head("GET", "/", **{f"X-{number}": "x" for number in range(200)}), "headers_too_large"),
        (head("POST", "/v1/games", Content_Length="-1"), "bad_request"),
        (head("POST", "/v1/games", Content_Length="1", Transfer_Encoding="chunked") + b"0\r\n\r\n", "bad_request"),
        (head("POST", "/v1/games", Content_Length=HUGE) + b"x", "body_too_large"),
        (chunked("/v1/games", b"x" * 70_000), "body_too_large"),
        (chunked("/v1/games", *[b"x"] * 20_000), "body_too_large"),
    ],
)
def test_what_cant_be_read_is_refused_in_the_one_shape(web: Client, sent: bytes, code: str) -> None:
    problem(ask(web.base, sent)[-1], code)


def test_a_refusal_has_no_body_where_nobody_reads_one(web: Client) -> None:
    (answer,) = ask(web.base, head("HEAD", "/v1/games", Content_Length=HUGE))
    assert (answer.status, answer.body) == (413, b"")


# Too much, too slowly


def test_a_body_without_an_end_is_not_read_and_others_do_not_wait_for_it(web: Client) -> None:
    with raw.connection(web.base) as client:
        client.sendall(head("POST", "/v1/games", Content_Length=HUGE))
        problem(raw.answer(client), "body_too_large")
        with suppress(OSError):
            for number in range(1000):
                client.sendall(b"x" * 65536)
                if number % 64 == 0:
                    assert web.get("/healthz").status == 200
            pytest.fail("it is read on and on")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /healthz HTTP/1.1\r\nX-Slow: ",
        head("POST", "/v1/games", Content_Length=100),
        head("POST", "/v1/games", Transfer_Encoding="chunked") + b"64\r\n",
    ],
    ids=["head", "body", "chunks"],
)
def test_a_request_that_drips_in_is_given_up(web: Client, sent: bytes) -> None:
    """However often a byte of it comes."""
    with raw.connection(web.base) as client:
        client.sendall(sent)
        told = threading.Event()

        def drip() -> None:
            while not told.wait(0.1):
                try:
                    client.sendall(b"x")
                except OSError:
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            problem(raw.answer(client), "too_slow")
        finally:
            told.set()
            dripping.join()


def test_whoever_says_nothing_is_let_go_without_a_word(web: Client) -> None:
    assert ask(web.base) == []


def test_what_was_sent_and_is_not_read_is_broken_off(web: Client) -> None:
    """By the kernel; the client hears of it when it says something."""
    with holding(Target(web.base), "unread", 3):
        until(lambda: samples(web)[HELD] == 3)
        until(lambda: samples(web)[HELD] == 0)


def test_many_requests_on_one_connection_let_others_have_their_turn(web: Client) -> None:
    """None of these ever waits for anything."""
    stop = threading.Event()

    def read(client: socket.socket) -> None:
        with suppress(OSError):
            while client.recv(65536):
                pass

    def flood() -> None:
        with raw.connection(web.base) as client, suppress(OSError):
            reader = threading.Thread(target=read, args=(client,))
            reader.start()
            while not stop.is_set():
                client.sendall(head("GET", "/v1/bots") * 50)
            client.shutdown(socket.SHUT_RDWR)
            reader.join()

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        for _ in range(20):
            assert web.get("/healthz").status == 200
    finally:
        stop.set()
        flooding.join()


# Streams and HEAD


def test_the_head_of_a_stream_takes_nobodys_place(redis_url: str) -> None:
    with running_web(redis_url, workers=1, **(UNLIMITED | {"STREAMS_PER_CALLER": "2"})) as web:
        game = new_game(web, position=scene())
        for _ in range(5):
            with raw.connection(web.base) as client:
                client.sendall(head("HEAD", f"{game.path}/events/stream", Accept=NDJSON, Connection="close"))
                (answer,) = raw.answers(client)
                assert (answer.status, answer.headers["content-type"], answer.body) == (200, NDJSON, b"")
        path = f"{game.path}/events/stream"
        with listening(web, path) as first, listening(web, path) as second:
            assert len(lines(first, 1)) == len(lines(second, 1)) == 1


# Errors, and names that no client should see


def test_an_answer_tells_of_twenty_errors_at_the_most(web: Client) -> None:
    reply = web.post("/v1/games", {f"nobody_knows_{number}": 1 for number in range(2500)})
    assert len(refused(reply, "invalid")["errors"]) == 20
    reply = web.get("/v1/games?" + "&".join(f"a{number}=1" for number in range(500)))
    assert len(refused(reply, "invalid")["errors"]) == 20


def test_a_name_of_any_length_is_told_in_short(web: Client) -> None:
    reply = web.post("/v1/games", {"x" * 50_000: 1})
    refused(reply, "invalid")
    assert len(json.dumps(reply.body)) < 2000


def test_a_list_that_is_far_too_long_is_refused_for_its_length(web: Client) -> None:
    errors = refused(web.post("/v1/games", {"seats": [1] * 20_000}), "invalid", "/seats")["errors"]
    assert "Length" in errors[0]["detail"]
