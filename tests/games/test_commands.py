"""What one may do at a table, and what comes of it: given a table, when a command, then its progress or a refusal."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import IllegalMove
from service.games.commands.clock import remind, stand_in, think
from service.games.commands.control import hand_over
from service.games.commands.lobby import join, leave, open_table, start
from service.games.commands.play import foresee, play
from service.games.model import BOT, FINISHED, OPEN, PLAYER, PLAYING, WAITING, Player, Progress, Seat, Table, Viewer
from service.games.timing import BotTurn, bot_turn
from service.refusals import Problem
from tests.support.answers import LAST_MOVE, NO_ACTION
from tests.support.given import (
    HOST,
    NOBODY,
    at,
    away,
    decider,
    finished,
    hatch,
    other,
    player,
    playing,
    types,
    waiting,
)

Given = Callable[[], Table]
When = Callable[[Table], object]


def kinds(table: Table) -> list[str]:
    return [seat.kind for seat in table.lobby.seats]


def legal(table: Table, number: int = 0) -> list[tuple[Any, str]]:
    return [(table.game.legal_moves()[number], "")]


# The lobby


def test_a_table_opens_with_its_seats() -> None:
    table = waiting(["open", "sailor", "open"])
    assert kinds(table) == [OPEN, BOT, OPEN]
    assert (table.version, table.seq, table.status, table.lobby.players) == (1, 1, WAITING, ())


def test_a_player_takes_the_first_open_seat() -> None:
    table = waiting(["sailor", "open", "open"])
    progress = join(table, "Ada", None, "digest", at(5))
    assert progress.after.lobby.seats[1] == Seat(1, PLAYER, None, "p1", False)
    assert progress.after.lobby.players == (Player("p1", "Ada", (1,)),)
    assert progress.events[0] == {
        "seq": 2, "version": 2, "at": at(5).text, "type": "player_joined", "player": "p1", "name": "Ada", "seats": (1,),
    }  # fmt: skip


def test_a_player_takes_the_seat_they_want() -> None:
    table = waiting()
    progress = join(table, "Ada", 2, "digest", at())
    assert kinds(progress.after) == [OPEN, OPEN, PLAYER]


def test_a_player_takes_all_seats_that_the_rules_give_them() -> None:
    table = waiting(4, players=2)
    progress = join(table, "Ada", None, "digest", at())
    assert progress.after.lobby.players[0].seats == tuple(table.charter.rules.seats_of_player_at(0))


def test_the_token_of_a_player_is_theirs_and_no_event_knows_it() -> None:
    table = waiting()
    progress = join(table, "Ada", None, "digest", at())
    assert progress.after.secrets.tokens == {**table.secrets.tokens, "digest": "p1"}
    assert "digest" not in str(progress.events)


def test_the_seats_of_whoever_leaves_before_the_start_are_open_again() -> None:
    table = waiting(joined=2)
    progress = leave(table, player(table, 0), "p1", at())
    assert kinds(progress.after) == [OPEN, PLAYER, OPEN]
    assert "of p1" not in progress.after.secrets.tokens


def test_a_bot_plays_on_for_whoever_leaves_after_the_start() -> None:
    table = playing()
    progress = leave(table, player(table, 1), "p2", at())
    assert progress.after.lobby.seats[1] == Seat(1, BOT, "captain", None, False)
    assert [each.id for each in progress.after.lobby.players] == ["p1", "p3"]


def test_nobody_is_given_the_name_of_somebody_who_left() -> None:
    table = waiting(joined=1)
    table = leave(table, HOST, "p1", at()).after
    assert join(table, "Bert", None, "digest", at()).after.lobby.players[0].id == "p2"


def test_the_start_tells_who_sits_where_and_what_happened_before_the_first_decision() -> None:
    table = waiting(joined=3)
    progress = start(table, HOST, None, at())
    assert types(progress) == ["game_started", "turn_began"]
    assert (progress.after.status, progress.after.secrets.opening) == (PLAYING, None)


def test_bots_fill_the_seats_that_are_open_at_the_start() -> None:
    table = waiting(joined=1)
    progress = start(table, HOST, "sailor", at())
    assert kinds(progress.after) == [PLAYER, BOT, BOT]
    assert [seat["kind"] for seat in progress.events[0]["seats"]] == [PLAYER, BOT, BOT]


# Control


def test_a_player_hands_their_seat_to_a_bot_and_keeps_it() -> None:
    table = playing()
    progress = hand_over(table, player(table, 1), 1, BOT, "bosun", at())
    assert progress.after.lobby.seats[1] == Seat(1, BOT, "bosun", "p2", False)


def test_a_player_takes_their_seat_back() -> None:
    table = playing()
    table = hand_over(table, HOST, 1, BOT, "bosun", at()).after
    assert hand_over(table, player(table, 1), 1, PLAYER, None, at()).after.lobby.seats[1].kind == PLAYER


def test_a_seat_that_somebody_has_already_is_no_progress() -> None:
    table = playing()
    progress = hand_over(table, HOST, 1, PLAYER, None, at())
    assert progress == Progress.none(table)


def test_whoever_takes_their_seat_back_is_not_away_any_more() -> None:
    table = away()
    table = hand_over(table, HOST, 0, BOT, "bosun", at()).after
    assert not table.lobby.seats[0].away


# Moves


def test_a_move_is_played_and_its_table_is_another_one() -> None:
    table = playing()
    progress = play(table, decider(table), legal(table), at(7))
    assert (progress.before.game.version, progress.after.game.version) == (0, 1)
    assert (progress.after.version, progress.after.changed_at) == (table.version + 1, at(7).text)


def test_each_move_of_a_turn_has_a_version_of_its_own() -> None:
    table = playing(sandbox=True)
    turn = [({"type": "open_hatch", "to": hatch(table)}, "/moves/0"), ({"type": "enter"}, "/moves/1")]
    progress = play(table, decider(table), turn, at())
    assert sorted({event["version"] for event in progress.events}) == [table.version + 1, table.version + 2]


def test_the_last_move_finishes_the_game() -> None:
    table = playing(position=LAST_MOVE)
    progress = play(table, decider(table), [(NO_ACTION, "")], at())
    assert (progress.after.status, types(progress)[-1], progress.is_new_status) == (FINISHED, "game_over", True)


def test_whoever_moves_again_is_back() -> None:
    table = away()
    progress = play(table, decider(table), legal(table), at(62))
    assert types(progress)[0] == "player_back"
    assert not progress.after.lobby.seats[0].away


def test_what_is_foreseen_is_not_played() -> None:
    table = playing()
    (preview,) = foresee(table, decider(table), legal(table)).previews
    assert preview["move"] == table.game.legal_moves()[0]
    assert table.game.version == 0


# The clock


def test_a_decision_has_so_much_time() -> None:
    table = playing(turn_seconds=60)
    assert table.lobby.clock.deadline == at(60).seconds
    assert table.lobby.clock.remind == at(45).seconds


def test_a_player_is_reminded_once() -> None:
    table = playing(turn_seconds=60)
    progress = remind(table, at(46))
    assert progress.events[0]["seconds"] == 14
    assert remind(progress.after, at(47)) == Progress.none(progress.after)


def test_nobody_is_reminded_too_soon() -> None:
    table = playing(turn_seconds=60)
    assert remind(table, at(44)) == Progress.none(table)


def test_a_bot_stands_in_for_whoever_lets_their_time_run_out() -> None:
    table = playing(turn_seconds=60)
    turn = bot_turn(table.lobby, table.game, at(60).seconds)
    assert turn == BotTurn(0, "captain", away=True)
    assert types(stand_in(table, turn, legal(table)[0][0], at(60)))[:2] == ["player_away", "choice"]


def test_an_absent_player_is_waited_for_a_moment() -> None:
    table = away()
    assert table.lobby.clock.deadline == at(64).seconds
    assert table.lobby.clock.remind is None


def test_a_bot_that_thinks_changes_nothing() -> None:
    table = playing(["admiral"] * 3)
    progress = think(table, BotTurn(0, "admiral"), at())
    assert types(progress) == ["bot_thinks"]
    assert progress.after.lobby == table.lobby


# Refusals

ENTER = {"type": "enter"}
REFUSALS: list[tuple[str, Given, When, str]] = [
    ("join after the start", playing, lambda t: join(t, "Ada", None, "d", at()), "already_started"),
    ("join a seat that is not there", waiting, lambda t: join(t, "Ada", 3, "d", at()), "invalid"),
    ("join a taken seat", lambda: waiting(joined=1), lambda t: join(t, "Ada", 0, "d", at()), "seat_taken"),
    ("join a bot's seat", lambda: waiting(["open", "sailor", "open"]),
     lambda t: join(t, "Ada", 1, "d", at()), "seat_taken"),
    ("join a full table", lambda: waiting(joined=3), lambda t: join(t, "Ada", None, "d", at()), "seat_taken"),
    ("leave without a token", lambda: waiting(joined=1), lambda t: leave(t, NOBODY, "p1", at()), "no_token"),
    ("throw another player out", playing, lambda t: leave(t, player(t, 1), "p1", at()), "forbidden"),
    ("throw nobody out", playing, lambda t: leave(t, HOST, "p9", at()), "not_found"),
    ("leave after the end", finished, lambda t: leave(t, HOST, "p1", at()), "game_over"),
    ("start without a token", lambda: waiting(joined=3), lambda t: start(t, NOBODY, None, at()), "no_token"),
    ("start as a player", lambda: waiting(joined=3), lambda t: start(t, player(t, 0), None, at()), "forbidden"),
    ("start twice", playing, lambda t: start(t, HOST, None, at()), "already_started"),
    ("start with open seats", lambda: waiting(joined=2), lambda t: start(t, HOST, None, at()), "seats_open"),
    ("hand over without a token", playing, lambda t: hand_over(t, NOBODY, 0, BOT, "sailor", at()), "no_token"),
    ("hand over another's seat", playing, lambda t: hand_over(t, player(t, 1), 0, BOT, "sailor", at()), "forbidden"),
    ("hand over no seat", playing, lambda t: hand_over(t, HOST, 3, BOT, "sailor", at()), "not_found"),
    ("hand over after the end", finished, lambda t: hand_over(t, HOST, 0, BOT, "sailor", at()), "game_over"),
    ("take a seat that nobody has", waiting, lambda t: hand_over(t, HOST, 0, PLAYER, None, at()), "no_player"),
    ("play without a token", playing, lambda t: play(t, NOBODY, legal(t), at()), "no_token"),
    ("play as a host without a seat", playing, lambda t: play(t, HOST, legal(t), at()), "forbidden"),
    ("play before the start", lambda: waiting(joined=3),
     lambda t: play(t, player(t, 0), legal(t), at()), "not_started"),
    ("play after the end", finished, lambda t: play(t, player(t, 0), [(NO_ACTION, "")], at()), "game_over"),
    ("play for another", playing, lambda t: play(t, other(t), legal(t), at()), "not_your_turn"),
    ("play what is illegal", playing, lambda t: play(t, decider(t), [(ENTER, "")], at()), "illegal_move"),
    ("play on after the end", lambda: playing(position=LAST_MOVE, sandbox=True),
     lambda t: play(t, decider(t), [(NO_ACTION, "/moves/0")] * 2, at()), "game_over"),
    ("foresee for another", playing, lambda t: foresee(t, other(t), legal(t)), "not_your_turn"),
    ("foresee what is illegal", playing, lambda t: foresee(t, decider(t), [(ENTER, "")]), "illegal_move"),
    ("stand in for whoever need not decide", lambda: playing(["sailor"] * 3),
     lambda t: stand_in(t, BotTurn(2, "sailor"), NO_ACTION, at()), "not_your_turn"),
    ("open a table of a game that is over", finished,
     lambda t: open_table(t.id, t.charter, t.game, t.secrets, [OPEN] * 3, at()), "invalid"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "when", "then"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_one_cannot(given: Given, when: When, then: str) -> None:
    table = given()
    with pytest.raises(Problem) as refusal:
        when(table)
    assert refusal.value.code == then


def test_a_bot_plays_until_its_seat_is_taken_back() -> None:
    table = playing()
    table = hand_over(table, HOST, 0, BOT, "sailor", at()).after
    with pytest.raises(Problem, match="take it back first"):
        play(table, player(table, 0), legal(table), at())


def test_a_bot_does_not_play_what_is_illegal() -> None:
    table = playing(["sailor"] * 3)
    with pytest.raises(IllegalMove):
        stand_in(table, BotTurn(0, "sailor"), ENTER, at())


def test_nothing_follows_a_die_in_one_turn() -> None:
    table = playing()
    risky = next(move for move in table.game.legal_moves() if move.get("chance"))
    with pytest.raises(Problem, match="chance decides"):
        play(table, decider(table), [(risky, "/moves/0"), (NO_ACTION, "/moves/1")], at())


def test_a_refusal_changes_nothing() -> None:
    table = playing(sandbox=True)
    before = (table.lobby, table.secrets, table.version, table.game.to_bytes())
    with pytest.raises(Problem):
        play(table, decider(table), [*legal(table), *legal(table)], at())
    assert (table.lobby, table.secrets, table.version, table.game.to_bytes()) == before


def test_secrets_are_not_printed() -> None:
    table = playing()
    assert table.secrets.seed not in repr(table)
    assert Viewer().label == "all"
