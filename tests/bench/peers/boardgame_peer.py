"""boardgame.io's server, from npm, with everything in its memory: creating, looking, and moves over socket.io."""

import json
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.load import CONNECTIONS, SECONDS, Load, Server, running, wrk
from tests.support.serving import free_port

FOLDER = Path(__file__).with_name("boardgame")
_POST = Path(__file__).parent.with_name("post.lua")
_NEW = '{"numPlayers":4}'


class Missing(Exception):
    """Why it can't be measured."""


@dataclass(frozen=True)
class Peer:
    server: Server

    def create(self) -> Load:
        return wrk(f"{self.server.base}/games/counter/create", script=_POST, arguments=(_NEW,))

    def get(self) -> Load:
        return wrk(f"{self.server.base}/games/counter/{self._new_match()}")

    def _new_match(self) -> str:
        url = f"{self.server.base}/games/counter/create"
        request = urllib.request.Request(url, _NEW.encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as reply:
            return str(json.load(reply)["matchID"])

    def moves(self, listeners: int = 0) -> Load:
        """A player each of as many matches as we have connections."""
        port = self.server.base.rpartition(":")[2]
        output = _node("moves.js", port, str(CONNECTIONS), str(SECONDS), str(listeners))
        done = json.loads(output)
        return Load(done["accepted"], done["accepted"] / done["seconds"], 0.0)


def _node(*arguments: str) -> str:
    return subprocess.run(["node", *arguments], cwd=FOLDER, capture_output=True, text=True, check=True).stdout


@contextmanager
def boardgame(state: Any) -> Iterator[Peer]:
    """Its matches are as large as this state."""
    _install()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(state, file)
        file.flush()
        port = free_port()
        command = ["node", str(FOLDER / "server.js"), str(port), file.name]
        with running(command, f"http://127.0.0.1:{port}", "/games") as server:
            yield Peer(server)


def _install() -> None:
    if not shutil.which("node") or not shutil.which("npm"):
        raise Missing("there is no node; to install it: apt install nodejs npm")
    if (FOLDER / "node_modules").exists():
        return
    command = ["npm", "ci", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
        raise Missing(f"`npm ci` in {FOLDER} failed: {reason}")
