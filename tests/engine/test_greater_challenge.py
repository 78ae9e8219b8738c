"""A greater challenge: respites leave the game, and a storm comes before the first turn (§9)."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from engine import Game, Rules
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told

DRINK = {"type": "use_item", "item": "grog"}


def respites(game: Game) -> int:
    view = game.view()
    cards = [*view["event_deck"].items(), *view["event_discard"].items()]
    return sum(copies for card, copies in cards if card.startswith("respite/"))


def stormy(events: Sequence[str], dice: Sequence[int] = (), hands: Sequence[Wire] = ({}, {}, {}), **more: Any) -> Game:
    """A storm over three gnomes, of whom gnome 1 is the first."""
    crew = [{"room": 8, "minutes": 60, "stack": stack, "items": hand} for stack, hand in zip((0, 2, 1), hands)]
    return position(crew, {"greater_challenge": "storm"}, script=scripted(events, dice=dice), **more)


@pytest.mark.parametrize(("challenge", "left"), [("off", 8), ("no_respite", 7), ("storm", 7)])
@pytest.mark.parametrize(
    ("begins", "moves"), [(59, [DRINK, "no_action"]), (58, ["no_action"])], ids=["faint check", "event"]
)
def test_a_respite_drawn_leaves_the_game_under_the_challenge(
    challenge: str, left: int, begins: int, moves: Any
) -> None:
    game = position(
        [{"minutes": begins, "items": {"grog": 1}}],
        {"greater_challenge": challenge},
        script={"events": ["respite/4"]},
    )
    events = play(game, *moves)
    assert respites(game) == left
    assert ("respite/4" in game.view()["event_discard"]) == (challenge == "off")
    assert [event["card"] for event in told(events, "card_removed")] == ["respite/4"] * (8 - left)


@pytest.mark.parametrize("challenge", ["no_respite", "storm"])
def test_other_events_stay_in_the_game(challenge: str) -> None:
    game = position([{"minutes": 58}], {"greater_challenge": challenge}, script={"events": ["descent/4"]})
    play(game, "no_action")
    assert game.view()["event_discard"] == {"descent/4": 1}


def test_a_reshuffle_does_not_bring_removed_respites_back() -> None:
    game = position(
        [{"room": 4, "minutes": 46}],
        {"greater_challenge": "no_respite"},
        event_deck={"respite/4": 1},
        script={"dice": [10], "events": ["respite/4", "descent/4"]},
    )
    events = play(game, {"type": "fix_reactor", "minutes": 4})
    assert [event["deck"] for event in told(events, "deck_reshuffled")] == ["events"]
    assert respites(game) == 7


@pytest.mark.parametrize("challenge", ["off", "no_respite"])
def test_without_a_storm_nothing_happens_before_the_first_turn(challenge: str) -> None:
    game = Game.new(Rules(greater_challenge=challenge))
    assert not told(game.opening, "event_drawn")
    assert game.view()["event_discard"] == {}


@pytest.mark.parametrize(
    ("gnomes", "players", "start"), [(3, 3, 60), (4, 2, 60), (5, 1, 60), (6, 6, 54), (7, 7, 48), (8, 8, 42), (8, 1, 42)]
)
def test_the_storm_has_as_many_events_as_players(gnomes: int, players: int, start: int) -> None:
    game = position(
        [{"minutes": start}] * gnomes,
        {"gnomes": gnomes, "players": players, "greater_challenge": "storm"},
        script=scripted(),
    )
    drawn = told(game.opening, "event_drawn")
    assert [event["minute"] for event in drawn] == [start] * players
    assert game.view()["phase"] == "movement"
    assert {each["minutes"] for each in game.view()["gnomes"]} == {start}


@pytest.mark.parametrize(("gnomes", "start"), [(3, 60), (6, 54), (7, 48), (8, 42)])
def test_the_storms_tokens_are_counted_from_the_start_space(gnomes: int, start: int) -> None:
    game = position(
        [{"minutes": start}] * gnomes,
        {"gnomes": gnomes, "greater_challenge": "storm"},
        script=scripted(["engine_down", "oxygen_pumps_down"]),
    )
    assert game.view()["destruction"] == {"crushed": start - 15, "asphyxiated": start - 10}


def test_the_storm_leaves_its_marks_on_the_boat() -> None:
    game = stormy(["fire", "leak", "descent"], dice=[3, 4])
    view = game.view()
    assert view["rooms"]["3"]["fire"]
    assert view["rooms"]["4"]["water"] == "high"
    assert view["tracks"] == {"asphyxiation": 2, "heat": 1, "pressure": 2}
    assert game.decider == 1


def test_the_first_gnome_makes_the_storms_choices_and_then_has_his_turn() -> None:
    game = stormy(["fire", "fire_spreads", "blocked_hatch"], dice=[5, 9])
    assert game.view()["decision"] == {"seat": 1, "kind": "spread_fire"}
    play(game, offered(game, "spread_fire")[0])
    assert game.view()["decision"] == {"seat": 1, "kind": "block_hatch"}
    events = play(game, {"type": "block_hatch", "hatch": "8-9"})
    assert told(events, "turn_began")
    assert game.view()["decision"] == {"seat": 1, "kind": "movement"}
    assert (game.view()["turn"], gnome(game, 1)["minutes"]) == (1, 60)


def test_the_first_gnome_stumbles_in_the_storm() -> None:
    hands = [{"toolbox": 1, "coffee": 1}, {"grog": 1, "crowbar": 1}, {"harpoon": 1, "aqualung": 1}]
    game = stormy(["stumble"], hands=hands)
    assert game.decider == 1
    play(game, {"type": "discard_item", "item": "grog"})
    assert [each["items"] for each in game.view()["gnomes"]] == [hands[0], {"crowbar": 1}, hands[2]]


def test_the_storms_turbulence_asks_everybody_in_the_order_of_seats() -> None:
    full = {"grog": 1, "crowbar": 1, "toolbox": 1, "water_pump": 1, "fire_extinguisher": 1}
    game = stormy(["turbulence"], hands=[full, full, full])
    asked = []
    while game.view()["phase"] == "discard":
        asked.append(game.decider)
        play(game, {"type": "discard_item", "item": "grog"})
    assert asked == [0, 1, 2]
    assert game.view()["decision"] == {"seat": 1, "kind": "movement"}


def test_the_storm_may_sink_the_boat_before_the_first_turn() -> None:
    game = stormy(["reactor_warmup"], tracks={"heat": 9})
    assert game.result == {"crew": "lost", "cause": "heat", "seats": ["lost"] * 3}
    assert len(told(game.opening, "event_drawn")) == 1


def test_the_storms_respites_leave_the_game() -> None:
    assert respites(stormy(["respite", "respite", "respite"])) == 5


@pytest.mark.parametrize("number", range(5))
def test_a_new_game_tells_of_its_storm(number: int) -> None:
    game = Game.new(Rules(gnomes=5, greater_challenge="storm"), seed=bytes([number]) * 32)
    events = cast(list[Wire], list(game.opening))
    assert told(events, "storm_began") == [{"type": "storm_began", "events": 5}]
    while game.view()["turn"] == 0:
        events += play(game, game.legal_moves()[0])
    assert len(told(events, "event_drawn")) == 5
    assert [event["turn"] for event in told(events, "turn_began")] == [1]
