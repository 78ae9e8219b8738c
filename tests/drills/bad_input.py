"""Requests that are wrong in every part, by the ten thousand: each is refused with a code, none breaks anything."""

import json
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import yaml

from tests.drills import raw
from tests.support.serving import PATIENCE, ROOT, UNLIMITED, Client, Wire, new_game, running_redis, running_web

CALLERS = 2
_WORDS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**400, 0.1, 1e308, "", " ", "\0", "\ud800", "x" * 5000,
    "../..", "%00", "sailor", "open", "admiral", [], {}, [[]], [None], {"": ""}, {"type": "no_action"}, {"type": {}},
    ["open"] * 3, ["open"] * 9, {"gnomes": 4}, {"edition": "original"}, "NaN", "\u202e", "rn_made_up", "1e5", "<b>",
)  # fmt: skip
_NAMES = (
    "seats", "name", "rules", "position", "private", "moves", "version", "seat", "type", "kind", "bot", "at", "games",
    "crew", "fill_with", "turn_seconds", "gnomes", "room", "minutes", "item", "with", "to", "seed", "state", "", "\0",
)  # fmt: skip
_PARTS = ("0", "-1", "9" * 20, "a", "%00", "%ff", "..", "%2e%2e", "é")
_QUERIED = ("", "0", "1", "-1", "0.0", "9" * 30, "%00", "%ff", "x", "true", "NaN", "1" * 4000, "%0a", "en")
_BODIES = (b"", b"{", b"[" * 3000, b"\xff\xfe", b'{"a":1,"a":2}', b"nul", b'"' + b"\\u0000" * 100, b"-")
_LENGTHS = (b"-1", b"+5", b"0x5", b"1e3", b"", b"9" * 20, b"5, 5", b" 3 ", b"5\r\nX: y")
_CHUNKS = (b"zz\r\n", b"5\r\nab", b"-1\r\n", b"0\r\nX", b"f" * 40 + b"\r\n", b"1;a=b\r\nx\r\n0\r\n\r\n", b"")
_QUERIES = ("version", "after", "wait", "limit", "lang", "status", "cursor", "seat", "x", "")


def operations() -> list[tuple[str, str]]:
    told = yaml.safe_load((ROOT / "openapi.yaml").read_text())
    methods = ("get", "post", "put", "patch", "delete")
    return [(method.upper(), path) for path, known in told["paths"].items() for method in known if method in methods]


class Maker:
    """Makes bad requests: some with a body that is almost right, some with framing that is wrong."""

    def __init__(self, seed: str, paths: list[str], tokens: list[str]) -> None:
        self.chance, self._paths, self._tokens = random.Random(seed), paths, tokens
        self._operations = operations()
        self._breakers: list[Callable[[bytes], bytes]] = [
            self._flip, self._cut, self._doubled, self._inserted, self._length, self._chunks, self._noise,
        ]  # fmt: skip

    def value(self, depth: int = 0) -> Any:
        kind = self.chance.random()
        if depth > 3 or kind < 0.6:
            return self.chance.choice(_WORDS)
        if kind < 0.8:
            return [self.value(depth + 1) for _ in range(self.chance.randint(0, 4))]
        return self.object(depth + 1)

    def object(self, depth: int = 0) -> Wire:
        return {self.chance.choice(_NAMES): self.value(depth) for _ in range(self.chance.randint(0, 4))}

    def framed(self) -> bytes:
        """HTTP as it should be, with what should not be in it."""
        chance = self.chance
        method, path = chance.choice(self._operations)
        path = path.replace("/v1/games/{game_id}", chance.choice([*self._paths, "/v1/games/none"]))
        while "{" in path:
            start, _, rest = path.partition("{")
            path = start + chance.choice(_PARTS) + rest.partition("}")[2]
        if chance.random() < 0.4:
            pairs = (f"{chance.choice(_QUERIES)}={chance.choice(_QUERIED)}" for _ in range(chance.randint(1, 3)))
            path += "?" + "&".join(pairs)
        headers: Wire = {}
        if chance.random() < 0.7:
            headers["Authorization"] = f"Bearer {chance.choice([*self._tokens, 'rn_no', ''])}"
        if chance.random() < 0.2:
            headers["Idempotency-Key"] = chance.choice(["", "x", "k" * 300, "a long key of the drills", "\x80" * 30])
        if chance.random() < 0.2:
            headers["If-Match"] = chance.choice(['"', "*", '"1"', "W/", '"9999999999-x"'])
        if chance.random() < 0.1:
            headers["Accept"] = chance.choice(["text/csv", "x-ndjson", "image/png", ";", "*/*;q=x"])
        if chance.random() < 0.1:
            headers["Accept-Language"] = chance.choice(["de", "xx", ";;;", "q" * 500])
        if method == "GET":
            return raw.head(method, path.encode().decode("latin-1"), **headers)
        body = self._body()
        kind = chance.choice(["application/json"] * 5 + ["text/plain", "application/json; charset=utf-16", ""])
        sent = raw.head(method, path.encode().decode("latin-1"), Content_Type=kind, Content_Length=len(body), **headers)
        return sent + body

    def _body(self) -> bytes:
        chance = self.chance
        text = json.dumps(self.object() if chance.random() < 0.9 else self.value()).encode()
        if chance.random() < 0.2:
            text = self._flip(text)
        elif chance.random() < 0.05:
            text = chance.choice(_BODIES)
        return text[:60_000]

    def broken(self) -> bytes:
        """HTTP as it should not be."""
        return self.chance.choice(self._breakers)(self.framed())

    def _flip(self, sent: bytes) -> bytes:
        data = bytearray(sent)
        for _ in range(self.chance.randint(1, 4)):
            if data:
                data[self.chance.randrange(len(data))] = self.chance.randrange(256)
        return bytes(data)

    def _cut(self, sent: bytes) -> bytes:
        return sent[: self.chance.randrange(len(sent))]

    def _doubled(self, sent: bytes) -> bytes:
        lines = sent.split(b"\r\n")
        at = self.chance.randrange(len(lines))
        return b"\r\n".join([*lines[:at], lines[at], *lines[at:]])

    def _inserted(self, sent: bytes) -> bytes:
        at = self.chance.randrange(len(sent))
        more = self.chance.choice([b"\0", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b":", b" ", b"\t", b"\xff", b"x" * 9000])
        return sent[:at] + more + sent[at:]

    def _length(self, sent: bytes) -> bytes:
        length = self.chance.choice(_LENGTHS)
        return sent.replace(b"\r\nHost:", b"\r\nContent-Length: " + length + b"\r\nHost:", 1)

    def _chunks(self, sent: bytes) -> bytes:
        head, _, _ = sent.partition(b"\r\n\r\n")
        return head + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + self.chance.choice(_CHUNKS)

    def _noise(self, sent: bytes) -> bytes:
        return self.chance.randbytes(self.chance.randint(1, 300)) + b"\r\n\r\n"


def judged(answer: raw.Answer, what: bytes) -> str | None:
    """The complaint about an answer."""
    with suppress(ValueError, KeyError, TypeError):
        if answer.status < 500 or answer.json["code"] != "internal":
            return None
    return f"{answer.status} {answer.body[:200]!r} to {what[:300]!r}"


def _send(base: str, seed: str, paths: list[str], tokens: list[str], count: int, ends: float, told: Any) -> None:
    maker, statuses, complaints, sent = Maker(seed, paths, tokens), Counter[str](), [], 0
    client = None
    while sent < count and time.time() < ends:
        breaks = maker.chance.random() < 0.3
        request = maker.broken() if breaks else maker.framed()
        sent += 1
        try:
            client = client or raw.connect(base, timeout=30)
            client.sendall(request)
            if breaks:
                client.shutdown(1)
                answers = raw.answers(client)
                client.close()
                client = None
            else:
                answers = [raw.answer(client)]
                if answers[0].headers.get("connection") == "close" or "transfer-encoding" in answers[0].headers:
                    client.close()  # a stream has no end that one could wait for
                    client = None
        except (OSError, ValueError, AssertionError, IndexError) as error:
            statuses[type(error).__name__] += 1
            if isinstance(error, TimeoutError):
                complaints.append(f"no answer to {request[:300]!r}")
            if client is not None:
                client.close()
            client = None
            continue
        statuses.update(str(answer.status) for answer in answers)
        statuses["none"] += not answers
        complaints += [found for answer in answers if (found := judged(answer, request))]
    if client is not None:
        client.close()
    told.put((sent, statuses, complaints[:20]))


def run(seconds: float, count: int, seed: str) -> bool:
    """Returns whether none of them was answered as it should not be; stops at so many, or when the time is up."""
    settings = UNLIMITED | {"MAX_WAIT_SECONDS": "1", "HEAD_SECONDS": "2", "BODY_SECONDS": "2"}
    with running_redis() as url, running_web(url, **settings) as web:
        games = [new_game(web, seats=4) for _ in range(5)] + [new_game(web, start=False)]
        tokens = [str(who.token) for game in games for who in (game.host, *game.players)]
        began = time.time()
        told: multiprocessing.Queue[tuple[int, Counter[str], list[str]]] = multiprocessing.Queue()
        paths = [game.path for game in games]
        rest = (paths, tokens, count // CALLERS, began + max(seconds, 1.0), told)
        callers = [
            multiprocessing.Process(target=_send, args=(web.base, f"{seed}-{number}", *rest), daemon=True)
            for number in range(CALLERS)
        ]
        for each in callers:
            each.start()
        found = [told.get(timeout=seconds + PATIENCE) for _ in callers]
        for each in callers:
            each.join()
        alive = web.get("/healthz").status == 200 and web.operator.get("/readyz").status in (200, 503)
        internal = _internal(web)
    statuses: Counter[str] = sum((each[1] for each in found), Counter())
    sent = sum(each[0] for each in found)
    complaints = [complaint for each in found for complaint in each[2]]
    print(f"\nbad input: {sent} requests in {time.time() - began:.0f} s (seed {seed})")
    print("  answered " + ", ".join(f"{name}: {times}" for name, times in sorted(statuses.items())))
    print(f"  5xx without a code, `internal`, or silence: {len(complaints)}; 500s that the service counted: {internal}")
    for complaint in complaints[:10]:
        print(f"  ! {complaint}")
    return not complaints and alive and not internal


def _internal(web: Client) -> int:
    """Requests that were answered with 500, as the service's own counters say."""
    told = web.operator.get("/metrics").body.decode()
    counted = [line for line in told.splitlines() if line.startswith("red_november_request_seconds_count")]
    return int(sum(float(line.rpartition(" ")[2]) for line in counted if 'status="500"' in line))
