"""Lucky charms and coffee while the Updates go on: at any time of one's turn (§4)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game, IllegalMove
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use
from tests.support.workplaces import fix

EDITIONS = ["revised", "original"]
CHARM = use("lucky_charm")
FIRE = {"fire": True}
DICE = [10] * 3  # no repair comes off


def walker(
    minutes: int = 41,
    edition: str = "revised",
    hand: dict[str, int] | None = None,
    events: Sequence[str] = (),
    drawn: str = "lucky_charm",
) -> Game:
    """In room 7, on a Time Track with event icons on 42, 39, 36, 33, 30 and item icons on 40 and 30."""
    crew = [{"room": 7, "minutes": minutes, "items": hand or {}}, {"room": 1, "minutes": 5}, {"room": 1, "minutes": 4}]
    return position(crew, {"edition": edition}, script=scripted(events, DICE, [drawn]))


def spend(minutes: int) -> Wire:
    return fix("stop_missile_launch", minutes)


def ignored(events: Sequence[Wire]) -> list[int]:
    return [event["minute"] for event in told(events, "icon_ignored")]


def met(events: Sequence[Wire]) -> list[int]:
    return [event["minute"] for event in told(events, "event_drawn")]


def phase(game: Game) -> str:
    return game.position()["phase"]


def kinds(game: Game) -> Any:
    return {(move["type"], move.get("item")) for move in game.legal_moves()}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charm_that_an_item_icon_brings_before_any_event_may_be_used_at_once(edition: str) -> None:
    game = walker(edition=edition)
    play(game, spend(10))
    assert (phase(game), game.decider, gnome(game)["minutes"]) == ("luck", 0, 40)
    assert kinds(game) == {("use_item", "lucky_charm"), ("done", None)}
    assert [move["cost"] for move in game.legal_moves()] == [0, 0]
    events = play(game, CHARM)
    assert (ignored(events), met(events)) == ([39, 36, 33], [])
    assert gnome(game)["minutes"] == 31


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_done_keeps_the_charm_and_meets_the_events(edition: str) -> None:
    game = walker(edition=edition)
    play(game, spend(10))
    assert met(play(game, "done")) == [39, 36, 33]
    assert gnome(game)["items"] == {"lucky_charm": 1}


@pytest.mark.parametrize(
    ("minutes", "spent", "asked"),
    [
        (41, 1, False),  # down to 40: no event icon lies ahead
        (41, 2, True),  # the Ghost's own space counts
        (43, 5, False),  # the card of 42 was drawn
        (31, 2, False),  # event and item share 30: the event comes first
        (21, 2, False),  # 20 is an item icon, 19 has none
        (20, 6, False),  # 18 has drawn its card before 10 is reached
    ],
)
def test_the_question_needs_an_icon_ahead_and_no_card_drawn(minutes: int, spent: int, asked: bool) -> None:
    game = walker(minutes)
    play(game, spend(spent))
    assert (phase(game) == "luck") == asked


def test_an_icon_that_another_charm_swallowed_draws_no_card() -> None:
    game = walker(43, hand={"lucky_charm": 1})
    assert ignored(play(game, CHARM, spend(10))) == [42]
    assert phase(game) == "luck"
    events = play(game, CHARM)
    assert (ignored(events), met(events)) == ([39, 36, 33], [])


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_other_item_gives_a_second_chance_to_use_the_charm_in_hand(edition: str) -> None:
    game = walker(edition=edition, hand={"lucky_charm": 1}, drawn="coffee")
    play(game, spend(10))
    assert phase(game) == "wrap_up"
    assert met(play(game, "done")) == [39, 36, 33]


def test_they_are_asked_until_they_are_done_or_have_no_charm_left() -> None:
    one, both = (walker(hand={"lucky_charm": 1}) for _ in range(2))
    for game in (one, both):
        play(game, spend(10), "done")
    play(both, CHARM)
    assert phase(both) == "luck"
    play(both, CHARM)
    assert both.position()["item_discard"]["lucky_charm"] == 2
    assert ignored(play(one, CHARM, "done")) == [39, 36, 33]
    assert gnome(one)["items"] == {"lucky_charm": 1}


@pytest.mark.parametrize(("edition", "asked"), [("revised", False), ("original", True)])
def test_the_card_of_a_faint_check_counts_as_drawn_except_in_the_original_edition(edition: str, asked: bool) -> None:
    game = walker(edition=edition, hand={"grog": 1}, events=["fire/-"])
    play(game, use("grog"), spend(10))
    assert (phase(game) == "luck") == asked
    assert gnome(game)["state"] == "alive"


def fainter(edition: str, rooms: Wire | None = None, hand: dict[str, int] | None = None, minutes: int = 39) -> Game:
    hand = {"grog": 1, "lucky_charm": 1} if hand is None else hand
    drinker = {"room": 7, "minutes": minutes, "items": hand, "intoxication": 3}
    crew = [drinker, {"minutes": 1}, {"minutes": 1}]
    return position(crew, {"edition": edition}, rooms=rooms or {}, script=scripted(["respite/1"], DICE))


@pytest.mark.parametrize(("edition", "asked"), [("revised", False), ("original", True)])
def test_who_has_fainted_may_use_a_charm_in_the_original_edition(edition: str, asked: bool) -> None:
    game = fainter(edition)
    events = play(game, use("grog"), spend(1), "done")
    assert (phase(game) == "luck") == asked
    if asked:
        assert (gnome(game)["state"], gnome(game)["minutes"], game.decider) == ("fainted", 39, 0)
        events = play(game, CHARM)
        assert (ignored(events), met(events)) == ([36, 33, 30], [])
    else:
        assert met(events) == [36, 33, 30]
    assert told(events, "gnome_woke"), "the next turn is theirs"


@pytest.mark.parametrize(
    ("rooms", "hand", "minutes", "why"),
    [
        ({"7": {"water": "high"}}, None, 39, "they drown at the first step"),
        ({}, {"grog": 1, "coffee": 1}, 39, "they hold no charm"),
        ({}, None, 2, "no icon lies ahead"),
    ],
)
def test_who_has_fainted_is_not_asked_in_vain(rooms: Wire, hand: Wire | None, minutes: int, why: str) -> None:
    game = fainter("original", rooms, hand, minutes)
    play(game, use("grog"), "no_action" if rooms else spend(1), "done")
    assert phase(game) != "luck", why


def test_a_newcomer_in_the_place_of_one_who_fainted_outside_is_asked_nothing() -> None:
    game = position(
        [{"room": "sea", "minutes": 39, "items": {"grog": 1, "lucky_charm": 1}, "intoxication": 3}, {}, {}],
        {"edition": "original", "less_deadly_dying": True},
        script=scripted(["respite/1"], [5]),
    )
    assert met(play(game, use("grog"), "no_action", "done")) == [36, 33, 30]


def stumbler(hand: dict[str, int], edition: str = "revised", event: str = "stumble", **more: Any) -> Game:
    crew = [{"room": 7, "minutes": 40, "items": hand, "intoxication": 3}, {"minutes": 5}, {"minutes": 4}]
    game = position(crew, {"edition": edition}, script=scripted([event], DICE, ["crowbar"]), **more)
    play(game, spend(1), "done")
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_must_discard_in_their_own_updates_may_drink_their_coffee_instead(edition: str) -> None:
    game = stumbler({"coffee": 1, "grog": 1, "toolbox": 1}, edition)
    assert kinds(game) == {
        ("discard_item", "coffee"), ("discard_item", "grog"), ("discard_item", "toolbox"), ("use_item", "coffee"),
    }  # fmt: skip
    play(game, use("coffee"))
    assert (gnome(game)["intoxication"], gnome(game)["items"]) == (1, {"grog": 1, "toolbox": 1})
    assert kinds(game) == {("discard_item", "grog"), ("discard_item", "toolbox")}


def test_with_the_coffee_gone_the_hand_is_counted_again() -> None:
    game = stumbler({"coffee": 1, "toolbox": 1})
    events = play(game, use("coffee"))
    assert not told(events, "items_discarded")
    assert gnome(game)["items"] == {"toolbox": 1}
    assert told(events, "time_keeper_moved")


def test_a_charm_is_no_help_while_discarding() -> None:
    game = stumbler({"coffee": 1, "toolbox": 1, "lucky_charm": 1})
    assert ("use_item", "lucky_charm") not in kinds(game)


def test_who_drew_the_coffee_before_the_storm_on_board_may_drink_it_but_comrades_may_not() -> None:
    others = {"grog": 5, "toolbox": 1}
    crew = [{"room": 7, "minutes": 40, "items": {"crowbar": 5, "toolbox": 1}}, {"items": others | {"coffee": 1}}]
    game = position(crew, script=scripted(["turbulence"], DICE))
    play(game, spend(1))
    assert game.decider == 0
    while game.decider == 0:
        play(game, game.legal_moves()[0])
    assert (game.decider, phase(game)) == (1, "discard")
    assert not offered(game, "use_item")
    with pytest.raises(IllegalMove):
        play(game, use("coffee"))


def test_in_a_storm_before_the_first_turn_nobody_drinks() -> None:
    hand = {"coffee": 1, "grog": 4}
    crew = [{"items": hand, "minutes": 60, "room": 7}, {"items": {}, "minutes": 60}, {"items": {}, "minutes": 60}]
    script = scripted(["turbulence"])
    game = position(crew, {"greater_challenge": "storm"}, script=script, turn=0, phase="discard",
                    pending={"hand_limit": 4, "storm_left": 1}, active=0)  # fmt: skip
    assert phase(game) == "discard"
    assert not offered(game, "use_item")


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_fainted_may_drink_coffee_while_they_must_discard(edition: str) -> None:
    hand = {"grog": 2, "coffee": 1, "toolbox": 1}
    crew = [{"room": 7, "minutes": 40, "items": hand, "intoxication": 4}, {"minutes": 5}, {"minutes": 4}]
    game = position(crew, {"edition": edition}, script=scripted(["respite/1", "stumble"], DICE))
    play(game, use("grog"), spend(1), "done")
    assert (gnome(game)["state"], phase(game)) == ("fainted", "discard")
    play(game, use("coffee"))
    assert gnome(game)["intoxication"] == 2
