"""Pictures of games: the boat, its crew and the time left, drawn by us."""

from service.picture.colours import THEMES, dark_style_source
from service.picture.drawing import draw
from service.picture.words import ENGLISH, Words

__all__ = ["ENGLISH", "THEMES", "Words", "dark_style_source", "draw"]
