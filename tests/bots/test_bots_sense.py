"""The sailor's common sense: what any gnome would do who has read the rules once."""

import itertools
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, position, scripted, told
from tests.support.playing import HATCHES
from tests.support.thinking import brief, decide, kind, take_turn

FIRE, HIGH, LOW = {"fire": True}, {"water": "high"}, {"water": "low"}
EDITIONS = ("revised", "original")
UNLUCKY = [10] * 8


def turn_of(sailor: Wire, others: list[Wire] | None = None, **more: Any) -> tuple[list[str], Game]:
    """What the sailor of seat 0 does with its turn when every die fails it, and where that leaves all."""
    more.setdefault("script", scripted(dice=UNLUCKY))
    others = [{"minutes": min(20, sailor["minutes"])} | other for other in others or [{}, {}]]
    moves, _, game = take_turn("sailor", position([sailor, *others], active=0, **more))
    return moves, game


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("minutes", [1, 2, 3, 5, 8, 10, 13, 30])
@pytest.mark.parametrize(
    ("room", "rooms"),
    [
        (9, {"9": FIRE}),
        (1, {"1": FIRE, "2": FIRE}),
        (5, {"5": FIRE, "2": FIRE, "4": FIRE, "6": FIRE, "7": FIRE}),
        (9, {"9": HIGH}),
        (7, {"7": HIGH, "5": HIGH}),
        (1, {"1": HIGH, "2": FIRE}),
    ],
    ids=["fire", "a second fire", "a sea of fire", "high water", "more high water", "between fire and water"],
)
def test_he_does_not_die_where_he_can_walk_away(room: int, rooms: Wire, minutes: int, edition: str) -> None:
    _, game = turn_of({"room": room, "minutes": minutes}, rooms=rooms, rules={"gnomes": 3, "edition": edition})
    assert gnome(game)["state"] == "alive"


@pytest.mark.parametrize("minutes", [2, 3, 4, 10, 30])
@pytest.mark.parametrize(
    "rooms", [{}, {"9": FIRE, "6": HIGH}, {"9": HIGH, "3": FIRE}, {"9": LOW, "3": FIRE, "6": FIRE}]
)
@pytest.mark.parametrize("items", [{}, {"aqualung": 1}, {"aqualung": 2, "harpoon": 1}])
def test_he_does_not_end_a_second_turn_at_sea(minutes: int, rooms: Wire, items: Wire) -> None:
    kraken = {"devoured_by_kraken": 0} if items else {}
    _, game = turn_of({"room": "sea", "minutes": minutes, "items": items}, rooms=rooms, destruction=kraken)
    assert (gnome(game)["state"], gnome(game)["room"] != "sea") == ("alive", True)


@pytest.mark.parametrize("minutes", [1, 2, 5, 20, 60])
@pytest.mark.parametrize("drunk", range(5))
def test_he_does_not_drink_for_nothing(drunk: int, minutes: int) -> None:
    for room in range(1, 11):
        sailor = {"room": room, "minutes": minutes, "items": {"grog": 2}, "intoxication": drunk}
        moves, _ = turn_of(sailor, script=scripted())
        assert "use_item grog" not in moves


REPAIRS = [
    ("asphyxiation", 2, "pump_manual", "fix_oxygen_pumps"),
    ("heat", 4, "reactor_manual", "fix_reactor"),
    ("pressure", 1, "engine_manual", "fix_engine"),
]


@pytest.mark.parametrize("level", [8, 9])
@pytest.mark.parametrize(("track", "room", "manual", "fix"), REPAIRS)
def test_he_repairs_what_is_about_to_burst_with_the_manual_in_his_hand(
    track: str, room: int, manual: str, fix: str, level: int
) -> None:
    for minutes in (10, 20, 40):
        moves, game = turn_of({"room": room, "minutes": minutes, "items": {manual: 1}}, tracks={track: level})
        assert moves == [f"use_item {manual}", f"{fix} 6"]
        assert game.view()["tracks"][track] == 5


@pytest.mark.parametrize(("track", "room", "manual", "fix"), REPAIRS)
def test_he_tries_with_the_minutes_that_are_left(track: str, room: int, manual: str, fix: str) -> None:
    moves, _ = turn_of({"room": room, "minutes": 4, "items": {manual: 1}}, tracks={track: 9})
    assert moves == [f"use_item {manual}", f"{fix} 4"]


@pytest.mark.parametrize(("track", "room", "manual", "fix"), REPAIRS)
def test_he_keeps_items_that_add_nothing(track: str, room: int, manual: str, fix: str) -> None:
    """Three manuals and a minute are certain; the fourth manual and what is for other work stay in its hand."""
    sailor = {"room": room, "minutes": 40, "items": {manual: 4, "crowbar": 1, "harpoon": 1}}
    _, game = turn_of(sailor, tracks={track: 9})
    kept = {item: gnome(game)["items"].get(item) for item in (manual, "crowbar", "harpoon")}
    assert kept[manual] >= 1
    assert (kept["crowbar"], kept["harpoon"]) == (1, 1)
    assert game.view()["tracks"][track] == 5


@pytest.mark.parametrize("room", [4, 5, 7, 8, 10])
@pytest.mark.parametrize("token", [20, 25, 28])
def test_he_stops_the_missiles_that_he_alone_can_still_reach(room: int, token: int) -> None:
    sailor = {"room": room, "minutes": 40, "items": {"deactivation_code": 1}}
    moves, game = turn_of(sailor, [{"minutes": 10}, {"minutes": 12}], destruction={"missiles_launched": token})
    assert moves[-2:] == ["use_item deactivation_code", "stop_missile_launch 6"]
    assert "missiles_launched" not in game.view()["destruction"]


@pytest.mark.parametrize(
    ("start", "minutes", "items", "inside", "token"),
    [
        (8, 47, {}, {"7": HIGH, "8": FIRE}, {"missiles_launched": 35}),
        (8, 47, {}, {"7": HIGH}, {"missiles_launched": 35}),
        (5, 29, {}, {"7": HIGH}, {"missiles_launched": 20}),
        (1, 18, {}, {"7": HIGH}, {"missiles_launched": 4}),
        (8, 33, {"deactivation_code": 1}, {"7": HIGH}, {"missiles_launched": 24}),
        (2, 28, {}, {"1": HIGH}, {"crushed": 15}),
        (5, 23, {"pump_manual": 1}, {"2": HIGH}, {"asphyxiated": 14}),
    ],
)
def test_he_is_not_late_for_the_water_that_he_lets_in(
    start: int, minutes: int, items: Wire, inside: Wire, token: Wire
) -> None:
    """The hatch that it opens makes its room wet: what it does there takes two minutes more."""
    sailor = {"room": start, "minutes": minutes, "items": items}
    _, events, _ = take_turn("sailor", position([sailor], active=0, rooms=inside, destruction=token))
    assert not [failed for failed in told(events, "action_failed") if failed["too_late"]]


@pytest.mark.parametrize("room", [6, 7, 8, 9])
@pytest.mark.parametrize("token", [25, 28])
def test_he_goes_out_to_kill_the_kraken_with_air_and_harpoon(room: int, token: int) -> None:
    sailor = {"room": room, "minutes": 40, "items": {"aqualung": 1, "harpoon": 1}}
    moves, game = turn_of(sailor, [{"minutes": 10}, {"minutes": 12}], destruction={"devoured_by_kraken": token})
    assert moves[-2:] == ["use_item harpoon", "kill_kraken 6"]
    assert game.view()["destruction"] == {}


@pytest.mark.parametrize("room", [5, 7, 8, 9, 10])
def test_he_stocks_up_in_calm(room: int) -> None:
    others = [{"room": 1, "minutes": 55}, {"room": 4, "minutes": 55}]
    moves, _ = turn_of({"room": room, "minutes": 58}, others, script=scripted())
    assert moves[-1].startswith("draw_items")


@pytest.mark.parametrize("items", [{"fire_extinguisher": 1}, {"grog": 1}])
def test_he_walks_through_fire_only_with_what_it_takes(items: Wire) -> None:
    """The reactor is about to burst, and room 5, the only way, burns."""
    for hand in (items, {}):
        sailor = {"room": 7, "minutes": 30, "items": hand | {"reactor_manual": 1}}
        moves, game = turn_of(sailor, tracks={"heat": 9}, rooms={"5": FIRE}, blocked_hatches=["5-8"])
        assert (gnome(game)["room"] in (4, 5)) == bool(hand)
        assert gnome(game)["state"] == "alive"
        if hand:
            assert moves.index(f"use_item {next(iter(items))}") < moves.index("open_hatch 5")


def at_choice(events: list[str], room: int, crew: list[Wire], dice: tuple[int, ...] = (), **more: Any) -> Game:
    """A game at the choice that the card of minute 21 gives the sailor of seat 0."""
    crew = [{"room": room, "minutes": 22}, *crew]
    game = position(crew, active=0, script=scripted(events, dice), **more)
    game.play({"type": "no_action"})
    return game


@pytest.mark.parametrize("bot", ["sailor", "bosun"])
@pytest.mark.parametrize(
    ("burning", "asleep"),
    [(8, 9), (8, 10), (8, 7), (8, 5), (9, 10), (9, 8), (9, 7), (2, 5), (2, 4), (2, 3), (5, 4), (5, 6)],
)
def test_he_does_not_lead_a_fire_to_a_sleeper(bot: str, burning: int, asleep: int) -> None:
    sleeper = {"room": asleep, "state": "fainted"}
    game = at_choice(["fire_spreads"], 1, [sleeper], rooms={str(burning): FIRE})
    assert kind(game) == "spread_fire"
    assert brief(decide(bot, game)) != [f"spread_fire {asleep}"]


def hatches(room: int) -> list[str]:
    return [hatch for hatch in HATCHES if str(room) in hatch.split("-")]


def within_reach(room: int, blocked: list[str]) -> set[int]:
    """Rooms that a gnome can get to through unblocked hatches."""
    reached, ahead = {room}, [room]
    while ahead:
        here = ahead.pop()
        for hatch in set(hatches(here)) - set(blocked):
            beyond = sum(map(int, hatch.split("-"))) - here
            if beyond not in reached:
                reached.add(beyond)
                ahead.append(beyond)
    return reached


def others_of(room: int, hatch: str) -> list[str]:
    return [other for other in hatches(room) if other != hatch]


def is_fair(room: int, die: int, hatch: str) -> bool:
    """Whether who chooses a hatch of the second room can spare the last one of the first, and so most of the way."""
    blocked = others_of(room, hatch)
    spare = [other for other in others_of(die, hatch) if other not in blocked]
    return any(len(within_reach(room, [*blocked, other])) > 5 for other in spare)


ENDS = [(hatch, int(one), int(two)) for hatch in HATCHES for one, two in [hatch.split("-")]]
# A room, another that the die falls on, and the hatch between them.
LAST_WAYS = [
    (room, die, hatch)
    for hatch, one, two in ENDS
    for room, die in ((one, two), (two, one))
    if is_fair(room, die, hatch)
]


def last_hatch_at_stake(here: int, crew: list[Wire], room: int, die: int, hatch: str, water: str) -> Game:
    scene = {"rooms": {str(room): {"water": water}}, "blocked_hatches": others_of(room, hatch)}
    game = at_choice(["blocked_hatch"], here, crew, (die,), **scene)
    assert kind(game) == "block_hatch"
    return game


@pytest.mark.parametrize("water", ["none", "low"])
@pytest.mark.parametrize(("room", "die", "hatch"), LAST_WAYS)
def test_he_does_not_lock_himself_in(room: int, die: int, hatch: str, water: str) -> None:
    game = last_hatch_at_stake(room, [], room, die, hatch, water)
    assert brief(decide("sailor", game)) != [f"block_hatch {hatch}"]


@pytest.mark.parametrize(("room", "die", "hatch"), LAST_WAYS)
def test_he_does_not_shut_the_last_hatch_of_a_comrade_under_water(room: int, die: int, hatch: str) -> None:
    game = last_hatch_at_stake(die, [{"room": room, "minutes": 20}], room, die, hatch, "high")
    assert brief(decide("sailor", game)) != [f"block_hatch {hatch}"]


@pytest.mark.parametrize(
    ("better", "worse", "when"),
    [
        ("pump_manual", "harpoon", {"tracks": {"asphyxiation": 7}}),
        ("reactor_manual", "harpoon", {"tracks": {"heat": 7}}),
        ("engine_manual", "harpoon", {"tracks": {"pressure": 7}}),
        ("deactivation_code", "water_pump", {"destruction": {"missiles_launched": 9}}),
        ("fire_extinguisher", "harpoon", {"rooms": {"7": FIRE}}),
        ("toolbox", "harpoon", {"tracks": {"heat": 7}}),
    ],
)
def test_of_two_items_he_gives_up_the_less_useful(better: str, worse: str, when: Wire) -> None:
    game = position(
        [{"room": 1, "minutes": 22, "items": {better: 1, worse: 1}}], active=0, script=scripted(["stumble"]), **when
    )
    game.play({"type": "no_action"})
    if game.view()["phase"] == "wrap_up":
        game.play({"type": "done"})
    assert brief(decide("sailor", game)) == [f"discard_item {worse}"]


def test_what_he_gives_up_of_two_he_gives_up_of_many() -> None:
    """Its order of items has no circles."""
    items = ["coffee", "grog", "toolbox", "crowbar", "aqualung", "harpoon", "lucky_charm", "water_pump"]

    def given_up(hand: tuple[str, ...]) -> str:
        pending = {"hand_limit": len(hand) - 1}
        crew = [{"room": 1, "items": dict.fromkeys(hand, 1)}]
        game = position(crew, active=0, phase="discard", pending=pending)
        return brief(decide("sailor", game))[0].removeprefix("discard_item ").removeprefix("use_item ")

    for hand in itertools.combinations(items, 5):
        worst = given_up(hand)
        for other in hand:
            if other != worst:
                assert given_up((worst, other)) == worst


def at_a_discard(intoxication: int, hand: Wire) -> Game:
    crew = [{"room": 1, "minutes": 22, "items": hand, "intoxication": intoxication}]
    return position(crew, active=0, phase="discard", pending={"hand_limit": 1}, ghost=20)


@pytest.mark.parametrize(
    ("intoxication", "hand", "wanted"),
    [
        (3, {"coffee": 1, "harpoon": 1}, "use_item coffee"),
        (0, {"coffee": 1, "reactor_manual": 1}, "use_item coffee"),
        (0, {"coffee": 1, "harpoon": 1}, "discard_item harpoon"),
    ],
)
def test_he_drinks_the_coffee_that_he_would_lose(intoxication: int, hand: Wire, wanted: str) -> None:
    if wanted == "discard_item harpoon":
        hand = dict(hand, harpoon=2)
    assert brief(decide("sailor", at_a_discard(intoxication, hand))) == [wanted]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("minutes", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("hatches", [{"5": LOW, "8": LOW, "9": LOW}, {"5": LOW, "8": HIGH, "9": FIRE}])
def test_he_finds_the_way_out_of_high_water_onto_low(minutes: int, hatches: Wire, edition: str) -> None:
    """A minute is enough for the hatch in the revised edition; in the original another takes it into the next room."""
    rules = {"gnomes": 3, "edition": edition}
    moves, game = turn_of({"room": 7, "minutes": minutes}, rooms={"7": HIGH} | hatches, rules=rules)
    doomed = minutes == 1 and edition == "original" and hatches["9"] == LOW
    assert (gnome(game)["state"] == "dead") == doomed
    if not doomed:
        assert moves[0].startswith("open_hatch")


@pytest.mark.parametrize("minutes", [1, 2, 3, 4, 11, 12])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("beside", [{}, {"5": HIGH, "8": HIGH, "9": HIGH}, {"5": LOW, "8": FIRE, "9": FIRE}])
def test_he_leaves_a_fire_while_there_is_time(minutes: int, edition: str, beside: Wire) -> None:
    """With a minute left low water next door is too far, and only a lucky roll helps."""
    rules = {"gnomes": 3, "edition": edition}
    _, game = turn_of({"room": 7, "minutes": minutes}, rooms={"7": FIRE} | beside, rules=rules)
    assert (gnome(game)["state"] == "dead") == (minutes == 1 and "5" in beside and beside["5"] == LOW)


@pytest.mark.parametrize("minutes", range(2, 12))
def test_he_keeps_the_minutes_that_it_takes_to_flee(minutes: int) -> None:
    """However much a fire has to go, it does not stake its life on the roll."""
    rooms = {"4": FIRE, "2": LOW, "3": LOW, "5": LOW}
    _, game = turn_of({"room": 4, "minutes": minutes}, rooms=rooms)
    assert gnome(game)["state"] == "alive"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("ghost", "wanted"), [(20, "use_item lucky_charm"), (39, "done"), (31, "use_item lucky_charm")]
)
def test_he_uses_a_charm_when_it_comes_and_enough_lies_ahead(edition: str, ghost: int, wanted: str) -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"lucky_charm": 1}}]
    game = position(crew, {"edition": edition}, active=0, phase="luck", ghost=ghost)
    assert brief(decide("sailor", game)) == [wanted]


def test_the_last_charm_is_not_kept_for_a_turn_that_never_comes() -> None:
    crew = [{"room": 7, "minutes": 10, "items": {"lucky_charm": 1}}, {"minutes": 5}, {"minutes": 5}]
    for ghost, wanted in ((8, "done"), (0, "use_item lucky_charm")):
        game = position(crew, active=0, phase="luck", ghost=ghost)
        assert brief(decide("sailor", game)) == [wanted]


@pytest.mark.parametrize(
    ("edition", "minutes", "home"), [("revised", 1, False), ("revised", 2, True), ("original", 1, True)]
)
def test_he_knows_what_the_way_back_from_the_sea_costs(edition: str, minutes: int, home: bool) -> None:
    _, game = turn_of({"room": "sea", "minutes": minutes}, rules={"gnomes": 3, "edition": edition})
    assert (gnome(game)["state"], gnome(game)["room"] != "sea") == ("alive" if home else "dead", home)
