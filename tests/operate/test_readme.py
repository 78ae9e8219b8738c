"""What the README shows is true: its programs run, as a reader would type them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.answers import eventually
from tests.support.node import run
from tests.support.serving import Client, serving, without_service
from tests.support.tools import need

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
OVER_HTTP = "Play over HTTP"
SERVICE = "http://127.0.0.1:8000"
GAMES = 4  # of each match, for which the README has hundreds


def blocks(language: str, over_http: bool) -> list[str]:
    """The programs of a language, of the section on HTTP or of the others."""
    sections = [section for section in README.split("\n## ") if section.startswith(OVER_HTTP) == over_http]
    return [block for section in sections for block in re.findall(rf"^```{language}\n(.*?)^```$", section, re.M | re.S)]


def test_the_readmes_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    told = blocks("python", over_http=False)
    assert len(told) >= 2
    names: dict[str, object] = {}
    for block in told:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "'crew'" in printed
    assert "0.7" in printed


def test_the_quickstart_plays_a_game(api: Client, tmp_path: Path) -> None:
    for tool in ("bash", "curl", "jq"):
        need(tool, "the README's quickstart", f"`apt-get install {tool}`")
    (program,) = blocks("bash", over_http=True)
    assert SERVICE in program
    file = tmp_path / "quickstart"
    file.write_text(program.replace(SERVICE, api.base))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert re.search("(rescued|lost)", run(["bash", "-euo", "pipefail", file], tmp_path, PATH=path))


def save_the_bot(folder: Path) -> None:
    """Save the README's own bot under the name that it says, as the commands that follow it expect."""
    found = re.findall(r"In `(\w+\.py)`:\n\n```python\n(.*?)^```$", README, re.M | re.S)
    ((name, program),) = found
    (folder / name).write_text(program)


def commands() -> list[str]:
    """What the README shows to be typed at a prompt, but for programs."""
    return [line.strip() for line in re.findall(r"^ {4}((?:red-november|curl|make|export) .*)$", README, re.M)]


def test_every_make_that_is_shown_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M))
    shown = {line.split()[1] for line in commands() if line.startswith("make ")}
    assert {"serve", "test"} <= shown <= targets


@pytest.mark.thorough
def test_every_command_that_is_shown_works_as_it_is_printed(tmp_path: Path) -> None:
    """In the order of the README, in one shell, on a service of its own. Only its address and an id are others, and
    matches have fewer games."""
    shown = [line for line in commands() if not line.startswith("make ")]
    assert len(shown) >= 10
    missing = [tool for tool in ("bash", "curl") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"left out: the README's commands, for want of {missing[0]}; `apt-get install {missing[0]}`")
    with serving(tmp_path) as served:
        api = served.api
        game = sailors_game(api)
        (tmp_path / "replay.json").write_text(json.dumps(api.get(f"/v1/games/{game}/replay").body))
        save_the_bot(tmp_path)
        (tmp_path / ".venv").mkdir()
        (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
        script = "\n".join(["set -eux", f"url={SERVICE}/v1", *shown])
        for printed, true in ((SERVICE, api.base), ("watch ID", f"watch {game}")):
            assert printed in script
            script = script.replace(printed, true)
        script, fewer = re.subn(r'(--games |"games": )\d+', rf"\g<1>{GAMES}", script)
        assert fewer >= 4
        script, bots = re.subn(r"^(red-november bot run \S+ --name \S+).*$", r"\1 & bot=$!", script, flags=re.M)
        assert bots == 1
        script += "\nkill $bot\n"  # it has played all the while, as it does until Ctrl-C
        home = without_service() | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
        ran = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=home, capture_output=True, text=True, timeout=600,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]


def sailors_game(api: Client) -> str:
    """The id of a game that bots have played to its end."""
    made = api.post("/v1/games", {"seats": ["sailor"] * 3}).body
    api.be(made["token"]).post(f"/v1/games/{made['game']['id']}/start")
    eventually(lambda: api.get(f"/v1/games/{made['game']['id']}").body["result"], "the bots do not play")
    return str(made["game"]["id"])
