"""What the README shows is true: its programs run, as a reader would type them."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.node import need_node, run
from tests.serving import Client

README = (Path(__file__).parent.parent / "README.md").read_text()
OVER_HTTP = "Play over HTTP"
SERVICE = "http://127.0.0.1:8000"


def blocks(language: str, over_http: bool) -> list[str]:
    """The programs of a language, of the section on HTTP or of the others."""
    sections = [section for section in README.split("\n## ") if section.startswith(OVER_HTTP) == over_http]
    return [block for section in sections for block in re.findall(rf"^```{language}\n(.*?)^```$", section, re.M | re.S)]


def test_the_readmes_python_runs(capsys):
    told = blocks("python", over_http=False)
    assert len(told) >= 2
    names: dict[str, object] = {}
    for block in told:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "'crew'" in printed
    assert "0.7" in printed


QUICKSTARTS = {"bash": ["bash", "-euo", "pipefail"], "python": [sys.executable], "javascript": ["node"]}


@pytest.mark.parametrize("language", QUICKSTARTS)
def test_a_quickstart_plays_a_game(api: Client, tmp_path, language):
    if language == "javascript":
        need_node("the JavaScript quickstart")
    for tool in ("curl", "jq") if language == "bash" else ():
        if shutil.which(tool) is None:
            pytest.skip(f"left out: the curl quickstart, for want of {tool}; `apt-get install {tool}`")
    (program,) = blocks(language, over_http=True)
    assert SERVICE in program
    file = tmp_path / ("quickstart.mjs" if language == "javascript" else "quickstart")
    file.write_text(program.replace(SERVICE, api.base))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert re.search("(rescued|lost)", run([*QUICKSTARTS[language], file], tmp_path, PATH=path))
