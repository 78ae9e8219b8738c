"""Give the playing client the small pictures of the board: signs of icons, tracks, tokens and items."""

from service.picture import pictograms
from service.wire import Wire


def signs() -> Wire:
    """Return outlines, about 20 wide around their middle, and the small pictures of items as SVG."""
    return {
        "event": pictograms.BURST,
        "item": pictograms.PARCEL,
        "tracks": pictograms.TRACK_SIGNS,
        "tokens": pictograms.TOKEN_SIGNS,
        "rooms": {str(room): sign for room, sign in pictograms.ROOM_SIGNS.items()},
        "items": pictograms.ITEM_SIGNS,
    }
