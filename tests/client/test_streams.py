"""Streams without a gap, whatever becomes of their connections."""

import json
import threading
from typing import Any

import pytest

from red_november_client import retries
from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from red_november_client.matches import Gone, MatchService
from red_november_client.retries import Retries
from red_november_client.streams import FOUND, LOST, all_lines
from service.terminal.following import REFUSED, follow
from tests.client.conftest import server
from tests.support.scripted_server import Answer, cuts, hangs_up, says, scripted, streams
from tests.support.serving import Wire


def lines(*told: Wire) -> Answer:
    return says(
        200, b"\n\n".join(json.dumps(each).encode() for each in told) + b"\n", Content_Type="application/x-ndjson"
    )


def state(epoch: str, seq: int) -> Wire:
    return {"type": "state", "seq": seq, "state": {"epoch": epoch}}


def event(seq: int, kind: str = "gnome_moved") -> Wire:
    return {"type": kind, "seq": seq}


def followed(client: Client, after: int) -> list[Any]:
    return [line.get("seq", line["type"]) for line in follow(client, "x", after, threading.Event())]


def test_a_stream_goes_on_where_it_broke() -> None:
    script = (
        lines(state("a", 9), event(4), event(5)),
        lines(state("a", 9), event(6), {"type": "reconnect", "after": 6}),
        lines(state("a", 9), event(7), event(8, "game_over")),
    )
    with server(*script) as (client, asked):
        told = [line for line in followed(client, 3) if line != 9]
    assert told == [4, 5, 6, 7, 8]
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=3", "after=5", "after=6"]


def test_a_long_outage_is_told_and_a_short_one_is_not() -> None:
    away = says(503, {"code": "unavailable"})
    with server(lines(state("a", 3)), away, away, lines(state("a", 4), event(4, "game_over"))) as (client, _):
        assert followed(client, 3) == [3, LOST, FOUND, 4, 4]
    with server(lines(state("a", 3)), hangs_up, lines(state("a", 4), event(4, "game_over"))) as (client, _):
        assert LOST in followed(client, 3)


def test_another_epoch_counts_anew() -> None:
    script = (
        lines(state("a", 9), event(10)),
        lines(state("b", 7), event(8)),
        lines(state("b", 8), event(9, "game_over")),
    )
    with server(*script) as (client, asked):
        followed(client, 9)
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=9", "after=10", "after=8"]


def test_a_game_that_is_gone_ends_it() -> None:
    with server(says(404, {"code": "no_such_game", "detail": "It was deleted."})) as (client, _):
        (line,) = follow(client, "x", 0, threading.Event())
    assert line == {"type": REFUSED, "detail": "It was deleted.", "code": "no_such_game"}


@pytest.mark.parametrize("ends", [True, False])
def test_a_stream_that_breaks_between_two_lines_goes_on(ends: bool) -> None:
    script = (
        streams(state("a", 9), event(4), ends=ends),
        streams(state("a", 9), event(5, "game_over"), ends=ends),
    )
    with server(*script) as (client, asked):
        assert [seq for seq in followed(client, 3) if seq != 9] == [4, 5]
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=3", "after=4"]


def test_half_a_line_is_no_line() -> None:
    half = says(200, json.dumps(state("a", 9)).encode() + b'\n{"type": "gnome_mo')
    with server(half, lines(state("a", 9), event(4, "game_over"))) as (client, _):
        assert followed(client, 3) == [9, 9, 4]


def test_the_lines_of_a_list_come_once_each_though_it_breaks() -> None:
    games = [{"number": number} for number in range(6)]
    whole = b"".join(json.dumps(game).encode() + b"\n" for game in games)
    script = (
        streams(*games[:4], ends=False),
        streams(*games[:2], ends=False),
        hangs_up,
        cuts(whole, 70),
        streams(*games),
    )
    with server(*script) as (client, asked):
        assert list(all_lines(client, "/matches/x/games", 5)) == games
    assert len(asked) == 5


def test_a_list_that_never_gets_further_is_given_up() -> None:
    with server(*[streams({"number": 0}, ends=False)] * 60) as (client, _), pytest.raises(Unreachable):
        list(all_lines(client, "/matches/x/games", 0.2))


def match_line(version: int, ended: str | None = None) -> Wire:
    return {"type": "match", "version": version, "match": {"version": version, "ended_at": ended}}


def versions(address: str) -> list[int]:
    return [match["version"] for match in MatchService(address, None).states("x")]


def test_a_match_is_followed_over_breaks_restarts_and_errors() -> None:
    script = (
        streams(match_line(1), match_line(4), {"type": "reconnect", "after": 4}),
        says(500, {"detail": "A fault."}),
        streams(match_line(7), ends=False),
        says(503, {"code": "unavailable"}, Retry_After="0"),
        streams(match_line(9, "2026-11-19T00:00:00.000Z")),
    )
    with scripted(*script) as (address, asked):
        assert versions(address) == [1, 4, 7, 9]
    assert [path.partition("?")[2] for _, path, _ in asked] == ["after=0", "after=4", "after=4", "after=7", "after=7"]


def test_a_match_that_is_gone_is_no_longer_followed() -> None:
    with scripted(streams(match_line(1), {"type": "match_deleted"})) as (address, _), pytest.raises(Gone):
        versions(address)
    with scripted(says(404, {"detail": "It was deleted."})) as (address, _), pytest.raises(Refused, match="deleted"):
        versions(address)


def test_a_key_is_for_the_service_only() -> None:
    with scripted() as (elsewhere, asked), scripted(says(307, Location=elsewhere)) as (here, _):
        with pytest.raises(Refused, match="HTTP 307"):
            MatchService(here, "key").create({"games": 1})
        assert asked == []


def test_what_creates_no_match_is_no_service() -> None:
    with scripted(says(200, {"hello": 1})) as (here, _), pytest.raises(Unreachable, match="no service of ours"):
        MatchService(here, None).create({"games": 1})


def test_whoever_waits_for_ever_counts_for_ever() -> None:
    tries = Retries(float("inf"))
    for _ in range(3000):
        tries.fail(Unreachable("x", "away"))
    assert tries.pause == retries.LONGEST_PAUSE
    tries.fail(Refused(503, None, retry_after=1e9))
    assert tries.pause == retries.LONGEST_ASKED
