"""Hidden hands, which crazed gnomes have, too: views, observations and stories (§9)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine import Game, Rules, observe, redact
from tests.support.cards import SHUFFLED_ITEMS
from tests.support.helpers import Wire, offered, play, position, scripted, told

CRAZED = {"crazed_gnomes": True}
HIDDEN = [
    CRAZED,
    {"hidden_hands": True},
    CRAZED | {"edition": "original"},
    {"hidden_hands": True, "edition": "original"},
]
CREW = [
    {"room": 7, "minutes": 40, "stack": 0, "items": {"crowbar": 1, "coffee": 1}},
    {"room": 7, "stack": 1, "items": {"toolbox": 2, "crowbar": 1}},
    {"room": 8, "stack": 0, "items": {"harpoon": 1}},
]
HANDS = [gnome["items"] for gnome in CREW]
SWING = {"type": "use_item", "item": "crowbar"}
EXTINGUISH = {"type": "extinguish_fire", "minutes": 1}
FIRE = {"fire": True}
# Grog and extinguisher are his only ways out of room 6.
CORNERED = [{"room": 6, "minutes": 40, "items": {"grog": 1, "fire_extinguisher": 1}}, *CREW[1:]]


def hands(view: Mapping[str, Any]) -> list[Any]:
    return [gnome["items"] for gnome in view["gnomes"]]


def story(game: Game, seats: list[int], *moves: Wire | str) -> list[Wire]:
    """What happens, as a player of these seats may know it."""
    return [redact(event, seats) for event in play(game, *moves)]


@pytest.mark.parametrize("rules", HIDDEN)
@pytest.mark.parametrize(
    ("seat", "seen"),
    [
        (0, [HANDS[0], None, None]),
        (1, [None, HANDS[1], None]),
        (2, [None, None, HANDS[2]]),
        (None, [None, None, None]),
    ],
)
def test_with_hidden_hands_a_gnome_sees_their_own_and_the_size_of_others(
    rules: Wire, seat: int | None, seen: list[dict[str, int] | None]
) -> None:
    view = position(CREW, rules).view(seat)
    assert hands(view) == seen
    assert [gnome["hand"] for gnome in view["gnomes"]] == [2, 3, 1]
    assert (view["items_left"], view["item_deck"]) == (sum(SHUFFLED_ITEMS.values()) - 6, None)


@pytest.mark.parametrize("rules", [{}, {"edition": "original"}, {"hidden_hands": False}])
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_without_secrets_all_hands_lie_open(rules: Wire, seat: int | None) -> None:
    view = position(CREW, rules).view(seat)
    assert hands(view) == HANDS
    assert [gnome["hand"] for gnome in view["gnomes"]] == [2, 3, 1]
    deck = view["item_deck"] or {}
    assert (deck["toolbox"], sum(deck.values())) == (1, view["items_left"])


@pytest.mark.parametrize(
    ("players", "seat", "seen"),
    [(2, 0, {0, 1}), (2, 1, {0, 1}), (2, 3, {2, 3}), (1, 2, {0, 1, 2, 3}), (1, None, set()), (4, 2, {2})],
)
def test_a_player_sees_the_hands_of_all_his_gnomes(players: int, seat: int | None, seen: set[int]) -> None:
    game = position([*CREW, {"items": {"grog": 1}}], CRAZED | {"players": players})
    view = game.view(seat)
    assert {other for other, hand in enumerate(hands(view)) if hand is not None} == seen
    assert (view["item_deck"] is None) == (len(seen) < 4)


@pytest.mark.parametrize("rules", [Rules(gnomes=5, crazed_gnomes=True), Rules(gnomes=5)])
def test_a_view_has_legal_moves_for_the_seat_that_must_decide_and_no_other(rules: Rules) -> None:
    game = Game.new(rules, seed=bytes(32))
    for seat in range(5):
        assert game.view(seat)["legal_moves"] == (game.legal_moves() if seat == game.decider else [])
    assert game.view()["legal_moves"] == []


@pytest.mark.parametrize("seat", [0, None])
def test_a_view_tells_no_seed_roll_or_script(seat: int | None) -> None:
    game = position(CREW, script={"dice": [3], "events": ["leak"], "items": ["coffee"]})
    assert not {"seed", "rolls", "script"} & set(game.view(seat))
    assert {"seed", "script"} <= set(game.position())
    json.dumps(game.view(seat))


DECISIONS: dict[str, tuple[Wire, list[Wire | str]]] = {
    "movement": ({}, []),
    "trade_give": ({}, [{"type": "trade_items", "with": 1}]),
    "trade_return": ({}, [{"type": "trade_items", "with": 1}, "done"]),
    "defend": ({}, [SWING, {"type": "attack_gnome", "seat": 1}]),
    "wrap_up": ({}, ["no_action"]),
    "discard": ({"script": scripted(["stumble"])}, ["no_action", "done"]),
    "spread_fire": ({"script": scripted(["fire_spreads"]), "rooms": {"5": FIRE}}, ["no_action", "done"]),
    "block_hatch": ({"script": scripted(["blocked_hatch"], dice=[5])}, ["no_action", "done"]),
    "hatch": ({}, [{"type": "open_hatch", "to": 9}]),
    "luck": (
        {"gnomes": [CREW[0] | {"minutes": 41}, *CREW[1:]], "script": scripted(dice=[10], items=["lucky_charm"])},
        [{"type": "stop_missile_launch", "minutes": 2}, "done"],
    ),
    "escape": ({"gnomes": CORNERED, "rooms": {"5": FIRE, "6": FIRE}, "script": scripted(dice=[10])}, [EXTINGUISH]),
}


def at(decision: str, heat: int = 1) -> Game:
    """A game at a decision of this kind. Any visible fact, such as heat, makes observers guess anew."""
    more, moves = DECISIONS[decision]
    facts: Wire = {"gnomes": CREW, "rules": CRAZED, "tracks": {"heat": heat}}
    game = position(**facts | more)
    play(game, *moves)
    assert game.view()["phase"] == decision
    return game


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("decision", DECISIONS)
def test_an_observation_looks_like_the_view(decision: str, seat: int | None) -> None:
    game = at(decision)
    assert observe(game, seat).view(seat) == game.view(seat)


@pytest.mark.parametrize("decision", DECISIONS)
def test_an_observer_who_must_decide_has_the_same_legal_moves(decision: str) -> None:
    game = at(decision)
    assert observe(game, game.decider).legal_moves() == game.legal_moves()


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("decision", DECISIONS)
def test_an_observation_is_a_sound_game_that_can_be_played_on(decision: str, seat: int | None) -> None:
    for heat in range(1, 10):
        game = observe(at(decision, heat), seat)
        assert game.problems() == []
        play(game, game.legal_moves()[-1])
        assert game.problems() == []


def test_an_observation_leaves_the_game_as_it_was() -> None:
    game = at("movement")
    before = game.to_bytes()
    play(observe(game, 1), "no_action")
    assert game.to_bytes() == before


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_an_observation_keeps_own_hands_and_the_number_of_cards(seat: int | None) -> None:
    seen = observe(at("movement"), seat).position()
    assert [sum(hand.values()) for hand in hands(seen)] == [2, 3, 1]
    assert sum(seen["item_deck"].values()) == sum(SHUFFLED_ITEMS.values()) - 6
    if seat is not None:
        assert hands(seen)[seat] == HANDS[seat]


@pytest.mark.parametrize(
    "secret",
    [
        {"seed": "11" * 32},
        {"rolls": {"item_card": 5}},
        {"script": {"dice": [1], "events": ["leak"], "items": ["coffee"]}},
        {"gnomes": [CREW[0], CREW[1] | {"items": {"grog": 3}}, CREW[2]]},
        {"gnomes": [CREW[0], CREW[1] | {"items": {"lucky_charm": 1, "harpoon": 1, "aqualung": 1}}, CREW[2]]},
        {"gnomes": [CREW[0], CREW[1] | {"items": {"harpoon": 1, "crowbar": 2}}, CREW[2] | {"items": {"toolbox": 1}}]},
    ],
    ids=["seed", "rolls", "script", "grogs", "gear", "two hands"],
)
def test_games_that_differ_in_secrets_look_the_same_to_an_observer(secret: Wire) -> None:
    facts: Wire = {"gnomes": CREW, "rules": CRAZED}
    one, other = position(**facts), position(**facts | secret)
    assert one != other
    assert observe(one, 0) == observe(other, 0)
    assert observe(one, 0).view(0) == observe(other, 0).view(0)


def test_a_defender_who_is_asked_is_known_to_hold_a_crowbar() -> None:
    for seat in (0, 2, None):
        assert hands(observe(at("defend"), seat).position())[1]["crowbar"] >= 1


def test_an_attack_previews_the_same_whatever_the_defender_holds() -> None:
    previews = []
    for hand in ({"crowbar": 1}, {"toolbox": 1}):
        game = position([CREW[0], CREW[1] | {"items": hand}], CRAZED)
        play(game, SWING)
        previews.append(game.preview({"type": "attack_gnome", "seat": 1}))
        assert len(offered(game, "attack_gnome")) == 1
    assert previews[0] == previews[1]


def test_only_the_drawer_knows_what_he_drew() -> None:
    for seats, known in (([0], True), ([0, 1], True), ([1], False), ([], False)):
        game = position([{"minutes": 41}], CRAZED, script={"items": ["harpoon"]})
        (drawn,) = told(story(game, seats, "no_action"), "item_drawn")
        assert drawn.get("item") == ("harpoon" if known else None)
        assert (drawn["seat"], drawn["source"]) == (0, "icon")
        assert "private" not in drawn


def test_everybody_sees_who_draws_the_captains_grog() -> None:
    game = position([{"room": 10, "minutes": 60}], CRAZED, script=scripted())
    drawn = told(story(game, [1], {"type": "draw_items", "cards": 2}), "item_drawn")
    assert [event["item"] for event in drawn] == ["grog", "grog"]


def test_what_is_private_is_marked_with_who_may_know_it() -> None:
    game = position([{"minutes": 41}], CRAZED, script={"items": ["harpoon"]})
    (drawn,) = told(play(game, "no_action"), "item_drawn")
    assert drawn["private"] == {"seats": [0], "fields": ["item"]}


@pytest.mark.parametrize("rules", [{}, {"edition": "original"}])
def test_without_secrets_nothing_is_private(rules: Wire) -> None:
    game = position(CREW, rules, script=scripted(items=["harpoon"]))
    events = play(game, {"type": "trade_items", "with": 1}, {"type": "give_item", "item": "coffee"}, "done", "done")
    assert told(events, "item_given")
    assert not [event for event in events if "private" in event]
    assert [redact(event, []) for event in events] == events


@pytest.mark.parametrize(("seats", "known"), [([0], True), ([1], True), ([2], False), ([], False)])
def test_only_the_two_who_trade_know_what_changes_hands(seats: list[int], known: bool) -> None:
    stories = []
    for item in ("harpoon", "toolbox"):
        game = position([{"room": 7, "minutes": 40, "items": {item: 2}}, {"room": 7}], CRAZED, script=scripted())
        give = {"type": "give_item", "item": item}
        stories.append(story(game, seats, {"type": "trade_items", "with": 1}, give, "done", give))
        assert (item in json.dumps(stories[-1])) == known
    assert (stories[0] == stories[1]) == (not known)


@pytest.mark.parametrize(("seats", "known"), [([0], True), ([1], True), ([2], False), ([], False)])
def test_only_the_two_who_fought_know_what_the_winner_took(seats: list[int], known: bool) -> None:
    stories = []
    for loot in ({"harpoon": 2}, {"harpoon": 1, "grog": 1}, {"toolbox": 1, "water_pump": 1}):
        game = position([{"room": 7, "minutes": 40, "items": {"crowbar": 1}}, {"room": 7, "items": loot}], CRAZED)
        stories.append(story(game, seats, SWING, {"type": "attack_gnome", "seat": 1}))
    assert (stories[0] == stories[1] == stories[2]) == (not known)


def test_used_and_discarded_items_are_seen_by_all() -> None:
    game = position([CREW[0] | {"items": {"crowbar": 1, "grog": 3}}], CRAZED, script=scripted(["respite/4", "stumble"]))
    seen = story(game, [], SWING, {"type": "use_item", "item": "grog"}, "no_action")
    assert [event["item"] for event in told(seen, "item_used", "items_discarded")] == ["crowbar", "grog", "grog"]
    assert game.view(2)["item_discard"] == {"crowbar": 1, "grog": 2}
