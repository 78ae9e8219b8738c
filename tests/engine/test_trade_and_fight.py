"""Trades, and the attacks of crazed gnomes (§5)."""

from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use

CRAZED = {"crazed_gnomes": True}
ATTACK = {"type": "attack_gnome", "seat": 1}
TRADE = {"type": "trade_items", "with": 1}
COMPANY = ["trade_items", "attack_gnome"]


def give(item: str) -> Wire:
    return {"type": "give_item", "item": item}


def meeting(
    room: int = 7,
    minutes: int = 40,
    mine: dict[str, int] | None = None,
    theirs: dict[str, int] | None = None,
    rules: Wire | None = None,
    inside: Wire | None = None,
    other: Wire | None = None,
    **more: Any,
) -> Game:
    """Seats 0, whose turn it is, and 1 in one room; seat 2 elsewhere."""
    crew = [
        {"room": room, "minutes": minutes, "items": mine or {}} | more.pop("me", {}),
        {"room": room, "minutes": 30, "items": theirs or {}} | (other or {}),
        {"room": 1 if room != 1 else 4, "minutes": 20},
    ]
    board = {"rooms": {str(room): inside}} if inside else {}
    return position(crew, rules, active=0, **{"script": scripted()} | board | more)


def armed(**more: Any) -> Game:
    """A meeting of crazed gnomes, the active one with his crowbar used."""
    game = meeting(mine={"crowbar": 1} | more.pop("mine", {}), rules=CRAZED | more.pop("rules", {}), **more)
    play(game, use("crowbar"))
    return game


@pytest.mark.parametrize(
    ("other", "partners"),
    [
        ({}, [1]),
        ({"state": "fainted"}, [1]),
        ({"minutes": 0}, [1]),
        ({"minutes": 0, "state": "fainted"}, [1]),
        ({"room": 8}, []),
        ({"state": "dead"}, []),
        ({"state": "abandoned"}, []),
    ],
)
def test_company_is_who_is_in_the_same_room_fainted_or_at_zero_as_well(other: Wire, partners: list[int]) -> None:
    trades = offered(meeting(other=other), "trade_items")
    attacks = offered(armed(other=other), "attack_gnome")
    assert trades == [{"type": "trade_items", "with": partner, "cost": 1} for partner in partners]
    assert [(attack["seat"], attack["cost"]) for attack in attacks] == [(partner, 1) for partner in partners]


@pytest.mark.parametrize("kind", COMPANY)
@pytest.mark.parametrize(
    ("room", "inside", "minutes", "cost"),
    [
        (7, {}, 1, 1),
        (7, {"water": "low"}, 40, 3),
        (7, {"water": "low"}, 3, 3),
        (7, {"water": "low"}, 2, None),
        (7, {"water": "high"}, 40, None),
        (7, {"fire": True}, 40, None),
        ("sea", None, 40, None),
    ],
)
def test_company_costs_a_minute_two_more_in_low_water_and_needs_a_room_to_breathe(
    kind: str, room: int | str, inside: Wire | None, minutes: int, cost: int | None
) -> None:
    game = armed(room=room, inside=inside, minutes=minutes)
    assert [move["cost"] for move in offered(game, kind)] == ([] if cost is None else [cost])


def test_each_gnome_in_the_room_may_be_chosen() -> None:
    crowd = [{"room": 5, "minutes": 40 - seat, "items": {"crowbar": 1}} for seat in range(4)]
    game = position(crowd, CRAZED)
    play(game, use("crowbar"))
    assert [move["with"] for move in offered(game, "trade_items")] == [1, 2, 3]
    assert [move["seat"] for move in offered(game, "attack_gnome")] == [1, 2, 3]


def test_first_the_active_gnome_gives_and_then_the_partner_gives_back() -> None:
    game = meeting(mine={"grog": 1, "crowbar": 2}, theirs={"coffee": 1, "toolbox": 1})
    play(game, TRADE)
    assert (game.decider, game.position()["phase"]) == (0, "trade_give")
    assert {(move["type"], move.get("item")) for move in game.legal_moves()} == {
        ("give_item", "grog"),
        ("give_item", "crowbar"),
        ("done", None),
    }
    play(game, give("crowbar"), give("crowbar"), "done")
    assert (game.decider, game.position()["phase"]) == (1, "trade_return")
    play(game, give("toolbox"))
    assert {move.get("item") for move in game.legal_moves()} == {"coffee", "crowbar", None}
    play(game, "done")
    assert gnome(game, 0)["items"] == {"grog": 1, "toolbox": 1}
    assert gnome(game, 1)["items"] == {"coffee": 1, "crowbar": 2}


def test_the_partner_may_give_back_what_he_just_got() -> None:
    game = meeting(mine={"grog": 2})
    play(game, TRADE, give("grog"), "done")
    events = play(game, give("grog"))
    assert told(events, "item_given") == [{"type": "item_given", "from": 1, "to": 0, "item": "grog"}]
    assert gnome(game, 0)["items"] == {"grog": 2}


def test_a_trade_with_nothing_given_is_allowed_and_takes_its_minute() -> None:
    game = meeting(mine={"grog": 1}, theirs={"toolbox": 1})
    events = play(game, TRADE, "done", "done")
    assert not told(events, "item_given")
    assert [gnome(game, seat)["minutes"] for seat in (0, 1)] == [39, 30]


@pytest.mark.parametrize(
    ("mine", "theirs", "moves", "asked"),
    [
        ({}, {}, [], None),
        ({}, {"coffee": 1}, [], 1),
        ({"grog": 1}, {}, ["done"], None),
        ({"grog": 1}, {"coffee": 1}, [give("grog")], 1),
        ({"grog": 1}, {}, [give("grog")], 1),
        ({"grog": 1}, {}, [give("grog"), give("grog")], None),
    ],
)
def test_who_has_nothing_to_give_is_not_asked(mine: Wire, theirs: Wire, moves: Any, asked: int | None) -> None:
    game = meeting(mine=mine, theirs=theirs)
    play(game, TRADE, *moves)
    phase = game.position()["phase"]
    assert (game.decider, phase) == ((0, "movement") if asked is None else (asked, "trade_return"))


def test_a_fainted_partner_decides_for_himself_and_faints_on() -> None:
    game = meeting(theirs={"coffee": 1}, other={"state": "fainted"})
    play(game, TRADE)
    assert game.decider == 1
    play(game, give("coffee"))
    assert gnome(game, 1)["state"] == "fainted"
    assert (game.decider, game.position()["phase"]) == (0, "wrap_up")


@pytest.mark.parametrize("gift", ["coffee", "lucky_charm"])
def test_what_the_partner_gave_may_be_used_in_the_wrap_up(gift: str) -> None:
    game = meeting(theirs={gift: 1})
    play(game, TRADE, give(gift))
    assert {move.get("item") for move in game.legal_moves()} == {gift, None}


@pytest.mark.parametrize(
    ("rules", "mine", "used", "may"),
    [
        (CRAZED, {"crowbar": 1}, ["crowbar"], True),
        (CRAZED | {"edition": "original"}, {"crowbar": 1}, ["crowbar"], True),
        (CRAZED, {"crowbar": 1}, [], False),
        (CRAZED, {"harpoon": 1, "toolbox": 1}, ["harpoon", "toolbox"], False),
        ({}, {"crowbar": 1}, ["crowbar"], False),
    ],
)
def test_only_crazed_gnomes_attack_and_only_with_a_used_crowbar(
    rules: Wire, mine: Wire, used: list[str], may: bool
) -> None:
    game = meeting(mine=mine, rules=rules)
    play(game, *map(use, used))
    assert bool(offered(game, "attack_gnome")) == may


def test_a_crowbar_used_last_turn_attacks_nobody() -> None:
    game = armed()
    play(game, "no_action")
    assert (game.decider, offered(game, "attack_gnome")) == (0, [])


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_a_defender_without_a_crowbar_is_slain_unasked_and_robbed(edition: str) -> None:
    game = armed(mine={"grog": 1}, theirs={"grog": 1, "coffee": 1}, rules={"edition": edition})
    events = play(game, ATTACK)
    assert told(events, "attack_declared") == [{"type": "attack_declared", "seat": 0, "target": 1}]
    assert not told(events, "attack_answered", "die_rolled")
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 1, "cause": "slain", "room": 7}]
    assert (gnome(game, 1)["state"], gnome(game, 1)["items"]) == ("dead", {})
    assert gnome(game, 0)["items"] == {"grog": 2, "coffee": 1}


@pytest.mark.parametrize("other", [{}, {"state": "fainted"}, {"minutes": 0}])
def test_a_defender_with_a_crowbar_is_asked_even_in_a_faint(other: Wire) -> None:
    game = armed(theirs={"crowbar": 1}, other=other)
    play(game, ATTACK)
    assert (game.decider, game.position()["phase"]) == (1, "defend")
    assert {move["type"] for move in game.legal_moves()} == {"defend", "done"}


def test_a_defender_who_keeps_his_crowbar_is_slain_and_robbed_of_it() -> None:
    game = armed(theirs={"crowbar": 1})
    play(game, ATTACK)
    events = play(game, "done")
    assert not told(events, "die_rolled")
    assert gnome(game, 1)["state"] == "dead"
    assert gnome(game, 0)["items"] == {"crowbar": 1}


@pytest.mark.parametrize(
    ("dice", "drunk", "slain"),
    [
        ((6, 5), (0, 0), 1),
        ((5, 6), (0, 0), 0),
        ((5, 5), (0, 0), 1),
        ((8, 5), (3, 0), 1),
        ((8, 5), (4, 0), 0),
        ((5, 8), (0, 3), 1),
        ((5, 8), (0, 2), 0),
        ((1, 4), (0, 4), 1),
        ((1, 2), (4, 4), 0),
        ((10, 10), (0, 1), 1),
        ((10, 10), (1, 0), 0),
    ],
)
def test_the_higher_die_less_intoxication_slays_the_other_and_ties_go_to_the_attacker(
    dice: tuple[int, int], drunk: tuple[int, int], slain: int
) -> None:
    game = armed(
        me={"intoxication": drunk[0]},
        other={"intoxication": drunk[1]},
        mine={"grog": 1},
        theirs={"crowbar": 1, "toolbox": 1},
        script=scripted(dice=dice),
    )
    events = play(game, ATTACK, "defend")
    assert [(rolled["seat"], rolled["value"]) for rolled in told(events, "die_rolled")] == [(0, dice[0]), (1, dice[1])]
    assert [died["seat"] for died in told(events, "gnome_died")] == [slain]
    assert gnome(game, slain)["items"] == {}
    assert gnome(game, 1 - slain)["items"] == {"grog": 1, "toolbox": 1}
    assert game.position()["item_discard"] == {"crowbar": 2}


@pytest.mark.parametrize(("drunk", "chance"), [((0, 0), 0.55), ((1, 0), 0.45), ((0, 1), 0.64), ((4, 0), 0.21)])
@pytest.mark.parametrize("theirs", [{}, {"crowbar": 1}])
def test_the_chance_of_an_attack_is_that_of_the_fight_and_betrays_no_crowbar(
    drunk: tuple[int, int], chance: float, theirs: Wire
) -> None:
    game = armed(me={"intoxication": drunk[0]}, other={"intoxication": drunk[1]}, theirs=theirs)
    assert offered(game, "attack_gnome")[0]["chance"] == pytest.approx(chance)
    if theirs:
        play(game, ATTACK)
        assert offered(game, "defend")[0]["chance"] == pytest.approx(1 - chance)


def test_the_answering_crowbar_is_discarded_and_told() -> None:
    game = armed(theirs={"crowbar": 2}, script=scripted(dice=[10, 1]))
    events = play(game, ATTACK, "defend")
    assert told(events, "attack_answered") == [{"type": "attack_answered", "seat": 1, "attacker": 0}]
    assert gnome(game, 0)["items"] == {"crowbar": 1}


def test_a_slain_attacker_ends_his_turn_without_faint_check_or_events() -> None:
    game = armed(mine={"grog": 1}, theirs={"crowbar": 1}, script=scripted(dice=[1, 10]))
    play(game, use("grog"))
    events = play(game, ATTACK, "defend")
    assert not told(events, "faint_checked", "event_drawn", "item_drawn", "time_keeper_moved")
    assert game.decider == 1


def test_a_victorious_attacker_finishes_his_turn_and_may_use_his_loot() -> None:
    game = armed(mine={"grog": 1}, theirs={"coffee": 1}, script=scripted(["fire/-"]))
    play(game, use("grog"), ATTACK)
    assert game.position()["phase"] == "wrap_up"
    events = play(game, use("coffee"))
    assert told(events, "faint_checked")
    assert [drawn["minute"] for drawn in told(events, "event_drawn")] == [39]
