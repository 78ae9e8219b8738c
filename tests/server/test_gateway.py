"""What the server makes of a request is what gunicorn makes of it, at less cost."""

from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import message, wsgi
from gunicorn.http.errors import ParseException
from gunicorn.http.unreader import IterUnreader

from service.server.gateway import Gateway
from service.server.heads import Request, Settings

PEER, PLACE = ("192.0.2.1", 4321), ("127.0.0.1", 8000)
PLAIN = b"GET /v1/games/a%20b?wait=1 HTTP/1.1\r\nHost: red.test:8000\r\nX-API-Key:  k \r\nAccept:\r\n"
ALIKE = [
    PLAIN,
    PLAIN + b"Accept: text/html\r\nX-Odd: \xe9\t.\r\n",
    b"POST / HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 0\r\n",
    b"GET / HTTP/1.1\r\n",
    PLAIN + b"X_Forwarded_For: 192.0.2.9\r\nExpect: 100-Continue\r\n",
]
REFUSED = [
    b"Host: a\r\nHost: b\r\n",
    b"Content-Type: a\r\ncontent-type: b\r\n",
    b"Content-Length: 1\r\nContent-Length: 1\r\n",
    b"No colon\r\n",
    b": empty\r\n",
    b"Space : before\r\n",
    b"Folded: a\r\n b\r\n",
    b"Nul: a\0b\r\n",
    b"Lone: a\rb\r\n",
    b"Bare: a\nOther: b\r\n",
    b"Expect: miracles\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
    b"Long: " + b"x" * 9000 + b"\r\n",
    b"Many: x\r\n" * 101,
]


def read(kind: Any, head: bytes, settings: Any) -> Any:
    return kind(settings, IterUnreader([head + b"\r\n"]), PEER)


@pytest.mark.parametrize("name", [PLACE, "/run/web.sock"], ids=["address", "path"])
@pytest.mark.parametrize("head", ALIKE, ids=["plain", "repeated", "old", "least", "odd"])
def test_the_environment_is_the_same(head: bytes, name: Any) -> None:
    settings = Settings(Config())
    ours = Gateway(settings, None, PEER, name).environ(read(Request, head, settings))
    request = read(message.Request, head, Config())
    request._expected_100_continue = False  # ours is answered before its body is read
    _, theirs = wsgi.create(request, None, PEER, name, Config())
    apart = {"wsgi.input", "wsgi.errors", "wsgi.multithread", "wsgi.early_hints", "gunicorn.socket"}
    assert {key: ours[key] for key in ours.keys() - apart} == {key: theirs[key] for key in theirs.keys() - apart}


@pytest.mark.parametrize("field", REFUSED)
def test_what_gunicorn_refuses_is_refused_alike(field: bytes) -> None:
    head = b"GET / HTTP/1.1\r\n" + field
    with pytest.raises(ParseException) as theirs:
        read(message.Request, head, Config())
    with pytest.raises(type(theirs.value)) as ours:
        read(Request, head, Settings(Config()))
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b", "a\nb", "\0"])
def test_no_header_of_an_answer_brings_another(value: str) -> None:
    settings = Settings(Config())
    answer = Gateway(settings, None, PEER, PLACE).answer(read(Request, PLAIN, settings))
    with pytest.raises(ParseException):
        answer.start_response("200 OK", [("ETag", value)])
