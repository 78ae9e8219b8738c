"""Moves over HTTP: one, a whole turn, a question; and every way to be refused."""

from typing import Any

import pytest

from tests.support.answers import LAST_MOVE, NO_ACTION, finished, refused, scene, settled
from tests.support.helpers import Wire, scripted, walk
from tests.support.playing import bare
from tests.support.serving import Client, Reply, Seated, new_game

HATCH = {"type": "open_hatch", "to": 7}
ENTER = {"type": "enter"}
DRAW = {"type": "draw_items", "cards": 2}
IN_THE_ENGINE_ROOM = {"room": 1, "items": {"engine_manual": 1}}
FIX = {"type": "fix_engine", "minutes": 3}
QUIET = scene({}, {"minutes": 39}, {"minutes": 39}, script=scripted())


@pytest.fixture
def game(api: Client) -> Seated:
    return new_game(api, position=QUIET)


def post(game: Seated, *moves: Any, seat: int = 0, headers: dict[str, str] | None = None, **more: Any) -> Reply:
    return game.players[seat].post(f"{game.path}/moves", {"moves": list(moves), **more}, **(headers or {}))


def preview(game: Seated, *moves: Any, seat: int = 0, **more: Any) -> Reply:
    return game.players[seat].post(f"{game.path}/previews", {"moves": list(moves), **more})


def test_a_move_is_answered_with_what_happened_and_the_state_after_it(game: Seated) -> None:
    before = game.state
    played = post(game, HATCH)
    assert played.status == 200
    assert (played.body["version"], played.body["game"]["version"]) == (before["version"] + 1,) * 2
    events = played.body["events"]
    assert [event["seq"] for event in events] == [*range(before["seq"] + 1, played.body["seq"] + 1)]
    assert [event["type"] for event in events][:2] == ["choice", "hatch_opened"]
    assert game.host.get(f"{game.path}/events?after={before['seq']}").body["events"] == events
    assert played.body["game"]["changed_at"] == events[-1]["at"]


def test_every_legal_move_can_be_sent_back_as_it_is_and_asked_about(api: Client) -> None:
    """With its cost and chance in it, over one request for each."""
    game = new_game(api, position=scene(IN_THE_ENGINE_ROOM | {"minutes": 50}))
    told = game.players[0].get(f"{game.path}/legal-moves").body
    assert told["legal_moves"] == game.players[0].get(game.path).body["legal_moves"]
    assert (told["decision"]["seat"], told["decision"]["kind"]) == (0, "movement")
    assert len(told["legal_moves"]) > 10
    for move in told["legal_moves"]:
        asked = preview(game, move)
        assert asked.status == 200, (move, asked.body)
        assert asked.body["previews"][0]["move"] == move
    for viewer in (api, game.host, game.players[1]):
        assert viewer.get(f"{game.path}/legal-moves").body["legal_moves"] == []


def test_a_move_may_leave_out_cost_and_chance(game: Seated) -> None:
    move = game.players[0].get(f"{game.path}/legal-moves").body["legal_moves"][0]
    assert post(game, bare(move)).status == 200


def test_a_whole_turn_is_played_in_one_request(game: Seated) -> None:
    before = game.state
    played = post(game, *walk(7), NO_ACTION)
    assert played.status == 200, played.body
    state = played.body["game"]
    assert state["version"] == before["version"] + 3
    assert state["gnomes"][0]["room"] == 7
    assert state["active"] != 0
    choices = [event for event in played.body["events"] if event["type"] == "choice"]
    assert [event["version"] for event in choices] == [*range(before["version"] + 1, before["version"] + 4)]


@pytest.mark.parametrize(
    ("moves", "code", "pointer"),
    [
        ([*walk(7), {"type": "open_hatch", "to": 2}], "illegal_move", "/moves/2/to"),
        ([HATCH, HATCH], "illegal_move", "/moves/1/type"),
        ([HATCH, {"type": "fly"}], "invalid", "/moves/1/type"),
        ([HATCH, "enter"], "invalid", "/moves/1"),
        ([HATCH, ENTER | {"speed": 3}], "invalid", "/moves/1/speed"),
        ([*walk(7), NO_ACTION, NO_ACTION], "not_your_turn", "/moves/3"),
    ],
)
def test_a_turn_is_played_to_its_last_move_or_not_at_all(
    game: Seated, moves: list[Wire], code: str, pointer: str
) -> None:
    before = game.host.get(game.path)
    body = refused(post(game, *moves), code, pointer)
    assert body["version"] == before.body["version"]
    after = game.host.get(game.path)
    assert (settled(after.body), after.headers["etag"]) == (settled(before.body), before.headers["etag"])
    assert game.host.get(f"{game.path}/events").body["next"] == before.body["seq"]


def test_moves_after_the_last_move_of_a_game_come_too_late(api: Client) -> None:
    game = new_game(api, position=LAST_MOVE)
    refused(post(game, NO_ACTION, NO_ACTION), "game_over", "/moves/1")
    assert game.state["status"] == "playing"


def test_an_illegal_move_is_refused_with_the_legal_ones(game: Seated) -> None:
    before = game.state
    body = refused(post(game, {"type": "open_hatch", "to": 1}), "illegal_move", "/moves/0/to")
    assert body["version"] == before["version"]
    assert body["legal_moves"] == game.players[0].get(game.path).body["legal_moves"]
    assert settled(game.state) == settled(before)


def test_within_a_turn_the_legal_moves_are_those_of_that_point(game: Seated) -> None:
    body = refused(post(game, HATCH, HATCH), "illegal_move")
    assert ENTER in [bare(move) for move in body["legal_moves"]]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/moves"),
        ({"moves": [{}]}, "/moves/0/type"),
        ({"moves": [{"type": 5}]}, "/moves/0/type"),
        ({"moves": [{"type": "open_hatch"}]}, "/moves/0/to"),
        ({"moves": [{"type": "open_hatch", "to": "7"}]}, "/moves/0/to"),
        ({"moves": []}, "/moves"),
        ({"moves": HATCH}, "/moves"),
        ({"moves": [HATCH] * 65}, "/moves"),
        ({"moves": [HATCH], "type": "enter"}, "/type"),
        ({"moves": [None]}, "/moves/0"),
        ({"moves": [HATCH], "version": "5"}, "/version"),
        ({"moves": [HATCH], "version": True}, "/version"),
    ],
)
def test_what_is_no_turn_is_refused_with_a_pointer(game: Seated, body: Wire, pointer: str) -> None:
    for path in ("moves", "previews"):
        reply = game.players[0].post(f"{game.path}/{path}", body)
        assert reply.status == 422
        assert [error["pointer"] for error in reply.body["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("body", "instead"),
    [
        (HATCH, '{"moves": ['),
        (HATCH | {"dry_run": True}, "POST …/previews"),
        ({"moves": [HATCH], "dry_run": True}, "POST …/previews"),
    ],
)
def test_whoever_sends_a_turn_in_its_former_shape_is_told_the_present_one(
    game: Seated, body: Wire, instead: str
) -> None:
    before = game.host.get(game.path)
    assert instead in refused(game.players[0].post(f"{game.path}/moves", body), "invalid")["detail"]
    assert game.host.get(game.path).headers["etag"] == before.headers["etag"]


def test_whoever_looks_for_the_legal_moves_at_their_former_address_is_told_the_present_one(game: Seated) -> None:
    told = refused(game.players[0].get(f"{game.path}/moves"), "method_not_allowed")
    assert "GET …/legal-moves" in told["detail"]


def test_a_move_for_another_version_is_refused_with_the_one_there_is(game: Seated) -> None:
    version = game.state["version"]
    for stale in (version - 1, version + 1, -5):
        assert refused(post(game, HATCH, version=stale), "version_conflict", "/version")["version"] == version
        assert refused(post(game, HATCH, ENTER, version=stale), "version_conflict")["version"] == version
    assert post(game, HATCH, version=version).status == 200


def test_if_match_lets_a_move_through_that_was_made_on_the_latest_state(game: Seated) -> None:
    etag = game.players[0].get(game.path).headers["etag"]
    for stale in ('"1-p1"', game.host.get(game.path).headers["etag"]):
        reply = post(game, HATCH, headers={"If_Match": stale})
        assert refused(reply, "precondition_failed")["version"] == game.state["version"]
        assert reply.headers["etag"] == etag
    assert post(game, HATCH, headers={"If_Match": f'"1-p1", {etag}'}).status == 200
    assert post(game, ENTER, headers={"If_Match": "*"}).status == 200


def test_only_the_seat_that_must_decide_moves(game: Seated) -> None:
    body = refused(post(game, HATCH, seat=1), "not_your_turn")
    assert (body["decision"]["seat"], body["version"]) == (0, game.state["version"])


def test_nobody_moves_before_the_start_or_after_the_end(api: Client) -> None:
    waiting = new_game(api, position=scene(), start=False)
    refused(post(waiting, HATCH), "not_started")
    over = finished(api)
    for moves in ([NO_ACTION], [NO_ACTION, NO_ACTION]):
        refused(post(over, *moves), "game_over")
    refused(over.host.put(f"{over.path}/seats/0/controller", {"kind": "bot", "bot": "sailor"}), "game_over")
    refused(over.host.delete(f"{over.path}/players/p1"), "game_over")


def test_who_prefers_it_is_answered_without_the_state(game: Seated) -> None:
    reply = post(game, HATCH, headers={"Prefer": "return=minimal"})
    assert reply.body.keys() == {"version", "seq", "events"}
    assert reply.headers["preference-applied"] == "return=minimal"
    assert "preference-applied" not in post(game, ENTER).headers


@pytest.mark.parametrize(
    ("moves", "told", "complete"),
    [
        ([HATCH], 1, True),
        ([HATCH, ENTER, NO_ACTION], 3, True),
        ([*walk(7, 8), DRAW], 5, True),
        ([*walk(7, 8), DRAW, {"type": "done"}], 5, False),  # which items will the gnome hold?
        ([NO_ACTION, NO_ACTION], 1, False),  # somebody else must decide
    ],
)
def test_a_preview_tells_of_moves_up_to_where_chance_begins(
    game: Seated, moves: list[Wire], told: int, complete: bool
) -> None:
    before = game.host.get(game.path).body
    asked = preview(game, *moves)
    assert asked.status == 200, asked.body
    assert (len(asked.body["previews"]), asked.body["complete"]) == (told, complete)
    assert asked.body["version"] == before["version"]
    assert settled(game.host.get(game.path).body) == settled(before)
    assert game.host.get(f"{game.path}/events").body["next"] == before["seq"]


@pytest.mark.parametrize("die", [1, 10])
def test_a_preview_betrays_no_die_and_no_card(api: Client, die: int) -> None:
    """Whatever is scripted to come, it answers the same."""
    position = scene(IN_THE_ENGINE_ROOM, tracks={"pressure": 5}, script=scripted(["leak"], [die], ["coffee"]))
    game = new_game(api, position=position)
    asked = preview(game, {"type": "use_item", "item": "engine_manual"}, FIX, {"type": "done"}).body
    fix = asked["previews"][1]
    assert (fix["chance"], fix["cost"], asked["complete"]) == (0.7, 3, False)
    assert "track_reset" in [event["type"] for event in fix["if_success"]]
    assert "value" not in str(fix["certain"])
    other = new_game(api, position=position | {"script": scripted(["fire"], [11 - die], ["grog"])})
    assert preview(other, {"type": "use_item", "item": "engine_manual"}, FIX).body["previews"][1] == fix


def test_a_preview_is_refused_as_the_move_would_be(game: Seated) -> None:
    body = refused(preview(game, HATCH, HATCH), "illegal_move", "/moves/1/type")
    assert ENTER in [bare(move) for move in body["legal_moves"]]
    refused(preview(game, HATCH, seat=1), "not_your_turn")
    refused(preview(game, HATCH, version=1), "version_conflict")
