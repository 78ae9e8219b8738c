"""States to draw, and what is in a drawing."""

import random
from functools import cache
from typing import Any
from xml.etree import ElementTree

from engine import Game, Rules
from service.picture.drawing import draw
from tests.support.playing import VARIANTS, all_rules, pick, seed_of, wild_position

Wire = dict[str, Any]

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Фёдор", "Gül", "Hågen")


def state_of(game: Game, seat: int | None = None, names: tuple[str, ...] = NAMES, **more: Any) -> Wire:
    """As `service.games.views.state` has it, for a game in which every other gnome is a bot's."""
    seen = game.view(seat)
    crew = range(len(seen["gnomes"]))
    return {
        **seen,
        "id": "k7wq2m9xtr4bz6dp",
        "version": seen["version"] + 1,
        "name": "Friday night",
        "status": "playing",
        "sandbox": False,
        "players": [{"id": f"p{number}", "name": names[number], "seats": [number]} for number in crew],
        "seats": [
            {"seat": number, "kind": ("player", "bot")[number % 2], "bot": ("", "captain")[number % 2] or None}
            | {"player_id": None if number % 2 else f"p{number}", "away": False}
            for number in crew
        ],
        "you": {"host": False, "player_id": None, "seats": [] if seat is None else [seat]},
        **more,
    }


@cache
def wild_states() -> list[Wire]:
    """Of every variant, with every other crew: a wrecked boat and what came of it some moves later."""
    states = []
    for number, variant in enumerate(VARIANTS):
        for rules in all_rules(variant)[number % 2 :: 2]:
            chance = random.Random(seed_of("picture", rules))
            game = Game.from_position(wild_position(rules, chance))
            states.append(state_of(game, None if number % 3 == 0 else 0))
            for _ in range(12):
                if game.result is None:
                    game.play(pick(game.legal_moves(), chance))
            states.append(state_of(game, None))
    return states


def new_state(gnomes: int = 4, **more: Any) -> Wire:
    return state_of(Game.new(Rules(gnomes), seed=bytes(32)), **more)


def drawn(state: Wire, **how: Any) -> ElementTree.Element:
    """The drawing, which must be well-formed."""
    return ElementTree.fromstring(draw(state, **{"theme": "light"} | how))


def marked(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """All elements with that data attribute."""
    return [element for element in picture.iter() if f"data-{name}" in element.attrib]


def told(picture: ElementTree.Element, name: str, *more: str) -> list[tuple[str, ...]]:
    """The values of that attribute, each with those of others of the same element; sorted."""
    names = [f"data-{each}" for each in (name, *more)]
    return sorted(tuple(element.attrib[each] for each in names) for element in marked(picture, name))


def texts(picture: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()) for element in picture.iter(f"{SVG}text")]


def description(picture: ElementTree.Element) -> str:
    description = picture.find(f"{SVG}desc")
    assert description is not None
    return "".join(description.itertext())
