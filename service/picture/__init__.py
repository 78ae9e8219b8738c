"""Draw pictures of games: the boat, its crew and the time left."""

from service.picture.colours import THEMES, dark_style_source
from service.picture.drawing import draw

__all__ = ["THEMES", "dark_style_source", "draw"]
