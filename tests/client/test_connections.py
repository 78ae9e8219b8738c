"""HTTP/1.1 as servers speak it: connections that are kept, that end meanwhile, proxies, TLS."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from red_november_client import AsyncClient, Unreachable
from red_november_client.connections import Request, _place_of, connections

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id": "x"}'


@asynccontextmanager
async def serving(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]
        await connections().close()
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=5)  # they end as their connections do
        await asyncio.sleep(0)


async def head(reader: asyncio.StreamReader) -> bytes:
    said = await reader.readuntil(b"\r\n\r\n")
    for line in said.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            await reader.readexactly(int(line.partition(b":")[2]))
    return said


def answering(answers: list[bytes], asked: list[tuple[int, bytes]]) -> Serve:
    """Return a server that gives those answers in turn, and hangs up where an answer is empty."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                asked.append((id(writer), await head(reader)))
                answer = answers.pop(0)
                writer.write(answer)
                if not answer:
                    return
        except (asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    return serve


def client(port: int, scheme: str = "http") -> AsyncClient:
    return AsyncClient(f"{scheme}://127.0.0.1:{port}", patience=0)


def test_a_connection_serves_many_requests() -> None:
    async def main() -> None:
        asked: list[tuple[int, bytes]] = []
        chunked = (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6;x=y\r\n" + b'{"id":\r\n5\r\n "x"}\r\n0\r\n\r\n'
        )
        early = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        nothing = b"HTTP/1.1 204 No Content\r\n\r\n"
        async with serving(answering([OK, chunked, early + OK, nothing, OK], asked)) as port:
            told = [await client(port).get("/a") for _ in range(5)]
        assert told == [{"id": "x"}, {"id": "x"}, {"id": "x"}, None, {"id": "x"}]
        assert len({line for line, _ in asked}) == 1

    asyncio.run(main())


def test_one_that_ended_meanwhile_is_replaced_without_a_word() -> None:
    async def main() -> None:
        asked: list[tuple[int, bytes]] = []
        async with serving(answering([OK, b"", OK], asked)) as port:
            for _ in range(2):
                assert await client(port).post("/a") == {"id": "x"}
        keys = [next(line for line in said.split(b"\r\n") if line.startswith(b"Idempotency-Key")) for _, said in asked]
        assert len(asked) == 3
        assert keys[0] != keys[1] == keys[2]

    asyncio.run(main())


@pytest.mark.parametrize(
    "nonsense",
    [
        b"hello\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"x" * 200_000,
    ]
    + [b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", b"SSH-2.0-x 200\r\n\r\n"],
)
def test_what_is_no_http_is_no_service(nonsense: bytes) -> None:
    async def main() -> None:
        async with serving(answering([nonsense, b""], [])) as port:
            with pytest.raises(Unreachable):
                await client(port).get("/a")

    asyncio.run(main())


def test_a_slow_answer_is_not_waited_for_for_ever() -> None:
    async def main() -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        async with serving(serve) as port:
            slow = AsyncClient(f"http://127.0.0.1:{port}", patience=0, answer_seconds=0.05)
            with pytest.raises(Unreachable, match="in time"):
                await slow.get("/a")

    asyncio.run(main())


def test_many_ask_at_once() -> None:
    async def main() -> None:
        asked: list[tuple[int, bytes]] = []
        async with serving(answering([OK] * 40, asked)) as port:
            told = await asyncio.gather(*(client(port).get(f"/{number}") for number in range(40)))
        assert told == [{"id": "x"}] * 40
        assert len({line for line, _ in asked}) == 40

    asyncio.run(main())


def test_secure_connections_are_proven_also_through_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("rn.example", "127.0.0.1").configure_cert(tls)
    tunnelled: list[bytes] = []

    async def main() -> None:
        async with serving(answering([OK] * 3, []), tls) as port:
            with pytest.raises(Unreachable, match="certificate"):
                await client(port, "https").get("/a")
            connections()._tls = None
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
            assert await client(port, "https").get("/a") == {"id": "x"}

            async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                tunnelled.append(await head(reader))
                inner_reader, inner = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                await asyncio.gather(passed_on(reader, inner), passed_on(inner_reader, writer))

            async with serving(proxy) as proxy_port:
                monkeypatch.setenv("https_proxy", f"http://ada:pass%21@127.0.0.1:{proxy_port}")
                monkeypatch.delenv("no_proxy", raising=False)
                monkeypatch.delenv("NO_PROXY", raising=False)
                assert await AsyncClient(f"https://rn.example:{port}", patience=0).get("/a") == {"id": "x"}

    asyncio.run(main())
    assert tunnelled[0].startswith(b"CONNECT rn.example:")
    assert b"Proxy-Authorization: Basic YWRhOnBhc3Mh" in tunnelled[0]


async def passed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(4096):
            writer.write(data)
    except ConnectionError:
        pass
    finally:
        writer.close()


def test_a_proxy_is_asked_for_whole_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        asked: list[tuple[int, bytes]] = []
        async with serving(answering([OK], asked)) as port:
            for name in ("no_proxy", "NO_PROXY"):
                monkeypatch.delenv(name, raising=False)
            monkeypatch.setenv("http_proxy", f"127.0.0.1:{port}")
            assert await AsyncClient("http://rn.example:81", patience=0).get("/a b") == {"id": "x"}
        assert asked[0][1].startswith(b"GET http://rn.example:81/v1/a%20b HTTP/1.1\r\nHost: rn.example:81\r\n")
        monkeypatch.setenv("no_proxy", "rn.example")
        assert _place_of("http://rn.example/").proxy is None

    asyncio.run(main())


def test_nothing_can_be_smuggled_into_a_request() -> None:
    async def main() -> None:
        asked: list[tuple[int, bytes]] = []
        async with serving(answering([OK, OK], asked)) as port:
            assert await client(port).get("/a\r\nX: y", q="1\r\n2") == {"id": "x"}
            with pytest.raises(Unreachable, match="can't be sent"):
                await client(port).with_token("a\r\nX: y").get("/a")
            with pytest.raises(ValueError, match="can't be sent"):
                await connections().ask(Request("GET", f"http://127.0.0.1:{port}/", {"X": "a\nb"}), 1)
        assert len(asked) == 1
        assert b"GET /v1/aX:%20y?q=1%0D%0A2 HTTP/1.1" in asked[0][1] or b"%0D%0A" in asked[0][1]

    asyncio.run(main())


def test_an_address_within_brackets_is_named_as_one() -> None:
    assert _place_of("http://[::1]:9/x")[:3] == ("http", "::1", 9)
    assert json.loads(json.dumps(_place_of("https://rn.example/x")))[:3] == ["https", "rn.example", 443]
