"""Hidden hands, which crazed gnomes have, too: from other players, the host and spectators, wherever they look."""

import json
import random
import re
import threading
from typing import Any

import pytest

from tests.support.answers import SSE, lines, listening, messages, refused, scene
from tests.support.helpers import Wire, scripted
from tests.support.playing import pick
from tests.support.serving import PATIENCE, Client, Seated, new_game

CRAZED = {"crazed_gnomes": True}
SECRETIVE = [CRAZED, {"hidden_hands": True}, CRAZED | {"edition": "original"}]
HANDS = [{"coffee": 1, "crowbar": 1}, {"harpoon": 2}, {"aqualung": 1, "grog": 1}]
STORES = 8
DRAW = {"type": "draw_items", "cards": 2}
SECRET_DRAWS = ["toolbox", "reactor_manual"]


def crazed(api: Client, rules: Wire = CRAZED, **more: Any) -> Seated:
    """Everybody's hand is known to us; seat 0 is about to draw two cards, known as well."""
    crew: list[Wire] = [{"items": hand} for hand in HANDS]
    crew[0] |= {"room": STORES}
    crew[1] |= {"room": STORES}
    return new_game(api, position=scene(*crew, rules=rules, script=scripted(items=SECRET_DRAWS), **more))


def hands(state: Wire) -> list[Any]:
    return [gnome["items"] for gnome in state["gnomes"]]


def watchers(api: Client, game: Seated) -> dict[int | None, list[Client]]:
    """Clients by the seat that they see with."""
    return {None: [api, game.host], **{seat: [player] for seat, player in enumerate(game.players)}}


@pytest.mark.parametrize("rules", SECRETIVE)
def test_in_the_state_everybody_sees_his_own_hand_and_no_other(api: Client, rules: Wire) -> None:
    game = crazed(api, rules)
    assert game.state["rules"]["hidden_hands"] is True
    for seat, clients in watchers(api, game).items():
        for client in clients:
            state = client.get(game.path).body
            assert hands(state) == [hand if other == seat else None for other, hand in enumerate(HANDS)]
            assert [gnome["hand"] for gnome in state["gnomes"]] == [sum(hand.values()) for hand in HANDS]
            assert state["item_deck"] is None
            assert state["items_left"] > 0
            assert {"seed", "rolls", "script"} & state.keys() == set()
            assert "script" not in json.dumps(state)


def test_what_somebody_draws_is_told_to_him_alone(api: Client) -> None:
    game = crazed(api)
    seq = game.state["seq"]
    heard: dict[tuple[int | None, int], list[list[Wire]]] = {}
    ready = threading.Semaphore(0)

    def listen(ear: tuple[int | None, int], client: Client) -> None:
        path = f"{game.path}/events/stream?after={seq}"
        with listening(client, path) as rows, listening(client, path, SSE) as told:
            ready.release()
            heard[ear] = [lines(rows, 5)[1:], [data for _, data in messages(told, 5)][1:]]

    everybody = {(seat, at): client for seat, them in watchers(api, game).items() for at, client in enumerate(them)}
    ears = [threading.Thread(target=listen, args=one) for one in everybody.items()]
    for ear in ears:
        ear.start()
    for _ in ears:
        ready.acquire()
    played = game.players[0].play(game.path, DRAW).body["events"]
    for ear in ears:
        ear.join(PATIENCE)
    for (seat, at), client in everybody.items():
        page = client.get(f"{game.path}/events?after={seq}").body["events"]
        drawn = [event for event in page if event["type"] == "item_drawn"]
        assert [event.get("item") for event in drawn] == (SECRET_DRAWS if seat == 0 else [None, None])
        assert "private" not in str(page)
        assert heard[seat, at] == [page[:4], page[:4]]
    assert [event["item"] for event in played if event["type"] == "item_drawn"] == SECRET_DRAWS


@pytest.mark.parametrize("rules", SECRETIVE)
def test_a_gift_is_a_secret_of_the_two_who_trade(api: Client, rules: Wire) -> None:
    game = crazed(api, rules)
    for move in ({"type": "trade_items", "with": 1}, {"type": "give_item", "item": "coffee"}):
        assert game.players[0].play(game.path, move).status == 200
    for seat, clients in watchers(api, game).items():
        for client in clients:
            told = client.get(f"{game.path}/events").body["events"]
            choice = next(event for event in reversed(told) if event["type"] == "choice")
            gift = next(event for event in told if event["type"] == "item_given")
            assert ("move" in choice) == ("item" in gift) == (seat in (0, 1))
            assert ("coffee" in str(told)) == (seat in (0, 1))


def test_whose_hand_is_secret_can_not_be_found_out_by_refused_turns(api: Client) -> None:
    """An attack is answered by dice or by the defender's crowbar: which, would tell."""
    game = crazed(api)
    swing = [{"type": "use_item", "item": "crowbar"}, {"type": "attack_gnome", "seat": 1}]
    assert game.players[0].preview(game.path, *swing).body["complete"] is True
    told = str(game.players[0].preview(game.path, *swing).body)
    assert "harpoon" not in told
    assert "attack_answered" not in told


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_fork_of_a_running_game_deals_hidden_hands_anew(api: Client, seat: int | None) -> None:
    game = crazed(api)
    client = api if seat is None else game.players[seat]
    dealt = []
    for at in range(1, game.state["version"] + 1):
        forked = client.post(f"{game.path}/forks", {"version": at, "seats": ["open"] * 3})
        assert forked.status == 201, forked.body
        copy = forked.body["game"]["id"]
        token = forked.body["token"]
        seated = [api.be(token).post(f"/v1/games/{copy}/players", {"name": "G"}).body["token"] for _ in range(3)]
        assert api.be(token).post(f"/v1/games/{copy}/start").status == 200
        dealt.append([hands(api.be(each).get(f"/v1/games/{copy}").body)[seat_] for seat_, each in enumerate(seated)])
    for known in dealt:
        assert [sum(hand.values()) for hand in known] == [2, 2, 2]
        assert known != HANDS
        if seat is not None:
            assert known[seat] == HANDS[seat]


def test_the_same_dice_of_a_running_game_are_not_to_be_had(api: Client) -> None:
    game = crazed(api)
    for client in (api, game.host, game.players[0]):
        refused(client.post(f"{game.path}/forks", {"dice": "same"}), "not_over", "/dice")


@pytest.mark.parametrize("rules", SECRETIVE[:2])
def test_through_a_whole_game_nobody_ever_hears_more_than_his_seat_may_know(
    api: Client, rules: dict[str, bool]
) -> None:
    """Every hand of another, and every card drawn or given in secret, stays hidden in all answers."""
    game = new_game(api, seats=4, rules=rules, players=2, seed="ab" * 32)
    chance = random.Random(1)
    while (state := game.state)["status"] == "playing":
        mover = game.decider()
        mine = mover.get(game.path).body
        own = set(mine["you"]["seats"])
        assert [(hand is None) for hand in hands(mine)] == [seat not in own for seat in range(4)]
        assert all(hand is None for hand in hands(state))
        mover.play(game.path, pick(mine["legal_moves"], chance))
    for client, own in ((api, set()), (game.players[0], {0, 1}), (game.players[2], {2, 3})):
        for event in client.get(f"{game.path}/events?limit=1000").body["events"]:
            if event["type"] == "item_drawn" and event["source"] != "captains_cabin":
                assert ("item" in event) == (event["seat"] in own)
            if event["type"] == "item_given":
                assert ("item" in event) == bool({event["from"], event["to"]} & own)


@pytest.mark.parametrize("rules", SECRETIVE)
def test_games_that_differ_in_a_hidden_hand_alone_look_the_same_byte_for_byte(api: Client, rules: Wire) -> None:
    """States, pictures, events, dry runs and legal moves, for spectators and the others at the table."""
    seen = []
    for hand in ({"harpoon": 2}, {"lucky_charm": 1, "crowbar": 1}):
        crew: list[Wire] = [
            {"room": STORES, "items": HANDS[0]},
            {"room": STORES, "items": hand},
            {"items": HANDS[2]},
        ]
        game = new_game(api, position=scene(*crew, rules=rules), name="Twins")
        tried = {"type": "trade_items", "with": 1}
        watching = (api, game.host, game.players[0], game.players[2])
        answers = [
            each.get(f"{game.path}{path}").body for each in watching for path in ("", "/legal-moves", "/board.svg")
        ]
        seen.append(told_alike([*answers, game.players[0].preview(game.path, tried).body], game))
    assert seen[0] == seen[1]


def told_alike(answers: list[Any], game: Seated) -> str:
    """Without what tells any two games apart."""
    text = str(answers).replace(game.path.rpartition("/")[2], "ID")
    for client in (game.host, *game.players):
        own = str(client.get(game.path).body["you"]["player_id"])
        text = text.replace(own, "PLAYER")
    facts = r"'(created_at|changed_at|last_seen_at|salt|hash|epoch)': ('[^']*'|None)"
    return re.sub(facts, "", text)
