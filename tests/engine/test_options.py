"""Players and gnomes, editions, and the names of the options (§9)."""

from typing import Any

import pytest

from engine import BadRules, Game, Rules
from tests.support.helpers import gnome, offered, play, position, scripted, told

DRINK = {"type": "use_item", "item": "grog"}
EXTINGUISH = {"type": "extinguish_fire", "minutes": 1}
FIRE = {"fire": True}
ALLOWED = {(gnomes, gnomes) for gnomes in range(3, 9)} | {(4, 2)} | {(gnomes, 1) for gnomes in range(3, 9)}


@pytest.mark.parametrize("players", range(10))
@pytest.mark.parametrize("gnomes", range(10))
def test_a_player_has_one_gnome_two_have_two_each_and_a_single_one_three_or_more(gnomes: int, players: int) -> None:
    if (gnomes, players) in ALLOWED:
        assert len(Game.new(Rules(gnomes=gnomes, players=players)).view()["gnomes"]) == gnomes
    else:
        with pytest.raises(BadRules):
            Rules(gnomes=gnomes, players=players)


def test_left_out_every_gnome_has_a_player() -> None:
    assert Rules(gnomes=5).players == 5


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("edition", "2008"),
        ("greater_challenge", "hard"),
        ("greater_challenge", True),
        ("less_deadly_dying", "yes"),
        ("crazed_gnomes", 1),
        ("hidden_hands", 0),
        ("hidden_hands", "yes"),
        ("gnomes", 4.0),
        ("rum", True),
    ],
)
def test_an_unknown_option_or_value_is_refused_by_name(option: str, value: Any) -> None:
    with pytest.raises(BadRules) as refusal:
        Rules(**{option: value})
    assert refusal.value.field == option


def test_the_defaults_are_the_revised_rules_without_options() -> None:
    assert Rules().to_dict() == {
        "gnomes": 4,
        "players": 4,
        "edition": "revised",
        "less_deadly_dying": False,
        "hidden_hands": False,
        "crazed_gnomes": False,
        "greater_challenge": "off",
    }


@pytest.mark.parametrize(
    ("gnomes", "players", "may_leave"), [(3, 1, False), (8, 1, False), (4, 2, False), (3, 3, True), (4, 4, True)]
)
def test_only_three_or_more_players_may_abandon_each_other(gnomes: int, players: int, may_leave: bool) -> None:
    rules = {"gnomes": gnomes, "players": players}
    game = position([{"room": "sea", "minutes": 9}, *[{"minutes": 5}] * (gnomes - 1)], rules)
    assert bool(offered(game, "abandon_comrades")) == may_leave


def test_gnomes_of_one_player_trade_as_others_do() -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"grog": 1, "coffee": 1}}, {"room": 7}]
    game = position(crew, {"gnomes": 4, "players": 2})
    play(game, {"type": "trade_items", "with": 1}, {"type": "give_item", "item": "coffee"}, "done")
    assert game.decider == 1
    play(game, "done")
    assert gnome(game, 1)["items"] == {"coffee": 1}


@pytest.mark.parametrize(("crazed", "offers"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("edition", ["revised", "original"])
def test_only_crazed_gnomes_attack_each_other(edition: str, crazed: bool, offers: int) -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"crowbar": 1}}, {"room": 7}]
    game = position(crew, {"crazed_gnomes": crazed, "edition": edition})
    play(game, {"type": "use_item", "item": "crowbar"})
    assert len(offered(game, "attack_gnome")) == offers


@pytest.mark.parametrize(("edition", "opens"), [("revised", False), ("original", True)])
def test_a_hatch_from_low_to_high_water_opens_in_the_original_edition_only(edition: str, opens: bool) -> None:
    rooms = {"3": {"water": "low"}, "1": {"water": "high"}}
    game = position([{"room": 3, "minutes": 40}], {"edition": edition}, rooms=rooms)
    assert (1 in {move["to"] for move in offered(game, "open_hatch")}) == opens
    if opens:
        events = play(game, {"type": "open_hatch", "to": 1})
        assert not told(events, "water_reflowed")
        assert not offered(game, "enter")


@pytest.mark.parametrize(("edition", "cause", "checked"), [("revised", "trapped", False), ("original", "fire", True)])
def test_who_cannot_leave_a_fire_dies_at_once_or_in_the_original_edition_at_the_updates(
    edition: str, cause: str, checked: bool
) -> None:
    game = position(
        [{"room": 6, "minutes": 58, "items": {"grog": 1}}],
        {"edition": edition},
        rooms={"6": FIRE},
        blocked_hatches=["5-6"],
        script=scripted(["respite/1"], dice=[10]),
    )
    events = play(game, DRINK, EXTINGUISH)
    assert [death["cause"] for death in told(events, "gnome_died")] == [cause]
    assert bool(told(events, "faint_checked")) == checked
    assert not told(events, "event_drawn")


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_who_can_leave_a_fire_must_in_both_editions(edition: str) -> None:
    game = position([{"room": 5, "minutes": 58}], {"edition": edition}, rooms={"5": FIRE}, script=scripted(dice=[10]))
    play(game, EXTINGUISH)
    assert game.view()["phase"] == "escape"
    assert {move["type"] for move in game.legal_moves()} == {"open_hatch"}


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_fainting_outside_is_death_in_both_editions(edition: str) -> None:
    at_sea = {"room": "sea", "minutes": 9, "items": {"grog": 1}}
    others = [{"minutes": 5}, {"minutes": 5}]
    fainting = position([at_sea, *others], {"edition": edition}, script=scripted(["respite/1"]))
    assert [death["cause"] for death in told(play(fainting, DRINK, "no_action"), "gnome_died")] == ["fainted_outside"]


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_crazed_gnomes_hide_their_hands_and_others_if_they_are_asked_to(edition: str) -> None:
    assert Rules(edition=edition, crazed_gnomes=True).hidden_hands
    assert Rules(edition=edition, crazed_gnomes=True, hidden_hands=True).hidden_hands
    assert Rules(edition=edition, hidden_hands=True).crazed_gnomes is False
    assert not Rules(edition=edition).hidden_hands
    with pytest.raises(BadRules, match="crazed_gnomes") as refusal:
        Rules(edition=edition, crazed_gnomes=True, hidden_hands=False)
    assert refusal.value.field == "hidden_hands"
