"""A bot of somebody else's with all of its decisions open: the API is started again, or the bot does not read on."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPException
from urllib.parse import urlsplit

import pytest

from tests.outside.given import Owner, registered
from tests.outside.playing import MADE, Player, at_play, begun, insist, is_over, wrong_in
from tests.support.answers import eventually, lines, listening
from tests.support.serving import Client, Wire
from tests.system.test_survival import Site, harm, ready, running_site, until

pytestmark = pytest.mark.thorough

OPEN = 16
UNREAD = 60  # decisions, which are more than what the kernels keep of a connection
LITTLE = 4096  # bytes


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def site(running: Site) -> Site:
    until(lambda: ready(running), "the site does not recover")
    return running


def games_of(site: Site, bot: Owner, count: int) -> list[str]:
    return [begun(site.client, [bot.seat] * 3, f"{bot.name} begins game {number}") for number in range(count)]


def open_decisions(bot: Owner, count: int) -> list[Wire]:
    """What a new connection brings first; the service may have to come up for it."""
    found: list[Wire] = []

    def has_begun() -> bool:
        with suppress(OSError, HTTPException, ValueError), listening(bot.client, f"{bot.path}/decisions") as stream:
            if stream.status == 200:
                while len(found) < count:
                    found.extend(line for line in lines(stream, 1) if line["type"] == "decision")
        return bool(found)

    eventually(has_begun)
    return found


def test_a_restart_of_the_api_with_sixteen_decisions_open_loses_and_doubles_none(site: Site) -> None:
    bot = registered(site.client, open=OPEN, seconds=600)
    paths = games_of(site, bot, OPEN + 4)
    before = open_decisions(bot, OPEN)
    harm(site, "web")
    after = open_decisions(bot, OPEN)
    assert [each["id"] for each in after] == [each["id"] for each in before], "they are the same, and no more"
    assert all(now["milliseconds"] <= then["milliseconds"] for now, then in zip(after, before)), "their time runs on"

    player = Player(bot)
    answers = [player.chosen(each) for each in after]
    posting = threading.Thread(target=partial(without_an_answer, bot, answers))
    posting.start()
    harm(site, "web")  # while they arrive, or just before, or just after
    posting.join()
    verdicts = insist(bot.client, "POST", f"{bot.path}/answers", {"answers": answers}).body["answers"]
    player.told |= {verdict["id"]: verdict["outcome"] for verdict in verdicts}
    assert set(player.told.values()) <= set(MADE)
    with at_play(player):
        for path in paths:
            eventually(partial(is_over, site.client, path), f"{path} is stuck")
    assert [complaint for path in paths for complaint in wrong_in(site.client, path, {bot.seat: player})] == []


def without_an_answer(bot: Owner, answers: list[Wire]) -> None:
    with suppress(OSError, HTTPException, ValueError):
        bot.post(f"{bot.path}/answers", {"answers": answers})


def test_a_bot_that_does_not_come_back_after_a_restart_of_the_api_is_stood_in_for(site: Site) -> None:
    bot = registered(site.client, open=OPEN, seconds=1)
    paths = games_of(site, bot, OPEN)
    open_decisions(bot, 1)
    harm(site, "web")
    until(lambda: ready(site), "the site does not recover")
    for path in paths:
        eventually(partial(is_over, site.client, path), f"{path} is stuck")


@contextmanager
def deaf(bot: Owner) -> Iterator[None]:
    """Ask for decisions, and never read them."""
    address = urlsplit(bot.client.base)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
        line.connect((address.hostname, address.port))
        head = (f"GET {bot.path}/decisions HTTP/1.1", "Host: x", f"Authorization: Bearer {bot.client.token}", "", "")
        line.sendall("\r\n".join(head).encode())
        yield


def has_gone_on(client: Client, path: str) -> bool:
    return bool(insist(client, "GET", path).body["moves_played"])


def test_a_bot_that_does_not_read_what_it_is_told_holds_nobody_up(site: Site) -> None:
    slow, quick = registered(site.client, open=UNREAD, seconds=2), registered(site.client, seconds=60)
    player = Player(quick)
    with deaf(slow), at_play(player):
        unread = games_of(site, slow, UNREAD)
        together = begun(site.client, [slow.seat, quick.seat, slow.seat], f"{slow.name} and {quick.name}")
        apart = begun(site.client, [quick.seat] * 3, f"{quick.name} by itself")
        for path in (apart, together):
            eventually(partial(is_over, site.client, path), f"{path} is stuck")
        for path in unread:
            eventually(partial(has_gone_on, site.client, path), f"{path} is stuck")
    assert set(player.told.values()) <= set(MADE), "the other bot was held up"
    assert not player.strange
    assert [*wrong_in(site.client, apart, {quick.seat: player})] == []
    record = insist(slow.client, "GET", slow.path).body["record"]
    assert record["decisions"] == 0
