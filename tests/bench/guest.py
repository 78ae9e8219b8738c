"""An outside bot that always takes the same time, like one far away; what is due together it answers together."""

import http.client
import queue
import random
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import orjson

from tests.support.serving import PATIENCE

MOST_ANSWERS = 64


class Guest:
    """Plays at random wherever it has a seat, from when it is begun until it is ended."""

    def __init__(self, base: str, name: str, token: str, latency: float, form: str) -> None:
        self.name, self.played = name, 0
        self._base, self._latency, self._form = base, latency, form
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._due: queue.SimpleQueue[tuple[float, Any]] = queue.SimpleQueue()
        self._chance = random.Random(1)
        self._ends = False
        self._hearing = self._connect()
        self._hearing.request("GET", f"/v1/bots/{name}/decisions?form={form}", headers=self._headers)
        self._stream = self._hearing.getresponse()
        if self._stream.status != 200:
            raise RuntimeError(self._stream.read().decode())
        self._threads = [threading.Thread(target=self._hear), threading.Thread(target=self._answer)]
        for thread in self._threads:
            thread.start()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(urlsplit(self._base).netloc, timeout=PATIENCE)

    def end(self) -> None:
        self._ends = True
        with suppress(OSError):
            self._hearing.sock.shutdown(2)
        self._due.put((0, None))
        for thread in self._threads:
            thread.join()
        self._hearing.close()

    def _hear(self) -> None:
        with suppress(OSError, http.client.HTTPException, ValueError):
            while row := self._stream.readline():
                told = orjson.loads(row)
                if told["type"] == "decision":
                    self._due.put((time.monotonic() + self._latency, self._chosen(told)))

    def _chosen(self, decision: Any) -> Any:
        if self._form == "vector":
            return {"id": decision["id"], "action": self._chance.choice(decision["actions"])}
        return {"id": decision["id"], "moves": [self._chance.choice(decision["state"]["legal_moves"])]}

    def _answer(self) -> None:
        line, waiting = self._connect(), deque([self._due.get()])
        while not self._ends:
            time.sleep(max(0.0, waiting[0][0] - time.monotonic()))
            with suppress(queue.Empty):
                while True:
                    waiting.append(self._due.get_nowait())
            now = time.monotonic()
            answers: list[Any] = []
            while waiting and waiting[0][0] <= now and len(answers) < MOST_ANSWERS:
                answers.append(waiting.popleft()[1])
            if not self._ends:
                self._send(line, answers)
            if not waiting:
                waiting.append(self._due.get())
        line.close()

    def _send(self, line: http.client.HTTPConnection, answers: list[Any]) -> None:
        line.request("POST", f"/v1/bots/{self.name}/answers", orjson.dumps({"answers": answers}), self._headers)
        reply = line.getresponse()
        text = reply.read()
        if reply.status != 200:
            raise RuntimeError(text.decode())
        verdicts = [verdict["outcome"] for verdict in orjson.loads(text)["answers"]]
        if unplayed := [outcome for outcome in verdicts if outcome != "played"]:
            raise RuntimeError(f"{len(unplayed)} of {len(verdicts)} answers were not played: {unplayed[0]}")
        self.played += len(verdicts)
