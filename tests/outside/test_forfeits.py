"""Games of matches that an outside bot breaks: they are played once more, and then they are lost."""

import dataclasses

import pytest

from bots.arena.game import play_game
from engine import Rules
from service.matches import outcomes, verdicts
from service.matches.packing import describe, pack, unpack
from service.operate.kept_match import KeptMatch
from service.outside.standing_in import MARGIN_SECONDS
from tests.outside.given import Owner, registered
from tests.outside.matching import SECONDS, answer, begun, decisions_of, look_after, match_desk, tables_of
from tests.support.desk import HeldClock
from tests.support.matching import MatchDesk, id_of
from tests.support.serving import Wire


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> MatchDesk:
    return match_desk(redis_url, monkeypatch)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    return HeldClock(monkeypatch)


def miss(desk: MatchDesk, clock: HeldClock, bot: Owner, path: str, times: int = outcomes.BREAKING_MISSES) -> None:
    """Let a bot's time for its decisions pass, so often."""
    for _ in range(times):
        decisions_of(bot)
        clock.move(SECONDS + 2 * MARGIN_SECONDS)
        look_after(desk, path)


def play_attempt(desk: MatchDesk, path: str, bot: Owner) -> Wire:
    """Answer until the one table of a match is over; return the match."""
    (table,) = tables_of(desk, path)
    for _ in range(2000):
        answer(bot, decisions_of(bot))
        match = look_after(desk, path)
        if tables_of(desk, path) != [table]:
            return match
    raise AssertionError("the game does not end")


def crew_of(match: Wire) -> Wire:
    return dict(match["series"][0]["crew"])


def test_a_game_that_is_broken_is_played_once_more_on_the_same_seed(desk: MatchDesk, clock: HeldClock) -> None:
    bot = registered(desk.api, seconds=SECONDS)
    path, _ = begun(desk.api, bot, games=1, crew=[bot.seat, "sailor", "sailor"])
    look_after(desk, path)
    (broken,) = tables_of(desk, path)
    seed = desk.table(broken).secrets.seed
    miss(desk, clock, bot, path)
    assert play_attempt(desk, path, bot)["played"] == 0
    (again,) = tables_of(desk, path)
    assert desk.table(again).secrets.seed == seed
    assert desk.store.redis.exists(f"game:{id_of(broken)}") == 0
    crew = crew_of(play_attempt(desk, path, bot))
    assert (crew["games"], crew["faults"]["count"]) == (1, 0)
    assert crew["forfeits"] == {"count": 0, "rescue_rate_without": crew["rescue_rate"]}


def test_a_game_that_is_broken_twice_is_lost_however_it_ends(desk: MatchDesk, clock: HeldClock) -> None:
    bot = registered(desk.api, seconds=SECONDS)
    path, _ = begun(desk.api, bot, games=1, crew=[bot.seat, "sailor", "sailor"])
    for _ in range(2):
        look_after(desk, path)
        miss(desk, clock, bot, path)
        match = play_attempt(desk, path, bot)
    crew = crew_of(match)
    assert (match["status"], match["played"]) == ("finished", 1)
    assert (crew["games"], crew["rescues"], crew["rescue_rate"]) == (1, 0, 0)
    assert crew["forfeits"] == {"count": 1, "rescue_rate_without": 0}
    assert crew["causes_of_loss"] == {}, "it has no other"
    assert crew["faults"]["count"] == outcomes.BREAKING_MISSES
    (game,) = desk.api.get(f"{path}/games").body["games"]
    assert (game["rescued"], game["forfeit"]) == (False, True)
    assert desk.api.get(f"{path}/games?result=lost").body["games"] == [game]
    assert desk.api.get(f"{path}/games.csv").body.split()[-1].endswith(b",true")
    kept = KeptMatch.read(desk.store, id_of(path))
    assert kept is not None
    assert kept.check() == "finished"


def test_what_a_bot_misses_now_and_then_breaks_no_game(desk: MatchDesk, clock: HeldClock) -> None:
    bot = registered(desk.api, seconds=SECONDS)
    path, _ = begun(desk.api, bot, games=1, crew=[bot.seat, "sailor", "sailor"])
    look_after(desk, path)
    for _ in range(2):
        miss(desk, clock, bot, path, outcomes.BREAKING_MISSES - 1)
        answer(bot, decisions_of(bot))
        look_after(desk, path)
    crew = crew_of(play_attempt(desk, path, bot))
    assert (crew["games"], crew["forfeits"]["count"]) == (1, 0)
    assert crew["faults"]["count"] == 2 * (outcomes.BREAKING_MISSES - 1)


def test_a_forfeit_is_no_rescue_even_where_the_boat_was_saved() -> None:
    crew = ["sailor"] * 3
    saved = dataclasses.replace(play_game(crew, Rules(gnomes=3), bytes(32)), cause="rescued")
    kept, forfeited = (unpack(pack([saved], crew, is_forfeit=broken), crew, 1) for broken in (False, True))
    told = describe(forfeited[0], crew)
    assert (told["rescued"], told["cause"], told["forfeit"]) == (False, "rescued", True)
    assert verdicts.pairs_of([kept, forfeited], None).only_crew == 1
    assert verdicts.played_in_a_row([kept, forfeited]) == 1
