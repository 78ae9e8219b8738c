"""What callers send into logs: it stays on its line, and commands no terminal."""

import json
import logging
import sys

import pytest

from service import logs
from tests.drills.raw import ask, head
from tests.support.serving import UNLIMITED, Client, running_web

FORGED = "2026-01-01 00:00:00,000 INFO service.api.traffic: GET / 200"
NASTY = {
    "a new line": "\n",
    "a carriage return": "\r",
    "an escape": "\x1b[2J",
    "a null": "\0",
    "delete": "\x7f",
    "a control of eight bits": "\x9b2J",
    "a line separator": "\u2028",
    "the other direction": "\u202e",
    "half a character": "\ud800",
}


def written(form: str, message: str, *arguments: object, exception: Exception | None = None) -> str:
    formatter = logs.settings(form)["formatters"]["line"]["()"]()
    info = None
    if exception:
        try:
            raise exception
        except Exception:  # noqa: BLE001 - whatever it is
            info = sys.exc_info()
    return str(formatter.format(logging.LogRecord("service", logging.INFO, "", 0, message, arguments, info)))


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_a_message_is_one_line_without_commands(form: str, nasty: str) -> None:
    line = written(form, "GET %s 404", f"/a{nasty}{FORGED}")
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    if form == "json":
        assert json.loads(line)["message"] == f"GET /a{nasty}{FORGED} 404"


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_no_line_of_a_traceback_looks_like_a_message(nasty: str) -> None:
    first, *others = written("text", "failed", exception=ValueError(f"bad{nasty}{FORGED}")).split("\n")
    assert first.endswith("failed")
    assert others
    assert all(line.startswith("    ") and line.isprintable() for line in others)


def test_what_is_readable_stays_as_it_is() -> None:
    assert written("text", "%s", "Gnôme № 7 – 深い").endswith("Gnôme № 7 – 深い")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_path_forges_no_line(redis_url: str, capfd: pytest.CaptureFixture[str], form: str) -> None:
    with running_web(redis_url, workers=1, LOG_REQUESTS="all", LOG_FORMAT=form, **UNLIMITED) as web:
        capfd.readouterr()
        path = f"/nowhere%0a{FORGED.replace(' ', '%20')}%1b%5b2J%c2%9b"
        assert ask(web.base, head("GET", path, Connection="close"))[0].status == 404
        assert Client(web.base).get("/v1/rules").status == 200
    about, _ = [line for line in capfd.readouterr().err.split("\n") if "nowhere" in line or "/v1/rules" in line]
    assert about.isprintable()
    assert about.count("404") >= 1
